"""The first start, inside the window and never modal: a model, a character, a name. Every step can be passed over."""

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from kotonia_desktop.domain.library import Character
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.pages.character_tiles import CharacterTiles
from kotonia_desktop.gui.pages.model_list import ModelList
from kotonia_desktop.gui.texts import translate, ui_language
from kotonia_desktop.gui.widgets import LanguageSwitch, button, plain_label, say, scrolled_column
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.library import default_persona_name

_WIDTH = 640
VOICE, MEET, YOU = range(3)


class StartPage(QWidget):
    """Three questions."""

    language_chosen = Signal(str)
    starter_asked = Signal()
    file_asked = Signal()
    import_asked = Signal()
    finished = Signal(int, str, str)
    """Character, the user's name, one line about them."""

    def __init__(self, kotonia: Kotonia, avatars: Avatars, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_starter = kotonia.models.starter_path() is not None
        self._model_ready = False
        self._characters: list[Character] = []
        self.setProperty("panel", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.languages = LanguageSwitch(self)
        self.steps = QStackedWidget(self)
        self.steps.addWidget(self._voice_step(kotonia))
        self.steps.addWidget(self._meet_step(avatars))
        self.steps.addWidget(self._you_step())
        top = QHBoxLayout()
        top.setContentsMargins(24, 14, 20, 0)
        top.addWidget(self.languages, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(top)
        column.addWidget(self.steps, 1)
        self.languages.chosen.connect(self.language_chosen)
        self.retranslate()

    def _voice_step(self, kotonia: Kotonia) -> QWidget:
        area, column = scrolled_column(_WIDTH)
        self._title = plain_label("title")
        self._promise = plain_label("story")
        self.starter = button("primary")
        self._starter_words = plain_label("quiet")
        self.file = button()
        self.suggestions = button("link")
        self.suggestions.setCheckable(True)
        self.skip_voice = button("link")
        self.models = ModelList(kotonia)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.starter)
        row.addWidget(self.file)
        row.addStretch(1)
        links = QHBoxLayout()
        links.addWidget(self.suggestions)
        links.addWidget(self.skip_voice)
        links.addStretch(1)
        column.addSpacing(48)
        column.addWidget(self._title)
        column.addWidget(self._promise)
        column.addSpacing(20)
        column.addLayout(row)
        column.addWidget(self._starter_words)
        column.addLayout(links)
        column.addWidget(self.models)
        column.addStretch(1)
        self.starter.clicked.connect(self.starter_asked)
        self.file.clicked.connect(self.file_asked)
        self.suggestions.toggled.connect(self.models.setVisible)
        self.skip_voice.clicked.connect(self.go_on)
        return area

    def _meet_step(self, avatars: Avatars) -> QWidget:
        area, column = scrolled_column(_WIDTH)
        self._who_title = plain_label("page")
        self.tiles = CharacterTiles(avatars)
        self._voice_warning = plain_label("soft")
        self.meet = button("primary")
        self.bring = button("link")
        row = QHBoxLayout()
        row.addWidget(self.meet)
        row.addWidget(self.bring)
        row.addStretch(1)
        column.addSpacing(16)
        column.addWidget(self._who_title)
        column.addWidget(self.tiles)
        column.addWidget(self._voice_warning)
        column.addLayout(row)
        column.addStretch(1)
        self.meet.clicked.connect(self.go_on)
        self.bring.clicked.connect(self.import_asked)
        self.tiles.chosen.connect(self._on_character_chosen)
        return area

    def _you_step(self) -> QWidget:
        area, column = scrolled_column(_WIDTH)
        self._you_title = plain_label("page")
        self._name_words = plain_label("soft")
        self.name = QLineEdit()
        self._line_words = plain_label("soft")
        self.line = QLineEdit()
        self.enter = button("primary")
        row = QHBoxLayout()
        row.addWidget(self.enter)
        row.addStretch(1)
        column.addSpacing(16)
        column.addWidget(self._you_title)
        for words, field in ((self._name_words, self.name), (self._line_words, self.line)):
            column.addWidget(words)
            column.addWidget(field)
            words.setBuddy(field)
        column.addSpacing(8)
        column.addLayout(row)
        column.addStretch(1)
        self.enter.clicked.connect(self._on_enter)
        self.name.returnPressed.connect(self.line.setFocus)
        self.line.returnPressed.connect(self._on_enter)
        return area

    # -- what is shown

    def show_characters(self, characters: list[Character]) -> None:
        """The characters there are."""
        self._characters = characters
        self.tiles.show_characters(characters, ui_language())
        self._refresh_for_character()

    def set_model_ready(self, model_file: str) -> None:
        """A model is loaded or on its way: the first question is answered. "" where there is none."""
        self._model_ready = bool(model_file)
        self._model_is_starter = bool(model_file) and Path(model_file).name.startswith("SmolLM2-135M")
        self._refresh_for_character()

    def show_fetching(self, line: str) -> None:
        """How far the fetch of the starter model is; "" when there is none: then it may be asked for."""
        self.starter.setEnabled(not line)

    def go_on(self) -> None:
        """Go to the next question."""
        step = self.steps.currentIndex()
        self._refresh_for_character()
        if step < YOU:
            self.steps.setCurrentIndex(step + 1)
            (self.meet if step + 1 == MEET else self.name).setFocus()

    def model_loaded(self) -> None:
        """A model answered the first question; where that stands open, go on."""
        if self.steps.currentIndex() == VOICE and self.isVisible():
            self.go_on()
        elif self.steps.currentIndex() == VOICE:
            self.steps.setCurrentIndex(MEET)  # without taking the focus from the page that is shown

    def restart(self) -> None:
        """Begin with the first question that is open."""
        self.steps.setCurrentIndex(MEET if self._model_ready else VOICE)

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        language = ui_language()
        english = language == "en"
        self.languages.set_language(language)
        self.models.show_language(language)
        self._title.setText(translate("Start", "Stories that remember."))
        self._promise.setText(
            translate("Start", "A model on this computer plays the character. Nothing you write leaves it.")
        )
        say(
            self.starter,
            translate("Start", "Begin with the tiny test voice")
            if self._has_starter
            else translate("Start", "Fetch the tiny test voice (98 MB)"),
        )
        self._starter_words.setText(
            translate(
                "Start",
                "The tiny test voice speaks English only and writes simply. It is there to try the app; choose a"
                " larger model for real stories.",
            )
        )
        say(self.file, translate("Start", "I have a model file…"))
        say(self.suggestions, translate("Start", "Which models are good?"))
        say(self.skip_voice, translate("Start", "Look around first"))
        # The test voice cannot write Japanese or Chinese: there the good models stand first.
        self.starter.setProperty("kind", "primary" if english else "")
        self.file.setProperty("kind", "" if english else "primary")
        for widget in (self.starter, self.file):
            widget.style().unpolish(widget)
            widget.style().polish(widget)
        self.suggestions.setChecked(not english)
        self.models.setVisible(self.suggestions.isChecked())
        self._who_title.setText(translate("Start", "Who would you like to meet?"))
        say(self.meet, translate("Start", "Go on"))
        say(self.bring, translate("Start", "Bring your own character…"))
        self._you_title.setText(translate("Start", "And who are you?"))
        self._name_words.setText(translate("Start", "Name"))
        self._line_words.setText(translate("Start", "One line about you (if you like)"))
        self.name.setAccessibleName(self._name_words.text())
        self.line.setAccessibleName(self._line_words.text())
        say(self.enter, translate("Start", "Step inside"))
        self.tiles.show_characters(self._characters, language)
        self._refresh_for_character()

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    _model_is_starter = False

    def _refresh_for_character(self) -> None:
        chosen = self.tiles.selected
        language = chosen.card.language if chosen is not None else ui_language()
        self.name.setPlaceholderText(default_persona_name(language))
        foreign = chosen is not None and chosen.card.language not in ("", "en")
        self._voice_warning.setVisible(self._model_is_starter and foreign)
        if chosen is not None:
            self._voice_warning.setText(
                translate(
                    "Start",
                    "{name} speaks a language that the tiny test voice cannot write. Choose a larger model for this"
                    " character.",
                ).format(name=chosen.name)
            )

    # -- what was done

    def _on_character_chosen(self, _character_id: int) -> None:
        self._refresh_for_character()

    def _on_enter(self) -> None:
        chosen = self.tiles.selected
        if chosen is not None:
            self.finished.emit(chosen.id, self.name.text().strip(), self.line.text().strip())
