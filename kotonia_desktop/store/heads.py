"""The prompt's beginning on each path: which messages are no longer shown verbatim, and what of memory stands there."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from kotonia_desktop.domain.memory import HeadLine, HeadState, LineKind
from kotonia_desktop.store.branches import Branches, find_conversation
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.rows import to_json
from kotonia_desktop.store.tables import CutRow

_NEWEST = text(
    "SELECT id, ordinal, reason, created_at, items, lines, hand_seen FROM cut"
    " WHERE branch_id = :branch AND (ordinal IS NULL OR ordinal <= :last) ORDER BY id DESC LIMIT 1"
)
_FORCED = text(
    "SELECT ordinal, reason, created_at, items, lines, hand_seen FROM cut"
    " WHERE conversation_id = :conversation AND reason = 'ceiling' ORDER BY id DESC LIMIT :limit"
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
                    state = _to_state(found)
            return state

    def set_head(
        self,
        conversation_id: int,
        until: int | None,
        item_ids: Sequence[int],
        reason: str,
        lines: Sequence[HeadLine] = (),
        hand_seen: int = 0,
    ) -> None:
        """From now on messages up to ordinal `until` are not shown verbatim (None: all are), and `item_ids` and
        `lines` stand in the memory head, on every path that goes through there. Raises `NotFound`."""
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
                    lines=to_json([[line.kind.value, line.id, line.text] for line in lines]),
                    hand_seen=hand_seen,
                )
            )

    def forced_cuts(self, conversation_id: int, limit: int = 200) -> list[HeadState]:
        """When messages of a conversation left without a chapter, on whatever path, newest first."""
        with self._db.transaction() as session:
            rows = session.connection().execute(_FORCED, {"conversation": conversation_id, "limit": limit})
            return [_to_state(row) for row in rows]


def _to_state(row: Any) -> HeadState:  # noqa: ANN401  (a row of a textual statement has no type)
    lines = tuple(HeadLine(LineKind(kind), target, words) for kind, target, words in json.loads(row.lines))
    return HeadState(row.ordinal, tuple(json.loads(row.items)), row.reason, row.created_at, lines, row.hand_seen)
