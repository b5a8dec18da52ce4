"""A dialogue told again through prompt, prefix cache and folding: a row a message, and what it comes to.

The measuring bench of memory. Replies are the file's own; what would be read for them is read, unless the vocabulary
alone is loaded, where the cache is worked out from the prompt's parts.
"""

import statistics
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

from kotonia_desktop.domain.memory import Fold, FoldKind, FoldState, WrittenBy
from kotonia_desktop.domain.messages import Role
from kotonia_desktop.services.folding import WriterKind
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.memory_views import FoldStatus
from kotonia_desktop.services.replaying import FedMessage
from kotonia_desktop.store.messages import NewMessage

_AT_ENDS = 100
"""Messages at each end whose times are compared."""


class Idle(StrEnum):
    """How much time the background gets between two messages."""

    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """How a dialogue is told again. `idle` is `Idle.ALL`, `Idle.NONE` or seconds; `turns` 0 takes the whole file."""

    model: Path
    window: int = 8192
    turns: int = 0
    account: bool = False
    idle: Idle | float = Idle.ALL
    writer: WriterKind = WriterKind.MODEL


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """One message: tokens in the prompt, in the cache, new, read again; milliseconds before and behind the scenes.

    `folded`: chapters came into the memory head before it. `busy`: a chapter was being written while it was read.
    `queued` counts the messages out of sight without a chapter.
    """

    turn: int
    ordinal: int
    role: str
    speaker: str
    prompt: int
    reused: int
    new: int
    reread: int
    folded: bool
    swap: bool
    cut: bool
    busy: bool
    head: int
    queued: int
    front_ms: float
    background_ms: float

    @property
    def reuse(self) -> float:
        """Reused tokens over the prompt's tokens less the new message's, at most 1."""
        could = self.prompt - self.new
        return min(1.0, self.reused / could) if could > 0 else 1.0


@dataclass(slots=True)
class Replay:
    """A replay that was run."""

    conversation_id: int
    rows: list[ReplayRow] = field(default_factory=list)
    folds: tuple[Fold, ...] = ()
    queued_at_end: tuple[int, int] | None = None
    """Ordinals that were out of sight without a chapter after the last message, before the last quiet moment."""
    queued_after: tuple[int, int] | None = None
    written_by: dict[str, int] = field(default_factory=dict)
    cache: dict[str, int] = field(default_factory=dict)
    """What the engine did for its cache, as `CacheReport.counts`."""

    def summary(self) -> dict[str, float | int]:
        """The figures. `reuse_*` are over messages after the first and without a swap."""
        plain = [row.reuse for row in self.rows[1:] if not row.swap]
        chapters = [fold for fold in self.folds if fold.kind is FoldKind.CHAPTER]
        stored = [fold for fold in self.folds if fold.state in (FoldState.WRITTEN, FoldState.APPLIED)]
        return {
            "turns": len(self.rows),
            "folds": sum(fold in stored for fold in chapters),
            "forced_cuts": sum(row.cut for row in self.rows),
            "rejected": sum(attempt.rejected is not None for fold in self.folds for attempt in fold.attempts),
            "reuse_min": min(plain, default=1.0),
            "reuse_median": statistics.median(plain) if plain else 1.0,
            "head_tokens_max": max((row.head for row in self.rows), default=0),
            "ms_per_turn_first_100": _mean_ms(self.rows[:_AT_ENDS]),
            "ms_per_turn_last_100": _mean_ms(self.rows[-_AT_ENDS:]),
            "reread_max": max((row.reread for row in self.rows[1:] if not row.swap), default=0),
            "front_ms_max": round(max((row.front_ms for row in self.rows), default=0.0), 1),
            "swaps": sum(row.swap for row in self.rows),
            "merges": sum(fold in stored for fold in self.folds if fold.kind is FoldKind.PART),
            "retried": sum(len(fold.attempts) > 1 for fold in self.folds),
            **{f"by_{kind.value}": self.written_by.get(kind.value, 0) for kind in WrittenBy},
            "queued_at_end": _length(self.queued_at_end),
            "queued_after": _length(self.queued_after),
            "cache_swaps": self.cache.get("swaps", 0),
            "cache_swapped_tokens": self.cache.get("swapped_tokens", 0),
        }


def _mean_ms(rows: list[ReplayRow]) -> float:
    return round(statistics.fmean(row.front_ms + row.background_ms for row in rows), 2) if rows else 0.0


def _length(ordinals: tuple[int, int] | None) -> int:
    return ordinals[1] - ordinals[0] + 1 if ordinals else 0


class _Background:
    """The chronicler behind the replay: all the time it wants, none, or so many seconds after each message."""

    def __init__(self, kotonia: Kotonia, conversation_id: int, options: ReplayOptions) -> None:
        self._kotonia = kotonia
        self._conversation_id = conversation_id
        self._idle = options.idle
        self._thread: threading.Thread | None = None
        self.applied = 0

    @property
    def busy(self) -> bool:
        """Whether it is at work while the next message comes."""
        return self._thread is not None and self._thread.is_alive()

    def turn_ended(self) -> float:
        """Let it work; the seconds that went by."""
        clock = self._kotonia.clock
        started = clock.monotonic()
        if self._idle is Idle.ALL:
            self.work()
        elif self._idle is not Idle.NONE:
            if not self.busy:
                self._thread = threading.Thread(target=self.work, name="chronicler", daemon=True)
                self._thread.start()
            if self._thread is not None:
                self._thread.join(float(self._idle))
        return clock.monotonic() - started

    def work(self) -> None:
        """Write and apply all that is due."""
        changes = self._kotonia.folding.work(self._conversation_id, _say_nothing)
        if changes.memory and not self._kotonia.replaying.decodes:
            self._kotonia.replaying.settle(self._conversation_id)

    def finish(self) -> None:
        """Wait for what is being written, then let it do the rest."""
        if self._thread is not None:
            self._thread.join()
        self.work()


def _say_nothing(_status: FoldStatus) -> None:
    """The replay tells by its rows."""


def replay(
    kotonia: Kotonia,
    file: Path,
    options: ReplayOptions,
    *,
    began: Callable[[int], None] = lambda _conversation_id: None,
    tell: Callable[[ReplayRow], None] = lambda _row: None,
) -> Replay:
    """Tell `file` again in a new conversation of the data folder. Raises `KotoniaError`.

    `began` gets the conversation's id, `tell` each row. After the last message there is one quiet moment in which
    what is queued is folded, whatever `idle` says.
    """
    vocabulary_only = options.account and options.writer is not WriterKind.MODEL
    kotonia.models.load(options.model, window=options.window, vocabulary_only=vocabulary_only)
    kotonia.folding.writer = options.writer
    kotonia.replaying.decodes = not options.account
    kotonia.folding.reads_ahead = not options.account
    kotonia.folding.reads_now = False
    conversation, messages = kotonia.replaying.open(file)
    result = Replay(conversation.id)
    began(conversation.id)
    background = _Background(kotonia, conversation.id, options)
    messages = messages[: options.turns] if options.turns else messages
    for number, message in enumerate(messages):
        following = messages[number + 1] if number + 1 < len(messages) else None
        busy = background.busy
        fed = kotonia.replaying.feed(conversation.id, message, answered=_is_answered(message, following))
        row = _row(number + 1, fed, busy, background.turn_ended())
        result.rows.append(row)
        tell(row)
    result.queued_at_end = _queued(kotonia, conversation.id)
    background.finish()
    result.queued_after = _queued(kotonia, conversation.id)
    result.folds = kotonia.folding.log(conversation.id, limit=1_000_000).folds
    report = kotonia.cache()
    result.cache = report.counts if report is not None else {}
    view = kotonia.folding.view(conversation.id)
    for text in (*view.story, *view.merged):
        kind = text.chapter.written_by.value
        result.written_by[kind] = result.written_by.get(kind, 0) + 1
    return result


def _is_answered(message: NewMessage, following: NewMessage | None) -> bool:
    """Whether a reply comes next: a run of messages of the user is one turn."""
    return message.role is Role.USER and (following is None or following.role is not Role.USER)


def _row(number: int, fed: FedMessage, busy: bool, background: float) -> ReplayRow:
    return ReplayRow(
        turn=number,
        ordinal=fed.ordinal,
        role=fed.role.value,
        speaker=fed.speaker,
        prompt=fed.prompt,
        reused=fed.reused,
        new=fed.new,
        reread=fed.reread,
        folded=fed.swapped and not fed.cut,
        swap=fed.swapped,
        cut=fed.cut,
        busy=busy,
        head=fed.head,
        queued=_length(fed.queued),
        front_ms=round(fed.seconds * 1000, 1),
        background_ms=round(background * 1000, 1),
    )


def _queued(kotonia: Kotonia, conversation_id: int) -> tuple[int, int] | None:
    queued = kotonia.folding.view(conversation_id).queued
    return queued[0] if queued else None


def as_json(row: ReplayRow) -> dict[str, object]:
    """A row as a JSON object."""
    return {**asdict(row), "reuse": round(row.reuse, 4)}
