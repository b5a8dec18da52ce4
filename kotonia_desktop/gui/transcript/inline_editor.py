"""Edits a message where it stands: a text field over its row, saved by Ctrl+Enter, left by Esc."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.messages import Message
from kotonia_desktop.gui.fonts import reading_font
from kotonia_desktop.gui.texts import translate

_BUTTONS_HEIGHT = 44


class _Field(QPlainTextEdit):
    """The field; tells the two keys that end it."""

    finished = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter keeps, Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.finished.emit(False)
        elif (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.finished.emit(True)
        else:
            super().keyPressEvent(event)


class InlineEditor(QWidget):
    """The editor of one message."""

    saved = Signal(int, str)
    left = Signal(int)
    resized = Signal(int, int)
    """The message's id and the height the editor needs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.message_id = -1
        self.field = _Field(self)
        self.field.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.save = QPushButton(self)
        self.save.setProperty("kind", "primary")
        self.cancel = QPushButton(self)
        self._hint = QLabel(self)
        self._hint.setTextFormat(Qt.TextFormat.PlainText)
        self._hint.setProperty("kind", "quiet")
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.addWidget(self._hint, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.field, 1)
        column.addLayout(buttons)
        self.field.finished.connect(self._on_finished)
        self.field.textChanged.connect(self._on_text_changed)
        self.save.clicked.connect(self._on_save)
        self.cancel.clicked.connect(self._on_cancel)
        self.retranslate()
        self.hide()

    @property
    def is_open(self) -> bool:
        """True while a message is edited."""
        return self.message_id >= 0

    def open(self, message: Message, language: str, scale: int) -> None:
        """Edit `message`."""
        self.message_id = message.id
        self.field.setFont(reading_font(language, scale))
        self.field.setPlainText(message.text)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self.show()
        self.raise_()
        self.field.setFocus()
        self._on_text_changed()

    def close_editor(self) -> None:
        """Stop editing without a word."""
        self.message_id = -1
        self.hide()

    def needed_height(self) -> int:
        """Pixels for the text as it stands, and the buttons."""
        lines = self.field.document().size().height()
        line = self.field.fontMetrics().lineSpacing()
        return round(max(2.0, min(lines, 18.0)) * line) + 24 + _BUTTONS_HEIGHT

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.save.setText(translate("Transcript", "Save"))
        self.cancel.setText(translate("Transcript", "Cancel"))
        self._hint.setText(translate("Transcript", "Ctrl+Enter saves, Esc leaves it as it was"))
        self.field.setAccessibleName(translate("Transcript", "Edit this message"))
        for button in (self.save, self.cancel):
            button.setAccessibleName(button.text())

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _on_text_changed(self) -> None:
        if self.is_open:
            self.resized.emit(self.message_id, self.needed_height())

    def _on_save(self) -> None:
        self._on_finished(True)

    def _on_cancel(self) -> None:
        self._on_finished(False)

    def _on_finished(self, keep: bool) -> None:
        message_id, text = self.message_id, self.field.toPlainText()
        if message_id < 0:
            return
        self.close_editor()
        if keep and text.strip():
            self.saved.emit(message_id, text)
        else:
            self.left.emit(message_id)
