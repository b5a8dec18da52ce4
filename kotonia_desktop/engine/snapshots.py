"""What was read, on disk: a sequence's state is saved when its conversation is left, and put back when it is opened.

A snapshot is two files, both for the user's account alone: the data, and a manifest that is written last and names it.
It is only ever a cache. Whatever differs (model, library, kind of memory, a byte) makes it as if it were not there,
which is counted and not told. llama.cpp ends the process over a state that is cut, so length and checksum are looked
at before it sees one.

Data: the token ids (int32, little endian), the checkpoints' states one behind the other, the whole state.
"""

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from kotonia_desktop.engine.snapshot_manifest import DATA, MANIFEST, VERSION, Manifest, read_manifest
from kotonia_desktop.engine.states import Checkpoint, SequenceState, usable_tokens

_PART: Final = ".part"
_SAMPLED: Final = 64
_SAMPLE: Final = 64 * 1024
_DISK_SPARE: Final = 2 * 2**30
"""Bytes that must stay free on the disk."""


class _CanRemove(Protocol):
    def __call__(self, length: int, *, tokens: int) -> bool: ...


@dataclass(frozen=True, slots=True)
class Found:
    """A snapshot that fits a prompt: its manifest, its ids, and how many tokens of the prompt it saves reading."""

    path: Path
    manifest: Manifest
    ids: list[int]
    usable: int


def digest_of_model(path: str | Path) -> str:
    """A name for a model's contents: its size and 64 samples of 64 KiB, spread over the file, its header among them.

    All of a file of many gigabytes would take longer to read than what a snapshot saves.
    """
    size = os.path.getsize(path)
    digest = hashlib.blake2b(str(size).encode(), digest_size=16)
    with open(path, "rb") as file:
        for number in range(_SAMPLED):
            file.seek(max(0, size - _SAMPLE) * number // (_SAMPLED - 1))
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()


class SnapshotStore:
    """The snapshots in one folder that belong to one way of running one model. One process at a time; one of its
    threads may save while another looks for one."""

    def __init__(self, folder: Path, identity: str, most_bytes: int) -> None:
        """`identity` names all that a state depends on; `most_bytes` is what the folder may take."""
        self.folder = folder
        self.identity = identity
        self.most_bytes = most_bytes
        self.counts: Counter[str] = Counter()
        """`saved`, `restored`, `evicted`, `not_saved`, and `ignored_...` by what differed."""
        self._ids: dict[Path, tuple[int, list[int]]] = {}
        self._lock = threading.Lock()
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.chmod(folder, 0o700)
            self._sweep()

    def _sweep(self) -> None:
        """Remove what an interrupted save left: data that no manifest names."""
        named = {manifest.data for _, manifest in self._manifests()}
        for path in self.folder.iterdir():
            if path.name.endswith(_PART) or (path.suffix == DATA and path.name not in named):
                path.unlink(missing_ok=True)

    def _manifests(self) -> list[tuple[Path, Manifest]]:
        found: list[tuple[Path, Manifest]] = []
        for path in sorted(self.folder.glob(f"*{MANIFEST}")):
            manifest = read_manifest(path)
            if manifest is None:
                self.counts["ignored_manifest"] += 1
                path.unlink(missing_ok=True)
            else:
                found.append((path, manifest))
        return found

    # -- saving

    def save(self, owner: str, state: SequenceState) -> bool:
        """Write a snapshot in place of the owner's older one. False where it could not be, which is counted."""
        try:
            self._save(owner, state)
        except OSError:
            self.counts["not_saved"] += 1
            return False
        self.counts["saved"] += 1
        return True

    def _save(self, owner: str, state: SequenceState) -> None:
        ids = np.asarray(state.ids, dtype="<i4")
        size = ids.nbytes + state.size
        if size > self.most_bytes or shutil.disk_usage(self.folder).free - size < _DISK_SPARE:
            raise OSError("no room for it")
        path = self._path(owner)
        with self._lock:
            self._make_room(size, owner)
            before = read_manifest(path)
        name = f"{path.stem}-{secrets.token_hex(6)}{DATA}"
        raw_ids = ids.tobytes()
        pieces: list[bytes | memoryview] = [
            raw_ids,
            *(checkpoint.state for checkpoint in state.checkpoints),
            state.state.data,
        ]
        digest = _write_private(self.folder / name, pieces)
        manifest = Manifest(
            version=VERSION,
            identity=self.identity,
            owner=owner,
            data=name,
            tokens=len(state.ids),
            ids_digest=_digest(raw_ids),
            checkpoints=[[checkpoint.length, len(checkpoint.state)] for checkpoint in state.checkpoints],
            state_bytes=len(state.state),
            digest=digest,
        )
        with self._lock:
            _write_private(path, [json.dumps(asdict(manifest)).encode()])
            if before is not None:
                (self.folder / before.data).unlink(missing_ok=True)

    def _path(self, owner: str) -> Path:
        name = hashlib.blake2b(f"{owner}\0{self.identity}".encode(), digest_size=10).hexdigest()
        return self.folder / f"{name}{MANIFEST}"

    def _make_room(self, size: int, owner: str) -> None:
        """Let the snapshots go that were used longest ago, of whatever model, until `size` more bytes are allowed."""
        rows = []
        for path, manifest in self._manifests():
            with contextlib.suppress(OSError):
                rows.append((path.stat().st_mtime_ns, (self.folder / manifest.data).stat().st_size, path, manifest))
        own = self._path(owner)
        total = sum(row[1] for row in rows if row[2] != own)
        for _, taken, path, manifest in sorted(rows, key=lambda row: row[0]):
            if total + size <= self.most_bytes:
                return
            if path != own:
                self._remove(path, manifest)
                self.counts["evicted"] += 1
                total -= taken

    def _remove(self, path: Path, manifest: Manifest) -> None:
        if read_manifest(path) == manifest:  # else a newer one has taken its place
            path.unlink(missing_ok=True)
        (self.folder / manifest.data).unlink(missing_ok=True)

    # -- restoring

    def find(self, wanted: Sequence[int], owner: str, can_remove: _CanRemove) -> Found | None:
        """The snapshot that saves most of reading `wanted`: the owner's, or another's that begins in the same way.

        `can_remove(length, tokens=…)` says whether a state of `tokens` can be cut to `length` without a checkpoint.
        """
        best: Found | None = None
        with self._lock, contextlib.suppress(OSError):
            for path, manifest in self._manifests():
                if manifest.identity != self.identity:
                    if manifest.owner == owner:
                        self.counts["ignored_identity"] += 1
                    continue
                ids = self._read_ids(path, manifest)
                if ids is None:
                    continue
                checkpoints = [Checkpoint(length, b"") for length, _ in manifest.checkpoints]
                usable = usable_tokens(ids, checkpoints, wanted, partial(can_remove, tokens=len(ids)))
                if usable > (best.usable if best is not None else 0):
                    best = Found(path, manifest, ids, usable)
        return best

    def _read_ids(self, path: Path, manifest: Manifest) -> list[int] | None:
        data = self.folder / manifest.data
        changed = path.stat().st_mtime_ns
        known = self._ids.get(path)
        if known is not None and known[0] == changed:
            return known[1]
        try:
            with data.open("rb") as file:
                raw = file.read(manifest.tokens * 4)
            right = data.stat().st_size == manifest.data_bytes and _digest(raw) == manifest.ids_digest
        except OSError:
            right = False
        if not right:
            self.counts["ignored_damaged"] += 1
            self._remove(path, manifest)
            return None
        ids: list[int] = np.frombuffer(raw, dtype="<i4").tolist()
        self._ids[path] = (changed, ids)
        return ids

    def load(self, found: Found) -> SequenceState | None:
        """The state of a snapshot; None where a byte of it differs from what was written."""
        with self._lock:
            return self._load(found)

    def _load(self, found: Found) -> SequenceState | None:
        manifest = found.manifest
        try:
            raw: NDArray[np.uint8] = np.fromfile(self.folder / manifest.data, dtype=np.uint8)
        except OSError:
            raw = np.empty(0, dtype=np.uint8)
        if len(raw) != manifest.data_bytes or _digest(raw.data) != manifest.digest:
            self.counts["ignored_damaged"] += 1
            self._remove(found.path, manifest)
            return None
        place = manifest.tokens * 4
        checkpoints = []
        for length, size in manifest.checkpoints:
            checkpoints.append(Checkpoint(length, raw[place : place + size].tobytes()))
            place += size
        now = time.time()
        with contextlib.suppress(OSError):
            os.utime(found.path, (now, now))
        return SequenceState(list(found.ids), raw[place:], tuple(checkpoints))

    def bytes_on_disk(self) -> int:
        """What the folder takes."""
        with contextlib.suppress(OSError):
            return sum(path.stat().st_size for path in self.folder.iterdir())
        return 0


def _digest(data: bytes | memoryview) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _write_private(path: Path, pieces: Sequence[bytes | memoryview]) -> str:
    """Write a file that only the user's account may read, whole or not at all; its digest."""
    part = path.with_name(path.name + _PART)
    part.unlink(missing_ok=True)
    digest = hashlib.blake2b(digest_size=16)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return digest.hexdigest()
