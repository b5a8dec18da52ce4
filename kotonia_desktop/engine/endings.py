"""When a reply should end although the model does not end it: after its wished length, or when it runs in circles."""

import re
from typing import Final

LANDING_SHARE: Final = 0.75
"""From this share of a reply's limit on it may end at a sentence end."""
EQUAL_TOKENS: Final = 24
WINDOW: Final = 16
WINDOW_REPEATS: Final = 12

_CLOSERS = "\"'”’」』）)*_】》"
_ENDS_LATIN = re.compile(r"[.!?…][" + re.escape(_CLOSERS) + r"]*$")
_ENDS_WIDE = re.compile(r"[。！？!?…][" + re.escape(_CLOSERS) + r"]*$")
_PAIRS = (("「", "」"), ("『", "』"), ("“", "”"), ("（", "）"), ("(", ")"))
_TWINS = '"*'


def is_sentence_end(text: str, following: str) -> bool:
    """True where `text` may end: a sentence is complete, no quote or mark is open, and `following` begins a new one."""
    if not text or not following:
        return False
    complete = _ENDS_LATIN.search(text) if following[0].isspace() else None
    if complete is None and not (_ENDS_WIDE.search(text) and ord(following[0]) > 0x2E80):
        return False
    if following[0] in _CLOSERS or following[0] in "。！？…":
        return False
    tail = text[-2000:]
    return all(tail.count(left) <= tail.count(right) for left, right in _PAIRS) and all(
        text.count(mark) % 2 == 0 for mark in _TWINS
    )


def runs_in_circles(tokens: list[int]) -> bool:
    """True after `EQUAL_TOKENS` equal tokens or `WINDOW_REPEATS` times the same `WINDOW` tokens, at the end."""
    if len(tokens) >= EQUAL_TOKENS and len(set(tokens[-EQUAL_TOKENS:])) == 1:
        return True
    span = WINDOW * WINDOW_REPEATS
    if len(tokens) < span:
        return False
    tail = tokens[-span:]
    return tail[:-WINDOW] == tail[WINDOW:]
