"""New rows of the ledger: which sentences of a range are worth a row, and what code makes of each.

The words of a row are those of its message, with who said them: nothing is told in other words, so a row cannot say
more than its message. A model may say which messages matter; it never says what is true.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.ledger import LedgerRow, LinkKind, NewLink, NewRow, RowKind
from kotonia_desktop.domain.memory import ItemState, Truth
from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.memory import phrases
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.evidence import Evidence, about_self
from kotonia_desktop.memory.ledger import may_link
from kotonia_desktop.memory.units import content, numbers, units
from kotonia_desktop.memory.weighing import Candidate, attributed, candidates_of

_LONGEST = {"en": 45, "ja": 90, "zh": 80}
"""Units (words, or characters) of the quote of one row."""
_KNOWN_ALREADY = 0.8
_TOKENS_A_ROW = 60
_MOST = 16
_LEAST = 2
_THERE = 6
"""So many messages before and behind a line, who speaks or acts there was there."""
_SAME_MATTER = 0.5
_NEGATION = {
    "en": re.compile(r"\b(?:not|never|no|none|without|\w+n['’]t)\b", re.IGNORECASE),
    "ja": re.compile(r"ない|なかっ|ません|ぬ[。、]|ずに"),
    "zh": re.compile(r"不|没|未|无"),
}
_CORRECTS = {
    "en": re.compile(
        r"\b(?:actually|in fact|i meant|i mean|correction|i was wrong|truth is|to be honest)\b", re.IGNORECASE
    ),
    "ja": re.compile(r"訂正|間違え|まちがえ|本当は|ほんとうは|実は|正しくは|じゃなくて|ではなくて"),
    "zh": re.compile(r"说错|更正|其实|实际上|准确地说|老实说|记错|不是.{1,12}而是"),
}


def most_rows(tokens: int) -> int:
    """How many rows a range of so many labelled tokens may give."""
    return max(_LEAST, min(_MOST, tokens // _TOKENS_A_ROW))


def rows_of(task: WritingTask, known: Sequence[LedgerRow], most: int, picked: Collection[int] = ()) -> list[NewRow]:
    """Up to `most` rows of a range, in the order of the story. `known` are the rows there are: what one of them says
    is not said again. `picked` are the ids of messages that a model takes for important."""
    candidates = candidates_of(task)
    people = _People(task)
    said = [content(units(row.quote or row.text)) for row in known if row.state is not ItemState.GONE]
    chosen: list[Candidate] = []

    def value(candidate: Candidate) -> float:
        entry = candidate.evidence
        worth = 0.5 * candidate.weight + (3.0 if entry.sources[0].message_id in picked else 0.0)
        if pick(phrases.LASTING, task.language).search(entry.text):
            worth += 2.5
        if entry.kind is SegmentKind.OOC:
            return worth + 4.0
        if entry.kind is SegmentKind.SPEECH:
            own = entry.by_user and entry.truth is Truth.FACT
            return worth + (1.0 if own else 0.5 if about_self(entry.text, task.language) else 0.0)
        return worth + (0.5 if entry.truth is Truth.FACT else 0.0)

    told = [c for c in candidates if not phrases.QUESTION.search(c.evidence.text)]
    for candidate in sorted(told, key=lambda c: (-value(c), c.place)):
        if len(chosen) == most or value(candidate) <= 0.0:
            break
        repeated = any(_is_said(candidate.about, earlier) for earlier in said)
        if not candidate.about or repeated or candidate.says_the_same(chosen) or not _tells(candidate.evidence):
            continue
        chosen.append(candidate)
    by_place = {candidate.place: candidate for candidate in candidates}
    free = set(by_place) - {candidate.place for candidate in chosen}
    rows = []
    for candidate in chosen:
        entry, used = _with_context(candidate, by_place, free, task)
        free -= used
        rows.append((candidate.place, _row(entry, task, people)))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def _is_said(about: Collection[tuple[str, ...]], earlier: Collection[tuple[str, ...]]) -> bool:
    return bool(about) and len(set(about) & set(earlier)) >= _KNOWN_ALREADY * len(about)


def _tells(entry: Evidence) -> bool:
    """Whether a sentence says something by itself: narration that only says who speaks next does not, and what it
    supposes or compares is neither a fact nor anybody's word."""
    if entry.kind not in (SegmentKind.NARRATION, SegmentKind.ACTION) or entry.truth is Truth.FACT:
        return True
    return entry.by_user or not (
        entry.disowned or phrases.INTRODUCES.search(entry.text) or phrases.QUOTED.search(entry.text)
    )


def _row(entry: Evidence, task: WritingTask, people: "_People") -> NewRow:
    kind = _kind(entry)
    # What a mind thinks of others is what it believes; only of itself a thought is a fact.
    belief = entry.kind is SegmentKind.THOUGHT and not about_self(entry.text, task.language)
    truth = Truth.CLAIM if belief else entry.truth
    told_by = "" if kind in (RowKind.HAPPENED, RowKind.CANON) and not entry.by_user else entry.speaker
    spoken = kind in (RowKind.SAID, RowKind.OWN_WORD) and bool(told_by)
    return NewRow(
        subject=people.subject(entry),
        text=attributed(entry, task),
        truth=truth,
        kind=kind,
        told_by=told_by,
        told_to=people.told_to(entry) if spoken else "",
        quote=entry.text,
        known_to=people.who_knows(entry),
        sources=entry.sources,
    )


def _with_context(
    candidate: Candidate, by_place: dict[int, Candidate], free: Collection[int], task: WritingTask
) -> tuple[Evidence, set[int]]:
    """The sentence with its neighbours of the same piece, kind and truth, as long as they are short together, and the
    places of those; only places in `free` are taken."""
    entry = candidate.evidence
    longest = pick(_LONGEST, task.language)
    joint = "" if task.language in ("ja", "zh") else " "
    words = entry.text
    used: set[int] = set()
    for place in (candidate.place - 1, candidate.place + 1):
        if place not in free or not _belongs(by_place[place].evidence, entry):
            continue
        other = by_place[place].evidence.text
        longer = joint.join((other, words) if place < candidate.place else (words, other))
        if len(units(longer)) <= longest:
            words = longer
            used.add(place)
    return replace(entry, text=words), used


def _belongs(other: Evidence, entry: Evidence) -> bool:
    same = (other.sources, other.kind, other.speaker, other.truth) == (
        entry.sources,
        entry.kind,
        entry.speaker,
        entry.truth,
    )
    return same and phrases.QUESTION.search(other.text) is None


def _kind(entry: Evidence) -> RowKind:
    if entry.kind is SegmentKind.OOC:
        return RowKind.CANON
    if entry.kind is SegmentKind.THOUGHT:
        return RowKind.THOUGHT
    if entry.kind in (SegmentKind.NARRATION, SegmentKind.ACTION):
        return RowKind.HAPPENED if entry.truth is Truth.FACT else RowKind.SAID
    return RowKind.OWN_WORD if entry.by_user and entry.truth is Truth.FACT else RowKind.SAID


class _People:
    """Who takes part in a range: whom a sentence is about, whom it was said to, who was there."""

    def __init__(self, task: WritingTask) -> None:
        self._task = task
        self._names = task.names
        self._at = {line.message_id: place for place, line in enumerate(task.lines)}

    def subject(self, entry: Evidence) -> str:
        """Who speaks of themselves, else the first person that is named, else who speaks or plays."""
        if entry.speaker and about_self(entry.text, self._task.language):
            return entry.speaker
        named = [(entry.text.find(name), name) for name in self._names if name and name in entry.text]
        return min(named)[1] if named else entry.speaker or self._task.char

    def told_to(self, entry: Evidence) -> str:
        """Who is spoken to, "" where it cannot be told."""
        if entry.by_user:
            return self._task.char
        if len(self._names) <= 2 and self._task.user != entry.speaker:
            return self._task.user
        return next((name for name in self._names if name != entry.speaker and name in entry.text), "")

    def who_knows(self, entry: Evidence) -> tuple[str, ...]:
        """Who alone knows: a thought's mind; in a scene of several, those who were there. () for everybody."""
        if entry.kind is SegmentKind.THOUGHT:
            return (entry.speaker,) if entry.speaker else ()
        if len(self._names) <= 2 or entry.kind is SegmentKind.OOC:
            return ()
        at = self._at[entry.sources[0].message_id]
        near = self._task.lines[max(0, at - _THERE) : at + _THERE + 1]
        there = {piece.speaker for line in near for piece in line.pieces if piece.speaker}
        there |= {name for name in self._names if name in entry.text}
        return tuple(sorted(there)) if there and there != set(self._names) else ()


def code_links(new: Sequence[LedgerRow], earlier: Sequence[LedgerRow], language: str) -> list[NewLink]:
    """What code can tell of new rows without a model: the same speaker says the same of the same matter with another
    number or with the opposite sign, or says that they correct themselves."""
    links: list[NewLink] = []
    for row in new:
        for old in reversed(earlier):
            if old.id >= row.id or not row.told_by or row.told_by != old.told_by or old.state is not ItemState.VALID:
                continue
            kind = LinkKind.SUPERSEDES if row.kind is RowKind.OWN_WORD else LinkKind.CHANGED_STORY
            if may_link(row, old, kind) and _says_otherwise(row, old, language):
                links.append(NewLink(row.id, old.id, kind))
                break
    return links


def _says_otherwise(row: LedgerRow, old: LedgerRow, language: str) -> bool:
    mine, theirs = content(units(row.quote)), content(units(old.quote))
    least = min(len(mine), len(theirs))
    shared = len(mine & theirs)
    corrects = pick(_CORRECTS, language).search(row.quote) is not None
    if not least or shared < _SAME_MATTER * (0.5 if corrects else 1.0) * least:
        return False
    negated = pick(_NEGATION, language)
    differs = numbers(row.quote) != numbers(old.quote) and bool(numbers(row.quote)) and bool(numbers(old.quote))
    opposite = bool(negated.search(row.quote)) != bool(negated.search(old.quote)) and shared >= 0.75 * least
    return differs or opposite or corrects
