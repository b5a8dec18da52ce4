"""`preempt`: how long a person waits who speaks while a chapter is being read or written.

Replies are asked for at random moments; what they take more than on an idle engine is the price. The control leaves
background steps unbroken. The chapter must come out the same as without any reply.
"""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from kotonia_desktop.bench.measuring import Result, Series, ratio, timed
from kotonia_desktop.bench.subject import SAMPLING, Subject, line
from kotonia_desktop.domain.ports import Finished, GenerateJob, GenerateRequest, Lane, PromptItem

Tell = Callable[[str], None]
_LARGE_STEP = 512


@dataclass(frozen=True, slots=True)
class PreemptOptions:
    """`chapter` and `written`: tokens of the background's prompt and text. A reply is `turn` tokens behind `depth`."""

    model: Path
    arrivals: int = 30
    depth: int = 1000
    chapter: int = 1600
    written: int = 40
    turn: int = 8
    runs: int = 3
    """How often the chapter is read with each size of step."""
    threads: int = 0


class _Chronicler:
    """Writes chapters one after the other until it is ended. Every one is of the same prompt and random seed."""

    def __init__(self, subject: Subject, options: PreemptOptions) -> None:
        self._subject = subject
        self._items: tuple[PromptItem, ...] = (line(subject.vocabulary.ids(7, options.chapter)),)
        self._sampling = replace(SAMPLING, max_tokens=options.written)
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._job: GenerateJob | None = None
        self.texts: list[str] = []
        self.seconds: list[float] = []

    def write(self, number: int) -> Finished:
        """One chapter, read from its first token."""
        request = GenerateRequest(self._items, self._sampling, Lane.MEMORY, conversation=f"chapter {number}")
        # Another conversation's cells go first, so that every chapter is read as well as written.
        self._subject.answer([line((5, 6, 7))], 1, f"nothing {number}", lane=Lane.MEMORY)
        self._job = self._subject.engine.generate(request)
        return next(event for event in self._job if isinstance(event, Finished))

    def _run(self) -> None:
        number = 0
        while not self._ended.is_set():
            number += 1
            started = time.perf_counter()
            finished = self.write(number)
            if not self._ended.is_set():
                self.texts.append(finished.text)
                self.seconds.append(time.perf_counter() - started)

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="chronicler", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        if self._job is not None:
            self._job.cancel()
        if self._thread is not None:
            self._thread.join()


@dataclass(slots=True)
class _Waits:
    idle: Series = field(default_factory=lambda: Series("idle first token ms", "ms"))
    busy: Series = field(default_factory=lambda: Series("busy first token ms", "ms"))
    chapters: list[str] = field(default_factory=list)
    alone: str = ""
    rate: float = 0.0


def _measure(options: PreemptOptions, tell: Tell, name: str, *, breaks_off: bool) -> _Waits:
    chance = random.Random(1)
    waits = _Waits()
    window = max(options.depth + 64, (options.chapter + options.written + 64) * 5 // 3 + 64) + 512
    with Subject(options.model, window, threads=options.threads, breaks_off=breaks_off) as subject:
        prefix = line(subject.vocabulary.ids(0, options.depth))
        subject.answer([prefix], 1, "c")

        def reply(number: int) -> float:
            items = [prefix, line(subject.vocabulary.ids(number + 100, options.turn))]
            return subject.answer(items, 1, "c").first.wall * 1000

        for number in range(max(5, options.arrivals // 3)):
            waits.idle.values.append(reply(number))
        chronicler = _Chronicler(subject, options)
        started = time.perf_counter()
        alone = chronicler.write(0)
        length = time.perf_counter() - started
        waits.alone = alone.text
        waits.rate = (alone.prompt_tokens - alone.reused_tokens) / alone.prompt_seconds
        chronicler.start()
        for number in range(options.arrivals):
            time.sleep(chance.uniform(0.05, max(0.1, length / 3)))
            waits.busy.values.append(reply(number + 1000))
            tell(f"{name}, arrival {number + 1}: {waits.busy.values[-1]:.0f} ms")
        until = time.monotonic() + 2 * length + 30
        while not chronicler.texts and time.monotonic() < until:
            time.sleep(0.05)
        chronicler.end()
        waits.chapters = chronicler.texts
    return waits


def _reading(options: PreemptOptions, tell: Tell) -> tuple[Series, Series, Series]:
    """Milliseconds of a background step, and tokens that a second of the processor reads of a chapter: in such steps,
    and in large ones, in turn."""
    step = Series("step ms", "ms")
    small, large = (
        Series("small steps tokens per cpu second", "tok/s"),
        Series("large steps tokens per cpu second", "tok/s"),
    )
    window = options.chapter * 2 + 256
    with (
        Subject(options.model, window, threads=options.threads) as one,
        Subject(options.model, window, threads=options.threads, step=_LARGE_STEP) as other,
    ):
        for run in range(options.runs):
            items = [line(one.vocabulary.ids(run + 3, options.chapter))]
            for subject, series in ((one, small), (other, large)):
                read, seconds = timed(subject.pid, partial(subject.engine.read, items, f"{run}"))
                fresh = read.prompt_tokens - read.reused_tokens
                series.values.append(fresh / seconds.cpu)
                if subject is one:
                    step.values.append(1000 * one.loaded.step * read.seconds / fresh)
            tell(f"steps, run {run + 1}: {small.values[-1]:.1f} and {large.values[-1]:.1f} tok/s")
        return step, small, large


def preempt(options: PreemptOptions, tell: Tell) -> Result:
    """Milliseconds and background steps that a reply waits for the background, with and without breaking off."""
    result = Result("preempt", options.model.name)
    broken = _measure(options, tell, "breaking off", breaks_off=True)
    waiting = _measure(options, tell, "control", breaks_off=False)
    step, small, large = _reading(options, tell)
    result.add(broken.idle, broken.busy)
    result.add(step, small, large)
    result.add(Series("control busy first token ms", "ms", waiting.busy.values))
    extra = broken.busy.median - broken.idle.median
    control = waiting.busy.median - waiting.idle.median
    result.results |= {
        "extra_ms": round(extra, 2),
        "extra_ms_max": round(max(broken.busy.values) - broken.idle.median, 2),
        "extra_steps": round(extra / step.median, 4),
        "extra_steps_max": round((max(broken.busy.values) - broken.idle.median) / step.median, 4),
        "control_extra_ms": round(control, 2),
        "control_extra_steps": round(control / step.median, 4),
        "throughput_cost": round(1 - ratio(small, large), 4),
        "chapters_completed": len(broken.chapters),
        "same_text": bool(broken.chapters) and set(broken.chapters) == {broken.alone},
    }
    result.notes.append(
        "extra: over the median on an idle engine; the cost of small steps is in seconds of the processor"
    )
    return result
