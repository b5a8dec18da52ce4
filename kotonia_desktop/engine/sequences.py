"""A sequence of a context and the ids that lie in it: what of a new prompt need not be read again.

Not every memory can be rewound. A sliding window has forgotten what lies before it although llama.cpp removes the tail
and says yes; a recurrent state cannot go back at all. There a checkpoint is restored, or the prompt is read again:
never are logits computed on cells that are not the prompt's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from kotonia_desktop.engine.llama import ABORTED, DECODED, Context, LlamaError

CHECKPOINTS: Final = 6
CHECKPOINT_BYTES: Final = 512 * 2**20


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    length: int
    """How many tokens had been read when it was taken."""
    state: bytes


class OutOfCells(Exception):
    """The context has no room for more tokens."""


def common_prefix(first: Sequence[int], second: Sequence[int]) -> int:
    """How many ids at the start are the same."""
    length = min(len(first), len(second))
    different = np.nonzero(np.asarray(first[:length]) != np.asarray(second[:length]))[0]
    return int(different[0]) if len(different) else length


class CachedSequence:
    """One sequence of a context. `ids` are exactly the tokens whose state it holds."""

    def __init__(self, context: Context, number: int, cells: int) -> None:
        """`cells` is the most tokens it may hold."""
        self.context = context
        self.number = number
        self.cells = cells
        self.ids: list[int] = []
        self.owner = ""
        """Which conversation the ids belong to."""
        model = context.model
        self._slides = model.window_slides
        self._recurrent = model.is_recurrent
        self._checkpoints: list[_Checkpoint] = []
        self._reading = 0

    @property
    def needs_checkpoints(self) -> bool:
        """True where the memory cannot be rewound to any place."""
        return self._slides > 0 or self._recurrent

    @property
    def survives_abort(self) -> bool:
        """False where a decode that was broken off leaves a state of no use (a recurrent one)."""
        return not self._recurrent

    @property
    def is_worth_an_abort(self) -> bool:
        """False while a single token is read into a memory that an abort would cost: it is over as soon."""
        return self.survives_abort or self._reading > 1

    def clear(self) -> None:
        """Forget everything."""
        self.context.remove(self.number, -1)
        self.ids = []
        self._checkpoints = []

    def rewind(self, wanted: Sequence[int]) -> int:
        """Keep what `wanted` begins with, and answer how many of its tokens need not be read.

        At least its last token is left to be read, because the logits of the first new one hang on it.
        """
        length = min(common_prefix(self.ids, wanted), len(wanted) - 1)
        if length < len(self.ids):
            length = self._go_back(length)
        return length

    def _go_back(self, length: int) -> int:
        if length > 0 and self._can_remove(length) and self.context.remove(self.number, length):
            self._keep(length)
            return length
        for checkpoint in reversed(self._checkpoints):
            if 0 < checkpoint.length <= length and self._restore(checkpoint):
                return checkpoint.length
        self.clear()
        return 0

    def _can_remove(self, length: int) -> bool:
        if self._recurrent:
            return False
        first = self.context.first_position(self.number)
        return self._slides == 0 or 0 <= first <= max(0, length - self._slides)

    def _restore(self, checkpoint: _Checkpoint) -> bool:
        # First the state, then the tail: only with the old state put back can a recurrent memory's tail be removed.
        if not self.context.restore_partial(self.number, checkpoint.state):
            return False
        if not self.context.remove(self.number, checkpoint.length):
            return False
        if self.context.last_position(self.number) != checkpoint.length - 1:
            return False
        self._keep(checkpoint.length)
        return True

    def _keep(self, length: int) -> None:
        del self.ids[length:]
        self._checkpoints = [checkpoint for checkpoint in self._checkpoints if checkpoint.length <= length]

    def take_checkpoint(self) -> None:
        """Remember the state here, where the memory needs it. The oldest is dropped first."""
        if not self.needs_checkpoints or not self.ids:
            return
        if self._checkpoints and self._checkpoints[-1].length == len(self.ids):
            return
        self._checkpoints.append(_Checkpoint(len(self.ids), self.context.save_partial(self.number)))
        while len(self._checkpoints) > CHECKPOINTS or (
            len(self._checkpoints) > 1 and sum(len(item.state) for item in self._checkpoints) > CHECKPOINT_BYTES
        ):
            # The very first stands behind the part of the prompt that stays, so the second oldest goes.
            del self._checkpoints[1 if len(self._checkpoints) > 2 else 0]

    def read(self, tokens: Sequence[int], logits: bool) -> Iterator[int]:
        """Read tokens to the end of the sequence in steps; yields how many are read after each.

        A step that was broken off is read again when the iteration goes on. Raises `OutOfCells`.
        """
        if len(self.ids) + len(tokens) > self.cells:
            raise OutOfCells
        done = 0
        while done < len(tokens):
            step = tokens[done : done + self.context.step]
            before = len(self.ids)
            code = self._decode(step, logits and done + len(step) == len(tokens))
            if code == DECODED:
                self.ids += step
            elif code == ABORTED:
                self._after_abort(before, step)
            else:
                raise OutOfCells
            done += len(self.ids) - before
            yield done

    def _decode(self, step: Sequence[int], logits: bool) -> int:
        self._reading = len(step)
        try:
            return self.context.decode(step, self.number, len(self.ids), logits)
        except LlamaError:
            self.clear()  # nobody knows what lies there now
            raise

    def _after_abort(self, before: int, step: Sequence[int]) -> None:
        """Take stock: `ids` become what is really there."""
        if not self.survives_abort:
            self._go_back(before)
            raise BrokenOff
        kept = self.context.last_position(self.number) + 1
        if before <= kept < before + len(step):
            self.ids += step[: kept - before]
        elif kept != before:
            self.clear()
            raise BrokenOff


class BrokenOff(Exception):
    """A decode was broken off and took the sequence's state with it: read the prompt from its start."""
