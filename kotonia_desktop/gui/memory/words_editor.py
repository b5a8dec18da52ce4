"""Edits the words of an item where they stand, in a field as high as they need."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

_ENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_LINES = 3


class WordsEditor(QPlainTextEdit):
    """Enter saves, Esc leaves. While an input method composes, both belong to it."""

    saved = Signal(str)
    left = Signal()

    def __init__(self, text: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._composing = False
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setFixedHeight(_LINES * self.fontMetrics().lineSpacing() + 18)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember whether a word is being composed."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc end the editing; everything else is text."""
        if event.key() in _ENDS and not self._composing:
            self.saved.emit(self.toPlainText())
        elif event.key() == Qt.Key.Key_Escape and not self._composing:
            self.left.emit()
        elif event.key() not in (*_ENDS, Qt.Key.Key_Escape):
            super().keyPressEvent(event)
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was composed is given up by the input method."""
        super().focusOutEvent(event)
        self._composing = False
