"""The parts of the window that F6 goes through, so that everything can be reached without the pointer."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the window. `entry` is the widget that gets the focus; the part itself where that is None."""

    part: QWidget
    entry: QWidget | None = None

    def holds(self, widget: QWidget) -> bool:
        """True where `widget` lies in this part."""
        return self.part is widget or self.part.isAncestorOf(widget)


def focus_next(regions: Sequence[Region], focused: QWidget | None) -> None:
    """Give the focus to the region behind the one that holds `focused`, of those that can be seen."""
    usable = [region for region in regions if region.part.isVisible()]
    # Regions may lie inside one another (the tools inside the page's view): the innermost, listed later, counts.
    held = [n for n, region in enumerate(usable) if focused is not None and region.holds(focused)]
    region = usable[(held[-1] + 1 if held else 0) % len(usable)]
    target = region.entry or region.part
    target.setFocus(Qt.FocusReason.ShortcutFocusReason)
    if target is not target.window().focusWidget():
        target.focusNextChild()
