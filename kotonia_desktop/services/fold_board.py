"""What the chronicler is doing for each conversation, in values that a window can show."""

from dataclasses import replace

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.memory.policy import FoldPolicy, model_range
from kotonia_desktop.services.heads import HeadKeeper, Reading
from kotonia_desktop.services.memory_reading import (
    newest_ordinal,
    next_number,
    queued_count,
    ranges_to_write,
    without_model,
)
from kotonia_desktop.services.memory_views import FoldActivity, FoldStatus
from kotonia_desktop.store.worker import StoreThread


class FoldBoard:
    """Keeps what is being written and what failed last. The work writes it, anybody reads it."""

    def __init__(self, store: StoreThread, engine: ChatEngine, heads: HeadKeeper) -> None:
        self._store = store
        self._engine = engine
        self._heads = heads
        self._working: dict[int, FoldStatus] = {}
        self._failed: dict[int, KotoniaError] = {}

    def activity(self, conversation_id: int) -> FoldActivity | None:
        """What is going on for a conversation; None where it rests."""
        status = self._working.get(conversation_id)
        return None if status is None else status.activity

    def status(self, conversation_id: int) -> FoldStatus:
        """What is going on, or what would be done next."""
        working = self._working.get(conversation_id)
        if working is not None:
            return working
        model = self._engine.model
        if model is None:
            return without_model(self._store, conversation_id)
        known = self._heads.prompt(conversation_id, model)
        if self._heads.is_at_rest(*known):
            messages = known[0].messages
            newest = messages[-1].ordinal if messages else None
            return FoldStatus(conversation_id, FoldActivity.UP_TO_DATE, newest=newest)
        reading = self._heads.read(conversation_id, model, known)
        ranges = len(ranges_to_write(reading.situation, reading.prompt.policy, self._limit(reading.prompt.policy)))
        due = ranges > 0 or self._heads.is_due(reading, finished=True)
        error = self._failed.get(conversation_id) if due else None
        waiting = FoldActivity.WAITING if error is None else FoldActivity.FAILED
        return FoldStatus(
            conversation_id,
            waiting if due else FoldActivity.UP_TO_DATE,
            to_write=ranges,
            queued=queued_count(reading),
            newest=newest_ordinal(reading),
            error=error,
        )

    def begin(self, reading: Reading, activity: FoldActivity, first: int, last: int, *, forced: bool) -> FoldStatus:
        """The work on the messages from ordinal `first` to `last` begins."""
        conversation_id = reading.scene.conversation.id
        budgets = reading.prompt.policy
        number = self._store.run(lambda s: next_number(s, conversation_id, activity))
        status = FoldStatus(
            conversation_id,
            activity,
            number=number,
            attempt=1,
            first=first,
            last=last,
            to_write=len(ranges_to_write(reading.situation, budgets, self._limit(budgets), forced=forced)),
            queued=queued_count(reading),
            newest=newest_ordinal(reading),
        )
        self._working[conversation_id] = status
        return status

    def next_attempt(self, conversation_id: int) -> FoldStatus:
        """What was written does not count, or does; another attempt or another text comes."""
        status = self._working[conversation_id]
        status = self._working[conversation_id] = replace(status, attempt=status.attempt + 1)
        return status

    def rest(self, conversation_id: int) -> None:
        """The work has ended."""
        self._working.pop(conversation_id, None)

    def failed(self, conversation_id: int, error: KotoniaError | None) -> None:
        """Why the last fold failed; None: the next one has begun."""
        if error is None:
            self._failed.pop(conversation_id, None)
        else:
            self._failed[conversation_id] = error

    def _limit(self, budgets: FoldPolicy) -> int:
        model = self._engine.model
        return budgets.chapter_range if model is None else model_range(model.parameters, budgets)
