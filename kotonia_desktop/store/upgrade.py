"""How an older file becomes one of the current version: as a copy, checked, that takes its place in one rename.

A crash at any moment leaves the old file or the new one, never neither. The file as it was stays in `backups/`.
"""

import os
import time
from pathlib import Path

from sqlcipher3 import dbapi2

from kotonia_desktop.domain.errors import DataDamaged, WriteFailed
from kotonia_desktop.domain.ports import Clock
from kotonia_desktop.store.migrations import LATEST, RawConnection, migrate

KEPT_BACKUPS = 3
_COUNTED = ("message", "revision", "event", "path_entry", "character", "asset")
"""No migration adds or drops rows of these."""


def prepare_upgrade(raw: RawConnection, path: Path, found: int, clock: Clock) -> Path:
    """Copy the open database `raw` (version `found`) to `backups/` and beside `path`; the second copy is returned."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(clock.now()))
    backups = path.parent / "backups"
    backups.mkdir(mode=0o700, exist_ok=True)
    _copy(raw, backups / f"pre-v{found + 1}-{stamp}.db")
    for old in sorted(backups.glob("pre-v*.db"), key=lambda p: (p.stat().st_mtime, p.name))[:-KEPT_BACKUPS]:
        old.unlink()
    copy = path.with_name(path.name + ".upgrading")
    _copy(raw, copy)
    # No log may outlive the file it belongs to: the next file would take it for its own.
    if raw.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete":
        raise WriteFailed(path=str(path), detail="its log could not be closed")
    return copy


def upgrade_copy(copy: Path, path: Path) -> None:
    """Migrate `copy`, check it, and put it in the place of `path`. Nobody may have either open."""
    raw: RawConnection = dbapi2.connect(str(copy), isolation_level=None, timeout=0)
    try:
        raw.execute("PRAGMA foreign_keys=OFF")  # a migration may rebuild a table that others point to
        raw.execute("PRAGMA synchronous=FULL")
        version = int(raw.execute("PRAGMA user_version").fetchone()[0])
        before = _row_counts(raw)
        while version < LATEST:
            version += 1
            migrate(raw, version)
        if raw.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise DataDamaged(path=str(path), detail="its migrated copy fails the integrity check")
        if raw.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise DataDamaged(path=str(path), detail="rows of its migrated copy point to rows that are missing")
        if _row_counts(raw) != before:
            raise DataDamaged(path=str(path), detail="rows are missing in its migrated copy")
    finally:
        raw.close()
    if path.with_name(path.name + "-wal").exists():
        raise WriteFailed(path=str(path), detail="its log could not be closed")
    os.replace(copy, path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` outlive a power cut, where the system knows how to (Windows does not need it)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _copy(raw: RawConnection, target: Path) -> None:
    target.unlink(missing_ok=True)
    target.touch(mode=0o600)
    copy = dbapi2.connect(str(target), isolation_level=None)
    try:
        raw.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
    finally:
        copy.close()


def _row_counts(raw: RawConnection) -> list[int]:
    return [int(raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0]) for table in _COUNTED]
