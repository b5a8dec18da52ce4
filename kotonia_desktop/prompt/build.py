"""Builds what the model sees, so that its beginning never changes from turn to turn.

    [system: rules, character, persona, constant lore, examples]   the same for the whole conversation
    [memory head, or the opener that a greeting answers]           changes at a fold only (`head`)
    [the messages]                                                 grows at the end only
    [note of the newest user message]                              frozen there

Pure: takes values, returns parts. Each part carries a key; two parts with the same key are the same tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate

from kotonia_desktop.domain.library import CharacterCard, Conversation, Persona
from kotonia_desktop.domain.macros import expand
from kotonia_desktop.domain.messages import Message, Role
from kotonia_desktop.domain.ports import PromptItem, PromptRole
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.prompt.lore import constant_entries
from kotonia_desktop.prompt.rules import examples_text, note_text, opener_text, persona_text, rules_text


def digest(text: str) -> str:
    """A short name of a text that is the same in every run."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


Key = tuple[str, int, int]
"""What a part is: its kind, and for messages the message's and the revision's id."""


@dataclass(frozen=True, slots=True)
class PromptPart:
    """A piece of the prompt. `ordinal` is the message's place on the path, None for the system part."""

    kind: SectionKind
    item: PromptItem
    key: Key
    ordinal: int | None = None


def system_parts(card: CharacterCard, persona: Persona, conversation: Conversation) -> list[PromptPart]:
    """The system part, section by section. Empty sections are left out."""
    user, language = persona.name, conversation.language
    about = [expand(text, card.name, user).strip() for text in (card.description, card.personality, card.scenario)]
    lore = [expand(entry.content, card.name, user).strip() for entry in constant_entries(card.lorebook)]
    texts = (
        (SectionKind.RULES, rules_text(card, user, language, conversation.reply_format, conversation.markup)),
        (SectionKind.CHARACTER, "\n".join([f"# {card.name}", *filter(None, about)])),
        (SectionKind.PERSONA, persona_text(persona.description, card.name, user, language)),
        (SectionKind.LORE, "\n".join(filter(None, lore))),
        (SectionKind.EXAMPLES, examples_text(card, user, language)),
        # Post-history text stands in the system part: at a moving depth it would make every turn re-read.
        (SectionKind.RULES, expand(card.post_history.replace("{{original}}", ""), card.name, user).strip()),
    )
    return [
        PromptPart(kind, PromptItem(PromptRole.SYSTEM, text), (f"{kind}:{digest(text)}", position, 0))
        for position, (kind, text) in enumerate(texts)
        if text
    ]


def message_parts(
    messages: Sequence[Message],
    card: CharacterCard,
    persona: Persona,
    conversation: Conversation,
    tokenizer: str,
    after_head: bool = False,
) -> list[PromptPart]:
    """The verbatim messages, oldest first, each with the note frozen before it.

    A reply's sampled ids are used where they belong to `tokenizer` and the text is the main character's own.
    A path that starts with a reply (the greeting) gets the fixed opener line before it, unless a memory head stands
    there (`after_head`). What is off the record is not there.
    """
    parts: list[PromptPart] = []
    for message in messages:
        text = message.text.strip()
        if not text or message.off_record:
            continue
        key_id, revision = message.id, message.revision
        if message.role is Role.USER:
            if message.note:
                note = note_text(message.note, conversation.language)
                item = PromptItem(PromptRole.USER, note, name=persona.name)
                parts.append(PromptPart(SectionKind.NOTE, item, ("note", key_id, 0), message.ordinal))
            shown = text if message.speaker in ("", persona.name) else f"{message.speaker}: {text}"
            item = PromptItem(PromptRole.USER, shown, name=persona.name)
        else:
            if not parts and not after_head:
                item = PromptItem(PromptRole.USER, opener_text(conversation.language), name=persona.name)
                parts.append(PromptPart(SectionKind.OPENER, item, ("opener", 0, 0)))
            own = message.speaker in ("", card.name)
            ids = revision.token_ids if own and tokenizer and revision.tokenizer == tokenizer else None
            named = text if own else f"{message.speaker}: {text}"
            item = PromptItem(PromptRole.ASSISTANT, named, ids, name=card.name)
        parts.append(PromptPart(SectionKind.MESSAGES, item, ("message", key_id, revision.id), message.ordinal))
    return parts


def cut_places(parts: Sequence[PromptPart]) -> list[int]:
    """Indexes in `parts` where a message begins (with the note before it): the history may be cut there."""
    places = [0]
    for index in range(1, len(parts)):
        before = parts[index - 1].kind
        if before not in (SectionKind.NOTE, SectionKind.OPENER):
            places.append(index)
    return places


def cut_to_fit(
    parts: Sequence[PromptPart], tokens: Sequence[int], overhead: int, ceiling: int, target: int, floor: int = 0
) -> int:
    """How many of the oldest `parts` (messages only, with their `tokens`) must leave; 0 while all fits.

    `overhead` is what the system part and the reply's opener take. Above `ceiling` messages leave until the prompt is
    at most `target`, up to the beginning of a user's message; where that would leave less than `floor` tokens (a long
    run without a user's line), up to the beginning of any; where long messages make that too little as well, as many
    leave as keep the floor, if the rest is within the ceiling. Only where no place does both is less than the floor
    left. The newest message always stays, so the result may still be over the ceiling.
    """
    total = overhead + sum(tokens)
    if total <= ceiling or not parts:
        return 0
    left = list(accumulate(reversed(tokens), initial=0))[::-1]
    places = cut_places(parts)
    users = [place for place in places if parts[place].item.role is PromptRole.USER]
    for candidates in (users, places):
        fitting = [place for place in candidates if overhead + left[place] <= target]
        if fitting and left[fitting[0]] >= floor:
            return fitting[0]
    above_floor = [place for place in places if left[place] >= floor and overhead + left[place] <= ceiling]
    if above_floor:
        return above_floor[-1]
    fitting = [place for place in places if overhead + left[place] <= ceiling]
    return fitting[0] if fitting else places[-1]
