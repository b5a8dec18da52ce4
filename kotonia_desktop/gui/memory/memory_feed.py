"""Reads what is remembered: one reading at a time, the newest wish wins."""

from PySide6.QtCore import QObject, Signal

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.memory_views import FoldStatus, MemoryLog, MemoryView, RememberedView

_Reading = tuple[int, MemoryView, MemoryLog, FoldStatus, RememberedView]


class MemoryFeed(QObject):
    """Emits `arrived` with the conversation's id, its `MemoryView`, its `MemoryLog`, its `FoldStatus` and its
    `RememberedView`."""

    arrived = Signal(int, object, object, object, object)

    def __init__(self, kotonia: Kotonia, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folding = kotonia.folding
        self._memory = kotonia.memory
        self._tasks = tasks
        self._running = False
        self._wish: int | None = None

    def refresh(self, conversation_id: int) -> None:
        """Read what is remembered of a conversation."""
        self._wish = conversation_id
        self._start()

    def _start(self) -> None:
        if self._running or self._wish is None:
            return
        conversation_id, self._wish = self._wish, None
        self._running = True
        self._tasks.run(lambda: self._read(conversation_id), self._on_arrived, self._on_failed)

    def _read(self, conversation_id: int) -> _Reading:
        folding = self._folding
        return (
            conversation_id,
            folding.view(conversation_id),
            folding.log(conversation_id),
            folding.status(conversation_id),
            self._memory.view(conversation_id),
        )

    def _on_arrived(self, result: _Reading) -> None:
        self._running = False
        self.arrived.emit(*result)
        self._start()

    def _on_failed(self, _error: KotoniaError) -> None:
        # The engine died or the conversation went; both are told elsewhere, and the next change reads again.
        self._running = False
        self._start()
