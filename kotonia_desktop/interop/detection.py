"""Finds out what a file is, by its content; its name only decides where the content does not."""

import re
from enum import StrEnum

from kotonia_desktop.interop.png_chunks import SIGNATURE

HEAD = 256 * 1024
"""How many bytes of a file tell a chat from the rest."""

_CHAT_KEYS = re.compile(r'"(?:user_name|character_name|chat_metadata|mes|is_user)"\s*:')
# Inside a JSON string the quotes would be escaped, so this is a key of an object.
_TURNS = re.compile(rb'[{,]\s*"turns"\s*:\s*\[')


class FileKind(StrEnum):
    """What a file is read as."""

    CARD = "card"
    CHAT = "chat"
    DIALOGUE = "dialogue"


def detect(data: bytes, name: str) -> FileKind:
    """What a file holds, from its bytes or its first `HEAD` bytes. Never raises: the readers say what is wrong."""
    if data.startswith(SIGNATURE):
        return FileKind.CARD
    if name.lower().endswith(".jsonl"):
        return FileKind.CHAT
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = data[:HEAD].decode("utf-16", "replace")
    else:
        head = data[:HEAD].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    head = head.lstrip()
    if head.startswith("["):
        return FileKind.CHAT if head[1:].lstrip().startswith('"') else FileKind.CARD
    first_line, more, _ = head.partition("\n")
    if more and first_line.rstrip().endswith("}") and _CHAT_KEYS.search(first_line):
        return FileKind.CHAT
    return FileKind.DIALOGUE if _TURNS.search(data) else FileKind.CARD
