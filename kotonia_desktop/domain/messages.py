"""What a conversation is made of: messages, their segments and revisions, and how a reply ended.

A message never changes: what is shown is its newest *revision*. A regeneration is a sibling (an *alternate*).
Deleting and undoing are events. Nothing here knows how any of it is stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """Who stands behind a message."""

    USER = "user"
    CHARACTER = "character"


class FinishReason(StrEnum):
    """Why the text of a reply ends where it ends."""

    STOP = "stop"
    """The model ended it itself, or a stop string or the persona guard did (see `Revision.stopped_by`)."""
    LENGTH = "length"
    """It reached the token limit of the reply."""
    WINDOW = "window"
    """It reached the end of the model's window."""
    CANCELLED = "cancelled"
    """The user stopped it."""
    INTERRUPTED = "interrupted"
    """The app or the engine died while it was written; what had been saved is kept."""
    ERROR = "error"
    """The engine reported an error."""


class StoppedBy(StrEnum):
    """What ended a reply early although its finish reason is `stop`."""

    NOTHING = ""
    PERSONA = "persona"
    """It began to speak or act as the user's persona; the rest was cut (`Revision.cut_text`)."""
    STOP_STRING = "stop_string"
    LANDED = "landed"
    """It passed the wished length and ended at the next sentence end."""


class SegmentKind(StrEnum):
    """What a piece of a message is. Promise 4 rests on it: code decides truth from the kind of line."""

    NARRATION = "narration"
    ACTION = "action"
    SPEECH = "speech"
    THOUGHT = "thought"
    OOC = "ooc"
    """Out of character: the author speaking, not the persona."""
    UNCLEAR = "unclear"
    """Markup that could not be parsed (an unbalanced quote): readable, never a fact."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a message's text: characters `start` to `end` (exclusive, in Python characters) of the raw text."""

    kind: SegmentKind
    start: int
    end: int
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class GenerationStats:
    """What one reply cost. Counts are tokens of the loaded model, times are seconds."""

    model: str = ""
    prompt_tokens: int = 0
    reused_tokens: int = 0
    """Prompt tokens that were still in the model's cache."""
    reread_tokens: int = 0
    """Prompt tokens read again although the model had seen them before in this conversation."""
    reply_tokens: int = 0
    reasoning_tokens: int = 0
    prompt_seconds: float = 0.0
    reply_seconds: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class NewRevision:
    """A state of a message's text that is about to be written.

    `token_ids` are the text's sampled ids under tokenizer `tokenizer`, where they are known.
    """

    text: str
    segments: tuple[Segment, ...] = ()
    reasoning: str = ""
    """The think block. Neither reply nor thought: never in segments, prompt, search or memory."""
    finish: FinishReason = FinishReason.STOP
    stopped_by: StoppedBy = StoppedBy.NOTHING
    cut_text: str = ""
    thinking_cut: bool = False
    """The reply stopped while the model was still thinking."""
    format_ok: bool = True
    tokenizer: str = ""
    token_ids: tuple[int, ...] | None = None
    stats: GenerationStats | None = None


@dataclass(frozen=True, slots=True)
class Revision(NewRevision):
    """One state of a message's text, as it is stored. `created_at` is in seconds since 1970."""

    id: int = 0
    created_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Message:
    """A message on the active path of a conversation.

    `ordinal` counts from 0 along the path and never changes; the screen shows it as `#ordinal+1`.
    `note` is what stood in front of this user message when the model saw it (lore that fired), frozen there.
    `is_draft` is true while the reply is being written: `revision` then holds what has been saved of it so far.
    """

    id: int
    conversation_id: int
    branch_id: int
    ordinal: int
    role: Role
    speaker: str
    revision: Revision
    revision_count: int = 1
    note: str = ""
    alternate_index: int = 0
    """Which of its siblings this is, from 0."""
    alternate_count: int = 1
    is_greeting: bool = False
    is_draft: bool = False
    off_record: bool = False
    """Shown to the user, kept from the model and from memory."""
    ends_chapter: bool = False
    """The user ended the chapter behind this message."""
    created_at: float = 0.0

    @property
    def text(self) -> str:
        """The newest revision's text."""
        return self.revision.text


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A message that matches a search, with the part of its text around the match (`start`/`end` in the excerpt)."""

    message_id: int
    conversation_id: int
    conversation_title: str
    ordinal: int
    speaker: str
    excerpt: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RankedHit:
    """A message that shares words with a text. `score` grows with how many and how rare they are; it compares hits of
    one search only."""

    message_id: int
    ordinal: int
    score: float


@dataclass(frozen=True, slots=True)
class Changes:
    """What a write changed. Every open view refreshes from it; the view that caused it skips itself.

    `initiator` names the view that asked. Ids of messages are on the path that is active after the change.
    """

    conversation_id: int | None = None
    messages_added: tuple[int, ...] = ()
    messages_changed: tuple[int, ...] = ()
    messages_removed: tuple[int, ...] = ()
    path_changed: bool = False
    """Other messages than those named may have left or joined the path: reload it."""
    conversations: bool = False
    """The list of conversations changed (title, order, one added or removed)."""
    characters: bool = False
    personas: bool = False
    settings: tuple[str, ...] = ()
    memory: bool = False
    """Chapters, the memory head or the fold log changed."""
    initiator: str = ""

    def __or__(self, other: "Changes") -> "Changes":
        """Both changes as one."""
        return Changes(
            conversation_id=self.conversation_id if self.conversation_id is not None else other.conversation_id,
            messages_added=self.messages_added + other.messages_added,
            messages_changed=self.messages_changed + other.messages_changed,
            messages_removed=self.messages_removed + other.messages_removed,
            path_changed=self.path_changed or other.path_changed,
            conversations=self.conversations or other.conversations,
            characters=self.characters or other.characters,
            personas=self.personas or other.personas,
            settings=self.settings + other.settings,
            memory=self.memory or other.memory,
            initiator=self.initiator or other.initiator,
        )


def sum_changes(changes: Sequence[Changes]) -> Changes:
    """All of `changes` as one."""
    total = Changes()
    for change in changes:
        total = total | change
    return total


@dataclass(frozen=True, slots=True)
class FormatRate:
    """How many of the model's replies in a conversation kept to the reply format."""

    passed: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        """Passed over total, 1.0 where there is nothing to count."""
        return self.passed / self.total if self.total else 1.0
