"""Which lore entries come in with the newest message.

Constant entries stand in the system part; keyed ones are frozen into the note of the turn where they fired and leave
with that turn. When a key matches stands in `lore_keys`.
"""

from collections.abc import Callable, Iterable, Sequence

from kotonia_desktop.domain.library import Lorebook, LoreEntry
from kotonia_desktop.prompt.lore_keys import ScannedText

BUDGET = 350
"""Tokens a note may take where the book names no budget of its own."""


def constant_entries(book: Lorebook) -> list[LoreEntry]:
    """Entries that always stand in the prompt, in their order."""
    return sorted((e for e in book.entries if e.enabled and e.constant), key=lambda e: e.insertion_order)


def fired_entries(
    book: Lorebook, scanned: Sequence[str], in_view: Iterable[str], count: Callable[[str], int]
) -> list[LoreEntry]:
    """Keyed entries that the texts `scanned` (oldest first) call for, in insertion order, within the token budget.

    `in_view` are notes the model still sees: an entry whose text stands in one of them does not fire again. Where the
    budget does not hold all, those of the lowest priority stay out.
    """
    text = ScannedText("\n".join(scanned[-max(1, book.scan_depth) :]))
    seen = "\n".join(in_view)
    hits = [
        entry
        for entry in book.entries
        if entry.enabled
        and not entry.constant
        and entry.content.strip()
        and entry.content not in seen
        and _fires(entry, text)
    ]
    left = book.token_budget or BUDGET
    kept = []
    for entry in sorted(hits, key=lambda e: -e.priority):
        cost = count(entry.content)
        if cost <= left:
            left -= cost
            kept.append(entry)
    return sorted(kept, key=lambda e: e.insertion_order)


def _fires(entry: LoreEntry, text: ScannedText) -> bool:
    if not any(text.holds(key, entry.case_sensitive) for key in entry.keys):
        return False
    if entry.selective and entry.secondary_keys:
        return any(text.holds(key, entry.case_sensitive) for key in entry.secondary_keys)
    return True
