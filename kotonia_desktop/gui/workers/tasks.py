"""Runs blocking calls beside the window and brings their results back to it.

A signal of a worker that is connected to a lambda runs in the worker's thread; so the only slot here is a bound method
of a QObject that lives in the window's thread, and callbacks are called from there.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

from kotonia_desktop.domain.errors import KotoniaError

T = TypeVar("T")
log = logging.getLogger("kotonia.gui")


class Tasks(QObject):
    """Blocking calls in the background. Owns its threads; `close` waits for them."""

    failed = Signal(object)
    """A `KotoniaError` nobody asked for."""
    _done = Signal(int, object, object)

    def __init__(self, parent: QObject | None = None, threads: int = 6) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(threads, "kotonia-task")
        self._tickets = count(1)
        self._waiting: dict[int, tuple[Callable[[Any], None] | None, Callable[[KotoniaError], None] | None]] = {}
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)
        self._closed = False

    def run(
        self,
        work: Callable[[], T],
        then: Callable[[T], None] | None = None,
        failed: Callable[[KotoniaError], None] | None = None,
    ) -> None:
        """Call `work` in the background, then `then` with its result, or `failed` with its error, in this thread.

        Where `failed` is missing the signal `failed` tells the error. Callbacks of widgets that are gone are not
        called. An error that is no `KotoniaError` is raised in this thread, for the window's hook to report.
        """
        if self._closed:
            return
        ticket = next(self._tickets)
        self._waiting[ticket] = (then, failed)
        self._pool.submit(self._work, ticket, work)

    @property
    def pending(self) -> int:
        """How many calls have not come back."""
        return len(self._waiting)

    def close(self) -> None:
        """Wait for what was asked for, so that nothing that was to be stored is lost; callbacks are not called."""
        self._closed = True
        self._pool.shutdown(wait=True)
        self._waiting.clear()

    def _work(self, ticket: int, work: Callable[[], object]) -> None:
        try:
            result, error = work(), None
        except Exception as raised:  # a boundary: whatever it is goes to the window's thread
            result, error = None, raised
        if shiboken6.isValid(self):
            self._done.emit(ticket, result, error)

    def _on_done(self, ticket: int, result: object, error: Exception | None) -> None:
        then, failed = self._waiting.pop(ticket, (None, None))
        if self._closed:
            return
        if error is None:
            if then is not None and _alive(then):
                then(result)
        elif isinstance(error, KotoniaError):
            log.info("task failed: %s", error.code)
            if failed is None:
                self.failed.emit(error)
            elif _alive(failed):
                failed(error)
        else:
            raise error


def _alive(callback: Callable[..., object]) -> bool:
    owner = getattr(callback, "__self__", None)
    return not isinstance(owner, QObject) or shiboken6.isValid(owner)
