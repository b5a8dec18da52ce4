"""Keeps the books on the prompt cache: which tokens of a prompt are new, and which were read although known.

The measure of promise 1: outside stated exceptions a turn reads its own new tokens and nothing else.
"""

from collections.abc import Sequence

from kotonia_desktop.prompt.build import Key


class SeenParts:
    """The parts of one conversation's prompts that the model has read since it was loaded."""

    def __init__(self) -> None:
        self._seen: set[Key] = set()
        self._unread_tail = 0

    def reread(self, keys: Sequence[Key], tokens: Sequence[int], opener: int, prompt: int, reused: int) -> int:
        """Tokens of this prompt that were read again: all that were read, less those of parts never seen before.

        `tokens` are the parts' counts, `opener` that of the reply's opener, `prompt` and `reused` the engine's
        figures for the whole prompt.
        """
        new = sum(count for key, count in zip(keys, tokens, strict=True) if key not in self._seen)
        return max(0, prompt - reused - new - opener - self._unread_tail)

    def cached(self, keys: Sequence[Key], tokens: Sequence[int]) -> int:
        """Tokens of the parts at the prompt's beginning that were read before."""
        total = 0
        for key, count in zip(keys, tokens, strict=True):
            if key not in self._seen:
                break
            total += count
        return total

    def add(self, keys: Sequence[Key], reply: Key | None = None, unread_tail: int = 0) -> None:
        """Note that `keys` were read, and that `reply` was written.

        `unread_tail` are the marks that close the reply's turn: the next turn reads them for the first time.
        """
        self._seen.update(keys)
        if reply is not None:
            self._seen.add(reply)
        self._unread_tail = unread_tail


def kept_ids(ids: Sequence[int], id_bytes: Sequence[int], kept: str) -> tuple[int, ...] | None:
    """The sampled ids that make up `kept`, the beginning of what they spell; None where no id ends there.

    `id_bytes[i]` is how many bytes of UTF-8 the i-th id gave. White space at the end of `kept` may be left out.
    """
    most = len(kept.encode())
    least = len(kept.rstrip().encode())
    size = 0
    best: int | None = 0 if least == 0 else None
    for index, length in enumerate(id_bytes):
        size += length
        if size > most:
            break
        if size >= least:
            best = index + 1
    return None if best is None else tuple(ids[:best])
