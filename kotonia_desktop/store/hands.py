"""The user's acts on memory, and the lines of where the story stands."""

from sqlalchemy import text
from sqlmodel import col, func, select

from kotonia_desktop.domain.hand import Act, HandAct, Target
from kotonia_desktop.domain.memory import ItemState
from kotonia_desktop.domain.scene import NowField, NowLine
from kotonia_desktop.store.branches import find_conversation
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.memory_tables import HandRow, NowRow
from kotonia_desktop.store.rows import storable
from kotonia_desktop.store.validity import COLUMNS, JOINS, state_of

NOW = text(f"""
    SELECT s.id, s.field, s.text, s.locked, s.created_at, {COLUMNS} FROM now_line s {JOINS}
    WHERE s.conversation_id = :conversation ORDER BY s.id DESC LIMIT 200
""")


class Hands:
    """Reads and writes what the user did."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add_act(self, conversation_id: int, target: Target, target_id: int, act: Act, words: str = "") -> int:
        """Log an act of the user; its id. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            row = HandRow(
                conversation_id=conversation_id,
                target=target.value,
                target_id=target_id,
                act=act.value,
                text=storable(words),
                created_at=self._db.clock.now(),
            )
            session.add(row)
            session.flush()
            return row.id

    def acts(self, conversation_id: int, after: int = 0) -> list[HandAct]:
        """The acts on a conversation's memory with an id over `after`, oldest first."""
        with self._db.transaction() as session:
            wanted = select(HandRow).where(HandRow.conversation_id == conversation_id, col(HandRow.id) > after)
            return [
                HandAct(row.id, Target(row.target), row.target_id, Act(row.act), row.text, row.created_at)
                for row in session.exec(wanted.order_by(col(HandRow.id)))
            ]

    def last_act(self, conversation_id: int) -> int:
        """The id of the newest act; 0 where there is none."""
        with self._db.transaction() as session:
            newest = select(func.max(HandRow.id)).where(HandRow.conversation_id == conversation_id)
            return int(session.exec(newest).one() or 0)

    # -- where the story stands

    def set_now(self, conversation_id: int, lines: list[NowLine]) -> None:
        """Store lines; an empty one that the user cleared says nothing and unlocks. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            session.add_all(
                NowRow(
                    conversation_id=conversation_id,
                    field=line.field.value,
                    text=storable(line.text),
                    locked=line.locked,
                    message_id=line.message_id,
                    revision_id=line.revision_id,
                    created_at=self._db.clock.now(),
                )
                for line in lines
            )

    def now_lines(self, conversation_id: int) -> list[NowLine]:
        """The newest line of each field that still stands on the active path, in the order of the fields."""
        with self._db.transaction() as session:
            rows = session.connection().execute(NOW, {"conversation": conversation_id}).all()
        found: dict[NowField, NowLine] = {}
        for row in rows:
            field = NowField(row.field)
            state = state_of([row])
            if field in found or state is ItemState.GONE:
                continue
            found[field] = NowLine(
                field, row.text, bool(row.locked), row.message_id, row.revision_id, row.ordinal, state, row.created_at
            )
        return [found[field] for field in NowField if field in found and found[field].text]
