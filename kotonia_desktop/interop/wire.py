"""The import worker's answers as lines of JSON, and back into values.

Pickle never crosses the boundary: the worker has read a stranger's file, so its answer is data to be checked, no code.
Whatever does not have the shape expected raises `ValueError`, `TypeError` or `KeyError` in the reading functions.
"""

import base64
from dataclasses import asdict
from typing import Any

from kotonia_desktop.domain.library import CharacterCard, Lorebook, LoreEntry, ProseMarkup
from kotonia_desktop.domain.messages import Role, SegmentKind
from kotonia_desktop.interop.imported import CardImport, ChatImport, ImportedMessage, Note
from kotonia_desktop.interop.png_chunks import SIGNATURE

Frame = dict[str, Any]
MALFORMED = (ValueError, TypeError, KeyError, AttributeError)
"""What the reading functions raise for an answer of the wrong shape."""


def card_frame(found: CardImport) -> Frame:
    """A card as a frame."""
    picture = base64.b64encode(found.picture).decode("ascii") if found.picture else ""
    return {"card": asdict(found.card), "picture": picture, "mime": found.mime, "notes": found.notes}


def messages_frame(messages: list[ImportedMessage]) -> Frame:
    """A batch of messages as a frame."""
    return {
        "messages": [
            [m.role, m.speaker, m.text, m.alternates, m.selected, m.created_at, m.is_greeting, m.kind] for m in messages
        ]
    }


def chat_frame(found: ChatImport) -> Frame:
    """A chat without its messages as a frame; it comes after them."""
    return {
        "chat": {
            "title": found.title,
            "user_name": found.user_name,
            "character_name": found.character_name,
            "kind": found.kind,
        },
        "notes": found.notes,
    }


def card_of(frame: Frame) -> CardImport:
    """The card of a frame."""
    fields = dict(frame["card"])
    book = dict(fields.pop("lorebook"))
    entries = tuple(_entry(entry) for entry in book.pop("entries"))
    markup = ProseMarkup(**fields.pop("markup"))
    original = fields.pop("original")
    if not isinstance(original, dict):
        raise TypeError("the card's JSON is no object")
    greetings, tags = _texts(fields.pop("greetings")), _texts(fields.pop("tags"))
    if not all(isinstance(value, str) for value in fields.values()):
        raise TypeError("a text of the card is none")
    picture = base64.b64decode(frame["picture"], validate=True) if frame["picture"] else None
    if picture is not None and not picture.startswith(SIGNATURE):
        raise ValueError("the picture is no PNG")
    lorebook = Lorebook(entries=entries, **book)
    card = CharacterCard(**fields, greetings=greetings, tags=tags, lorebook=lorebook, markup=markup, original=original)
    return CardImport(card=card, picture=picture, notes=_notes(frame))


def messages_of(frame: Frame) -> list[ImportedMessage]:
    """The messages of a frame."""
    return [_message(*fields) for fields in frame["messages"]]


def chat_of(frame: Frame, messages: list[ImportedMessage]) -> ChatImport:
    """The chat of a frame, with the messages that came before it."""
    fields = frame["chat"]
    if not all(isinstance(value, str) for value in fields.values()):
        raise TypeError("a text of the chat is none")
    return ChatImport(messages=tuple(messages), notes=_notes(frame), **fields)


def _entry(fields: dict[str, Any]) -> LoreEntry:
    keys = {key: _texts(fields[key]) for key in ("keys", "secondary_keys")}
    return LoreEntry(**{**fields, **keys})


def _message(
    role: str,
    speaker: object,
    text: object,
    alternates: object,
    selected: int,
    created_at: float,
    is_greeting: object,
    kind: str | None,
) -> ImportedMessage:
    if not isinstance(speaker, str) or not isinstance(text, str):
        raise TypeError("a message has no text")
    return ImportedMessage(
        role=Role(role),
        speaker=speaker,
        text=text,
        alternates=_texts(alternates),
        selected=int(selected),
        created_at=float(created_at),
        is_greeting=bool(is_greeting),
        kind=SegmentKind(kind) if kind is not None else None,
    )


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError("a list of texts is none")
    return tuple(values)


def _notes(frame: Frame) -> tuple[Note, ...]:
    return tuple(
        (str(code), {str(key): _note_value(value) for key, value in values.items()}) for code, values in frame["notes"]
    )


def _note_value(value: object) -> str | int:
    return value if isinstance(value, int) else str(value)
