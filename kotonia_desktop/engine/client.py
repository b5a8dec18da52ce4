"""The app's side of the engine: starts its process, talks to it from any thread, and survives its death.

A death ends running replies as interrupted, with what they had. The next call starts the process again, loads the
model again, and answers.
"""

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from kotonia_desktop.domain.errors import EngineFailed, EngineStopped, NoModel, error_from_wire
from kotonia_desktop.domain.models import LoadedModel, LoadOptions
from kotonia_desktop.domain.ports import (
    CacheReport,
    EngineStatus,
    GenerateJob,
    GenerateRequest,
    PromptCount,
    PromptItem,
    PromptRead,
)
from kotonia_desktop.engine.child_process import Answers, ChildProcess, ProcessGone
from kotonia_desktop.engine.streamed_reply import StreamedReply
from kotonia_desktop.engine.wire import (
    VOCABULARY_ONLY,
    Message,
    pack_items,
    pack_options,
    pack_request,
    unpack_count,
    unpack_model,
    unpack_read,
)

_Result = TypeVar("_Result")
PARK_SECONDS = 2.0
"""So long quitting waits for the open conversation to be saved."""
_HARD_ENDS = ("SIGSEGV", "SIGILL", "SIGBUS", "3221225477", "3221225501")
"""Ends that speak of an instruction or an address that did not work; the last two are Windows' codes of them."""


class EngineProcess:
    """A `ChatEngine` in a process of its own. Owns the process: `close`, or use it in a `with`."""

    def __init__(self, on_status: Callable[[EngineStatus], None] | None = None) -> None:
        """`on_status` hears of every change, on whatever thread it happens; it must not block."""
        self._on_status = on_status
        self._lock = threading.RLock()
        self._process: ChildProcess | None = None
        self._options: LoadOptions | None = None
        self._model: LoadedModel | None = None
        self._loading = False
        self._crashes = 0
        self._last_error = ""
        self._closed = False
        self._plain_weights = False
        self._cancelling = threading.Event()
        self._staging: int | None = None

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def model(self) -> LoadedModel | None:
        """The model in memory; after a death, the one that the next call will load again."""
        return self._model

    @property
    def pid(self) -> int | None:
        """The process id of the engine, None where it does not run."""
        process = self._process
        return process.pid if process is not None else None

    def status(self) -> EngineStatus:
        """What the process is doing."""
        return EngineStatus(
            alive=self._process is not None,
            loading=self._loading,
            model=self._model,
            crashes=self._crashes,
            last_error=self._last_error,
        )

    def _tell(self) -> None:
        if self._on_status is not None:
            self._on_status(self.status())

    def _ended(self, process: ChildProcess) -> None:
        if self._process is process:
            self._process = None
        if not process.closing:
            self._crashes += 1
            self._last_error = process.ended
            self._learn_from(process.ended)
        self._tell()

    def _alive(self) -> ChildProcess:
        """The process, started where it is not there."""
        if self._closed:
            raise EngineStopped(detail="the app is closing")
        process = self._process
        if process is None or process.ended:
            if process is not None:
                self._learn_from(process.ended)
            process = self._process = ChildProcess(self._ended)
            self._tell()
        return process

    def _learn_from(self, ended: str) -> None:
        """After an end by a bad instruction the next load leaves the weights as they are."""
        self._plain_weights = self._plain_weights or any(end in ended for end in _HARD_ENDS)

    def _ready(self) -> ChildProcess:
        """The process with the model in it. Raises `NoModel`, `ProcessGone`, or what loading raises."""
        with self._lock:
            if self._options is None:
                raise NoModel
            process = self._alive()
            if not process.has_model:
                self._load_into(process, self._options, self._model, None)
            return process

    def _twice(self, act: Callable[[], _Result]) -> _Result:
        """Do it; where the process dies over it, do it once more."""
        try:
            return act()
        except ProcessGone:
            try:
                return act()
            except ProcessGone as gone:
                raise EngineStopped(detail=str(gone)) from gone

    def load(self, options: LoadOptions, progress: Callable[[float], None] | None = None) -> LoadedModel:
        """Load a model, replacing the one in memory; see `ChatEngine.load`."""
        self._cancelling.clear()
        with self._lock:
            try:
                return self._twice(lambda: self._load_into(self._alive(), options, None, progress))
            except EngineStopped:
                self._forget_model()
                raise

    def _load_into(
        self,
        process: ChildProcess,
        options: LoadOptions,
        again: LoadedModel | None,
        progress: Callable[[float], None] | None,
    ) -> LoadedModel:
        """`again`: the model that was loaded before, whose sizes are kept so that its conversations still fit."""
        self._loading = True
        self._tell()
        try:
            cells = [again.chat_cells, again.memory_cells] if again is not None else None
            sent = replace(options, plain_weights=options.plain_weights or self._plain_weights)
            _, answers = process.send("load", options=pack_options(sent), cells=cells)
            model = unpack_model(self._follow_load(process, answers, progress))
            self._options, self._model, process.has_model = options, model, True
            return model
        finally:
            self._loading = False
            self._tell()

    def _follow_load(
        self, process: ChildProcess, answers: Answers, progress: Callable[[float], None] | None
    ) -> Message:
        if progress is not None:
            progress(0.0)
        while True:
            if self._cancelling.is_set():
                process.post("cancel_load")
            answer = _checked(answers.get(), process, self._note_unloaded)
            if answer["answer"] == "result":
                if progress is not None:
                    progress(1.0)
                return dict(answer["value"])
            if progress is not None:
                progress(float(answer["value"]))

    def _note_unloaded(self, answer: Message) -> None:
        if answer.get("unloaded"):
            self._forget_model()

    def _forget_model(self) -> None:
        self._options = self._model = None
        if self._process is not None:
            self._process.has_model = False

    def cancel_load(self) -> None:
        """End the running `load`."""
        self._cancelling.set()
        process = self._process
        if process is not None:
            process.post("cancel_load")

    def unload(self) -> None:
        """Give the model's memory back."""
        with self._lock:
            process = self._process
            self._forget_model()
            if process is not None:
                self._ask(process, "unload")
            self._tell()

    @staticmethod
    def _ask(process: ChildProcess, operation: str, **values: object) -> Message:
        """One question, one answer. Raises `ProcessGone` or the error that was answered."""
        _, answers = process.send(operation, **values)
        return _checked(answers.get(), process)

    def count(self, messages: Sequence[PromptItem]) -> int:
        """Tokens of the whole prompt that `messages` make."""
        return self.count_items(messages).total

    def count_items(self, messages: Sequence[PromptItem]) -> PromptCount:
        """As `count`, item by item."""
        items = pack_items(tuple(messages))
        return unpack_count(self._twice(lambda: self._ask(self._ready(), "count", items=items))["value"])

    def count_texts(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Tokens of plain texts, each for itself."""
        if not texts:
            return ()
        return tuple(self._twice(lambda: self._ask(self._ready(), "count_texts", texts=list(texts)))["value"])

    def read(self, items: Sequence[PromptItem], conversation: str, *, opener: bool = True) -> PromptRead:
        """Read a prompt into the chat context and write nothing. Where a reply goes before it, it is read again."""
        packed = pack_items(tuple(items))
        while True:
            answer = self._twice(
                lambda: self._ask(self._ready(), "read", items=packed, conversation=conversation, opener=opener)
            )
            if answer["value"] is not None:
                return unpack_read(answer["value"])

    def generate(self, request: GenerateRequest) -> GenerateJob:
        """Start a reply. Raises `MessageTooLong` where the prompt leaves no room for it."""
        packed = pack_request(request)

        def start() -> StreamedReply:
            process = self._ready()
            number, answers = process.send("generate", request=packed)
            _checked(answers.get(), process)
            return StreamedReply(process, number, answers)

        return self._twice(start)

    def warm(self, items: Sequence[PromptItem], conversation: str) -> None:
        """Read a prompt's items ahead of time. Does nothing where the model is not in memory; raises `EngineFailed`
        where only its vocabulary is."""
        model, process = self._model, self._process
        if model is not None and model.vocabulary_only:
            raise EngineFailed(detail=VOCABULARY_ONLY)
        if process is not None and process.has_model:
            packed = pack_items(tuple(items))
            process.post("warm", items=packed, conversation=conversation)

    def score(self, items: Sequence[PromptItem], options: Sequence[str], conversation: str) -> tuple[float, ...]:
        """How likely each text is as the reply's beginning; see `ChatEngine.score`."""
        packed = pack_items(tuple(items))
        while True:
            answer = self._twice(
                lambda: self._ask(
                    self._ready(), "score", items=packed, options=list(options), conversation=conversation
                )
            )
            if answer["value"] is not None:
                return tuple(answer["value"])

    def stage(self, items: Sequence[PromptItem], conversation: str) -> PromptRead | None:
        """Build the next beginning of a prompt in the background; see `ChatEngine.stage`."""
        packed = pack_items(tuple(items))

        def build() -> PromptRead | None:
            process = self._ready()
            number, answers = process.send("stage", items=packed, conversation=conversation)
            _checked(answers.get(), process)
            self._staging = number
            try:
                value = _checked(answers.get(), process)["value"]
            finally:
                self._staging = None
            return None if value is None else unpack_read(value)

        return self._twice(build)

    def stop_staging(self) -> None:
        """End the running `stage`."""
        process, number = self._process, self._staging
        if process is not None and number is not None:
            process.post("cancel", job=number)

    def swap(self, items: Sequence[PromptItem], conversation: str) -> bool:
        """Bring what was staged into the chat context; see `ChatEngine.swap`."""
        packed = pack_items(tuple(items))
        return bool(
            self._twice(lambda: self._ask(self._ready(), "swap", items=packed, conversation=conversation))["value"]
        )

    def forget(self, conversation: str) -> None:
        """Drop what is held of a conversation, in memory; does nothing where no model is."""
        process = self._process
        if process is not None and process.has_model and not self._counts_only:
            with contextlib.suppress(ProcessGone):
                self._ask(process, "forget", conversation=conversation)

    def cache(self) -> CacheReport | None:
        """What was done for the cache; None while no model is in memory."""
        process = self._process
        if process is None or not process.has_model or self._counts_only:
            return None
        try:
            return CacheReport(**self._ask(process, "cache")["value"])
        except ProcessGone:
            return None

    @property
    def _counts_only(self) -> bool:
        return self._model is not None and self._model.vocabulary_only

    def _park(self, process: ChildProcess) -> None:
        """Have the open conversation saved; quitting does not wait long for it."""
        if not process.has_model or self._counts_only or self._options is None or not self._options.snapshots:
            return
        with contextlib.suppress(ProcessGone, queue.Empty):
            _, answers = process.send("park")
            answers.get(timeout=PARK_SECONDS)

    def close(self) -> None:
        """End the engine's process, once the open conversation is saved, and wait until it is gone."""
        self._closed = True
        process = self._process
        if process is not None:
            self._park(process)
            process.close()


def _checked(answer: Message, process: ChildProcess, on_error: Callable[[Message], None] | None = None) -> Message:
    """The answer. Raises the error it carries, or `ProcessGone`."""
    if answer["answer"] == "gone":
        raise ProcessGone(process.ended)
    if answer["answer"] == "error":
        if on_error is not None:
            on_error(answer)
        raise error_from_wire(str(answer["code"]), dict(answer["values"]))
    return answer
