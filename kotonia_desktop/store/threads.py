"""Threads and their events: only ever added, read as the active path sees them."""

from typing import Any

from sqlalchemy import text

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.memory import ItemState
from kotonia_desktop.domain.threads import NewThreadEvent, Thread, ThreadEvent, ThreadEventKind
from kotonia_desktop.store.branches import find_conversation
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.memory_tables import ThreadEventRow, ThreadRow
from kotonia_desktop.store.rows import storable
from kotonia_desktop.store.validity import COLUMNS, JOINS, state_of

THREADS = text(f"""
    SELECT t.id AS thread_id, t.title, s.id, s.kind, s.text, s.fold_id, s.by_user, s.score, s.created_at, {COLUMNS}
    FROM thread t JOIN thread_event s ON s.thread_id = t.id {JOINS}
    WHERE t.conversation_id = :conversation ORDER BY t.id, s.id
""")


class Threads:
    """Reads and writes open matters."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def open_thread(self, conversation_id: int, title: str, event: NewThreadEvent) -> int:
        """A new matter with its first event; its id. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            row = ThreadRow(conversation_id=conversation_id, title=storable(title), created_at=self._db.clock.now())
            session.add(row)
            session.flush()
            self.add_thread_event(row.id, event)
            return row.id

    def add_thread_event(self, thread_id: int, event: NewThreadEvent) -> int:
        """Log what happened to a matter; the id of its conversation. Raises `NotFound`."""
        with self._db.transaction() as session:
            thread = session.get(ThreadRow, thread_id)
            if thread is None:
                raise NotFound(what="thread", key=thread_id)
            session.add(
                ThreadEventRow(
                    thread_id=thread_id,
                    kind=event.kind.value,
                    message_id=event.message_id,
                    revision_id=event.revision_id,
                    text=storable(event.text),
                    fold_id=event.fold_id,
                    created_at=self._db.clock.now(),
                    by_user=event.by_user,
                    score=event.score,
                )
            )
            session.flush()
            return thread.conversation_id

    def conversation_of_thread(self, thread_id: int) -> int:
        """The id of a matter's conversation. Raises `NotFound`."""
        with self._db.transaction() as session:
            thread = session.get(ThreadRow, thread_id)
            if thread is None:
                raise NotFound(what="thread", key=thread_id)
            return thread.conversation_id

    def threads(self, conversation_id: int) -> list[Thread]:
        """The matters of the active path, oldest first: those whose opening stands on it. Events that do not are left
        out. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            groups: dict[int, list[Any]] = {}
            for row in session.connection().execute(THREADS, {"conversation": conversation_id}):
                groups.setdefault(row.thread_id, []).append(row)
        found = []
        for thread_id, rows in groups.items():
            events = tuple(event for event in map(_to_event, rows) if event.state is not ItemState.GONE)
            if any(event.kind is ThreadEventKind.OPENED for event in events):
                found.append(Thread(thread_id, conversation_id, rows[0].title, events))
        return found


def _to_event(row: Any) -> ThreadEvent:  # noqa: ANN401  (a row of a textual statement has no type)
    return ThreadEvent(
        kind=ThreadEventKind(row.kind),
        message_id=row.message_id,
        revision_id=row.revision_id,
        text=row.text,
        fold_id=row.fold_id,
        by_user=bool(row.by_user),
        score=row.score,
        id=row.id,
        ordinal=row.ordinal,
        state=state_of([row]),
        created_at=row.created_at,
    )
