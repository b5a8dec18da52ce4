"""Messages that left the model's view before there was a chapter of them: which, and what will happen."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import FoldStatus


class OutOfSight(QFrame):
    """A block in the colours of a warning; hidden while every message is in view or covered."""

    jump_asked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", "warning")
        self._first = 0
        self.title = Word(theme, "warn_text", self, wide=True, in_row=False)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.words = plain_label("", self)
        self.next = plain_label("", self)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 8)
        column.setSpacing(2)
        for widget in (self.title, self.words, self.next):
            column.addWidget(widget)
        self.words.setContentsMargins(PAD, 0, 0, 0)
        self.next.setContentsMargins(PAD, 0, 0, 0)
        self.title.clicked.connect(self._on_clicked)

    def show_ranges(self, ranges: Sequence[tuple[int, int]], status: FoldStatus | None) -> None:
        """The ranges that are out of sight, and what the chronicler does about them."""
        self.setVisible(bool(ranges))
        if not ranges:
            return
        self._first = ranges[0][0]
        spans = [memory_texts.span(first, last) for first, last in ranges]
        where = ", ".join(spans)
        self.title.say(translate("Memory", "Out of sight for now · {where}").format(where=where))
        self.title.setAccessibleDescription(translate("Memory", "Go to {where}").format(where=spans[0]))
        self.words.setText("\n".join(memory_texts.queued_line(first, last) for first, last in ranges))
        coming = memory_texts.queued_next(status)
        self.next.setText(coming)
        self.next.setVisible(bool(coming))

    def _on_clicked(self) -> None:
        self.jump_asked.emit(self._first)
