"""View values of memory: what the inspector and `kotonia memory` show, ready to draw."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.hand import UNTOUCHED, Hand
from kotonia_desktop.domain.ledger import Note
from kotonia_desktop.domain.memory import Chapter, Fold, HeadState
from kotonia_desktop.domain.pins import Pin
from kotonia_desktop.domain.scene import NowLine
from kotonia_desktop.domain.threads import Thread, ThreadEvent, ThreadState


@dataclass(frozen=True, slots=True)
class ChapterView:
    """A text with its number: chapters count from 1 along the path, parts from 1 within their level.

    `tokens` is what its words take in the loaded model's tokens; 0 while none is loaded.
    """

    chapter: Chapter
    number: int
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class MemoryView:
    """What is remembered of a conversation's active path.

    `story` holds the texts that no part was made of, oldest first; `merged` those that one was made of. Ranges are
    (first, last) ordinals, both included.
    """

    conversation_id: int
    story: tuple[ChapterView, ...]
    merged: tuple[ChapterView, ...]
    head_text: str
    """The memory head as the model sees it, "" while there is none."""
    head_tokens: int
    in_view: tuple[int, int] | None
    """Messages that the model sees word for word."""
    queued: tuple[tuple[int, int], ...]
    """Messages that left the prompt and have no chapter yet."""


@dataclass(frozen=True, slots=True)
class ThreadView:
    """An open matter: its state, the doubt the user may decide, the event that closed it."""

    thread: Thread
    state: ThreadState
    doubt: ThreadEvent | None = None
    closing: ThreadEvent | None = None
    hand: Hand = UNTOUCHED
    in_head: bool = False


@dataclass(frozen=True, slots=True)
class PinView:
    """A kept line."""

    pin: Pin
    hand: Hand = UNTOUCHED
    in_head: bool = False


@dataclass(frozen=True, slots=True)
class RememberedView:
    """What is remembered of the active path beside its texts.

    `in_head` holds the ids of the rows that stand in the prompt, `item_hands` what the user did to sentences of texts.
    `persona` is the user's name in the conversation, `language` its language.
    """

    conversation_id: int
    notes: tuple[Note, ...] = ()
    threads: tuple[ThreadView, ...] = ()
    pins: tuple[PinView, ...] = ()
    now: tuple[NowLine, ...] = ()
    in_head: frozenset[int] = frozenset()
    item_hands: Mapping[int, Hand] = field(default_factory=dict)
    language: str = "en"
    persona: str = ""


@dataclass(frozen=True, slots=True)
class MemoryLog:
    """All that was done for a conversation's memory, newest first: folds with their attempts, and the times at which
    messages left without a chapter."""

    folds: tuple[Fold, ...] = ()
    cuts: tuple[HeadState, ...] = ()


class FoldActivity(StrEnum):
    """What the chronicler is doing."""

    UP_TO_DATE = "up_to_date"
    WAITING = "waiting"
    """There is something to write; it waits for a quiet moment."""
    WRITING = "writing"
    MERGING = "merging"
    NOTING = "noting"
    """What a chapter stands for is looked through for facts, open matters and lines worth keeping."""
    APPLYING = "applying"
    """The chapters are there; the model reads the new beginning of the prompt."""
    NO_MODEL = "no_model"
    FAILED = "failed"
    """The last fold failed (`error`); it is tried again after the next turn."""


@dataclass(frozen=True, slots=True)
class FoldStatus:
    """The chronicler's state for one conversation."""

    conversation_id: int
    activity: FoldActivity
    number: int = 0
    """The number of the chapter or part that is being written."""
    attempt: int = 0
    first: int = 0
    last: int = 0
    """The ordinals that are being written about."""
    to_write: int = 0
    """How many chapters are still to be written, about."""
    queued: int = 0
    """Messages out of sight without a chapter."""
    newest: int | None = None
    """The ordinal of the newest message, for "up to date"."""
    error: KotoniaError | None = None
