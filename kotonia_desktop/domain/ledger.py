"""The ledger: facts and claims as rows that are only added, and what later rows say of earlier ones.

A row quotes its message. Whether it is a fact or a claim is set by code from the kind of line it was taken from, and
stays; that a claim was confirmed or contradicted follows from links between rows.
"""

from dataclasses import dataclass
from enum import StrEnum

from kotonia_desktop.domain.hand import UNTOUCHED, Hand
from kotonia_desktop.domain.memory import ItemState, Source, Truth


class RowOrigin(StrEnum):
    """Whose word a row is."""

    MESSAGE = "message"
    CARD = "card"
    """The character's author; known to the character alone."""
    USER = "user"
    """The user typed it into the memory."""
    CARRIED = "carried"
    """It was taken along from another conversation; `NewRow.receipt` names that."""


class RowKind(StrEnum):
    """What kind of line a row was taken from."""

    HAPPENED = "happened"
    """Narration or an act."""
    OWN_WORD = "own_word"
    """What the user says about themselves."""
    SAID = "said"
    """What somebody says."""
    THOUGHT = "thought"
    """What a mind holds, unspoken."""
    CANON = "canon"
    """Out of character, the user's word about the story."""
    STORY = "story"
    """A sentence of the story so far, taken along."""
    KEPT = "kept"
    """A kept line, taken along."""


class LinkKind(StrEnum):
    """What a later row says of an earlier one."""

    CONFIRMS = "confirms"
    CONTRADICTS = "contradicts"
    CHANGED_STORY = "changed_story"
    """The same speaker says otherwise later; neither is a fact."""
    SUPERSEDES = "supersedes"
    """The user corrects what they said about themselves."""


class LinkedBy(StrEnum):
    """Who found a link."""

    CODE = "code"
    MODEL = "model"
    USER = "user"


@dataclass(frozen=True, slots=True)
class NewRow:
    """A row that is about to be stored.

    `subject` is who it is about, `told_by` whose word it is ("" for what happened), `told_to` whom it was said to.
    `text` is the sentence as it is shown, `quote` the words of the message it rests on. `known_to` names who alone
    knows of it; () for what everybody who was there knows.
    """

    subject: str
    text: str
    truth: Truth
    kind: RowKind
    told_by: str = ""
    told_to: str = ""
    quote: str = ""
    known_to: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    origin: RowOrigin = RowOrigin.MESSAGE
    receipt: str = ""


@dataclass(frozen=True, slots=True)
class LedgerRow(NewRow):
    """A row as it is stored. `ordinals` are the places of its messages on the path."""

    id: int = 0
    state: ItemState = ItemState.VALID
    ordinals: tuple[int, ...] = ()
    fold_id: int | None = None
    created_at: float = 0.0


@dataclass(frozen=True, slots=True)
class NewLink:
    """That row `row_id` says something of the earlier row `earlier_id`. `score` is how sure its finder was, 0 to 1."""

    row_id: int
    earlier_id: int
    kind: LinkKind
    by: LinkedBy = LinkedBy.CODE
    score: float = 1.0


class Standing(StrEnum):
    """How a note stands."""

    KNOWN = "known"
    OWN_WORD = "own_word"
    """The user's statement about themselves."""
    TOLD = "told"
    CONFIRMED = "confirmed"
    """A claim that what happened later supports."""
    SIDES = "sides"
    """A claim and the fact against it (`Note.other`)."""
    CHANGED = "changed"
    """A claim and what its speaker said later (`Note.other`)."""
    CORRECTED = "corrected"
    """What the user said of themselves, and their correction (`Note.other`), which stands."""
    CARRIED = "carried"
    FALSE = "false"
    """The user said that it is not true."""


@dataclass(frozen=True, slots=True)
class Note:
    """A row with what stands against it. `text` is its words, the user's where they changed them."""

    row: LedgerRow
    standing: Standing
    other: LedgerRow | None = None
    hand: Hand = UNTOUCHED

    @property
    def text(self) -> str:
        """Its words as they are shown."""
        return self.row.text if self.hand.text is None else self.hand.text

    @property
    def is_fact(self) -> bool:
        """Whether it stands as a fact."""
        return self.standing in (Standing.KNOWN, Standing.OWN_WORD, Standing.CORRECTED)

    def is_known_to(self, name: str) -> bool:
        """Whether somebody may know of it."""
        return not self.row.known_to or name in self.row.known_to
