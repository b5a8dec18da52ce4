"""Reads what the model sees now: one reading at a time, the newest wish wins."""

from PySide6.QtCore import QObject, Signal

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import PromptView


class PromptFeed(QObject):
    """Emits `arrived` with the conversation's id and its `PromptView`."""

    arrived = Signal(int, object)

    def __init__(self, kotonia: Kotonia, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chat = kotonia.chat
        self._tasks = tasks
        self._running = False
        self._wish: tuple[int, str] | None = None

    def refresh(self, conversation_id: int, pending_text: str) -> None:
        """Read what the model sees of a conversation, with what stands in the composer."""
        self._wish = (conversation_id, pending_text)
        self._start()

    def _start(self) -> None:
        if self._running or self._wish is None:
            return
        conversation_id, pending_text = self._wish
        self._wish = None
        self._running = True
        self._tasks.run(
            lambda: (conversation_id, self._chat.prompt_view(conversation_id, pending_text)),
            self._on_arrived,
            self._on_failed,
        )

    def _on_arrived(self, result: tuple[int, PromptView]) -> None:
        self._running = False
        self.arrived.emit(*result)
        self._start()

    def _on_failed(self, _error: KotoniaError) -> None:
        # The engine died or the conversation went; both are told elsewhere, and the next change reads again.
        self._running = False
        self._start()
