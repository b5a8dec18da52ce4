"""The field of the composer: Enter sends or breaks, safe for input methods; an empty field steers the conversation."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QInputMethodEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from kotonia_desktop.domain.library import SendKey

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_LEAST_LINES = 2
_MOST_SHARE = 0.4
"""The field grows to this share of its window's height."""


class MessageEditor(QPlainTextEdit):
    """A plain text field that grows with its text.

    Enter is never taken while an input method composes: it belongs to the input method, and a message that goes out
    with half a word in it cannot be called back.
    """

    send_asked = Signal()
    stop_asked = Signal()
    edit_last_asked = Signal()
    step_asked = Signal(int)
    undo_asked = Signal()
    """Undo with nothing typed to undo."""
    focus_left = Signal()
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "composer")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.send_key: SendKey | None = None
        """None: not asked yet; Enter sends until then, and asks."""
        self.composing = False
        self.document().setDocumentMargin(0)
        self.document().clearUndoRedoStacks()  # the margin counts as a step
        self.textChanged.connect(self._on_text_changed)

    def set_reading_font(self, font: QFont) -> None:
        """The font of the text and of the words that stand in its place while it is empty."""
        self.setFont(font)
        self.viewport().setFont(font)
        self.document().setDefaultFont(font)
        self._on_text_changed()

    def text(self) -> str:
        """What is written, without what the input method still composes."""
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        """Replace what is written; the cursor stands at its end."""
        self.setPlainText(text)
        cursor = self.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self.setTextCursor(cursor)

    # -- keys

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember whether a word is being composed."""
        self.composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send, break, stop, or steer the conversation from an empty field."""
        key = event.key()
        if self.composing and key in (*_ENTER, Qt.Key.Key_Escape):
            event.accept()
            return
        if key in _ENTER:
            self._on_enter(event)
        elif key == Qt.Key.Key_Escape:
            self.stop_asked.emit()
        elif event.matches(QKeySequence.StandardKey.Undo) and not self.document().isUndoAvailable():
            self.undo_asked.emit()
        elif not self.toPlainText() and not self.composing and self._steer(event):
            event.accept()
        else:
            super().keyPressEvent(event)

    def _on_enter(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers()
        control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        sends = control if self.send_key is SendKey.CTRL_ENTER else not shift
        if sends:
            self.send_asked.emit()
        else:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()

    def _steer(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if event.key() == Qt.Key.Key_Up:
            self.edit_last_asked.emit()
        elif event.key() == Qt.Key.Key_Left:
            self.step_asked.emit(-1)
        elif event.key() == Qt.Key.Key_Right:
            self.step_asked.emit(1)
        else:
            return False
        return True

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The frame around shows the ring."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The draft is kept when the field is left."""
        super().focusOutEvent(event)
        self.composing = False
        self.focus_changed.emit(False)
        self.focus_left.emit()

    # -- size

    def sizeHint(self) -> QSize:
        """As many lines as are written, within limits."""
        return QSize(super().sizeHint().width(), self.wanted_height())

    def minimumSizeHint(self) -> QSize:
        """Never higher than wanted."""
        return QSize(80, self.wanted_height())

    def wanted_height(self) -> int:
        """Pixels for the text as it stands; a plain text field's document counts its height in lines."""
        line = self.fontMetrics().lineSpacing()
        lines = max(float(_LEAST_LINES), self.document().size().height())
        most = max(4 * line, round(self.window().height() * _MOST_SHARE))
        return min(round(lines * line) + 4, most)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may need more lines."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._on_text_changed()

    def changeEvent(self, event: QEvent) -> None:
        """Another font needs another height."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._on_text_changed()

    def _on_text_changed(self) -> None:
        self.setFixedHeight(self.wanted_height())
