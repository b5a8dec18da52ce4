"""Which of the shipped languages a text is written in, by its script."""

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")
_KANA = ((0x3041, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F))
_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFF))


def _inside(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    point = ord(char)
    return any(low <= point <= high for low, high in ranges)


def is_han(char: str) -> bool:
    """True for a Chinese character (kanji, hanzi)."""
    return _inside(char, _HAN)


def is_kana(char: str) -> bool:
    """True for hiragana and katakana."""
    return _inside(char, _KANA)


def is_cjk(char: str) -> bool:
    """True where words are not set apart by spaces."""
    return is_han(char) or is_kana(char)


def language_of(text: str, fallback: str = "en") -> str:
    """`ja`, `zh` or `en`. A kana in twenty CJK characters makes Japanese; without letters it is `fallback`."""
    han = kana = latin = 0
    for char in text:
        if char < "\u3000":
            latin += char.isalpha()
        elif is_kana(char):
            kana += 1
        elif is_han(char):
            han += 1
    # One Latin word takes about five letters where a CJK word takes two characters.
    if (han + kana) * 2.5 >= latin and han + kana:
        return "ja" if kana * 20 >= han + kana else "zh"
    return "en" if latin else fallback


def pick(table: Mapping[str, T], language: str) -> T:
    """A language's entry of a table, the English one where it has none."""
    return table.get(language, table["en"])
