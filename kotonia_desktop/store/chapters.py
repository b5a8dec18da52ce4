"""The texts of memory: stored once, read as the active path sees them.

A text counts on every path that goes through the last message of its range. Nothing of it ever changes but its title;
whether its items still say what their messages say is worked out when it is read.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, text
from sqlmodel import Session

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.memory import (
    Chapter,
    FoldState,
    HeadItem,
    Item,
    NewChapter,
    NewItem,
    Truth,
    WrittenBy,
)
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.store.branches import Branches, find_conversation, stretch_at
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.folds import find_fold
from kotonia_desktop.store.heads import Heads
from kotonia_desktop.store.memory_tables import ChapterItemRow, ChapterItemSourceRow, ChapterPartRow, ChapterRow
from kotonia_desktop.store.rows import storable
from kotonia_desktop.store.validity import COLUMNS, JOINS, ordinals_of, sources_of, state_of

# A text is on the active path where the branch that owns its last entry is, that far.
# A text that was written anew, and taken, has made way for its new version; one that waits for that is not there yet.
_STANDS = "{0}.accepted = 1 AND NOT EXISTS (SELECT 1 FROM chapter v WHERE v.replaces = {0}.id AND v.accepted = 1)"
_TEXTS = f"""
    SELECT c.*, f.first_ordinal, f.last_ordinal, f.state FROM active_stretch a
    CROSS JOIN fold f ON f.branch_id = a.branch_id AND f.last_ordinal <= a.last_ordinal
    JOIN chapter c ON c.fold_id = f.id AND {_STANDS.format("c")} WHERE a.conversation_id = :conversation
"""
_PARTS_ON_PATH = f"""
    FROM chapter_part cp JOIN chapter p ON p.id = cp.part_id AND {_STANDS.format("p")} JOIN fold g ON g.id = p.fold_id
    JOIN active_stretch b ON b.branch_id = g.branch_id AND g.last_ordinal <= b.last_ordinal
    AND b.conversation_id = :conversation
"""
_ORDER = " ORDER BY f.first_ordinal, f.last_ordinal, c.level, c.id"
ALL = text(_TEXTS + _ORDER)
UNMERGED = text(f"{_TEXTS} AND NOT EXISTS (SELECT 1 {_PARTS_ON_PATH} WHERE cp.chapter_id = c.id){_ORDER}")
MERGED = text(f"SELECT cp.chapter_id, min(cp.part_id) {_PARTS_ON_PATH} GROUP BY cp.chapter_id")
PARTS = text(
    "SELECT part_id, chapter_id FROM chapter_part WHERE part_id IN :ids ORDER BY part_id, position"
).bindparams(bindparam("ids", expanding=True))
COVERED = text("""
    SELECT max((SELECT f.last_ordinal FROM fold f WHERE f.branch_id = a.branch_id AND f.last_ordinal <= a.last_ordinal
        AND f.kind = 'chapter' AND f.state IN ('written', 'applied') ORDER BY f.last_ordinal DESC LIMIT 1))
    FROM active_stretch a WHERE a.conversation_id = :conversation
""")
COUNTS = text("""
    SELECT count(*) FILTER (WHERE f.kind = 'chapter') AS chapters, count(*) FILTER (WHERE f.kind = 'part') AS parts
    FROM active_stretch a CROSS JOIN fold f ON f.branch_id = a.branch_id AND f.last_ordinal <= a.last_ordinal
    WHERE a.conversation_id = :conversation AND f.state IN ('written', 'applied')
""")
ENDS = text("""
    SELECT f.last_ordinal FROM active_stretch a
    CROSS JOIN fold f ON f.branch_id = a.branch_id AND f.last_ordinal <= a.last_ordinal
    WHERE a.conversation_id = :conversation AND f.kind = 'chapter' AND f.state IN ('written', 'applied')
    ORDER BY f.last_ordinal
""")
_ITEM_COLUMNS = f"""
    SELECT i.id, i.chapter_id, i.text, i.truth, i.speaker, {COLUMNS}
    FROM chapter_item i LEFT JOIN chapter_item_source s ON s.item_id = i.id {JOINS}
"""
ITEMS_OF = text(
    f"{_ITEM_COLUMNS} WHERE i.chapter_id IN :ids ORDER BY i.chapter_id, i.position, m.ordinal, s.message_id"
).bindparams(bindparam("ids", expanding=True))
ITEMS = text(f"{_ITEM_COLUMNS} WHERE i.id IN :ids ORDER BY i.id, m.ordinal, s.message_id").bindparams(
    bindparam("ids", expanding=True)
)
VERSION = text("""
    SELECT c.*, f.first_ordinal, f.last_ordinal, f.state FROM chapter c JOIN fold f ON f.id = c.fold_id
    WHERE c.replaces = :id AND c.accepted = 0 AND f.state = 'written' ORDER BY c.id DESC LIMIT 1
""")
LEVELS = text("SELECT id, level FROM chapter WHERE id IN :ids").bindparams(bindparam("ids", expanding=True))
_BATCH = 500


class Chapters:
    """Reads and writes texts."""

    def __init__(self, db: Database, branches: Branches, heads: Heads) -> None:
        self._db = db
        self._branches = branches
        self._heads = heads

    def store_chapter(
        self,
        fold_id: int,
        chapter: NewChapter,
        *,
        last: int | None = None,
        tokens_after: int = 0,
        replaces: int | None = None,
    ) -> Chapter:
        """Keep what came of a fold, all of it or nothing. `last` narrows the range to that ordinal of the fold's own
        path. A text that `replaces` another waits until it is taken (`take_version`). Raises `NotFound`."""
        with self._db.transaction() as session:
            fold = find_fold(session, fold_id)
            if last is not None and last != fold.last_ordinal:
                chain = self._branches.chain(session, fold.branch_id)
                owner = stretch_at(chain, last) or chain[-1]
                fold.branch_id, fold.last_ordinal = owner.branch_id, last
            fold.state = FoldState.WRITTEN.value
            fold.tokens_after = tokens_after
            fold.finished_at = self._db.clock.now()
            row = ChapterRow(
                conversation_id=fold.conversation_id,
                level=chapter.level,
                kind=chapter.written_by.value,
                language=chapter.language,
                fold_id=fold_id,
                model=storable(chapter.model),
                prompt_version=storable(chapter.prompt_version),
                finish=chapter.finish.value,
                created_at=self._db.clock.now(),
                title=storable(chapter.title),
                replaces=replaces,
                accepted=replaces is None,
            )
            session.add(row)
            session.flush()
            for position, item in enumerate(chapter.items):
                _add_item(session, row.id, position, item)
            session.add_all(
                ChapterPartRow(part_id=row.id, position=position, chapter_id=part)
                for position, part in enumerate(chapter.parts)
            )
            session.flush()
            columns = {"first_ordinal": fold.first_ordinal, "last_ordinal": fold.last_ordinal, "state": fold.state}
            items = _items(session.connection(), ITEMS_OF, [row.id]).get(row.id, [])
            return _to_chapter(row.model_dump() | columns, items, frozenset(), None, tuple(chapter.parts))

    def waiting_version(self, chapter_id: int) -> Chapter | None:
        """The newest version of a text that was written anew and waits to be taken; None where there is none. Raises
        `NotFound`."""
        with self._db.transaction() as session:
            if session.get(ChapterRow, chapter_id) is None:
                raise NotFound(what="chapter", key=chapter_id)
            connection = session.connection()
            row = connection.execute(VERSION, {"id": chapter_id}).mappings().first()
            if row is None:
                return None
            items = _items(connection, ITEMS_OF, [row["id"]]).get(row["id"], [])
            parts = tuple(part for _, part in connection.execute(PARTS, {"ids": [row["id"]]}))
            return _to_chapter(dict(row), items, frozenset(), None, parts)

    def take_version(self, version_id: int, *, taken: bool) -> int:
        """Let a version stand in the place of the text it replaces, or give it up; the id of its conversation. Either
        stays stored. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = session.get(ChapterRow, version_id)
            old = None if row is None or row.replaces is None else session.get(ChapterRow, row.replaces)
            if row is None or old is None or row.fold_id is None or old.fold_id is None:
                raise NotFound(what="version", key=version_id)
            fold = find_fold(session, row.fold_id)
            if taken:
                row.accepted, row.title = True, old.title
                fold.state = find_fold(session, old.fold_id).state
            else:
                fold.state, fold.error = FoldState.FAILED.value, "not_taken"
            return row.conversation_id

    def rename_chapter(self, chapter_id: int, title: str) -> int:
        """Give a text another title; the id of its conversation. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = session.get(ChapterRow, chapter_id)
            if row is None:
                raise NotFound(what="chapter", key=chapter_id)
            row.title = storable(title)
            return row.conversation_id

    def chapters(self, conversation_id: int) -> list[Chapter]:
        """All texts of the active path, of all levels, in the order of the messages they stand for."""
        return self._read(conversation_id, unmerged=False)

    def unmerged(self, conversation_id: int) -> list[Chapter]:
        """The texts of the active path that no part was made of, oldest first."""
        return self._read(conversation_id, unmerged=True)

    def covered_until(self, conversation_id: int) -> int | None:
        """The last ordinal of the active path that a stored chapter stands for; None where there is none."""
        with self._db.transaction() as session:
            found = session.connection().execute(COVERED, {"conversation": conversation_id}).scalar_one()
            return None if found is None else int(found)

    def count_chapters(self, conversation_id: int) -> tuple[int, int]:
        """How many chapters and how many parts the active path has."""
        with self._db.transaction() as session:
            row = session.connection().execute(COUNTS, {"conversation": conversation_id}).one()
            return int(row.chapters), int(row.parts)

    def chapter_ends(self, conversation_id: int) -> list[int]:
        """The last ordinals of the active path's chapters, in order."""
        with self._db.transaction() as session:
            rows = session.connection().execute(ENDS, {"conversation": conversation_id})
            return [int(row[0]) for row in rows]

    def items(self, ids: Sequence[int]) -> list[HeadItem]:
        """Items in the order of `ids`, with their text's id and level; those that are not there are left out."""
        with self._db.transaction() as session:
            connection = session.connection()
            found: dict[int, tuple[int, Item]] = {}
            for chapter_id, entries in _items(connection, ITEMS, ids).items():
                found |= {item.id: (chapter_id, item) for item in entries}
            rows = connection.execute(LEVELS, {"ids": sorted({chapter_id for chapter_id, _ in found.values()})})
            levels = {row.id: row.level for row in rows}
            entries_found = [found[item_id] for item_id in ids if item_id in found]
            return [HeadItem(item, chapter_id, levels[chapter_id]) for chapter_id, item in entries_found]

    def _read(self, conversation_id: int, *, unmerged: bool) -> list[Chapter]:
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            connection = session.connection()
            at = {"conversation": conversation_id}
            rows = connection.execute(UNMERGED if unmerged else ALL, at).mappings().all()
            ids = [row["id"] for row in rows]
            merged = {} if unmerged else {row[0]: row[1] for row in connection.execute(MERGED, at)}
            parts: dict[int, list[int]] = {}
            for start in range(0, len(ids), _BATCH):
                for part_id, chapter_id in connection.execute(PARTS, {"ids": ids[start : start + _BATCH]}):
                    parts.setdefault(part_id, []).append(chapter_id)
            items = _items(connection, ITEMS_OF, ids)
            shown = frozenset(self._heads.head(conversation_id).item_ids)
            return [
                _to_chapter(
                    dict(row), items.get(row["id"], []), shown, merged.get(row["id"]), tuple(parts.get(row["id"], ()))
                )
                for row in rows
            ]


def _add_item(session: Session, chapter_id: int, position: int, item: NewItem) -> None:
    row = ChapterItemRow(
        chapter_id=chapter_id,
        position=position,
        text=storable(item.text),
        truth=item.truth.value,
        speaker=storable(item.speaker),
    )
    session.add(row)
    session.flush()
    # One message once: a sentence may be made from several pieces of it.
    sources = {source.message_id: source.revision_id for source in item.sources}
    session.add_all(
        ChapterItemSourceRow(item_id=row.id, message_id=message_id, revision_id=revision_id)
        for message_id, revision_id in sources.items()
    )


def _items(connection: Connection, statement: Any, ids: Sequence[int]) -> dict[int, list[Item]]:  # noqa: ANN401
    """Items of a statement of the above by their text's id, in their order."""
    rows: dict[int, list[Any]] = {}
    for start in range(0, len(ids), _BATCH):
        for row in connection.execute(statement, {"ids": list(ids[start : start + _BATCH])}):
            rows.setdefault(row.id, []).append(row)
    found: dict[int, list[Item]] = {}
    for group in rows.values():
        found.setdefault(group[0].chapter_id, []).append(_to_item(group))
    return found


def _to_item(rows: Sequence[Any]) -> Item:
    """An item of its rows, one for each source."""
    first = rows[0]
    return Item(
        text=first.text,
        sources=sources_of(rows),
        truth=Truth(first.truth),
        speaker=first.speaker,
        id=first.id,
        state=state_of(rows),
        ordinals=ordinals_of(rows),
    )


def _to_chapter(
    row: dict[str, Any], items: Sequence[Item], shown: frozenset[int], merged_into: int | None, parts: tuple[int, ...]
) -> Chapter:
    return Chapter(
        id=row["id"],
        conversation_id=row["conversation_id"],
        fold_id=row["fold_id"],
        level=row["level"],
        title=row["title"],
        written_by=WrittenBy(row["kind"]),
        language=row["language"],
        first_ordinal=row["first_ordinal"],
        last_ordinal=row["last_ordinal"],
        items=tuple(items),
        state=FoldState(row["state"]),
        in_head=any(item.id in shown for item in items),
        merged_into=merged_into,
        parts=parts,
        model=row["model"],
        prompt_version=row["prompt_version"],
        finish=FinishReason(row["finish"]),
        created_at=row["created_at"],
    )
