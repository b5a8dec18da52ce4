"""Messages as a path shows them: pages, all of a path, single ones. The only place that builds `Message` values.

One statement reads a stretch with all its columns; a second finds the alternates of what it found.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, text
from sqlmodel import Session

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.messages import FinishReason, Message, Revision, Role, StoppedBy
from kotonia_desktop.store.branches import Branches, find_conversation, stretch_at
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.rows import decode_ids, decode_segments, decode_stats

_BATCH = 500

_COLUMNS = """
    m.id, m.conversation_id, m.ordinal, m.role, m.speaker, coalesce(m.sibling_of, m.id) AS root,
    m.is_greeting, m.created_at AS born_at, s.revision_count, s.off_record, s.ends_chapter,
    r.id AS revision_id, r.text, r.segments, r.reasoning, r.finish, r.stopped_by, r.cut_text, r.thinking_cut,
    r.format_ok, r.tokenizer, r.token_ids, r.stats, r.created_at,
    d.text AS draft_text, d.reasoning AS draft_reasoning, d.updated_at, n.text AS note
"""
_JOINS = """
    JOIN message_state s ON s.message_id = m.id
    LEFT JOIN revision r ON r.id = s.revision_id
    LEFT JOIN draft d ON d.message_id = m.id
    LEFT JOIN note n ON n.message_id = m.id
"""
# `hidden = 0` is a literal so that SQLite takes the partial index; CROSS JOIN holds it to reading the path first.
_STRETCH = f"""
    SELECT {_COLUMNS}, p.branch_id FROM path_entry p CROSS JOIN message m ON m.id = p.message_id {_JOINS}
    WHERE p.branch_id = :branch AND p.hidden = 0 AND p.ordinal BETWEEN :first AND :last ORDER BY p.ordinal
"""
OLDER = text(f"{_STRETCH} DESC LIMIT :limit")
NEWER = text(f"{_STRETCH} LIMIT :limit")
SINGLE = text(
    f"SELECT {_COLUMNS}, coalesce(p.branch_id, m.branch_id) AS branch_id FROM message m {_JOINS}"
    " LEFT JOIN path_entry p ON p.message_id = m.id WHERE m.id IN :ids"
).bindparams(bindparam("ids", expanding=True))
ALTERNATES = text(
    "SELECT coalesce(m.sibling_of, m.id) AS root, m.id FROM message m JOIN message_state s ON s.message_id = m.id"
    " WHERE s.removed = 0 AND m.id IN (SELECT id FROM message WHERE id IN :roots"
    " UNION ALL SELECT id FROM message WHERE sibling_of IN :roots) ORDER BY m.id"
).bindparams(bindparam("roots", expanding=True))


class Paths:
    """Reads messages."""

    def __init__(self, db: Database, branches: Branches) -> None:
        self._db = db
        self._branches = branches

    def visible_count(self, conversation_id: int) -> int:
        """How many messages the active path shows."""
        with self._db.transaction() as session:
            return find_conversation(session, conversation_id).message_count

    def page(self, conversation_id: int, before: int | None = None, limit: int = 60) -> list[Message]:
        """The last `limit` messages of the active path with an ordinal under `before` (None: of all), oldest first."""
        with self._db.transaction() as session:
            return self._older(session, conversation_id, before, limit)

    def page_after(self, conversation_id: int, after: int, limit: int = 60) -> list[Message]:
        """The first `limit` messages of the active path with an ordinal over `after`, oldest first."""
        with self._db.transaction() as session:
            return self._newer(session, conversation_id, after + 1, limit)

    def around(self, conversation_id: int, ordinal: int, limit: int = 60) -> list[Message]:
        """`limit` messages of the active path with `ordinal` in the middle, as far as there are any."""
        with self._db.transaction() as session:
            older = self._older(session, conversation_id, ordinal, limit)
            newer = self._newer(session, conversation_id, ordinal, limit)
        half = limit // 2
        before = min(len(older), max(half, limit - len(newer)))
        return [*older[len(older) - before :], *newer[: limit - before]]

    def path(self, conversation_id: int, from_ordinal: int = 0) -> list[Message]:
        """All messages the active path shows from an ordinal on, oldest first."""
        with self._db.transaction() as session:
            return self._newer(session, conversation_id, from_ordinal, None)

    def last_message(self, conversation_id: int) -> Message | None:
        """The last message of the active path."""
        page = self.page(conversation_id, limit=1)
        return page[0] if page else None

    def message(self, message_id: int) -> Message:
        """A message, deleted or not. Raises `NotFound`."""
        return self.messages([message_id])[0]

    def messages(self, ids: Sequence[int]) -> list[Message]:
        """Messages in the order of `ids`. Raises `NotFound` where one is missing."""
        found: dict[int, Message] = {}
        with self._db.transaction() as session:
            connection = session.connection()
            for start in range(0, len(ids), _BATCH):
                rows = connection.execute(SINGLE, {"ids": list(ids[start : start + _BATCH])}).all()
                found |= {message.id: message for message in _to_messages(connection, rows)}
        for message_id in ids:
            if message_id not in found:
                raise NotFound(what="message", key=message_id)
        return [found[message_id] for message_id in ids]

    def alternates(self, message_id: int) -> list[Message]:
        """A message and its siblings, oldest first, without deleted ones. Raises `NotFound`."""
        with self._db.transaction() as session:
            connection = session.connection()
            root = find_root(connection, message_id)
            rows = connection.execute(ALTERNATES, {"roots": [root]}).all()
            return self.messages([row.id for row in rows])

    def _older(self, session: Session, conversation_id: int, before: int | None, limit: int) -> list[Message]:
        conversation = find_conversation(session, conversation_id)
        connection = session.connection()
        rows: list[Row[Any]] = []
        for stretch in reversed(self._branches.active_chain(session, conversation)):
            last = stretch.last if before is None else min(stretch.last, before - 1)
            if last >= stretch.first:
                at = {"branch": stretch.branch_id, "first": stretch.first, "last": last, "limit": limit - len(rows)}
                rows += connection.execute(OLDER, at).all()
            if len(rows) >= limit:
                break
        rows.reverse()
        return _to_messages(connection, rows)

    def _newer(self, session: Session, conversation_id: int, first: int, limit: int | None) -> list[Message]:
        conversation = find_conversation(session, conversation_id)
        connection = session.connection()
        chain = self._branches.active_chain(session, conversation)
        start = stretch_at(chain, first)
        rows: list[Row[Any]] = []
        for stretch in chain[chain.index(start) if start else 0 :]:
            at = {
                "branch": stretch.branch_id,
                "first": max(first, stretch.first),
                "last": stretch.last,
                "limit": -1 if limit is None else limit - len(rows),
            }
            rows += connection.execute(NEWER, at).all()
            if limit is not None and len(rows) >= limit:
                break
        return _to_messages(connection, rows)


def find_root(connection: Connection, message_id: int) -> int:
    """The first of a message's alternates. Raises `NotFound`."""
    row = connection.execute(
        text("SELECT coalesce(sibling_of, id) FROM message WHERE id = :id"), {"id": message_id}
    ).first()
    if row is None:
        raise NotFound(what="message", key=message_id)
    return int(row[0])


def _to_messages(connection: Connection, rows: Sequence[Row[Any]]) -> list[Message]:
    """Message values of rows of one of the statements above, in their order."""
    siblings: dict[int, list[int]] = {}
    roots = [row.root for row in rows]
    for start in range(0, len(roots), _BATCH):
        for root, message_id in connection.execute(ALTERNATES, {"roots": roots[start : start + _BATCH]}):
            siblings.setdefault(root, []).append(message_id)
    return [_to_message(row, siblings.get(row.root, [])) for row in rows]


def _to_message(row: Row[Any], siblings: list[int]) -> Message:
    return Message(
        id=row.id,
        conversation_id=row.conversation_id,
        branch_id=row.branch_id,
        ordinal=row.ordinal,
        role=Role(row.role),
        speaker=row.speaker,
        revision=_to_revision(row),
        revision_count=row.revision_count,
        note=row.note or "",
        alternate_index=siblings.index(row.id) if row.id in siblings else 0,
        alternate_count=max(1, len(siblings)),
        is_greeting=bool(row.is_greeting),
        is_draft=row.draft_text is not None,
        off_record=bool(row.off_record),
        ends_chapter=bool(row.ends_chapter),
        created_at=row.born_at,
    )


def _to_revision(row: Row[Any]) -> Revision:
    """What is shown of a message: its draft where it has one."""
    if row.draft_text is not None:
        return Revision(
            id=row.revision_id or 0,
            text=row.draft_text,
            reasoning=row.draft_reasoning,
            created_at=row.updated_at,
        )
    if row.revision_id is None:  # a reply that was discarded before its first word
        return Revision(id=0, text="", created_at=row.born_at)
    return Revision(
        id=row.revision_id,
        text=row.text,
        segments=decode_segments(row.segments),
        reasoning=row.reasoning,
        finish=FinishReason(row.finish),
        stopped_by=StoppedBy(row.stopped_by),
        cut_text=row.cut_text,
        thinking_cut=bool(row.thinking_cut),
        format_ok=bool(row.format_ok),
        tokenizer=row.tokenizer,
        token_ids=decode_ids(row.token_ids),
        stats=decode_stats(row.stats),
        created_at=row.created_at,
    )
