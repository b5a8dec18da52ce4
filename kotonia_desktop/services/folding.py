"""Folding: old messages become chapters, in the background, one at a time, oldest first.

`work` is driven by a worker thread (the window's, a command's). It writes a chapter, looks again, writes the next;
merges four texts into a part; and moves what is written into the memory head between two turns. Whatever goes wrong
hides nothing: the range stays as it was and is folded later.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kotonia_desktop.domain.errors import KotoniaError, error_from_wire
from kotonia_desktop.domain.memory import Chapter, FoldKind, FoldReason, FoldState, Item, NewAttempt, NewChapter
from kotonia_desktop.domain.messages import Changes
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.memory.chronicler import PROMPT_VERSION
from kotonia_desktop.memory.locking import with_locked
from kotonia_desktop.memory.merging import Stacked, next_merge
from kotonia_desktop.memory.plan import PlannedRange, next_range
from kotonia_desktop.memory.policy import model_range
from kotonia_desktop.memory.writing import TextWriter, WritingTask
from kotonia_desktop.services.fold_board import FoldBoard
from kotonia_desktop.services.heads import HeadKeeper, Reading, read_lines
from kotonia_desktop.services.memory_reading import memory_view
from kotonia_desktop.services.memory_views import FoldActivity, FoldStatus, MemoryLog, MemoryView
from kotonia_desktop.services.noting import NoteTaker
from kotonia_desktop.services.now_taking import NowTaker
from kotonia_desktop.services.prompting import CountedPrompt, Scene
from kotonia_desktop.services.rebuilding import Rebuilder
from kotonia_desktop.services.settings import SettingsService
from kotonia_desktop.services.staging import Stager
from kotonia_desktop.services.text_making import ChapterWriter, Made, TextMaker, author, writing_task
from kotonia_desktop.services.text_making import WriterKind as WriterKind
from kotonia_desktop.services.turns import TurnRunner
from kotonia_desktop.store.worker import StoreThread

log = logging.getLogger("kotonia.folding")

QUEUE_WAIT = 5.0
"""Seconds of quiet before messages that are out of sight are written about."""
PENDING_MOST = 8
"""So many written chapters move into the head although more are to be written: a long import is not kept waiting."""


@dataclass(slots=True)
class _Work:
    """One run of `work`."""

    conversation_id: int
    tell: Callable[[FoldStatus], None]
    changed: Callable[[Changes], None] | None
    forced: bool
    changes: Changes
    hurried: bool = False
    """A turn came near the ceiling while the model wrote: code picks the lines of what is still due."""
    begun: bool = False
    """Something was due: what follows from it (a merge, the new head) is looked for too."""


class FoldService:
    """Writes memory and shows it. Methods block; each may be called from any thread but the window's."""

    def __init__(
        self,
        store: StoreThread,
        engine: ChatEngine,
        settings: SettingsService,
        heads: HeadKeeper,
        turns: TurnRunner,
    ) -> None:
        self._store = store
        self._engine = engine
        self._settings = settings
        self._heads = heads
        self._turns = turns
        self._maker = TextMaker(store, engine)
        self._rebuilder = Rebuilder(store, engine, heads, self._maker)
        self.reads_ahead = True
        """Whether a new beginning of the prompt is read before it is used; not where nothing of a chat is decoded."""
        self._working = threading.Lock()
        self._stopped = threading.Event()
        self._closed = False
        self._board = FoldBoard(store, engine, heads)
        self._stager = Stager(engine, heads)
        self._notes = NoteTaker(store, engine)
        self._now = NowTaker(store)
        self.reads_now = True
        """Whether where the story stands is read in idle time; not where nobody plays."""
        recovered = store.run(lambda s: s.recover_folds())
        if recovered:
            log.info("%d folds were interrupted and are done again", recovered)
        turns.on_prompt = self._on_prompt

    @property
    def writer(self) -> WriterKind:
        """Who writes chapters."""
        return self._maker.writer

    @writer.setter
    def writer(self, kind: WriterKind) -> None:
        self._maker.writer = kind

    @property
    def make_writer(self) -> Callable[[int], ChapterWriter]:
        """Makes the writer for a conversation; the model's, unless something that measures takes its place."""
        return self._maker.make_writer

    @make_writer.setter
    def make_writer(self, make: Callable[[int], ChapterWriter]) -> None:
        self._maker.make_writer = make

    # -- writing

    def due_in(self, conversation_id: int) -> float | None:
        """Seconds of quiet to wait before there should be written; None where there is nothing to write or apply."""
        model = self._engine.model
        if model is None:
            return None
        known = self._heads.prompt(conversation_id, model)
        wait = float(self._settings.number("memory.wait"))
        looks = self._reads_now(known[0], model)
        if self._heads.is_at_rest(*known):
            return wait if looks else None
        reading = self._heads.read(conversation_id, model, known)
        planned, merge = self._next(reading, model, forced=False)
        if planned is None and merge is None and self._to_note(conversation_id) is None:
            if not self._heads.is_due(reading, finished=True):
                return wait if looks else None
            return min(wait, QUEUE_WAIT)  # only what the user changed, or what is written already
        if planned is not None and planned.reason is not FoldReason.TRIGGER:
            return min(wait, QUEUE_WAIT)
        return reading.prompt.policy.wait(reading.situation.total, wait)

    def work(
        self,
        conversation_id: int,
        tell: Callable[[FoldStatus], None],
        *,
        force: bool = False,
        changed: Callable[[Changes], None] | None = None,
    ) -> Changes:
        """Write and apply all that is due, chapter by chapter; ends early where `stop` is called or a fold fails.

        `force` folds now, below the trigger too, down to the floor. `tell` gets the state at each step, `changed` the
        changes as they are stored; all of them together are the result. What goes wrong is told, never raised.
        """
        run = _Work(conversation_id, tell, changed, force, Changes())
        with self._working:
            if self._closed:
                return run.changes
            self._stopped.clear()
            try:
                model = self._engine.model
                while model is not None and not self._stopped.is_set() and self._step(run, model):
                    model = self._engine.model
            except KotoniaError as error:
                log.info("folding failed: %s", error.code)
                self._board.failed(conversation_id, error)
            finally:
                self._board.rest(conversation_id)
                tell(self.status(conversation_id))
        return run.changes

    def stop(self) -> None:
        """End `work` soon: what is being written is given up, and folded later. From any thread."""
        self._stopped.set()
        self._maker.cancel()
        self._engine.stop_staging()

    def close(self) -> None:
        """As `stop`, for good; waits until the work has ended."""
        self._closed = True
        self.stop()
        # Again and again: what is just about to begin hears nothing of the first time.
        while not self._working.acquire(timeout=0.1):
            self.stop()
        self._working.release()

    def _next(
        self, reading: Reading, model: LoadedModel, *, forced: bool
    ) -> tuple[PlannedRange | None, tuple[int, ...] | None]:
        """What is to be written next: a range, or texts to be merged."""
        budgets = reading.prompt.policy
        planned = next_range(reading.situation, budgets, model_range(model.parameters, budgets), forced=forced)
        if planned is not None:
            return planned, None
        stacked = [Stacked(text.id, text.level, reading.text_tokens[text.id]) for text in reading.texts]
        return None, next_merge(stacked, budgets.texts)

    def _step(self, run: _Work, model: LoadedModel) -> bool:
        """Do the next thing. False where nothing is left to do."""
        known = self._heads.prompt(run.conversation_id, model)
        if not run.begun and not run.forced and self._heads.is_at_rest(*known):
            return self._take_now(run, known[0], model)
        run.begun = True
        reading = self._heads.read(run.conversation_id, model, known)
        planned, merge = self._next(reading, model, forced=run.forced)
        self._board.failed(run.conversation_id, None)
        # Near the ceiling what is written moves into the head first; what it says in detail can wait.
        near = run.hurried or reading.situation.total >= reading.prompt.policy.halfway
        to_note = self._to_note(run.conversation_id)
        written = planned is None and merge is None and (to_note is None or near)
        enough = len(reading.situation.pending) >= PENDING_MOST
        if (written or enough) and self._apply(run, reading, model):
            return True
        if planned is not None:
            return self._write_chapter(run, reading, planned, model)
        if to_note is not None:
            return self._take_notes(run, reading, to_note, model)
        if merge is not None:
            return self._merge(run, reading, merge, model)
        return self._take_now(run, known[0], model)

    def _reads_now(self, scene: Scene, model: LoadedModel) -> bool:
        return self.reads_now and self._maker.asks(model) and self._now.is_due(scene)

    def _take_now(self, run: _Work, scene: Scene, model: LoadedModel) -> bool:
        """Read where the story stands, where enough was said since."""
        if not self._reads_now(scene, model):
            return False
        with self._maker.borrowed(run.conversation_id) as writer:
            error = self._now.take(scene, writer)
        if not error:
            self._change(run)
        return False

    def _write_chapter(self, run: _Work, reading: Reading, planned: PlannedRange, model: LoadedModel) -> bool:
        messages = [m for m in reading.messages if planned.first <= m.ordinal <= planned.last]
        lines = read_lines(reading.scene, messages)
        task = writing_task(reading.scene, model, reading.prompt.policy.text, lines=lines)
        fold_id = self._begin(run, FoldKind.CHAPTER, planned.reason, planned.first, planned.last, model, reading)
        run.tell(self._board.begin(reading, FoldActivity.WRITING, planned.first, planned.last, forced=run.forced))
        hurry = run.hurried and planned.reason is FoldReason.TRIGGER
        made = self._make(run, fold_id, task, extract=hurry)
        if made.chapter is None:
            return self._give_up(run, fold_id, made.error)
        whole = made.lines >= len(lines)
        last = planned.last if whole else lines[made.lines - 1].ordinal
        return self._keep(run, fold_id, replace(made.chapter, model=author(made.chapter, model)), last)

    def _to_note(self, conversation_id: int) -> tuple[int, int, int] | None:
        return self._store.run(lambda s: s.next_to_note(conversation_id))

    def _take_notes(self, run: _Work, reading: Reading, to_note: tuple[int, int, int], model: LoadedModel) -> bool:
        """Look a folded range through. A range that the engine could not be asked about is tried again later."""
        fold_id, first, last = to_note
        conversation_id = run.conversation_id
        messages = self._store.run(lambda s: s.page_after(conversation_id, first - 1, last - first + 1))
        lines = read_lines(reading.scene, [message for message in messages if message.ordinal <= last])
        if not lines:
            self._store.run(lambda s: s.set_noted(fold_id))
            return True
        run.tell(self._board.begin(reading, FoldActivity.NOTING, first, last, forced=run.forced))
        task = writing_task(reading.scene, model, reading.prompt.policy.text, lines=lines)

        def take(writer: TextWriter | None) -> str:
            return self._notes.take(
                conversation_id,
                fold_id,
                task,
                writer,
                lambda attempt: self._store.run(lambda s: s.add_attempt(fold_id, attempt)),
                self._stopped,
            )

        if self._maker.asks(model):
            with self._maker.borrowed(conversation_id) as writer:
                error = take(writer)
        else:
            error = take(None)
        if error and not self._stopped.is_set():
            self._board.failed(conversation_id, error_from_wire(error, {"detail": error}))
        self._change(run)
        return not error

    def _merge(self, run: _Work, reading: Reading, ids: Sequence[int], model: LoadedModel) -> bool:
        conversation_id, language = run.conversation_id, reading.scene.conversation.language
        texts = tuple(text for text in reading.texts if text.id in ids)
        shown = self._rebuilder.as_shown(texts, conversation_id, language)
        task = writing_task(reading.scene, model, reading.prompt.policy.text, texts=shown)
        first, last = texts[0].first_ordinal, texts[-1].last_ordinal
        fold_id = self._begin(run, FoldKind.PART, FoldReason.MERGE, first, last, model, reading, texts)
        run.tell(self._board.begin(reading, FoldActivity.MERGING, first, last, forced=run.forced))
        made = self._make(run, fold_id, task, extract=False)
        if made.chapter is None:
            return self._give_up(run, fold_id, made.error)
        # What the user wrote stays word for word, whoever merged.
        locked = self._rebuilder.locked_items(texts, conversation_id, language)
        part = with_locked(made.chapter, locked, task.budget, self._engine.count_texts)
        part = replace(part, model=author(part, model), level=task.level, parts=tuple(text.id for text in texts))
        return self._keep(run, fold_id, part, None, locked)

    def _make(self, run: _Work, fold_id: int, task: WritingTask, *, extract: bool) -> Made:
        def attempted(attempt: NewAttempt) -> None:
            self._store.run(lambda s: s.add_attempt(fold_id, attempt))
            run.tell(self._board.next_attempt(run.conversation_id))

        made = self._maker.make(run.conversation_id, task, attempted, self._stopped, extract=extract)
        run.hurried = run.hurried or made.hurried
        return made

    def _begin(
        self,
        run: _Work,
        kind: FoldKind,
        reason: FoldReason,
        first: int,
        last: int,
        model: LoadedModel,
        reading: Reading,
        texts: Sequence[Chapter] = (),
    ) -> int:
        if texts:
            before = sum(reading.text_tokens[text.id] for text in texts)
        else:
            before = sum(line.labelled for line in reading.situation.lines if first <= line.ordinal <= last)
        fold_id = self._store.run(
            lambda s: s.begin_fold(
                run.conversation_id,
                kind,
                reason,
                first,
                last,
                model=model.name,
                prompt_version=PROMPT_VERSION,
                tokens_before=before,
            )
        )
        return fold_id

    def _keep(
        self, run: _Work, fold_id: int, chapter: NewChapter, last: int | None, locked: Sequence[Item] = ()
    ) -> bool:
        chapter = replace(chapter, prompt_version=PROMPT_VERSION)
        tokens = sum(self._engine.count_texts([item.text for item in chapter.items]))
        stored = self._store.run(lambda s: s.store_chapter(fold_id, chapter, last=last, tokens_after=tokens))
        self._rebuilder.lock(run.conversation_id, stored, locked)
        self._change(run)
        return True

    def _give_up(self, run: _Work, fold_id: int, error: str) -> bool:
        """The fold came to nothing: say so in the log, and end the work until something happens."""
        stopped = self._stopped.is_set()
        state = FoldState.INTERRUPTED if stopped or error == "cancelled" else FoldState.FAILED
        self._store.run(lambda s: s.fail_fold(fold_id, error, state))
        if state is FoldState.FAILED:
            self._board.failed(run.conversation_id, error_from_wire(error, {"detail": error}))
        self._change(run)
        return False

    # -- applying

    def _apply(self, run: _Work, reading: Reading, model: LoadedModel) -> bool:
        """Move what is written into the head, between two turns, once the model has read the new beginning."""
        head = self._heads.next_head(reading, finished=True, forced=run.forced)
        if head is None:
            return False
        run.tell(self._board.begin(reading, FoldActivity.APPLYING, 0, 0, forced=run.forced))
        conversation_id = run.conversation_id
        stages = self.reads_ahead and not model.vocabulary_only
        if stages and not self._stager.build(conversation_id, model, head, self._stopped):
            return False  # stopped, or overtaken for good: it is looked at again after the next turn

        def swap() -> bool:
            reading = self._heads.read(conversation_id, model)
            due = self._heads.next_head(reading, finished=True, forced=run.forced)
            if due != head:
                return False
            self._heads.apply(conversation_id, head)
            if stages:
                self._stager.swap(conversation_id, model)
            return True

        applied = bool(self._turns.between(swap, self._stopped))
        if applied:
            self._change(run)
        return applied or not self._stopped.is_set()

    def _on_prompt(self, conversation_id: int, prompt: CountedPrompt) -> None:
        """A turn is under way: where its prompt has come near the ceiling, a model that still writes is too slow."""
        writing = self._board.activity(conversation_id) is FoldActivity.WRITING
        if writing and prompt.total >= prompt.policy.halfway:
            self._maker.hurry()

    # -- telling

    def status(self, conversation_id: int) -> FoldStatus:
        """What the chronicler is doing for a conversation, or what it would do next."""
        return self._board.status(conversation_id)

    def _change(self, run: _Work) -> None:
        changes = Changes(conversation_id=run.conversation_id, memory=True)
        run.changes = run.changes | changes
        if run.changed is not None:
            run.changed(changes)

    def view(self, conversation_id: int) -> MemoryView:
        """All that is remembered of the active path."""
        return memory_view(self._store, self._engine, self._heads, conversation_id)

    def log(self, conversation_id: int, limit: int = 200) -> MemoryLog:
        """What was done for memory and what was rejected, newest first."""
        return self._store.run(
            lambda s: MemoryLog(tuple(s.folds(conversation_id, limit)), tuple(s.forced_cuts(conversation_id, limit)))
        )

    def rebuild(self, conversation_id: int, chapter_id: int) -> Chapter:
        """Write a text anew, from its own messages; the version waits until it is taken (`take_version`). Blocks while
        something else is written. Raises as `Rebuilder.rebuild`."""
        with self._working:
            self._stopped.clear()
            return self._rebuilder.rebuild(conversation_id, chapter_id, self._stopped)

    def waiting_version(self, chapter_id: int) -> Chapter | None:
        """The version of a text that waits to be taken, None where there is none. Raises `NotFound`."""
        return self._store.run(lambda s: s.waiting_version(chapter_id))

    def take_version(self, version_id: int, *, taken: bool) -> Changes:
        """Let a version stand for its text from now on, or give it up. Raises `NotFound`."""
        return self._rebuilder.take(version_id, taken=taken)

    def rename(self, chapter_id: int, title: str) -> Changes:
        """Give a chapter another title: the only thing of it that may change."""
        conversation_id = self._store.run(lambda s: s.rename_chapter(chapter_id, " ".join(title.split())))
        return Changes(conversation_id=conversation_id, memory=True)
