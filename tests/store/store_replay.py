"""Works out what is derived from what is not: an oracle for the tables that are kept for speed.

Reads messages, revisions, branches and events, knows nothing of how the store keeps its index, and says what the index
must hold.
"""

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import text

from kotonia_desktop.store.store import Store

Rows = Callable[[str], list[tuple[Any, ...]]]


def derived(store: Store) -> dict[str, Any]:
    """The derived tables as they stand in the file."""
    with store._db.transaction() as session:

        def rows(sql: str) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in session.connection().execute(text(sql))]

        return {
            "entries": {(b, o): (m, h) for b, o, m, h in rows("SELECT * FROM path_entry")},
            "states": {m: rest for m, *rest in rows("SELECT * FROM message_state")},
            "active": dict(rows("SELECT id, active_branch_id FROM conversation")),
            "counts": dict(rows("SELECT id, message_count FROM conversation")),
            "undo": sorted(rows("SELECT * FROM undo_step")),
            "stretches": {c: sorted(_stretches(rows, c)) for (c,) in rows("SELECT id FROM conversation")},
            "gone branches": {b for (b,) in rows("SELECT id FROM branch WHERE removed = 1")},
        }


def replayed(store: Store) -> dict[str, Any]:
    """The same, from rows that never change and the events."""
    with store._db.transaction() as session:

        def rows(sql: str) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in session.connection().execute(text(sql))]

        return _replay(rows)


def _stretches(rows: Rows, conversation: int) -> list[tuple[int, int]]:
    sql = f"SELECT branch_id, last_ordinal FROM active_stretch WHERE conversation_id = {conversation}"
    return [(b, last) for b, last in rows(sql)]


def _replay(rows: Rows) -> dict[str, Any]:
    born = {m: (b, o) for m, b, o in rows("SELECT id, branch_id, ordinal FROM message ORDER BY id")}
    events = rows("SELECT id, step, kind, conversation_id, message_id, branch_id, data FROM event ORDER BY id")
    alternates = {m for _, _, kind, _, m, _, _ in events if kind == "alternate"}
    entries = {place: m for m, place in born.items() if m not in alternates}
    first = {message: revision for revision, message in rows("SELECT id, message_id FROM revision ORDER BY id DESC")}
    shown = {m: first.get(m) for m in born}
    count = {m: int(shown[m] is not None) for m in born}
    removed: dict[int, bool] = dict.fromkeys(born, False)
    marks: dict[int, list[int]] = {m: [0, 0] for m in born}
    active: dict[int, int] = {}
    gone: set[int] = set()
    undo: list[tuple[int, int]] = []
    steps: dict[int, list[tuple[str, int, dict[str, Any]]]] = {}
    wanted: dict[int, int] = {}
    for event, step, kind, conversation, message, branch, column in events:
        data = json.loads(column)
        steps.setdefault(step, []).append((kind, message, data))
        if kind in ("delete", "edit", "continue", "select") and event == step:
            undo.append((conversation, step))
        if kind == "alternate":
            entries[born[message]] = message
        elif kind == "select" and data["swapped"]:
            place = next(place for place, m in entries.items() if m == data["former"])
            entries[place] = message
        elif kind == "select":
            wanted[step] = message
        elif kind == "activate":
            active[conversation] = branch
            target = wanted.pop(step, None)
            if target is not None and target not in entries.values():
                entries[branch, born[target][1]] = target
        elif kind == "delete":
            removed[message] = True
        elif kind == "mark":
            marks[message] = [int(data["off_record"]), int(data["ends_chapter"])]
        elif kind in ("edit", "continue"):
            shown[message], count[message] = data["to"], data["count"] + 1
        elif kind == "discard":
            removed[message] = True
            # None: the place was free again and a later message was born there.
            place = next((place for place, m in entries.items() if m == message), None)
            if place is None:
                continue
            if data["entry"] == "swapped":
                entries[place] = next(
                    d["replaced"] for s in steps.values() for k, m, d in s if k == "alternate" and m == message
                )
            elif data["entry"] == "gone":
                del entries[place]
                if message in alternates:
                    gone.add(branch)
        elif kind == "undo":
            undo.remove((conversation, data["undone"]))
            for old_kind, old_message, old in steps[data["undone"]]:
                if old_kind == "delete":
                    removed[old_message] = False
                elif old_kind in ("edit", "continue"):
                    shown[old_message], count[old_message] = old["from"], old["count"]
    parents = {b: (p, f) for b, p, f in rows("SELECT id, parent_id, fork_ordinal FROM branch")}
    stretches: dict[int, list[tuple[int, int]]] = {}
    counts: dict[int, int] = {}
    for conversation, branch in active.items():
        chain, last, walk = [], 1 << 62, branch
        while walk is not None:
            chain.append((walk, last))
            walk, last = parents[walk]
        stretches[conversation] = sorted(chain)
        limits = dict(chain)
        counts[conversation] = sum(
            1 for (b, o), m in entries.items() if b in limits and o <= limits[b] and not removed[m]
        )
    return {
        "entries": {place: (m, int(removed[m])) for place, m in entries.items()},
        "states": {m: [shown[m], count[m], int(removed[m]), *marks[m]] for m in born},
        "active": active,
        "counts": counts,
        "undo": sorted(undo),
        "stretches": stretches,
        "gone branches": gone,
    }
