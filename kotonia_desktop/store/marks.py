"""The user's marks on messages: off the record, and the end of a chapter."""

from kotonia_desktop.domain.messages import Message
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.events import EventKind, EventLog
from kotonia_desktop.store.messages import find_message, message_state
from kotonia_desktop.store.paths import Paths


class Marks:
    """Sets marks. Each change is an event; none is lost."""

    def __init__(self, db: Database, events: EventLog, paths: Paths) -> None:
        self._db = db
        self._events = events
        self._paths = paths

    def mark_message(
        self, message_id: int, *, off_record: bool | None = None, ends_chapter: bool | None = None
    ) -> Message:
        """Set marks of a message; None leaves one as it is. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = find_message(session, message_id)
            state = message_state(session, message_id)
            before = (state.off_record, state.ends_chapter)
            state.off_record = state.off_record if off_record is None else off_record
            state.ends_chapter = state.ends_chapter if ends_chapter is None else ends_chapter
            if (state.off_record, state.ends_chapter) != before:
                self._events.append(
                    session,
                    EventKind.MARK,
                    conversation_id=row.conversation_id,
                    message_id=message_id,
                    off_record=bool(state.off_record),
                    ends_chapter=bool(state.ends_chapter),
                )
            session.flush()
            return self._paths.message(message_id)
