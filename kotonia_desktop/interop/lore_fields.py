"""A card's lorebook made into a `Lorebook`: the specification's `character_book`, or SillyTavern's world info shape.

Sources: character card specifications V2 and V3; the world info fields that SillyTavern writes.
"""

import re
from typing import Any

from kotonia_desktop.domain.library import Lorebook, LoreEntry
from kotonia_desktop.interop import limits
from kotonia_desktop.interop.cleaning import clean_name
from kotonia_desktop.interop.imported import Notes
from kotonia_desktop.interop.json_reading import whole

_REGEX_KEY = re.compile(r"/.+/[a-z]*", re.DOTALL)
_SCAN_DEPTH = 4
_MAX_SCAN_DEPTH = 1_000


def book_from(book: object, notes: Notes) -> Lorebook:
    """The lorebook that the JSON value `book` holds; an empty one where it holds none."""
    if not isinstance(book, dict):
        if book not in (None, "", [], False):
            notes.add("wrong_type", field="character_book")
        return Lorebook()
    found = book.get("entries")
    if isinstance(found, dict):
        found = list(found.values())  # keyed by number, as SillyTavern's own files are
    if not isinstance(found, list):
        found = []
    if len(found) > limits.LORE_ENTRIES:
        notes.add("lore_dropped", count=len(found) - limits.LORE_ENTRIES)
    entries = [entry for item in found[: limits.LORE_ENTRIES] if (entry := _entry(item, notes)) is not None]
    _note_regex(entries, notes)
    depth = whole(book.get("scan_depth", book.get("scanDepth")), _SCAN_DEPTH)
    budget = whole(book.get("token_budget", book.get("tokenBudget")), 0)
    return Lorebook(
        name=clean_name(book["name"]) if isinstance(book.get("name"), str) else "",
        entries=tuple(entries),
        scan_depth=max(0, min(_MAX_SCAN_DEPTH, depth)),
        token_budget=max(0, budget),
    )


def _entry(item: object, notes: Notes) -> LoreEntry | None:
    if not isinstance(item, dict) or not isinstance(item.get("content"), str):
        notes.add("lore_repaired", field="entries")
        return None
    content = _without_decorators(item["content"], notes)
    enabled = item.get("enabled")
    return LoreEntry(
        keys=_keys(item.get("keys", item.get("key")), "keys", notes),
        content=content,
        name=_entry_name(item),
        secondary_keys=_keys(item.get("secondary_keys", item.get("keysecondary")), "secondary_keys", notes),
        selective=item.get("selective") is True,
        constant=item.get("constant") is True,
        enabled=enabled if isinstance(enabled, bool) else item.get("disable") is not True,
        insertion_order=whole(item.get("insertion_order", item.get("order")), 100),
        priority=whole(item.get("priority"), 10),
        case_sensitive=item.get("case_sensitive", item.get("caseSensitive")) is True,
    )


def _entry_name(item: dict[str, Any]) -> str:
    for field in ("name", "comment"):
        if isinstance(item.get(field), str) and item[field].strip():
            return clean_name(item[field])
    return ""


def _keys(value: object, field: str, notes: Notes) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
        notes.add("lore_repaired", field=field)
    if not isinstance(value, list):
        return ()
    keys = [key.strip() for key in value if isinstance(key, str) and key.strip()]
    kept = [key[: limits.LORE_KEY] for key in keys[: limits.LORE_KEYS]]
    if len(kept) < len(keys) or any(len(key) > limits.LORE_KEY for key in keys):
        notes.add("lore_repaired", field=field)
    return tuple(kept)


def _without_decorators(content: str, notes: Notes) -> str:
    """V3's `@@name value` lines at the head of an entry are commands, never text."""
    lines = content.split("\n")
    first = 0
    while first < len(lines) and lines[first].startswith("@@"):
        first += 1
    if first:
        notes.add("lore_decorators_ignored")
    return "\n".join(lines[first:])


def _note_regex(entries: list[LoreEntry], notes: Notes) -> None:
    count = sum(any(_REGEX_KEY.fullmatch(key) for key in entry.keys) for entry in entries)
    if count:
        notes.add("lore_regex_not_used", count=count)
