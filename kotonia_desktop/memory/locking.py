"""Sentences that the user wrote stay word for word in whatever is written of them later."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from kotonia_desktop.domain.memory import Item, NewChapter, NewItem

Count = Callable[[Sequence[str]], Sequence[int]]


def with_locked(chapter: NewChapter, locked: Sequence[Item], budget: int, count: Count) -> NewChapter:
    """A text with every locked sentence in it, at its place in the story; others make way where the budget (tokens)
    does not hold all. The locked ones stay even where they alone are more."""
    if not locked:
        return chapter
    words = {item.text for item in locked}
    own = [NewItem(item.text, item.sources, item.truth, item.speaker) for item in locked]
    others = [item for item in chapter.items if item.text not in words]
    sizes = dict(zip(map(id, [*own, *others]), count([item.text for item in [*own, *others]]), strict=True))
    left = budget - sum(sizes[id(item)] for item in own)
    kept: list[NewItem] = []
    for item in others:
        if sizes[id(item)] <= left:
            left -= sizes[id(item)]
            kept.append(item)
    # By the first message each was made from: the order of the story.
    merged = sorted([*own, *kept], key=lambda item: min((s.message_id for s in item.sources), default=0))
    return replace(chapter, items=tuple(merged))


def keeps_locked(chapter: NewChapter, locked: Sequence[Item]) -> bool:
    """Whether every locked sentence stands in a text, word for word."""
    texts = {item.text for item in chapter.items}
    return all(item.text in texts for item in locked)
