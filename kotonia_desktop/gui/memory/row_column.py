"""A long column of rows of which only those near the screen are made.

Closed rows are all of one height, so that the place of each is known without making it; open rows are made and stay.
Widgets are used again for other rows. The column is one stop of the window's Tab order and leads through its rows in
the order in which they stand, whatever the order in which they were made.
"""

from collections.abc import Callable, Hashable, Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMoveEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from kotonia_desktop.gui.memory.row import Row

AT_ONCE = 4
"""Rows made in one go; then the window has its turn."""
_AROUND = 240
"""Pixels above and below the screen within which rows are made."""
_LEAST_WIDTH = 200
_BACK = (Qt.FocusReason.BacktabFocusReason,)
_FORTH = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.ShortcutFocusReason, Qt.FocusReason.OtherFocusReason)


class RowColumn(QWidget):
    """Stands in a page that a `QScrollArea` scrolls. `make` makes an empty row, `fill` shows entry n in a row."""

    def __init__(
        self, make: Callable[[QWidget], Row], fill: Callable[[Row, int], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._make = make
        self._fill = fill
        self._keys: list[Hashable] = []
        self._places: dict[Hashable, int] = {}
        self._made: dict[Hashable, Row] = {}
        self._spare: list[Row] = []
        self._area: QScrollArea | None = None
        self._closed = 0
        self._owed = 0
        """Pixels that the page has still to be moved so that what is read stays where it is."""
        self._busy = False
        self._later = QTimer(self)
        self._later.setInterval(0)
        self._later.timeout.connect(self.arrange)
        self.setFixedHeight(0)

    @property
    def rows(self) -> list[Row]:
        """The rows that are made, in the order of the column."""
        return sorted(self._made.values(), key=lambda row: self._places[row.key])

    def __len__(self) -> int:
        """How many rows there are, made or not."""
        return len(self._keys)

    def set_keys(self, keys: Sequence[Hashable]) -> None:
        """What stands here now, each by its key. Rows that stay keep what was opened in them."""
        anchor = self._first_seen()
        before = self._top(self._places[anchor]) if anchor is not None else 0
        self._keys = list(keys)
        self._places = {key: place for place, key in enumerate(self._keys)}
        self._busy = True
        for key in [key for key in self._made if key not in self._places]:
            self._put_away(key)
        self._busy = False
        for key, row in self._made.items():
            self._fill(row, self._places[key])
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if self._keys else Qt.FocusPolicy.NoFocus)
        if anchor in self._places and before > 0:
            self._owed += self._top(self._places[anchor]) - before
        self.arrange()

    def row(self, key: Hashable) -> Row | None:
        """The row of a key, made for it if need be; None where there is no such key."""
        if key not in self._places:
            return None
        row = self._made.get(key) or self._take(key)
        self._set_geometry()
        return row

    def show_row(self, row: Row) -> None:
        """Scroll so that a row is seen from its top."""
        self.arrange()
        area = self._area
        page = area.widget() if area is not None else None
        if area is None or page is None:
            return
        layout = page.layout()
        if layout is not None:
            layout.activate()
            page.resize(page.width(), max(area.viewport().height(), layout.totalHeightForWidth(page.width())))
        top, seen = row.mapTo(page, QPoint(0, 0)).y(), area.viewport().height()
        bar = area.verticalScrollBar()
        if not bar.value() <= top <= top + min(row.height(), seen) <= bar.value() + seen:
            bar.setValue(top - 8)

    def arrange(self) -> None:
        """Make what is to be seen, put away what is not, set everything in its place."""
        if self._busy:
            return
        if not self._keys or not self.isVisible():
            self._later.stop()
            if not self._keys:
                self._resize_to(0)
            return
        self._busy = True
        try:
            if not self._closed:
                self._measure()
            wanted = self._wanted()
            self._release(wanted)
            missing = [place for place in wanted if self._keys[place] not in self._made]
            for place in missing[:AT_ONCE]:
                self._take(self._keys[place])
            self._set_geometry()
            if len(missing) > AT_ONCE:
                self._later.start()
            else:
                self._later.stop()
        finally:
            self._busy = False

    # -- keyboard

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard comes in: to the first row that is seen, or backwards to the last of all."""
        super().focusInEvent(event)
        if event.reason() in _BACK:
            self._focus(len(self._keys) - 1, last=True)
        elif event.reason() in _FORTH:
            self._focus(self._places.get(self._first_seen(), 0))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab leads through the rows as they stand, and then out."""
        if self._busy:  # the row that had the focus goes; the column keeps it for the row that comes
            self.setFocus(Qt.FocusReason.NoFocusReason)
            return True
        self.arrange()
        row = self._focused()
        if row is None:
            if forward and self._keys and self.hasFocus():
                self._focus(self._places.get(self._first_seen(), 0))
                return True
            return self._leave(forward)
        stops = row.stops()
        now = QApplication.focusWidget()
        at = stops.index(now) if now in stops else -1
        step = at + (1 if forward else -1)
        if 0 <= step < len(stops):
            self._give(stops[step], row, forward)
            return True
        place = self._places[row.key] + (1 if forward else -1)
        if not 0 <= place < len(self._keys):
            return self._leave(forward)
        self._focus(place, last=not forward)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows lead from row to row; Home and End to the first and the last."""
        row = self._focused()
        here = self._places[row.key] if row is not None else self._places.get(self._first_seen(), 0)
        page = max(1, (self._area.viewport().height() if self._area else 0) // max(1, self._closed) - 1)
        places = {
            Qt.Key.Key_Up: here - 1,
            Qt.Key.Key_Down: here + 1,
            Qt.Key.Key_PageUp: here - page,
            Qt.Key.Key_PageDown: here + page,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self._keys) - 1,
        }
        key = Qt.Key(event.key())
        if key not in places or not self._keys:
            super().keyPressEvent(event)
            return
        self._focus(min(max(places[key], 0), len(self._keys) - 1))

    # -- events of the page around

    def changeEvent(self, event: QEvent) -> None:
        """The look changed: closed rows may be of another height, which they know once they have heard of it too."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.isVisible():
            self._closed = 0
            self._later.start()

    def showEvent(self, event: QShowEvent) -> None:
        """It is seen: now rows are worth making."""
        super().showEvent(event)
        if self._area is None:
            above = self.parentWidget()
            while above is not None and not isinstance(above, QScrollArea):
                above = above.parentWidget()
            self._area = above
            if above is not None:
                above.verticalScrollBar().valueChanged.connect(self._on_scrolled)
                above.verticalScrollBar().rangeChanged.connect(self._on_range)
        self._closed = 0
        self.arrange()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self._later.stop()

    def moveEvent(self, event: QMoveEvent) -> None:
        """Something above grew or went."""
        super().moveEvent(event)
        self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width: open rows need another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.arrange()

    # -- inside

    def _take(self, key: Hashable) -> Row:
        """A widget for a key."""
        if self._spare:
            row = self._spare.pop()
        else:
            row = self._make(self)
            row.height_changed.connect(self._on_height)
        row.key = key
        self._made[key] = row
        self._fill(row, self._places[key])
        row.show()
        return row

    def _put_away(self, key: Hashable) -> None:
        row = self._made.pop(key)
        row.close_row()
        row.hide()
        self._spare.append(row)

    def _release(self, wanted: range) -> None:
        focused = self._focused()
        for key, row in list(self._made.items()):
            if self._places[key] not in wanted and not row.is_held and row is not focused:
                self._put_away(key)

    def _measure(self) -> None:
        """The height of a closed row, taken from one."""
        closed = next((row for row in self._made.values() if not row.is_held), None)
        key = self._keys[0]
        if closed is None and key not in self._made:
            closed = self._take(key)
        if closed is not None:
            self._closed = closed.height_at(max(_LEAST_WIDTH, self.width()))

    def _heights(self) -> list[tuple[int, int]]:
        """Place and height of the rows that are not of a closed row's height."""
        width = max(_LEAST_WIDTH, self.width())
        held = [row for row in self._made.values() if row.is_held]
        return sorted((self._places[row.key], row.height_at(width)) for row in held if row.key in self._places)

    def _top(self, place: int) -> int:
        return place * self._closed + sum(high - self._closed for at, high in self._heights() if at < place)

    def _wanted(self) -> range:
        """The places that are to be seen or nearly."""
        if self._area is None:
            return range(min(AT_ONCE, len(self._keys)))
        seen = -self._corner().y()
        top, bottom = seen - _AROUND, seen + self._area.viewport().height() + _AROUND
        return range(self._place_at(top), min(len(self._keys), self._place_at(bottom) + 1))

    def _corner(self) -> QPoint:
        """Where the column's corner stands in the viewport of its scroll area."""
        assert self._area is not None
        return self.mapTo(self._area.viewport(), QPoint(0, 0))

    def _place_at(self, y: int) -> int:
        """The row at `y` pixels of the column; the first or the last where there is none."""
        closed = max(1, self._closed)
        passed = 0
        for place, high in self._heights():
            top = place * closed + passed
            if y < top + high:
                if y >= top:
                    return place
                break
            passed += high - closed
        return min(max(0, (y - passed) // closed), len(self._keys) - 1)

    def _first_seen(self) -> Hashable:
        if not self._keys or not self._closed or self._area is None or not self.isVisible():
            return None
        return self._keys[self._place_at(max(0, -self._corner().y()))]

    def _set_geometry(self) -> None:
        width = self.width()
        heights = dict(self._heights())
        ends = sorted(heights.items())
        for row in self._made.values():
            place = self._places[row.key]
            top = place * self._closed + sum(high - self._closed for at, high in ends if at < place)
            row.setGeometry(0, top, width, heights.get(place, self._closed))
        self._resize_to(len(self._keys) * self._closed + sum(high - self._closed for _, high in ends))

    def _resize_to(self, height: int) -> None:
        if height != self.height():
            self.setFixedHeight(height)

    def _focused(self) -> Row | None:
        now = QApplication.focusWidget()
        while now is not None and now.parentWidget() is not self:
            now = now.parentWidget()
        return now if isinstance(now, Row) else None

    def _focus(self, place: int, *, last: bool = False) -> None:
        row = self.row(self._keys[place])
        stops = row.stops() if row is not None else []
        if row is not None and stops:
            self._give(stops[-1 if last else 0], row, not last)

    def _give(self, widget: QWidget, row: Row, forward: bool) -> None:
        widget.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        if self._area is not None:
            self._area.ensureWidgetVisible(row if not row.is_held else widget, 0, 8)
        self.arrange()

    def _leave(self, forward: bool) -> bool:
        """To the next stop of the window that is not in here."""
        widget = self.nextInFocusChain() if forward else self.previousInFocusChain()
        while widget is not None and widget is not self:
            reachable = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled() and widget.isVisible()
            if reachable and not self.isAncestorOf(widget) and widget.window() is self.window():
                reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
                widget.setFocus(reason)
                if self._area is not None and self._area.isAncestorOf(widget):
                    self._area.ensureWidgetVisible(widget)
                return True
            widget = widget.nextInFocusChain() if forward else widget.previousInFocusChain()
        return False

    def _on_scrolled(self) -> None:
        self.arrange()

    def _on_range(self) -> None:
        owed, self._owed = self._owed, 0
        if owed and self._area is not None:
            bar = self._area.verticalScrollBar()
            bar.setValue(bar.value() + owed)
        self.arrange()

    def _on_height(self) -> None:
        self.arrange()
