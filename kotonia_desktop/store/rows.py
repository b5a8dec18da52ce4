"""How values of the domain are written in columns, and read back.

Texts are UTF-8 in SQLite: a lone surrogate, which UTF-8 has no form for, becomes U+FFFD, so that offsets stay true.
Segments are JSON `[[kind, start, end, speaker?], ...]`, token ids little-endian int32.
"""

import hashlib
import json
import re
import struct
from dataclasses import asdict, fields
from typing import Any

from kotonia_desktop.domain.library import (
    Character,
    CharacterCard,
    Conversation,
    Lorebook,
    LoreEntry,
    Persona,
    ProseMarkup,
    ReplyFormat,
)
from kotonia_desktop.domain.messages import (
    FinishReason,
    GenerationStats,
    NewRevision,
    Segment,
    SegmentKind,
    StoppedBy,
)
from kotonia_desktop.store.tables import CharacterRow, ConversationRow, PersonaRow, RevisionRow

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_STATS_FIELDS = frozenset(field.name for field in fields(GenerationStats))


def storable(text: str) -> str:
    """`text` with every lone surrogate replaced, character for character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text)
    return text


def to_json(value: object) -> str:
    """Compact JSON in readable letters."""
    return storable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def hash_texts(*texts: bytes) -> bytes:
    """64 bits of BLAKE2b over texts and their lengths: SQLite has no checksums of its own."""
    digest = hashlib.blake2b(digest_size=8)
    for data in texts:
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


def encode_segments(segments: tuple[Segment, ...]) -> str:
    """Segments as a column."""
    if not segments:
        return "[]"
    return to_json([[s.kind, s.start, s.end, s.speaker] if s.speaker else [s.kind, s.start, s.end] for s in segments])


def decode_segments(column: str) -> tuple[Segment, ...]:
    """Segments from their column."""
    if column == "[]":
        return ()
    return tuple(Segment(SegmentKind(row[0]), row[1], row[2], *row[3:]) for row in json.loads(column))


def encode_ids(ids: tuple[int, ...] | None) -> bytes | None:
    """Token ids as a column."""
    return None if ids is None else struct.pack(f"<{len(ids)}i", *ids)


def decode_ids(column: bytes | None) -> tuple[int, ...] | None:
    """Token ids from their column."""
    return None if column is None else struct.unpack(f"<{len(column) // 4}i", column)


def encode_stats(stats: GenerationStats | None) -> str | None:
    """Statistics as a column."""
    return None if stats is None else to_json(asdict(stats))


def decode_stats(column: str | None) -> GenerationStats | None:
    """Statistics from their column; fields that are no longer known are left out."""
    if column is None:
        return None
    return GenerationStats(**{key: value for key, value in json.loads(column).items() if key in _STATS_FIELDS})


def revision_columns(message_id: int, new: NewRevision, now: float) -> dict[str, Any]:
    """The columns of a new revision of a message, all but its id."""
    text, reasoning, cut_text = storable(new.text), storable(new.reasoning), storable(new.cut_text)
    return {
        "message_id": message_id,
        "text": text,
        "segments": encode_segments(new.segments),
        "reasoning": reasoning,
        "finish": FinishReason(new.finish).value,
        "stopped_by": StoppedBy(new.stopped_by).value,
        "cut_text": cut_text,
        "thinking_cut": new.thinking_cut,
        "format_ok": new.format_ok,
        "tokenizer": storable(new.tokenizer),
        "token_ids": encode_ids(new.token_ids),
        "stats": encode_stats(new.stats),
        "created_at": now,
        "hash": hash_texts(text.encode(), reasoning.encode(), cut_text.encode()),
    }


def revision_row(message_id: int, new: NewRevision, now: float) -> RevisionRow:
    """The row of a new revision of a message."""
    return RevisionRow(**revision_columns(message_id, new, now))


def encode_markup(markup: ProseMarkup) -> str:
    """Markup as a column."""
    return to_json(asdict(markup))


def decode_markup(column: str) -> ProseMarkup:
    """Markup from its column."""
    return ProseMarkup(**json.loads(column))


def encode_card(card: CharacterCard) -> tuple[str, str]:
    """A card as the columns `card` and `original`."""
    values = asdict(card)
    original = values.pop("original")
    return to_json(values), to_json(original)


def decode_card(card: str, original: str) -> CharacterCard:
    """A card from its columns."""
    values: dict[str, Any] = json.loads(card)
    book = values.pop("lorebook")
    entries = tuple(LoreEntry(**_with_tuples(entry)) for entry in book.pop("entries"))
    return CharacterCard(
        **_with_tuples(values | {"markup": ProseMarkup(**values["markup"])}),
        lorebook=Lorebook(entries=entries, **book),
        original=json.loads(original),
    )


def _with_tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}


def to_character(row: CharacterRow) -> Character:
    """A character from its row."""
    return Character(row.id, decode_card(row.card, row.original), row.picture, row.starter, row.created_at)


def to_persona(row: PersonaRow) -> Persona:
    """A persona from its row."""
    return Persona(row.id, row.name, row.description, row.picture)


def to_conversation(row: ConversationRow) -> Conversation:
    """A conversation from its row."""
    return Conversation(
        id=row.id,
        title=row.title,
        character_id=row.character_id,
        persona_id=row.persona_id,
        active_branch_id=row.active_branch_id or 0,
        reply_format=ReplyFormat(row.reply_format),
        markup=decode_markup(row.markup),
        language=row.language,
        created_at=row.created_at,
        last_used_at=row.last_used_at,
    )
