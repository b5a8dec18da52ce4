"""How text becomes search words, and where a match lies in it.

Chinese, Japanese and Korean have no spaces: a run of them becomes its overlapping pairs and its last character, so
that a word of two characters is one search word, a longer one a phrase, a single one a prefix. Other words are taken
whole, without case. Width and compatibility forms fold together (Unicode NFKC).
"""

import re
import unicodedata

EXCERPT_BEFORE = 14
EXCERPT_LENGTH = 120

# Han with its iteration marks, kana (not the middle dot), Hangul; then any other run of letters and digits.
_UNSPACED = (
    "\u3005-\u3007\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORD_BEGIN = f"(?<!(?![{_UNSPACED}])[^\\W_])"
# A character with the marks that may melt into it: accents, and the half-width voicing marks of kana.
_CLUSTER = re.compile("(?s:.)[\u0300-\u036f\u3099\u309a\uff9e\uff9f]*")
_RUN = re.compile(f"([{_UNSPACED}]+)|((?:(?![{_UNSPACED}])[^\\W_])+)")


def fold(text: str) -> str:
    """Text without case, width and compatibility forms."""
    return unicodedata.normalize("NFKC", text).casefold()


def runs(folded: str) -> list[tuple[str, str]]:
    """The runs of letters and digits of a folded text, in order: (without spaces between words, "") or ("", a word)."""
    return _RUN.findall(folded)


def index_words(text: str) -> str:
    """The search words of a text, apart by spaces."""
    words: list[str] = []
    for unspaced, word in runs(fold(text)):
        if unspaced:
            words += (unspaced[i : i + 2] for i in range(len(unspaced)))
        else:
            words.append(word)
    return " ".join(words)


def match_expression(query: str) -> str:
    """The FTS5 expression that finds a query; "" where it has no letter. What FTS5 would read as syntax is dropped.

    Parts apart by spaces must all be found; each is a phrase. The last word may go on (someone is still typing).
    """
    phrases: list[str] = []
    parts = fold(query).split()
    for position, part in enumerate(parts):
        runs = _RUN.findall(part)
        if not runs:
            continue
        words = index_words(part).split()
        ends_unspaced = runs[-1][0]
        goes_on = len(ends_unspaced) == 1 or (not ends_unspaced and position == len(parts) - 1)
        if len(ends_unspaced) > 1:
            words.pop()  # the pairs say it already, and the text may go on there
        phrases.append(f'"{" ".join(words)}"{" *" if goes_on else ""}')
    return " ".join(phrases)


def find_excerpt(text: str, query: str) -> tuple[str, int, int]:
    """The part of `text` around its first match with a part of the query, and where in it the match lies.

    Without a match that can be shown it is the text's beginning, with an empty match.
    """
    folded, origin = _fold_with_origin(text)
    best: tuple[int, int] | None = None
    for part in fold(query).split():
        runs = [unspaced or word for unspaced, word in _RUN.findall(part)]
        if not runs:
            continue
        begin = "" if re.match(f"[{_UNSPACED}]", runs[0]) else _WORD_BEGIN
        found = re.search(begin + r"[\W_]*".join(map(re.escape, runs)), folded)
        if found and (best is None or found.start() < best[0]):
            best = found.span()
    if best is None:
        return text[:EXCERPT_LENGTH], 0, 0
    start, end = origin[best[0]], origin[best[1]]
    first = max(0, start - EXCERPT_BEFORE)
    if first and " " in text[first:start]:  # begin with a whole word where words are set apart
        first = text.index(" ", first) + 1
    return text[first : max(end, first + EXCERPT_LENGTH)], start - first, end - first


def _fold_with_origin(text: str) -> tuple[str, list[int]]:
    """Folded text, and for each of its positions (and its end) where that stands in `text`."""
    folded: list[str] = []
    origin: list[int] = []
    for found in _CLUSTER.finditer(text):
        piece = fold(found.group())
        folded.append(piece)
        origin += [found.start()] * len(piece)
    return "".join(folded), [*origin, len(text)]
