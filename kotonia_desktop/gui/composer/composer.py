"""The composer: the field in its frame, the button that sends and, while a reply is written, stops."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.library import SendKey
from kotonia_desktop.gui.composer.editor import MessageEditor
from kotonia_desktop.gui.fonts import reading_font
from kotonia_desktop.gui.texts import translate


class Composer(QWidget):
    """Where the user writes. `sent` carries the text; the field keeps it until `clear` is called."""

    sent = Signal(str)
    refused = Signal()
    """The user wanted to send, and there is no model to answer."""
    stop_asked = Signal()
    edit_last_asked = Signal()
    step_asked = Signal(int)
    text_changed = Signal()
    focus_left = Signal()
    send_key_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._persona = ""
        self._busy = False
        self._sendable = True
        self.editor = MessageEditor(self)
        self.button = QPushButton(self)
        self.button.setProperty("kind", "primary")
        self.button.setMinimumSize(74, 34)
        self._frame = QFrame(self)
        self._frame.setProperty("panel", "composer")
        inside = QHBoxLayout(self._frame)
        inside.setContentsMargins(18, 12, 14, 12)
        inside.setSpacing(12)
        inside.addWidget(self.editor, 1)
        inside.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        self._question = QWidget(self)
        self._ask = QLabel(self._question)
        self._ask.setTextFormat(Qt.TextFormat.PlainText)
        self._ask.setProperty("kind", "quiet")
        self.choose_enter = QPushButton(self._question)
        self.choose_ctrl_enter = QPushButton(self._question)
        for choice in (self.choose_enter, self.choose_ctrl_enter):
            choice.setProperty("kind", "link")
        row = QHBoxLayout(self._question)
        row.setContentsMargins(16, 0, 0, 4)
        row.setSpacing(4)
        row.addWidget(self._ask)
        row.addWidget(self.choose_enter)
        row.addWidget(self.choose_ctrl_enter)
        row.addStretch(1)
        self._question.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._question)
        column.addWidget(self._frame)
        self.setFocusProxy(self.editor)
        self.editor.send_asked.connect(self._on_send)
        self.editor.stop_asked.connect(self.stop_asked)
        self.editor.edit_last_asked.connect(self.edit_last_asked)
        self.editor.step_asked.connect(self.step_asked)
        self.editor.focus_left.connect(self.focus_left)
        self.editor.focus_changed.connect(self._on_focus_changed)
        self.editor.textChanged.connect(self._on_text_changed)
        self.button.clicked.connect(self._on_button)
        self.choose_enter.clicked.connect(self._on_enter_chosen)
        self.choose_ctrl_enter.clicked.connect(self._on_ctrl_enter_chosen)
        self.retranslate()

    def set_person(self, persona: str, language: str, scale: int) -> None:
        """As whom the user writes, and the font of the conversation."""
        self._persona = persona
        self.editor.set_reading_font(reading_font(language, scale))
        self.retranslate()

    def set_send_key(self, key: str) -> None:
        """Which key sends; "" while that has not been asked."""
        self.editor.send_key = SendKey(key) if key else None
        self._question.setVisible(not key and bool(self.editor.text()))

    def set_busy(self, busy: bool) -> None:
        """A reply is being written: the button stops it."""
        self._busy = busy
        self.retranslate()
        self._refresh_button()

    def set_sendable(self, sendable: bool) -> None:
        """Whether there is a model to answer; a message can be written all the same."""
        self._sendable = sendable
        self._refresh_button()

    def text(self) -> str:
        """What is written."""
        return self.editor.text()

    def set_text(self, text: str) -> None:
        """Replace what is written."""
        self.editor.set_text(text)

    def clear(self) -> None:
        """Empty the field."""
        self.editor.set_text("")

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        placeholder = translate("Composer", "Write as {name}…").format(name=self._persona)
        self.editor.setPlaceholderText(placeholder)
        self.editor.setAccessibleName(placeholder.rstrip("…"))
        words = translate("Composer", "Stop") if self._busy else translate("Composer", "Send")
        self.button.setText(f"■ {words}" if self._busy else words)
        self.button.setAccessibleName(words)
        self._ask.setText(translate("Composer", "Which key sends?"))
        self.choose_enter.setText(translate("Composer", "Enter (Shift+Enter breaks the line)"))
        self.choose_ctrl_enter.setText(translate("Composer", "Ctrl+Enter (Enter breaks the line)"))
        for choice in (self.choose_enter, self.choose_ctrl_enter):
            choice.setAccessibleName(f"{self._ask.text()} {choice.text()}")

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _refresh_button(self) -> None:
        self.button.setEnabled(self._busy or self._sendable)

    def _on_button(self) -> None:
        if self._busy:
            self.stop_asked.emit()
            return
        QGuiApplication.inputMethod().commit()
        self._on_send()

    def _on_send(self) -> None:
        if self._busy:
            return
        if self._sendable:
            self.sent.emit(self.editor.text())
        else:
            self.refused.emit()

    def _on_text_changed(self) -> None:
        self._question.setVisible(self.editor.send_key is None and bool(self.editor.text()))
        self.text_changed.emit()

    def _on_focus_changed(self, focused: bool) -> None:
        self._frame.setProperty("focused", focused)
        self._frame.style().unpolish(self._frame)
        self._frame.style().polish(self._frame)

    def _on_enter_chosen(self) -> None:
        self._choose(SendKey.ENTER)

    def _on_ctrl_enter_chosen(self) -> None:
        self._choose(SendKey.CTRL_ENTER)

    def _choose(self, key: SendKey) -> None:
        self.set_send_key(key.value)
        self.editor.setFocus()
        self.send_key_chosen.emit(key.value)
