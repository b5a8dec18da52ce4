"""Reads JSON that strangers wrote: bytes in any common encoding, under limits of depth, size and number of keys.

Python's own parser recurses (a deep file ends the interpreter's patience) and takes NaN, which no JSON may hold when it
is written again. Limits are checked before parsing.
"""

import json
import math
import re
from collections.abc import Callable
from typing import Any

from kotonia_desktop.domain.errors import ImportFailed, ImportTooLarge
from kotonia_desktop.interop import limits
from kotonia_desktop.interop.cleaning import clean_text, needs_cleaning
from kotonia_desktop.interop.imported import Notes

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_BIG = 10**18
_MAX_DIGITS = 400
"""Python refuses integers over 4,300 digits; nothing here needs one of 400."""


def decode(data: bytes, notes: Notes, name: str) -> str:
    """The text of `data`: UTF-8, UTF-16 or UTF-32 by their marks, else Windows' Western encoding, with a note.

    Raises `ImportFailed` where the bytes are none of these.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    elif data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        encoding = "utf-32" if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")) else "utf-16"
        notes.add("recoded", encoding=encoding)
        return data.decode(encoding, "replace").removeprefix("\ufeff")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if b"\x00" in data:
        raise ImportFailed(name=name, detail="it holds binary data, no text")
    # Windows-1252 leaves five bytes undefined: those files were written in no Western encoding.
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        raise ImportFailed(name=name, detail="its text is in an unknown encoding") from None
    notes.add("recoded", encoding="windows-1252")
    return text


def depth_of(text: str, stop: int = limits.JSON_DEPTH) -> int:
    """How deep brackets nest outside strings; counting ends past `stop`. Linear."""
    depth = deepest = 0
    for match in _BRACKETS.finditer(text):
        char = match[0][0]
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
            if deepest > stop:
                break
        elif char in "]}":
            depth -= 1
    return deepest


def parse_json(text: str, notes: Notes, name: str, max_keys: int = limits.JSON_KEYS) -> object:
    """The value of a JSON text, cleaned: no NaN, no lone surrogates, no control characters.

    Bytes behind the end are noted. Raises `ImportFailed` where it is no JSON or nests too deep, `ImportTooLarge` where
    it holds more than `max_keys` keys.
    """
    if depth_of(text) > limits.JSON_DEPTH:
        raise ImportFailed(name=name, detail=f"its data nests deeper than {limits.JSON_DEPTH} levels")
    keys = 0

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal keys
        keys += len(found)
        if keys > max_keys:
            raise ImportTooLarge(name=name, what="the number of its fields", limit=max_keys)
        value = dict(found)
        if len(value) != len(found):
            notes.add("duplicate_keys")
        return value

    decoder = json_decoder(notes, pairs)
    start = len(text) - len(text.lstrip(" \t\r\n\ufeff\x00"))
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise ImportFailed(name=name, detail=f"its data breaks off or is damaged at character {error.pos}") from None
    if text[end:].strip(" \t\r\n\x00"):
        notes.add("bytes_behind_data")
    return clean_value(value, notes)


def json_decoder(
    notes: Notes, pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]] | None = None
) -> json.JSONDecoder:
    """A decoder that gives None for numbers no JSON may hold. `pairs` makes the objects."""

    def number(literal: str) -> int | None:
        if len(literal) > _MAX_DIGITS:
            notes.add("odd_numbers")
            return None
        return int(literal)

    def constant(_: str) -> None:
        notes.add("odd_numbers")

    def decimal(literal: str) -> float | None:
        value = float(literal)
        if math.isinf(value):
            notes.add("odd_numbers")
            return None
        return value

    return json.JSONDecoder(
        object_pairs_hook=pairs, parse_int=number, parse_float=decimal, parse_constant=constant, strict=False
    )


def clean_value(value: object, notes: Notes) -> object:
    """A JSON value with every string cleaned at the border. Its depth is limited, so recursion is safe."""
    if isinstance(value, str):
        if needs_cleaning(value):
            notes.add("characters_cleaned")
        return clean_text(value)
    if isinstance(value, list):
        return [clean_value(item, notes) for item in value]
    if isinstance(value, dict):
        return {clean_text(key): clean_value(item, notes) for key, item in value.items()}
    return value


def whole(value: object, fallback: int) -> int:
    """An integer that a file gives as number or string, clamped to what every part of the app can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return fallback
    try:
        return max(-_BIG, min(_BIG, int(float(value))))
    except (ValueError, OverflowError):
        return fallback
