"""A new chat: with whom, as whom, and with which opening."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.library import Character, Persona
from kotonia_desktop.domain.macros import expand
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.fonts import reading_font
from kotonia_desktop.gui.pages.character_tiles import CharacterTiles
from kotonia_desktop.gui.texts import translate, ui_language
from kotonia_desktop.gui.widgets import button, plain_label, say, scrolled_column
from kotonia_desktop.services.library import default_persona_name

_WIDTH = 640
_SHOWN = 700
"""Characters of an opening that are shown before it is chosen."""


class NewChatPage(QWidget):
    """Chooses a character, an opening and a persona."""

    asked = Signal(int, int, str, str, int)
    """Character, persona (0 for a new one of this name and line), name, line, opening."""
    import_asked = Signal()
    left = Signal()

    def __init__(self, avatars: Avatars, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._personas: list[Persona] = []
        self._opening = 0
        self.setProperty("panel", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        area, column = scrolled_column(_WIDTH)
        self._title = plain_label("page")
        self.tiles = CharacterTiles(avatars)
        self._opening_words = plain_label("strong")
        self.back = QToolButton()
        self.back.setText("◂")
        self.forward = QToolButton()
        self.forward.setText("▸")
        self.opening = plain_label("story")
        self._persona_words = plain_label("strong")
        self.persona = QComboBox()
        self._name_words = plain_label("soft")
        self.name = QLineEdit()
        self._name_words.setBuddy(self.name)
        self.line = QLineEdit()
        self.begin = button("primary")
        self.bring = button("link")
        self.cancel = button("link")
        openings = QHBoxLayout()
        openings.addWidget(self._opening_words)
        for word in (self.back, self.forward):
            word.setMinimumSize(24, 24)
            openings.addWidget(word)
        openings.addStretch(1)
        row = QHBoxLayout()
        for widget in (self.begin, self.bring, self.cancel):
            row.addWidget(widget)
        row.addStretch(1)
        column.addWidget(self._title)
        column.addWidget(self.tiles)
        column.addLayout(openings)
        column.addWidget(self.opening)
        column.addWidget(self._persona_words)
        column.addWidget(self.persona)
        column.addWidget(self._name_words)
        column.addWidget(self.name)
        column.addWidget(self.line)
        column.addSpacing(8)
        column.addLayout(row)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)
        self.tiles.chosen.connect(self._on_character_chosen)
        self.back.clicked.connect(self._on_back)
        self.forward.clicked.connect(self._on_forward)
        self.persona.currentIndexChanged.connect(self._on_persona_changed)
        self.name.textChanged.connect(self._on_name_changed)
        self.begin.clicked.connect(self._on_begin)
        self.bring.clicked.connect(self.import_asked)
        self.cancel.clicked.connect(self.left)
        self.retranslate()

    def show_library(self, characters: list[Character], personas: list[Persona]) -> None:
        """The characters and personas there are."""
        self.tiles.show_characters(characters, ui_language())
        if personas != self._personas:
            self._personas = personas
            self._fill_personas()
        self._refresh_opening()

    def choose(self, character_id: int | None) -> None:
        """Begin with a character already chosen."""
        self.tiles.select(character_id)
        self._opening = 0
        self._refresh_opening()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self._title.setText(translate("NewChat", "Who would you like to meet?"))
        self._persona_words.setText(translate("NewChat", "As whom?"))
        self.persona.setAccessibleName(translate("NewChat", "As whom?"))
        self._name_words.setText(translate("NewChat", "Name"))
        self.name.setAccessibleName(translate("NewChat", "Name"))
        self.line.setPlaceholderText(translate("NewChat", "One line about you (if you like)"))
        self.line.setAccessibleName(translate("NewChat", "One line about you (if you like)"))
        self.back.setAccessibleName(translate("NewChat", "Previous opening"))
        self.forward.setAccessibleName(translate("NewChat", "Next opening"))
        say(self.begin, translate("NewChat", "Step inside"))
        say(self.bring, translate("NewChat", "Bring a character…"))
        say(self.cancel, translate("NewChat", "Back"))
        self._fill_personas()
        self._refresh_opening()

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _fill_personas(self) -> None:
        kept = self.persona.currentData()
        self.persona.clear()
        for persona in self._personas:
            self.persona.addItem(persona.name, persona.id)
        self.persona.addItem(translate("NewChat", "Someone new…"), 0)
        at = self.persona.findData(kept)
        self.persona.setCurrentIndex(max(0, at))
        self._on_persona_changed()

    def _refresh_opening(self) -> None:
        character = self.tiles.selected
        greetings = character.card.greetings if character is not None else ()
        count = len(greetings)
        self._opening = max(0, min(self._opening, count - 1))
        self._opening_words.setText(
            translate("NewChat", "Opening {number}/{count}").format(number=self._opening + 1, count=count)
        )
        for widget in (self._opening_words, self.opening):
            widget.setVisible(count > 0)
        for word in (self.back, self.forward):
            word.setVisible(count > 1)
        self.begin.setEnabled(character is not None)
        self.name.setPlaceholderText(self._default_name())
        self.back.setEnabled(self._opening > 0)
        self.forward.setEnabled(self._opening < count - 1)
        if character is not None and greetings:
            self.opening.setFont(reading_font(character.card.language or "en", 100))
            text = expand(greetings[self._opening], character.name, self._persona_name())
            self.opening.setText(_beginning(text))

    def _persona_name(self) -> str:
        if self.persona.currentData():
            return self.persona.currentText()
        return self.name.text().strip() or self._default_name()

    def _default_name(self) -> str:
        """What a user without a name is called by the character that is chosen."""
        character = self.tiles.selected
        return default_persona_name(character.card.language if character is not None else ui_language())

    def _on_character_chosen(self, _character_id: int) -> None:
        self._opening = 0
        self._refresh_opening()

    def _on_back(self) -> None:
        self._opening -= 1
        self._refresh_opening()

    def _on_forward(self) -> None:
        self._opening += 1
        self._refresh_opening()

    def _on_persona_changed(self) -> None:
        new = not self.persona.currentData()
        self._name_words.setVisible(new)
        self.name.setVisible(new)
        self.line.setVisible(new)
        self._refresh_opening()

    def _on_name_changed(self, _name: str) -> None:
        self._refresh_opening()

    def _on_begin(self) -> None:
        character = self.tiles.selected
        if character is not None:
            persona = int(self.persona.currentData() or 0)
            self.asked.emit(character.id, persona, self.name.text().strip(), self.line.text().strip(), self._opening)


def _beginning(text: str) -> str:
    """The first paragraphs of an opening, as many as fit; the first one at least."""
    if len(text) <= _SHOWN:
        return text
    whole = text[:_SHOWN].rpartition("\n\n")[0] or text[:_SHOWN]
    return f"{whole.rstrip()}\n\n…"
