"""The middle of the window: the pages, and beside a conversation's page its memory, where there is room for both."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from kotonia_desktop.gui.memory.panel import LEAST_WIDTH, WIDTH, MemoryPanel

LEAST_PAGE = 420
"""The narrowest page beside an open memory, in pixels."""
_PAGE = 900


class Workspace(QSplitter):
    """Places the memory. It belongs to one page, and no other page has it."""

    memory_toggled = Signal(bool)

    def __init__(
        self, pages: QStackedWidget, memory: MemoryPanel, owner: QWidget, parent: QWidget | None = None
    ) -> None:
        """`owner` is the page among `pages` that has a memory."""
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._pages = pages
        self._memory = memory
        self._owner = owner
        self._wanted = False
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self.addWidget(pages)
        self.addWidget(memory)
        self.setStretchFactor(0, 1)
        self.setSizes([_PAGE, WIDTH])
        memory.hide()
        memory.close_asked.connect(self.toggle_memory)
        pages.currentChanged.connect(self._place)

    def toggle_memory(self) -> None:
        """Show or hide the memory."""
        if self._pages.currentWidget() is self._owner:
            self._wanted = not self._wanted
            self._place()
            self.memory_toggled.emit(self._wanted)

    def open_chapter(self, chapter_id: int) -> None:
        """Show a chapter in the memory."""
        if self._memory.isHidden():
            self.toggle_memory()
        self._memory.open_chapter(chapter_id)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may have room for both, or not."""
        super().resizeEvent(event)
        self._fit()

    def _place(self) -> None:
        self._memory.setVisible(self._wanted and self._pages.currentWidget() is self._owner)
        self._fit()

    def _fit(self) -> None:
        """Where there is no room for both, the memory takes the page's place."""
        narrow = self.width() < LEAST_WIDTH + LEAST_PAGE
        self._pages.setVisible(self._memory.isHidden() or not narrow)
