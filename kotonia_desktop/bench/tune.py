"""`tune`: how a model runs fastest on this machine. The app finds that out by itself at the first load, in seconds;
here it has more time, and what it finds takes the place of what was found before.
"""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from kotonia_desktop.bench.measuring import Result
from kotonia_desktop.domain.errors import EngineFailed, WriteFailed
from kotonia_desktop.engine.gguf_header import read_header
from kotonia_desktop.engine.llama import LlamaError, Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.snapshots import digest_of_model
from kotonia_desktop.engine.tuning import Tuner, remember
from kotonia_desktop.engine.window_fit import default_threads


def tune(path: Path, file: Path, seconds: float, tell: Callable[[str], None]) -> Result:
    """Try what there is, keep it in `file`, and say what each way costs. Raises `KotoniaError`."""
    read_header(str(path))
    start_library()

    def load(plain_weights: bool) -> Model:
        return Model(str(path), plain_weights=plain_weights)

    try:
        tuner = Tuner(load(False), False, load, default_threads())
        found, chosen = tuner.run(seconds)
    except LlamaError as error:
        raise EngineFailed(detail=str(error)) from error
    chosen.free()
    try:
        remember(file, digest_of_model(path), found)
    except OSError as error:
        raise WriteFailed(path=str(file), detail=error.strerror or "it cannot be written") from error
    result = Result("tune", path.name)
    for way, needed in tuner.log:
        tell(f"{needed:.2f} s for a turn: {way}")
    result.results |= {name: value for name, value in asdict(found).items() if name != "turn_seconds"}
    result.results["turn_seconds"] = round(found.turn_seconds, 3)
    result.results["tried"] = len(tuner.log)
    result.notes.append(f"kept in {file}")
    return result
