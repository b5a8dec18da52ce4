"""One life of the engine's process, seen from the app: its pipes, its threads, its end."""

import os
import queue
import re
import signal
import subprocess
import threading
from collections.abc import Callable
from typing import IO, Final

from kotonia_desktop.domain.errors import EngineStopped
from kotonia_desktop.engine.template_process import NO_CONSOLE, own_command, own_environment
from kotonia_desktop.engine.wire import Message, read_frame, write_frame

_RING: Final = 64 * 1024
_CLOSING_SECONDS: Final = 2.0
_NOBODY: Final = 0

_ASSERTION = re.compile(rb"GGML_(?:ASSERT|ABORT)\([^\r\n]{0,120}")
_SIGNALS: Final = {
    "SIGKILL": "it was killed, perhaps because memory ran out",
    "SIGBUS": "the model file changed, or its drive is gone",
    "SIGILL": "this processor lacks an instruction it was built for",
}

Answers = queue.SimpleQueue[Message]


class ProcessGone(Exception):
    """The process ended before it answered; the text says how."""


class ChildProcess:
    """One life of the engine's process. Owns it and the threads that read from it."""

    def __init__(self, on_end: Callable[["ChildProcess"], None]) -> None:
        """Start it. `on_end` is called once, on the reading thread, when it has ended."""
        self._on_end = on_end
        self._waiting: dict[int, Answers] = {}
        self._lock = threading.Lock()
        self._number = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._started = threading.Event()
        self._start_error: OSError | None = None
        self.ended = ""
        self.has_model = False
        self.closing = False
        self._last_words = bytearray()
        # The kernel ends the child with the thread that started it, so that thread is the one that lives as long.
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._thread.start()
        self._started.wait()
        if self._start_error is not None:
            raise EngineStopped(detail=self._start_error.strerror or "it could not be started")

    @property
    def pid(self) -> int | None:
        """The process id."""
        return self._process.pid if self._process is not None else None

    def _run(self) -> None:
        try:
            process = self._process = subprocess.Popen(
                own_command("--engine"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                creationflags=NO_CONSOLE,
                env=own_environment(),
            )
        except OSError as error:
            self._start_error = error
            self._started.set()
            return
        assert process.stdout is not None
        assert process.stderr is not None
        listener = threading.Thread(target=self._keep_last_words, args=(process.stderr,), daemon=True)
        listener.start()
        self._started.set()
        while (message := read_frame(process.stdout)) is not None:
            with self._lock:
                number = int(message["id"])
                waiting = self._waiting.pop(number, None) if message.get("last") else self._waiting.get(number)
            if waiting is not None:
                waiting.put(message)
        process.kill()  # it closed its answers or sent nonsense: nothing more can come of it
        code = process.wait()
        listener.join()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                _close(stream)
        with self._lock:
            self.ended = _cause(code, bytes(self._last_words))
            waiting_now = list(self._waiting.values())
            self._waiting.clear()
        for waiting in waiting_now:
            waiting.put({"answer": "gone"})
        self._on_end(self)

    def _keep_last_words(self, stream: IO[bytes]) -> None:
        # Kept in memory only: native code may print parts of what it works on.
        while data := os.read(stream.fileno(), 4096):
            self._last_words += data
            del self._last_words[:-_RING]

    def send(self, operation: str, **values: object) -> tuple[int, Answers]:
        """Send a request; its answers come through the queue, the last with `last`. Raises `ProcessGone`."""
        answers: Answers = queue.SimpleQueue()
        with self._lock:
            self._number += 1
            self._waiting[self._number] = answers
            self._write({"id": self._number, "op": operation, **values})
            return self._number, answers

    def post(self, operation: str, **values: object) -> None:
        """Send what nobody waits for. A process that has ended is told nothing."""
        try:
            with self._lock:
                self._write({"id": _NOBODY, "op": operation, **values})
        except ProcessGone:
            return  # who waits for one of its answers hears of its end

    def _write(self, message: Message) -> None:
        if self.ended or self._process is None or self._process.stdin is None:
            raise ProcessGone(self.ended)
        try:
            write_frame(self._process.stdin, message)
        except (OSError, ValueError) as error:
            raise ProcessGone("it takes no requests") from error

    def close(self) -> None:
        """End it: ask by closing its requests, then by force; waits until it is gone."""
        self.closing = True
        if self._process is not None and self._process.stdin is not None:
            with self._lock:
                _close(self._process.stdin)
            try:
                self._process.wait(_CLOSING_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
        if threading.current_thread() is not self._thread:
            self._thread.join()


def _close(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except OSError:
        return  # it was broken already, which is why it is closed


def _cause(code: int, last_words: bytes) -> str:
    """Why the process ended, from its exit code and, of what it printed, only llama.cpp's own assertion."""
    if code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    assertion = _ASSERTION.findall(last_words)
    detail = assertion[-1].decode("ascii", "replace") if assertion else _SIGNALS.get(name, "")
    return f"{name}: {detail}" if detail else name
