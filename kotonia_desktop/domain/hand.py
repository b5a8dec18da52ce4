"""The user's hand on memory: acts on its items, kept one after the other. What an item shows follows from them.

Nothing that was written is changed: an edit is an act with the new words, and taking it back is another.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from kotonia_desktop.domain.memory import Truth


class Target(StrEnum):
    """What an act is about."""

    ITEM = "item"
    """A sentence of a chapter or part."""
    ROW = "row"
    THREAD = "thread"
    PIN = "pin"
    TEXT = "text"
    """A chapter or part, of which a version was taken."""
    MESSAGE = "message"
    """A message that something was made from, edited since so that it no longer holds."""


class Act(StrEnum):
    """What the user did."""

    EDIT = "edit"
    """Other words; from then on nothing but the user changes them."""
    RELEASE = "release"
    """The words as they were written."""
    HIDE = "hide"
    """It leaves the prompt and stays in the list."""
    SHOW = "show"
    NOT_TRUE = "not_true"
    ONLY_SAID = "only_said"
    """It is a claim, whatever it was taken for."""
    TRUE = "true"
    """The user's own word that it is so."""
    AS_FOUND = "as_found"
    """Its truth is again what code made of its line."""


@dataclass(frozen=True, slots=True)
class HandAct:
    """An act as it is stored."""

    id: int
    target: Target
    target_id: int
    act: Act
    text: str = ""
    created_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """What the user's acts come to for one item: `text` None where the words are as they were written."""

    text: str | None = None
    hidden: bool = False
    false: bool = False
    truth: Truth | None = None
    acts: tuple[HandAct, ...] = ()

    @property
    def locked(self) -> bool:
        """The words are the user's: what is written later keeps them."""
        return self.text is not None

    @property
    def leaves(self) -> bool:
        """It must not stand in the prompt."""
        return self.hidden or self.false


UNTOUCHED = Hand()


def hand_of(acts: Iterable[HandAct]) -> Hand:
    """What acts on one item, oldest first, come to."""
    hand = Hand()
    for act in acts:
        hand = replace(_after(hand, act), acts=(*hand.acts, act))
    return hand


def _after(hand: Hand, act: HandAct) -> Hand:
    match act.act:
        case Act.EDIT:
            return replace(hand, text=act.text)
        case Act.RELEASE:
            return replace(hand, text=None)
        case Act.HIDE:
            return replace(hand, hidden=True)
        case Act.SHOW:
            return replace(hand, hidden=False)
        case Act.NOT_TRUE:
            return replace(hand, false=True, truth=None)
        case Act.ONLY_SAID:
            return replace(hand, false=False, truth=Truth.CLAIM)
        case Act.TRUE:
            return replace(hand, false=False, truth=Truth.FACT)
        case Act.AS_FOUND:
            return replace(hand, false=False, truth=None)


def hands(acts: Iterable[HandAct]) -> dict[tuple[Target, int], Hand]:
    """The hand on each item that the user touched, by what and which it is."""
    found: dict[tuple[Target, int], list[HandAct]] = {}
    for act in acts:
        found.setdefault((act.target, act.target_id), []).append(act)
    return {key: hand_of(entries) for key, entries in found.items()}
