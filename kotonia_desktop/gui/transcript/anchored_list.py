"""A list view with Qt's selection, keyboard and accessibility but with its own geometry.

Qt's list asks the size of every row for every token; here heights are estimated, measured when a row comes into view,
and the place is an anchor (row and offset), which the scroll bar only displays. Messages that are not loaded take
estimated room at both ends of the bar.
"""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QRegion, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.transcript.blocks import Column, MessageBlock
from kotonia_desktop.gui.transcript.model import TranscriptModel
from kotonia_desktop.gui.transcript.row_layouts import RowLayouts

_END_ROOM = 24
"""Below the last message."""
_NEAR = 3
"""Screens from the loaded part's end at which more is asked for."""
STEP = 60
Index = QModelIndex | QPersistentModelIndex


class AnchoredList(QListView):
    """Holds the place of a reader in a `TranscriptModel`, whatever comes in above or below."""

    older_wanted = Signal()
    newer_wanted = Signal()
    ordinal_wanted = Signal(int)
    """The scroll bar was drawn to a place that is not loaded."""
    scrolled = Signal()
    """The place or the geometry changed: what lies over the page has to be put anew."""
    new_text_below = Signal(bool)
    resized = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows = RowLayouts(theme)
        self._anchor = (0, 0)
        self._follow = True
        self._guard = False
        self._last_ordinal = 0
        self._wanted = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._wanted_ordinal = QTimer(self)
        self._wanted_ordinal.setSingleShot(True)
        self._wanted_ordinal.setInterval(120)
        self._wanted_ordinal.timeout.connect(self._on_ordinal_wanted)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Show `model`, which has to be a `TranscriptModel`."""
        super().setModel(model)
        self._rows.set_model(model if isinstance(model, TranscriptModel) else None)
        if model is not None:
            model.rowsRemoved.connect(self._on_rows_removed)

    @property
    def follows(self) -> bool:
        """True while the view stays at the end as text comes."""
        return self._follow

    @property
    def anchor(self) -> tuple[int, int]:
        """The row at the top of the page and how many pixels of it are above."""
        return self._anchor

    @property
    def column(self) -> Column:
        """Where the text stands."""
        return Column.within(self.viewport().width(), self._theme.scale)

    def scroll_to_end(self) -> None:
        """Go to the end and stay there."""
        self._follow = True
        self._to_end()
        self.new_text_below.emit(False)

    def show_ordinal(self, ordinal: int) -> None:
        """Go to a loaded message and make it current."""
        row = self._transcript().row_at_ordinal(ordinal)
        if row is None:
            return
        self._follow = False
        index = self.model().index(row, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def block(self, row: int) -> MessageBlock:
        """The layout of a row, which is measured by this."""
        self._rows.measure(row)
        return self._rows.block(row)

    def row_rect(self, row: int) -> QRect:
        """Where a row stands in the viewport."""
        if not 0 <= row < len(self._rows):
            return QRect()
        self._rows.measure(row)
        top = self._rows.heights.top(row) - self._loaded_offset()
        return QRect(0, top, self.viewport().width(), self._rows.heights[row])

    def move_by(self, pixels: int) -> None:
        """Move the page by `pixels` (down: positive)."""
        count = len(self._rows)
        if not count:
            return
        row, offset = self._anchor
        offset += pixels
        while offset < 0 and row > 0:
            row -= 1
            offset += self._rows.measure(row)
        offset = max(0, offset)
        while offset >= self._rows.measure(row) and row < count - 1:
            offset -= self._rows.heights[row]
            row += 1
        bottom = -offset
        last = row
        while bottom <= self.viewport().height() and last < count:
            bottom += self._rows.measure(last)
            last += 1
        self._anchor = (row, offset)
        if last == count and bottom + _END_ROOM <= self.viewport().height():
            self._follow = not self._transcript().has_newer
            self._to_end()
            if self._follow:
                self.new_text_below.emit(False)
            return
        self._follow = False
        self._sync()

    # -- geometry

    def _transcript(self) -> TranscriptModel:
        model = self.model()
        assert isinstance(model, TranscriptModel)
        return model

    def _reload_heights(self) -> None:
        self._rows.reload(self.viewport().width())
        row = min(self._anchor[0], max(0, len(self._rows) - 1))
        self._anchor = (row, self._anchor[1] if row == self._anchor[0] else 0)

    def _remeasure(self, message_ids: set[int]) -> None:
        self._rows.forget_messages(message_ids)
        self._settle()

    def _settle(self) -> None:
        if self._follow:
            self._to_end()
        else:
            self._keep_place()

    def _keep_place(self) -> None:
        """Measure what is in view and show it where it was."""
        count = len(self._rows)
        row, offset = self._anchor
        if count:
            row = min(row, count - 1)
            self._anchor = (row, max(0, min(offset, self._rows.measure(row) - 1)))
        y, last = -self._anchor[1], row
        while y < self.viewport().height() and last < count:
            y += self._rows.measure(last)
            last += 1
        self._sync()

    def _to_end(self) -> None:
        space = self.viewport().height() - _END_ROOM
        row = len(self._rows)
        y = 0
        while row > 0 and y < space:
            row -= 1
            y += self._rows.measure(row)
        self._anchor = (row, max(0, y - space))
        self._sync()

    def _room_above(self) -> int:
        model, messages = self.model(), self._rows.messages
        if not isinstance(model, TranscriptModel) or not messages or not model.has_older:
            return 0
        return round(messages[0].ordinal * self._rows.average)

    def _room_below(self) -> int:
        model, messages = self.model(), self._rows.messages
        if not isinstance(model, TranscriptModel) or not messages:
            return 0
        if not model.has_newer:
            self._last_ordinal = messages[-1].ordinal
            return 0
        newest = max(self._last_ordinal, model.total - 1)
        return round(max(1, newest - messages[-1].ordinal) * self._rows.average)

    def _loaded_offset(self) -> int:
        return self._rows.heights.top(self._anchor[0]) + self._anchor[1]

    def _sync(self) -> None:
        """Bring the scroll bar and what lies over the page in line with the anchor."""
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        above = self._room_above()
        whole = above + self._rows.heights.total + _END_ROOM + self._room_below()
        self._guard = True
        bar.setPageStep(height)
        bar.setSingleStep(STEP)
        bar.setRange(0, max(0, whole - height))
        bar.setValue(above + self._loaded_offset())
        bar.setEnabled(bar.maximum() > 0)
        self._guard = False
        self.viewport().update()
        self._ask_for_more()
        self.scrolled.emit()

    def _ask_for_more(self) -> None:
        model = self.model()
        if not isinstance(model, TranscriptModel) or not len(self._rows):
            return
        near = _NEAR * self.viewport().height()
        if model.has_older and self._loaded_offset() < near:
            self.older_wanted.emit()
        if model.has_newer and self._rows.heights.total - self._loaded_offset() - self.viewport().height() < near:
            self.newer_wanted.emit()

    # -- the contract of an item view

    def doItemsLayout(self) -> None:
        """Estimate every row anew; the place stays."""
        QAbstractItemView.doItemsLayout(self)
        self._reload_heights()
        self._settle()

    def reset(self) -> None:
        """The model holds other messages."""
        QAbstractItemView.reset(self)
        self._anchor = (0, 0)
        self._follow = True
        self.new_text_below.emit(False)
        self._reload_heights()
        self._settle()

    def updateGeometries(self) -> None:
        """The scroll bar is ours."""

    def verticalOffset(self) -> int:
        """How far down the loaded part the page is."""
        return self._loaded_offset()

    def horizontalOffset(self) -> int:
        """Never scrolled sideways."""
        return 0

    def isIndexHidden(self, index: Index) -> bool:
        """No row is hidden."""
        return False

    def visualRect(self, index: Index) -> QRect:
        """Where a message stands in the viewport."""
        row = index.row()
        if not index.isValid() or row >= len(self._rows):
            return QRect()
        top = self._rows.heights.top(row) - self._loaded_offset()
        return QRect(0, top, self.viewport().width(), self._rows.heights[row])

    def indexAt(self, point: QPoint) -> QModelIndex:
        """The message at a point of the viewport."""
        row, offset = self._anchor
        y = -offset
        while row < len(self._rows) and y < self.viewport().height():
            if y <= point.y() < y + self._rows.heights[row]:
                return self.model().index(row, 0)
            y += self._rows.heights[row]
            row += 1
        return QModelIndex()

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        """Bring a message into view."""
        row = index.row()
        if not index.isValid() or row >= len(self._rows):
            return
        self._rows.measure(row)
        rect = self.visualRect(index)
        height = self.viewport().height()
        if hint == QAbstractItemView.ScrollHint.PositionAtCenter:
            self._anchor = (row, 0)
            self.move_by(-max(0, (height - rect.height()) // 2))
        elif rect.bottom() < 0 or rect.top() > height or rect.height() > height:
            self._anchor = (row, 0)
            self.move_by(0)
        elif rect.top() < 0:
            self.move_by(rect.top())
        elif rect.bottom() > height:
            self.move_by(rect.bottom() - height + 1)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """The message the keyboard goes to."""
        moves = QAbstractItemView.CursorAction
        count = len(self._rows)
        row = self.currentIndex().row()
        if action == moves.MoveHome:
            row = 0
        elif action == moves.MoveEnd or row < 0:
            row = count - 1
        elif action in (moves.MovePageUp, moves.MovePageDown):
            row = self._row_a_page_away(row, -1 if action == moves.MovePageUp else 1)
        else:
            step = {moves.MoveUp: -1, moves.MovePrevious: -1, moves.MoveDown: 1, moves.MoveNext: 1}
            row += step.get(action, 0)
        return self.model().index(max(0, min(count - 1, row)), 0)

    def _row_a_page_away(self, row: int, direction: int) -> int:
        left = self.viewport().height()
        while 0 <= row + direction < len(self._rows) and left > 0:
            row += direction
            left -= self._rows.measure(row)
        return row

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """Select the messages in a rectangle of the viewport."""
        first, last = self.indexAt(rect.topLeft()), self.indexAt(rect.bottomRight())
        chosen = QItemSelection(first, last) if first.isValid() and last.isValid() else QItemSelection()
        self.selectionModel().select(chosen, command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        """What has to be painted again when the selection changes: the page."""
        return QRegion(self.viewport().rect())

    # -- what happens

    def dataChanged(self, top_left: Index, bottom_right: Index, roles: Sequence[int] = ()) -> None:
        """Messages changed: measure them anew; the reader's place stays."""
        self._rows.forget(range(top_left.row(), bottom_right.row() + 2))  # the next one may get a name
        if not self._follow and bottom_right.row() > self._anchor[0]:
            self._tell_new_text(bottom_right.row())
        self._settle()

    def rowsInserted(self, parent: Index, start: int, end: int) -> None:
        """Messages came in: those above the reader move nothing."""
        at_end = start == len(self._rows)
        count = self._rows.insert(start, end)
        row, offset = self._anchor
        if start <= row and not (at_end and self._follow) and len(self._rows) > count:
            self._anchor = (row + count, offset)
        QAbstractItemView.rowsInserted(self, parent, start, end)
        if at_end and not self._follow:
            self._tell_new_text(end)
        self._settle()

    def _on_rows_removed(self, _parent: QModelIndex, start: int, end: int) -> None:
        count = end - start + 1
        self._rows.remove(start, end)
        row, offset = self._anchor
        if start <= row:
            self._anchor = (max(start, row - count), offset if row > end else 0)
        self._settle()

    def _tell_new_text(self, row: int) -> None:
        # While more is there than is loaded, what comes in below was only read: it is not new.
        if row < len(self._rows) and not self._transcript().has_newer:
            bottom = self._rows.heights.top(row + 1) - self._loaded_offset()
            if bottom > self.viewport().height() and row == len(self._rows) - 1:
                self.new_text_below.emit(True)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """The scroll bar was moved by the reader."""
        if self._guard:
            return
        value = self.verticalScrollBar().value()
        above = self._room_above()
        inside = value - above
        if inside < 0 or (inside > self._rows.heights.total and self._transcript().has_newer):
            self._wanted = round(value / max(1.0, self._rows.average))
            self._wanted_ordinal.start()
            return
        self._wanted_ordinal.stop()
        distance = inside - self._loaded_offset()
        if abs(distance) < 2 * self.viewport().height():
            self.move_by(distance)
        else:
            self._anchor = self._rows.heights.row_at(inside)
            self.move_by(0)

    def _on_ordinal_wanted(self) -> None:
        self.ordinal_wanted.emit(self._wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width sets every line anew; the reader's place stays."""
        if self.viewport().width() != self._rows.page_width:
            row, offset = self._anchor
            share = offset / max(1, self._rows.heights[row]) if row < len(self._rows) else 0.0
            self._reload_heights()
            if row < len(self._rows):
                self._anchor = (row, round(share * self._rows.measure(row)))
        self._settle()
        self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll by pixels where the device tells them, else by three lines a notch."""
        pixels = event.pixelDelta().y()
        if not pixels:
            pixels = round(event.angleDelta().y() / 120 * STEP * 1.5)
        if pixels:
            self.move_by(-pixels)
        event.accept()
