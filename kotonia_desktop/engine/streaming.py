"""Makes text of a reply's tokens while they come: whole characters, stop strings held back, the think block apart."""

from collections.abc import Callable, Sequence
from typing import Final

from kotonia_desktop.domain.ports import TextPiece

_BLANK: Final = b" \t\r\n"
_NO_TOKEN: Final = -1
"""Stands for bytes whose token belongs to something else too; they are tokenised anew."""


def whole_characters(data: bytes | bytearray) -> int:
    """How many bytes of `data` may be shown: all but a character that is not complete yet."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(data) - back if length > back else len(data)
        if byte < 0x80:
            break
    return len(data)


def _held_back(data: bytes | bytearray, marks: Sequence[bytes]) -> int:
    """How many bytes at the end of `data` may be the beginning of one of `marks`."""
    longest = max((len(mark) for mark in marks), default=1) - 1
    for length in range(min(longest, len(data)), 0, -1):
        end = bytes(data[-length:])
        if any(mark.startswith(end) for mark in marks if len(mark) > length):
            return length
    return 0


class ReplyStream:
    """The text of one reply in the making. Feed it tokens; take its pieces; ask it what came of it."""

    def __init__(
        self,
        stops: Sequence[str] = (),
        think: tuple[str, str] = ("<think>", "</think>"),
        thinking: bool = False,
        continued: bool = False,
        exact: bool = False,
    ) -> None:
        """`thinking`: the opener left the model inside the block. `continued`: blanks at the start are the text's.
        `exact`: they are, a think tag is text too, and what stands behind a block's end in one token is the block's."""
        self._stops = [stop.encode() for stop in stops if stop]
        self._think_open, self._think_close = think[0].strip().encode(), think[1].encode()
        self.thinking = thinking
        self.stop_string = ""
        self.reasoning_tokens = 0
        self._may_begin_to_think = not thinking and not continued and not exact
        self._exact = exact
        self._strip = not continued and not exact
        self._data = bytearray()
        self._shown = 0
        self._ids: list[int] = []
        self._sizes: list[int] = []
        self._thought = bytearray()
        self._thought_shown = 0
        self._texts: dict[bool, list[str]] = {False: [], True: []}

    @property
    def text(self) -> str:
        """The reply's text as far as it was shown."""
        return "".join(self._texts[False])

    @property
    def reasoning(self) -> str:
        """The think block's text as far as it was shown."""
        return "".join(self._texts[True])

    @property
    def all_text(self) -> str:
        """The reply's text with what is held back."""
        return self._data.decode("utf-8", "ignore")

    @property
    def tokens(self) -> int:
        """Tokens of the reply so far."""
        return len(self._ids)

    def may_open_think(self, data: bytes) -> bool:
        """True where `data` could be the beginning of a think block: nothing but blanks stands before it."""
        return self._may_begin_to_think and self._think_open.startswith(bytes(self._data) + data.strip(_BLANK))

    def feed(self, token: int, data: bytes) -> list[TextPiece]:
        """Take a token and its bytes; give what can be shown now."""
        if self.thinking:
            self.reasoning_tokens += 1
            return self._feed_thought(data)
        return self._feed_reply(token, data)

    def _feed_thought(self, data: bytes) -> list[TextPiece]:
        searched = max(0, len(self._thought) - len(self._think_close))
        self._thought += data
        place = self._thought.find(self._think_close, searched)
        if place < 0:
            return self._show_thought(len(self._thought) - _held_back(self._thought, [self._think_close]))
        rest = bytes(self._thought[place + len(self._think_close) :])
        del self._thought[place:]
        pieces = self._show_thought(len(self._thought))
        self.end_thinking()
        return [*pieces, *(self._feed_reply(_NO_TOKEN, rest) if rest.strip(_BLANK) and not self._exact else [])]

    def end_thinking(self) -> list[TextPiece]:
        """The block is closed, by the model or for it."""
        pieces = self._show_thought(len(self._thought))
        self.thinking = self._may_begin_to_think = False
        self._strip = not self._exact
        return pieces

    def _show_thought(self, limit: int) -> list[TextPiece]:
        limit = whole_characters(self._thought[:limit])
        text = self._thought[self._thought_shown : limit].decode("utf-8", "replace")
        self._thought_shown = max(limit, self._thought_shown)
        return self._piece(text, True)

    def _piece(self, text: str, reasoning: bool) -> list[TextPiece]:
        if not text:
            return []
        self._texts[reasoning].append(text)
        return [TextPiece(text, reasoning)]

    def _feed_reply(self, token: int, data: bytes) -> list[TextPiece]:
        if self._strip:
            data = data.lstrip(_BLANK)
            self._strip = not data
        self._ids.append(token)
        self._sizes.append(len(data))
        searched = max(0, len(self._data) - max((len(stop) for stop in self._stops), default=0))
        self._data += data
        if self._may_begin_to_think and self._data:
            if self._data.startswith(self._think_open):
                return self._begin_to_think()
            self._may_begin_to_think = self._think_open.startswith(bytes(self._data))
            if self._may_begin_to_think:
                return []
        for stop in self._stops:
            place = self._data.find(stop, searched)
            if place >= 0:
                self.stop_string = stop.decode()
                self._cut(place)
                return self._show(len(self._data))
        return self._show(len(self._data) - _held_back(self._data, self._stops))

    def _begin_to_think(self) -> list[TextPiece]:
        rest = bytes(self._data[len(self._think_open) :])
        self.reasoning_tokens += len(self._ids)
        self._data.clear()
        self._ids, self._sizes = [], []
        self.thinking = True
        return self._feed_thought(rest)

    def _cut(self, length: int) -> None:
        """Keep `length` bytes of the reply. Of a token that reaches over the cut the bytes stay, not the id."""
        del self._data[length:]
        total = sum(self._sizes)
        while self._sizes and total - self._sizes[-1] >= length:
            total -= self._sizes.pop()
            self._ids.pop()
        if total > length:
            self._sizes[-1] -= total - length
            self._ids[-1] = _NO_TOKEN

    def _show(self, limit: int) -> list[TextPiece]:
        limit = whole_characters(self._data[:limit])
        text = self._data[self._shown : limit].decode("utf-8", "replace")
        self._shown = max(limit, self._shown)
        return self._piece(text, False)

    def finish(self) -> list[TextPiece]:
        """Show what was held back; a broken character at the very end is dropped."""
        if self.thinking:
            return self._show_thought(len(self._thought))
        return self._show(len(self._data))

    def tokens_of_text(self, tokenize: Callable[[str], Sequence[int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The reply's ids and the bytes that each gave. Bytes without a token of their own are tokenised."""
        ids: list[int] = []
        sizes: list[int] = []
        place = 0
        for token, size in zip(self._ids, self._sizes, strict=True):
            if token != _NO_TOKEN:
                ids.append(token)
                sizes.append(size)
            elif size:
                start = place
                while ids and 0x80 <= self._data[start] < 0xC0:  # a character that began in the token before
                    ids.pop()
                    start -= sizes.pop()
                new = list(tokenize(self._data[start : place + size].decode("utf-8", "ignore")))
                ids += new
                sizes += [0] * (len(new) - 1) + [place + size - start] if new else []
            place += size
        return tuple(ids), tuple(sizes)
