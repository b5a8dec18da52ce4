"""The tables of memory as classes: folds with their attempts, chapters, the ledger, threads, pins, the user's hand.

Only the fold writes them. All are append-only but for how a fold ends, `chapter.title` and `pin.removed`. Every
source names the revision it was read in: what was made from it is stale once another is shown.
"""

from sqlmodel import Field, SQLModel


class FoldRow(SQLModel, table=True):
    """One fold or merge: its range on a branch, how it went, what it cost. Tokens are the model's."""

    __tablename__ = "fold"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    branch_id: int = Field(foreign_key="branch.id")
    first_ordinal: int
    last_ordinal: int
    kind: str
    state: str
    reason: str
    model: str
    prompt_version: str
    tokens_before: int
    tokens_after: int
    error: str
    started_at: float
    finished_at: float | None
    noted: bool = False
    """What it stands for was looked through for facts, open matters and lines worth keeping."""


class FoldAttemptRow(SQLModel, table=True):
    """What a model wrote for a fold; `rejected` is the code of why it does not count, "" where it does."""

    __tablename__ = "fold_attempt"
    id: int = Field(default=None, primary_key=True)
    fold_id: int = Field(foreign_key="fold.id")
    number: int
    task: str
    text: str
    finish: str
    rejected: str
    stats: str | None
    created_at: float


class ChapterRow(SQLModel, table=True):
    """A text of memory: level 0 is a chapter, a higher one a part. Its words are its items. One written anew names the
    text it `replaces`, and waits until the user has `accepted` it."""

    __tablename__ = "chapter"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    level: int
    kind: str
    language: str
    fold_id: int | None = Field(default=None, foreign_key="fold.id")
    model: str
    prompt_version: str
    finish: str
    created_at: float
    title: str = ""
    replaces: int | None = Field(default=None, foreign_key="chapter.id")
    accepted: bool = True


class ChapterItemRow(SQLModel, table=True):
    """One sentence of a text; `truth` is `fact` or `claim`, `speaker` whose claim it is."""

    __tablename__ = "chapter_item"
    id: int = Field(default=None, primary_key=True)
    chapter_id: int = Field(foreign_key="chapter.id")
    position: int
    text: str
    truth: str
    speaker: str


class ChapterItemSourceRow(SQLModel, table=True):
    """A message that an item was made from."""

    __tablename__ = "chapter_item_source"
    item_id: int = Field(primary_key=True, foreign_key="chapter_item.id")
    message_id: int = Field(primary_key=True, foreign_key="message.id")
    revision_id: int = Field(foreign_key="revision.id")


class ChapterPartRow(SQLModel, table=True):
    """Which texts a part was made from."""

    __tablename__ = "chapter_part"
    part_id: int = Field(primary_key=True, foreign_key="chapter.id")
    position: int = Field(primary_key=True)
    chapter_id: int = Field(foreign_key="chapter.id")


class LedgerRow(SQLModel, table=True):
    """A fact or a claim; `source` is `message`, `card`, `user` or `carried`, `known_to` a JSON list of names."""

    __tablename__ = "ledger_row"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    subject: str
    text: str
    truth: str
    source: str
    told_by: str
    known_to: str
    fold_id: int | None = Field(default=None, foreign_key="fold.id")
    created_at: float
    kind: str = "said"
    told_to: str = ""
    quote: str = ""
    receipt: str = ""


class LedgerSourceRow(SQLModel, table=True):
    """A message that a ledger row was made from."""

    __tablename__ = "ledger_source"
    row_id: int = Field(primary_key=True, foreign_key="ledger_row.id")
    message_id: int = Field(primary_key=True, foreign_key="message.id")
    revision_id: int = Field(foreign_key="revision.id")


class LedgerLinkRow(SQLModel, table=True):
    """A later row about an earlier one; `kind` is `confirms`, `contradicts`, `changed_story` or `supersedes`."""

    __tablename__ = "ledger_link"
    id: int = Field(default=None, primary_key=True)
    row_id: int = Field(foreign_key="ledger_row.id")
    earlier_id: int = Field(foreign_key="ledger_row.id")
    kind: str
    created_at: float
    linked_by: str = "code"
    score: float = 1.0


class ThreadRow(SQLModel, table=True):
    """An open matter; whether it is open follows from its events."""

    __tablename__ = "thread"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    title: str
    created_at: float


class ThreadEventRow(SQLModel, table=True):
    """A thread was `opened`, `touched`, `closed`, `doubted` or `reopened`, by a message or by the user."""

    __tablename__ = "thread_event"
    id: int = Field(default=None, primary_key=True)
    thread_id: int = Field(foreign_key="thread.id")
    kind: str
    message_id: int | None = Field(default=None, foreign_key="message.id")
    revision_id: int | None = Field(default=None, foreign_key="revision.id")
    text: str
    fold_id: int | None = Field(default=None, foreign_key="fold.id")
    created_at: float
    by_user: bool = False
    score: float = 1.0


class PinRow(SQLModel, table=True):
    """Characters `start_char` to `end_char` (exclusive) of a message, kept verbatim."""

    __tablename__ = "pin"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    message_id: int = Field(foreign_key="message.id")
    revision_id: int = Field(foreign_key="revision.id")
    start_char: int
    end_char: int
    created_at: float
    removed: bool = False
    pinned_by: str = "user"
    fold_id: int | None = Field(default=None, foreign_key="fold.id")


class HandRow(SQLModel, table=True):
    """An act of the user on an item of memory: `target` says of which kind, `target_id` which."""

    __tablename__ = "hand"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    target: str
    target_id: int
    act: str
    text: str
    created_at: float


class NowRow(SQLModel, table=True):
    """A line of where the story stands, read from a message or typed by the user (`locked`); the newest counts."""

    __tablename__ = "now_line"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    field: str
    text: str
    locked: bool
    message_id: int | None = Field(default=None, foreign_key="message.id")
    revision_id: int | None = Field(default=None, foreign_key="revision.id")
    created_at: float
