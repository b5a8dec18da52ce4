"""Reads foreign files in a process of their own: what hangs, eats memory or crashes there ends there.

The parent sends one line of JSON (the file's path), the worker answers with lines of JSON (`interop.wire`): batches of
messages, then the result or an error. The worker knows no database and no window. Memory is limited where the system
can (Linux); time everywhere.
"""

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO

import kotonia_desktop
from kotonia_desktop.domain.errors import (
    ImportFailed,
    ImportingError,
    ImportTimedOut,
    ImportTooLarge,
    KotoniaError,
    error_classes,
)
from kotonia_desktop.interop import limits, wire
from kotonia_desktop.interop.cards import read_card
from kotonia_desktop.interop.chats import ChatReader
from kotonia_desktop.interop.cleaning import clean_name
from kotonia_desktop.interop.detection import HEAD, FileKind, detect
from kotonia_desktop.interop.dialogues import read_dialogue
from kotonia_desktop.interop.imported import CardImport, ChatImport, Imported, ImportedMessage

_LONGEST_FRAME = 1024 * limits.MB
_LIMITS_OF = {FileKind.CARD: limits.CARD_FILE, FileKind.CHAT: limits.CHAT_FILE, FileKind.DIALOGUE: limits.DIALOGUE_FILE}


def import_file(path: Path, silence: float = limits.WORKER_SILENCE) -> Imported:
    """Read a card, a chat or a dialogue. `silence` is how many seconds may pass without a sign of progress.

    Raises `ImportFailed`, `ImportTooLarge` or `ImportTimedOut`; the worker is gone then, and nothing half-read is left.
    """
    name = clean_name(path.name) or "the file"
    request = json.dumps({"path": str(path.absolute()), "name": name})
    with _running(_command()) as process:
        answer = _Answer(process, silence, name)
        with contextlib.suppress(BrokenPipeError):  # it died at once: its exit code says so below
            answer.ask(request)
        return answer.result()


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, "--import-worker"]
    return [sys.executable, "-m", "kotonia_desktop", "--import-worker"]


@contextlib.contextmanager
def _running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """The worker process; it is dead when the block is left."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a traceback may hold the file's text
        # `-m` puts the current folder first on the path: a `json.py` beside a downloaded card must not be run.
        cwd=Path(kotonia_desktop.__file__).parents[1],
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


class _Answer:
    """The worker's answer, read by a thread of its own so that the waiting can end."""

    def __init__(self, process: subprocess.Popen[bytes], silence: float, name: str) -> None:
        self._process, self._silence, self._name = process, silence, name
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=4)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._read, name="import-worker-reader", daemon=True)
        self._thread.start()

    def ask(self, request: str) -> None:
        """Send the request."""
        pipe = self._process.stdin
        if pipe:
            pipe.write(request.encode() + b"\n")
            pipe.flush()

    def result(self) -> Imported:
        """Wait for the result, or raise what the worker reports."""
        messages: list[ImportedMessage] = []
        try:
            while True:
                found = self._step(messages)
                if found is not None:
                    return found
        except wire.MALFORMED:
            raise ImportFailed(
                name=self._name, detail="the import process gave an answer that makes no sense"
            ) from None
        finally:
            self._stopped.set()
            self._process.kill()
            self._drain()
            self._thread.join()

    def _step(self, messages: list[ImportedMessage]) -> Imported | None:
        line = self._next()
        if not line:
            code = self._process.wait()
            raise ImportFailed(name=self._name, detail=f"the import process ended early (code {code})")
        frame: dict[str, Any] = json.loads(line)
        if "error" in frame:
            raise _error(frame)
        if "messages" in frame:
            messages += wire.messages_of(frame)
            return None
        if "chat" in frame:
            return wire.chat_of(frame, messages)
        return wire.card_of(frame)

    def _next(self) -> bytes:
        try:
            return self._lines.get(timeout=self._silence)
        except queue.Empty:
            raise ImportTimedOut(name=self._name, seconds=round(self._silence)) from None

    def _read(self) -> None:
        pipe = self._process.stdout
        while pipe and not self._stopped.is_set():
            line = pipe.readline(_LONGEST_FRAME)
            self._lines.put(line)
            if not line:
                return

    def _drain(self) -> None:
        """Make room, so that the reading thread gets to its end."""
        while self._thread.is_alive():
            with contextlib.suppress(queue.Empty):
                self._lines.get(timeout=0.05)


def _error(frame: dict[str, Any]) -> KotoniaError:
    cls = error_classes().get(str(frame["error"]))
    if cls is None or not issubclass(cls, ImportingError):
        raise ValueError("unknown error")
    return cls(**frame["values"])


# -- the worker's side


def child_main() -> int:
    """The worker process: reads one request from its input, answers on its output, ends."""
    request = json.loads(sys.stdin.buffer.readline())
    _limit_memory()
    out = sys.stdout.buffer
    name = str(request["name"])
    try:
        for frame in _frames(Path(request["path"]), name):
            _send(out, frame)
    except ImportingError as error:
        _send(out, {"error": error.code, "values": error.values})
    except MemoryError:
        limit = f"{limits.WORKER_MEMORY // limits.MB} MB"
        _send(
            out, {"error": ImportTooLarge.code, "values": {"name": name, "what": "the memory it needs", "limit": limit}}
        )
    except OSError as error:
        detail = (error.strerror or type(error).__name__).lower()
        _send(out, {"error": ImportFailed.code, "values": {"name": name, "detail": f"it cannot be read ({detail})"}})
    return 0


def _limit_memory() -> None:
    """Limit the worker's memory on Linux. Elsewhere the limits on sizes have to do."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limits.WORKER_MEMORY, limits.WORKER_MEMORY))


def _send(out: IO[bytes], frame: wire.Frame) -> None:
    out.write(json.dumps(frame).encode() + b"\n")
    out.flush()


def _frames(path: Path, name: str) -> Iterator[wire.Frame]:
    with path.open("rb") as file:
        kind = detect(file.read(HEAD), name)
        if kind is not FileKind.CHAT:
            file.seek(0)
            # A dialogue may be longer than a card; which of the two it is shows only when all of it is read.
            kind = detect(file.read(limits.DIALOGUE_FILE), name)
        _check_size(file, kind, name)
        if kind is FileKind.CHAT:
            yield from _chat_frames(ChatReader(name), file)
            return
        data = file.read()
    if kind is FileKind.DIALOGUE:
        dialogue = read_dialogue(data, name)
        yield from _batches(iter(dialogue.messages))
        yield wire.chat_frame(dialogue)
    else:
        yield wire.card_frame(read_card(data, name))


def _check_size(file: BinaryIO, kind: FileKind, name: str) -> None:
    size = file.seek(0, 2)
    file.seek(0)
    limit = _LIMITS_OF[kind]
    if size > limit:
        raise ImportTooLarge(name=name, what="the file", limit=f"{limit // limits.MB} MB")


def _chat_frames(reader: ChatReader, file: BinaryIO) -> Iterator[wire.Frame]:
    yield from _batches(reader.messages(file))
    yield wire.chat_frame(reader.finish(()))


def _batches(messages: Iterator[ImportedMessage]) -> Iterator[wire.Frame]:
    batch: list[ImportedMessage] = []
    for message in messages:
        batch.append(message)
        if len(batch) == limits.WORKER_BATCH:
            yield wire.messages_frame(batch)
            batch = []
    if batch:
        yield wire.messages_frame(batch)


__all__ = ["CardImport", "ChatImport", "Imported", "child_main", "import_file"]
