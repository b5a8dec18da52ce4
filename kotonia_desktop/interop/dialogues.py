"""Reads a dialogue: `{id, cast, user, turns: [{spk, role, kind, text, when}]}`, the shape that memory is measured with.

`user` names who plays the persona (or is null, and the turns' `role` decides); everyone else keeps their own name,
and who speaks most is the character.
`kind` is `say`, `act`, `think` or `narr` and says what the whole text is, so that no quotes need to be put around it.
"""

from collections import Counter

from kotonia_desktop.domain.errors import ImportFailed, ImportTooLarge
from kotonia_desktop.domain.messages import Role, SegmentKind
from kotonia_desktop.interop import limits
from kotonia_desktop.interop.cleaning import clean_name, name_of_file
from kotonia_desktop.interop.dates import read_date
from kotonia_desktop.interop.imported import ChatImport, ImportedMessage, Notes
from kotonia_desktop.interop.json_reading import decode, parse_json

_KINDS = {
    "say": SegmentKind.SPEECH,
    "act": SegmentKind.ACTION,
    "think": SegmentKind.THOUGHT,
    "narr": SegmentKind.NARRATION,
}


def read_dialogue(data: bytes, name: str) -> ChatImport:
    """The dialogue in a file's bytes. Raises `ImportFailed` where there is none, `ImportTooLarge` over a limit."""
    if len(data) > limits.DIALOGUE_FILE:
        raise ImportTooLarge(name=name, what="the file", limit=f"{limits.DIALOGUE_FILE // limits.MB} MB")
    notes = Notes()
    root = parse_json(decode(data, notes, name), notes, name, limits.DIALOGUE_KEYS)
    turns = root.get("turns") if isinstance(root, dict) else None
    if not isinstance(root, dict) or not isinstance(turns, list):
        raise ImportFailed(name=name, detail="there is no dialogue in it")
    user = clean_name(root["user"]) if isinstance(root.get("user"), str) else ""
    messages = [message for turn in turns if (message := _message(turn, user)) is not None]
    if len(messages) < len(turns):
        notes.add("turns_unread", count=len(turns) - len(messages))
    if not messages:
        raise ImportFailed(name=name, detail="there is no dialogue in it")
    users = [message.speaker for message in messages if message.role is Role.USER]
    if not users:
        notes.add("no_user_line")
    others = Counter(m.speaker for m in messages if m.role is Role.CHARACTER and m.kind is SegmentKind.SPEECH)
    title = clean_name(root["id"]) if isinstance(root.get("id"), str) else ""
    return ChatImport(
        title=title or name_of_file(name),
        user_name=user or (users[0] if users else ""),
        character_name=others.most_common(1)[0][0] if others else "",
        messages=tuple(messages),
        notes=tuple(notes.found),
        kind="dialogue",
    )


def _message(turn: object, user: str) -> ImportedMessage | None:
    if not isinstance(turn, dict) or not isinstance(turn.get("text"), str) or not turn["text"].strip():
        return None
    speaker = clean_name(turn["spk"]) if isinstance(turn.get("spk"), str) else ""
    is_user = speaker == user if user else turn.get("role") == "user"
    return ImportedMessage(
        role=Role.USER if is_user else Role.CHARACTER,
        speaker=speaker,
        text=turn["text"],
        created_at=read_date(turn.get("when")) or 0.0,
        kind=_KINDS.get(str(turn.get("kind"))),
    )
