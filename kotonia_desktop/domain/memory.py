"""What memory is made of: folds with their attempts, and the texts that stand for folded messages.

A fold replaces a range of old messages by a *chapter*: items of one sentence, each with the messages it was made
from. Four texts of one level are merged once into a *part* of the next level. No text is ever rewritten; only titles
change. Nothing here knows how any of it is stored or written.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from kotonia_desktop.domain.messages import FinishReason


class FoldKind(StrEnum):
    """What a fold makes."""

    CHAPTER = "chapter"
    PART = "part"
    REBUILD = "rebuild"
    """A text written anew from its own messages; it waits until the user takes it."""


class FoldState(StrEnum):
    """How far a fold has come."""

    WRITING = "writing"
    WRITTEN = "written"
    """Its text is stored; the messages still stand in the prompt (or are out of sight, queued)."""
    APPLIED = "applied"
    """Its text stands in the memory head, or stood there until it was merged."""
    FAILED = "failed"
    """No text came of it (`error` says why); its range is folded later."""
    INTERRUPTED = "interrupted"
    """The app or the engine ended while it was written; its range is folded later."""


class FoldReason(StrEnum):
    """Why a fold was begun."""

    TRIGGER = "trigger"
    """The prompt passed the trigger."""
    QUEUE = "queue"
    """Messages had left the prompt at the ceiling before there was a chapter of them."""
    MARK = "mark"
    """The user ended the chapter there."""
    NOW = "now"
    """The user asked for it."""
    REBUILD = "rebuild"
    """The user asked for it, or its messages were edited."""
    MERGE = "merge"
    """Eight texts stood at a level, or the texts took more than their share."""


class WrittenBy(StrEnum):
    """Who wrote a text."""

    MODEL = "model"
    EXTRACT = "extract"
    """Code picked whole lines; marked so that a model may retell it later."""
    FIRST_SENTENCE = "first_sentence"
    """The first sentence of each message: a stand-in for measuring without a model."""


class Rejection(StrEnum):
    """Why something a model wrote for memory does not count."""

    EMPTY = "empty"
    CUT = "cut"
    """The model did not end it itself, or a sentence is not whole."""
    REFUSAL = "refusal"
    CONTINUATION = "continuation"
    """It plays on instead of recording: speaks as somebody, addresses the reader."""
    COPY = "copy"
    """Too much of it is taken from the messages word for word."""
    LOOP = "loop"
    LANGUAGE = "language"
    """It is not in the conversation's language."""
    UNSUPPORTED = "unsupported"
    """Nothing of it stands in the messages, or a number in it does not."""
    LONGER = "longer"
    """The prompt would not become shorter."""
    ERROR = "error"
    """The engine reported an error; `WritingStats.detail` holds its code."""


class Truth(StrEnum):
    """What code makes of a line by its kind. In doubt a line is a claim."""

    FACT = "fact"
    CLAIM = "claim"


class ItemState(StrEnum):
    """Whether an item still says what its messages say."""

    VALID = "valid"
    CHANGED = "changed"
    """One of its messages is shown in another revision."""
    GONE = "gone"
    """One of its messages is no longer on the path, or is off the record."""


@dataclass(frozen=True, slots=True)
class Source:
    """A message in the revision that was read."""

    message_id: int
    revision_id: int


@dataclass(frozen=True, slots=True)
class NewItem:
    """One sentence of a text. `speaker` is whose claim it is, "" for a fact or where several speak."""

    text: str
    sources: tuple[Source, ...]
    truth: Truth = Truth.CLAIM
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Item(NewItem):
    """An item as it is stored. `ordinals` are the places of its sources on the path, in order."""

    id: int = 0
    state: ItemState = ItemState.VALID
    ordinals: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HeadItem:
    """An item as it stands in the memory head, with the text it belongs to."""

    item: Item
    chapter_id: int
    level: int


@dataclass(frozen=True, slots=True)
class NewChapter:
    """A text that is about to be stored. Level 0 is a chapter; `parts` are the ids of the texts a part was made of."""

    title: str
    written_by: WrittenBy
    language: str
    items: tuple[NewItem, ...]
    level: int = 0
    model: str = ""
    prompt_version: str = ""
    finish: FinishReason = FinishReason.STOP
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A text of memory on the active path. It stands for the messages from `first_ordinal` to `last_ordinal`."""

    id: int
    conversation_id: int
    fold_id: int
    level: int
    title: str
    written_by: WrittenBy
    language: str
    first_ordinal: int
    last_ordinal: int
    items: tuple[Item, ...]
    state: FoldState
    """`written` or `applied`: that of its fold."""
    in_head: bool = False
    """One of its items stands in the memory head now."""
    merged_into: int | None = None
    """The part that was made of it, once that is stored."""
    parts: tuple[int, ...] = ()
    model: str = ""
    prompt_version: str = ""
    finish: FinishReason = FinishReason.STOP
    created_at: float = 0.0


@dataclass(frozen=True, slots=True)
class WritingStats:
    """What one attempt cost (tokens of the model, seconds), how it was asked for, and why it was rejected.

    `detail` says what the gate saw ("41 % of its 8-grams"), `settings` how it was sampled.
    """

    prompt_tokens: int = 0
    reused_tokens: int = 0
    reply_tokens: int = 0
    prompt_seconds: float = 0.0
    reply_seconds: float = 0.0
    seed: int = 0
    settings: str = ""
    detail: str = ""


NOTES = "notes"
"""How the tasks of answers begin, to tell them from attempts at a text."""


@dataclass(frozen=True, slots=True)
class NewAttempt:
    """What was written for a fold. `rejected` is None where it counts. `task` names what was asked for."""

    task: str
    text: str
    finish: FinishReason
    rejected: Rejection | None = None
    stats: WritingStats = field(default_factory=WritingStats)


@dataclass(frozen=True, slots=True)
class Attempt(NewAttempt):
    """An attempt as it is stored; `number` counts from 1 within its fold."""

    number: int = 1
    created_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Fold:
    """One entry of the fold log: a range, how it went, what it cost. Tokens are those of the labelled lines before
    and of the text after. `chapter_id` is the text that came of it."""

    id: int
    conversation_id: int
    kind: FoldKind
    state: FoldState
    reason: FoldReason
    first_ordinal: int
    last_ordinal: int
    model: str
    prompt_version: str
    tokens_before: int
    tokens_after: int
    error: str
    started_at: float
    finished_at: float | None
    attempts: tuple[Attempt, ...] = ()
    answers: tuple[Attempt, ...] = ()
    """What the model answered when the range was looked through for facts, open matters and lines worth keeping."""
    chapter_id: int | None = None
    title: str = ""


class LineKind(StrEnum):
    """What a line of the memory head is, beside the sentences of texts."""

    ITEM = "item"
    """A sentence of a text in the user's words instead of its own."""
    KNOWN = "known"
    OWN_WORD = "own_word"
    """What the user says about themselves."""
    TOLD = "told"
    """A claim."""
    SIDES = "sides"
    """A claim and the fact that contradicts it."""
    CHANGED = "changed"
    """What somebody said first, and what they said later."""
    CARRIED = "carried"
    """Taken along from another conversation."""
    THREAD = "thread"
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A line of the memory head: the id of its item, ledger row, thread or pin, and its words as they stand there."""

    kind: LineKind
    id: int
    text: str


@dataclass(frozen=True, slots=True)
class HeadState:
    """The prompt's beginning on the active path: what the model sees in place of the oldest messages.

    Messages up to ordinal `until` are not shown verbatim (None: all are); `item_ids` stand in the memory head, in
    their order, and `lines` beside them. The user's acts up to the id `hand_seen` are in it. `reason` is `fold`,
    `hand` (the user changed something), `ceiling` (messages left without a chapter) or "".
    """

    until: int | None = None
    item_ids: tuple[int, ...] = ()
    reason: str = ""
    created_at: float = 0.0
    lines: tuple[HeadLine, ...] = ()
    hand_seen: int = 0
