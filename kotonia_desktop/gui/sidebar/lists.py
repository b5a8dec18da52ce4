"""The rows of the side list as models, and how a row is painted: avatar, a line, a quieter line."""

from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.fonts import SMALL_PX, ui_font
from kotonia_desktop.gui.texts import ui_language
from kotonia_desktop.gui.theme import Theme

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
_INVALID = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class SideRow:
    """A row: what it is (`key`), whose face, two lines. `language` chooses the font."""

    key: tuple[int, ...]
    face: str
    picture: str
    title: str
    detail: str
    language: str = "en"


class SideModel(QAbstractListModel):
    """Rows of the side list."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[SideRow] = []

    def rowCount(self, parent: Index = _INVALID) -> int:
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A row, its title, or both lines for a screen reader."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}. {row.detail}"
        return row if role == ROW_ROLE else None

    def show(self, rows: list[SideRow]) -> None:
        """Hold `rows`; nothing is told where they are the same."""
        if rows == self.rows:
            return
        if [row.key for row in rows] == [row.key for row in self.rows]:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def index_of(self, key: tuple[int, ...]) -> QModelIndex:
        """Where the row with `key` is."""
        for number, row in enumerate(self.rows):
            if row.key == key:
                return self.index(number)
        return QModelIndex()


class SideDelegate(QStyledItemDelegate):
    """Paints a `SideRow`."""

    HEIGHT = 56

    def __init__(self, theme: Theme, avatars: Avatars, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._avatars = avatars

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Every row is as high."""
        return QSize(120, self.HEIGHT + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, SideRow):
            return
        tokens = self._theme.tokens
        place: QRect = option.rect
        state: QStyle.StateFlag = option.state
        place = place.adjusted(8, 0, -8, -6)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(QColor(tokens.selection if chosen else tokens.panel))
            painter.drawRoundedRect(place, 8, 8)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.focus), 2))
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 8, 8)
        parent = self.parent()
        ratio = parent.devicePixelRatioF() if isinstance(parent, QWidget) else 1.0
        avatar = self._avatars.round(row.face, row.picture, 36, ratio)
        painter.drawPixmap(place.left() + 12, place.top() + (place.height() - 36) // 2, avatar)
        left = place.left() + 58
        width = place.right() - left - 10
        font = ui_font(row.language, 14, bold=chosen)
        painter.setFont(font)
        painter.setPen(QColor(tokens.text))
        _draw(painter, QRect(left, place.top() + 8, width, 20), row.title)
        painter.setFont(ui_font(ui_language(), SMALL_PX))
        painter.setPen(QColor(tokens.text_soft if chosen else tokens.text_quiet))
        _draw(painter, QRect(left, place.top() + 28, width, 18), row.detail)
        painter.restore()


def _draw(painter: QPainter, place: QRect, text: str) -> None:
    words = QFontMetrics(painter.font()).elidedText(" ".join(text.split()), Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), words)


class SideList(QListView):
    """A list of `SideRow`s."""

    def __init__(self, theme: Theme, avatars: Avatars, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = SideModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(SideDelegate(theme, avatars, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        avatars.arrived.connect(self._on_avatar_arrived)

    def fit_rows(self, most: int) -> None:
        """Be as high as the rows, at most `most` of them."""
        self.setFixedHeight(min(most, len(self.rows.rows)) * (SideDelegate.HEIGHT + 6))

    def _on_avatar_arrived(self, _sha256: str) -> None:
        self.viewport().update()
