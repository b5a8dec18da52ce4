"""When old lines are brought back word for word into the note of the newest message, and which.

Pure: what was found is handed in, what the note says is handed back. A note costs its tokens for as long as its turn
stands in the prompt, so most turns get none: something must stand out, and at most one turn in four has one.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log

from kotonia_desktop.domain.language import is_cjk, language_of, pick
from kotonia_desktop.domain.messages import Message, RankedHit, Role
from kotonia_desktop.memory.common_words import CHATTY, FUNCTION, PAIRS
from kotonia_desktop.memory.lines import LabelledLine, labelled_lines
from kotonia_desktop.memory.phrases import QUESTION
from kotonia_desktop.memory.units import content, units

MOST_TOKENS = 350
MOST_PASSAGES = 3
QUOTA = 4
"""Of so many turns in a row one may have a recollection."""

_HEADING = {
    "en": "Old lines of this story, word for word:",
    "ja": "この物語の昔の行（一字一句そのまま）：",
    "zh": "这个故事里以前的原话（一字未改）：",
}
_GAP = "…"
"""Between passages that do not follow each other."""

_REMEMBER = re.compile(
    r"\b(?:remember|recall|remind|forgot(?:ten)?|forget|back when|that time)\b"
    r"|覚えて|おぼえて|憶えて|思い出|忘れ"
    r"|记得|記得|想起|忘了|忘记|忘記|当初|當初",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:do|did|can|could|would)(?:n['’]?t|['’]t)? (?:you|u|we)(?: [a-z]+){0,2}? (?:remember|recall|forget)\b"
    r"|\byou(?: do| still| don['’]?t)? (?:remember|recall|forgot)\b[^.!]*\?"
    r"|^\W*remember (?:when|how|what|the|that|our|my)\b[^.!]*\?"
    r"|(?:覚え|おぼえ|憶え)て(?:い?る|い?ます|い?ない|い?た|い?らっしゃ)[^。！]*[?？か]|(?:覚え|おぼえ|憶え)てる[?？]?$"
    r"|忘れ(?:た|て(?:い|し)?|ちゃった|ました)[^。！]*[?？か]|思い出せ(?:る|ます|ない)[^。！]*[?？か]"
    r"|还记得|還記得|(?:[你您]|是否|可)(?:不)?(?:记得|記得)|(?:记得|記得)[^。！]*[?？吗嗎]|(?:忘了|忘记|忘記)[^。！]*[?？吗嗎]",
    re.IGNORECASE,
)

# Measured on 28 dialogues in three languages with 60 messages in view: a question for a planted fact opens in 63 % (and
# brings it back in 89 % of these), a user's ordinary question in 30 %, another line of theirs in 7 %; then the quota.
_STANDS_OUT = {True: 1.3, False: 2.0}
"""How many times the fifth best score the best must have, for questions and for other lines."""
_STRENGTH = {True: 0.8, False: 1.5}
"""The least score of the best, in logarithms of the number of messages: about what one word found once gives."""
_SHARED = {True: 1, False: 2}
"""Words that mean something which the line must share with the old one."""
_UNSPACED_SHARE = 2.0
"""Japanese and Chinese words are found by their pairs and characters, so each counts about twice."""
_SHORTEST = 3
"""Letters of the shortest Latin word that may mean something: cat, inn."""
_BEGINNING = 5
_WORTH_SHOWING = 0.5
"""Hits of less than this share of the best score are not shown beside it."""


class Wish(Enum):
    """Whether a line asks for what was."""

    NONE = 0
    SPEAKS_OF_IT = 1
    """It speaks of remembering: a hit need not stand out; the quota holds."""
    ASKS = 2
    """It asks whether the other remembers: no quota holds."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search for a new line brought, best first, among all `messages` of the conversation."""

    hits: tuple[RankedHit, ...]
    until: int
    """Messages up to this ordinal are no longer shown verbatim."""
    messages: int

    @property
    def old(self) -> tuple[RankedHit, ...]:
        """Those that are no longer in view."""
        return tuple(hit for hit in self.hits if hit.ordinal <= self.until)


@dataclass(frozen=True, slots=True)
class Passage:
    """A hit among its neighbours, oldest first."""

    hit: int
    """The hit's ordinal."""
    messages: tuple[Message, ...]


def wish_of(text: str) -> Wish:
    """Whether a user's line asks for what was."""
    if _ASKED.search(text):
        return Wish.ASKS
    return Wish.SPEAKS_OF_IT if _REMEMBER.search(text) else Wish.NONE


def within_quota(messages: Sequence[Message], wish: Wish) -> bool:
    """Whether the turn after `messages` (the newest last) may have a recollection."""
    if wish is Wish.ASKS:
        return True
    turns = [message for message in messages if message.role is Role.USER][-(QUOTA - 1) :]
    return not any(holds_recollection(message.note) for message in turns)


def holds_recollection(note: str) -> bool:
    """Whether old lines stand in a note."""
    return any(heading in note for heading in _HEADING.values())


def gate_opens(text: str, found: Found, best: str, wish: Wish) -> bool:
    """Whether the best old hit (`best` is its text) is worth its room behind the line `text`.

    Unasked it must stand out from what else was found, beat what is in view, and share words that mean something.
    """
    if not found.old:
        return False
    if wish is Wish.ASKS:
        return True
    shared = len(topics(text) & topics(best))
    if wish is Wish.SPEAKS_OF_IT:
        return shared > 0
    if found.hits[0].ordinal > found.until:
        return False  # what is in view says more of it
    asks = bool(QUESTION.search(text)) or "?" in text or "？" in text
    if shared < _SHARED[asks]:
        return False
    score = found.old[0].score
    unspaced = language_of(text) in ("ja", "zh")
    least = _STRENGTH[asks] * (_UNSPACED_SHARE if unspaced else 1.0) * log(max(3, found.messages))
    fifth = found.hits[min(4, len(found.hits) - 1)].score if len(found.hits) > 1 else 0.0
    return score >= least and score >= fifth * _STANDS_OUT[asks]


def topics(text: str) -> set[str]:
    """The words of a text that mean something: Latin ones by their beginning, which stands for the stem, of Japanese
    and Chinese the pairs of characters that are not hiragana alone."""
    row = units(text)
    found = {word for pair in content(row) if len(pair) == 2 and (word := "".join(pair)) not in PAIRS}
    for word in row:
        plain = word.replace("’", "'")
        if len(word) >= _SHORTEST and not is_cjk(word[0]) and plain not in FUNCTION and plain not in CHATTY:
            found.add(word[:_BEGINNING])
    return found


def worth_showing(found: Found) -> tuple[RankedHit, ...]:
    """The old hits that may be shown, best first."""
    old = found.old
    return tuple(hit for hit in old if hit.score >= old[0].score * _WORTH_SHOWING)


def recollection_text(
    passages: Iterable[Passage],
    seen: Sequence[str],
    count: Callable[[str], int],
    *,
    char: str,
    user: str,
    language: str,
    budget: int = MOST_TOKENS,
) -> str:
    """The old lines as they stand in a note, in their order; "" where none may or fits.

    `passages` come best first. Lines that stand in one of the notes `seen` are not said again, and a hit among them is
    none. Each passage has as many neighbours as the `budget` in tokens leaves it; no line is cut.
    """
    view = "\n".join(seen)
    chosen: dict[int, LabelledLine] = {}
    text = ""
    shown = 0
    for passage in passages:
        lines = {
            line.ordinal: line
            for line in labelled_lines(passage.messages, char=char, user=user, language=language)
            if line.text not in view
        }
        if passage.hit not in lines or passage.hit in chosen:
            continue
        after = {ordinal: line for ordinal, line in lines.items() if ordinal >= passage.hit}
        before = {ordinal: line for ordinal, line in lines.items() if ordinal <= passage.hit}
        for stretch in (lines, after, before, {passage.hit: lines[passage.hit]}):
            written = _written(chosen | stretch, language)
            if count(written) <= budget:
                chosen, text = chosen | stretch, written
                shown += 1
                break
        if shown == MOST_PASSAGES:
            break
    return text


def _written(lines: Mapping[int, LabelledLine], language: str) -> str:
    """Lines by their ordinals under the heading, with a mark where something between them is left out."""
    rows = [pick(_HEADING, language)]
    last: int | None = None
    for ordinal in sorted(lines):
        if last is not None and ordinal > last + 1:
            rows.append(_GAP)
        rows.append(lines[ordinal].text)
        last = ordinal
    return "\n".join(rows)
