"""Finds out, once for a machine and a model, how the model runs fastest on its processor: a benchmark of seconds.

The rearranging of weights, flash attention, threads, and tokens of a step are tried one after the other, each against
the best so far, behind a short text: how much one way is better than another shows there too. What the time does not
allow keeps its default. With a graphics card nothing is tried.
"""

import contextlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import psutil

from kotonia_desktop.engine.llama import DECODED, Context, LlamaError, Model
from kotonia_desktop.engine.llama_library import library_version
from kotonia_desktop.engine.shape import STEP, Shape

BUDGET: Final = 15.0
"""Seconds that all of it may take."""
_DEPTH: Final = 160
"""Tokens before what is measured."""
_TURN: Final = 60
_REPLY: Final = 150
_READ: Final = 200
"""Tokens that a turn costs beside its own: what is read in the background, in folds, after edits."""
_WRITTEN: Final = 5
_BETTER: Final = 0.97
"""Another way must save so much to be taken: less may be chance."""
_CLEARLY_BETTER: Final = 0.90
"""So much must flash attention save: on a processor a step of few tokens falls behind with it the more lies before it
(4.5 times at 2,000 tokens, measured), and what is measured here lies shallow."""
_CELLS: Final = 512
_VERSION: Final = 1
_LIMIT: Final = 2**20


@dataclass(frozen=True, slots=True)
class Tuned:
    """How a model runs fastest. `turn_seconds` is what a turn takes with a short text before it."""

    flash: bool
    plain_weights: bool
    threads: int
    step: int
    turn_seconds: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of one token of a reply, of a short turn, and of reading one token among many."""

    token: float
    turn: float
    reading: float

    def turn_seconds(self) -> float:
        """What a turn takes: its line, its reply, and its share of reading."""
        return self.turn + _REPLY * self.token + _READ * self.reading


class Tuner:
    """Measures ways of running a model. `make` loads the model with plain or rearranged weights."""

    def __init__(
        self,
        model: Model,
        plain_weights: bool,
        make: Callable[[bool], Model] | None,
        threads: int,
        goes_on: Callable[[float], bool] = lambda _share: True,
    ) -> None:
        """`make` None: the weights stay as they are. Owns what `make` gives, but for the model that is chosen.
        `goes_on` hears what share of the time has gone, and answers whether to go on."""
        self._goes_on = goes_on
        self._models = {plain_weights: model}
        self._make = make
        self._threads = threads
        self._until = 0.0
        self.log: list[tuple[str, float]] = []
        """What was tried, and the seconds a turn would take with it."""

    def run(self, seconds: float = BUDGET) -> tuple[Tuned, Model]:
        """Find the best way; the model to go on with, the others are given back."""
        self._until = time.monotonic() + seconds
        (plain,) = self._models
        best = Tuned(False, plain, self._threads, STEP, float("inf"))
        best = replace(best, turn_seconds=self._turn_seconds(best))
        for candidate in self._candidates(best):
            for key, value in candidate.items():
                left = self._until - time.monotonic()
                if left <= 0 or not self._goes_on(1 - left / seconds):
                    break
                best = self._better(best, key, value)
        for weights, model in self._models.items():
            if weights != best.plain_weights:
                model.free()
        return best, self._models[best.plain_weights]

    def _candidates(self, start: Tuned) -> Iterator[dict[str, object]]:
        if self._make is not None:
            yield {"plain_weights": not start.plain_weights}
        yield {"flash": True}
        half = max(1, self._threads // 2)
        if half != self._threads:
            yield {"threads": half}
        yield {"step": STEP // 2}
        yield {"step": STEP * 2}

    def _better(self, best: Tuned, key: str, value: object) -> Tuned:
        changed = replace(best, **{key: value})  # type: ignore[arg-type]
        if changed.flash and changed.step < STEP:
            return best  # its tiles are of 64 rows
        seconds = self._turn_seconds(changed)
        enough = _CLEARLY_BETTER if key == "flash" else _BETTER
        return replace(changed, turn_seconds=seconds) if seconds < best.turn_seconds * enough else best

    def _turn_seconds(self, way: Tuned) -> float:
        with contextlib.suppress(LlamaError):
            if way.plain_weights not in self._models and self._make is not None:
                self._models[way.plain_weights] = self._make(way.plain_weights)
            model = self._models[way.plain_weights]
            seconds = measure(model, Shape(flash=way.flash, step=way.step, threads=way.threads)).turn_seconds()
            self.log.append((_words(way), seconds))
            return seconds
        return float("inf")


def _words(way: Tuned) -> str:
    weights = "as they are" if way.plain_weights else "rearranged"
    return f"flash attention {way.flash}, weights {weights}, {way.threads} threads, steps of {way.step}"


def measure(model: Model, shape: Shape) -> Measured:
    """Time a model in one shape. Raises `LlamaError`."""
    context = Context(model, _CELLS, 1, shape)
    try:
        filler = [max(model.bos, 0)] + [(number * 7919) % (model.vocab_size // 2) + 1 for number in range(_CELLS)]
        done = 0

        def read(count: int, step: int) -> float:
            nonlocal done
            started = time.perf_counter()
            for begin in range(0, count, step):
                tokens = filler[done : done + min(step, count - begin)]
                if context.decode(tokens, 0, done, True) != DECODED:
                    raise LlamaError("the machine has no room to measure")
                done += len(tokens)
            return time.perf_counter() - started

        reading = read(_DEPTH, shape.step) / _DEPTH
        token = min(read(1, 1) for _ in range(_WRITTEN))
        return Measured(token, read(_TURN, shape.step), reading)
    finally:
        context.free()


# -- what was found, on disk


def machine() -> str:
    """A name for this machine and library: what was measured on another says nothing."""
    name = platform.processor()
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return f"{name} {psutil.cpu_count(logical=False)}/{psutil.cpu_count()} llama {library_version()}"


def recall(file: Path, model: str) -> Tuned | None:
    """What was found for a model (`digest_of_model`) on this machine; None where nothing was, or it is damaged."""
    values = _read(file).get(machine(), {})
    row = values.get(model) if isinstance(values, dict) else None
    if not isinstance(row, dict):
        return None
    try:
        tuned = Tuned(**row)
    except TypeError:
        return None
    sound = (
        isinstance(tuned.flash, bool)
        and isinstance(tuned.plain_weights, bool)
        and isinstance(tuned.threads, int)
        and 1 <= tuned.threads <= (psutil.cpu_count() or 1)
        and isinstance(tuned.step, int)
        and 16 <= tuned.step <= 512
    )
    return tuned if sound else None


def remember(file: Path, model: str, tuned: Tuned) -> None:
    """Keep what was found, for the next load; the file is whole at any time. Raises `OSError`."""
    values = _read(file)
    here = values.setdefault(machine(), {})
    if not isinstance(here, dict):
        here = values[machine()] = {}
    here[model] = asdict(tuned)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(file.name + ".part")
    part.write_text(json.dumps({"version": _VERSION, "machines": values}, indent=1), encoding="utf-8")
    os.replace(part, file)


def _read(file: Path) -> dict[str, object]:
    try:
        with file.open("rb") as stream:
            values = json.loads(stream.read(_LIMIT))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(values, dict) or values.get("version") != _VERSION:
        return {}
    machines = values.get("machines")
    return machines if isinstance(machines, dict) else {}
