"""Whether a lore key stands in a text, by what the key's script calls a word.

Compared after Unicode NFKC, so that width and compatibility forms are one; without case, unless the key's entry asks
for it. Traditional and simplified characters stay apart: they are different spellings of names.

- Where words are set apart by spaces (Latin, Cyrillic, ...), a key matches whole words, one or several in a row.
- A run of katakana is one word: ミラ is not in ミラノ nor in ミラー, but in ミラ・ロッシ.
- Chinese characters and hiragana have no ends: a key of two or more matches anywhere.
- One Chinese character alone matches where no other is beside it and what follows is no letter or a particle: 猫 is
  in 「猫が」 and 「猫」, not in 黒猫 or 猫背, and 食 not in 食べる. In Chinese it so matches between punctuation
  only: a key there should have two. One hiragana matches only where it stands alone.
- A key written as a regular expression (`/.../`) never matches: nobody reads other people's expressions for safety.
"""

import re
import unicodedata
from functools import lru_cache

from kotonia_desktop.domain.language import is_han

_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff"
_HIRAGANA = "\u3041-\u3096\u3099-\u309f"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_OTHER_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese, Khmer: written without spaces, or with endings joined on as Korean has them."""
_UNSPACED = _KATAKANA + _HIRAGANA + _HAN + _HANGUL + _OTHER_UNSPACED
_SPACED_LETTER = f"(?![{_UNSPACED}])\\w"
_PARTICLES = "がはをにのともへでやかよねだ"


class ScannedText:
    """A text that keys are looked for in; folded once, whatever the number of keys."""

    def __init__(self, text: str) -> None:
        self._text = unicodedata.normalize("NFKC", text)
        self._folded = _without_case(self._text)

    def holds(self, key: str, case_sensitive: bool) -> bool:
        """Whether `key` stands in the text."""
        expression = _expression(key, case_sensitive)
        return expression is not None and expression.search(self._text if case_sensitive else self._folded) is not None


@lru_cache(maxsize=4096)
def _expression(key: str, case_sensitive: bool) -> re.Pattern[str] | None:
    """What finds a key; None where it never matches."""
    key = " ".join(key.split())
    if not key or (len(key) > 1 and key.startswith("/") and "/" in key[1:]):
        return None
    key = " ".join(unicodedata.normalize("NFKC", key).split())
    if not case_sensitive:
        key = _without_case(key)
    if not key:
        return None
    before, after = (_alone(key), _alone(key, behind=True)) if len(key) == 1 else (_edge(key[0]), _edge(key[-1], True))
    words = r"\s+".join(map(re.escape, key.split()))
    return re.compile(f"{before}{words}{after}")


def _edge(char: str, behind: bool = False) -> str:
    """What must hold where a key begins or ends with `char`."""
    if re.match(f"[{_KATAKANA}]", char):
        other = f"[{_KATAKANA}]"
    elif re.match(_SPACED_LETTER, char):
        other = _SPACED_LETTER
    else:
        return ""
    return f"(?!{other})" if behind else f"(?<!{other})"


def _alone(char: str, behind: bool = False) -> str:
    """What must hold on one side of a key of one character."""
    if is_han(char):
        return f"(?=[{_PARTICLES}]|\\W|_|$)" if behind else f"(?<![{_HAN}{_KATAKANA}])"
    if re.match(f"[{_HIRAGANA}]", char):
        return r"(?!\w)" if behind else r"(?<!\w)"
    return _edge(char, behind)


def _without_case(text: str) -> str:
    return unicodedata.normalize("NFKC", text.casefold())
