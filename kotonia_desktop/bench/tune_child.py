"""The process of `kotonia bench tune`: tries a model out, and may die of it.

Run as `python -m kotonia_desktop.bench.tune_child JSON`; the last line it prints is a JSON object.
"""

import json
import sys
from dataclasses import asdict

from kotonia_desktop.engine.llama import LlamaError, Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.tuning import Tuner
from kotonia_desktop.engine.window_fit import default_threads


def main() -> None:
    """Try it out."""
    asked = json.loads(sys.argv[1])
    start_library()

    def load(plain_weights: bool) -> Model:
        return Model(asked["model"], plain_weights=plain_weights)

    plain = bool(asked["plain_weights"])
    try:
        # Weights that ended the process before are not tried again.
        tuner = Tuner(load(plain), plain, None if plain else load, default_threads())
        found, _ = tuner.run(asked["seconds"])
    except LlamaError as error:
        sys.stdout.write(json.dumps({"error": str(error)}) + "\n")
        return
    sys.stdout.write(json.dumps({"found": asdict(found), "log": tuner.log}) + "\n")


if __name__ == "__main__":
    main()
