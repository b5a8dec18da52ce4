"""Drives the chronicler in a thread of its own: waits for a quiet moment, then has written what is due."""

import time

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread, QTimer, Signal, Slot

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.messages import Changes
from kotonia_desktop.services.folding import FoldService
from kotonia_desktop.services.memory_views import FoldStatus

_LOOK_MS = 250
"""How often a waiting chronicler looks whether it has been quiet long enough."""
_CLOSE_MS = 5000


class FoldWorker(QObject):
    """Lives in its own thread, which its public methods reach by queued signals; they are called by the window's.

    Quiet is: no key, no scroll, no turn. A turn that runs does not stop the writing, it only goes before it.
    """

    status = Signal(object)
    changed = Signal(object)
    nothing_to_write = Signal()
    """A chapter was asked for, and there is nothing to write about."""
    _watched = Signal(object)
    _due_asked = Signal()
    _now_asked = Signal()
    _closing = Signal()

    def __init__(self, folding: FoldService) -> None:
        super().__init__()
        self._folding = folding
        self._conversation_id: int | None = None
        self._wait: float | None = None
        self._last_stir = 0.0
        self._busy_turn = False
        self._stopping = False
        self._thread = QThread()
        self._thread.setObjectName("chronicler")
        self.moveToThread(self._thread)
        self._timer: QTimer | None = None
        queued = Qt.ConnectionType.QueuedConnection
        self._watched.connect(self._on_watched, queued)
        self._due_asked.connect(self._on_due_asked, queued)
        self._now_asked.connect(self._on_now_asked, queued)
        self._closing.connect(self._on_closing, queued)
        self._thread.started.connect(self._on_started)
        self._thread.start()

    # -- from the window's thread

    def watch(self, conversation_id: int | None) -> None:
        """Which conversation is open; None for none. What is being written for another is given up."""
        if conversation_id != self._conversation_id:
            self._folding.stop()
        self._watched.emit(conversation_id)

    def look(self) -> None:
        """Something happened that may have made a chapter due: a turn ended, a model came, a mark was set."""
        self._due_asked.emit()

    def fold_now(self) -> None:
        """The user asks for a chapter."""
        self._now_asked.emit()

    def poke(self) -> None:
        """The user types or scrolls: it is not quiet."""
        self._last_stir = time.monotonic()

    def set_turn_running(self, running: bool) -> None:
        """A reply is being written, or not any more."""
        self._busy_turn = running
        self.poke()

    def close(self) -> None:
        """Give up what is being written and end the thread."""
        self._stopping = True
        self._folding.stop()
        self._closing.emit()
        self._thread.wait(_CLOSE_MS)

    # -- in the worker's thread

    @Slot()
    def _on_started(self) -> None:
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._on_tick)

    @Slot()
    def _on_closing(self) -> None:
        """A timer may only be ended in its own thread, and a worker is deleted in the window's."""
        if self._timer is not None:
            self._timer.stop()
            shiboken6.delete(self._timer)
            self._timer = None
        application = QCoreApplication.instance()
        if application is not None:
            self.moveToThread(application.thread())
        self._thread.quit()

    @Slot(object)
    def _on_watched(self, conversation_id: int | None) -> None:
        self._conversation_id = conversation_id
        self._wait = None
        self._on_due_asked()

    @Slot()
    def _on_due_asked(self) -> None:
        if self._conversation_id is None or self._stopping:
            self._rest()
            return
        try:
            self._wait = self._folding.due_in(self._conversation_id)
            self.status.emit(self._folding.status(self._conversation_id))
        except KotoniaError:
            self._wait = None  # the engine died or the conversation went; the next turn asks again
        if self._wait is None:
            self._rest()
        elif self._timer is not None:
            self._timer.start()

    @Slot()
    def _on_now_asked(self) -> None:
        self._work(force=True)

    @Slot()
    def _on_tick(self) -> None:
        quiet = time.monotonic() - self._last_stir
        if self._wait is None:
            self._rest()
        elif self._wait == 0 or (quiet >= self._wait and not self._busy_turn):
            self._work(force=False)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.stop()

    def _work(self, *, force: bool) -> None:
        self._rest()
        conversation_id, self._wait = self._conversation_id, None
        if conversation_id is not None and not self._stopping:
            done = self._folding.work(conversation_id, self._tell, force=force, changed=self._tell_changes)
            if force and not done.memory:
                self.nothing_to_write.emit()

    def _tell(self, status: FoldStatus) -> None:
        self.status.emit(status)

    def _tell_changes(self, changes: Changes) -> None:
        self.changed.emit(changes)
