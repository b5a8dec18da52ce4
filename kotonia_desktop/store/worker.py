"""The thread that owns the store: SQLite is opened, used and closed in it alone."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self, TypeVar

from kotonia_desktop.domain.ports import Clock, SystemClock
from kotonia_desktop.store.store import Store

T = TypeVar("T")
_Job = tuple[Callable[[Store], Any], "Future[Any]"]


class StoreThread:
    """Opens a `Store` in a thread of its own and runs functions on it, in the order they come.

    Each function is one transaction: all it writes is written at once, or nothing of it where it raises.
    """

    def __init__(self, path: Path, clock: Clock | None = None) -> None:
        """Start the thread and open the data file `path`. Raises what `Store` raises."""
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        opened: Future[None] = Future()
        # A daemon: an app that ends by an error must not hang on it. What it was writing is whole or not there at all.
        self._thread = threading.Thread(
            target=self._serve, args=(path, clock or SystemClock(), opened), name="store", daemon=True
        )
        self._thread.start()
        try:
            opened.result()
        except BaseException:
            self._closed = True
            self._thread.join()
            raise

    def submit(self, act: Callable[[Store], T]) -> "Future[T]":
        """Have `act` run in the thread; its result or error comes by the future. Raises RuntimeError once closed."""
        future: Future[T] = Future()
        with self._closing:
            if self._closed:
                raise RuntimeError("the store is closed")
            self._jobs.put((act, future))
        return future

    def run(self, act: Callable[[Store], T]) -> T:
        """Have `act` run in the thread and wait for it. Raises what it raises. Not to be called in that thread."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("the store's thread would wait for itself")
        return self.submit(act).result()

    def close(self) -> None:
        """Finish what was submitted, close the file, end the thread."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _serve(self, path: Path, clock: Clock, opened: "Future[None]") -> None:
        try:
            store = Store(path, clock)
        except BaseException as error:
            opened.set_exception(error)
            return
        opened.set_result(None)
        try:
            while (job := self._jobs.get()) is not None:
                _do(store, *job)
        finally:
            store.close()


def _do(store: Store, act: Callable[[Store], T], future: "Future[T]") -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = store.atomically(lambda: act(store))
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
