"""Pages, turns and searches reach their rows by an index: none reads a table from end to end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, text
from store_kit import Chat

from kotonia_desktop.domain.messages import NewRevision, Role

HARMLESS = (
    "VIRTUAL TABLE INDEX",  # the search index, reached by its words
    "CONSTANT ROW",
    "SCAN h",  # the branches that a recursion has just found
    "SCAN (subquery",
    "SCAN (union",
)


@contextmanager
def statements(chat: Chat) -> Iterator[list[tuple[str, Any]]]:
    """What the database is asked inside."""
    seen: list[tuple[str, Any]] = []

    def note(_c: object, _cursor: object, statement: str, values: object, _x: object, many: bool) -> None:
        seen.append((statement, values[0] if many else values))

    engine = chat.store._db._engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", note)


def scans(chat: Chat, act: Callable[[], object]) -> list[str]:
    """Lines of the query plans of what `act` asks that read a whole table."""
    with statements(chat) as seen:
        act()
    assert seen
    found = []
    with chat.store._db.transaction() as session:
        connection = session.connection()
        for statement, values in seen:
            if statement.split(maxsplit=1)[0] not in ("SELECT", "WITH", "UPDATE", "DELETE", "INSERT"):
                continue
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values):
                detail = row[-1]
                if ("SCAN" in detail or "AUTOMATIC" in detail) and not any(harmless in detail for harmless in HARMLESS):
                    found.append(f"{detail} <- {statement}")
    return found


@pytest.fixture
def full(chat: Chat) -> Chat:
    ids = chat.store.append_many(
        chat.id, [(Role.USER, "You", NewRevision(f"lantern 灯台 {n}"), False, 0.0) for n in range(50)]
    )
    chat.store.add_branch(chat.id, ids[30], "aside")
    chat.reply("harbour")
    return chat


ACTS: dict[str, Callable[[Chat], object]] = {
    "open": lambda c: c.store.page(c.id),
    "turn the page": lambda c: c.store.page(c.id, before=20, limit=10),
    "jump": lambda c: c.store.around(c.id, 15, 10),
    "read on": lambda c: c.store.page_after(c.id, 15, 10),
    "read all": lambda c: c.store.path(c.id),
    "count": lambda c: c.store.visible_count(c.id),
    "last": lambda c: c.store.last_message(c.id),
    "send": lambda c: c.say("hello"),
    "reply": lambda c: c.reply("hello"),
    "draft": lambda c: c.store.save_draft(c.store.last_message(c.id).id, "x", ""),
    "regenerate": lambda c: c.reply("again", alternate_of=c.store.last_message(c.id).id),
    "regenerate in the middle": lambda c: c.reply("again", alternate_of=c.store.page(c.id, 10, 1)[0].id),
    "choose": lambda c: c.store.select_alternate(
        c.store.alternates(c.reply("again", alternate_of=c.store.last_message(c.id).id).id)[0].id
    ),
    "discard": lambda c: c.store.discard_reply(c.store.begin_reply(c.id, "Mira").id),
    "edit": lambda c: c.store.add_revision(c.store.last_message(c.id).id, NewRevision("other")),
    "delete": lambda c: c.store.delete_messages([c.store.last_message(c.id).id]),
    "undo": lambda c: (c.store.delete_messages([c.store.last_message(c.id).id]), c.store.undo(c.id)),
    "branch": lambda c: c.store.add_branch(c.id, c.store.page(c.id, 10, 1)[0].id, ""),
    "switch": lambda c: c.store.set_active_branch(c.id, c.store.branches(c.id)[0].id),
    "search": lambda c: c.store.search("lantern"),
    "search here": lambda c: c.store.search("灯台", c.id),
    "search one character": lambda c: c.store.search("灯", c.id),
    "recall": lambda c: c.store.ranked(c.id, "灯台 lantern", until=20),
    "sight": lambda c: (c.store.set_head(c.id, 3, (), "ceiling"), c.store.head(c.id).until),
}


@pytest.mark.parametrize("act", ACTS)
def test_nothing_a_turn_needs_reads_a_whole_table(full: Chat, act: str) -> None:
    assert scans(full, lambda: ACTS[act](full)) == []


@pytest.mark.parametrize(
    ("index", "act"),
    [
        ("path_message", "edit"),
        ("path_message", "delete"),
        ("path_message", "search"),
        ("path_message", "recall"),
        ("branch_conversation", "switch"),
        ("event_message", "discard"),
        ("event_step", "undo"),
        ("message_sibling", "open"),
        ("branch_parent", "regenerate"),
        ("cut_branch", "sight"),
    ],
)
def test_a_missing_index_would_be_noticed(full: Chat, index: str, act: str) -> None:
    with full.store._db.transaction() as session:
        session.connection().execute(text(f"DROP INDEX {index}"))
    assert scans(full, lambda: ACTS[act](full)) != []
