"""Which texts are merged into one of the next level, and which of their sentences the memory head has room for."""

from collections.abc import Sequence
from dataclasses import dataclass

MERGED = 4
"""So many texts of a level make one of the next."""
CROWD = 8
"""So many texts of a level are merged although there is room."""


@dataclass(frozen=True, slots=True)
class Stacked:
    """A text that no part was made of, with its tokens."""

    id: int
    level: int
    tokens: int


def next_merge(texts: Sequence[Stacked], share: int) -> tuple[int, ...] | None:
    """The ids of four texts to merge, oldest first; None where there is nothing to merge. `texts`: oldest first.

    The oldest four of the lowest level that holds eight; or, when all together take more than `share` tokens, of the
    lowest that holds four. Every text is merged once at most, so a fact is rewritten log4(n) times and not n times.
    """
    levels: dict[int, list[int]] = {}
    for text in texts:
        levels.setdefault(text.level, []).append(text.id)
    least = MERGED if sum(text.tokens for text in texts) > share else CROWD
    for level in sorted(levels):
        if len(levels[level]) >= least:
            return tuple(levels[level][:MERGED])
    return None


def fit_texts(texts: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    """Which sentences of each text fit into `budget` tokens: their indexes. `texts` are their sizes, oldest text first.

    While it is too much, the last sentence of the longest text goes (of the oldest, where two are as long), down to one
    sentence a text; then the oldest texts go. Sentences go whole: none is ever cut.
    """
    kept = [list(range(len(sizes))) for sizes in texts]
    taken = [sum(sizes) for sizes in texts]
    total = sum(taken)
    while total > budget:
        several = [number for number, indexes in enumerate(kept) if len(indexes) > 1]
        if several:
            number = max(several, key=lambda n: (taken[n], -n))
        else:
            number = next((n for n, indexes in enumerate(kept) if indexes), -1)
            if number < 0:
                break
        size = texts[number][kept[number].pop()]
        taken[number] -= size
        total -= size
    return kept
