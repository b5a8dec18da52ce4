"""Texts as rows of comparable units: a word where words have spaces, a character where they have none.

What all comparisons of memory stand on: shares of copied n-grams, repetitions, which message a sentence came from.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from kotonia_desktop.domain.language import is_cjk, is_kana

_UNIT = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"[^.!?…。！？\n]*(?:[.!?…。！？]+[\"'”’」』）)*】》]*|\n|$)")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|No|Prof|vs|etc)|\b[A-Z]|\d)\.$")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

COPIED_WORDS = 6
"""So many words in a row, taken over, count as copied."""
COPIED_CHARACTERS = 10
"""The same for texts without spaces."""


def units(text: str) -> list[str]:
    """The units of a text, in order, without punctuation; case and width do not count."""
    found: list[str] = []
    for match in _UNIT.finditer(unicodedata.normalize("NFKC", text).casefold()):
        run = ""
        for char in match[0]:
            if is_cjk(char) or char == "ー":
                if run:
                    found.append(run)
                    run = ""
                found.append(char)
            else:
                run += char
        if run:
            found.append(run)
    return found


def grams(row: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """All runs of `size` units."""
    return [tuple(row[start : start + size]) for start in range(len(row) - size + 1)]


def copy_size(language: str) -> int:
    """How long a run must be to count as copied."""
    return COPIED_CHARACTERS if language in ("ja", "zh") else COPIED_WORDS


def content(row: Sequence[str]) -> set[tuple[str, ...]]:
    """What a text is about: its longer words, and its pairs of characters that are not kana alone."""
    found: set[tuple[str, ...]] = set()
    for place, first in enumerate(row):
        second = row[place + 1] if place + 1 < len(row) else ""
        if len(first) > 1 and not is_cjk(first[0]):
            if len(first) > 3 or first.isdigit():
                found.add((first,))
        elif second and len(second) == 1 and (is_cjk(second) or second == "ー"):
            hiragana = all(is_kana(char) and "ぁ" <= char <= "ゟ" for char in (first, second))
            if not hiragana:
                found.add((first, second))
    return found


def sentences(text: str) -> list[str]:
    """The sentences of a text, with their ends; a line break ends one too."""
    found: list[str] = []
    open_part = ""
    for match in _SENTENCE.finditer(text):
        piece = open_part + match[0]
        if _ABBREVIATION.search(piece.rstrip()) and match.end() < len(text) and not match[0].endswith("\n"):
            open_part = piece
            continue
        open_part = ""
        if piece.strip():
            found.append(piece.strip())
    if open_part.strip():
        found.append(open_part.strip())
    return found


def numbers(text: str) -> set[str]:
    """The numbers of a text that are written in digits, without separators."""
    plain = unicodedata.normalize("NFKC", text)
    return {re.sub(r"[.,]", "", match[0]).lstrip("0") or "0" for match in _NUMBER.finditer(plain)}


def names(text: str) -> Iterator[str]:
    """Words that look like names: Latin ones that begin with a capital inside a sentence, and runs of katakana."""
    for match in re.finditer(r"(?<=[\w,;:] )[A-Z][a-z]{1,20}(?:['’]s)?|[ァ-ヴー]{3,12}", text):
        yield re.sub(r"['’]s$", "", match[0])
