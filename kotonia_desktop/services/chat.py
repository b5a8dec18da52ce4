"""Reading and changing a conversation: pages, turns, edits, deletions with undo, alternates, search, the prompt view.

Every method blocks and may be called from any thread but the window's.
"""

from collections.abc import Sequence

from kotonia_desktop.domain.language import language_of
from kotonia_desktop.domain.messages import Changes, FormatRate, Message, NewRevision, SearchHit
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.prompt.build import PromptPart, message_parts, system_parts
from kotonia_desktop.services.answers import Emit
from kotonia_desktop.services.prompting import (
    LEAST_REPLY,
    CountedPrompt,
    Prompter,
    Scene,
    queued_range,
    read_scene,
    scene_head,
)
from kotonia_desktop.services.rechecking import recheck
from kotonia_desktop.services.turns import ContinueReply, Regenerate, Send, TurnRequest, TurnRunner
from kotonia_desktop.services.views import Page, PromptSection, PromptView, UndoOutcome
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

__all__ = ["ChatService", "ContinueReply", "Regenerate", "Send", "TurnRequest"]


class ChatService:
    """What one does in a conversation."""

    def __init__(self, store: StoreThread, engine: ChatEngine, prompter: Prompter, turns: TurnRunner) -> None:
        self._store = store
        self._engine = engine
        self._prompter = prompter
        self._turns = turns

    # -- reading

    def page(self, conversation_id: int, before: int | None = None, limit: int = 100) -> Page:
        """The last `limit` messages before ordinal `before` (exclusive), or the newest ones."""
        return self._store.run(lambda s: _page(s, conversation_id, s.page(conversation_id, before=before, limit=limit)))

    def page_after(self, conversation_id: int, after: int, limit: int = 100) -> Page:
        """The first `limit` messages behind ordinal `after` (exclusive)."""
        return self._store.run(lambda s: _page(s, conversation_id, s.page_after(conversation_id, after, limit)))

    def around(self, conversation_id: int, ordinal: int, limit: int = 100) -> Page:
        """About `limit` messages with the one at `ordinal` in their middle."""
        return self._store.run(lambda s: _page(s, conversation_id, s.around(conversation_id, ordinal, limit)))

    def message(self, message_id: int) -> Message:
        """One message. Raises `NotFound`."""
        return self._store.run(lambda s: s.message(message_id))

    def search(self, query: str, conversation_id: int | None = None, limit: int = 50) -> list[SearchHit]:
        """Messages whose text holds `query`, newest first; in all conversations where none is named."""
        return self._store.run(lambda s: s.search(query, conversation_id, limit))

    def format_rate(self, conversation_id: int) -> FormatRate:
        """How many replies kept to the reply format."""
        return self._store.run(lambda s: s.format_rate(conversation_id))

    def composer_draft(self, conversation_id: int) -> str:
        """What was typed and not sent."""
        return self._store.run(lambda s: s.composer_draft(conversation_id))

    def save_composer_draft(self, conversation_id: int, text: str) -> None:
        """Keep what is typed and not sent."""
        self._store.run(lambda s: s.set_composer_draft(conversation_id, text))

    # -- turns

    def run(self, request: TurnRequest, emit: Emit) -> None:
        """Run a turn; every outcome is told by `emit`, in this thread."""
        self._turns.run(request, emit)

    def stop(self, conversation_id: int) -> None:
        """End the reply that is being written."""
        self._turns.stop(conversation_id)

    def finish(self) -> None:
        """End the reply that is being written and wait until it is stored; for closing."""
        self._turns.finish()

    @property
    def running(self) -> int | None:
        """The conversation whose reply is being written, or None."""
        return self._turns.running

    def opened(self, conversation_id: int) -> None:
        """A conversation came on screen: have the model read it while the first line is typed."""
        model = self._engine.model
        if model is None or self._turns.running is not None:
            return
        scene = self._store.run(lambda s: read_scene(s, conversation_id, room=model.chat_cells))
        prompt = self._prompter.prompt(scene, model)
        self._engine.warm(prompt.items, str(conversation_id))

    # -- changes

    def edit(self, message_id: int, text: str) -> Changes:
        """Replace a message's text by a new revision; the old one is kept. Messages behind it stay."""

        def write(store: Store) -> Changes:
            message = store.message(message_id)
            conversation = store.conversation(message.conversation_id)
            names = (store.character(conversation.character_id).name, store.persona(conversation.persona_id).name)
            parsed = parse_segments(
                text,
                reply_format=conversation.reply_format,
                markup=conversation.markup,
                speaker=message.speaker,
                names=names,
            )
            if text == message.text:
                return Changes(conversation_id=conversation.id)
            old = message.revision
            revision = NewRevision(
                text=text,
                segments=parsed.segments,
                reasoning=old.reasoning,
                finish=old.finish,
                format_ok=parsed.format_ok,
                stats=old.stats,
            )
            store.add_revision(message_id, revision)
            recheck(store, message_id)
            return Changes(conversation_id=conversation.id, messages_changed=(message_id,), memory=True)

        return self._store.run(write)

    def delete(self, message_ids: Sequence[int]) -> Changes:
        """Take messages off the path, as one step that can be undone."""

        def write(store: Store) -> Changes:
            conversation_id = store.message(message_ids[0]).conversation_id
            store.delete_messages(list(message_ids))
            return Changes(conversation_id=conversation_id, messages_removed=tuple(message_ids), conversations=True)

        return self._store.run(write) if message_ids else Changes()

    def delete_from(self, message_id: int) -> Changes:
        """Take a message and all behind it off the path, as one step that can be undone."""

        def ids(store: Store) -> list[int]:
            message = store.message(message_id)
            return [m.id for m in store.path(message.conversation_id, message.ordinal)]

        return self.delete(self._store.run(ids))

    def undo(self, conversation_id: int) -> UndoOutcome:
        """Take back the last deletion, edit or choice of an alternate. Works across restarts."""

        def write(store: Store) -> tuple[str, list[int]]:
            label, ids = store.undo(conversation_id)
            for message_id in ids if label == "edit" else ():
                recheck(store, message_id)
            return label, ids

        label, ids = self._store.run(write)
        changes = Changes(
            conversation_id=conversation_id if label else None,
            messages_changed=tuple(ids),
            path_changed=bool(label),
            conversations=bool(label),
            memory=bool(label),
        )
        return UndoOutcome(label, changes)

    def select_alternate(self, message_id: int, step: int) -> Changes:
        """Show the alternate `step` places further (negative: back); stays where there is none."""

        def write(store: Store) -> Changes:
            message = store.message(message_id)
            siblings = store.alternates(message_id)
            index = message.alternate_index + step
            if not 0 <= index < len(siblings):
                return Changes(conversation_id=message.conversation_id)
            chosen = store.select_alternate(siblings[index].id)
            return Changes(
                conversation_id=message.conversation_id,
                messages_added=(chosen.id,),
                messages_removed=(message_id,),
                path_changed=True,
            )

        return self._store.run(write)

    def mark(self, message_id: int, *, off_record: bool | None = None, ends_chapter: bool | None = None) -> Changes:
        """Put a message off the record (shown, but kept from the model and from memory) or back, and say whether a
        chapter ends behind it. None leaves a mark as it is."""

        def write(store: Store) -> Changes:
            message = store.mark_message(message_id, off_record=off_record, ends_chapter=ends_chapter)
            return Changes(
                conversation_id=message.conversation_id, messages_changed=(message_id,), memory=off_record is not None
            )

        return self._store.run(write)

    # -- what the model sees

    def prompt(self, conversation_id: int) -> CountedPrompt | None:
        """The prompt as it stands, counted; None while no model is loaded."""
        model = self._engine.model
        if model is None:
            return None
        scene = self._store.run(lambda s: read_scene(s, conversation_id, room=model.chat_cells))
        return self._prompter.prompt(scene, model)

    def prompt_view(self, conversation_id: int, pending_text: str = "") -> PromptView:
        """What the model sees now, section by section. `pending_text` is what stands in the composer."""
        model = self._engine.model
        if model is None:
            scene = self._store.run(lambda s: read_scene(s, conversation_id))
            parts = system_parts(scene.card, scene.persona, scene.conversation)
            parts += scene_head(scene)
            parts += message_parts(
                scene.messages, scene.card, scene.persona, scene.conversation, "", after_head=scene.has_head
            )
            sections = _sections(parts, [0] * len(parts), 0)
            queued = queued_range(scene.out_until, scene.covered_until)
            return PromptView(sections, 0, 0, LEAST_REPLY, False, queued)
        scene = self._store.run(lambda s: read_scene(s, conversation_id, room=model.chat_cells))
        prompt = self._prompter.prompt(scene, model)
        cached = self._cached(scene, prompt)
        sections = _sections(prompt.parts, prompt.tokens, cached)
        total = prompt.total
        if pending_text.strip():
            total += self._prompter.count_text(pending_text)
        reserve = model.chat_cells - prompt.policy.ceiling
        return PromptView(sections, total, model.chat_cells, reserve, True, prompt.queued)

    def _cached(self, scene: Scene, prompt: CountedPrompt) -> int:
        """How many of the prompt's first tokens the model has read in this session."""
        return min(prompt.total, self._turns.cached_tokens(scene.conversation.id, prompt))


def conversation_language(texts: Sequence[str], fallback: str) -> str:
    """The language most of `texts` is written in."""
    return language_of("\n".join(texts), fallback)


def _page(store: Store, conversation_id: int, messages: list[Message]) -> Page:
    total = store.visible_count(conversation_id)
    older = newer = False
    if messages:
        older = bool(store.page(conversation_id, before=messages[0].ordinal, limit=1))
        newer = bool(store.page_after(conversation_id, messages[-1].ordinal, 1))
    return Page(conversation_id, tuple(messages), total, older, newer)


def _sections(parts: Sequence[PromptPart], tokens: Sequence[int], cached: int) -> tuple[PromptSection, ...]:
    """Runs of parts of one kind as sections; the notes of messages count among the messages."""
    runs: list[list[tuple[PromptPart, int, int]]] = []
    kinds: list[SectionKind] = []
    position = 0
    for part, count in zip(parts, tokens, strict=True):
        kind = SectionKind.MESSAGES if part.kind is SectionKind.NOTE else part.kind
        if not kinds or kinds[-1] is not kind:
            kinds.append(kind)
            runs.append([])
        runs[-1].append((part, count, max(0, min(count, cached - position))))
        position += count
    return tuple(_section(kind, run) for kind, run in zip(kinds, runs, strict=True))


def _section(kind: SectionKind, run: Sequence[tuple[PromptPart, int, int]]) -> PromptSection:
    ordinals = [part.ordinal for part, _, _ in run if part.ordinal is not None]
    return PromptSection(
        kind,
        sum(count for _, count, _ in run),
        sum(still for _, _, still in run),
        "\n\n".join(part.item.text for part, _, _ in run),
        ordinals[0] if ordinals else None,
        ordinals[-1] if ordinals else None,
    )
