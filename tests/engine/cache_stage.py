"""What the tests of the engine's cache share: models of every kind, contexts side by side, logits read cold."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from kotonia_desktop.engine.jobs import Control, read_prompt
from kotonia_desktop.engine.keeper import ChatKeeper
from kotonia_desktop.engine.llama import Context, Model
from kotonia_desktop.engine.sequences import CachedSequence, Use, make_neighbours
from kotonia_desktop.engine.shape import Shape
from kotonia_desktop.engine.snapshots import SnapshotStore

STEP = 16
CELLS = 2048
CLOSE = 1e-3
"""Logits of one text that was read in steps of other lengths differ by less (tiny f32 models, no flash attention)."""


def random_ids(number: int, count: int) -> list[int]:
    return random.Random(number).choices(range(3, 250), k=count)


def read(sequence: CachedSequence, ids: Sequence[int], owner: str = "", system: int = 0) -> int:
    """Read as a job does; how many tokens were reused."""
    sequence.claim(ids, owner)
    steps = list(read_prompt(sequence, ids, True, Control(), system))
    assert sequence.ids == list(ids)
    return steps[-1][1]


def cold_logits(model: Model, ids: Sequence[int], cells: int = CELLS, step: int = STEP) -> np.ndarray:
    made = Context(model, cells, 4, Shape(step=step))
    read(CachedSequence(made, 0, cells), ids)
    logits = made.logits().copy()
    made.free()
    return logits


def difference(sequence: CachedSequence, ids: Sequence[int]) -> float:
    """How far the logits behind `ids` are from those of a cold reading."""
    return float(np.abs(sequence.context.logits() - cold_logits(sequence.context.model, ids)).max())


def noise(model: Model, ids: Sequence[int]) -> float:
    """How far a cold reading token by token is from one in steps: some texts lie where a small sum decides much."""
    return float(np.abs(cold_logits(model, ids) - cold_logits(model, ids, step=1)).max())


class Pair:
    """The two contexts of an engine, with their sequences and the keeper."""

    def __init__(
        self,
        model: Model,
        folder: Path | None = None,
        cells: int = CELLS,
        most: int = 2**30,
        shape: Shape | None = None,
    ) -> None:
        self.contexts = [Context(model, cells, 4, shape or Shape(step=STEP)) for _ in range(2)]
        chat, memory = self.contexts
        self.chat = CachedSequence(chat, 0, cells)
        self.chronicler = CachedSequence(memory, 0, cells, Use.CHRONICLER)
        self.stage = CachedSequence(memory, 1, cells, Use.STAGE)
        self.fork = CachedSequence(memory, 2, cells, Use.FORK)
        make_neighbours((self.chronicler, self.stage, self.fork))
        self.store = None if folder is None else SnapshotStore(folder, f"tiny {chat.shape}", most)
        self.keeper = ChatKeeper(self.chat, self.stage, self.store)

    def close(self) -> None:
        self.keeper.close()
        for context in self.contexts:
            context.free()


@contextmanager
def pair(
    model: Model,
    folder: Path | None = None,
    cells: int = CELLS,
    most: int = 2**30,
    shape: Shape | None = None,
) -> Iterator[Pair]:
    made = Pair(model, folder, cells, most, shape)
    try:
        yield made
    finally:
        made.close()
