"""Folds, chapters, the prompt's beginning and marks in a real file: branches, edits, deletions, restarts."""

from pathlib import Path

import pytest
from sqlalchemy import event
from store_kit import Chat, TickingClock, new_chat
from store_replay import derived, replayed

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.memory import (
    Chapter,
    FoldKind,
    FoldReason,
    FoldState,
    HeadState,
    ItemState,
    NewAttempt,
    NewChapter,
    NewItem,
    Rejection,
    Source,
    Truth,
    WritingStats,
    WrittenBy,
)
from kotonia_desktop.domain.messages import FinishReason, NewRevision
from kotonia_desktop.store.store import Store


def fill(chat: Chat, count: int, start: int = 0) -> None:
    for number in range(start, start + count):
        (chat.say if number % 2 == 0 else chat.reply)(f"line {number}")


def chapter(chat: Chat, first: int, last: int, **fields: object) -> Chapter:
    """A stored chapter with one item a message."""
    found = {m.ordinal: m for m in chat.store.path(chat.id)}
    items = tuple(
        NewItem(f"{found[n].text}!", (Source(found[n].id, found[n].revision.id),), Truth.FACT)
        for n in range(first, last + 1)
        if n in found
    )
    fold = chat.store.begin_fold(chat.id, FoldKind.CHAPTER, FoldReason.TRIGGER, first, last, model="m", tokens_before=9)
    new = NewChapter("Title", WrittenBy.MODEL, "en", items, model="m", prompt_version="1", **fields)
    return chat.store.store_chapter(fold, new, tokens_after=3)


def part(chat: Chat, four: list[Chapter]) -> Chapter:
    fold = chat.store.begin_fold(chat.id, FoldKind.PART, FoldReason.MERGE, four[0].first_ordinal, four[-1].last_ordinal)
    items = tuple(NewItem(text.items[0].text, text.items[0].sources) for text in four)
    new = NewChapter("Part", WrittenBy.EXTRACT, "en", items, level=1, parts=tuple(text.id for text in four))
    return chat.store.store_chapter(fold, new)


def ids(chapters: list[Chapter]) -> list[int]:
    return [text.id for text in chapters]


def test_a_chapter_is_read_as_it_was_stored(path: Path, clock: TickingClock) -> None:
    with Store(path, clock) as store:
        chat = new_chat(store)
        fill(chat, 6)
        stored = chapter(chat, 0, 3)
        assert stored.state is FoldState.WRITTEN
        assert [item.ordinals for item in stored.items] == [(0,), (1,), (2,), (3,)]
    with Store(path, clock) as store:
        (again,) = store.chapters(chat.id)
        assert again == stored
        assert store.unmerged(chat.id) == [stored]
        assert store.covered_until(chat.id) == 3
        assert store.count_chapters(chat.id) == (1, 0)
        with pytest.raises(NotFound):
            store.store_chapter(999, NewChapter("", WrittenBy.MODEL, "en", ()))


def test_the_log_keeps_every_attempt_with_its_text(chat: Chat) -> None:
    fill(chat, 4)
    fold = chat.store.begin_fold(chat.id, FoldKind.CHAPTER, FoldReason.NOW, 0, 3, model="m")
    stats = WritingStats(prompt_tokens=5, reply_tokens=2, seed=7, settings="cold", detail="4 of 4")
    attempt = NewAttempt("chapter", "I'm sorry.", FinishReason.STOP, Rejection.REFUSAL, stats)
    chat.store.add_attempt(fold, attempt)
    chat.store.add_attempt(fold, NewAttempt("chapter", "", FinishReason.ERROR, Rejection.ERROR))
    chat.store.fail_fold(fold, "engine_stopped")
    (logged,) = chat.store.folds(chat.id)
    assert (logged.state, logged.error, logged.chapter_id) == (FoldState.FAILED, "engine_stopped", None)
    assert [(a.number, a.text, a.rejected) for a in logged.attempts] == [
        (1, "I'm sorry.", Rejection.REFUSAL),
        (2, "", Rejection.ERROR),
    ]
    assert logged.attempts[0].stats == stats
    assert chat.store.covered_until(chat.id) is None


def test_folds_that_were_being_written_are_interrupted_at_the_next_start(path: Path, clock: TickingClock) -> None:
    with Store(path, clock) as store:
        chat = new_chat(store)
        fill(chat, 4)
        chat.store.begin_fold(chat.id, FoldKind.CHAPTER, FoldReason.NOW, 0, 3)
    with Store(path, clock) as store:
        assert store.recover_folds() == 1
        assert store.recover_folds() == 0
        assert store.folds(chat.id)[0].state is FoldState.INTERRUPTED


def test_a_text_counts_on_the_paths_that_go_through_its_end(chat: Chat) -> None:
    fill(chat, 8)
    store = chat.store
    first, second = chapter(chat, 0, 3), chapter(chat, 4, 6)
    store.set_head(chat.id, 6, [item.id for item in (*first.items, *second.items)], "fold")
    trunk = store.branches(chat.id)[0].id
    path = store.path(chat.id)
    late = store.add_branch(chat.id, path[7].id, "late")  # leaves behind both
    assert ids(store.chapters(chat.id)) == [first.id, second.id]
    assert store.head(chat.id).until == 6
    store.add_branch(chat.id, path[5].id, "inside")  # leaves inside the second
    assert ids(store.chapters(chat.id)) == [first.id]
    assert store.covered_until(chat.id) == 3
    assert store.head(chat.id) == HeadState()
    store.set_active_branch(chat.id, trunk)
    store.add_branch(chat.id, path[2].id, "early")
    assert store.chapters(chat.id) == []
    assert store.covered_until(chat.id) is None
    store.set_active_branch(chat.id, late.id)
    assert store.covered_until(chat.id) == 6


def test_a_range_is_narrowed_on_the_folds_own_path(chat: Chat) -> None:
    fill(chat, 8)
    store = chat.store
    fold = store.begin_fold(chat.id, FoldKind.CHAPTER, FoldReason.TRIGGER, 0, 6)
    source = store.path(chat.id)[0]
    trunk = store.branches(chat.id)[0].id
    store.add_branch(chat.id, store.path(chat.id)[1].id, "elsewhere")  # the user looks at another path meanwhile
    item = NewItem("x", (Source(source.id, source.revision.id),))
    stored = store.store_chapter(fold, NewChapter("", WrittenBy.MODEL, "en", (item,)), last=3)
    assert (stored.first_ordinal, stored.last_ordinal) == (0, 3)
    assert store.covered_until(chat.id) is None
    store.set_active_branch(chat.id, trunk)
    assert store.covered_until(chat.id) == 3


def test_an_item_says_when_its_message_changed_or_left(chat: Chat) -> None:
    fill(chat, 6)
    store = chat.store
    chapter(chat, 0, 3)

    def states() -> list[ItemState]:
        return [item.state for item in store.chapters(chat.id)[0].items]

    path = store.path(chat.id)
    assert states() == [ItemState.VALID] * 4
    store.add_revision(path[0].id, NewRevision("other"))
    store.delete_messages([path[1].id])
    store.mark_message(path[2].id, off_record=True)
    assert states() == [ItemState.CHANGED, ItemState.GONE, ItemState.GONE, ItemState.VALID]
    assert store.undo(chat.id)[0] == "delete"
    assert store.undo(chat.id)[0] == "edit"
    store.mark_message(path[2].id, off_record=False)
    assert states() == [ItemState.VALID] * 4


def test_a_part_takes_the_place_of_its_four_texts(chat: Chat) -> None:
    fill(chat, 12)
    store = chat.store
    four = [chapter(chat, n, n + 1) for n in range(0, 8, 2)]
    fifth = chapter(chat, 8, 9)
    made = part(chat, four)
    assert ids(store.unmerged(chat.id)) == [made.id, fifth.id]
    read = {text.id: text for text in store.chapters(chat.id)}
    assert all(read[text.id].merged_into == made.id for text in four)
    assert read[made.id].parts == tuple(ids(four))
    assert (made.first_ordinal, made.last_ordinal) == (0, 7)
    assert store.count_chapters(chat.id) == (5, 1)
    store.add_branch(chat.id, store.path(chat.id)[6].id, "inside the fourth")
    assert ids(store.unmerged(chat.id)) == ids(four[:3])  # the part is not on this path, its first three are


def test_the_head_keeps_its_items_in_their_order(chat: Chat) -> None:
    fill(chat, 8)
    store = chat.store
    items = [item.id for item in chapter(chat, 0, 3).items]
    store.set_head(chat.id, 3, [items[2], items[0]], "fold")
    assert [entry.item.id for entry in store.items(store.head(chat.id).item_ids)] == [items[2], items[0]]
    assert [text.in_head for text in store.chapters(chat.id)] == [True]
    store.set_head(chat.id, 5, store.head(chat.id).item_ids, "ceiling")
    head = store.head(chat.id)
    assert (head.until, head.item_ids, head.reason) == (5, (items[2], items[0]), "ceiling")
    assert [cut.until for cut in store.forced_cuts(chat.id)] == [5]


def test_a_title_is_all_that_changes_of_a_text(chat: Chat) -> None:
    fill(chat, 4)
    stored = chapter(chat, 0, 3)
    assert chat.store.rename_chapter(stored.id, "灯台") == chat.id
    (read,) = chat.store.chapters(chat.id)
    assert read.title == "灯台"
    assert read.items == stored.items
    with pytest.raises(NotFound):
        chat.store.rename_chapter(999, "x")


def test_marks_are_kept_and_told_by_events(path: Path, clock: TickingClock) -> None:
    with Store(path, clock) as store:
        chat = new_chat(store)
        fill(chat, 3)
        target = store.path(chat.id)[1]
        marked = store.mark_message(target.id, off_record=True, ends_chapter=True)
        assert (marked.off_record, marked.ends_chapter) == (True, True)
        store.mark_message(target.id, ends_chapter=False)
        assert derived(store) == replayed(store)
        with pytest.raises(NotFound):
            store.mark_message(999, off_record=True)
    with Store(path, clock) as store:
        assert [m.off_record for m in store.path(chat.id)] == [False, True, False]
        assert not any(m.ends_chapter for m in store.path(chat.id))


def test_nothing_of_a_chapter_is_stored_where_a_part_of_it_fails(chat: Chat) -> None:
    fill(chat, 4)
    fold = chat.store.begin_fold(chat.id, FoldKind.CHAPTER, FoldReason.NOW, 0, 3)
    good = NewItem("x", (Source(chat.store.path(chat.id)[0].id, chat.store.path(chat.id)[0].revision.id),))
    bad = NewItem("y", (Source(999, 999),))  # no such message
    with pytest.raises(Exception, match="SQLITE_CONSTRAINT"):
        chat.store.store_chapter(fold, NewChapter("", WrittenBy.MODEL, "en", (good, bad)))
    assert chat.store.chapters(chat.id) == []
    assert chat.store.folds(chat.id)[0].state is FoldState.WRITING


def test_six_hundred_chapters_are_read_with_few_statements(chat: Chat) -> None:
    store = chat.store
    rows = [("user", "You", NewRevision(f"line {n}"), False, 0.0) for n in range(1200)]
    store.append_many(chat.id, rows)
    messages = store.path(chat.id)

    def write() -> None:
        for number in range(0, 1200, 2):
            fold = store.begin_fold(chat.id, FoldKind.CHAPTER, FoldReason.QUEUE, number, number + 1)
            item = NewItem("x", (Source(messages[number].id, messages[number].revision.id),))
            store.store_chapter(fold, NewChapter("", WrittenBy.EXTRACT, "en", (item,) * 5))

    store.atomically(write)
    statements: list[str] = []
    engine = store._db._engine
    event.listen(engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    assert len(store.chapters(chat.id)) == 600
    assert len(statements) < 20
    statements.clear()
    assert store.covered_until(chat.id) == 1199
    assert len(statements) < 6
