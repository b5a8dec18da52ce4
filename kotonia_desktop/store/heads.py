"""The prompt's beginning on each path: which messages are no longer shown verbatim, and what of memory stands there."""

import json
from collections.abc import Sequence

from sqlalchemy import text

from kotonia_desktop.domain.memory import HeadState
from kotonia_desktop.store.branches import Branches, find_conversation
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.rows import to_json
from kotonia_desktop.store.tables import CutRow

_NEWEST = text(
    "SELECT id, ordinal, reason, created_at, items FROM cut"
    " WHERE branch_id = :branch AND (ordinal IS NULL OR ordinal <= :last) ORDER BY id DESC LIMIT 1"
)
_FORCED = text(
    "SELECT ordinal, reason, created_at, items FROM cut WHERE conversation_id = :conversation AND reason = 'ceiling'"
    " ORDER BY id DESC LIMIT :limit"
)


class Heads:
    """Reads and writes the prompt's beginning. Rows are only added; the newest on a path counts."""

    def __init__(self, db: Database, branches: Branches) -> None:
        self._db = db
        self._branches = branches

    def head(self, conversation_id: int) -> HeadState:
        """The prompt's beginning on the active path. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = find_conversation(session, conversation_id)
            newest, state = 0, HeadState()
            for stretch in self._branches.active_chain(session, row):
                at = {"branch": stretch.branch_id, "last": stretch.last}
                found = session.connection().execute(_NEWEST, at).first()
                if found is not None and found.id > newest:
                    newest = found.id
                    state = HeadState(found.ordinal, tuple(json.loads(found.items)), found.reason, found.created_at)
            return state

    def set_head(self, conversation_id: int, until: int | None, item_ids: Sequence[int], reason: str) -> None:
        """From now on messages up to ordinal `until` are not shown verbatim (None: all are), and `item_ids` stand in
        the memory head, on every path that goes through there. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = find_conversation(session, conversation_id)
            chain = self._branches.active_chain(session, row)
            # On the branch that owns the entry, so that paths which leave earlier are not concerned.
            owner = chain[-1]
            if until is not None:
                owner = next((s for s in chain if s.first <= until <= s.last), owner)
            session.add(
                CutRow(
                    conversation_id=conversation_id,
                    branch_id=owner.branch_id,
                    ordinal=until,
                    reason=reason,
                    created_at=self._db.clock.now(),
                    items=to_json(list(item_ids)),
                )
            )

    def forced_cuts(self, conversation_id: int, limit: int = 200) -> list[HeadState]:
        """When messages of a conversation left without a chapter, on whatever path, newest first."""
        with self._db.transaction() as session:
            rows = session.connection().execute(_FORCED, {"conversation": conversation_id, "limit": limit})
            return [HeadState(r.ordinal, tuple(json.loads(r.items)), r.reason, r.created_at) for r in rows]
