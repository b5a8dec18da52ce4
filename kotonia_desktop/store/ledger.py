"""The ledger's rows and links: only ever added, read as the active path sees them."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, text
from sqlmodel import Session

from kotonia_desktop.domain.ledger import LedgerRow, LinkedBy, LinkKind, NewLink, NewRow, RowKind, RowOrigin
from kotonia_desktop.domain.memory import Truth
from kotonia_desktop.store.branches import find_conversation
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.memory_tables import LedgerLinkRow, LedgerSourceRow
from kotonia_desktop.store.memory_tables import LedgerRow as LedgerTable
from kotonia_desktop.store.rows import storable, to_json
from kotonia_desktop.store.validity import COLUMNS, JOINS, ordinals_of, sources_of, state_of

_SELECT = f"""
    SELECT r.*, {COLUMNS} FROM ledger_row r LEFT JOIN ledger_source s ON s.row_id = r.id {JOINS}
"""
ROWS = text(f"{_SELECT} WHERE r.conversation_id = :conversation ORDER BY r.id, m.ordinal")
NEWEST = text(
    f"{_SELECT} WHERE r.id IN (SELECT id FROM ledger_row WHERE conversation_id = :conversation ORDER BY id DESC"
    " LIMIT :newest) ORDER BY r.id, m.ordinal"
)
SOME = text(f"{_SELECT} WHERE r.id IN :ids ORDER BY r.id, m.ordinal").bindparams(bindparam("ids", expanding=True))
LINKS = text(
    "SELECT l.* FROM ledger_row r JOIN ledger_link l ON l.row_id = r.id WHERE r.conversation_id = :conversation"
    " ORDER BY l.id"
)
_BATCH = 500


class Ledger:
    """Reads and writes rows."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add_rows(self, conversation_id: int, rows: Sequence[NewRow], fold_id: int | None = None) -> list[int]:
        """Store rows, all or none; their ids in order. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            return [self._add(session, conversation_id, row, fold_id) for row in rows]

    def _add(self, session: Session, conversation_id: int, row: NewRow, fold_id: int | None) -> int:
        stored = LedgerTable(
            conversation_id=conversation_id,
            subject=storable(row.subject),
            text=storable(row.text),
            truth=row.truth.value,
            source=row.origin.value,
            told_by=storable(row.told_by),
            known_to=to_json(list(row.known_to)),
            fold_id=fold_id,
            created_at=self._db.clock.now(),
            kind=row.kind.value,
            told_to=storable(row.told_to),
            quote=storable(row.quote),
            receipt=storable(row.receipt),
        )
        session.add(stored)
        session.flush()
        sources = {source.message_id: source.revision_id for source in row.sources}
        session.add_all(
            LedgerSourceRow(row_id=stored.id, message_id=message_id, revision_id=revision_id)
            for message_id, revision_id in sources.items()
        )
        session.flush()
        return stored.id

    def link_rows(self, links: Sequence[NewLink]) -> None:
        """Store what rows say of earlier ones."""
        with self._db.transaction() as session:
            session.add_all(
                LedgerLinkRow(
                    row_id=link.row_id,
                    earlier_id=link.earlier_id,
                    kind=link.kind.value,
                    created_at=self._db.clock.now(),
                    linked_by=link.by.value,
                    score=link.score,
                )
                for link in links
            )

    def ledger(self, conversation_id: int, newest: int | None = None) -> list[LedgerRow]:
        """The rows of a conversation (the `newest` so many, None: all), oldest first, with their state on the active
        path. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            at = {"conversation": conversation_id}
            if newest is None:
                return _read(session.connection(), ROWS, at)
            return _read(session.connection(), NEWEST, at | {"newest": newest})

    def ledger_rows(self, ids: Sequence[int]) -> list[LedgerRow]:
        """Rows in the order of `ids`; those that are not there are left out."""
        found: dict[int, LedgerRow] = {}
        with self._db.transaction() as session:
            for start in range(0, len(ids), _BATCH):
                some = _read(session.connection(), SOME, {"ids": list(ids[start : start + _BATCH])})
                found |= {row.id: row for row in some}
        return [found[row_id] for row_id in ids if row_id in found]

    def ledger_links(self, conversation_id: int) -> list[NewLink]:
        """All links of a conversation, oldest first."""
        with self._db.transaction() as session:
            rows = session.connection().execute(LINKS, {"conversation": conversation_id})
            return [
                NewLink(row.row_id, row.earlier_id, LinkKind(row.kind), LinkedBy(row.linked_by), row.score)
                for row in rows
            ]


def _read(connection: Connection, statement: Any, values: dict[str, Any]) -> list[LedgerRow]:  # noqa: ANN401
    groups: dict[int, list[Any]] = {}
    for row in connection.execute(statement, values):
        groups.setdefault(row.id, []).append(row)
    return [_to_row(group) for group in groups.values()]


def _to_row(rows: Sequence[Any]) -> LedgerRow:
    """A row of its database rows, one for each source."""
    first = rows[0]
    return LedgerRow(
        subject=first.subject,
        text=first.text,
        truth=Truth(first.truth),
        kind=RowKind(first.kind),
        told_by=first.told_by,
        told_to=first.told_to,
        quote=first.quote,
        known_to=tuple(json.loads(first.known_to or "[]")),
        sources=sources_of(rows),
        origin=RowOrigin(first.source),
        receipt=first.receipt,
        id=first.id,
        state=state_of(rows),
        ordinals=ordinals_of(rows),
        fold_id=first.fold_id,
        created_at=first.created_at,
    )
