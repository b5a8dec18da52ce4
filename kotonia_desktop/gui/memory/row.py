"""One row of a long column."""

from collections.abc import Hashable

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPlainTextEdit, QWidget


class Row(QWidget):
    """One row. Whoever makes a kind of row says with `is_held` when it is higher than a closed one."""

    height_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key: Hashable = None

    @property
    def is_held(self) -> bool:
        """True while it is open or edited: it stays made, and has its own height."""
        return False

    def close_row(self) -> None:
        """Close it: it will show something else."""

    def height_at(self, width: int) -> int:
        """The height it needs at `width` pixels."""
        layout = self.layout()
        if layout is None:
            return self.sizeHint().height()
        if layout.hasHeightForWidth():
            return layout.totalHeightForWidth(width)
        return layout.totalSizeHint().height()

    def stops(self) -> list[QWidget]:
        """What the keyboard can reach in it, as it stands from top to bottom.

        None of them is a stop of Qt's own Tab order: the column leads Tab through them.
        """
        found = [
            child
            for child in self.findChildren(QWidget)
            if isinstance(child, (QAbstractButton, QPlainTextEdit, QLineEdit))
            and child.isEnabled()
            and child.isVisibleTo(self)
        ]

        def place(widget: QWidget) -> tuple[int, int]:
            corner = widget.mapTo(self, QPoint(0, 0))
            return corner.y(), corner.x()

        return sorted(found, key=place)

    def event(self, event: QEvent) -> bool:
        """Tell when something inside needs another height."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.height_changed.emit()
        return handled
