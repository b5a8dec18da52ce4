"""A line over the composer that says something and may offer an act; it never takes the focus and never blocks."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from kotonia_desktop.gui.texts import translate


class Notice(QFrame):
    """One line with up to one act. `warning` gives it the amber ground."""

    acted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None, *, warning: bool = False) -> None:
        super().__init__(parent)
        self.setProperty("panel", "warning" if warning else "notice")
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.button = QPushButton(self)
        self.button.setProperty("kind", "link")
        self.dismiss = QToolButton(self)
        self.dismiss.setText("✕")
        self.dismiss.setMinimumSize(24, 24)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 6, 6)
        row.addWidget(self.label, 1)
        row.addWidget(self.button)
        row.addWidget(self.dismiss)
        self.button.hide()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.close_notice)
        self.button.clicked.connect(self._on_acted)
        self.dismiss.clicked.connect(self.close_notice)
        self.dismiss.setAccessibleName(translate("Window", "Close this line"))
        self.hide()

    def say(self, words: str, act: str = "", *, milliseconds: int = 0) -> None:
        """Show `words`, with a button for `act`; for `milliseconds`, or until it is closed."""
        self.label.setText(words)
        self.label.setAccessibleName(words)
        self.button.setText(act)
        self.button.setAccessibleName(act)
        self.button.setVisible(bool(act))
        self.dismiss.setAccessibleName(translate("Window", "Close this line"))
        self._timer.stop()
        if milliseconds:
            self._timer.start(milliseconds)
        self.show()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def close_notice(self) -> None:
        """Say nothing any more."""
        self._timer.stop()
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def _on_acted(self) -> None:
        self.close_notice()
        self.acted.emit()
