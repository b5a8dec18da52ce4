"""What is known of each person: a row a person that opens to its notes, and a field for a fact of one's own."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from kotonia_desktop.domain.ledger import Note
from kotonia_desktop.gui.memory.note_view import NoteView
from kotonia_desktop.gui.memory.requests import AddFact
from kotonia_desktop.gui.memory.row import Row
from kotonia_desktop.gui.memory.row_column import RowColumn
from kotonia_desktop.gui.memory.title_editor import TitleEditor
from kotonia_desktop.gui.memory.words import Word
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import RememberedView

AT_FIRST = 12
"""Notes that an opened person shows; more on request."""
_FACT_LETTERS = 400


class PersonRow(Row):
    """A person's name with the number of notes; opened, the notes, newest first."""

    jump_asked = Signal(int)
    asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._notes: list[Note] = []
        self._view: RememberedView | None = None
        self._language, self._persona = "en", ""
        self._shown = 0
        self._veiled = True
        self.title = Word(theme, "text", self, wide=True)
        self.title.clicked.connect(self.toggle)
        self.more = Word(theme, "link", self)
        self.more.clicked.connect(self._on_more)
        self.veil = Word(theme, "link", self)
        self.veil.clicked.connect(self._on_unveil)
        self.notes: list[NoteView] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 2, 0, 2)
        self._column.setSpacing(2)
        self._column.addWidget(self.title)
        self._inside = QVBoxLayout()
        self._column.addLayout(self._inside)
        self._column.addWidget(self.more)
        self._column.addWidget(self.veil)
        self.more.hide()
        self.veil.hide()

    @property
    def is_held(self) -> bool:
        """Open."""
        return self._shown > 0

    def close_row(self) -> None:
        """Show the name alone."""
        self._shown, self._veiled = 0, True
        self._fill()

    def show_person(self, name: str, notes: list[Note], view: RememberedView, language: str, persona: str) -> None:
        """Show a person's notes, as many as were open."""
        self._notes, self._view, self._language, self._persona = notes, view, language, persona
        words = name or translate("Memory", "The story")
        you = translate("Memory", "you")
        own = f" · {you}" if name and name == persona else ""
        mark = "▾" if self.is_held else "▸"
        self.title.say(f"{mark} {words}{own} · {len(notes)}", f"{words}: {len(notes)}")
        self._fill()

    def toggle(self) -> None:
        """Open, or close."""
        self._shown = 0 if self.is_held else AT_FIRST
        if self._view is not None:
            self._fill()
        self.height_changed.emit()

    def _fill(self) -> None:
        for old in self.notes:
            old.deleteLater()
        self.notes = []
        veiled = [note for note in self._notes if not note.is_known_to(self._persona)]
        open_ones = [note for note in self._notes if note not in veiled or not self._veiled][::-1]
        if self._view is not None:
            for note in open_ones[: self._shown]:
                made = NoteView(self._theme, note, self._view, self._language, self)
                made.jump_asked.connect(self.jump_asked)
                made.asked.connect(self.asked)
                self.notes.append(made)
                self._inside.addWidget(made)
        rest = len(open_ones) - self._shown
        self.more.say(translate("Memory", "Show {count} more").format(count=rest))
        self.more.setVisible(self.is_held and rest > 0)
        self.veil.say(translate("Memory", "{count} hidden · Reveal").format(count=len(veiled)))
        self.veil.setVisible(self.is_held and self._veiled and bool(veiled))
        words = self.title.text()
        if words:
            self.title.say(("▾" if self.is_held else "▸") + words[1:], self.title.accessibleName())

    def _on_more(self) -> None:
        self._shown += AT_FIRST * 4
        self._fill()
        self.height_changed.emit()

    def _on_unveil(self) -> None:
        self._veiled = False
        self._fill()
        self.height_changed.emit()


class PeoplePage(QWidget):
    """Shows a `RememberedView`'s notes."""

    jump_asked = Signal(int)
    asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: RememberedView | None = None
        self._people: list[tuple[str, list[Note]]] = []
        self._language, self._persona = "en", ""
        self.empty = plain_label("soft", self)
        self.column = RowColumn(self._make_row, self._fill_row, self)
        self.field: QLineEdit = TitleEditor(self)
        self.field.setMaxLength(_FACT_LETTERS)
        self.field.saved.connect(self._on_fact)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 20)
        column.setSpacing(8)
        for widget in (self.empty, self.column, self.field):
            column.addWidget(widget)
        column.addStretch(1)
        self.retranslate()

    @property
    def rows(self) -> list[PersonRow]:
        """The rows that are made."""
        return [row for row in self.column.rows if isinstance(row, PersonRow)]

    def show_remembered(self, view: RememberedView | None, language: str, persona: str) -> None:
        """What is known; None for nothing."""
        self._view, self._language, self._persona = view, language, persona
        people: dict[str, list[Note]] = {}
        for note in view.notes if view is not None else ():
            people.setdefault(note.row.subject, []).append(note)
        # The user first, then who most is known of.
        self._people = sorted(people.items(), key=lambda entry: (entry[0] != persona, -len(entry[1]), entry[0]))
        self.column.set_keys([name for name, _ in self._people])
        self.field.setEnabled(view is not None)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.empty.setVisible(not self._people)
        self.empty.setText(
            translate(
                "Memory", "Nothing is noted yet. When older pages become chapters, what they say of people is here."
            )
        )
        self.field.setPlaceholderText(translate("Memory", "Add a fact…"))
        self.field.setAccessibleName(translate("Memory", "Add a fact"))

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.show_remembered(self._view, self._language, self._persona)
        super().changeEvent(event)

    def _make_row(self, parent: QWidget) -> Row:
        row = PersonRow(self._theme, parent)
        row.jump_asked.connect(self.jump_asked)
        row.asked.connect(self.asked)
        return row

    def _fill_row(self, row: Row, place: int) -> None:
        if isinstance(row, PersonRow) and self._view is not None:
            name, notes = self._people[place]
            row.show_person(name, notes, self._view, self._language, self._persona)

    def _on_fact(self, text: str) -> None:
        if text.strip():
            self.field.clear()
            self.asked.emit(AddFact(text.strip()))
