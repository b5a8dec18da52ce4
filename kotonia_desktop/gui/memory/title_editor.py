"""Edits a title where it stands."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

TITLE_LETTERS = 80
_ENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)


class TitleEditor(QLineEdit):
    """Enter saves, Esc leaves. While an input method composes, both belong to it."""

    saved = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._composing = False
        self.setMaxLength(TITLE_LETTERS)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember whether a word is being composed."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc end the editing; arrows move in the text alone."""
        if event.key() in _ENDS and self._composing:
            event.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in _ENDS:
            self.saved.emit(self.text())
        else:
            super().keyPressEvent(event)
            event.accept()  # else a key that does nothing here would lead to another row

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was composed is given up by the input method."""
        super().focusOutEvent(event)
        self._composing = False
