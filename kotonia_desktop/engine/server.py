"""Answers the requests that come to the engine's process: counts at once, everything else on the decoding thread."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import BinaryIO

from kotonia_desktop.domain.errors import BrokenLogits, EngineFailed, KotoniaError, MessageTooLong, NoModel
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import ReasoningMode
from kotonia_desktop.domain.ports import Finished, GenerateEvent, Lane, PromptRead
from kotonia_desktop.engine.jobs import Control, ReplyJob, read_ahead, read_only
from kotonia_desktop.engine.keeper import ChatKeeper, idle_steps
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.loading import Engine, check_options, load_engine
from kotonia_desktop.engine.scheduler import Job, Rank, Scheduler
from kotonia_desktop.engine.scoring import score
from kotonia_desktop.engine.window_fit import Cells
from kotonia_desktop.engine.wire import (
    VOCABULARY_ONLY,
    Message,
    pack_count,
    pack_event,
    pack_model,
    pack_read,
    unpack_items,
    unpack_options,
    unpack_request,
    write_frame,
)

_PROGRESS_STEP = 0.01
_NOBODY = 0
"""The number of a job that nobody asked for."""


class Server:
    """Owns the model in memory. `handle` is called by one thread, in the order of the requests."""

    def __init__(self, answers: BinaryIO) -> None:
        """`answers` is written to by several threads, one whole message at a time."""
        self._answers = answers
        self._writing = threading.Lock()
        # Counting reads the tokenizer of a model that a load on the other thread may be taking away.
        self._model_lock = threading.RLock()
        self._engine: Engine | None = None
        self._load_cancelled = threading.Event()
        start_library()
        self._scheduler = Scheduler(self._on_failure)
        self._operations: dict[str, Callable[[int, Message], None]] = {
            "load": self._load,
            "cancel_load": self._cancel_load,
            "unload": self._unload,
            "count": self._count,
            "count_texts": self._count_texts,
            "read": self._read,
            "generate": self._generate,
            "cancel": self._cancel,
            "warm": self._warm,
            "score": self._score,
            "stage": self._stage,
            "swap": self._swap,
            "park": self._park,
            "forget": self._forget,
            "cache": self._cache,
        }

    def handle(self, message: Message) -> None:
        """Do what a message asks. An error is answered, never raised."""
        number = int(message["id"])
        try:
            self._operations[message["op"]](number, message)
        except KotoniaError as error:
            self._answer_error(number, error)
        except Exception as error:
            self._answer_error(number, EngineFailed(detail=type(error).__name__))

    def _answer(self, number: int, kind: str, last: bool = True, **values: object) -> None:
        """Send an answer; `last` says that no other will follow to this request."""
        with self._writing:
            write_frame(self._answers, {"id": number, "answer": kind, "last": last, **values})

    def _answer_error(self, number: int, error: KotoniaError, unloaded: bool = False) -> None:
        self._answer(number, "error", code=error.code, values=error.values, unloaded=unloaded)

    def _loaded(self) -> Engine:
        if self._engine is None:
            raise NoModel
        return self._engine

    def _load(self, number: int, message: Message) -> None:
        options = unpack_options(message["options"])
        header = check_options(options)
        cells = Cells(*message["cells"]) if message.get("cells") else None
        self._load_cancelled.clear()
        reported = 0.0

        def progress(value: float) -> bool:
            nonlocal reported
            if value - reported >= _PROGRESS_STEP:
                reported = value
                self._answer(number, "progress", last=False, value=value)
            return not self._load_cancelled.is_set()

        def load() -> None:
            try:
                self._free_engine()
                engine = load_engine(options, header, cells, progress)
                with self._model_lock:
                    self._engine = engine
                self._scheduler.breaks_off = options.breaks_off
                self._answer(number, "result", value=pack_model(engine.loaded))
            except KotoniaError as error:
                self._answer_error(number, error, unloaded=True)
            except Exception as error:
                self._answer_error(number, EngineFailed(detail=type(error).__name__), unloaded=True)

        self._scheduler.end_all()
        self._scheduler.call(load)

    def _cancel_load(self, _number: int, _message: Message) -> None:
        self._load_cancelled.set()

    def _unload(self, number: int, _message: Message) -> None:
        def unload() -> None:
            self._free_engine()
            self._answer(number, "result", value=None)

        self._scheduler.end_all()
        self._scheduler.call(unload)

    def _free_engine(self) -> None:
        with self._model_lock:
            engine, self._engine = self._engine, None
            if engine is not None:
                engine.free()

    def _count(self, number: int, message: Message) -> None:
        with self._model_lock:
            encoded = self._loaded().encoder.encode(unpack_items(message["items"]), ReasoningMode.OFF)
        self._answer(number, "result", value=pack_count(encoded.count()))

    def _count_texts(self, number: int, message: Message) -> None:
        with self._model_lock:
            encoder = self._loaded().encoder
            counts = [len(encoder.text_ids(text)) for text in message["texts"]]
        self._answer(number, "result", value=counts)

    def _able(self) -> Engine:
        """The engine, where it can do more than count."""
        engine = self._loaded()
        if engine.loaded.vocabulary_only:
            raise EngineFailed(detail=VOCABULARY_ONLY)
        return engine

    def _read(self, number: int, message: Message) -> None:
        control = Control()

        def done(read: PromptRead | EngineFailed | None) -> None:
            if isinstance(read, EngineFailed):
                self._answer_error(number, read)
            else:
                self._answer(number, "result", value=None if read is None else pack_read(read))

        with self._model_lock:
            engine = self._able()
            encoded = engine.encoder.encode(unpack_items(message["items"]), ReasoningMode.OFF)
            sequence = engine.sequences[Lane.CHAT]
            ids = encoded.ids if message["opener"] else encoded.ids[: len(encoded.ids) - encoded.opener]
            over = len(ids) + 1 - sequence.cells
            if over > 0:
                raise MessageTooLong(tokens=len(ids), window=sequence.cells, over=over)
            if not ids:
                done(PromptRead(0, 0, 0.0))
                return
            steps = read_only(sequence, ids, message["conversation"], control, done, encoded.system)
            self._scheduler.submit(Job(number, Rank.AHEAD, sequence, steps, control))

    def _beginning(self, engine: Engine, message: Message) -> tuple[list[int], int]:
        """The ids up to the end of the last item's text, and how many of them are the system part's."""
        encoded = engine.encoder.encode(unpack_items(message["items"]), ReasoningMode.OFF)
        return encoded.ids[: len(encoded.ids) - encoded.opener], encoded.system

    def _stage(self, number: int, message: Message) -> None:
        control = Control()

        def done(read: PromptRead | EngineFailed | None) -> None:
            if isinstance(read, EngineFailed):
                self._answer_error(number, read)
            else:
                self._answer(number, "result", value=None if read is None else pack_read(read))

        with self._model_lock:
            engine = self._able()
            stage = engine.stage
            assert stage is not None  # it is there where anything can be decoded
            ids, system = self._beginning(engine, message)
            over = len(ids) - stage.cells
            if over > 0:
                raise MessageTooLong(tokens=len(ids), window=stage.cells, over=over)
            # Said before the job can say anything itself.
            self._answer(number, "result", last=False, value=None)
            steps = read_only(stage, ids, message["conversation"], control, done, system)
            self._scheduler.submit(Job(number, Rank.STAGE, stage, steps, control))

    def _swap(self, number: int, message: Message) -> None:
        with self._model_lock:
            engine = self._able()
            ids, _ = self._beginning(engine, message)

            def swap(keeper: ChatKeeper) -> bool:
                return keeper.swap(ids, message["conversation"])

            self._submit_act(number, engine, swap)

    def _park(self, number: int, _message: Message) -> None:
        """Save the open conversation and answer when it is on disk."""

        def park(keeper: ChatKeeper) -> None:
            keeper.park()
            keeper.flush()

        with self._model_lock:
            self._submit_act(number, self._able(), park)

    def _forget(self, number: int, message: Message) -> None:
        with self._model_lock:
            self._submit_act(number, self._able(), lambda keeper: keeper.forget(message["conversation"]))

    def _cache(self, number: int, _message: Message) -> None:
        with self._model_lock:
            self._submit_act(number, self._able(), lambda keeper: asdict(keeper.report()))

    def _submit_act(self, number: int, engine: Engine, act: Callable[[ChatKeeper], object]) -> None:
        """Do something with the chat's cache between jobs, and answer what it answers."""
        keeper = engine.keeper
        assert keeper is not None  # it is there where anything can be decoded
        steps = self._act(number, keeper, act)
        self._scheduler.submit(Job(number, Rank.REPLY, engine.sequences[Lane.CHAT], steps))

    def _act(self, number: int, keeper: ChatKeeper, act: Callable[[ChatKeeper], object]) -> Iterator[None]:
        try:
            self._answer(number, "result", value=act(keeper))
        except Exception as error:
            self._answer_error(number, EngineFailed(detail=type(error).__name__))
        return
        yield  # a job is a generator

    def _generate(self, number: int, message: Message) -> None:
        request = unpack_request(message["request"])
        control = Control()
        with self._model_lock:
            engine = self._able()
            sequence = engine.sequences[request.lane]
            reply = ReplyJob(engine.model, engine.encoder, engine.samplers, sequence, request, control)
            rank = Rank.REPLY if request.lane is Lane.CHAT else Rank.MEMORY

            def emit(event: GenerateEvent) -> None:
                self._answer(number, "event", last=isinstance(event, Finished), value=pack_event(event))

            # Said before the job can say anything itself.
            self._answer(number, "result", last=False, value=None)
            self._scheduler.submit(Job(number, rank, sequence, reply.run(emit), control))
            if rank is Rank.REPLY:
                self._save_when_idle(engine)

    def _save_when_idle(self, engine: Engine) -> None:
        control = Control()
        assert engine.keeper is not None  # it is there where anything can be decoded
        steps = idle_steps(engine.keeper, control)
        self._scheduler.submit(Job(_NOBODY, Rank.IDLE, engine.sequences[Lane.CHAT], steps, control))

    def _score(self, number: int, message: Message) -> None:
        control = Control()

        def done(scores: list[float] | EngineFailed | None) -> None:
            if isinstance(scores, EngineFailed):
                self._answer_error(number, scores)
            else:
                self._answer(number, "result", value=scores)

        with self._model_lock:
            engine = self._able()
            sequence, fork = engine.sequences[Lane.MEMORY], engine.fork
            assert fork is not None  # it is there where anything can be decoded
            prompt = engine.encoder.encode(unpack_items(message["items"]), ReasoningMode.OFF)
            options = [engine.encoder.text_ids(prompt.lead + text) for text in message["options"]]
            tokens = len(prompt.ids) + max((len(option) for option in options), default=0)
            if tokens > sequence.cells:
                raise MessageTooLong(tokens=tokens, window=sequence.cells, over=tokens - sequence.cells)
            steps = score(sequence, fork, prompt.ids, options, message["conversation"], control, done, prompt.system)
            self._scheduler.submit(Job(number, Rank.MEMORY, sequence, steps, control))

    def _cancel(self, _number: int, message: Message) -> None:
        self._scheduler.cancel(int(message["job"]))

    def _warm(self, number: int, message: Message) -> None:
        control = Control()
        with self._model_lock:
            engine = self._able()
            encoded = engine.encoder.encode(unpack_items(message["items"]), ReasoningMode.OFF)
            sequence = engine.sequences[Lane.CHAT]
            ids = encoded.ids[: len(encoded.ids) - encoded.opener]
            if ids:
                steps = read_ahead(sequence, ids, message["conversation"], control, encoded.system)
                self._scheduler.submit(Job(number, Rank.AHEAD, sequence, steps, control))
        self._answer(number, "result", value=None)

    def _on_failure(self, job: Job, error: BaseException) -> None:
        if job.rank in (Rank.AHEAD, Rank.STAGE, Rank.IDLE):
            return  # `read_only` has said it, or nobody waits
        code = BrokenLogits.code if isinstance(error, BrokenLogits) else EngineFailed.code
        empty: tuple[int, ...] = ()
        finished = Finished(FinishReason.ERROR, "", "", empty, empty, 0, 0, 0, 0, 0.0, 0.0, 0, error=code)
        self._answer(job.number, "event", value=pack_event(finished))
