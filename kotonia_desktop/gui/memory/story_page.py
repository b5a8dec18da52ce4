"""The memory's first page: the story so far as chapters and parts, what is out of sight, what is in view."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kotonia_desktop.domain.hand import Hand
from kotonia_desktop.domain.memory import Fold
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.memory.chapter_row import ChapterRow, Told
from kotonia_desktop.gui.memory.now_block import NowBlock
from kotonia_desktop.gui.memory.out_of_sight import OutOfSight
from kotonia_desktop.gui.memory.row import Row
from kotonia_desktop.gui.memory.row_column import RowColumn
from kotonia_desktop.gui.memory.synopsis import Synopsis
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import button, plain_label, say
from kotonia_desktop.services.memory_views import ChapterView, FoldStatus, MemoryLog, MemoryView, RememberedView


class StoryPage(QWidget):
    """Shows a `MemoryView`."""

    jump_asked = Signal(int)
    rename_asked = Signal(int, str)
    fold_now_asked = Signal()
    log_asked = Signal(int)
    asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: MemoryView | None = None
        self._told: tuple[Told, ...] = ()
        self._status: FoldStatus | None = None
        self._log: MemoryLog | None = None
        self._hands: Mapping[int, Hand] = {}
        self._wanted: int | None = None
        self._nothing_at: MemoryView | None = None
        """What was remembered when there was nothing to write; with more there may be."""
        self.empty = plain_label("soft", self)
        self.empty.setContentsMargins(PAD, 0, 0, 0)
        self.now = NowBlock(theme, self)
        self.now.asked.connect(self.asked)
        self.now.hide()
        self.synopsis = Synopsis(theme, self)
        self.column = RowColumn(self._make_row, self._fill_row, self)
        self.queued = OutOfSight(theme, self)
        self.in_view = Word(theme, "link", self, wide=True, in_row=False)
        self.fold_now = button("", self)
        self.fold_note = plain_label("quiet", self)
        self.error = plain_label("quiet", self)
        act = QHBoxLayout()
        act.setContentsMargins(0, 6, 0, 0)
        act.addWidget(self.fold_now)
        act.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 20)
        column.setSpacing(8)
        for widget in (self.now, self.empty, self.synopsis, self.column, self.queued, self.in_view):
            column.addWidget(widget)
        column.addLayout(act)
        column.addWidget(self.fold_note)
        column.addWidget(self.error)
        column.addStretch(1)
        self.in_view.clicked.connect(self._on_in_view)
        self.queued.jump_asked.connect(self.jump_asked)
        self.fold_now.clicked.connect(self.fold_now_asked)
        self.retranslate()

    @property
    def rows(self) -> list[ChapterRow]:
        """The rows that are made, oldest text first."""
        return [row for row in self.column.rows if isinstance(row, ChapterRow)]

    def show_memory(self, view: MemoryView | None, log: MemoryLog) -> None:
        """What is remembered, and how it was written."""
        self._view, self._log = view, log
        folds = {fold.id: fold for fold in log.folds}
        merged = {text.chapter.id: text for text in view.merged} if view is not None else {}
        hands = self._hands
        self._told = tuple(_tell(text, merged, folds, hands) for text in view.story) if view is not None else ()
        if view is None:
            self._wanted = None
        self.column.set_keys([told.view.chapter.id for told in self._told])
        if self._wanted is not None:
            self.open_chapter(self._wanted)
        self.retranslate()

    def show_remembered(self, view: RememberedView | None) -> None:
        """Where the story stands now, and what the user did to the story's sentences; None for nothing."""
        self.now.show_remembered(view)
        hands = view.item_hands if view is not None else {}
        if hands != self._hands:
            self._hands = hands
            if self._log is not None:
                self.show_memory(self._view, self._log)

    def show_status(self, status: FoldStatus | None) -> None:
        """What the chronicler is doing."""
        self._status = status
        self.retranslate()

    def say_nothing_to_write(self) -> None:
        """A chapter was asked for, but what is shown word for word always stays."""
        self._nothing_at = self._view
        self.retranslate()

    def open_chapter(self, chapter_id: int) -> ChapterRow | None:
        """Open a text, within the part it was merged into where it was; its row, None until the memory has come."""
        self._wanted = chapter_id
        holder = next((told for told in self._told if told.holds(chapter_id)), None)
        row = self.column.row(holder.view.chapter.id) if holder is not None else None
        if not isinstance(row, ChapterRow):
            return None
        self._wanted = None
        opened = row.open(chapter_id)
        self.column.show_row(row)
        return opened

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        view = self._view
        nothing = view is None or not (view.story or view.queued)
        self.empty.setVisible(nothing)
        self.empty.setText(
            translate(
                "Memory",
                "Nothing has been forgotten. Everything so far is still in view. Older pages become chapters here when"
                " the view fills up.",
            )
        )
        self.synopsis.show_texts(view.story if view is not None else ())
        self.queued.show_ranges(view.queued if view is not None else (), self._status)
        self.in_view.setVisible(view is not None and view.in_view is not None)
        if view is not None and view.in_view is not None:
            where = memory_texts.span(*view.in_view)
            words = translate("Memory", "In view, word for word · {where}").format(where=where)
            self.in_view.say(f"↧ {words}", f"{words}. {translate('Memory', 'Go to {where}').format(where=where)}")
        say(self.fold_now, translate("Memory", "Write a chapter now"))
        why = self._why_not()
        self.fold_now.setEnabled(not why and self._status is not None)
        self.fold_now.setAccessibleDescription(why)
        self.fold_note.setText(why)
        self.fold_note.setVisible(bool(why))
        error = memory_texts.error_line(self._status) if self._status is not None else ""
        self.error.setText(error)
        self.error.setVisible(bool(error))

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _why_not(self) -> str:
        why = memory_texts.no_fold_reason(self._status)
        if not why and self._nothing_at is not None and self._nothing_at == self._view:
            why = translate("Memory", "There is nothing to write yet: the newest messages always stay word for word.")
        return why

    def _make_row(self, parent: QWidget) -> Row:
        row = ChapterRow(self._theme, parent)
        row.jump_asked.connect(self.jump_asked)
        row.rename_asked.connect(self.rename_asked)
        row.log_asked.connect(self.log_asked)
        row.asked.connect(self.asked)
        return row

    def _fill_row(self, row: Row, place: int) -> None:
        if isinstance(row, ChapterRow):
            row.show_text(self._told[place])

    def _on_in_view(self) -> None:
        if self._view is not None and self._view.in_view is not None:
            self.jump_asked.emit(self._view.in_view[0])


def _tell(text: ChapterView, merged: dict[int, ChapterView], folds: dict[int, Fold], hands: Mapping[int, Hand]) -> Told:
    """A text with what it was made of, and that with what it was made of."""
    inner = tuple(_tell(merged[part], merged, folds, hands) for part in text.chapter.parts if part in merged)
    own = tuple((item.id, hands[item.id]) for item in text.chapter.items if item.id in hands)
    return Told(text, folds.get(text.chapter.fold_id), inner, own)
