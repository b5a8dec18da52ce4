"""Models we recommend for a language: what each is, and a word that opens its page in the browser when clicked."""

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from kotonia_desktop.gui import texts
from kotonia_desktop.gui.texts import LANGUAGE_NAMES, translate
from kotonia_desktop.gui.widgets import button, plain_label, say
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import ModelSuggestion


class ModelCard(QFrame):
    """One recommended model."""

    page_asked = Signal(str)

    def __init__(self, suggestion: ModelSuggestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._suggestion = suggestion
        self.setProperty("panel", "card")
        self._name = plain_label("strong", self)
        self._facts = plain_label("quiet", self)
        self.page = button("link", self)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._name)
        words.addWidget(self._facts)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 10, 10)
        row.addLayout(words, 1)
        row.addWidget(self.page)
        self.page.clicked.connect(self._on_page)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        model = self._suggestion
        self._name.setText(model.name)
        languages = "、".join(LANGUAGE_NAMES[code] for code in model.languages if code in LANGUAGE_NAMES)
        memory = translate("Models", "for machines with {gb} GB of memory").format(gb=model.memory_gb)
        self._facts.setText(
            " · ".join((f"{model.file}, {texts.megabytes(model.size)}", memory, languages, model.licence))
        )
        open_page = translate("Models", "Open its page")
        say(self.page, open_page)
        self.page.setAccessibleName(f"{model.name}: {open_page}")
        self.page.setToolTip(model.page)

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _on_page(self) -> None:
        self.page_asked.emit(self._suggestion.page)


class ModelList(QWidget):
    """The models recommended for one language."""

    def __init__(self, kotonia: Kotonia, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kotonia = kotonia
        self._language = ""
        self.cards: list[ModelCard] = []
        self._title = plain_label("soft", self)
        self._how = plain_label("quiet", self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(self._title)
        self._column.addWidget(self._how)
        self.retranslate()

    @property
    def page_buttons(self) -> list[QPushButton]:
        """The words that open a model's page."""
        return [card.page for card in self.cards]

    def show_language(self, language: str) -> None:
        """Recommend models that write `language`."""
        if language == self._language:
            return
        self._language = language
        for card in self.cards:
            self._column.removeWidget(card)
            card.deleteLater()
        self.cards = []
        for suggestion in self._kotonia.models.catalogue(language):
            card = ModelCard(suggestion, self)
            card.page_asked.connect(self._on_page_asked)
            self.cards.append(card)
            self._column.addWidget(card)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        name = LANGUAGE_NAMES.get(self._language, "")
        self._title.setText(translate("Models", "Models that write {language}").format(language=name))
        self._how.setText(
            translate(
                "Models",
                "Download a GGUF file from the model's page, then choose it here. Kotonia itself downloads nothing"
                " unless you ask.",
            )
        )

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _on_page_asked(self, address: str) -> None:
        QDesktopServices.openUrl(QUrl(address))
