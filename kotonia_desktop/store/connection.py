"""The one connection to the data file: opened exclusively, checked, brought to the current version, closed.

Nothing else opens the file. SQLite before 3.51.3 can damage a write-ahead log that two connections use
(sqlite.org/wal.html, "the WAL-reset bug"): so there is one connection, and an old SQLite is refused.
The settings below follow sqlite.org/pragma.html and, for files of unknown origin, sqlite.org/security.html.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool
from sqlcipher3 import dbapi2
from sqlmodel import Session

from kotonia_desktop.domain.errors import (
    DataDamaged,
    DataFolderBusy,
    DataTooNew,
    DiskFull,
    NotOurData,
    SqliteTooOld,
    StoreError,
    WriteFailed,
)
from kotonia_desktop.domain.ports import Clock
from kotonia_desktop.store.migrations import APPLICATION_ID, LATEST, RawConnection, migrate
from kotonia_desktop.store.upgrade import prepare_upgrade, upgrade_copy

OLDEST_SQLITE = (3, 51, 3)
LEAST_FREE = 1 << 20
"""Bytes. With less free than this, a failed write is told as a full disk."""

_BUSY, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _NOTADB, _PERM = 5, 8, 10, 11, 13, 14, 26, 3

_PRAGMAS = (
    "locking_mode=EXCLUSIVE",  # before the first access: then the log needs no shared memory file
    "trusted_schema=OFF",
    "cell_size_check=ON",
    "mmap_size=0",  # a bad sector is then an error we can catch, not SIGBUS
    "journal_mode=WAL",
    "synchronous=FULL",  # in WAL mode NORMAL loses acknowledged commits at a power cut
    "fullfsync=ON",  # macOS: fsync alone leaves the data in the drive's cache
    "checkpoint_fullfsync=ON",
    "foreign_keys=ON",
    "journal_size_limit=67108864",
    "cache_size=-32768",
    "temp_store=MEMORY",  # no message text in temporary files
)


class Database:
    """The data file, open. Owns the connection; lives and dies in one thread."""

    def __init__(self, path: Path, clock: Clock) -> None:
        """Open `path`, made if it is missing, migrated if it is old.

        Raises `DataFolderBusy`, `DataTooNew`, `NotOurData`, `DataDamaged`, `DiskFull`, `WriteFailed`, `SqliteTooOld`.
        """
        self.path = path
        self.clock = clock
        self.on_rollback: list[Callable[[], None]] = []
        """Called when a transaction is taken back: ids that were given inside it are given again."""
        if dbapi2.sqlite_version_info < OLDEST_SQLITE:
            raise SqliteTooOld(found=dbapi2.sqlite_version, need=".".join(map(str, OLDEST_SQLITE)))
        self._raw = open_file(path, clock)
        self._engine = create_engine(
            "sqlite://",
            creator=lambda: self._raw,
            module=dbapi2,
            poolclass=StaticPool,
            hide_parameters=True,  # the values are what people wrote
        )
        event.listen(self._engine, "begin", _begin)
        self._session: Session | None = None

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """All that is done inside is written at once or not at all; one inside another joins it.

        Raises a `StoreError` where the file cannot be read or written; then nothing of it is written.
        """
        if self._session is not None:
            with self.reporting():
                yield self._session
                self._session.flush()  # what comes next in the same transaction may read it past the session
            return
        with self.reporting(), Session(self._engine, autoflush=False, expire_on_commit=False) as session:
            self._session = session
            try:
                session.connection()
                yield session
                session.commit()
            except BaseException:
                for forget in self.on_rollback:
                    forget()
                session.rollback()
                raise
            finally:
                self._session = None

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Turn the driver's errors into ours."""
        try:
            yield
        except DBAPIError as error:
            # Not chained: the driver's text shows the bound values, and those are what people wrote.
            raise store_error(error.orig, self.path) from None

    def close(self) -> None:
        """Move the log into the file and give it free."""
        self._engine.dispose()
        self._raw.close()  # the engine does not know the connection before it was first used


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def open_file(path: Path, clock: Clock) -> RawConnection:
    """The file at `path`, locked, checked and of the current version."""
    try:
        found = _look_at(path)
        if 0 < found < LATEST:
            _upgrade(path, found, clock)
        raw = _connect(path)
        try:
            _check_identity(raw, path)
            version = _version(raw)
            while version < LATEST:
                version += 1
                migrate(raw, version)
        except BaseException:
            _close_quietly(raw)
            raise
    except dbapi2.Error as error:
        raise store_error(error, path) from error
    except OSError as error:
        raise WriteFailed(path=str(path), detail=error.strerror or "it cannot be reached") from error
    return raw


def _look_at(path: Path) -> int:
    """The version of the file without touching it; 0 where it is new or empty. Refuses what is not ours.

    Read through SQLite with `immutable`, which takes no lock and leaves the log alone. Opening the file by hand would
    drop the locks of a connection that this process may have on it (sqlite.org/howtocorrupt.html, 2.2).
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0
    if not stat.S_ISREG(found.st_mode):
        raise WriteFailed(path=str(path), detail="it is no file")
    if found.st_size == 0:
        return 0
    if found.st_size < 512:  # SQLite takes so short a file for an empty database and would write over it
        raise NotOurData(path=str(path))
    raw = dbapi2.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True, isolation_level=None)
    try:
        return _check_identity(raw, path)
    finally:
        raw.close()


def _check_identity(raw: RawConnection, path: Path) -> int:
    """The file's version, 0 where it is empty; raises `NotOurData` or `DataTooNew`."""
    identity = raw.execute("PRAGMA application_id").fetchone()[0]
    empty = raw.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if identity != APPLICATION_ID:
        if identity == 0 and empty:
            return 0
        raise NotOurData(path=str(path))
    version = _version(raw)
    if version > LATEST:
        raise DataTooNew(path=str(path), found=version, known=LATEST)
    return version


def _connect(path: Path) -> RawConnection:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)  # what people write here is theirs alone; the log takes over these rights
    log = path.with_name(path.name + "-wal")
    crashed = log.exists() and log.stat().st_size > 0
    # Threads: the connection never leaves the thread that opened it, and the driver holds us to it.
    raw: RawConnection = dbapi2.connect(str(path), isolation_level=None, timeout=0)
    try:
        for pragma in _PRAGMAS:
            raw.execute(f"PRAGMA {pragma}").fetchall()
        raw.execute("BEGIN IMMEDIATE")  # takes the lock now rather than at the first write
        raw.execute("COMMIT")
        if crashed:
            verdict = str(raw.execute("PRAGMA quick_check(1)").fetchone()[0])
            if verdict != "ok":
                raise DataDamaged(path=str(path), detail="its pages contradict each other")
    except BaseException:
        _close_quietly(raw)
        raise
    return raw


def _upgrade(path: Path, found: int, clock: Clock) -> None:
    """Bring an older file to the current version, as a copy that takes its place."""
    raw = _connect(path)
    try:
        if _check_identity(raw, path) != found:
            return  # the log held a later state: the plain way will see it
        copy = prepare_upgrade(raw, path, found, clock)
    finally:
        _close_quietly(raw)
    upgrade_copy(copy, path)


def _version(raw: RawConnection) -> int:
    return int(raw.execute("PRAGMA user_version").fetchone()[0])


def _close_quietly(raw: RawConnection) -> None:
    """Close after a failure; the failure itself is what is reported."""
    with suppress(dbapi2.Error):
        raw.close()


def store_error(error: BaseException | None, path: Path) -> StoreError:
    """Our error for the driver's. Its text is not passed on: it may hold what was being written."""
    code = getattr(error, "sqlite_errorcode", 0) or 0
    primary = code & 0xFF
    name = str(getattr(error, "sqlite_errorname", "") or type(error).__name__)
    if primary == _BUSY:
        return DataFolderBusy(path=str(path.parent))
    if "decode to UTF-8" in str(error):  # the driver's own error, without a code
        return DataDamaged(path=str(path), detail="a text in it is no longer UTF-8")
    if primary == _NOTADB:
        return DataDamaged(path=str(path), detail="it does not begin as a database does")
    if primary == _CORRUPT:
        return DataDamaged(path=str(path), detail=name)
    if primary == _FULL or (primary == _IOERR and _free_bytes(path) < LEAST_FREE):
        return DiskFull(path=str(path))
    if primary in (_READONLY, _PERM, _CANTOPEN):
        return WriteFailed(path=str(path), detail=f"no permission, {name}")
    return WriteFailed(path=str(path), detail=name)


def _free_bytes(path: Path) -> int:
    try:
        return shutil.disk_usage(os.path.dirname(path) or ".").free
    except OSError:
        return LEAST_FREE
