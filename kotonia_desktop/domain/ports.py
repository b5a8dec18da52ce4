"""The doors to the outside: what the core asks of an engine, a tokenizer, a clock."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import LoadedModel, LoadOptions, ReasoningMode, Sampling


class PromptRole(StrEnum):
    """The roles a turn grammar knows."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class PromptItem:
    """One turn of a prompt. `ids` are the sampled ids of an assistant turn's text, used instead of tokenising it.

    `name` is who speaks; only plain text completion writes it down.
    """

    role: PromptRole
    text: str
    ids: tuple[int, ...] | None = None
    name: str = ""


class Lane(StrEnum):
    """Which of the two contexts a job runs in."""

    CHAT = "chat"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """A reply to write: the prompt's items, oldest first. The engine adds the opener of the assistant's turn.

    `prefix_text` and `prefix_ids` are the reply's beginning when it is continued.
    `penalty_ids` are the recent reply tokens that penalties may see, oldest first.
    """

    items: tuple[PromptItem, ...]
    sampling: Sampling
    lane: Lane = Lane.CHAT
    reasoning: ReasoningMode = ReasoningMode.OFF
    reasoning_budget: int = 150
    prefix_text: str = ""
    prefix_ids: tuple[int, ...] | None = None
    penalty_ids: tuple[int, ...] = ()
    dry_breakers: tuple[str, ...] = ()
    conversation: str = ""
    """Which conversation the cells belong to: when another is opened they are saved, and found again by this name."""
    grammar: str = ""
    """A GBNF grammar with the rule `root` that the reply must follow to its end; "" lets it write what it likes."""
    seconds: float = 0.0
    """So long it may be decoded for, what it reads among it; then it ends as one that reached its length. 0: no limit.
    While others go before it no time passes."""


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """The prompt is being read: `read` of `total` tokens, of which `reused` were in the cache."""

    read: int
    total: int
    reused: int


@dataclass(frozen=True, slots=True)
class TextPiece:
    """New text of the reply (or of its think block), whole characters only."""

    text: str
    reasoning: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The reply has ended. `ids` are the sampled ids of the reply without the end token and without the think block;
    `id_bytes[i]` is how many bytes of UTF-8 the i-th of them gave. `text` is the whole reply, `reasoning` the think
    block. Of a continued reply `text` and `ids` are the new part. `error` is a code of `domain.errors` when `reason`
    is `error` or `interrupted`; `landed` says that the reply passed its wished length and ended at a sentence end."""

    reason: FinishReason
    text: str
    reasoning: str
    ids: tuple[int, ...]
    id_bytes: tuple[int, ...]
    prompt_tokens: int
    reused_tokens: int
    reply_tokens: int
    reasoning_tokens: int
    prompt_seconds: float
    reply_seconds: float
    seed: int
    stop_string: str = ""
    thinking_cut: bool = False
    error: str = ""
    landed: bool = False


GenerateEvent = PromptProgress | TextPiece | Finished


class GenerateJob(Protocol):
    """A reply in the making. Iterating blocks for the next event and ends after `Finished`."""

    def __iter__(self) -> Iterator[GenerateEvent]:
        """The events, in order; the last is `Finished`."""

    def cancel(self) -> None:
        """Ask for the end; `Finished` with reason `cancelled` follows within 300 ms. May be called from any thread."""


@dataclass(frozen=True, slots=True)
class PromptRead:
    """A prompt that was read without writing anything: its tokens, those that were in the cache, the seconds."""

    prompt_tokens: int
    reused_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PromptCount:
    """Exact token counts of a prompt: each item with its marks, the opener of the reply, and the sum."""

    items: tuple[int, ...]
    opener: int
    total: int


@dataclass(frozen=True, slots=True)
class CacheReport:
    """What the engine did for its cache since the model was loaded.

    `counts`: `swaps` and `swapped_tokens`, `restored` and `restored_tokens`, `saved`, `not_saved`, `evicted`,
    `ignored_...` (snapshots that differed, by what), `freed_...` (tokens taken from whom when cells ran out). `disk`:
    bytes of all snapshots.
    """

    counts: dict[str, int]
    disk: int


class TokenCounter(Protocol):
    """Counts tokens exactly, in the loaded model's tokens."""

    def count(self, messages: Sequence[PromptItem]) -> int:
        """Tokens of the whole prompt that `messages` make, with all marks and the reply's opener."""


class ChatEngine(TokenCounter, Protocol):
    """A model that answers. Methods block; each may be called from any thread but the window's.

    Every method raises a `domain.errors.EngineError` when the engine cannot do it. A reply that runs when the engine
    dies ends with `Finished(reason=interrupted, error="engine_stopped")` and the text so far; the next call starts the
    engine again, loads the model again, and answers. `EngineStopped` is raised only where that fails twice.
    """

    @property
    def model(self) -> LoadedModel | None:
        """The model in memory."""

    def load(self, options: LoadOptions, progress: Callable[[float], None] | None = None) -> LoadedModel:
        """Load a model, replacing the one in memory. `progress` gets 0.0 to 1.0. `cancel_load` ends it early with
        `LoadCancelled`."""

    def cancel_load(self) -> None:
        """End the running `load`. May be called from any thread."""

    def unload(self) -> None:
        """Give the model's memory back."""

    def count_items(self, messages: Sequence[PromptItem]) -> PromptCount:
        """As `count`, item by item."""

    def count_texts(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Tokens of plain texts, each for itself, without any marks."""

    def read(self, items: Sequence[PromptItem], conversation: str, *, opener: bool = True) -> PromptRead:
        """Read a prompt into the chat context as a reply to it would, and write nothing. Without `opener` it ends
        behind its last item's text. Blocks until it is read; a reply goes before it."""

    def generate(self, request: GenerateRequest) -> GenerateJob:
        """Start a reply. A request with lane `chat` goes before all work in lane `memory`."""

    def warm(self, items: Sequence[PromptItem], conversation: str) -> None:
        """Read a prompt's items into the chat context ahead of time; returns at once; any chat request ends it."""

    def score(self, items: Sequence[PromptItem], options: Sequence[str], conversation: str) -> tuple[float, ...]:
        """The logarithm (nats) of the probability of each text as the beginning of the reply to `items`, in the memory
        context; "" has 0.0. The prompt is read once for all of them. Raises `MessageTooLong` where prompt and text
        have no room."""

    def stage(self, items: Sequence[PromptItem], conversation: str) -> PromptRead | None:
        """Read the beginning that a conversation's prompt will have, up to the last item's text, into the memory
        context: the chat goes on as it was. Blocks; replies go before it and it goes on afterwards. None where it was
        ended by `stop_staging`. Raises `MessageTooLong` where the memory context has no cells for it."""

    def stop_staging(self) -> None:
        """End the running `stage` soon; what was staged stays for the next. From any thread."""

    def swap(self, items: Sequence[PromptItem], conversation: str) -> bool:
        """Bring what was staged into the chat context where it serves this prompt better than what is there. Between
        turns; takes some milliseconds. False where nothing was to be gained."""

    def cache(self) -> CacheReport | None:
        """What was done for the cache; None while no model is loaded."""

    def close(self) -> None:
        """End the engine's process."""


class Clock(Protocol):
    """Time, so that tests can set it."""

    def now(self) -> float:
        """Seconds since 1970, UTC."""

    def monotonic(self) -> float:
        """Seconds that never go back."""


class SystemClock:
    """The system's clock."""

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """What the engine's process is doing, for the foot of the window."""

    alive: bool = False
    loading: bool = False
    model: LoadedModel | None = None
    crashes: int = 0
    last_error: str = field(default="")
