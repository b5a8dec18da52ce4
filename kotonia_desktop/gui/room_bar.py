"""The bar that shows how much of the model's view the story takes."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from kotonia_desktop.gui.theme import Theme


class RoomBar(QWidget):
    """A bar of 120 by 8 pixels; amber from nine tenths on."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = 0.0
        self.setFixedSize(120, 8)
        theme.changed.connect(self._on_theme_changed)

    def set_share(self, share: float) -> None:
        """How much is used, 0.0 to 1.0."""
        self._share = max(0.0, min(1.0, share))
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
            if self._share > 0:
                painter.setBrush(QColor(tokens.x_reread if self._share >= 0.9 else tokens.accent))
                painter.drawRoundedRect(QRectF(0, 0, max(8.0, self.width() * self._share), self.height()), 4, 4)

    def _on_theme_changed(self) -> None:
        self.update()
