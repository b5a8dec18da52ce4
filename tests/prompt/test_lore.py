from kotonia_desktop.domain.library import Lorebook, LoreEntry
from kotonia_desktop.prompt.lore import fired_entries


def fire(
    entries: list[LoreEntry], *texts: str, seen: tuple[str, ...] = (), depth: int = 4, budget: int = 0
) -> list[str]:
    book = Lorebook(entries=tuple(entries), scan_depth=depth, token_budget=budget)
    return [entry.content for entry in fired_entries(book, texts, seen, len)]


def test_a_latin_key_matches_whole_words_and_a_cjk_key_anywhere() -> None:
    entries = [LoreEntry(("tag",), "about tags"), LoreEntry(("帳面",), "about books")]
    assert fire(entries, "the stage is set") == []
    assert fire(entries, "Tag, please", "青い帳面がある") == ["about tags", "about books"]


def test_an_entry_in_view_does_not_fire_again() -> None:
    entries = [LoreEntry(("tag",), "about tags")]
    assert fire(entries, "tag", seen=("about tags",)) == []


def test_only_the_newest_messages_are_scanned() -> None:
    entries = [LoreEntry(("tag",), "about tags")]
    assert fire(entries, "tag", "b", "c", depth=2) == []
    assert fire(entries, "b", "tag", "c", depth=2) == ["about tags"]


def test_over_the_budget_the_lowest_priority_stays_out() -> None:
    entries = [
        LoreEntry(("tag",), "x" * 60, priority=1, insertion_order=1),
        LoreEntry(("tag",), "y" * 60, priority=9, insertion_order=2),
    ]
    assert fire(entries, "tag", budget=100) == ["y" * 60]


def test_disabled_empty_and_regular_expression_keys_never_fire() -> None:
    entries = [LoreEntry(("a",), "off", enabled=False), LoreEntry(("",), "empty"), LoreEntry(("/a/i",), "regex")]
    assert fire(entries, "a") == []


def test_a_selective_entry_needs_its_second_key_too() -> None:
    entries = [LoreEntry(("tag",), "both", secondary_keys=("green",), selective=True)]
    assert fire(entries, "a tag") == []
    assert fire(entries, "a green tag") == ["both"]
