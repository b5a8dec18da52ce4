"""Characters to choose from, as tiles with a picture, a name and a line."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QPushButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.library import Character
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.fonts import ui_font
from kotonia_desktop.gui.widgets import Picture, plain_label

_PICTURE = QSize(176, 220)
_PER_ROW = 3


class CharacterTile(QPushButton):
    """One character."""

    def __init__(self, character: Character, avatars: Avatars, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.character = character
        self.setProperty("kind", "card")
        self.setCheckable(True)
        self._picture = Picture(avatars, _PICTURE, self)
        self._picture.show_picture(character.name, character.picture)
        self._name = plain_label("strong", self)
        self._name.setFont(ui_font(character.card.language or "en", 15, bold=True))
        self._line = plain_label("quiet", self)
        for label in (self._name, self._line):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        column.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._name)
        column.addWidget(self._line)
        column.addStretch(1)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        line = texts.character_line(self.character)
        self._name.setText(self.character.name)
        self._line.setText(line)
        self.setAccessibleName(f"{self.character.name}. {line}")

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


class CharacterTiles(QWidget):
    """Several characters, one of them chosen."""

    chosen = Signal(int)

    def __init__(self, avatars: Avatars, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._avatars = avatars
        self.tiles: list[CharacterTile] = []
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(12)
        self._group.buttonClicked.connect(self._on_clicked)

    def show_characters(self, characters: list[Character], first_language: str) -> None:
        """Show `characters`; those in `first_language` come first."""
        ordered = sorted(characters, key=lambda c: c.card.language != first_language)
        if [tile.character for tile in self.tiles] == ordered:
            return
        kept = self.selected
        for tile in self.tiles:
            self._group.removeButton(tile)
            self._grid.removeWidget(tile)
            tile.deleteLater()
        self.tiles = []
        for number, character in enumerate(ordered):
            tile = CharacterTile(character, self._avatars, self)
            self._group.addButton(tile)
            self._grid.addWidget(tile, number // _PER_ROW, number % _PER_ROW)
            self.tiles.append(tile)
        self.select(kept.id if kept is not None else None)

    @property
    def selected(self) -> Character | None:
        """The character that is chosen."""
        return next((tile.character for tile in self.tiles if tile.isChecked()), None)

    def select(self, character_id: int | None) -> None:
        """Choose a character; the first where there is none with this id."""
        for tile in self.tiles:
            if tile.character.id == character_id:
                tile.setChecked(True)
                return
        if self.tiles and self.selected is None:
            self.tiles[0].setChecked(True)

    def _on_clicked(self, clicked: QPushButton) -> None:
        if isinstance(clicked, CharacterTile):
            self.chosen.emit(clicked.character.id)
