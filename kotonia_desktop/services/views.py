"""The services' own view values: what a window or a command shows, ready to draw, without a trip to the database."""

from dataclasses import dataclass, field

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.messages import Changes, FormatRate, Message
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.sections import SectionKind as SectionKind


@dataclass(frozen=True, slots=True)
class Page:
    """A run of messages of the active path, oldest first. `total` counts the visible messages of the whole path.

    `has_older` and `has_newer` say whether the path goes on before the first and after the last.
    """

    conversation_id: int
    messages: tuple[Message, ...]
    total: int
    has_older: bool
    has_newer: bool


@dataclass(frozen=True, slots=True)
class PromptSection:
    """A section of what the model sees now: its text, its tokens, and how many of them are still in the cache."""

    kind: SectionKind
    tokens: int
    cached: int
    text: str
    first_ordinal: int | None = None
    last_ordinal: int | None = None


@dataclass(frozen=True, slots=True)
class PromptView:
    """What the model sees now. Tokens are the loaded model's; without a model they are 0 and `counted` is false."""

    sections: tuple[PromptSection, ...]
    total: int
    window: int
    reply_reserve: int
    counted: bool
    out_of_sight: tuple[int, int] | None = None
    """Ordinals (first, last) of the messages that no longer fit and are not seen by the model."""

    @property
    def room(self) -> int:
        """Tokens the prompt may take: the window less what is kept for the reply."""
        return max(0, self.window - self.reply_reserve)

    @property
    def room_used(self) -> float:
        """Share of the room for the story that is used, 0.0 to 1.0."""
        return min(1.0, self.total / self.room) if self.room else 0.0


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The user's message (if any) is saved, the reply's row exists; `changes` names both."""

    changes: Changes
    reply: Message
    user: Message | None = None


@dataclass(frozen=True, slots=True)
class TurnReading:
    """The model reads the prompt: tokens read so far of those it had to read; `reused` were still in its cache."""

    message_id: int
    read: int
    total: int
    reused: int


@dataclass(frozen=True, slots=True)
class TurnText:
    """The reply so far, whole (not the piece). `reasoning` is the think block so far."""

    message_id: int
    text: str
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """The reply is stored. `message` is what stands on the path now."""

    changes: Changes
    message: Message
    format_rate: FormatRate
    out_of_sight: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn did not come to its end. Whatever had been written is kept and named in `changes`.

    `restore_text` is the user's text where it was not saved as a message: it belongs back into the composer.
    """

    error: KotoniaError
    changes: Changes
    message: Message | None = None
    restore_text: str = ""


TurnEvent = TurnStarted | TurnReading | TurnText | TurnFinished | TurnFailed


@dataclass(frozen=True, slots=True)
class UndoOutcome:
    """What an undo did: `label` is a code (`delete`, `edit`, `select`, "" for nothing to undo)."""

    label: str
    changes: Changes


@dataclass(frozen=True, slots=True)
class ModelSuggestion:
    """A model we recommend: what it is, for whom, where it is. Sizes in bytes of the file named."""

    name: str
    file: str
    size: int
    licence: str
    languages: tuple[str, ...]
    memory_gb: int
    """Memory the machine should have in all."""
    page: str
    """Address of the page that offers it; opened only when the user asks."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """The engine as the foot of the window shows it."""

    model: LoadedModel | None
    loading: bool
    alive: bool
    crashes: int = 0
    last_error: KotoniaError | None = None


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import brought in, what it repaired, what it could not take over. Notes are codes with values."""

    kind: str
    """`card`, `chat`, `dialogue`."""
    name: str
    character_id: int | None
    conversation_id: int | None
    messages: int
    changes: Changes
    notes: tuple[tuple[str, dict[str, str | int]], ...] = field(default=())
