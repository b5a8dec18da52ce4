"""Reads SillyTavern chats: one JSON object a line, in every form written since 2022, and the older list of strings.

Works on a stream, line by line, so that a chat of a million lines needs no more memory than its longest line. Lines are
split at `\\n` only: a text may hold every other line separator. File order is the order of the chat, whatever the dates
say. A line that cannot be read is noted with its number; the others are kept.
"""

import io
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from kotonia_desktop.domain.errors import ImportFailed, ImportTooLarge
from kotonia_desktop.domain.messages import Role
from kotonia_desktop.interop import limits
from kotonia_desktop.interop.cards import refuse_foreign
from kotonia_desktop.interop.cleaning import clean_name, clean_text, name_of_file, needs_cleaning
from kotonia_desktop.interop.dates import read_date
from kotonia_desktop.interop.imported import ChatImport, ImportedMessage, Notes
from kotonia_desktop.interop.json_reading import decode, depth_of, json_decoder, parse_json

_HEADER_KEYS = frozenset(("user_name", "character_name", "chat_metadata", "create_date"))
_NO_NAMES = frozenset(("", "unused"))
_SHOWN_LINES = 20


def read_chat(data: bytes, name: str) -> ChatImport:
    """The chat in a file's bytes. Raises `ImportFailed` where there is none, `ImportTooLarge` over a limit."""
    reader = ChatReader(name)
    messages = tuple(reader.messages(io.BytesIO(data)))
    return reader.finish(messages)


class ChatReader:
    """Reads one chat. Take all of `messages`, then ask `finish` for the rest."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._notes = Notes()
        self._decoder = json_decoder(self._notes)
        self._header: dict[str, Any] | None = None
        self._names = {Role.USER: "", Role.CHARACTER: ""}
        self._count = 0
        self._unread: list[int] = []
        self._tally: dict[str, int] = {}

    def messages(self, stream: BinaryIO) -> Iterator[ImportedMessage]:
        """The messages in the order of the file."""
        head = stream.read(4)
        if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
            whole = head + stream.read(limits.CHAT_FILE)
            stream = io.BytesIO(decode(whole, self._notes, self._name).encode("utf-8", "replace"))
            head = stream.read(4)
        if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[":
            yield from self._list_of_strings(head + stream.read(limits.CHAT_FILE))
            return
        for number, line in self._lines(head, stream):
            for value in self._values(number, line):
                message = self._take(number, value)
                if message is not None:
                    self._count += 1
                    yield message

    def finish(self, messages: tuple[ImportedMessage, ...]) -> ChatImport:
        """The chat around `messages`. Raises `ImportFailed` where the file held no chat at all."""
        if not self._count and self._header is None:
            raise ImportFailed(name=self._name, detail="there is no chat in it")
        if self._unread:
            shown = ", ".join(str(number) for number in self._unread[:_SHOWN_LINES])
            self._notes.add("lines_unread", count=len(self._unread), lines=shown)
        for code, count in self._tally.items():
            self._notes.add(code, count=count)
        if self._header is None:
            self._notes.add("header_missing")
        if not self._count:
            self._notes.add("no_messages")
        return ChatImport(
            title=name_of_file(self._name),
            user_name=self._names[Role.USER],
            character_name=self._names[Role.CHARACTER],
            messages=messages,
            notes=tuple(self._notes.found),
        )

    # -- lines

    def _lines(self, head: bytes, stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
        """Each line with its number from 1. Lines over the limit are left out, counted, and never held in memory."""
        number = 0
        seen = b""
        while True:
            line = head + stream.readline(limits.CHAT_LINE + 1 - len(head))
            head = b""
            if not line:
                break
            number += 1
            if number > limits.CHAT_LINES:
                raise ImportTooLarge(name=self._name, what="the number of its lines", limit=limits.CHAT_LINES)
            if number == 1:
                seen = line[: 4 * 1024]
                refuse_foreign(seen, self._name)
            if len(line) > limits.CHAT_LINE and not line.endswith(b"\n"):
                self._add("lines_too_long")
                while line and not line.endswith(b"\n"):
                    line = stream.readline(limits.MB)
                continue
            yield number, line
        if not number:
            refuse_foreign(b"", self._name)

    def _values(self, number: int, line: bytes) -> Iterator[object]:
        """The JSON values on a line: one, or several that were written without a line end (or with old Mac ones)."""
        text = self._text(number, line)
        position, found = 0, 0
        while position < len(text):
            if text[position] in " \t\r":
                position += 1
                continue
            try:
                value, position = self._decoder.raw_decode(text, position)
            except (json.JSONDecodeError, RecursionError):
                self._unread.append(number)
                return
            found += 1
            if found == 2:
                self._add("several_objects_in_a_line")
            yield value

    def _text(self, number: int, line: bytes) -> str:
        line = line.removeprefix(b"\xef\xbb\xbf").strip(b"\r\n \t")
        if line[:1] == b"\0" or line[-1:] == b"\0":  # a block of zeros, as a power loss leaves it
            line = line.strip(b"\0\r\n \t")
            self._add("zero_bytes_skipped")
        if not line:
            return ""
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            if b"\0" in line:
                self._unread.append(number)
                return ""
            text = line.decode("cp1252", "replace")
            self._add("recoded_lines")
        if text.count("[") + text.count("{") > limits.JSON_DEPTH and depth_of(text) > limits.JSON_DEPTH:
            self._unread.append(number)
            return ""
        return text

    # -- objects

    def _take(self, number: int, value: object) -> ImportedMessage | None:
        if not isinstance(value, dict):
            self._unread.append(number)
            return None
        if self._header is None and not self._count and "mes" not in value and _HEADER_KEYS & value.keys():
            self._header = value
            self._names[Role.USER] = self._header_name("user_name")
            self._names[Role.CHARACTER] = self._header_name("character_name")
            return None
        text = _text_of(value.get("mes"))
        if text is None:
            self._unread.append(number)
            return None
        if value.get("is_system") is True:
            self._add("system_lines_skipped")
            return None
        text = self._clean(text)
        if not text.strip():
            self._add("empty_lines_skipped")
            return None
        if len(text) > limits.CHAT_LONG_MESSAGE:
            self._add("very_long_messages")
        role = Role.USER if value.get("is_user") in (True, 1, "true", "yes") else Role.CHARACTER
        self._note_attachments(value.get("extra"))
        alternates, selected = self._alternates(value, text)
        return ImportedMessage(
            role=role,
            speaker=self._speaker(role, value.get("name")),
            text=text,
            alternates=alternates,
            selected=selected,
            created_at=self._date(value.get("send_date")),
            is_greeting=not self._count and role is Role.CHARACTER,
        )

    def _header_name(self, field: str) -> str:
        value = self._header.get(field) if self._header else None
        name = clean_name(value) if isinstance(value, str) else ""
        return "" if name in _NO_NAMES else name

    def _speaker(self, role: Role, value: object) -> str:
        name = clean_name(value) if isinstance(value, str) else ""
        if name and not self._names[role]:
            self._names[role] = name
        return name or self._names[role]

    def _alternates(self, value: dict[str, Any], text: str) -> tuple[tuple[str, ...], int]:
        """The versions of a message and which one is shown. `mes` is what was shown last, whatever the list says."""
        swipes = value.get("swipes")
        if swipes is None:
            return (), 0
        if not isinstance(swipes, list):
            self._add("alternates_repaired")
            return (), 0
        read = [_text_of(swipe) for swipe in swipes]
        versions = [self._clean(swipe) for swipe in read if swipe is not None and swipe.strip()]
        selected = value.get("swipe_id")
        whole = len(versions) == len(swipes)
        if not (whole and isinstance(selected, int) and 0 <= selected < len(versions)):
            if versions:
                self._add("alternates_repaired")
            if text not in versions:
                versions.append(text)
            selected = versions.index(text)
        versions[selected] = text
        if len(versions) > limits.CHAT_SWIPES:
            self._add("alternates_dropped", len(versions) - limits.CHAT_SWIPES)
            kept = versions[: limits.CHAT_SWIPES]
            if selected >= len(kept):
                kept[-1], selected = text, len(kept) - 1
            versions = kept
        return (tuple(versions), selected) if len(versions) > 1 else ((), 0)

    def _date(self, value: object) -> float:
        found = read_date(value)
        if found is None and value not in (None, ""):
            self._add("bad_dates")
        return found or 0.0

    def _note_attachments(self, extra: object) -> None:
        if isinstance(extra, dict) and any(extra.get(key) for key in ("image", "media", "file", "files")):
            self._add("attachments_not_used")

    def _clean(self, text: str) -> str:
        if needs_cleaning(text):
            self._notes.add("characters_cleaned")
        return clean_text(text)

    def _add(self, code: str, count: int = 1) -> None:
        self._tally[code] = self._tally.get(code, 0) + count

    # -- the form of 2022

    def _list_of_strings(self, data: bytes) -> Iterator[ImportedMessage]:
        """TavernAI's first form: a list of strings `Name: text`. The user is `You`, or whoever did not begin."""
        if len(data) > limits.CARD_FILE:
            raise ImportTooLarge(name=self._name, what="the file", limit=f"{limits.CARD_FILE // limits.MB} MB")
        root = parse_json(decode(data, self._notes, self._name), self._notes, self._name)
        lines = [item for item in root if isinstance(item, str)] if isinstance(root, list) else []
        split = [
            (clean_name(head), text.strip()) for head, colon, text in (item.partition(":") for item in lines) if colon
        ]
        if not split:
            raise ImportFailed(name=self._name, detail="there is no chat in it")
        if isinstance(root, list) and len(split) < len(root):
            self._tally["turns_unread"] = len(root) - len(split)
        speakers = list(dict.fromkeys(head for head, _ in split))
        user = "You" if "You" in speakers else next((head for head in speakers if head != speakers[0]), "")
        self._header = {}
        for head, text in split:
            role = Role.USER if head == user else Role.CHARACTER
            yield ImportedMessage(
                role, self._speaker(role, head), text, is_greeting=not self._count and role is Role.CHARACTER
            )
            self._count += 1


def _text_of(value: object) -> str | None:
    """A message's text: a string, or the object that some sites export; None where it is neither."""
    if isinstance(value, dict):
        value = value.get("message")
    return value if isinstance(value, str) else None
