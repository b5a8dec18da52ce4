"""A sequence of a context and the ids that lie in it: what of a new prompt need not be read again.

Not every memory can be rewound. A sliding window has forgotten what lies before it although llama.cpp removes the tail
and says yes; a recurrent state cannot go back at all. There a checkpoint is restored, or the prompt is read again:
never are logits computed on cells that are not the prompt's.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from typing import Final

from kotonia_desktop.engine.llama import ABORTED, DECODED, Context, LlamaError
from kotonia_desktop.engine.states import Checkpoint, SequenceState, common_prefix, usable_tokens

CHECKPOINTS: Final = 8
"""The very first, and the ends of the last prompts and the last turns: an edit goes back to one of three of each."""
CHECKPOINT_BYTES: Final = 512 * 2**20


class Use(IntEnum):
    """What a sequence is for; where cells run out the lowest gives its own first."""

    FORK = 0
    STAGE = 1
    CHRONICLER = 2
    CHAT = 3
    """The open conversation: its cells are never taken."""


class OutOfCells(Exception):
    """The context has no room for more tokens."""


class CachedSequence:
    """One sequence of a context. `ids` are exactly the tokens whose state it holds."""

    def __init__(self, context: Context, number: int, cells: int, use: Use = Use.CHAT) -> None:
        """`cells` is the most tokens it may hold."""
        self.context = context
        self.number = number
        self.cells = cells
        self.use = use
        self.ids: list[int] = []
        self.owner = ""
        """Which conversation the ids belong to."""
        self.busy = False
        """A job is at work on it: its cells are not taken."""
        self.neighbours: list[CachedSequence] = []
        """The other sequences of the same context."""
        self.on_claim: Callable[[Sequence[int], str], None] | None = None
        """Brings the best there is for a prompt into the sequence before it is rewound to it."""
        self.on_freed: Callable[[Use, int], None] = lambda _use, _tokens: None
        """Hears whose cells were taken for this sequence, and how many tokens they held."""
        self._source: CachedSequence | None = None
        self._shared = 0
        model = context.model
        self._slides = model.window_slides
        self._recurrent = model.is_recurrent
        self._checkpoints: list[Checkpoint] = []
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
        self._source, self._shared = None, 0

    def claim(self, wanted: Sequence[int], owner: str) -> None:
        """Take the sequence for a conversation that is about to read `wanted`. What the ids have in common stays:
        conversations with one character share the system part."""
        if self.on_claim is not None:
            self.on_claim(wanted, owner)
        self.owner = owner

    def usable(self, wanted: Sequence[int]) -> int:
        """How many of the tokens of `wanted` need not be read; nothing is changed."""
        return usable_tokens(self.ids, self._checkpoints, wanted, self._can_remove)

    def usable_from(self, ids: Sequence[int]) -> int:
        """How many of the sequence's tokens a state behind `ids` would save reading: all but the last at most."""
        return common_prefix(ids, self.ids)

    def could_remove(self, length: int, *, tokens: int) -> bool:
        """Whether a state of `tokens` of this model can be cut to `length` by taking the tail away."""
        return not self._recurrent and (self._slides == 0 or length == tokens)

    def save(self) -> SequenceState:
        """A copy of everything it holds. Raises `LlamaError`."""
        return SequenceState(list(self.ids), self.context.save(self.number), tuple(self._checkpoints))

    def adopt(self, state: SequenceState) -> bool:
        """Hold what another sequence held. False where llama.cpp refuses it, and then the sequence is empty."""
        self.clear()
        if len(state.ids) > self.cells or not self._has_room(len(state.ids)):
            return False
        if not self.context.restore(self.number, state.state):
            return False
        if self.context.last_position(self.number) != len(state.ids) - 1:
            self.clear()
            return False
        self.ids = list(state.ids)
        self._checkpoints = list(state.checkpoints)
        return True

    def fork(self, source: "CachedSequence") -> None:
        """Hold what `source` holds; what is read from now on is each one's own. Raises `OutOfCells`.

        Both hold the same cells. Where a window slides they cannot: llama.cpp gives a cell that left the window to
        new tokens only while one sequence holds it, so a fork of such a memory is a copy.
        """
        self.clear()
        if self._slides:
            busy, source.busy = source.busy, True
            try:
                if not self.adopt(source.save()):
                    raise OutOfCells
            finally:
                source.busy = busy
            return
        self.context.copy(source.number, self.number)
        self.ids = list(source.ids)
        self._source, self._shared = source, len(source.ids)

    @property
    def own_cells(self) -> int:
        """Cells that nobody else holds."""
        source = self._source
        shared = 0 if source is None else min(self._shared, common_prefix(source.ids, self.ids))
        return len(self.ids) - shared

    def _has_room(self, count: int) -> bool:
        """Whether `count` more tokens find a cell, once others have given theirs where it must be."""
        if len(self.ids) + count > self.cells:
            return False
        givers = sorted((n for n in self.neighbours if not n.busy and n.use is not Use.CHAT), key=lambda n: n.use)
        while self.own_cells + sum(n.own_cells for n in self.neighbours) + count > self.context.cells:
            giver = next((n for n in givers if n.ids), None)
            if giver is None:
                return False
            self.on_freed(giver.use, len(giver.ids))
            giver.clear()
        return True

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

    def _restore(self, checkpoint: Checkpoint) -> bool:
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
        self._checkpoints.append(Checkpoint(len(self.ids), self.context.save_partial(self.number)))
        while len(self._checkpoints) > CHECKPOINTS or (
            len(self._checkpoints) > 1 and sum(len(item.state) for item in self._checkpoints) > CHECKPOINT_BYTES
        ):
            # The very first stands behind the part of the prompt that stays, so the second oldest goes.
            del self._checkpoints[1 if len(self._checkpoints) > 2 else 0]

    def read(self, tokens: Sequence[int], logits: bool) -> Iterator[int]:
        """Read tokens to the end of the sequence in steps; yields how many are read after each.

        A step that was broken off is read again when the iteration goes on. Raises `OutOfCells`.
        """
        if not self._has_room(len(tokens)):
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


def make_neighbours(sequences: Sequence[CachedSequence]) -> None:
    """Let the sequences of one context know each other: they share its cells."""
    for sequence in sequences:
        sequence.neighbours = [other for other in sequences if other is not sequence]


class BrokenOff(Exception):
    """A decode was broken off and took the sequence's state with it: read the prompt from its start."""
