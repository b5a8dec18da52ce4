"""Warm against cold logits of real models, in the same steps: `python tests/engine/real_logits.py MODEL.gguf ...`.

Prints, for what a conversation does to its cache, how far the next token's logits are from those of a cold reading: 0
where nothing is wrong, also for models in few bits, whose logits differ by tenths where the steps differ. The last line
is the control: a state that is taken for another.
"""

# ruff: noqa: E402

import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]  # to be run by itself

import numpy as np
from cache_stage import Pair, read

from kotonia_desktop.engine.llama import Context, Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.sequences import CachedSequence
from kotonia_desktop.engine.shape import Shape

CELLS = 4096
SYSTEM = 128
"""Tokens of the system part: two steps."""


class Steps:
    """Remembers in which steps the tokens of a context's sequences were read."""

    def __init__(self, context: Context) -> None:
        self.of: dict[int, list[tuple[int, int]]] = {}
        decode = context.decode

        def noted(tokens: Sequence[int], sequence: int, position: int, logits: bool) -> int:
            steps = self.of.setdefault(sequence, [])
            while steps and steps[-1][0] >= position:
                steps.pop()
            code = decode(tokens, sequence, position, logits)
            steps.append((position, len(tokens)))
            return code

        context.decode = noted  # type: ignore[method-assign]


def cold(model: Model, ids: Sequence[int], steps: Sequence[tuple[int, int]]) -> np.ndarray:
    """The logits behind `ids`, read from the first token on in these steps."""
    context = Context(model, CELLS, 4, Shape())
    for position, count in steps:
        context.remove(0, position)  # the tail of a step that was read again by itself
        context.decode(ids[position : position + count], 0, position, position + count == len(ids))
    logits = context.logits().copy()
    context.free()
    return logits


def differences(model: Model, folder: Path) -> dict[str, float]:
    """What is done to the cache, and the largest difference of a logit behind it."""
    top = min(model.vocab_size, 30_000)

    def some(number: int, count: int) -> list[int]:
        return random.Random(number).choices(range(top // 30, top), k=count)

    system, turn = some(1, SYSTEM), some(3, 60)
    old = system + some(2, 1152)
    new = system + some(4, 256) + old[-256:]
    pair = Pair(model, folder, CELLS, 2**34, Shape())
    chat, staged = Steps(pair.contexts[0]), Steps(pair.contexts[1])
    found: dict[str, float] = {}

    def compare(name: str, ids: list[int], steps: Steps, of: Pair) -> None:
        reused = read(of.chat, ids, "c", SYSTEM)
        apart = np.abs(of.chat.context.logits() - cold(model, ids, steps.of[0])).max()
        found[f"{name}, {reused} of {len(ids)} reused"] = float(apart)

    read(pair.chat, old, "c", SYSTEM)
    compare("a turn", old + turn, chat, pair)
    for token in some(9, 20):
        list(pair.chat.read([token], True))
    compare("the reply again", old + turn, chat, pair)
    compare("an edit", old[:640] + some(5, 100), chat, pair)
    read(pair.chat, old, "c", SYSTEM)
    read(pair.stage, new, "c", SYSTEM)
    assert pair.keeper.swap(new, "c")
    chat.of[0] = list(staged.of[1])
    compare("a fold", new + turn, chat, pair)
    read(pair.chat, new, "c", SYSTEM)
    saved = list(chat.of[0])
    pair.keeper.park()
    pair.close()
    again = Pair(model, folder, CELLS, 2**34, Shape())
    chat = Steps(again.contexts[0])
    chat.of[0] = saved
    compare("a restart", new + turn, chat, again)
    state = again.chat.save()
    state.ids[SYSTEM : SYSTEM + 256] = some(77, 256)
    wrong = state.ids + some(8, 30)
    assert again.chat.adopt(state)
    read(again.chat, wrong, "c", SYSTEM)
    other = Context(model, CELLS, 4, Shape())
    read(CachedSequence(other, 0, CELLS), wrong, "c", SYSTEM)
    found["CONTROL: a state taken for another"] = float(np.abs(again.chat.context.logits() - other.logits()).max())
    other.free()
    again.close()
    return found


if __name__ == "__main__":
    start_library()
    for path in sys.argv[1:]:
        loaded = Model(path)
        with tempfile.TemporaryDirectory() as made:
            print(Path(path).name)
            for what, apart in differences(loaded, Path(made)).items():
                print(f"  {what}: {apart:.6f}", flush=True)
        loaded.free()
