"""Makes the prompt of a conversation from the store, counts it with the loaded model, and decides what no longer fits.

The prompt's beginning (what stands in the memory head, and from which message on the history is verbatim) is stored
and changes at a fold only. Where the ceiling is reached before there is a chapter, the oldest turns leave without one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from kotonia_desktop.domain.errors import CardTooLong, MessageTooLong
from kotonia_desktop.domain.library import CharacterCard, Conversation, Persona
from kotonia_desktop.domain.macros import expand
from kotonia_desktop.domain.memory import HeadLine, HeadState, LineKind
from kotonia_desktop.domain.messages import Message, Role
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.ports import ChatEngine, PromptItem, PromptRole
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.memory.policy import FoldPolicy, policy
from kotonia_desktop.prompt.build import Key, PromptPart, cut_to_fit, message_parts, system_parts
from kotonia_desktop.prompt.head import HeadText, head_parts
from kotonia_desktop.prompt.lore import fired_entries
from kotonia_desktop.prompt.rules import note_text
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

_PAGE = 200
_WIDEST = 65_536
_CHARACTERS_PER_TOKEN = 8
"""More than any text of ours averages (English about 4.3): what lies further back cannot be in the window."""
LEAST_REPLY = 16
"""Tokens of room a reply must have for a prompt to be sent at all."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a prompt is made of: who plays whom, and the messages the model may see."""

    conversation: Conversation
    card: CharacterCard
    persona: Persona
    messages: tuple[Message, ...]
    out_until: int | None
    """Messages up to this ordinal are not shown verbatim."""
    recorded: HeadState = field(default_factory=HeadState)
    """What the store says of the prompt's beginning."""
    head: tuple[HeadText, ...] = ()
    """The texts in the memory head, oldest first."""
    covered_until: int | None = None
    """Chapters stand for the messages up to this ordinal."""

    @property
    def lines(self) -> tuple[HeadLine, ...]:
        """What stands in the memory head beside the texts."""
        return tuple(line for line in self.recorded.lines if line.kind is not LineKind.ITEM)

    @property
    def has_head(self) -> bool:
        """Whether there is a memory head."""
        return bool(self.head or self.lines)


@dataclass(frozen=True, slots=True)
class CountedPrompt:
    """A prompt with its exact token counts. `policy` holds the budgets it was made under."""

    parts: tuple[PromptPart, ...]
    tokens: tuple[int, ...]
    opener: int
    total: int
    policy: FoldPolicy
    out_until: int | None
    covered_until: int | None = None

    @property
    def fixed(self) -> int:
        """Tokens of the system part and the reply's opener."""
        return self._sum(lambda part: part.ordinal is None and part.kind is not SectionKind.MEMORY) + self.opener

    @property
    def head(self) -> int:
        """Tokens of the memory head."""
        return self._sum(lambda part: part.kind is SectionKind.MEMORY)

    @property
    def queued(self) -> tuple[int, int] | None:
        """First and last ordinal of the messages that are neither shown verbatim nor covered by a chapter."""
        return queued_range(self.out_until, self.covered_until)

    def _sum(self, wanted: Callable[[PromptPart], bool]) -> int:
        return sum(count for part, count in zip(self.parts, self.tokens, strict=True) if wanted(part))

    @property
    def items(self) -> tuple[PromptItem, ...]:
        """The turns for the engine."""
        return tuple(part.item for part in self.parts)

    @property
    def keys(self) -> tuple[Key, ...]:
        """What each part is."""
        return tuple(part.key for part in self.parts)


def read_scene(
    store: Store,
    conversation_id: int,
    before: int | None = None,
    room: int = _WIDEST,
    head: HeadState | None = None,
) -> Scene:
    """The scene of a conversation, with the messages whose ordinal is under `before` (all where it is None).

    `room` is the model's window in tokens: of a long history only what may fit into it is read from the store. `head`
    is a beginning that the prompt may get, in place of the stored one.
    """
    conversation = store.conversation(conversation_id)
    recorded = head or store.head(conversation_id)
    first = 0 if recorded.until is None else recorded.until + 1
    messages = _newest(store, conversation_id, first, before, room * _CHARACTERS_PER_TOKEN)
    out_until = recorded.until
    if messages and messages[0].ordinal > first and store.page(conversation_id, messages[0].ordinal, 1):
        out_until = messages[0].ordinal - 1
    return Scene(
        conversation=conversation,
        card=store.character(conversation.character_id).card,
        persona=store.persona(conversation.persona_id),
        messages=messages,
        out_until=out_until,
        recorded=recorded,
        head=_head_texts(store, recorded),
        covered_until=store.covered_until(conversation_id),
    )


def _head_texts(store: Store, recorded: HeadState) -> tuple[HeadText, ...]:
    """The head's items as texts, in their order."""
    if not recorded.item_ids:
        return ()
    found = store.items(recorded.item_ids)
    own = {line.id: line.text for line in recorded.lines if line.kind is LineKind.ITEM}
    return tuple(
        HeadText(level, tuple(own.get(entry.item.id, entry.item.text) for entry in group))
        for (_, level), group in groupby(found, key=lambda entry: (entry.chapter_id, entry.level))
    )


def scene_head(scene: Scene) -> list[PromptPart]:
    """The memory head of a scene as parts of the prompt."""
    language, char, user = scene.conversation.language, scene.card.name, scene.persona.name
    return head_parts(scene.head, language, char, user, scene.lines)


def _newest(store: Store, conversation_id: int, first: int, before: int | None, characters: int) -> tuple[Message, ...]:
    """Messages from ordinal `first` to `before`, from the newest back until `characters` are there."""
    pages: list[list[Message]] = []
    total = 0
    while total <= characters:
        page = store.page(conversation_id, before, _PAGE)
        pages.append([message for message in page if message.ordinal >= first])
        if len(pages[-1]) < _PAGE:
            break
        before = page[0].ordinal
        total += sum(len(message.text) for message in page)
    return tuple(message for page in reversed(pages) for message in page)


def queued_range(out_until: int | None, covered_until: int | None) -> tuple[int, int] | None:
    """First and last ordinal of what is out of sight and stands in no chapter, or None. Chapters are written oldest
    first, so it is one range."""
    first = 0 if covered_until is None else covered_until + 1
    return None if out_until is None or out_until < first else (first, out_until)


class Prompter:
    """Builds and counts prompts. Blocks on the store and the engine."""

    def __init__(self, store: StoreThread, engine: ChatEngine) -> None:
        self._store = store
        self._engine = engine

    def prompt(self, scene: Scene, model: LoadedModel, *, cut: bool = True) -> CountedPrompt:
        """The prompt of `scene`, with the oldest turns left out where the ceiling is reached, if `cut`."""
        system = self._beginning(scene)
        story = self._story(scene, scene.messages, model)
        count = self._engine.count_items([part.item for part in system + story])
        fixed = sum(count.items[: len(system)])
        head = sum(n for part, n in zip(system, count.items, strict=False) if part.kind is SectionKind.MEMORY)
        budgets = policy(model.chat_cells, model.chat_cells + model.memory_cells, fixed=fixed - head)
        # Never above what leaves the reply its least room, whatever the shares say.
        ceiling = min(budgets.ceiling, model.chat_cells - LEAST_REPLY)
        tokens = count.items[len(system) :]
        gone = cut_to_fit(story, tokens, fixed + count.opener, ceiling, budgets.after_cut, budgets.floor)
        out_until = scene.out_until
        if gone and cut:
            out_until = max(part.ordinal for part in story[:gone] if part.ordinal is not None)
            story = self._story(scene, [m for m in scene.messages if m.ordinal > out_until], model)
            count = self._engine.count_items([part.item for part in system + story])
        parts = (*system, *story)
        return CountedPrompt(
            parts, count.items, count.opener, count.total, budgets, out_until, covered_until=scene.covered_until
        )

    @staticmethod
    def _beginning(scene: Scene) -> list[PromptPart]:
        return system_parts(scene.card, scene.persona, scene.conversation) + scene_head(scene)

    @staticmethod
    def _story(scene: Scene, messages: Sequence[Message], model: LoadedModel) -> list[PromptPart]:
        return message_parts(
            messages, scene.card, scene.persona, scene.conversation, model.tokenizer, after_head=scene.has_head
        )

    def check_fits(self, scene: Scene, text: str, note: str, model: LoadedModel) -> None:
        """Raise `MessageTooLong` where a new message cannot be sent even alone with the system part, `CardTooLong`
        where that alone does not fit."""
        parts = [part.item for part in system_parts(scene.card, scene.persona, scene.conversation)]
        room = model.chat_cells - LEAST_REPLY
        fixed = self._engine.count(parts)
        if fixed > room:
            raise CardTooLong(tokens=fixed, window=model.chat_cells)
        if note:
            parts.append(PromptItem(PromptRole.USER, note_text(note, scene.conversation.language)))
        parts.append(PromptItem(PromptRole.USER, text))
        tokens = self._engine.count(parts)
        if tokens > room:
            raise MessageTooLong(tokens=tokens, window=model.chat_cells, over=tokens - room)

    def lore_for(self, scene: Scene, text: str) -> str:
        """The lore that a new message calls for: entries that fire and are not in view already."""
        book = scene.card.lorebook
        if not book.entries:
            return ""
        scanned = [message.text for message in scene.messages[-max(1, book.scan_depth) :]] + [text]
        char, user = scene.card.name, scene.persona.name
        book = replace(
            book, entries=tuple(replace(entry, content=expand(entry.content, char, user)) for entry in book.entries)
        )
        notes = [message.note for message in scene.messages if message.note]
        entries = fired_entries(book, scanned, notes, self.count_text)
        return "\n".join(entry.content.strip() for entry in entries)

    def count_text(self, text: str) -> int:
        """Tokens of a text as a user's turn of its own."""
        return self._engine.count_items([PromptItem(PromptRole.USER, text)]).items[0]


def recent_reply_ids(messages: Sequence[Message], tokenizer: str, most: int) -> tuple[int, ...]:
    """The last `most` sampled ids of the character's replies, oldest first: what penalties may see."""
    ids: list[int] = []
    for message in reversed(messages):
        if message.role is Role.CHARACTER and message.revision.tokenizer == tokenizer and message.revision.token_ids:
            ids[:0] = message.revision.token_ids
            if len(ids) >= most:
                break
    return tuple(ids[-most:])
