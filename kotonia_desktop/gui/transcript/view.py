"""The conversation's page: a list view with its selection, keyboard and accessibility, but with its own geometry.

Qt's list asks the size of every row for every token; here heights are estimated, measured when a row comes into view,
and the place is an anchor (row and offset), which the scroll bar only displays. Messages that are not loaded take
estimated room at both ends of the bar.
"""

from collections import OrderedDict
from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
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
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from kotonia_desktop.domain.messages import Message, Role
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.fonts import line_height, reading_px
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.transcript.blocks import (
    AVATAR,
    NAME_GAP,
    NAME_HEIGHT,
    STRIP,
    Column,
    MessageBlock,
    RowLook,
    lay_out,
    paint,
)
from kotonia_desktop.gui.transcript.documents import TextStyle
from kotonia_desktop.gui.transcript.heights import RowHeights
from kotonia_desktop.gui.transcript.model import TranscriptModel

_KEPT_BLOCKS = 256
_END_ROOM = 24
"""Below the last message."""
_NEAR = 3
"""Screens from the loaded part's end at which more is asked for."""
_STEP = 60
Index = QModelIndex | QPersistentModelIndex


class TranscriptView(QListView):
    """Shows a `TranscriptModel`. Tells when more messages are wanted and where the reader is."""

    older_wanted = Signal()
    newer_wanted = Signal()
    ordinal_wanted = Signal(int)
    """The scroll bar was drawn to a place that is not loaded."""
    scrolled = Signal()
    """The place or the geometry changed: what lies over the page has to be put anew."""
    new_text_below = Signal(bool)
    hovered_row_changed = Signal(int)
    resized = Signal()
    menu_asked = Signal(int, QPoint)
    """For the message in this row, at this place of the screen."""

    def __init__(self, theme: Theme, avatars: Avatars, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._avatars = avatars
        self._pictures: dict[Role, str] = {}
        self._heights = RowHeights()
        self._blocks: OrderedDict[tuple[object, ...], MessageBlock] = OrderedDict()
        self._anchor = (0, 0)
        self._follow = True
        self._guard = False
        self._width = 0
        self._open_reasoning: set[int] = set()
        self._open_cuts: set[int] = set()
        self._activity: tuple[int, str] = (-1, "")
        self._editing: tuple[int, int] = (-1, 0)
        self._hovered = -1
        self._language = "en"
        self._show_thoughts = True
        self._out_of_sight: tuple[int, int] | None = None
        self._last_ordinal = 0
        self.setProperty("kind", "transcript")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self._wanted = 0
        self._wanted_ordinal = QTimer(self)
        self._wanted_ordinal.setSingleShot(True)
        self._wanted_ordinal.setInterval(120)
        self._wanted_ordinal.timeout.connect(self._on_ordinal_wanted)
        theme.changed.connect(self._on_look_changed)
        avatars.arrived.connect(self._on_avatar_arrived)

    # -- what is shown

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Show `model`, which has to be a `TranscriptModel`."""
        super().setModel(model)
        if model is not None:
            model.rowsRemoved.connect(self._on_rows_removed)

    def set_people(self, language: str, character_picture: str, persona_picture: str) -> None:
        """The language of the conversation and whose pictures stand beside the messages."""
        self._language = language
        self._pictures = {Role.CHARACTER: character_picture, Role.USER: persona_picture}
        self._on_look_changed()

    def set_show_thoughts(self, shown: bool) -> None:
        """Show thoughts, or only that there are some."""
        if shown != self._show_thoughts:
            self._show_thoughts = shown
            self._on_look_changed()

    def set_out_of_sight(self, ordinals: tuple[int, int] | None) -> None:
        """Mark the messages that the model does not see any more."""
        self._out_of_sight = ordinals
        self.viewport().update()

    def set_activity(self, message_id: int, words: str) -> None:
        """What goes on in a message that has no text yet; "" for nothing."""
        if (message_id, words) != self._activity:
            changed = {self._activity[0], message_id}
            self._activity = (message_id, words)
            self._remeasure(changed)

    def set_editing(self, message_id: int, height: int) -> None:
        """Keep `height` pixels for the editor that lies over a message; id -1 for none."""
        changed = {self._editing[0], message_id}
        self._editing = (message_id, height)
        self._remeasure(changed)

    def toggle_reasoning(self, message_id: int) -> None:
        """Open or close the think block of a message."""
        self._open_reasoning ^= {message_id}
        self._remeasure({message_id})

    def toggle_cut(self, message_id: int) -> None:
        """Show or hide what was cut from a message."""
        self._open_cuts ^= {message_id}
        self._remeasure({message_id})

    def is_cut_open(self, message_id: int) -> bool:
        """True while what was cut from a message is shown."""
        return message_id in self._open_cuts

    # -- where the reader is

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
        self._measure(row)
        return self._block(row)

    def row_rect(self, row: int) -> QRect:
        """Where a row stands in the viewport."""
        if not 0 <= row < len(self._heights):
            return QRect()
        self._measure(row)
        top = self._heights.top(row) - self._loaded_offset()
        return QRect(0, top, self.viewport().width(), self._heights[row])

    def move_by(self, pixels: int) -> None:
        """Move the page by `pixels` (down: positive)."""
        count = len(self._heights)
        if not count:
            return
        row, offset = self._anchor
        offset += pixels
        while offset < 0 and row > 0:
            row -= 1
            offset += self._measure(row)
        offset = max(0, offset)
        while offset >= self._measure(row) and row < count - 1:
            offset -= self._heights[row]
            row += 1
        bottom = -offset
        last = row
        while bottom <= self.viewport().height() and last < count:
            bottom += self._measure(last)
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

    def _messages(self) -> Sequence[Message]:
        model = self.model()
        return model.messages if isinstance(model, TranscriptModel) else ()

    def _style(self) -> TextStyle:
        return TextStyle(self._theme.tokens, self._theme.scale, self._language, self._show_thoughts)

    def _look(self, row: int) -> RowLook:
        messages = self._messages()
        message = messages[row]
        before = messages[row - 1] if row else None
        heads = before is None or before.role is not message.role or before.speaker != message.speaker
        return RowLook(
            heads_run=heads,
            first=row == 0,
            reasoning_open=message.id in self._open_reasoning,
            cut_open=message.id in self._open_cuts,
            activity=self._activity[1] if message.id == self._activity[0] else "",
        )

    def _block(self, row: int) -> MessageBlock:
        message, look, column = self._messages()[row], self._look(row), self.column
        key = (message, look, column)
        block = self._blocks.get(key)
        if block is None:
            block = self._blocks[key] = lay_out(message, look, column, self._style())
            if len(self._blocks) > _KEPT_BLOCKS:
                self._blocks.popitem(last=False)
        else:
            self._blocks.move_to_end(key)
        return block

    def _measure(self, row: int) -> int:
        return self._heights.measure(row, self._row_height)

    def _row_height(self, row: int) -> int:
        message_id, height = self._editing
        if self._messages()[row].id == message_id:
            return height
        return self._block(row).height

    def _estimates(self, messages: Sequence[Message]) -> list[int]:
        width = self.column.width
        scale, language = self._theme.scale, self._language
        per_line = width / (reading_px(language, scale) * (0.5 if language == "en" else 1.0))
        height = line_height(language, scale)
        extra = NAME_HEIGHT + NAME_GAP + STRIP
        return [max(AVATAR + STRIP, round((len(m.text) / per_line + 1) * height) + extra) for m in messages]

    def _reload_heights(self) -> None:
        self._width = self.viewport().width()
        self._blocks.clear()
        self._heights = RowHeights(self._estimates(self._messages()))
        row = min(self._anchor[0], max(0, len(self._heights) - 1))
        self._anchor = (row, self._anchor[1] if row == self._anchor[0] else 0)

    def _remeasure(self, message_ids: set[int]) -> None:
        for row, message in enumerate(self._messages()):
            if message.id in message_ids and row < len(self._heights):
                self._heights.forget(row)
        self._settle()

    def _settle(self) -> None:
        if self._follow:
            self._to_end()
        else:
            self._keep_place()

    def _keep_place(self) -> None:
        """Measure what is in view and show it where it was."""
        count = len(self._heights)
        row, offset = self._anchor
        if count:
            row = min(row, count - 1)
            self._anchor = (row, max(0, min(offset, self._measure(row) - 1)))
        y, last = -self._anchor[1], row
        while y < self.viewport().height() and last < count:
            y += self._measure(last)
            last += 1
        self._sync()

    def _to_end(self) -> None:
        space = self.viewport().height() - _END_ROOM
        row = len(self._heights)
        y = 0
        while row > 0 and y < space:
            row -= 1
            y += self._measure(row)
        self._anchor = (row, max(0, y - space))
        self._sync()

    def _average(self) -> float:
        count = len(self._heights)
        return self._heights.total / count if count else 100.0

    def _room_above(self) -> int:
        model, messages = self.model(), self._messages()
        if not isinstance(model, TranscriptModel) or not messages or not model.has_older:
            return 0
        return round(messages[0].ordinal * self._average())

    def _room_below(self) -> int:
        model, messages = self.model(), self._messages()
        if not isinstance(model, TranscriptModel) or not messages:
            return 0
        if not model.has_newer:
            self._last_ordinal = messages[-1].ordinal
            return 0
        newest = max(self._last_ordinal, model.total - 1)
        return round(max(1, newest - messages[-1].ordinal) * self._average())

    def _loaded_offset(self) -> int:
        return self._heights.top(self._anchor[0]) + self._anchor[1]

    def _sync(self) -> None:
        """Bring the scroll bar and what lies over the page in line with the anchor."""
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        above = self._room_above()
        whole = above + self._heights.total + _END_ROOM + self._room_below()
        self._guard = True
        bar.setPageStep(height)
        bar.setSingleStep(_STEP)
        bar.setRange(0, max(0, whole - height))
        bar.setValue(above + self._loaded_offset())
        bar.setEnabled(bar.maximum() > 0)
        self._guard = False
        self.viewport().update()
        self._ask_for_more()
        self.scrolled.emit()

    def _ask_for_more(self) -> None:
        model = self.model()
        if not isinstance(model, TranscriptModel) or not len(self._heights):
            return
        near = _NEAR * self.viewport().height()
        if model.has_older and self._loaded_offset() < near:
            self.older_wanted.emit()
        if model.has_newer and self._heights.total - self._loaded_offset() - self.viewport().height() < near:
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
        self._hovered = -1
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
        if not index.isValid() or row >= len(self._heights):
            return QRect()
        top = self._heights.top(row) - self._loaded_offset()
        return QRect(0, top, self.viewport().width(), self._heights[row])

    def indexAt(self, point: QPoint) -> QModelIndex:
        """The message at a point of the viewport."""
        row, offset = self._anchor
        y = -offset
        while row < len(self._heights) and y < self.viewport().height():
            if y <= point.y() < y + self._heights[row]:
                return self.model().index(row, 0)
            y += self._heights[row]
            row += 1
        return QModelIndex()

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        """Bring a message into view."""
        row = index.row()
        if not index.isValid() or row >= len(self._heights):
            return
        self._measure(row)
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
        count = len(self._heights)
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
        while 0 <= row + direction < len(self._heights) and left > 0:
            row += direction
            left -= self._measure(row)
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
        for row in range(top_left.row(), min(bottom_right.row() + 2, len(self._heights))):
            self._heights.forget(row)
        if not self._follow and bottom_right.row() > self._anchor[0]:
            self._tell_new_text(bottom_right.row())
        self._settle()

    def rowsInserted(self, parent: Index, start: int, end: int) -> None:
        """Messages came in: those above the reader move nothing."""
        at_end = start == len(self._heights)
        count = self._heights.insert(start, self._estimates(self._messages()[start : end + 1]))
        self._forget_neighbours(end + 1)
        row, offset = self._anchor
        if start <= row and not (at_end and self._follow) and len(self._heights) > count:
            self._anchor = (row + count, offset)
        QAbstractItemView.rowsInserted(self, parent, start, end)
        if at_end and not self._follow:
            self._tell_new_text(end)
        self._settle()

    def _on_rows_removed(self, _parent: QModelIndex, start: int, end: int) -> None:
        count = end - start + 1
        self._heights.remove(start, count)
        self._forget_neighbours(start)
        row, offset = self._anchor
        if start <= row:
            self._anchor = (max(start, row - count), offset if row > end else 0)
        self._settle()

    def _forget_neighbours(self, row: int) -> None:
        """The row at `row` has another one before it: its name may come or go."""
        if row < len(self._heights):
            self._heights.forget(row)
        if len(self._heights):
            self._heights.forget(0)

    def _tell_new_text(self, row: int) -> None:
        if row < len(self._heights):
            bottom = self._heights.top(row + 1) - self._loaded_offset()
            if bottom > self.viewport().height() and row == len(self._heights) - 1:
                self.new_text_below.emit(True)

    def _on_look_changed(self) -> None:
        self._blocks.clear()
        self._reload_heights()
        self._settle()

    def _on_avatar_arrived(self, _sha256: str) -> None:
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """The scroll bar was moved by the reader."""
        if self._guard:
            return
        value = self.verticalScrollBar().value()
        above = self._room_above()
        inside = value - above
        if inside < 0 or (inside > self._heights.total and self._transcript().has_newer):
            self._wanted = round(value / max(1.0, self._average()))
            self._wanted_ordinal.start()
            return
        self._wanted_ordinal.stop()
        distance = inside - self._loaded_offset()
        if abs(distance) < 2 * self.viewport().height():
            self.move_by(distance)
        else:
            self._anchor = self._heights.row_at(inside)
            self.move_by(0)

    def _on_ordinal_wanted(self) -> None:
        self.ordinal_wanted.emit(self._wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width sets every line anew; the reader's place stays."""
        if self.viewport().width() != self._width:
            row, offset = self._anchor
            share = offset / max(1, self._heights[row]) if row < len(self._heights) else 0.0
            self._reload_heights()
            if row < len(self._heights):
                self._anchor = (row, round(share * self._measure(row)))
        self._settle()
        self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll by pixels where the device tells them, else by three lines a notch."""
        pixels = event.pixelDelta().y()
        if not pixels:
            pixels = round(event.angleDelta().y() / 120 * _STEP * 1.5)
        if pixels:
            self.move_by(-pixels)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open a think block or a cut text, else select."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            block = self._block(index.row())
            x, y = round(event.position().x()), round(event.position().y()) - self.row_rect(index.row()).top()
            if block.reasoning_hit(x, y):
                self.toggle_reasoning(block.message.id)
                return
            if block.mark_hit(x, y):
                self.toggle_cut(block.message.id)
                return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which message the pointer is on."""
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()).row())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the message under the pointer."""
        row = self.indexAt(event.pos()).row()
        if row >= 0 and event.reason() == QContextMenuEvent.Reason.Mouse:
            self.menu_asked.emit(row, event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer left the page."""
        super().leaveEvent(event)
        self._hover(-1)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.hovered_row_changed.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space scrolls a page, Enter and the menu key open the current message's menu; the rest is the list's."""
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Menu) and row >= 0:
            rect = self.row_rect(row)
            y = max(0, min(rect.top() + 24, self.viewport().height() - 24))
            self.menu_asked.emit(row, self.viewport().mapToGlobal(QPoint(self.column.left, y)))
            return
        if event.key() == Qt.Key.Key_Space:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.move_by((self.viewport().height() - _STEP) * (-1 if back else 1))
            return
        super().keyPressEvent(event)

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the messages in view."""
        style = self._style()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), QColor(style.tokens.page))
            row, offset = self._anchor
            y = -offset
            while row < len(self._heights) and y < self.viewport().height():
                self._measure(row)
                if y + self._heights[row] > event.rect().top() and y < event.rect().bottom():
                    self._paint_row(painter, row, y, style)
                y += self._heights[row]
                row += 1

    def _paint_row(self, painter: QPainter, row: int, y: int, style: TextStyle) -> None:
        message = self._messages()[row]
        height = self._heights[row]
        column = self.column
        index = self.model().index(row, 0)
        place = QRect(column.left - 16, y - 4, column.width + 32, height - STRIP + 10)
        # One selected message is only where the keyboard is; several are what will be copied.
        chosen = self.selectionModel().isSelected(index)
        chosen = chosen and (self.hasFocus() or len(self.selectionModel().selectedIndexes()) > 1)
        if chosen:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(style.tokens.selection))
            painter.drawRoundedRect(place, 10, 10)
            painter.restore()
        if message.id != self._editing[0]:
            block = self._block(row)
            avatar = None
            if block.look.heads_run:
                picture = self._pictures.get(message.role, "")
                avatar = self._avatars.round(message.speaker, picture, AVATAR, self.devicePixelRatioF())
            paint(block, painter, y, style, avatar, tinted=not chosen)
        if self.hasFocus() and index == self.currentIndex():
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(style.tokens.focus), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(-3, 1, 3, -1), 10, 10)
            painter.restore()
        if self._out_of_sight is not None and self._out_of_sight[0] <= message.ordinal <= self._out_of_sight[1]:
            pen = QPen(QColor(style.tokens.told), 2, Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawLine(10, y, 10, y + height)
