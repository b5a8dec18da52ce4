"""The bar that shows how much room the story has left in the model's view."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from kotonia_desktop.gui.theme import Theme

_LOW = 0.1
"""The share that is little."""


class RoomBar(QWidget):
    """A bar of 120 by 8 pixels; full while all room is left, amber when a tenth or less is."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._left = 1.0
        self.setFixedSize(120, 8)
        theme.changed.connect(self._on_theme_changed)

    @property
    def left(self) -> float:
        """How much is left, 0.0 to 1.0."""
        return self._left

    @property
    def is_low(self) -> bool:
        """True where so little is left that the bar takes its warning colour."""
        return self._left <= _LOW

    def set_left(self, share: float) -> None:
        """How much is left, 0.0 to 1.0."""
        self._left = max(0.0, min(1.0, share))
        self.update()

    def sizeHint(self) -> QSize:
        """Always as large."""
        return QSize(120, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar."""
        tokens = self._theme.tokens
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.line))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
            if self._left > 0:
                painter.setBrush(QColor(tokens.x_reread if self.is_low else tokens.accent))
                painter.drawRoundedRect(QRectF(0, 0, max(8.0, self.width() * self._left), self.height()), 4, 4)

    def _on_theme_changed(self) -> None:
        self.update()
