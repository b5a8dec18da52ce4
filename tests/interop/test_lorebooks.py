"""A card's lorebook, in the specification's shape and in SillyTavern's."""

import json

from kotonia_desktop.domain.library import Lorebook, LoreEntry
from kotonia_desktop.interop.cards import read_card


def book_of(files, book):
    found = read_card(json.dumps(files.v2(character_book=book)).encode(), "m.json")
    return found.card.lorebook, [code for code, _ in found.notes]


def test_the_specifications_fields_are_read(files):
    entry = {
        "keys": ["lamp", " oil "],
        "content": "The lamp burns whale oil.",
        "name": "Lamp",
        "secondary_keys": ["night"],
        "selective": True,
        "constant": False,
        "enabled": False,
        "insertion_order": 7,
        "priority": 3,
        "case_sensitive": True,
    }
    book, notes = book_of(files, {"name": "Point", "scan_depth": 9, "token_budget": 300, "entries": [entry]})
    assert book == Lorebook(
        name="Point",
        scan_depth=9,
        token_budget=300,
        entries=(
            LoreEntry(("lamp", "oil"), "The lamp burns whale oil.", "Lamp", ("night",), True, False, False, 7, 3, True),
        ),
    )
    assert notes == []


def test_sillytaverns_shape_is_read(files):
    entry = {"key": ["lamp"], "content": "Oil.", "comment": "Lamp", "keysecondary": [], "order": 50, "disable": True}
    book, _ = book_of(files, {"entries": {"0": entry}})
    assert book.entries == (LoreEntry(("lamp",), "Oil.", "Lamp", enabled=False, insertion_order=50),)


def test_keys_in_one_string_are_split_and_noted(files):
    book, notes = book_of(files, {"entries": [{"keys": "lamp, oil", "content": "x"}]})
    assert book.entries[0].keys == ("lamp", "oil")
    assert notes == ["lore_repaired"]


def test_decorators_are_no_text(files):
    book, notes = book_of(files, {"entries": [{"keys": ["a"], "content": "@@depth 4\n@@@role system\nOil."}]})
    assert book.entries[0].content == "Oil."
    assert notes == ["lore_decorators_ignored"]


def test_a_key_that_is_a_regular_expression_is_noted(files):
    _, notes = book_of(files, {"entries": [{"keys": ["/la+mp/i"], "content": "Oil."}]})
    assert notes == ["lore_regex_not_used"]


def test_limits_hold_for_entries_and_keys(files):
    entries = [{"keys": ["k" * 900] * 300, "content": "x"}]
    book, notes = book_of(files, {"entries": entries})
    assert len(book.entries[0].keys) == 200
    assert len(book.entries[0].keys[0]) == 500
    assert notes == ["lore_repaired"]


def test_entries_that_are_none_are_left_out_and_noted(files):
    book, notes = book_of(files, {"entries": [1, None, {"keys": ["a"]}, {"keys": ["a"], "content": "x"}]})
    assert len(book.entries) == 1
    assert notes == ["lore_repaired"]


def test_a_book_of_another_type_is_an_empty_one(files):
    assert book_of(files, "no book")[0] == Lorebook()
    assert book_of(files, None) == (Lorebook(), [])
