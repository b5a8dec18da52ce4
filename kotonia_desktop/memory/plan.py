"""What to fold next, when to bring it into the prompt, and what leaves where there is no time for it: pure functions.

A message is in one of three states: shown verbatim, stood for by a written chapter, or out of sight and queued.
Chapters are written oldest first and without gaps, so the written ones stand for one range from the beginning, and
what is behind them are the `lines` of a `Situation`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from kotonia_desktop.domain.memory import FoldReason
from kotonia_desktop.memory.policy import FoldPolicy

_LATE = 0.6
"""A range ends at a scene break where one lies behind this share of it."""
_BREAK = 0.5
"""From this strength on a scene break is preferred to a longer range."""


@dataclass(frozen=True, slots=True)
class Line:
    """A message that no written chapter stands for. `tokens`: what it takes in the prompt (0: out of sight or off the
    record); `labelled`: what it takes as the chronicler reads it (0: there is nothing to write about)."""

    ordinal: int
    tokens: int
    labelled: int
    begins_turn: bool = False
    """A message of the user: verbatim text may begin here."""
    break_before: float = 0.0
    """How much of a scene break lies before it, 0.0 to 1.0."""
    ends_chapter: bool = False
    """The user ended the chapter behind it."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A written chapter that does not stand in the head yet. `frees`: tokens that leave the prompt with it; `text`:
    tokens it takes there."""

    first: int
    last: int
    frees: int
    text: int


@dataclass(frozen=True, slots=True)
class Situation:
    """A prompt as the policy sees it, in tokens. `fixed` is the system part with the reply's opener; messages up to
    `until` are not shown verbatim (None: all are)."""

    fixed: int
    head: int
    until: int | None
    pending: tuple[Pending, ...]
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """Tokens of the whole prompt."""
        return self.fixed + self.head + sum(text.frees for text in self.pending) + self.verbatim

    @property
    def verbatim(self) -> int:
        """Tokens of the messages that are shown and that no written chapter stands for."""
        return sum(line.tokens for line in self.lines)

    @property
    def hidden(self) -> int:
        """How many of the lines are out of sight; they are the oldest."""
        return 0 if self.until is None else sum(line.ordinal <= self.until for line in self.lines)


@dataclass(frozen=True, slots=True)
class PlannedRange:
    """Messages to write about, by their ordinals, both included."""

    first: int
    last: int
    reason: FoldReason


def next_range(situation: Situation, budgets: FoldPolicy, limit: int, *, forced: bool = False) -> PlannedRange | None:
    """The next range to write, the oldest first; None where nothing is due.

    Due are, in this order: what is out of sight without a chapter; what lies before a mark of the user's; and above
    the trigger (or where `forced`) so much that the prompt comes under the trigger by the headroom (`forced`: all),
    but never what lies within the floor. A range takes at most `limit` labelled tokens, unless one message alone does.
    """
    lines = situation.lines
    hidden = situation.hidden
    if hidden:
        # Never over the edge of what is out of sight: what is still shown is not due yet.
        return _cut(lines[: _end_of_marks(lines, hidden)], limit, FoldReason.QUEUE, lines)
    marked = _end_of_marks(lines, 0)
    if marked:
        return _cut(lines[:marked], limit, FoldReason.MARK, lines)
    most = _outside_floor(lines, budgets.floor)
    if forced:
        return _cut(lines[:most], limit, FoldReason.NOW, lines)
    due = _due(situation, budgets, limit, most)
    return _cut(lines[:most], limit, FoldReason.TRIGGER, lines, wanted=due) if due else None


def _end_of_marks(lines: Sequence[Line], most: int) -> int:
    """How many lines lie up to and with the first mark (among the first `most` where that is not 0); without a mark
    `most`."""
    for number, line in enumerate(lines[:most] if most else lines):
        if line.ends_chapter:
            return number + 1
    return most


def _outside_floor(lines: Sequence[Line], floor: int) -> int:
    """How many of the oldest lines may go while the rest keeps at least `floor` tokens."""
    kept = 0
    for number in range(len(lines) - 1, -1, -1):
        kept += lines[number].tokens
        if kept >= floor:
            return number
    return 0


def _due(situation: Situation, budgets: FoldPolicy, limit: int, most: int) -> int:
    """How many of the oldest lines must go for the prompt to come down to the trigger less the headroom; 0 where it is
    not over the trigger, or what is written brings it down already."""
    if situation.total <= budgets.trigger:
        return 0
    written = sum(text.text for text in situation.pending)
    head = min(budgets.texts, situation.head + written)
    total = situation.fixed + head + situation.verbatim
    goal = budgets.trigger - budgets.headroom
    labelled = 0
    for number, line in enumerate(situation.lines[:most]):
        # Every chapter takes something back: as much as one text may, as long as the head has room for it.
        texts = -(-labelled // limit) * budgets.text if labelled else 0
        if total + min(texts, max(0, budgets.texts - head)) <= goal:
            return number
        total -= line.tokens
        labelled += line.labelled
    return most


def _cut(
    lines: Sequence[Line], limit: int, reason: FoldReason, everything: Sequence[Line], wanted: int | None = None
) -> PlannedRange | None:
    """The first range of `lines`: at most `limit` labelled tokens, about `wanted` lines, ended at the best place.

    `everything` says what comes behind the last of them.
    """
    if not lines:
        return None
    sizes = list(accumulate(line.labelled for line in lines))
    most = max(1, sum(size <= limit for size in sizes))
    if wanted is not None:
        # At least half a range, where the floor leaves that much: a chapter of two lines says little.
        half = sum(size <= limit // 2 for size in sizes)
        most = _round_up(everything, min(most, max(1, wanted, half)), most)
    end = _best_end(lines, everything, sizes, most)
    return PlannedRange(lines[0].ordinal, lines[end - 1].ordinal, reason)


def _round_up(everything: Sequence[Line], wanted: int, most: int) -> int:
    """`wanted` lines, or some more of at most `most`, so that a turn begins behind them."""
    for count in range(wanted, most + 1):
        if count < len(everything) and everything[count].begins_turn:
            return count
    return wanted


def _best_end(lines: Sequence[Line], everything: Sequence[Line], sizes: Sequence[int], most: int) -> int:
    """How many of the first `most` lines make the range: up to a scene break near its end, else up to the beginning
    of a turn, else all."""
    if most == len(lines) and (lines[-1].ends_chapter or most == len(everything)):
        return most
    whole = sizes[most - 1]
    late = [count for count in range(1, most + 1) if sizes[count - 1] >= whole * _LATE and count < len(everything)]
    breaks = [count for count in late if everything[count].break_before >= _BREAK]
    if breaks:
        return max(breaks, key=lambda count: (everything[count].break_before, count))
    turns = [count for count in late if everything[count].begins_turn]
    return turns[-1] if turns else most


def boundary_to_apply(situation: Situation, budgets: FoldPolicy, *, finished: bool, forced: bool = False) -> int | None:
    """Up to which ordinal the messages leave the prompt now, because written chapters stand for them; None: not yet.

    `finished`: nothing more is to be written first. Chapters of messages that are out of sight come in as soon as all
    of these are written about. Others stay out, and their messages verbatim, until the trigger asks for room (or the
    user does: `forced`); at the ceiling whatever is written comes in. Never leaves less than the floor verbatim.
    """
    until = -1 if situation.until is None else situation.until
    behind = [text for text in situation.pending if text.last > until]
    hidden = len(situation.pending) - len(behind)
    total = situation.total
    if forced or (total > budgets.trigger and (finished or total > budgets.ceiling)):
        goal = 0 if forced else budgets.trigger - budgets.headroom
        head = situation.head + sum(text.text for text in situation.pending if text.last <= until)
        left = situation.verbatim + sum(text.frees for text in behind)
        boundary: int | None = None
        for text in behind:
            if left - text.frees < budgets.floor or total <= goal:
                break
            left -= text.frees
            total -= text.frees - max(0, min(text.text, budgets.texts - head))
            head += text.text
            boundary = text.last
        if boundary is not None:
            return boundary
    return situation.until if hidden and finished else None
