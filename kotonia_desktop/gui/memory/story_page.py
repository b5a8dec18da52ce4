"""The memory's first page: the story so far as chapters and parts, what is out of sight, what is in view."""

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from kotonia_desktop.domain.memory import Fold
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.memory.chapter_row import ChapterRow
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.widgets import button, plain_label, say
from kotonia_desktop.services.memory_views import ChapterView, FoldStatus, MemoryLog, MemoryView

_OF_A_PART = 2
"""Sentences of each part that the story so far begins with; the part itself has them all."""
_AT_ONCE = 12
"""Rows made in one go: a long story must not hold the window up."""


class StoryPage(QWidget):
    """Shows a `MemoryView`."""

    jump_asked = Signal(int)
    rename_asked = Signal(int, str)
    fold_now_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: MemoryView | None = None
        self._folds: dict[int, Fold] = {}
        self._status: FoldStatus | None = None
        self._wanted: int | None = None
        self.rows: list[ChapterRow] = []
        self.empty = plain_label("soft", self)
        self.synopsis_title = plain_label("strong", self)
        self.synopsis = plain_label("soft", self)
        self.queued = QFrame(self)
        self.queued.setProperty("panel", "warning")
        self.queued_words = plain_label("", self.queued)
        inside = QVBoxLayout(self.queued)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.addWidget(self.queued_words)
        self.in_view = button("link", self)
        self.fold_now = button("", self)
        self.fold_note = plain_label("quiet", self)
        self.error = plain_label("quiet", self)
        self._list = QVBoxLayout()
        self._list.setSpacing(2)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.in_view)
        line.addStretch(1)
        act = QHBoxLayout()
        act.setContentsMargins(0, 8, 0, 0)
        act.addWidget(self.fold_now)
        act.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 8, 20, 20)
        column.setSpacing(8)
        for widget in (self.empty, self.synopsis_title, self.synopsis):
            column.addWidget(widget)
        column.addLayout(self._list)
        column.addWidget(self.queued)
        column.addLayout(line)
        column.addLayout(act)
        column.addWidget(self.fold_note)
        column.addWidget(self.error)
        column.addStretch(1)
        self._later = QTimer(self)
        self._later.setInterval(0)
        self._later.timeout.connect(self._add_rows)
        self.in_view.clicked.connect(self._on_in_view)
        self.fold_now.clicked.connect(self.fold_now_asked)
        self.retranslate()

    def show_memory(self, view: MemoryView | None, log: MemoryLog) -> None:
        """What is remembered, and how it was written."""
        self._view = view
        self._folds = {fold.id: fold for fold in log.folds}
        story = view.story if view is not None else ()
        for row in self.rows[len(story) :]:
            row.deleteLater()
        del self.rows[len(story) :]
        for row, text in zip(self.rows, story, strict=False):
            row.show_text(text, self._folds.get(text.chapter.fold_id), self._inner(text))
        if len(self.rows) < len(story):
            self._add_rows()
        self.retranslate()

    def show_status(self, status: FoldStatus | None) -> None:
        """What the chronicler is doing."""
        self._status = status
        self.retranslate()

    def say_nothing_to_write(self) -> None:
        """A chapter was asked for, but what is shown word for word always stays."""
        if not self.fold_note.text():
            self.fold_note.setText(
                translate("Memory", "There is nothing to write yet: the newest messages always stay word for word.")
            )
            self.fold_note.show()

    def open_chapter(self, chapter_id: int) -> ChapterRow | None:
        """Open a text, or the part it was merged into; its row where it is there already."""
        self._wanted = chapter_id
        row = self._row_of(chapter_id)
        if row is not None:
            self._wanted = None
            row.open()
            for inner in row.inner_rows:
                if inner.view is not None and inner.view.chapter.id == chapter_id:
                    inner.open()
        return row

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
        parts = [text for text in view.story if text.chapter.level] if view is not None else []
        self.synopsis_title.setText(translate("Memory", "The story so far"))
        joint = " " if not parts or parts[0].chapter.language == "en" else ""
        openings = [item.text for part in parts for item in part.chapter.items[:_OF_A_PART]]
        self.synopsis.setText(joint.join(openings))
        self.synopsis_title.setVisible(bool(parts))
        self.synopsis.setVisible(bool(parts))
        queued = view.queued if view is not None else ()
        self.queued.setVisible(bool(queued))
        self.queued_words.setText("\n".join(memory_texts.queued_line(first, last) for first, last in queued))
        self.in_view.setVisible(view is not None and view.in_view is not None)
        if view is not None and view.in_view is not None:
            where = memory_texts.span(*view.in_view)
            say(self.in_view, translate("Memory", "In view, word for word · {where}").format(where=where))
        say(self.fold_now, translate("Memory", "Write a chapter now"))
        why = memory_texts.no_fold_reason(self._status)
        self.fold_now.setEnabled(not why)
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

    def _inner(self, text: ChapterView) -> tuple[tuple[ChapterView, Fold | None], ...]:
        """The texts that a part was made of, and theirs, oldest first."""
        if self._view is None or not text.chapter.parts:
            return ()
        found = {inner.chapter.id: inner for inner in self._view.merged}
        inside = [found[part] for part in text.chapter.parts if part in found]
        return tuple((inner, self._folds.get(inner.chapter.fold_id)) for inner in inside)

    def _add_rows(self) -> None:
        """Some more rows; the rest when the window has had its turn."""
        story = self._view.story if self._view is not None else ()
        for text in story[len(self.rows) : len(self.rows) + _AT_ONCE]:
            row = ChapterRow(self)
            row.show_text(text, self._folds.get(text.chapter.fold_id), self._inner(text))
            row.jump_asked.connect(self.jump_asked)
            row.rename_asked.connect(self.rename_asked)
            self.rows.append(row)
            self._list.addWidget(row)
        if len(self.rows) < len(story):
            self._later.start()
        else:
            self._later.stop()
        if self._wanted is not None:
            self.open_chapter(self._wanted)

    def _row_of(self, chapter_id: int) -> ChapterRow | None:
        for row in self.rows:
            chapter = row.view.chapter if row.view is not None else None
            if chapter is not None and chapter_id in (chapter.id, *chapter.parts):
                return row
        return None

    def _on_in_view(self) -> None:
        if self._view is not None and self._view.in_view is not None:
            self.jump_asked.emit(self._view.in_view[0])
