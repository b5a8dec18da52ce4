"""Seconds of the wall and of the processor, medians and ratios: what every measurement is made of.

On a machine that others use too, the wall tells how busy they are; the processor's time tells what the work costs.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import psutil

T = TypeVar("T")
TICK = 0.01
"""Seconds: systems count the processor's time in steps of this size, so less cannot be told from nothing."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """What a piece of work took: of the clock on the wall, and of the processor (all threads)."""

    wall: float
    cpu: float


def processor_seconds(pid: int) -> float:
    """Seconds of the processor that a process has used so far."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def spent(pid: int, cpu: float, started: float) -> Seconds:
    """What a process took since `cpu` (`processor_seconds`) and `started` (`perf_counter`); a tick at the least."""
    wall = time.perf_counter() - started
    return Seconds(wall, max(TICK, processor_seconds(pid) - cpu))


def timed(pid: int, act: Callable[[], T]) -> tuple[T, Seconds]:
    """Do something that keeps a process busy, and measure that process."""
    cpu, started = processor_seconds(pid), time.perf_counter()
    result = act()
    return result, spent(pid, cpu, started)


@dataclass(slots=True)
class Series:
    """Repeated measurements of one thing, in one unit."""

    name: str
    unit: str
    values: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The value in the middle; nan where there is none."""
        return statistics.median(self.values) if self.values else float("nan")

    def __str__(self) -> str:
        if not self.values:
            return f"{self.name}: -"
        low, high = min(self.values), max(self.values)
        return f"{self.name}: {self.median:.4g} {self.unit} [{low:.4g} - {high:.4g}], n={len(self.values)}"


def ratio(over: Series, under: Series) -> float:
    """Median over median."""
    return over.median / under.median


@dataclass(slots=True)
class Result:
    """What a measurement found: its figures by name, the series behind them, and what must be said about it."""

    bench: str
    model: str
    results: dict[str, float | int | bool | str] = field(default_factory=dict)
    series: list[Series] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, *series: Series) -> None:
        """Keep series, with their medians among the figures."""
        for one in series:
            self.series.append(one)
            self.results[one.name.replace(" ", "_")] = round(one.median, 4)

    def as_json(self) -> dict[str, object]:
        """One line: `bench`, `model`, `results`."""
        return {"bench": self.bench, "model": self.model, "results": self.results}


def rounded(values: Sequence[float], digits: int = 4) -> list[float]:
    """For JSON."""
    return [round(value, digits) for value in values]
