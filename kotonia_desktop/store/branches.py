"""Branches: which stretches of ordinals make a path, where it ends, where a new one may leave it.

A path is the chain of a branch: of each ancestor the entries up to the fork, then its own. A branch row never changes
in what a chain is made of, so chains are worked out once and kept.
"""

from bisect import bisect_right
from dataclasses import dataclass, replace

from sqlalchemy import text
from sqlmodel import Session, col, func, select

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.library import Branch
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.events import EventKind, EventLog
from kotonia_desktop.store.rows import storable
from kotonia_desktop.store.tables import BranchRow, ConversationRow, PathEntryRow

NO_END = 1 << 62
"""The last ordinal of a branch's own stretch: it may grow."""
_CHAINS_KEPT = 2000


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of ordinals, both ends included, whose entries belong to one branch."""

    branch_id: int
    first: int
    last: int


Chain = tuple[Stretch, ...]

# Both read the partial index of hidden entries: SQLite takes it for the literal 1 only, not for a bound value.
_COUNT_HIDDEN = text(
    "SELECT count(*) FROM active_stretch a JOIN path_entry p ON p.branch_id = a.branch_id"
    " AND p.ordinal <= a.last_ordinal AND p.hidden = 1 WHERE a.conversation_id = :conversation"
)
_VISIBLE_BEHIND = text(
    "SELECT 1 FROM path_entry WHERE branch_id = :branch AND hidden = 0 AND ordinal > :ordinal LIMIT 1"
)
_LAST_USED_WITH = text(
    "WITH RECURSIVE holding(id) AS (SELECT :branch UNION ALL"
    " SELECT b.id FROM holding h JOIN branch b ON b.parent_id = h.id"
    " WHERE h.id <> :branch OR b.fork_ordinal >= :ordinal)"
    " SELECT b.id FROM holding h JOIN branch b ON b.id = h.id WHERE b.removed = 0 ORDER BY b.use_number DESC LIMIT 1"
)

_LEAVE = text("DELETE FROM active_stretch WHERE branch_id = :branch")
_JOIN = text("INSERT INTO active_stretch VALUES (:branch, :conversation, :last)")


class Branches:
    """Reads, makes and activates branches."""

    def __init__(self, db: Database, events: EventLog) -> None:
        self._db = db
        self._events = events
        self._chains: dict[int, Chain] = {}
        db.on_rollback.append(self._chains.clear)

    # -- the public part

    def branches(self, conversation_id: int) -> list[Branch]:
        """The branches of a conversation, oldest first."""
        with self._db.transaction() as session:
            rows = session.exec(
                select(BranchRow)
                .where(BranchRow.conversation_id == conversation_id, ~col(BranchRow.removed))
                .order_by(col(BranchRow.id))
            )
            return [_to_branch(row) for row in rows]

    def add_branch(self, conversation_id: int, fork_message_id: int, name: str) -> Branch:
        """A new branch that follows the path up to and including a message, and is active from now on.

        Raises `NotFound` where the message is on no path of this conversation.
        """
        with self._db.transaction() as session:
            conversation = find_conversation(session, conversation_id)
            entry = entry_of(session, fork_message_id)
            if entry is None or entry.hidden:
                raise NotFound(what="message", key=fork_message_id)
            if row_branch(session, entry.branch_id).conversation_id != conversation_id:
                raise NotFound(what="message", key=fork_message_id)
            row = self.make(session, conversation, entry, name)
            self.activate(session, conversation, row.id)
            return _to_branch(row)

    def set_active_branch(self, conversation_id: int, branch_id: int) -> None:
        """Make a branch the one that is shown and written to. Raises `NotFound`."""
        with self._db.transaction() as session:
            conversation = find_conversation(session, conversation_id)
            row = session.get(BranchRow, branch_id)
            if row is None or row.conversation_id != conversation_id or row.removed:
                raise NotFound(what="branch", key=branch_id)
            if conversation.active_branch_id != branch_id:
                self.activate(session, conversation, branch_id)

    # -- for the other parts of the store

    def chain(self, session: Session, branch_id: int) -> Chain:
        """The stretches of a branch's path, oldest first; the last is its own."""
        missing: list[BranchRow] = []
        above: Chain = ()
        walk: int | None = branch_id
        while walk is not None:
            known = self._chains.get(walk)
            if known is not None:
                above = known
                break
            row = row_branch(session, walk)
            missing.append(row)
            walk = row.parent_id
        if len(self._chains) + len(missing) > _CHAINS_KEPT:
            self._chains.clear()
        for row in reversed(missing):
            if row.parent_id is None or row.fork_ordinal is None:
                above = (Stretch(row.id, 0, NO_END),)
            else:
                fork = row.fork_ordinal
                above = (*above[:-1], replace(above[-1], last=fork), Stretch(row.id, fork + 1, NO_END))
            self._chains[row.id] = above
        return above

    def active_chain(self, session: Session, conversation: ConversationRow) -> Chain:
        """The chain of the branch that is shown."""
        return self.chain(session, conversation.active_branch_id or 0)

    def make(self, session: Session, conversation: ConversationRow, fork: PathEntryRow | None, name: str) -> BranchRow:
        """A new branch behind the entry `fork`; one from the very beginning where that is None."""
        row = BranchRow(
            conversation_id=conversation.id,
            parent_id=fork.branch_id if fork else None,
            fork_ordinal=fork.ordinal if fork else None,
            fork_message_id=fork.message_id if fork else None,
            name=storable(name),
            created_at=self._db.clock.now(),
            use_number=0,
        )
        session.add(row)
        session.flush()
        self._events.append(session, EventKind.BRANCH, conversation_id=conversation.id, branch_id=row.id)
        return row

    def activate(self, session: Session, conversation: ConversationRow, branch_id: int, step: int | None = None) -> int:
        """Show a branch; logged as part of `step`. Counts the messages anew."""
        row = row_branch(session, branch_id)
        former = conversation.active_branch_id
        before = self.chain(session, former) if former is not None else ()
        after = self.chain(session, branch_id)
        conversation.active_branch_id = branch_id
        row.use_number = self._events.append(
            session, EventKind.ACTIVATE, step=step, conversation_id=conversation.id, branch_id=branch_id
        )
        # Only what differs: a path through hundreds of branches shares most of them with the next.
        shared = 0
        while shared < min(len(before), len(after)) and before[shared] == after[shared]:
            shared += 1
        connection = session.connection()
        for stretch in before[shared:]:
            connection.execute(_LEAVE, {"branch": stretch.branch_id})
        for stretch in after[shared:]:
            at = {"branch": stretch.branch_id, "conversation": conversation.id, "last": stretch.last}
            connection.execute(_JOIN, at)
        self.recount(session, conversation)
        return step or row.use_number

    def recount(self, session: Session, conversation: ConversationRow) -> None:
        """Bring the message count up to date. A branch has no gaps: only the hidden entries are counted."""
        session.flush()
        chain = self.active_chain(session, conversation)
        hidden = session.connection().execute(_COUNT_HIDDEN, {"conversation": conversation.id}).scalar_one()
        conversation.message_count = self.next_ordinal(session, chain[-1]) - int(hidden)

    def next_ordinal(self, session: Session, own: Stretch) -> int:
        """Where the next message of a branch goes; `own` is the last stretch of its chain."""
        last = session.exec(select(func.max(PathEntryRow.ordinal)).where(PathEntryRow.branch_id == own.branch_id)).one()
        return own.first if last is None else int(last) + 1

    def is_tip(self, session: Session, entry: PathEntryRow) -> bool:
        """Whether an entry may show another alternate without a new branch: nothing visible stands behind it in its
        branch, and no other branch leaves it there or later."""
        at = {"branch": entry.branch_id, "ordinal": entry.ordinal}
        if session.connection().execute(_VISIBLE_BEHIND, at).first() is not None:
            return False
        child = select(BranchRow.id).where(
            BranchRow.parent_id == entry.branch_id,
            col(BranchRow.fork_ordinal) >= entry.ordinal,
            ~col(BranchRow.removed),
        )
        return session.exec(child.limit(1)).first() is None

    def standing(self, session: Session, branch_id: int) -> int:
        """A branch, or where it is gone the one it left, or the conversation's first, which never goes."""
        row = row_branch(session, branch_id)
        while row.removed and row.parent_id is not None:
            row = row_branch(session, row.parent_id)
        if not row.removed:
            return row.id
        first = select(func.min(BranchRow.id)).where(BranchRow.conversation_id == row.conversation_id)
        return int(session.exec(first).one() or 0)

    def last_used_with(self, session: Session, entry: PathEntryRow) -> int:
        """Of the branches whose path holds an entry, the one that was active last."""
        at = {"branch": entry.branch_id, "ordinal": entry.ordinal}
        return int(session.connection().execute(_LAST_USED_WITH, at).scalar_one())


def on_chain(chain: Chain, entry: PathEntryRow) -> bool:
    """Whether an entry is on a path."""
    stretch = stretch_at(chain, entry.ordinal)
    return stretch is not None and stretch.branch_id == entry.branch_id


def stretch_at(chain: Chain, ordinal: int) -> Stretch | None:
    """The stretch of a path that holds an ordinal."""
    index = bisect_right(chain, ordinal, key=lambda stretch: stretch.first) - 1
    return chain[index] if index >= 0 else None


def entry_at(session: Session, chain: Chain, ordinal: int) -> PathEntryRow | None:
    """The entry of a path at an ordinal."""
    stretch = stretch_at(chain, ordinal)
    return None if stretch is None else session.get(PathEntryRow, (stretch.branch_id, ordinal))


def entry_of(session: Session, message_id: int) -> PathEntryRow | None:
    """The entry that shows a message; None for an alternate that no branch shows."""
    return session.exec(select(PathEntryRow).where(PathEntryRow.message_id == message_id)).first()


def find_conversation(session: Session, conversation_id: int) -> ConversationRow:
    """A conversation's row. Raises `NotFound`."""
    row = session.get(ConversationRow, conversation_id)
    if row is None or row.removed:
        raise NotFound(what="conversation", key=conversation_id)
    return row


def row_branch(session: Session, branch_id: int) -> BranchRow:
    """A branch's row. Raises `NotFound`."""
    row = session.get(BranchRow, branch_id)
    if row is None:
        raise NotFound(what="branch", key=branch_id)
    return row


def _to_branch(row: BranchRow) -> Branch:
    return Branch(row.id, row.conversation_id, row.parent_id, row.fork_ordinal, row.fork_message_id, row.name)
