"""A text of memory written anew from its own messages, shown beside the old one, and taken only by the user's word."""

import threading
from collections.abc import Sequence
from dataclasses import replace

from kotonia_desktop.domain.errors import BadMemoryAct, NoModel, NotFound, error_from_wire
from kotonia_desktop.domain.hand import Act, Target
from kotonia_desktop.domain.memory import Chapter, FoldKind, FoldReason, Item, NewAttempt, NewChapter
from kotonia_desktop.domain.messages import Changes
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.memory.chronicler import PROMPT_VERSION
from kotonia_desktop.memory.locking import with_locked
from kotonia_desktop.services.head_lines import living_items, read_remembered
from kotonia_desktop.services.heads import HeadKeeper, Reading, read_lines
from kotonia_desktop.services.text_making import TextMaker, author, writing_task
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread


class Rebuilder:
    """Writes versions. Blocks on the store and the engine; called while nothing else writes memory."""

    def __init__(self, store: StoreThread, engine: ChatEngine, heads: HeadKeeper, maker: TextMaker) -> None:
        self._store = store
        self._engine = engine
        self._heads = heads
        self._maker = maker

    def rebuild(self, conversation_id: int, chapter_id: int, stopped: threading.Event) -> Chapter:
        """Write a text anew; the version waits. Sentences that the user wrote stay in it word for word.

        Raises `NotFound`, `NoModel`, `BadMemoryAct` for a text that a part was made of, or what the engine reported.
        """
        model = self._engine.model
        if model is None:
            raise NoModel()
        reading = self._heads.read(conversation_id, model)
        texts = {text.id: text for text in self._store.run(lambda s: s.chapters(conversation_id))}
        old = texts.get(chapter_id)
        if old is None:
            raise NotFound(what="chapter", key=chapter_id)
        if old.merged_into is not None:
            raise BadMemoryAct(detail="a part was made of this chapter; that is what stands in the prompt")
        locked = self.locked_items([old], conversation_id, reading.scene.conversation.language)
        chapter, attempts = self._written(reading, old, texts, model, stopped)
        chapter = with_locked(chapter, locked, reading.prompt.policy.text, self._engine.count_texts)
        tokens = sum(self._engine.count_texts([item.text for item in chapter.items]))

        def write(store: Store) -> Chapter:
            fold_id = store.begin_fold(
                conversation_id,
                FoldKind.REBUILD,
                FoldReason.REBUILD,
                old.first_ordinal,
                old.last_ordinal,
                model=model.name,
                prompt_version=PROMPT_VERSION,
                tokens_before=reading.text_tokens.get(old.id, 0),
            )
            for attempt in attempts:
                store.add_attempt(fold_id, attempt)
            return store.store_chapter(fold_id, chapter, tokens_after=tokens, replaces=old.id)

        version = self._store.run(write)
        self.lock(conversation_id, version, locked)
        return version

    def take(self, version_id: int, *, taken: bool) -> Changes:
        """Let a version stand for its text from now on, or give it up. Raises `NotFound`."""

        def write(store: Store) -> int:
            conversation_id = store.take_version(version_id, taken=taken)
            if taken:  # so that the prompt's beginning is made anew
                store.add_act(conversation_id, Target.TEXT, version_id, Act.SHOW)
            return conversation_id

        return Changes(conversation_id=self._store.run(write), memory=True)

    def locked_items(self, texts: Sequence[Chapter], conversation_id: int, language: str) -> list[Item]:
        """The sentences of texts whose words are the user's, as they stand."""
        remembered = self._store.run(lambda s: read_remembered(s, conversation_id))
        return [
            item
            for text in texts
            for item in living_items(text, remembered, language)
            if remembered.hand(Target.ITEM, item.id).locked
        ]

    def as_shown(self, texts: Sequence[Chapter], conversation_id: int, language: str) -> list[Chapter]:
        """Texts with the sentences that may be shown, in the user's words where they changed them."""
        remembered = self._store.run(lambda s: read_remembered(s, conversation_id))
        return [replace(text, items=tuple(living_items(text, remembered, language))) for text in texts]

    def lock(self, conversation_id: int, chapter: Chapter, locked: Sequence[Item]) -> None:
        """The user's sentences stay theirs in the text they were taken over into."""
        words = {item.text for item in locked}
        taken = [item for item in chapter.items if item.text in words]
        if taken:

            def write(store: Store) -> None:
                for item in taken:
                    store.add_act(conversation_id, Target.ITEM, item.id, Act.EDIT, item.text)

            self._store.run(write)

    def _written(
        self, reading: Reading, old: Chapter, texts: dict[int, Chapter], model: LoadedModel, stopped: threading.Event
    ) -> tuple[NewChapter, list[NewAttempt]]:
        scene, budget = reading.scene, reading.prompt.policy.text
        conversation_id = scene.conversation.id
        if old.level:
            parts = [texts[number] for number in old.parts if number in texts]
            shown = self.as_shown(parts, conversation_id, scene.conversation.language)
            task = writing_task(scene, model, budget, texts=shown)
        else:
            size = old.last_ordinal - old.first_ordinal + 1
            messages = self._store.run(lambda s: s.page_after(conversation_id, old.first_ordinal - 1, size))
            lines = read_lines(scene, [message for message in messages if message.ordinal <= old.last_ordinal])
            task = writing_task(scene, model, budget, lines=lines)
        attempts: list[NewAttempt] = []
        made = self._maker.make(conversation_id, task, attempts.append, stopped)
        if made.chapter is not None and old.level == 0 and made.lines < len(task.lines):
            # A second attempt may have taken a shorter range; this text must stand for all of it.
            made = self._maker.make(conversation_id, task, attempts.append, stopped, extract=True)
        if made.chapter is None:
            raise error_from_wire(made.error, {"detail": made.error})
        chapter = replace(
            made.chapter,
            model=author(made.chapter, model),
            prompt_version=PROMPT_VERSION,
            level=old.level,
            parts=old.parts,
        )
        return chapter, attempts
