"""`fold` and `restore`: what a turn pays when the memory head changes, and what a conversation that is opened again."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from kotonia_desktop.bench.measuring import Result, Series, ratio
from kotonia_desktop.bench.peer import Peer
from kotonia_desktop.bench.subject import Subject, line
from kotonia_desktop.domain.errors import EngineFailed
from kotonia_desktop.domain.models import LoadOptions
from kotonia_desktop.engine.loading import check_options

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CacheOptions:
    """`live` tokens of the open conversation; `new` of the prefix that takes its place; a turn is `turn` tokens."""

    model: Path
    live: int = 8000
    new: int = 4000
    turn: int = 60
    runs: int = 5
    peer: bool = False
    threads: int = 0
    settings: tuple[str, ...] = ("f16", "q8_0")


def fold(options: CacheOptions, tell: Tell) -> Result:
    """Milliseconds until the first token of the turn that switches to a new prefix, over those of an ordinary turn."""
    result = Result("fold", options.model.name)
    window = max(options.live + 4 * options.turn + 64, options.new * 5 // 3 + 4 * options.turn) + 256
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        subject = stack.enter_context(Subject(options.model, window, threads=options.threads, snapshots=folder))
        ids = subject.vocabulary.ids
        live = line(ids(0, options.live))
        new = (line(ids(50, options.new)),)
        names = ("ordinary", "with a prefix ready", "switching", "swap")
        series = {name: Series(f"{name} ms", "ms") for name in names}

        def turn(items: tuple, number: int) -> float:  # type: ignore[type-arg]
            answer = subject.answer([*items, line(ids(number + 1, options.turn))], 1, "c")
            return answer.first.wall * 1000

        subject.engine.read([live], "c")
        turn((live,), 0)
        tell("the live conversation is read")
        for run in range(options.runs):
            series["ordinary"].values.append(turn((live,), 100 + run))
            staged = subject.engine.stage(new, "c")
            if staged is None:
                raise EngineFailed(detail="the new prefix was not staged")
            series["with a prefix ready"].values.append(turn((live,), 200 + run))
            started = time.perf_counter()
            subject.engine.swap(new, "c")
            series["swap"].values.append((time.perf_counter() - started) * 1000)
            series["switching"].values.append(turn(new, 300 + run))
            tell(f"run {run + 1}: " + ", ".join(f"{name} {one.values[-1]:.0f} ms" for name, one in series.items()))
            if run + 1 < options.runs:
                # The live conversation comes back from disk, as after a switch between conversations.
                subject.answer([line((5, 6, 7))], 1, "another")
                turn((live,), 400 + run)
        result.add(*series.values())
        result.results["ratio_to_ordinary"] = round(ratio(series["switching"], series["ordinary"]), 4)
        result.results["cost_of_a_prefix_ready"] = round(
            ratio(series["with a prefix ready"], series["ordinary"]) - 1, 4
        )
        if options.peer:
            _fold_of_peer(options, subject, window, result, tell)
    return result


def _fold_of_peer(options: CacheOptions, subject: Subject, window: int, result: Result, tell: Tell) -> None:
    """The peer has no staging: the turn that switches reads the new prefix. Once: it takes as long as reading does."""
    ids = subject.vocabulary.ids
    loaded = subject.loaded
    with Peer(options.model, window, loaded.threads, loaded.step, same=True) as peer:

        def prompt(prefix: int, count: int, number: int) -> list[int]:
            return subject.vocabulary.prompt([line(ids(prefix, count)), line(ids(number, options.turn))])

        peer.complete(prompt(0, options.live, 1), 1)
        ordinary = Series("peer ordinary ms", "ms")
        for run in range(3):
            ordinary.values.append(peer.complete(prompt(0, options.live, 100 + run), 1).first.wall * 1000)
        switching = peer.complete(prompt(50, options.new, 300), 1).first.wall * 1000
        tell(f"the peer: ordinary {ordinary.median:.0f} ms, switching {switching:.0f} ms")
    result.add(ordinary, Series("peer switching ms", "ms", [switching]))
    result.results["peer_ratio_to_ordinary"] = round(switching / ordinary.median, 4)


def restore(options: CacheOptions, tell: Tell) -> Result:
    """Seconds of reading a conversation cold over those of bringing it back from disk in a new process; and whether the
    next token's logits are the same bit for bit. `live` tokens; `runs` restores for each setting."""
    result = Result("restore", options.model.name)
    check_options(LoadOptions(str(options.model)))  # the processes could only say that they ended
    speedups: list[float] = []
    equal = True
    for setting in options.settings:
        with tempfile.TemporaryDirectory() as folder:
            first = _opened(options, setting, Path(folder))
            tell(f"{setting}: read cold in {first['read_seconds']:.1f} s")
            again = [_opened(options, setting, Path(folder)) for _ in range(options.runs)]
        if any(row["restored"] != options.live for row in again):
            raise EngineFailed(detail="the conversation did not come back from disk")
        seconds = Series(f"{setting} restore ms", "ms", [row["claim_seconds"] * 1000 for row in again])
        result.add(seconds)
        same = all(row["logits"] == first["logits"] for row in again)
        speedup = first["read_seconds"] * 1000 / seconds.median
        speedups.append(speedup)
        equal = equal and same
        result.results |= {
            f"{setting}_cold_seconds": round(first["read_seconds"], 2),
            f"{setting}_speedup": round(speedup, 1),
            f"{setting}_bit_equal": same,
            f"{setting}_bytes": first["bytes"],
        }
        tell(f"{setting}: {seconds}")
    result.results |= {"speedup": round(min(speedups), 1), "bit_equal": equal}
    result.notes.append("every restore in a process of its own; the file is in the system's cache")
    return result


def _opened(options: CacheOptions, setting: str, folder: Path) -> dict:  # type: ignore[type-arg]
    """Open the conversation in a new process (`restore_child`); what it says of it."""
    values = {
        "model": str(options.model),
        "tokens": options.live,
        "kv_type": setting,
        "threads": options.threads,
        "snapshots": str(folder),
    }
    done = subprocess.run(
        [sys.executable, "-m", "kotonia_desktop.bench.restore_child", json.dumps(values)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise EngineFailed(detail=f"the process that reads ended with {done.returncode}")
    return dict(json.loads(done.stdout.splitlines()[-1]))
