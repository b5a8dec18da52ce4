"""The numbered migrations, from the first table on: pure SQL, frozen once released, never the classes of `tables`.

Each runs in one transaction that also sets `user_version`. The text of a released migration never changes; what
changes the tables is the next number. Written by hand: the driver's own transactions would not take DDL back.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from kotonia_desktop.store.migration_sql import M001, M002, M003, M004, M005

APPLICATION_ID = 0x4B544E41
"""Stands in the file's header: `KTNA`."""


class RawConnection(Protocol):
    """What we use of a driver's connection."""

    def execute(self, sql: str, values: Sequence[object] = (), /) -> Any:  # noqa: ANN401  (the driver is untyped)
        """Run one statement; the cursor with its rows."""

    def backup(self, target: Any, /) -> None:  # noqa: ANN401  (the driver is untyped)
        """Copy the whole database into another connection."""

    def close(self) -> None:
        """Give the file free."""


def m001(db: RawConnection) -> None:
    """Library, conversations, messages, paths, search."""
    db.execute(f"PRAGMA application_id={APPLICATION_ID}")
    _run(db, M001)


def m002(db: RawConnection) -> None:
    """Memory: folds and their attempts, chapters, ledger, threads, pins."""
    _run(db, M002)


def m003(db: RawConnection) -> None:
    """Folding: titles, what stands in the memory head, marks of messages."""
    _run(db, M003)


def m004(db: RawConnection) -> None:
    """A memory that can be checked: whose word a row is, the user's hand, versions of texts, where the story stands."""
    _run(db, M004)


def m005(db: RawConnection) -> None:
    """Recall: the search index once more, with English words by their stems."""
    _run(db, M005)


MIGRATIONS: tuple[Callable[[RawConnection], None], ...] = (m001, m002, m003, m004, m005)
LATEST = len(MIGRATIONS)


def migrate(db: RawConnection, number: int) -> None:
    """Bring a database of version `number - 1` to `number`, wholly or not at all."""
    db.execute("BEGIN IMMEDIATE")
    try:
        MIGRATIONS[number - 1](db)
        db.execute(f"PRAGMA user_version={number}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def _run(db: RawConnection, statements: Iterable[str]) -> None:
    for statement in statements:
        db.execute(statement)
