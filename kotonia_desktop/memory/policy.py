"""When a conversation must give up verbatim text: the four numbers of the fold policy, in tokens of the loaded model.

One number is found, the trigger; the others are shares of it. The values of the scheme this grew from, on a window of
65,536 tokens, are the proof: `policy(65536, 65536, rate=1000, seconds=30)` gives 30,000 / 35,000 / 10,000 / 10,000.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

_WINDOW_SHARE = 0.70
_TRIGGER_PER_CELL = 30_000 / 65_536
_LEAST_WRITER = 400_000_000
_LEAST_TEXT = 120
"""Tokens a chapter may always take, however small the head is."""
_BIG = 1 << 62
_RANGES = ((2.0e9, 800), (4.5e9, 1_100), (9.5e9, 2_250), (15e9, 3_500), (_BIG, 7_000))
_SENTENCES = ((4.5e9, (3, 6)), (15e9, (5, 9)), (_BIG, (8, 12)))
_LEAST_BY_SPEED = 5_734  # 0.70 of a window of 8,192: a slow machine still gets the story a small window holds


@dataclass(frozen=True, slots=True)
class FoldPolicy:
    """Budgets in tokens. `trigger` and `ceiling` measure the whole prompt, the others what is not the system part."""

    trigger: int
    """Above this many tokens a fold is scheduled."""
    ceiling: int
    """No prompt is sent above this; the oldest turns leave first."""
    headroom: int
    """How far under the trigger a fold must bring the prompt."""
    floor: int
    """Verbatim text that always stays."""
    chapter_range: int
    """Labelled lines that one chapter may stand for."""
    head: int
    """What the memory head may take."""
    texts: int
    """What chapters and parts may take of it; the rest is for facts, open matters and kept lines."""
    text: int
    """What one of them may take."""
    facts: int = 0
    """What facts and claims may take of the head."""
    matters: int = 0
    """What open matters may take of it."""
    kept: int = 0
    """What kept lines may take of it."""

    @property
    def halfway(self) -> int:
        """Half way from the trigger to the ceiling: from here on there is no waiting."""
        return (self.trigger + self.ceiling) // 2

    def wait(self, total: int, seconds: float) -> float:
        """How long to wait for quiet with a prompt of `total` tokens: `seconds` at the trigger, 0 from half way on."""
        span = max(1, self.halfway - self.trigger)
        return seconds * min(1.0, max(0.0, (self.halfway - total) / span))

    @property
    def after_cut(self) -> int:
        """The size a prompt is brought down to when the ceiling is reached."""
        return self.trigger - self.headroom


def policy(
    window: int, cells: int, *, rate: float | None = None, seconds: float | None = None, fixed: int = 0
) -> FoldPolicy:
    """The budgets for a chat window of `window` tokens out of `cells` cells in all.

    `rate` (tokens a second) and `seconds` bound what the machine may have to read cold; without them only window and
    cells count. `fixed` is the system part: on small windows the shares are taken of what it leaves.
    """
    trigger = min(window * _WINDOW_SHARE, cells * _TRIGGER_PER_CELL)
    if rate is not None and seconds is not None:
        trigger = min(trigger, max(rate * seconds, _LEAST_BY_SPEED))
    whole = int(trigger)
    story = max(0, whole - fixed)
    head = story // 4
    texts = head * 3 // 4
    return FoldPolicy(
        trigger=whole,
        ceiling=whole * 7 // 6,
        headroom=story // 3,
        floor=story // 3,
        chapter_range=story * 2 // 3,
        head=head,
        texts=texts,
        text=max(_LEAST_TEXT, texts // 8),
        facts=head // 8,
        matters=head // 16,
        kept=head // 16,
    )


def model_range(parameters: int, budgets: FoldPolicy) -> int:
    """Labelled tokens that one chapter of a model with so many parameters may stand for.

    Small models swap speakers and loop on long inputs: 830 tokens were usable with 1.5 billion parameters (measured).
    """
    return max(1, min(_by_size(_RANGES, parameters), budgets.chapter_range))


def model_items(parameters: int) -> tuple[int, int]:
    """The least and most sentences of a chapter of a model with so many parameters."""
    return _by_size(_SENTENCES, parameters)


def writes_chapters(parameters: int) -> bool:
    """Whether a model of this size writes chapters that are worth more than quoted lines.

    With 0.135 billion parameters what passed the gates was still mostly untrue; with 1.5 billion it was usable
    (measured on dialogues in three languages).
    """
    return parameters >= _LEAST_WRITER


def _by_size(table: Sequence[tuple[float, T]], parameters: int) -> T:
    return next(value for most, value in table if parameters <= most)
