"""The pruning loop: a prompt brought under a budget at once, for engines that have no background to fold in.

While the prompt is over the budget, the system line and the newest four lines are kept and what lies between is
summarised, once; the summary counts only where the prompt became shorter, else the oldest line goes. It always ends:
every round removes at least one line, and the newest alone is either within the budget or an error.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.errors import KotoniaError, MessageTooLong
from kotonia_desktop.domain.ports import PromptItem, PromptRole

NEWEST = 4
"""So many of the newest lines are kept as long as they fit."""
SUMMARY_SHARE = 4
"""A summary may take one in so many tokens of the budget."""

Count = Callable[[Sequence[PromptItem]], int]
Summarise = Callable[[Sequence[PromptItem], int], str]


@dataclass(frozen=True, slots=True)
class Pruned:
    """A prompt within its budget. `summarised` and `dropped` are the places, in what was given, of the lines that are
    no longer there; `summary` stands for the former, behind the system line."""

    items: tuple[PromptItem, ...]
    tokens: int
    summarised: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    summary: str = ""


@dataclass(slots=True)
class _Line:
    places: tuple[int, ...]
    item: PromptItem


def prune(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    """Bring `lines` (oldest first, a system line in front where there is one) to at most `budget` tokens.

    `count` gives the tokens of a prompt. `summarise` gets the lines to summarise and the most tokens its answer may
    take; it is called once at most, and where it raises a `KotoniaError` or answers nothing there is no summary.
    Raises `MessageTooLong` where the newest line alone, with the system line, is over the budget.
    """
    system = list(lines[:1]) if lines and lines[0].role is PromptRole.SYSTEM else []
    rest = [_Line((place,), item) for place, item in enumerate(lines) if place >= len(system)]

    def tokens(of: Sequence[_Line]) -> int:
        return count([*system, *(line.item for line in of)])

    total = tokens(rest)
    if rest and total > budget:
        least = tokens(rest[-1:])
        if least > budget:
            raise MessageTooLong(tokens=least, window=budget, over=least - budget)
    summarised: tuple[int, ...] = ()
    dropped: list[int] = []
    summary = ""
    asked = False
    while total > budget and len(rest) > 1:
        middle = rest[:-NEWEST]
        if middle and not asked:
            asked = True
            text = _summary(summarise, [line.item for line in middle], budget)
            places = tuple(place for line in middle for place in line.places)
            shorter = [_Line(places, PromptItem(PromptRole.USER, text)), *rest[-NEWEST:]]
            if text and tokens(shorter) < total:
                summary, summarised, rest = text, places, shorter
                total = tokens(rest)
                continue
        gone = rest.pop(0)
        dropped += gone.places
        if gone.places == summarised:
            summary, summarised = "", ()
        total = tokens(rest)
    return Pruned((*system, *(line.item for line in rest)), total, summarised, tuple(dropped), summary)


def _summary(summarise: Summarise, items: Sequence[PromptItem], budget: int) -> str:
    try:
        return summarise(items, budget // SUMMARY_SHARE).strip()
    except KotoniaError:
        return ""
