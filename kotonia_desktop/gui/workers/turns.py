"""Carries a turn's events from the thread it runs in to the window, at most thirty times a second.

Text arrives whole each time, so of several texts in a row only the last is told; every other event is told at once and
in order.
"""

import threading
from collections import deque

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from kotonia_desktop.services.views import TurnEvent, TurnReading, TurnText

FLUSH_MS = 33


class TurnRelay(QObject):
    """`post` may be called from any thread; `arrived` is emitted in the thread this object lives in."""

    arrived = Signal(object)
    _woke = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._queue: deque[TurnEvent] = deque()
        self._asleep = True
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._flush)
        self._woke.connect(self._on_woke, Qt.ConnectionType.QueuedConnection)

    def post(self, event: TurnEvent) -> None:
        """Take an event from the running turn."""
        with self._lock:
            last = self._queue[-1] if self._queue else None
            if isinstance(event, TurnText | TurnReading) and type(last) is type(event):
                self._queue[-1] = event
            else:
                self._queue.append(event)
            wake, self._asleep = self._asleep, False
        if wake or not isinstance(event, TurnText | TurnReading):
            self._woke.emit()

    def _on_woke(self) -> None:
        with self._lock:
            urgent = any(not isinstance(event, TurnText | TurnReading) for event in self._queue)
        if urgent or not self._since.isValid() or self._since.elapsed() >= FLUSH_MS:
            self._flush()
        elif not self._timer.isActive():
            self._timer.start(FLUSH_MS - self._since.elapsed())

    def _flush(self) -> None:
        self._timer.stop()
        with self._lock:
            events = list(self._queue)
            self._queue.clear()
            self._asleep = True
        self._since.start()
        for event in events:
            self.arrived.emit(event)
