"""Makes the prompt of a conversation from the store, counts it with the loaded model, and decides what no longer fits.

The oldest turns leave only when the ceiling is reached; where they left is stored, so that the prompt's beginning is
the same on every following turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kotonia_desktop.domain.errors import MessageTooLong
from kotonia_desktop.domain.library import CharacterCard, Conversation, Persona
from kotonia_desktop.domain.macros import expand
from kotonia_desktop.domain.messages import Message, Role
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.ports import ChatEngine, PromptItem, PromptRole
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.memory.policy import FoldPolicy, policy
from kotonia_desktop.prompt.build import Key, PromptPart, cut_to_fit, message_parts, system_parts
from kotonia_desktop.prompt.lore import fired_entries
from kotonia_desktop.prompt.rules import note_text
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

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
    """Messages up to this ordinal are out of sight."""


@dataclass(frozen=True, slots=True)
class CountedPrompt:
    """A prompt with its exact token counts. `policy` holds the budgets it was made under."""

    parts: tuple[PromptPart, ...]
    tokens: tuple[int, ...]
    opener: int
    total: int
    policy: FoldPolicy
    out_until: int | None

    @property
    def items(self) -> tuple[PromptItem, ...]:
        """The turns for the engine."""
        return tuple(part.item for part in self.parts)

    @property
    def keys(self) -> tuple[Key, ...]:
        """What each part is."""
        return tuple(part.key for part in self.parts)


def read_scene(store: Store, conversation_id: int, before: int | None = None) -> Scene:
    """The scene of a conversation, with the messages whose ordinal is under `before` (all where it is None)."""
    conversation = store.conversation(conversation_id)
    out_until = store.out_of_sight_until(conversation_id)
    messages = store.path(conversation_id, 0 if out_until is None else out_until + 1)
    return Scene(
        conversation=conversation,
        card=store.character(conversation.character_id).card,
        persona=store.persona(conversation.persona_id),
        messages=tuple(m for m in messages if before is None or m.ordinal < before),
        out_until=out_until,
    )


def first_out_of_sight(out_until: int | None) -> tuple[int, int] | None:
    """The range of ordinals that is out of sight, or None."""
    return None if out_until is None else (0, out_until)


class Prompter:
    """Builds and counts prompts. Blocks on the store and the engine."""

    def __init__(self, store: StoreThread, engine: ChatEngine) -> None:
        self._store = store
        self._engine = engine

    def prompt(self, scene: Scene, model: LoadedModel) -> CountedPrompt:
        """The prompt of `scene`, with the oldest turns left out where the ceiling is reached."""
        system = system_parts(scene.card, scene.persona, scene.conversation)
        story = message_parts(scene.messages, scene.card, scene.persona, scene.conversation, model.tokenizer)
        count = self._engine.count_items([part.item for part in system + story])
        fixed = sum(count.items[: len(system)])
        tokens = count.items[len(system) :]
        budgets = policy(model.chat_cells, model.chat_cells + model.memory_cells, fixed=fixed)
        # Never above what leaves the reply its least room, whatever the shares say.
        ceiling = min(budgets.ceiling, model.chat_cells - LEAST_REPLY)
        gone = cut_to_fit(story, tokens, fixed + count.opener, ceiling, budgets.after_cut)
        out_until = scene.out_until
        if gone:
            left = [part.ordinal for part in story[:gone] if part.ordinal is not None]
            out_until = max(left) if left else out_until
        return CountedPrompt(
            parts=(*system, *story[gone:]),
            tokens=(*count.items[: len(system)], *tokens[gone:]),
            opener=count.opener,
            total=fixed + count.opener + sum(tokens[gone:]),
            policy=budgets,
            out_until=out_until,
        )

    def check_fits(self, scene: Scene, text: str, note: str, model: LoadedModel) -> None:
        """Raise `MessageTooLong` where a new message cannot be sent even alone with the system part."""
        parts = [part.item for part in system_parts(scene.card, scene.persona, scene.conversation)]
        if note:
            parts.append(PromptItem(PromptRole.USER, note_text(note, scene.conversation.language)))
        parts.append(PromptItem(PromptRole.USER, text))
        tokens = self._engine.count(parts)
        room = model.chat_cells - LEAST_REPLY
        if tokens > room:
            raise MessageTooLong(tokens=tokens, window=model.chat_cells, over=tokens - room)

    def note_for(self, scene: Scene, text: str, model: LoadedModel) -> str:
        """The lore that a new message calls for: entries that fire and are not in view already."""
        del model  # the count below is the loaded model's
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


def section_range(parts: Sequence[PromptPart], kind: SectionKind) -> tuple[int, int] | None:
    """First and last ordinal of the messages of a section, or None."""
    ordinals = [part.ordinal for part in parts if part.kind is kind and part.ordinal is not None]
    return (min(ordinals), max(ordinals)) if ordinals else None
