"""When a conversation must give up verbatim text: the four numbers of the fold policy, in tokens of the loaded model.

One number is found, the trigger; the others are shares of it. The values of the scheme this grew from, on a window of
65,536 tokens, are the proof: `policy(65536, 65536, rate=1000, seconds=30)` gives 30,000 / 35,000 / 10,000 / 10,000.
"""

from dataclasses import dataclass

_WINDOW_SHARE = 0.70
_TRIGGER_PER_CELL = 30_000 / 65_536
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
    return FoldPolicy(
        trigger=whole,
        ceiling=whole * 7 // 6,
        headroom=story // 3,
        floor=story // 3,
        chapter_range=story * 2 // 3,
        head=story // 4,
    )
