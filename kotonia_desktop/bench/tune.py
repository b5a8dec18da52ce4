"""`tune`: how a model runs fastest on this machine. The app finds that out by itself at the first load, in seconds;
here it has more time, and what it finds takes the place of what was found before.

It is tried in a process of its own (`tune_child`): rearranged weights end llama.cpp on some machines, and then it is
tried once more with the weights as they are.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from kotonia_desktop.bench.measuring import Result
from kotonia_desktop.domain.errors import EngineFailed, WriteFailed
from kotonia_desktop.engine.gguf_header import read_header
from kotonia_desktop.engine.snapshots import digest_of_model
from kotonia_desktop.engine.tuning import Tuned, remember


def tune(path: Path, file: Path, seconds: float, tell: Callable[[str], None]) -> Result:
    """Try what there is, keep it in `file`, and say what each way costs. Raises `KotoniaError`."""
    read_header(str(path))
    try:
        found, log = _tried(path, seconds, plain_weights=False)
    except EngineFailed:
        tell("the engine ended with rearranged weights; once more with the weights as they are")
        found, log = _tried(path, seconds, plain_weights=True)
    try:
        remember(file, digest_of_model(path), found)
    except OSError as error:
        raise WriteFailed(path=str(file), detail=error.strerror or "it cannot be written") from error
    result = Result("tune", path.name)
    for way, needed in log:
        tell(f"{needed:.2f} s for a turn: {way}")
    result.results |= {name: value for name, value in asdict(found).items() if name != "turn_seconds"}
    result.results["turn_seconds"] = round(found.turn_seconds, 3)
    result.results["tried"] = len(log)
    result.notes.append(f"kept in {file}")
    return result


def _tried(path: Path, seconds: float, *, plain_weights: bool) -> tuple[Tuned, list[tuple[str, float]]]:
    """The best way and all that was tried. Raises `EngineFailed` where the process ends without an answer."""
    asked = json.dumps({"model": str(path), "seconds": seconds, "plain_weights": plain_weights})
    done = subprocess.run(
        [sys.executable, "-m", "kotonia_desktop.bench.tune_child", asked], capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise EngineFailed(detail=said[-1] if said else f"the process that tries it out ended with {done.returncode}")
    answer = json.loads(lines[-1])
    if "error" in answer:
        raise EngineFailed(detail=answer["error"])
    return Tuned(**answer["found"]), [(way, needed) for way, needed in answer["log"]]
