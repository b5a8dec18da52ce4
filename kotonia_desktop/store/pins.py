"""Kept lines: places in messages, read with their words as the active path sees them."""

from typing import Any

from sqlalchemy import text

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.memory import ItemState
from kotonia_desktop.domain.pins import NewPin, Pin, PinnedBy
from kotonia_desktop.store.branches import find_conversation
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.memory_tables import PinRow
from kotonia_desktop.store.validity import COLUMNS, JOINS, state_of

PINS = text(f"""
    SELECT s.id, s.start_char, s.end_char, s.pinned_by, s.fold_id, s.created_at, m.speaker, r.text, {COLUMNS}
    FROM pin s {JOINS} JOIN revision r ON r.id = s.revision_id
    WHERE s.conversation_id = :conversation AND s.removed = 0 ORDER BY m.ordinal, s.start_char, s.id
""")


class Pins:
    """Reads and writes kept lines."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add_pin(self, conversation_id: int, pin: NewPin) -> int:
        """Keep a line; its id. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            row = PinRow(
                conversation_id=conversation_id,
                message_id=pin.message_id,
                revision_id=pin.revision_id,
                start_char=pin.start,
                end_char=pin.end,
                created_at=self._db.clock.now(),
                pinned_by=pin.by.value,
                fold_id=pin.fold_id,
            )
            session.add(row)
            session.flush()
            return row.id

    def remove_pin(self, pin_id: int, removed: bool = True) -> int:
        """Keep a line no longer, or again; the id of its conversation. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = session.get(PinRow, pin_id)
            if row is None:
                raise NotFound(what="pin", key=pin_id)
            row.removed = removed
            return row.conversation_id

    def pins(self, conversation_id: int) -> list[Pin]:
        """The kept lines of the active path in the order of the story. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            rows = session.connection().execute(PINS, {"conversation": conversation_id}).all()
        return [pin for pin in map(_to_pin, rows) if pin.state is not ItemState.GONE]


def _to_pin(row: Any) -> Pin:  # noqa: ANN401  (a row of a textual statement has no type)
    return Pin(
        message_id=row.message_id,
        revision_id=row.revision_id,
        start=row.start_char,
        end=row.end_char,
        by=PinnedBy(row.pinned_by),
        fold_id=row.fold_id,
        id=row.id,
        text=row.text[row.start_char : row.end_char],
        speaker=row.speaker,
        ordinal=row.ordinal,
        state=state_of([row]),
        created_at=row.created_at,
    )
