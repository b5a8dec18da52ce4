"""One thread that does all decoding: what a person waits for goes before what runs in the background.

Jobs are generators that yield after each decode step. A background decode is broken off when somebody's reply is asked
for, and goes on afterwards. Whole acts (load, unload) run on the same thread, between steps.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from kotonia_desktop.engine.jobs import Control
from kotonia_desktop.engine.sequences import CachedSequence


class Rank(IntEnum):
    """Who goes first."""

    REPLY = 0
    """A person waits for it."""
    AHEAD = 1
    """Reads what a person will ask for next; ended when somebody asks."""
    STAGE = 2
    """Builds the next beginning of a prompt; goes on after replies, as all that follows."""
    MEMORY = 3
    IDLE = 4
    """What only nobody else's work leaves time for."""


@dataclass(slots=True, eq=False)
class Job:
    """A generator with its rank and the sequence it works on. `steps` is started on the scheduler's thread."""

    number: int
    rank: Rank
    sequence: CachedSequence
    steps: Iterator[None]
    control: Control = field(default_factory=Control)


class Scheduler:
    """Owns the decoding thread. `submit`, `cancel` and `call` may be called from any other thread."""

    def __init__(self, on_failure: Callable[[Job, BaseException], None]) -> None:
        """`on_failure` hears of an exception that a job let out, on the decoding thread."""
        self._changed = threading.Condition()
        self._queues: dict[Rank, deque[Job]] = {rank: deque() for rank in Rank}
        self._calls: deque[Callable[[], None]] = deque()
        self._current: Job | None = None
        self._on_failure = on_failure
        self.breaks_off = True
        """Whether a background decode is broken off for a reply."""
        threading.Thread(target=self._run, name="decode", daemon=True).start()

    def submit(self, job: Job) -> None:
        """Queue a job. A reply ends all reading ahead and breaks a background decode off."""
        with self._changed:
            self._queues[job.rank].append(job)
            job.sequence.busy = True
            if job.rank is Rank.REPLY:
                for ahead in self._queues[Rank.AHEAD]:
                    ahead.control.cancelled = True
                current = self._current
                breaks_off = self.breaks_off and current is not None and current.sequence.survives_abort
                if breaks_off and current is not None and current.rank > Rank.REPLY:
                    current.sequence.context.aborting = True
            self._changed.notify_all()

    def cancel(self, number: int) -> None:
        """Ask a job to end; its decode is broken off."""
        with self._changed:
            for job in self._jobs():
                if job.number == number:
                    self._end(job)

    def end_all(self) -> None:
        """Ask every job to end, as interrupted."""
        with self._changed:
            for job in self._jobs():
                job.control.interrupted = True
                self._end(job)

    def _jobs(self) -> list[Job]:
        return [job for queue in self._queues.values() for job in queue]

    def _end(self, job: Job) -> None:
        job.control.cancelled = True
        if job is self._current and job.sequence.is_worth_an_abort:
            job.sequence.context.aborting = True

    def call(self, act: Callable[[], None]) -> None:
        """Run an act on the decoding thread when all jobs that were asked to end have ended."""
        with self._changed:
            self._calls.append(act)
            self._changed.notify_all()

    def _choose(self) -> Job | Callable[[], None]:
        """The next thing to do. Waits for one. Jobs that shall end come first, so that they can say so."""
        with self._changed:
            while True:
                jobs = self._jobs()
                ending = next((job for job in jobs if job.control.cancelled), None)
                if ending is None and self._calls:
                    self._current = None
                    return self._calls.popleft()
                chosen = ending or (jobs[0] if jobs else None)
                if chosen is not None:
                    self._current = chosen
                    chosen.sequence.context.aborting = False
                    return chosen
                self._current = None
                self._changed.wait()

    def _run(self) -> None:
        while True:
            chosen = self._choose()
            if not isinstance(chosen, Job):
                chosen()
                continue
            try:
                next(chosen.steps)
            except StopIteration:
                self._remove(chosen)
            except Exception as error:
                self._remove(chosen)
                self._on_failure(chosen, error)

    def _remove(self, job: Job) -> None:
        with self._changed:
            self._queues[job.rank].remove(job)
            job.sequence.busy = any(other.sequence is job.sequence for other in self._jobs())
            self._current = None
            job.sequence.context.aborting = False
