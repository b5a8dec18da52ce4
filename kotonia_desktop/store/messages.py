"""Writing messages: appending, a reply from its first word to its end, revisions, notes, what a crash left behind.

A message row and a revision row never change. The reply's row stands before its first word, a draft beside it holds
what has been written, and the end puts the revision in and takes the draft away in one transaction.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import insert
from sqlmodel import Session, func, select

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.messages import Message, NewRevision, Role
from kotonia_desktop.store.branches import Branches, entry_at, entry_of, find_conversation, row_branch
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.conversations import Conversations
from kotonia_desktop.store.events import EventKind, EventLog
from kotonia_desktop.store.paths import Paths
from kotonia_desktop.store.rows import revision_columns, revision_row, storable
from kotonia_desktop.store.search import SearchIndex
from kotonia_desktop.store.tables import (
    ConversationRow,
    DraftRow,
    MessageRow,
    MessageStateRow,
    NoteRow,
    PathEntryRow,
    RevisionRow,
)


class NewMessage(NamedTuple):
    """A message to append in bulk. `created_at` is in seconds since 1970.

    `others` are its alternates, which are not shown; `place` is how many of them stand before it.
    """

    role: Role
    speaker: str
    revision: NewRevision
    is_greeting: bool = False
    created_at: float = 0.0
    others: tuple[NewRevision, ...] = ()
    place: int = 0

    @property
    def versions(self) -> tuple[NewRevision, ...]:
        """The message among its alternates, in their order."""
        return (*self.others[: self.place], self.revision, *self.others[self.place :])


class Messages:
    """Writes messages."""

    def __init__(
        self,
        db: Database,
        events: EventLog,
        branches: Branches,
        conversations: Conversations,
        paths: Paths,
        search: SearchIndex,
    ) -> None:
        self._db = db
        self._events = events
        self._branches = branches
        self._conversations = conversations
        self._paths = paths
        self._search = search

    def append_message(
        self,
        conversation_id: int,
        role: Role,
        speaker: str,
        revision: NewRevision,
        note: str = "",
        is_greeting: bool = False,
    ) -> Message:
        """Put a whole message at the end of the active path. `note` is frozen in front of it. Raises `NotFound`."""
        with self._db.transaction() as session:
            conversation = find_conversation(session, conversation_id)
            row = self._append(session, conversation, role, speaker, is_greeting)
            self.show_revision(session, row, revision)
            if note:
                session.add(NoteRow(message_id=row.id, text=storable(note)))
            self._conversations.touch(session, conversation)
            session.flush()
            return self._paths.message(row.id)

    def append_many(self, conversation_id: int, messages: Sequence[NewMessage]) -> list[int]:
        """Put many whole messages at the end of the active path in one transaction; the ids of those that are shown.

        Raises `NotFound`.
        """
        if not messages:
            return []
        with self._db.transaction() as session:
            conversation = find_conversation(session, conversation_id)
            own = self._branches.active_chain(session, conversation)[-1]
            ordinal = self._branches.next_ordinal(session, own)
            next_id = (session.exec(select(func.max(MessageRow.id))).one() or 0) + 1
            next_revision = (session.exec(select(func.max(RevisionRow.id))).one() or 0) + 1
            rows: list[dict[str, Any]] = []
            revisions: list[dict[str, Any]] = []
            entries: list[dict[str, Any]] = []
            for index, message in enumerate(NewMessage(*given) for given in messages):
                first = next_id + len(rows)
                entries.append(
                    {
                        "branch_id": own.branch_id,
                        "ordinal": ordinal + index,
                        "message_id": first + message.place,
                        "hidden": False,
                    }
                )
                for number, version in enumerate(message.versions):
                    rows.append(
                        {
                            "id": first + number,
                            "conversation_id": conversation_id,
                            "branch_id": own.branch_id,
                            "ordinal": ordinal + index,
                            "role": Role(message.role).value,
                            "speaker": storable(message.speaker),
                            "sibling_of": first if number else None,
                            "is_greeting": message.is_greeting,
                            "created_at": message.created_at,
                        }
                    )
                    columns = revision_columns(first + number, version, message.created_at)
                    revisions.append({"id": next_revision + len(revisions)} | columns)
            states = [
                {"message_id": r["message_id"], "revision_id": r["id"], "revision_count": 1, "removed": False}
                for r in revisions
            ]
            connection = session.connection()
            connection.execute(insert(MessageRow), rows)
            connection.execute(insert(RevisionRow), revisions)
            connection.execute(insert(MessageStateRow), states)
            connection.execute(insert(PathEntryRow), entries)
            self._search.add_many(session, conversation_id, [(r["message_id"], r["text"]) for r in revisions])
            conversation.message_count += len(entries)
            self._conversations.touch(session, conversation)
            return [entry["message_id"] for entry in entries]

    def begin_reply(self, conversation_id: int, speaker: str, alternate_of: int | None = None) -> Message:
        """The empty row of a reply that is about to be written, at the end of the active path.

        With `alternate_of` it takes the place of that message (or of the sibling that is shown in its place): in the
        same branch where nothing hangs on that place, otherwise in a new branch that leaves the path before it.
        Raises `NotFound`.
        """
        with self._db.transaction() as session:
            conversation = find_conversation(session, conversation_id)
            if alternate_of is None:
                row = self._append(session, conversation, Role.CHARACTER, speaker, False)
            else:
                row = self._begin_alternate(session, conversation, speaker, alternate_of)
            session.add(MessageStateRow(message_id=row.id))
            session.add(DraftRow(message_id=row.id, text="", reasoning="", updated_at=self._db.clock.now()))
            self._conversations.touch(session, conversation)
            session.flush()
            return self._paths.message(row.id)

    def save_draft(self, message_id: int, text: str, reasoning: str) -> None:
        """Keep what has been written of a reply so far, whole. Raises `NotFound`.

        On a message that has a revision already it is the draft of the one that continues it.
        """
        with self._db.transaction() as session:
            if session.get(MessageStateRow, message_id) is None:
                raise NotFound(what="message", key=message_id)
            session.merge(
                DraftRow(
                    message_id=message_id,
                    text=storable(text),
                    reasoning=storable(reasoning),
                    updated_at=self._db.clock.now(),
                )
            )

    def finish_reply(self, message_id: int, revision: NewRevision) -> Message:
        """The reply is written: its revision goes in, the draft goes. Raises `NotFound`.

        That an alternate took another's place can be undone from now on.
        """
        with self._db.transaction() as session:
            row = find_message(session, message_id)
            shown = shown_revision(session, message_id)
            made = self._events.find(session, message_id, EventKind.ALTERNATE) if shown is None else None
            if made is not None:
                step = self._events.append(
                    session,
                    EventKind.SELECT,
                    conversation_id=row.conversation_id,
                    message_id=message_id,
                    branch_id=made["from_branch"],
                    former=made["replaced"],
                    from_branch=made["from_branch"],
                    swapped=False,
                )
                self._events.make_undoable(session, row.conversation_id, step)
            if shown is None or not _same(shown, revision):
                self.show_revision(session, row, revision, EventKind.CONTINUE)
                self._count_reply(session, row.conversation_id, shown, revision)
            drop_draft(session, message_id)
            return self._paths.message(message_id)

    def discard_reply(self, message_id: int) -> None:
        """The reply came to nothing: its row leaves the path, and the alternate it replaced is shown again.

        Where the message has a revision already, only the draft goes. Raises `NotFound`.
        """
        with self._db.transaction() as session:
            row = find_message(session, message_id)
            state = message_state(session, message_id)
            drop_draft(session, message_id)
            if state.revision_id is not None or state.removed:
                return
            state.removed = True
            entry = entry_of(session, message_id)
            if entry is not None:
                self._take_off(session, find_conversation(session, row.conversation_id), row, entry)

    def add_revision(self, message_id: int, revision: NewRevision, event_kind: str = "edit") -> Message:
        """Show a new text of a message; `event_kind` is `edit` or `continue`. Can be undone. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = find_message(session, message_id)
            self.show_revision(session, row, revision, EventKind(event_kind))
            drop_draft(session, message_id)
            return self._paths.message(message_id)

    def set_note(self, message_id: int, text: str) -> str:
        """Freeze what stands in front of a message; once: a note that is there stays. Returns the one that stands.

        Raises `NotFound`.
        """
        with self._db.transaction() as session:
            find_message(session, message_id)
            note = session.get(NoteRow, message_id)
            if note is None:
                note = NoteRow(message_id=message_id, text=storable(text))
                session.add(note)
            return note.text

    # -- inside a transaction

    def _append(
        self, session: Session, conversation: ConversationRow, role: Role, speaker: str, is_greeting: bool
    ) -> MessageRow:
        own = self._branches.active_chain(session, conversation)[-1]
        row = MessageRow(
            conversation_id=conversation.id,
            branch_id=own.branch_id,
            ordinal=self._branches.next_ordinal(session, own),
            role=Role(role).value,
            speaker=storable(speaker),
            is_greeting=is_greeting,
            created_at=self._db.clock.now(),
        )
        session.add(row)
        session.flush()
        session.add(PathEntryRow(branch_id=row.branch_id, ordinal=row.ordinal, message_id=row.id))
        conversation.message_count += 1
        return row

    def _begin_alternate(
        self, session: Session, conversation: ConversationRow, speaker: str, alternate_of: int
    ) -> MessageRow:
        sibling = find_message(session, alternate_of)
        entry = self.shown_sibling(session, conversation, sibling)
        former_branch = conversation.active_branch_id
        tip = self._branches.is_tip(session, entry)
        branch_id = entry.branch_id
        if not tip:
            chain = self._branches.active_chain(session, conversation)
            fork = entry_at(session, chain, entry.ordinal - 1)
            branch_id = self._branches.make(session, conversation, fork, "").id
        row = MessageRow(
            conversation_id=conversation.id,
            branch_id=branch_id,
            ordinal=entry.ordinal,
            role=sibling.role,
            speaker=storable(speaker),
            sibling_of=sibling.root,
            is_greeting=sibling.is_greeting,
            created_at=self._db.clock.now(),
        )
        session.add(row)
        session.flush()
        step = self._events.append(
            session,
            EventKind.ALTERNATE,
            conversation_id=conversation.id,
            message_id=row.id,
            branch_id=branch_id,
            replaced=entry.message_id,
            from_branch=former_branch,
        )
        if tip:
            entry.message_id = row.id
        else:
            session.add(PathEntryRow(branch_id=branch_id, ordinal=row.ordinal, message_id=row.id))
            self._branches.activate(session, conversation, branch_id, step)
        return row

    def shown_sibling(self, session: Session, conversation: ConversationRow, message: MessageRow) -> PathEntryRow:
        """The entry where the active path shows a message or a sibling of it.

        Where it shows none, the branch that shows the message becomes active. Raises `NotFound`.
        """
        chain = self._branches.active_chain(session, conversation)
        entry = entry_at(session, chain, message.ordinal)
        if entry is not None and not entry.hidden and find_message(session, entry.message_id).root == message.root:
            return entry
        entry = entry_of(session, message.id)
        if entry is None or entry.hidden or message.conversation_id != conversation.id:
            raise NotFound(what="message", key=message.id)
        self._branches.activate(session, conversation, self._branches.last_used_with(session, entry))
        return entry

    def _take_off(self, session: Session, conversation: ConversationRow, row: MessageRow, entry: PathEntryRow) -> None:
        """Take a message that never had a word off its path."""
        made = self._events.find(session, row.id, EventKind.ALTERNATE)
        own = self._branches.chain(session, entry.branch_id)[-1]
        tip = self._branches.is_tip(session, entry)
        swapped = (
            tip
            and made is not None
            and made["from_branch"] == entry.branch_id
            and entry_of(session, made["replaced"]) is None
        )
        free = tip and self._branches.next_ordinal(session, own) == entry.ordinal + 1
        gone = free and (made is None or made["from_branch"] != entry.branch_id)
        became = "swapped" if swapped else "gone" if gone else "hidden"
        step = self._events.append(
            session,
            EventKind.DISCARD,
            conversation_id=conversation.id,
            message_id=row.id,
            branch_id=entry.branch_id,
            entry=became,
        )
        if made is not None and swapped:
            entry.message_id = made["replaced"]
            entry.hidden = message_state(session, entry.message_id).removed
        elif not gone:
            entry.hidden = True  # something hangs on its place: it is hidden as a deleted message is
        else:
            session.delete(entry)
            session.flush()
            if made is not None:  # its branch was made for it
                row_branch(session, entry.branch_id).removed = True
                if conversation.active_branch_id == entry.branch_id:
                    home = self._branches.standing(session, made["from_branch"])
                    self._branches.activate(session, conversation, home, step)
        self._branches.recount(session, conversation)

    def show_revision(
        self, session: Session, row: MessageRow, new: NewRevision, kind: EventKind = EventKind.EDIT
    ) -> None:
        """Show a new revision of a message; where it had one, that can be undone."""
        revision = revision_row(row.id, new, self._db.clock.now())
        session.add(revision)
        session.flush()
        state = session.get(MessageStateRow, row.id)
        if state is None:
            state = MessageStateRow(message_id=row.id)
            session.add(state)
        if state.revision_id is not None:
            step = self._events.append(
                session,
                kind,
                conversation_id=row.conversation_id,
                message_id=row.id,
                **{"from": state.revision_id, "to": revision.id, "count": state.revision_count},
            )
            self._events.make_undoable(session, row.conversation_id, step)
        state.revision_id = revision.id
        state.revision_count += 1
        session.flush()
        self._search.put(session, row.conversation_id, row.id, revision.text)

    def _count_reply(
        self, session: Session, conversation_id: int, former: RevisionRow | None, new: NewRevision
    ) -> None:
        """Count a reply that a model wrote (a greeting has no statistics), or its continuation instead of it."""
        if new.stats is None or (former is not None and former.stats is None):
            return
        conversation = find_conversation(session, conversation_id)
        conversation.replies_passed += int(new.format_ok)
        if former is None:
            conversation.replies_total += 1
        else:
            conversation.replies_passed -= int(former.format_ok)


def find_message(session: Session, message_id: int) -> MessageRow:
    """A message's row. Raises `NotFound`."""
    row = session.get(MessageRow, message_id)
    if row is None:
        raise NotFound(what="message", key=message_id)
    return row


def message_state(session: Session, message_id: int) -> MessageStateRow:
    """What is derived about a message. Raises `NotFound`."""
    row = session.get(MessageStateRow, message_id)
    if row is None:
        raise NotFound(what="message", key=message_id)
    return row


def shown_revision(session: Session, message_id: int) -> RevisionRow | None:
    """The revision that is shown of a message; None while it has only a draft."""
    revision_id = message_state(session, message_id).revision_id
    return None if revision_id is None else session.get(RevisionRow, revision_id)


def _same(shown: RevisionRow, new: NewRevision) -> bool:
    """Whether a continuation brought nothing new."""
    return shown.text == storable(new.text) and shown.finish == new.finish and shown.reasoning == new.reasoning


def drop_draft(session: Session, message_id: int) -> None:
    """Take the draft of a message away."""
    draft = session.get(DraftRow, message_id)
    if draft is not None:
        session.delete(draft)
    session.flush()
