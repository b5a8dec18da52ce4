"""Kept lines, word for word, in the order of the story."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kotonia_desktop.domain.memory import ItemState
from kotonia_desktop.domain.pins import PinnedBy
from kotonia_desktop.gui.fonts import reading_font
from kotonia_desktop.gui.memory.flow import Flow
from kotonia_desktop.gui.memory.note_view import SHARE
from kotonia_desktop.gui.memory.requests import Unpin
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import PinView, RememberedView

SHOWN = 60
"""Lines that are shown; the newest of more."""


class KeptLine(QWidget):
    """A kept line with its speaker."""

    jump_asked = Signal(int)
    asked = Signal(object)

    def __init__(self, theme: Theme, view: PinView, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 6)
        column.setSpacing(1)
        self.words = plain_label("", self)
        self.words.setFont(reading_font(language, round(theme.scale * SHARE)))
        self.words.setText(f"{view.pin.speaker}: {view.pin.text}" if view.pin.speaker else view.pin.text)
        self.words.setContentsMargins(PAD, 0, 0, 0)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.state = plain_label("quiet", self)
        self.state.setContentsMargins(PAD, 0, 0, 0)
        chosen = view.pin.by is PinnedBy.USER
        parts = [translate("Memory", "chosen by you") if chosen else translate("Memory", "chosen by the model")]
        if view.pin.state is ItemState.CHANGED:
            parts.append(translate("Memory", "its message was changed since"))
        if view.in_head:
            parts.append(translate("Memory", "in use"))
        self.state.setText(" · ".join(parts))
        flow = Flow()
        self.link = Word(theme, "link", self, in_row=False)
        number = (view.pin.ordinal or 0) + 1
        self.link.say(f"#{number}", translate("Memory", "Go to message {number}").format(number=number))
        self.link.clicked.connect(self._on_jump)
        self.leave = Word(theme, "text_quiet", self, in_row=False)
        words = translate("Memory", "Keep no longer")
        self.leave.say(words, f"{words}: {view.pin.text}")
        self.leave.clicked.connect(self._on_leave)
        for word in (self.link, self.leave):
            word.use_small_font()
            flow.addWidget(word)
        column.addWidget(self.words)
        column.addWidget(self.state)
        column.addLayout(flow)

    def _on_jump(self) -> None:
        self.jump_asked.emit(self._view.pin.ordinal or 0)

    def _on_leave(self) -> None:
        self.asked.emit(Unpin(self._view.pin.id))


class KeptPage(QWidget):
    """Shows a `RememberedView`'s pins."""

    jump_asked = Signal(int)
    asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: RememberedView | None = None
        self._language = "en"
        self.lines: list[KeptLine] = []
        self.empty = plain_label("soft", self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(20, 12, 20, 20)
        self._column.setSpacing(8)
        self._column.addWidget(self.empty)
        self._inside = QVBoxLayout()
        self._column.addLayout(self._inside)
        self._column.addStretch(1)
        self.retranslate()

    def show_remembered(self, view: RememberedView | None, language: str) -> None:
        """The kept lines; None for none."""
        if view is not None and self._view is not None and (view.pins, language) == (self._view.pins, self._language):
            self._view = view
            return
        self._view, self._language = view, language
        for old in self.lines:
            old.deleteLater()
        self.lines = []
        for pin in (view.pins if view is not None else ())[-SHOWN:]:
            line = KeptLine(self._theme, pin, language, self)
            line.jump_asked.connect(self.jump_asked)
            line.asked.connect(self.asked)
            self.lines.append(line)
            self._inside.addWidget(line)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.empty.setVisible(not self.lines)
        self.empty.setText(translate("Memory", "No line is kept yet. “Keep” under a message keeps it word for word."))

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            view, self._view = self._view, None
            self.show_remembered(view, self._language)
        super().changeEvent(event)
