"""What a snapshot's manifest says. Without llama.cpp and numpy: the app removes snapshots with it, too."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

VERSION: Final = 1
MANIFEST: Final = ".json"
DATA: Final = ".kv"
_DATA_NAME: Final = re.compile(rf"[0-9a-f]{{1,64}}-[0-9a-f]{{1,64}}{re.escape(DATA)}")
"""Only names that `SnapshotStore` gives: another could not even be a file's."""
_LIMIT: Final = 64 * 1024
"""Bytes: a longer one is none of ours."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a snapshot is of. `checkpoints` are (tokens, bytes); sizes in bytes; digests are BLAKE2b."""

    version: int
    identity: str
    owner: str
    data: str
    tokens: int
    ids_digest: str
    checkpoints: list[list[int]]
    state_bytes: int
    digest: str

    @property
    def data_bytes(self) -> int:
        """How long the data file must be."""
        return self.tokens * 4 + sum(size for _, size in self.checkpoints) + self.state_bytes


def forget_snapshots(folder: Path, owner: str | None = None) -> int:
    """Remove the snapshots of a conversation (None: of all). How many there were. Raises `OSError`."""
    gone = 0
    for path in sorted(folder.glob(f"*{MANIFEST}")):
        manifest = read_manifest(path)
        if manifest is None or owner is None or manifest.owner == owner:
            path.unlink(missing_ok=True)
            if manifest is not None:
                (folder / manifest.data).unlink(missing_ok=True)
            gone += 1
    return gone


def read_manifest(path: Path) -> Manifest | None:
    """The manifest in a file; None where it is none of this version, or cannot be read."""
    try:
        with path.open("rb") as file:
            values = json.loads(file.read(_LIMIT))
        manifest = Manifest(**values)
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    return manifest if _is_sound(manifest) else None


def _is_sound(manifest: Manifest) -> bool:
    """Whether every value is of its kind: the file may hold anything."""
    texts = (manifest.identity, manifest.owner, manifest.data, manifest.ids_digest, manifest.digest)
    numbers = [manifest.tokens, manifest.state_bytes]
    rows = manifest.checkpoints if isinstance(manifest.checkpoints, list) else [None]
    for row in rows:
        if not isinstance(row, list) or len(row) != 2:
            return False
        numbers += row
    return (
        manifest.version == VERSION
        and all(isinstance(text, str) for text in texts)
        and all(isinstance(number, int) and 0 <= number < 2**48 for number in numbers)
        and manifest.tokens < 2**26
        and _DATA_NAME.fullmatch(manifest.data) is not None
    )
