"""The fold log: every fold with its attempts, how it went and what came of it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import bindparam, text
from sqlmodel import Session, col, func, select

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.memory import (
    NOTES,
    Attempt,
    Fold,
    FoldKind,
    FoldReason,
    FoldState,
    NewAttempt,
    Rejection,
    WritingStats,
)
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.store.branches import Branches, find_conversation, stretch_at
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.memory_tables import FoldAttemptRow, FoldRow
from kotonia_desktop.store.rows import storable, to_json

_STATS_FIELDS = frozenset(field.name for field in fields(WritingStats))
_NEWEST = text(
    "SELECT f.*, c.id AS chapter_id, c.title FROM fold f LEFT JOIN chapter c ON c.fold_id = f.id"
    " WHERE f.conversation_id = :conversation ORDER BY f.id DESC LIMIT :limit"
)
TO_NOTE = text("""
    SELECT f.id, f.first_ordinal, f.last_ordinal FROM active_stretch a
    CROSS JOIN fold f ON f.branch_id = a.branch_id AND f.last_ordinal <= a.last_ordinal AND f.noted = 0
    WHERE a.conversation_id = :conversation AND f.kind = 'chapter' AND f.state IN ('written', 'applied')
    ORDER BY f.last_ordinal LIMIT 1
""")
_ATTEMPTS = text("SELECT * FROM fold_attempt WHERE fold_id IN :ids ORDER BY fold_id, number").bindparams(
    bindparam("ids", expanding=True)
)
_BATCH = 500


class Folds:
    """Reads and writes the log."""

    def __init__(self, db: Database, branches: Branches) -> None:
        self._db = db
        self._branches = branches

    def begin_fold(
        self,
        conversation_id: int,
        kind: FoldKind,
        reason: FoldReason,
        first: int,
        last: int,
        *,
        model: str = "",
        prompt_version: str = "",
        tokens_before: int = 0,
    ) -> int:
        """Log that the messages from ordinal `first` to `last` of the active path are being written about; the fold's
        id. It counts on every path that goes through `last`. Raises `NotFound`."""
        with self._db.transaction() as session:
            conversation = find_conversation(session, conversation_id)
            chain = self._branches.active_chain(session, conversation)
            owner = stretch_at(chain, last) or chain[-1]
            row = FoldRow(
                conversation_id=conversation_id,
                branch_id=owner.branch_id,
                first_ordinal=first,
                last_ordinal=last,
                kind=kind.value,
                state=FoldState.WRITING.value,
                reason=reason.value,
                model=storable(model),
                prompt_version=storable(prompt_version),
                tokens_before=tokens_before,
                tokens_after=0,
                error="",
                started_at=self._db.clock.now(),
                finished_at=None,
            )
            session.add(row)
            session.flush()
            return row.id

    def add_attempt(self, fold_id: int, attempt: NewAttempt) -> None:
        """Log what was written for a fold. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_fold(session, fold_id)
            numbers = select(func.max(FoldAttemptRow.number)).where(FoldAttemptRow.fold_id == fold_id)
            session.add(
                FoldAttemptRow(
                    fold_id=fold_id,
                    number=(session.exec(numbers).one() or 0) + 1,
                    task=storable(attempt.task),
                    text=storable(attempt.text),
                    finish=attempt.finish.value,
                    rejected=attempt.rejected.value if attempt.rejected is not None else "",
                    stats=to_json(asdict(attempt.stats)),
                    created_at=self._db.clock.now(),
                )
            )

    def fail_fold(self, fold_id: int, error: str, state: FoldState = FoldState.FAILED) -> None:
        """Log that nothing came of a fold; `error` is a code. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = find_fold(session, fold_id)
            row.state, row.error, row.finished_at = state.value, storable(error), self._db.clock.now()

    def apply_folds(self, fold_ids: Sequence[int]) -> None:
        """Log that the texts of folds stand in the memory head now."""
        with self._db.transaction() as session:
            for fold_id in fold_ids:
                find_fold(session, fold_id).state = FoldState.APPLIED.value

    def next_to_note(self, conversation_id: int) -> tuple[int, int, int] | None:
        """The oldest fold of the active path whose messages were not looked through for facts, matters and lines yet:
        its id, first and last ordinal."""
        with self._db.transaction() as session:
            row = session.connection().execute(TO_NOTE, {"conversation": conversation_id}).first()
            return None if row is None else (row.id, row.first_ordinal, row.last_ordinal)

    def set_noted(self, fold_id: int) -> None:
        """A fold's messages were looked through. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_fold(session, fold_id).noted = True

    def recover_folds(self) -> int:
        """Folds that were being written when the app died become interrupted; how many there were."""
        with self._db.transaction() as session:
            rows = session.exec(select(FoldRow).where(FoldRow.state == FoldState.WRITING.value)).all()
            for row in rows:
                row.state, row.finished_at = FoldState.INTERRUPTED.value, self._db.clock.now()
            return len(rows)

    def folds(self, conversation_id: int, limit: int = 200) -> list[Fold]:
        """The newest folds of a conversation, on whatever path, newest first, with their attempts."""
        with self._db.transaction() as session:
            connection = session.connection()
            rows = connection.execute(_NEWEST, {"conversation": conversation_id, "limit": limit}).all()
            attempts: dict[int, list[Attempt]] = {}
            ids = [row.id for row in rows]
            for start in range(0, len(ids), _BATCH):
                for row in connection.execute(_ATTEMPTS, {"ids": ids[start : start + _BATCH]}):
                    attempts.setdefault(row.fold_id, []).append(_to_attempt(row))
            return [_to_fold(row, attempts.get(row.id, [])) for row in rows]


def find_fold(session: Session, fold_id: int) -> FoldRow:
    """A fold's row. Raises `NotFound`."""
    row = session.exec(select(FoldRow).where(col(FoldRow.id) == fold_id)).first()
    if row is None:
        raise NotFound(what="fold", key=fold_id)
    return row


def _to_attempt(row: Any) -> Attempt:  # noqa: ANN401  (a row of a textual statement has no type)
    stats = json.loads(row.stats) if row.stats else {}
    return Attempt(
        task=row.task,
        text=row.text,
        finish=FinishReason(row.finish),
        rejected=Rejection(row.rejected) if row.rejected else None,
        stats=WritingStats(**{key: value for key, value in stats.items() if key in _STATS_FIELDS}),
        number=row.number,
        created_at=row.created_at,
    )


def _to_fold(row: Any, attempts: Sequence[Attempt]) -> Fold:  # noqa: ANN401  (as above)
    return Fold(
        id=row.id,
        conversation_id=row.conversation_id,
        kind=FoldKind(row.kind),
        state=FoldState(row.state),
        reason=FoldReason(row.reason),
        first_ordinal=row.first_ordinal,
        last_ordinal=row.last_ordinal,
        model=row.model,
        prompt_version=row.prompt_version,
        tokens_before=row.tokens_before,
        tokens_after=row.tokens_after,
        error=row.error,
        started_at=row.started_at,
        finished_at=row.finished_at,
        attempts=tuple(attempt for attempt in attempts if not attempt.task.startswith(NOTES)),
        answers=tuple(attempt for attempt in attempts if attempt.task.startswith(NOTES)),
        chapter_id=row.chapter_id,
        title=row.title or "",
    )
