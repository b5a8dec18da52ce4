"""The pruning loop: a prompt brought under a budget at once, for engines that have no background to fold in.

While the prompt is over the budget, the system line and the newest four lines are kept and what lies between is
summarised, once; the summary counts only where the prompt became short enough, else the oldest line goes. It always
ends: every round removes at least one line, and the newest alone is either within the budget or an error.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.errors import CardTooLong, KotoniaError, MessageTooLong
from kotonia_desktop.domain.ports import PromptItem, PromptRole

NEWEST = 4
"""So many of the newest lines are kept as long as they fit."""
SUMMARY_SHARE = 4
"""The text of a summary may take one in so many tokens of the budget, rounded down."""

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


def prune(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    """Bring `lines` (oldest first, a system line in front where there is one) to at most `budget` tokens.

    `count` gives the tokens of a prompt. `summarise` gets the lines to summarise and the most tokens the text of its
    answer may take (a line's marks come on top); it is called once at most. Where it raises a `KotoniaError`, answers
    nothing or too much, or the prompt is over the budget with its answer, there is no summary and the oldest lines go.
    It is not called where nothing it could answer would stay: the newest four lines are too much by themselves.

    Raises `CardTooLong` where the system line alone is over the budget, `MessageTooLong` where the newest line alone,
    with the system line, is.
    """
    system = list(lines[:1]) if lines and lines[0].role is PromptRole.SYSTEM else []
    rest = list(lines[len(system) :])
    total = count([*system, *rest])
    if total <= budget:
        return Pruned((*system, *rest), total)
    _check_least(system, rest, budget, count)
    middle, newest = rest[:-NEWEST], rest[-NEWEST:]
    cap = budget // SUMMARY_SHARE
    if middle and cap > 0 and count([*system, *newest]) <= budget:
        summary = _summary(summarise, middle, cap, count)
        shorter = [*system, PromptItem(PromptRole.USER, summary), *newest]
        # A summary that made the prompt shorter, but not short enough, would be the next line to go, and all that it
        # stands for with it. Without it some of these lines may stay.
        if summary and (tokens := count(shorter)) <= budget:
            places = tuple(range(len(system), len(system) + len(middle)))
            return Pruned(tuple(shorter), tokens, summarised=places, summary=summary)
    gone = 0
    while total > budget and gone < len(rest) - 1:
        gone += 1
        total = count([*system, *rest[gone:]])
    return Pruned((*system, *rest[gone:]), total, dropped=tuple(range(len(system), len(system) + gone)))


def _check_least(system: Sequence[PromptItem], rest: Sequence[PromptItem], budget: int, count: Count) -> None:
    """Raise an error where not even the lines that always stay are within the budget."""
    if system and (tokens := count(system)) > budget:
        raise CardTooLong(tokens=tokens, window=budget)
    if rest and (tokens := count([*system, rest[-1]])) > budget:
        raise MessageTooLong(tokens=tokens, window=budget, over=tokens - budget)


def _summary(summarise: Summarise, items: Sequence[PromptItem], cap: int, count: Count) -> str:
    """The summary of `items`; empty where there is none or it is longer than `cap`."""
    try:
        text = summarise(items, cap).strip()
    except KotoniaError:
        return ""
    # `count` knows lines, the cap is of text: what a line takes without any text is the line's marks, and whoever fills
    # the cap exactly has kept to it.
    marks = count([PromptItem(PromptRole.USER, "")])
    return text if count([PromptItem(PromptRole.USER, text)]) - marks <= cap else ""
