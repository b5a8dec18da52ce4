"""A title of a few words, made by code: the names and words that a text has most of."""

import re
from collections import Counter
from collections.abc import Sequence

from kotonia_desktop.memory.units import names

_CJK_WORD = re.compile(r"[ァ-ヴー]{2,10}|[一-鿿々]{2,4}")
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]{4,20}")
_PLAIN_WORDS = """
about after again against also always another anything around because been before behind being between both could
does doing done down each either else even ever every everybody everyone everything few finally first found from going
gonna have having here himself herself into itself just know known later least less like little looks made make makes
making many maybe might more most much must myself never next nobody nothing often only other others over people perhaps
pretty quite rather really right said same says seems several shall should since some somebody someone something
sometimes still such sure take takes taking than thanks that their them themselves then there these they thing things
think those though thought through time today together told tomorrow tonight until upon very want wanted wants well were
what when where whether which while will with within without would years yesterday your yours yourself thank great
already amazing awesome happy glad nice lovely good promise promised remember
"""
"""Words that say nothing of what a text is about."""
_PLAIN = frozenset(_PLAIN_WORDS.split())
_MOST = 3


def _titled(word: str, cjk: bool) -> str:
    return word if cjk or any(char.isupper() for char in word[1:]) else word.capitalize()


def title_of(texts: Sequence[str], language: str, people: Sequence[str] = ()) -> str:
    """A title for texts: up to three of the words they share, in the order in which they come. `people` are left out,
    because they are in every chapter. "" where nothing stands out."""
    cjk = language in ("ja", "zh")
    known = {person.casefold() for person in people}
    counts: Counter[str] = Counter()
    for text in texts:
        found = _CJK_WORD.findall(text) if cjk else [*names(text), *_LATIN_WORD.findall(text)]
        counts.update({_titled(word, cjk) for word in found if word.casefold() not in _PLAIN})
    words = [word for word in counts if word.casefold() not in known and not any(word in name for name in people)]
    words.sort(key=lambda word: (-counts[word], -len(word), word))
    chosen: list[str] = []
    for word in words:
        if not any(word.casefold() in other.casefold() or other.casefold() in word.casefold() for other in chosen):
            chosen.append(word)
        if len(chosen) == _MOST:
            break
    whole = "\n".join(texts).casefold()
    chosen.sort(key=lambda word: whole.find(word.casefold()))
    return ("、" if cjk else ", ").join(chosen)
