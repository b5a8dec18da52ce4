"""Choosing alternates, deleting, undoing: what events do to paths."""

import json
from collections.abc import Sequence

from sqlmodel import Session

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.messages import Message
from kotonia_desktop.store.branches import Branches, entry_at, entry_of, find_conversation, on_chain, row_branch
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.events import EventKind, EventLog
from kotonia_desktop.store.messages import Messages, find_message, message_state
from kotonia_desktop.store.paths import Paths
from kotonia_desktop.store.search import SearchIndex
from kotonia_desktop.store.tables import ConversationRow, EventRow, MessageRow, PathEntryRow, RevisionRow

_LABELS = {EventKind.CONTINUE: EventKind.EDIT}
"""What an undo calls a step where that is not the kind of its events."""


class Alternates:
    """Changes what a path shows without writing a message."""

    def __init__(
        self,
        db: Database,
        events: EventLog,
        branches: Branches,
        paths: Paths,
        messages: Messages,
        search: SearchIndex,
    ) -> None:
        self._db = db
        self._events = events
        self._branches = branches
        self._paths = paths
        self._messages = messages
        self._search = search

    def select_alternate(self, message_id: int) -> Message:
        """Show a message in place of the sibling that is shown; an undo takes it back. Raises `NotFound`.

        A branch that shows it already becomes the active one. Otherwise the place itself changes where nothing hangs
        on it, and a new branch leaves the path before it where something does.
        """
        with self._db.transaction() as session:
            row = find_message(session, message_id)
            if message_state(session, message_id).removed:
                raise NotFound(what="message", key=message_id)
            conversation = find_conversation(session, row.conversation_id)
            step = self._select(session, conversation, row)
            if step is not None:
                self._events.make_undoable(session, conversation.id, step)
            return self._paths.message(message_id)

    def delete_messages(self, ids: Sequence[int]) -> None:
        """Take messages off every path that holds them, as one step that can be undone. Raises `NotFound`."""
        with self._db.transaction() as session:
            rows = [find_message(session, message_id) for message_id in dict.fromkeys(ids)]
            steps: dict[int, int] = {}
            for row in rows:
                state = message_state(session, row.id)
                if state.removed:
                    continue
                steps[row.conversation_id] = self._events.append(
                    session,
                    EventKind.DELETE,
                    step=steps.get(row.conversation_id),
                    conversation_id=row.conversation_id,
                    message_id=row.id,
                )
                state.removed = True
                self._hide(session, row.id, True)
            for conversation_id, step in steps.items():
                self._events.make_undoable(session, conversation_id, step)
                self._branches.recount(session, find_conversation(session, conversation_id))

    def undo(self, conversation_id: int) -> tuple[str, list[int]]:
        """Take back the last deletion, edit or choice of an alternate that still stands: what it was (`delete`,
        `edit`, `select`; "" for nothing) and the messages concerned. Survives restarts. Raises `NotFound`."""
        with self._db.transaction() as session:
            conversation = find_conversation(session, conversation_id)
            taken = self._events.take_undoable(session, conversation_id)
            if not taken:
                return "", []
            step = self._events.append(session, EventKind.UNDO, conversation_id=conversation_id, undone=taken[0].step)
            affected = [
                message_id for event in taken if (message_id := self._take_back(session, conversation, event, step))
            ]
            self._branches.recount(session, conversation)
            kind = EventKind(taken[0].kind)
            return _LABELS.get(kind, kind).value, affected

    def _take_back(self, session: Session, conversation: ConversationRow, event: EventRow, step: int) -> int | None:
        """Undo one event; the message that is shown or changed by that."""
        message_id = event.message_id
        kind = EventKind(event.kind)
        if message_id is None or kind not in (EventKind.DELETE, EventKind.EDIT, EventKind.CONTINUE, EventKind.SELECT):
            return None
        data = json.loads(event.data)
        if kind is EventKind.DELETE:
            message_state(session, message_id).removed = False
            self._hide(session, message_id, False)
            return message_id
        if kind is EventKind.SELECT:
            return (
                self._take_back_choice(session, conversation, data["former"], data["from_branch"], step) or message_id
            )
        state = message_state(session, message_id)
        revision = session.get_one(RevisionRow, data["from"])
        state.revision_id = revision.id
        state.revision_count = data["count"]
        session.flush()
        self._search.put(session, conversation.id, message_id, revision.text)
        return message_id

    def _take_back_choice(
        self, session: Session, conversation: ConversationRow, former: int | None, from_branch: int, step: int
    ) -> int | None:
        """Show what a choice replaced, where it can be shown, or else the branch that was left for the choice."""
        there = not row_branch(session, from_branch).removed
        if former is None or message_state(session, former).removed:
            if there:
                self._branches.activate(session, conversation, from_branch, step)
            return None
        row = find_message(session, former)
        if entry_of(session, former) is None and self._shown_at(session, conversation, row) is None:
            if not there:
                return None
            self._branches.activate(session, conversation, from_branch, step)
        self._select(session, conversation, row, step, from_branch)
        return former

    def _hide(self, session: Session, message_id: int, hidden: bool) -> None:
        entry = entry_of(session, message_id)
        if entry is not None:
            entry.hidden = hidden
        session.flush()

    def _select(
        self,
        session: Session,
        conversation: ConversationRow,
        target: MessageRow,
        step: int | None = None,
        prefer_branch: int | None = None,
    ) -> int | None:
        """Show `target`; the step of the events, None where it is shown already."""
        chain = self._branches.active_chain(session, conversation)
        own = entry_of(session, target.id)
        if own is not None and on_chain(chain, own):
            return None
        shown = self._shown_at(session, conversation, target)
        if own is None and shown is None:
            raise NotFound(what="message", key=target.id)
        former_branch = conversation.active_branch_id
        swap = own is None and shown is not None and self._branches.is_tip(session, shown)
        step = self._events.append(
            session,
            EventKind.SELECT,
            step=step,
            conversation_id=conversation.id,
            message_id=target.id,
            branch_id=former_branch,
            former=shown.message_id if shown else None,
            from_branch=former_branch,
            swapped=swap,
        )
        if own is not None:
            branch_id = self._branches.last_used_with(session, own)
            if prefer_branch is not None and on_chain(self._branches.chain(session, prefer_branch), own):
                branch_id = prefer_branch
            self._branches.activate(session, conversation, branch_id, step)
        elif shown is not None and swap:
            shown.message_id = target.id
            shown.hidden = False
            self._branches.recount(session, conversation)
        elif shown is not None:
            fork = entry_at(session, chain, shown.ordinal - 1)
            branch = self._branches.make(session, conversation, fork, "")
            session.add(PathEntryRow(branch_id=branch.id, ordinal=target.ordinal, message_id=target.id))
            session.flush()
            self._branches.activate(session, conversation, branch.id, step)
        return step

    def _shown_at(self, session: Session, conversation: ConversationRow, target: MessageRow) -> PathEntryRow | None:
        """The entry where the active path shows a sibling of `target`."""
        entry = entry_at(session, self._branches.active_chain(session, conversation), target.ordinal)
        if entry is None or find_message(session, entry.message_id).root != target.root:
            return None
        return entry
