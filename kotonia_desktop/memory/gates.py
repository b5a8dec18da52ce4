"""What a model wrote counts, or it does not, and why. The gates of a text of memory, in code.

A sentence that is a copy, a loop, a continuation, in another language or without a source is left out; the text does
not count where too little is left. A refusal, a cut or an empty text does not count at all. Nothing is repaired.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.language import is_cjk, is_kana, language_of, pick
from kotonia_desktop.domain.memory import NewItem, Rejection
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.memory import phrases
from kotonia_desktop.memory.chronicler import LONGEST, Draft, WritingTask, asked_for
from kotonia_desktop.memory.evidence import Evidence
from kotonia_desktop.memory.sources import SourceFinder
from kotonia_desktop.memory.units import copy_size, grams, names, numbers, units

COPIED_SHARE = 0.5
"""A sentence of whose n-grams more than this share stand in the messages is a copy."""
REFUSAL_CHARACTERS = 400
"""A text longer than this that says somewhere that it cannot is no refusal."""
LONGEST_SHARE = 5
"""A text of more than so many times its budget is not cut down to it: it did something else than it was asked for."""
_LEAST_LEFT = 2
_REPEATED_SHARE = 0.4
_ECHOED_SHARE = 0.25
_PAIRS = (("“", "”"), ("「", "」"), ("『", "』"), ("（", "）"), ("(", ")"))
_LATIN_WORD = re.compile(r"[a-z]{2,}")
_ENDS = re.compile(r"[.!?…。！？][\"'”’」』）)]*$")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a text counts. `items` are the sentences that do; `detail` says what the gates saw."""

    rejected: Rejection | None
    items: tuple[NewItem, ...] = ()
    detail: str = ""


def judge(
    draft: Draft, finish: FinishReason, task: WritingTask, count: Callable[[Sequence[str]], Sequence[int]]
) -> Verdict:
    """Judge what a model wrote for a task. `count` gives the tokens of texts."""
    if not draft.items:
        return Verdict(Rejection.EMPTY, detail="no sentence")
    refusing = [item for item in draft.items if phrases.REFUSAL.match(item)]
    length = sum(len(item) for item in draft.items)
    if refusing and (length <= REFUSAL_CHARACTERS * _width(task.language) or len(refusing) * 2 >= len(draft.items)):
        return Verdict(Rejection.REFUSAL, detail=f"{len(refusing)} of {len(draft.items)} sentences")
    if finish is not FinishReason.STOP:
        return Verdict(Rejection.CUT, detail=finish.value)
    written = sum(count(draft.items))
    if written > LONGEST_SHARE * task.budget:
        return Verdict(Rejection.LONGER, detail=f"{written} tokens where {task.budget} fit")
    evidence = task.evidence
    judged = _Sentences(task, evidence)
    kept: list[NewItem] = []
    seen: list[str] = []
    why: Counter[Rejection] = Counter()
    for sentence in draft.items:
        fault = judged.fault(sentence, seen)
        item = judged.finder.item(sentence) if fault is None else None
        if item is None:
            why[fault or Rejection.UNSUPPORTED] += 1
        else:
            kept.append(item)
        seen.append(sentence)
    detail = ", ".join(f"{number} {code.value}" for code, number in why.most_common())
    if len(kept) < min(_LEAST_LEFT, len(draft.items)) or len(kept) * 2 < len(draft.items):
        return Verdict(why.most_common(1)[0][0], detail=f"{detail} of {len(draft.items)} sentences")
    before = sum(count([entry.text for entry in evidence]))
    after = sum(count([item.text for item in kept]))
    if after >= before:
        return Verdict(Rejection.LONGER, detail=f"{before} -> {after} tokens")
    return Verdict(None, tuple(kept), f"left out: {detail}" if detail else "")


def _is_whole(sentence: str) -> bool:
    """It ends as a sentence ends, and every quotation in it is closed."""
    closed = all(sentence.count(left) == sentence.count(right) for left, right in _PAIRS)
    return _ENDS.search(sentence) is not None and closed and sentence.count('"') % 2 == 0


def _latin_words(text: str) -> set[str]:
    """Its Latin words; full width does not count."""
    return set(_LATIN_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _width(language: str) -> float:
    """How many characters say what one Latin letter says: a Japanese or Chinese one stands for about 2.5 of them."""
    return 0.4 if language in ("ja", "zh") else 1.0


class _Sentences:
    """The gates that look at one sentence."""

    def __init__(self, task: WritingTask, evidence: Sequence[Evidence]) -> None:
        self._language = task.language
        # The longest first: a name may hold another.
        people = {task.char, task.user, *(entry.speaker for entry in evidence)} - {""}
        self._people = sorted(people, key=len, reverse=True)
        self._size = copy_size(task.language)
        self._merges = task.level > 0
        rows = [units(entry.text) for entry in evidence]
        self._known = {gram for row in rows for gram in grams(row, self._size)}
        self._latin = {word for entry in evidence for word in _latin_words(entry.text)}
        self._echo_size = 4 if task.language == "en" else 6
        self._asked = set(grams(units(asked_for(task)), self._echo_size))
        self._short = {tuple(row) for row in rows if 3 <= len(row) < self._size}
        self._numbers = set().union(*(numbers(entry.text) for entry in evidence)) if evidence else set()
        self._text = " ".join([*(entry.text for entry in evidence), *people]).casefold()
        self.finder = SourceFinder(evidence, task.language)

    def fault(self, sentence: str, before: Sequence[str]) -> Rejection | None:
        """Why a sentence is left out; `before` are those that came before it."""
        row = units(sentence)
        if self._is_other_language(sentence):
            return Rejection.LANGUAGE
        if not row or not _is_whole(sentence) or len(sentence) >= pick(LONGEST, self._language):
            return Rejection.CUT
        if self._repeats(row, before):
            return Rejection.LOOP
        if self._echoes(row):
            return Rejection.COPY
        # Texts that are merged hold whole sentences worth keeping: taking one over is no copy of the play.
        if not self._merges and self._is_copy(row):
            return Rejection.COPY
        if self._plays_on(sentence):
            return Rejection.CONTINUATION
        if numbers(sentence) - self._numbers or self._invents_names(sentence):
            return Rejection.UNSUPPORTED
        return None

    def _is_other_language(self, sentence: str) -> bool:
        """Names may be in any script, so only what is left of it decides; Chinese is told from Japanese by its kana."""
        plain = phrases.QUOTED.sub("", sentence)
        for person in self._people:
            plain = plain.replace(person, "")
        letters = [char for char in plain if char.isalpha()]
        if not letters:
            return False
        cjk = sum(is_cjk(char) for char in letters)
        if self._language not in ("ja", "zh"):
            return cjk * 5 > len(letters)
        # A Latin word that the messages do not have is the model's own, in a sentence of another script.
        foreign = _latin_words(plain) - self._latin
        if cjk * 2 < len(letters) or foreign:
            return True
        kana = sum(is_kana(char) for char in letters)
        return kana == 0 and cjk > 8 if self._language == "ja" else kana > 0 and language_of(plain) == "ja"

    def _invents_names(self, sentence: str) -> bool:
        """It names somebody or something that neither the messages nor those who play know."""
        return any(name.casefold() not in self._text for name in names(sentence))

    def _repeats(self, row: list[str], before: Sequence[str]) -> bool:
        """The sentence said before, or said in circles within itself."""
        size = 3 if self._language not in ("ja", "zh") else 5
        own = grams(row, size)
        if len(own) >= 6 and len(set(own)) < len(own) * (1 - _REPEATED_SHARE):
            return True
        mine = set(own) or {tuple(row)}
        for earlier in before:
            other = units(earlier)
            theirs = set(grams(other, size)) or {tuple(other)}
            if len(mine & theirs) > 0.7 * min(len(mine), len(theirs)):
                return True
        return False

    def _echoes(self, row: list[str]) -> bool:
        """The sentence repeats what was asked for instead of telling what happened."""
        own = grams(row, self._echo_size)
        return sum(gram in self._asked for gram in own) > _ECHOED_SHARE * len(own) if own else False

    def _is_copy(self, row: list[str]) -> bool:
        own = grams(row, self._size)
        if not own:
            return tuple(row) in self._short
        return sum(gram in self._known for gram in own) > COPIED_SHARE * len(own)

    def _plays_on(self, sentence: str) -> bool:
        """It speaks as somebody or to somebody, instead of about them."""
        if phrases.SPEAKER.match(sentence) or phrases.WHOLE_QUOTE.match(sentence) or re.search(r"[?？]\W*$", sentence):
            return True
        plain = phrases.QUOTED.sub("", sentence)
        return pick(phrases.PLAYS_ON, self._language).search(plain) is not None
