"""What is remembered, read for people: the view of the inspector and of `kotonia memory`, and figures for the state."""

from collections.abc import Sequence
from dataclasses import replace

from kotonia_desktop.domain.memory import Chapter
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.memory.plan import Pending, PlannedRange, Situation, next_range
from kotonia_desktop.memory.policy import FoldPolicy
from kotonia_desktop.prompt.head import head_text
from kotonia_desktop.services.heads import HeadKeeper, Reading
from kotonia_desktop.services.memory_views import ChapterView, FoldActivity, FoldStatus, MemoryView
from kotonia_desktop.services.prompting import Scene, queued_range, read_scene
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

_MOST_RANGES = 200
"""So many chapters are counted ahead at most; what is to be written beyond is "many"."""


def ranges_to_write(
    situation: Situation, budgets: FoldPolicy, limit: int, *, forced: bool = False
) -> list[PlannedRange]:
    """The ranges that would be written one after the other, were each to succeed with a text of full length."""
    ranges: list[PlannedRange] = []
    while len(ranges) < _MOST_RANGES:
        planned = next_range(situation, budgets, limit, forced=forced)
        if planned is None:
            break
        ranges.append(planned)
        written = [line for line in situation.lines if line.ordinal <= planned.last]
        pending = Pending(planned.first, planned.last, sum(line.tokens for line in written), budgets.text)
        situation = replace(
            situation, pending=(*situation.pending, pending), lines=tuple(situation.lines[len(written) :])
        )
    return ranges


def queued_count(reading: Reading) -> int:
    """Messages out of sight without a chapter; of a very long queue those that were looked at."""
    until = -1 if reading.prompt.out_until is None else reading.prompt.out_until
    return sum(message.ordinal <= until for message in reading.messages)


def newest_ordinal(reading: Reading) -> int | None:
    """The ordinal of the newest message, None where there is none."""
    return reading.scene.messages[-1].ordinal if reading.scene.messages else None


def without_model(store: StoreThread, conversation_id: int) -> FoldStatus:
    """The state while no model is loaded: nothing is counted, but what is out of sight is known."""
    scene = store.run(lambda s: read_scene(s, conversation_id))
    queued = queued_range(scene.out_until, scene.covered_until)
    return FoldStatus(
        conversation_id,
        FoldActivity.NO_MODEL,
        queued=queued[1] - queued[0] + 1 if queued else 0,
        newest=scene.messages[-1].ordinal if scene.messages else None,
    )


def next_number(store: Store, conversation_id: int, activity: FoldActivity) -> int:
    """The number that the chapter (or the part, while merging) gets which is written next."""
    chapters, parts = store.count_chapters(conversation_id)
    return 1 + (parts if activity is FoldActivity.MERGING else chapters)


def memory_view(store: StoreThread, engine: ChatEngine, heads: HeadKeeper, conversation_id: int) -> MemoryView:
    """All that is remembered of a conversation's active path."""
    model = engine.model
    scene, texts = store.run(lambda s: (read_scene(s, conversation_id), s.chapters(conversation_id)))
    tokens: dict[int, int] = {}
    head_tokens = 0
    words = head_text(scene.head, scene.conversation.language, scene.lines, scene.persona.name)
    if model is not None:
        tokens = heads.count_items(texts)
        head_tokens = engine.count_texts([words])[0]
    views = _numbered(texts, tokens)
    queued = queued_range(scene.out_until, scene.covered_until)
    return MemoryView(
        conversation_id=conversation_id,
        story=tuple(view for view in views if view.chapter.merged_into is None),
        merged=tuple(view for view in views if view.chapter.merged_into is not None),
        head_text=words,
        head_tokens=head_tokens,
        in_view=_in_view(scene),
        queued=(queued,) if queued else (),
    )


def _numbered(texts: Sequence[Chapter], tokens: dict[int, int]) -> list[ChapterView]:
    numbers: dict[int, int] = {}
    views = []
    for text in texts:
        numbers[text.level] = numbers.get(text.level, 0) + 1
        views.append(ChapterView(text, numbers[text.level], tokens.get(text.id, 0)))
    return views


def _in_view(scene: Scene) -> tuple[int, int] | None:
    shown = [message.ordinal for message in scene.messages if message.text.strip() and not message.off_record]
    return (shown[0], shown[-1]) if shown else None
