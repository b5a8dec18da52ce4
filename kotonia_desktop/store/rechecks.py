"""What was made from a message, looked at again when the message reads otherwise: most edits are typing mistakes, and
what they do not touch stays valid."""

from dataclasses import dataclass

from sqlalchemy import text

from kotonia_desktop.domain.messages import Segment
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.rows import decode_segments

_MADE = {
    "item": "SELECT i.id, i.text, s.revision_id FROM chapter_item_source s JOIN chapter_item i ON i.id = s.item_id"
    " WHERE s.message_id = :message",
    "row": "SELECT r.id, r.quote AS text, s.revision_id FROM ledger_source s JOIN ledger_row r ON r.id = s.row_id"
    " WHERE s.message_id = :message",
    "event": "SELECT e.id, e.text, e.revision_id FROM thread_event e WHERE e.message_id = :message"
    " AND e.revision_id IS NOT NULL",
}
_CONFIRM = {
    "item": "UPDATE chapter_item_source SET revision_id = :revision WHERE item_id = :id AND message_id = :message",
    "row": "UPDATE ledger_source SET revision_id = :revision WHERE row_id = :id AND message_id = :message",
    "event": "UPDATE thread_event SET revision_id = :revision WHERE id = :id AND message_id = :message",
}
_SELECTS = {kind: text(statement) for kind, statement in _MADE.items()}
_UPDATES = {kind: text(statement) for kind, statement in _CONFIRM.items()}
_REVISION = text("SELECT text, segments FROM revision WHERE id = :id")


@dataclass(frozen=True, slots=True)
class MadeFrom:
    """Something that was made from a message: `kind` is `item`, `row` or `event`; `read` the text it was made from,
    with its `segments`."""

    kind: str
    id: int
    text: str
    revision_id: int
    read: str
    segments: tuple[Segment, ...] = ()


class Rechecks:
    """Reads what hangs on a message, and takes over that it still holds."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def made_from(self, message_id: int) -> list[MadeFrom]:
        """All that was made from a message, in whatever revision."""
        found: list[MadeFrom] = []
        with self._db.transaction() as session:
            connection = session.connection()
            texts: dict[int, tuple[str, tuple[Segment, ...]]] = {}
            for kind, statement in _SELECTS.items():
                for row in connection.execute(statement, {"message": message_id}).all():
                    if row.revision_id not in texts:
                        read = connection.execute(_REVISION, {"id": row.revision_id}).first()
                        texts[row.revision_id] = (
                            ("", ()) if read is None else (read.text, decode_segments(read.segments))
                        )
                    found.append(MadeFrom(kind, row.id, row.text, row.revision_id, *texts[row.revision_id]))
        return found

    def confirm(self, made: MadeFrom, message_id: int, revision_id: int) -> None:
        """It holds in this revision too."""
        with self._db.transaction() as session:
            at = {"id": made.id, "message": message_id, "revision": revision_id}
            session.connection().execute(_UPDATES[made.kind], at)
