"""What is asked of the recall index: any of a text's words, without what stands in every other line.

Latin words match by their stem (the index does that). A Chinese character alone is a word too in Chinese and often in
Japanese (怕, 猫): it matches as the beginning of a pair, which finds a third more of what is asked for.
"""

import re
from collections.abc import Iterator, Sequence

from kotonia_desktop.domain.language import is_cjk, is_han
from kotonia_desktop.memory.common_words import CHARACTERS, FUNCTION, PAIRS
from kotonia_desktop.store.search_text import fold, runs

MOST_WORDS = 64
"""Words of one query, counted from its end: a question stands there. Each costs up to half a millisecond with 20,000
messages, and the memory of a conversation must not be felt while one sends."""


def recall_expression(query: str, names: Sequence[str] = ()) -> str:
    """The FTS5 expression that finds lines sharing words with `query`; "" where nothing is left to look for.

    `names` are those of the two who speak: they stand in every other line.
    """
    words: dict[str, None] = {}
    for word in _words(without_names(fold(query), names)):
        words[word] = None
        if len(words) == MOST_WORDS:
            break
    return " OR ".join(words)


def without_names(folded: str, names: Sequence[str]) -> str:
    """A folded text with a space in place of each name, and of each part of it that is apart by a space or a dot.

    A part of one character stays: it would be torn out of other words.
    """
    parts = {part for name in names for part in (fold(name).strip(), *re.split(r"[\s・·]+", fold(name)))}
    for part in sorted(filter(lambda part: len(part) > 1, parts), key=lambda part: (-len(part), part)):
        bound = r"(?<![^\W_]){}(?![^\W_])" if not any(map(is_cjk, part)) else "{}"
        folded = re.sub(bound.format(re.escape(part)), " ", folded)
    return folded


def _words(folded: str) -> Iterator[str]:
    """The index's words that a folded text is looked for with, as FTS5 phrases, the last first."""
    for unspaced, word in reversed(runs(folded)):
        if word and word not in FUNCTION:
            yield f'"{word}"'
        for place, char in reversed(list(enumerate(unspaced))):
            pair = unspaced[place : place + 2]
            if len(pair) == 2 and pair not in PAIRS:
                yield f'"{pair}"'
            if is_han(char) and char not in CHARACTERS:
                yield f'"{char}" *'
