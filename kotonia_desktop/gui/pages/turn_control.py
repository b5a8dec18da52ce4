"""Runs one turn at a time beside the window and tells its events as signals, in the window's thread."""

from PySide6.QtCore import QObject, Signal

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.messages import Changes
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.gui.workers.turns import TurnRelay
from kotonia_desktop.services.chat import ContinueReply, Regenerate, Send, TurnRequest
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import (
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnReading,
    TurnStarted,
    TurnText,
)


class TurnControl(QObject):
    """The window's side of a turn. `busy` from the moment it is asked for to its last event."""

    started = Signal(object, bool)
    """`TurnStarted`, and whether the user said something."""
    reading = Signal(object)
    text_came = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    busy_changed = Signal(bool)

    def __init__(self, kotonia: Kotonia, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chat = kotonia.chat
        self._tasks = tasks
        self._relay = TurnRelay(self)
        self._relay.arrived.connect(self._on_event)
        self.conversation_id: int | None = None
        """The conversation whose turn runs; None while none does."""
        self._request: TurnRequest | None = None

    @property
    def busy(self) -> bool:
        """True while a turn runs."""
        return self._request is not None

    def send(self, conversation_id: int, text: str) -> None:
        """Say something."""
        self._run(conversation_id, Send(conversation_id, text))

    def regenerate(self, conversation_id: int, message_id: int) -> None:
        """Have another version written, or a user's message answered."""
        self._run(conversation_id, Regenerate(message_id))

    def go_on(self, conversation_id: int, message_id: int) -> None:
        """Have a reply continued."""
        self._run(conversation_id, ContinueReply(message_id))

    def stop(self) -> None:
        """End the reply that is written."""
        conversation_id = self.conversation_id
        if conversation_id is not None:
            self._tasks.run(lambda: self._chat.stop(conversation_id))

    def _run(self, conversation_id: int, request: TurnRequest) -> None:
        if self.busy:
            return
        self._request = request
        self.conversation_id = conversation_id
        self.busy_changed.emit(True)
        self._tasks.run(lambda: self._chat.run(request, self._relay.post), None, self._on_error)

    def _on_event(self, event: TurnEvent) -> None:
        if isinstance(event, TurnStarted):
            self.started.emit(event, isinstance(self._request, Send))
        elif isinstance(event, TurnReading):
            self.reading.emit(event)
        elif isinstance(event, TurnText):
            self.text_came.emit(event)
        elif isinstance(event, TurnFinished):
            self._end()
            self.finished.emit(event)
        else:
            self._end()
            self.failed.emit(event)

    def _on_error(self, error: KotoniaError) -> None:
        """The turn raised where it should have told: treat it as told."""
        if self.busy:
            text = self._request.text if isinstance(self._request, Send) else ""
            self._end()
            self.failed.emit(TurnFailed(error, Changes(), restore_text=text))

    def _end(self) -> None:
        self._request = None
        self.conversation_id = None
        self.busy_changed.emit(False)
