"""Words that can be clicked, by mouse and by keyboard: message numbers, titles, small acts. They paint themselves."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from kotonia_desktop.gui.fonts import SMALL_PX
from kotonia_desktop.gui.theme import Theme

PAD = 5
"""Room for the focus ring, left and right of the words."""
_LEAST_HEIGHT = 24
_LEAST_WIDTH = 48
_LEFT_TO_ROWS = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
)


class Word(QAbstractButton):
    """Words in one line. Enter clicks them as Space does. A `wide` one takes the width there is and ends in "…".

    `colour` is the name of a token. Arrows are left to what stands around: they lead from row to row. With `in_row` Tab
    is left to the column of rows too.
    """

    def __init__(
        self, theme: Theme, colour: str, parent: QWidget | None = None, *, wide: bool = False, in_row: bool = True
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._colour = colour
        self._wide = wide
        self._words = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus if in_row else Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self._on_theme_changed)

    def use_small_font(self) -> None:
        """As small as the quiet lines are."""
        font = QFont(self.font())
        font.setPixelSize(SMALL_PX)
        self.setFont(font)

    def say(self, words: str, accessible: str = "") -> None:
        """Show `words`; a screen reader says `accessible` where that is given. "&" is a letter like any other."""
        self.setAccessibleName(accessible or words)
        if words != self._words:
            self._words = words
            self.updateGeometry()
            self.update()

    def text(self) -> str:
        """The words, all of them."""
        return self._words

    @property
    def is_cut(self) -> bool:
        """True where there is no room for all of the words."""
        return self.fontMetrics().horizontalAdvance(self._words) > self.width() - 2 * PAD

    def sizeHint(self) -> QSize:
        """The words in one line; high enough to be hit."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._words) + 2 * PAD + 1, max(_LEAST_HEIGHT, metrics.height() + 4))

    def minimumSizeHint(self) -> QSize:
        """All of the words, or for a wide one the beginning of them."""
        hint = self.sizeHint()
        return QSize(min(_LEAST_WIDTH, hint.width()), hint.height()) if self._wide else hint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the words and the ring of the focus."""
        tokens = self._theme.tokens
        inside = self.rect().adjusted(PAD, 0, -PAD, 0)
        font = self.font()
        font.setUnderline(self.isEnabled() and self.underMouse())
        words = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, inside.width())
        with QPainter(self) as painter:
            painter.setFont(font)
            painter.setPen(QColor(getattr(tokens, self._colour) if self.isEnabled() else tokens.text_quiet))
            painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
            if self.hasFocus():
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(QColor(tokens.focus), 2))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Say all of it where there was no room for it."""
        self.setToolTip(self._words if self.is_cut else "")
        super().enterEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter clicks; arrows go on to the rows."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in _LEFT_TO_ROWS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _on_theme_changed(self) -> None:
        self.update()
