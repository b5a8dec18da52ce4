"""What the chat context holds, and where it comes from: what lies there, what was staged, or a snapshot on disk.

A prompt that is to be read takes the source that saves most. A conversation that is left is saved first. Nothing here
changes what the logits are: every source is a state behind exactly the ids it is listed with.
"""

import queue
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import psutil

from kotonia_desktop.domain.ports import CacheReport
from kotonia_desktop.engine.jobs import Control
from kotonia_desktop.engine.llama import LlamaError
from kotonia_desktop.engine.sequences import CachedSequence, Use
from kotonia_desktop.engine.snapshots import SnapshotStore
from kotonia_desktop.engine.states import SequenceState

DISK_RATE: Final = 200e6
"""Bytes a second that saving and restoring reach on a slow disk, the checksum included."""
_LEAST_SAVED: Final = 128
"""Tokens: less is read as fast as it is fetched."""
_IDLE_SECONDS: Final = 20.0
_IDLE_TIMES: Final = 5.0
"""While the conversation stays open it is saved where reading it again would take so long, and so many times longer
than saving it."""
_GUESSED_RATE: Final = 50.0
"""Tokens a second, until some were read: of a small model on a slow machine."""
_MEMORY_SPARE: Final = 512 * 2**20


@dataclass(slots=True)
class _Saved:
    """What of the open conversation is on disk."""

    owner: str = ""
    ids: list[int] | None = None

    def covers(self, sequence: CachedSequence) -> int:
        """How many of the sequence's tokens are there, were it read again."""
        if self.owner != sequence.owner or self.ids is None:
            return 0
        return sequence.usable_from(self.ids)


class ChatKeeper:
    """Owns the choice of what the chat sequence holds. All methods but `flush` run on the decoding thread."""

    def __init__(self, chat: CachedSequence, stage: CachedSequence, snapshots: SnapshotStore | None) -> None:
        self._chat = chat
        self._stage = stage
        self._snapshots = snapshots
        self._saved = _Saved()
        self._counts: Counter[str] = Counter()
        self._writer = _Writer()
        chat.on_claim = self.claim
        for sequence in (chat, stage, *chat.neighbours, *stage.neighbours):
            sequence.on_freed = self._on_freed

    def _on_freed(self, use: Use, tokens: int) -> None:
        self._counts[f"freed_{use.name.lower()}"] += tokens

    # -- taking

    def claim(self, wanted: Sequence[int], owner: str) -> None:
        """Bring the best there is for `wanted` into the chat sequence; a conversation that is left is saved."""
        left = self._chat.owner != owner
        if left:
            self.park()
        present = self._chat.usable(wanted)
        if self._stage.owner == owner and self._stage.usable(wanted) > present and self._swap():
            present = self._chat.usable(wanted)
        if left or not self._chat.ids:
            self._restore(wanted, owner, present)

    def swap(self, wanted: Sequence[int], owner: str) -> bool:
        """Put the staged prefix into the chat sequence where it serves `wanted` better than what lies there."""
        if self._chat.owner not in ("", owner):
            return False  # another conversation is open; what is staged is taken when this one is
        if self._stage.owner != owner or self._stage.usable(wanted) <= self._chat.usable(wanted):
            return False
        swapped = self._swap()
        self._chat.owner = owner
        return swapped

    def _swap(self) -> bool:
        """Copy the staged state over. The copy is what leaves the chat context compact: attention runs over every
        cell up to the highest one in use, holes included."""
        stage = self._stage
        try:
            if not _may_copy(stage.context.state_size(stage.number)):
                self._counts["swap_no_memory"] += 1
                return False
            state = stage.save()
            swapped = self._chat.adopt(state)
        except LlamaError:
            self._chat.clear()
            swapped = False
        if swapped:
            self._counts["swaps"] += 1
            self._counts["swapped_tokens"] += len(state.ids)
        stage.clear()
        stage.owner = ""
        return swapped

    def _restore(self, wanted: Sequence[int], owner: str, present: int) -> None:
        if self._snapshots is None or not owner:
            return
        self._writer.wait(owner)
        found = self._snapshots.find(wanted, owner, self._chat.could_remove)
        if found is None or found.usable - present < _LEAST_SAVED:
            return
        size = found.manifest.data_bytes
        if (found.usable - present) / self._rate() < size / DISK_RATE or not _may_copy(size):
            return
        state = self._snapshots.load(found)
        if state is None or not self._chat.adopt(state):
            self._counts["ignored_refused"] += state is not None
            return
        self._counts["restored"] += 1
        self._counts["restored_tokens"] += found.usable
        if found.manifest.owner == owner:
            self._saved = _Saved(owner, list(state.ids))

    # -- saving

    def park(self) -> None:
        """Save the open conversation where that is worth it: it is being left."""
        self._save(least_seconds=_LEAST_SAVED / self._rate(), times=1.0)

    def idle(self) -> None:
        """Nobody waits for anything: save the open conversation where losing it would cost long."""
        self._save(least_seconds=_IDLE_SECONDS, times=_IDLE_TIMES)

    def _save(self, *, least_seconds: float, times: float) -> None:
        chat = self._chat
        if self._snapshots is None or not chat.owner or not chat.ids:
            return
        seconds = (len(chat.ids) - self._saved.covers(chat)) / self._rate()
        if seconds < least_seconds:
            return
        try:
            size = chat.context.state_size(chat.number)
            if seconds < times * size / DISK_RATE or not _may_copy(size):
                return
            state = chat.save()
        except LlamaError:
            return
        self._saved = _Saved(chat.owner, list(state.ids))
        self._writer.write(self._snapshots, chat.owner, state)

    def flush(self) -> None:
        """Wait until what was to be saved is on disk. From any thread."""
        self._writer.wait()

    def forget(self, owner: str) -> None:
        """Drop what is held of a conversation in memory; its snapshots are the caller's to remove."""
        self.flush()
        for sequence in (self._chat, self._stage):
            if sequence.owner == owner:
                sequence.clear()
                sequence.owner = ""
        if self._saved.owner == owner:
            self._saved = _Saved()

    def _rate(self) -> float:
        """Tokens a second of reading, as measured on this model."""
        return self._chat.context.reading_rate() or self._stage.context.reading_rate() or _GUESSED_RATE

    def report(self) -> CacheReport:
        """What was done so far."""
        snapshots = self._snapshots
        counts = self._counts + (snapshots.counts if snapshots is not None else Counter())
        return CacheReport(dict(counts), snapshots.bytes_on_disk() if snapshots is not None else 0)

    def close(self) -> None:
        """Wait for what is being written, and end the thread."""
        self._writer.close()


def idle_steps(keeper: ChatKeeper, control: Control) -> Iterator[None]:
    """Saving in idle time, as a job of one step."""
    if not control.cancelled:
        keeper.idle()
    return
    yield


def _may_copy(size: int) -> bool:
    """Whether memory has room for a copy of `size` bytes."""
    return size + _MEMORY_SPARE < psutil.virtual_memory().available


class _Writer:
    """A thread that writes snapshots, so that decoding goes on."""

    def __init__(self) -> None:
        self._rows: queue.Queue[tuple[SnapshotStore, str, SequenceState] | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._pending: Counter[str] = Counter()
        self._changed = threading.Condition()

    def write(self, store: SnapshotStore, owner: str, state: SequenceState) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="snapshots", daemon=True)
            self._thread.start()
        with self._changed:
            self._pending[owner] += 1
        self._rows.put((store, owner, state))

    def _run(self) -> None:
        while True:
            row = self._rows.get()
            if row is None:
                return
            try:
                row[0].save(row[1], row[2])
            except Exception:  # whatever it is, it costs this snapshot and nothing else
                row[0].counts["not_saved"] += 1
            finally:
                with self._changed:
                    self._pending[row[1]] -= 1
                    self._changed.notify_all()

    def wait(self, owner: str | None = None) -> None:
        """Until all is written, or with `owner` at least what is that one's."""
        with self._changed:
            while self._pending[owner] if owner is not None else self._pending.total():
                self._changed.wait()

    def close(self) -> None:
        self.wait()
        if self._thread is not None:
            self._rows.put(None)
            self._thread.join()
            self._thread = None
