"""Has the texts of memory written, by whoever is to write them, and says how it went. One at a time."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from kotonia_desktop.domain.errors import MessageTooLong
from kotonia_desktop.domain.memory import Chapter, NewAttempt, NewChapter, WrittenBy
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.memory.lines import LabelledLine
from kotonia_desktop.memory.policy import model_items, writes_chapters
from kotonia_desktop.memory.writing import TextWriter, WritingTask, extract_text, first_sentences, write_text
from kotonia_desktop.services.chronicling import EngineWriter
from kotonia_desktop.services.prompting import Scene
from kotonia_desktop.store.worker import StoreThread


class WriterKind(StrEnum):
    """Who writes chapters. All but the model are for measuring and for machines without one."""

    AUTO = "auto"
    """The model, where it is large enough to write better than quoted lines."""
    MODEL = "model"
    EXTRACT = "extract"
    FIRST_SENTENCE = "first-sentence"


class ChapterWriter(TextWriter, Protocol):
    """A writer that can be told to give up."""

    def cancel(self) -> None:
        """Give up what is being written. From any thread."""


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a task. `chapter` is None where there is none (`error` is a code); it stands for the first `lines`
    of the task's lines. `hurried`: the model was given up for quoted lines because a turn came near the ceiling."""

    chapter: NewChapter | None
    lines: int
    error: str = ""
    hurried: bool = False


class TextMaker:
    """Knows who writes, and can give up what is being written."""

    def __init__(self, store: StoreThread, engine: ChatEngine) -> None:
        self._store = store
        self._engine = engine
        self.writer = WriterKind.AUTO
        self.make_writer: Callable[[int], ChapterWriter] = lambda conversation_id: EngineWriter(engine, conversation_id)
        self._hurried = threading.Event()
        self._current: ChapterWriter | None = None

    def asks(self, model: LoadedModel) -> bool:
        """Whether the model is asked about memory, beside code."""
        if model.vocabulary_only or self.writer not in (WriterKind.AUTO, WriterKind.MODEL):
            return False
        return self.writer is WriterKind.MODEL or writes_chapters(model.parameters)

    def cancel(self) -> None:
        """Give up what is being written. From any thread."""
        writer = self._current
        if writer is not None:
            writer.cancel()

    def hurry(self) -> None:
        """Give up what the model writes: quoted lines must do. From any thread."""
        if self._current is not None:
            self._hurried.set()
            self.cancel()

    @contextmanager
    def borrowed(self, conversation_id: int) -> Iterator[ChapterWriter]:
        """A writer for a conversation, which `cancel` reaches as long as it is used."""
        writer = self._current = self.make_writer(conversation_id)
        try:
            yield writer
        finally:
            self._current = None

    def make(
        self,
        conversation_id: int,
        task: WritingTask,
        attempted: Callable[[NewAttempt], None],
        stopped: threading.Event,
        *,
        extract: bool = False,
    ) -> Made:
        """A text for `task`; `extract`: code picks its lines. `attempted` is told of each attempt of a model."""
        count = self._engine.count_texts
        everything = len(task.lines)
        if self.writer is WriterKind.FIRST_SENTENCE:
            return Made(first_sentences(task, count), everything)
        model = self._engine.model
        too_small = self.writer is WriterKind.AUTO and (model is None or not writes_chapters(model.parameters))
        if self.writer is WriterKind.EXTRACT or extract or too_small or not (task.lines or task.texts):
            return Made(extract_text(task, count), everything)
        self._hurried.clear()
        with self.borrowed(conversation_id) as writer:
            outcome = write_text(task, writer, count, attempted=attempted)
        if outcome.chapter is not None:
            return Made(outcome.chapter, outcome.lines)
        if outcome.error == MessageTooLong.code:
            # One message alone is more than the memory context holds: no model of this window will ever read it.
            return Made(extract_text(task, count), everything)
        if self._hurried.is_set() and not stopped.is_set():
            return Made(extract_text(task, count), everything, hurried=True)
        return Made(None, 0, outcome.error)


def writing_task(
    scene: Scene,
    model: LoadedModel,
    budget: int,
    *,
    lines: Sequence[LabelledLine] = (),
    texts: Sequence[Chapter] = (),
) -> WritingTask:
    """What is to be written: a chapter of `lines`, or one text of `texts`, in `budget` tokens."""
    least, most = model_items(model.parameters)
    return WritingTask(
        lines=tuple(lines),
        language=scene.conversation.language,
        char=scene.card.name,
        user=scene.persona.name,
        least_items=least,
        most_items=most,
        budget=budget,
        level=texts[0].level + 1 if texts else 0,
        texts=tuple(texts),
    )


def author(chapter: NewChapter, model: LoadedModel) -> str:
    """The name of the model where it wrote a text."""
    return model.name if chapter.written_by is WrittenBy.MODEL else ""
