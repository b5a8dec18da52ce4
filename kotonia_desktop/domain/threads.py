"""Threads: open matters of the story. What state one is in follows from its events; nothing is ever rewritten."""

from dataclasses import dataclass
from enum import StrEnum

from kotonia_desktop.domain.memory import ItemState


class ThreadEventKind(StrEnum):
    """What happened to a matter."""

    OPENED = "opened"
    TOUCHED = "touched"
    CLOSED = "closed"
    REOPENED = "reopened"
    DOUBTED = "doubted"
    """It may be settled: the user is asked."""


class ThreadState(StrEnum):
    """Where a matter stands."""

    OPEN = "open"
    DORMANT = "dormant"
    """Open, but not spoken of for long: out of the prompt, still in the list."""
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class NewThreadEvent:
    """An event. `message_id` is the message that shows it; of the user's own act (`by_user`) the newest message then,
    so that it counts on that path alone. `revision_id` None: in whatever revision. `score` is how sure the finder was,
    0 to 1."""

    kind: ThreadEventKind
    message_id: int | None = None
    revision_id: int | None = None
    text: str = ""
    fold_id: int | None = None
    by_user: bool = False
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class ThreadEvent(NewThreadEvent):
    """An event as it is stored. `ordinal` is its message's place on the path."""

    id: int = 0
    ordinal: int | None = None
    state: ItemState = ItemState.VALID
    created_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Thread:
    """A matter with its events on the active path, oldest first. `title` is the line that opened it."""

    id: int
    conversation_id: int
    title: str
    events: tuple[ThreadEvent, ...] = ()
