"""The log of what happened, and which steps of it can still be undone."""

import json
from enum import StrEnum
from typing import Any

from sqlmodel import Session, col, func, select

from kotonia_desktop.domain.ports import Clock
from kotonia_desktop.store.rows import to_json
from kotonia_desktop.store.tables import EventRow, UndoStepRow


class EventKind(StrEnum):
    """What can happen. The values are in the file: never renamed."""

    ALTERNATE = "alternate"
    """A message was begun as an alternate. data: `replaced` (message), `from_branch`."""
    DISCARD = "discard"
    """A reply that came to nothing was taken off the path. data: what became of its `entry` (see `messages`)."""
    DELETE = "delete"
    EDIT = "edit"
    """data: `from` and `to` (revisions), `count` before."""
    CONTINUE = "continue"
    """As `edit`: the new revision continues the old."""
    SELECT = "select"
    """data: `former` (message), `from_branch`, `swapped`, whether the path's entry changed its message."""
    BRANCH = "branch"
    ACTIVATE = "activate"
    """A branch became the active one."""
    MARK = "mark"
    """data: `off_record` and `ends_chapter` as they are from now on."""
    UNDO = "undo"
    """data: the step that was `undone`."""
    REMOVE = "remove"
    """A conversation or character was removed."""
    RESTORE = "restore"


class EventLog:
    """Appends events. A step is named by the id of its first event."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def append(
        self,
        session: Session,
        kind: EventKind,
        *,
        step: int | None = None,
        conversation_id: int | None = None,
        character_id: int | None = None,
        message_id: int | None = None,
        branch_id: int | None = None,
        **data: object,
    ) -> int:
        """Log one event; the id of its step, a new one where `step` is None."""
        event_id = (session.exec(select(func.max(EventRow.id))).one() or 0) + 1
        session.add(
            EventRow(
                id=event_id,
                step=step or event_id,
                kind=kind.value,
                conversation_id=conversation_id,
                character_id=character_id,
                message_id=message_id,
                branch_id=branch_id,
                data=to_json(data) if data else "{}",
                created_at=self._clock.now(),
            )
        )
        session.flush()
        return step or event_id

    def make_undoable(self, session: Session, conversation_id: int, step: int) -> None:
        """From now on `step` is the first that an undo takes back."""
        session.add(UndoStepRow(conversation_id=conversation_id, step=step))
        session.flush()

    def take_undoable(self, session: Session, conversation_id: int) -> list[EventRow]:
        """The events of the last step that can be undone, which from now on cannot; [] where there is none."""
        row = session.exec(
            select(UndoStepRow)
            .where(UndoStepRow.conversation_id == conversation_id)
            .order_by(col(UndoStepRow.step).desc())
            .limit(1)
        ).first()
        if row is None:
            return []
        step = row.step
        session.delete(row)
        session.flush()
        return list(session.exec(select(EventRow).where(EventRow.step == step).order_by(col(EventRow.id))))

    def find(self, session: Session, message_id: int, kind: EventKind) -> dict[str, Any] | None:
        """The data of the newest event of `kind` about a message."""
        data = session.exec(
            select(EventRow.data)
            .where(EventRow.message_id == message_id, EventRow.kind == kind.value)
            .order_by(col(EventRow.id).desc())
            .limit(1)
        ).first()
        return None if data is None else json.loads(data)
