"""What a sequence holds, as values: its ids, its state as bytes, its checkpoints; and what of it serves a prompt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The part of a state that cannot be rewound, as it was behind the first `length` tokens."""

    length: int
    state: bytes


@dataclass(frozen=True, slots=True)
class SequenceState:
    """All that a sequence holds: what `ids` were read into, as bytes of llama.cpp, and the checkpoints on the way."""

    ids: list[int]
    state: NDArray[np.uint8]
    checkpoints: tuple[Checkpoint, ...]

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.state) + sum(len(checkpoint.state) for checkpoint in self.checkpoints)


def common_prefix(first: Sequence[int], second: Sequence[int]) -> int:
    """How many ids at the start are the same."""
    length = min(len(first), len(second))
    different = np.nonzero(np.asarray(first[:length]) != np.asarray(second[:length]))[0]
    return int(different[0]) if len(different) else length


def usable_tokens(
    ids: Sequence[int],
    checkpoints: Sequence[Checkpoint],
    wanted: Sequence[int],
    can_remove: Callable[[int], bool],
) -> int:
    """How many of the first tokens of `wanted` a state behind `ids` can be brought back to: at least one is always left
    to be read. `can_remove` says whether all that lies behind a length can simply be taken away."""
    length = min(common_prefix(ids, wanted), len(wanted) - 1)
    if length == len(ids) or (length > 0 and can_remove(length)):
        return length
    return max((checkpoint.length for checkpoint in checkpoints if checkpoint.length <= length), default=0)
