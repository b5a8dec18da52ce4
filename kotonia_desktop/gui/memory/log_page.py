"""The memory's log: every fold, what it cost, what was rejected and why, with the text; and the forced cuts."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kotonia_desktop.domain.memory import Fold
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.memory.fold_row import Entry, FoldRow
from kotonia_desktop.gui.memory.row import Row
from kotonia_desktop.gui.memory.row_column import RowColumn
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import MemoryLog, MemoryView


class LogPage(QWidget):
    """Shows a `MemoryLog`, newest first."""

    jump_asked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: list[Entry] = []
        self._language = ""
        self.empty = plain_label("soft", self)
        self.column = RowColumn(self._make_row, self._fill_row, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 20)
        column.setSpacing(0)
        column.addWidget(self.empty)
        column.addWidget(self.column)
        column.addStretch(1)
        self.retranslate()

    @property
    def rows(self) -> list[FoldRow]:
        """The rows that are made, newest first."""
        return [row for row in self.column.rows if isinstance(row, FoldRow)]

    def show_log(self, log: MemoryLog, view: MemoryView | None = None) -> None:
        """What was done; rows that are still there stay open. `view` tells the language of the texts.

        Where nothing is told yet, the window's language is the likeliest.
        """
        told = view.story if view is not None else ()
        self._language = told[0].chapter.language if told else texts.ui_language()
        self._entries = sorted((*log.folds, *log.cuts), key=_newest_first)
        self.column.set_keys([_key(entry) for entry in self._entries])
        self.retranslate()

    def open_fold(self, fold_id: int) -> FoldRow | None:
        """Open the entry of a fold and give it the keyboard; None where the log does not go back that far."""
        row = self.column.row(("fold", fold_id))
        if not isinstance(row, FoldRow):
            return None
        row.open()
        self.column.show_row(row)
        row.title.setFocus(Qt.FocusReason.TabFocusReason)
        return row

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.empty.setText(translate("Memory", "No chapter has been written yet."))
        self.empty.setVisible(not self._entries)

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _make_row(self, parent: QWidget) -> Row:
        row = FoldRow(self._theme, parent)
        row.jump_asked.connect(self.jump_asked)
        return row

    def _fill_row(self, row: Row, place: int) -> None:
        if isinstance(row, FoldRow):
            row.show_entry(self._entries[place], self._language)


def _newest_first(entry: Entry) -> tuple[float, int]:
    """Folds of one second are in the order of their ids."""
    if isinstance(entry, Fold):
        return -entry.started_at, -entry.id
    return -entry.created_at, 0


def _key(entry: Entry) -> tuple[str, int | float]:
    return ("fold", entry.id) if isinstance(entry, Fold) else ("cut", entry.created_at)
