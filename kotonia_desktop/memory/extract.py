"""A chapter without a model: code picks whole sentences of the messages and says who said them.

It cannot lie and cannot fail. Sentences with names, numbers, first mentions, promises and the user's own words count
most; what says the same as one already picked counts less (greedy, as in maximal marginal relevance). It is marked,
so that a model may retell it later.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.memory import NewChapter, NewItem, Truth, WrittenBy
from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.evidence import Evidence, about_self, speakers, truth_of
from kotonia_desktop.memory.lines import Piece
from kotonia_desktop.memory.titles import title_of
from kotonia_desktop.memory.units import content, names, numbers, sentences, units

Count = Callable[[Sequence[str]], Sequence[int]]

_SAID = {"en": "{name} said: “{text}”", "ja": "{name}は「{text}」と言った。", "zh": "{name}说：“{text}”。"}
_THOUGHT = {"en": "{name} thought: “{text}”", "ja": "{name}は「{text}」と思った。", "zh": "{name}心想：“{text}”。"}
_TOLD = {"en": "{name} wrote: “{text}”", "ja": "{name}は「{text}」と書いた。", "zh": "{name}写道：“{text}”。"}
_DID = {"en": "{name}: {text}", "ja": "{name}：{text}", "zh": "{name}：{text}"}
_PROMISES = {
    "en": re.compile(
        r"\b(?:promise|swear|will|shall|going to|plan|agree|meet|tomorrow|never|always|secret|remember|must)\b", re.I
    ),
    "ja": re.compile(r"約束|誓|つもり|予定|明日|必ず|絶対|秘密|覚え|決め|会おう|ことにする|結婚|名前は"),
    "zh": re.compile(r"答应|约定|发誓|打算|计划|明天|一定|绝不|秘密|记住|决定|必须|名叫|叫做"),
}
_NESTED = (("“”", "‘’"), ("「」", "『』"))
"""Quotation marks, and those that stand for them inside a quotation."""
_QUESTION = re.compile(r"[?？]\W*$")
_END = re.compile(r"[.!?…。！？][\"'”’」』）)]*$")
_CLAUSE = re.compile(r"[,;、，；]")
_REDUNDANT = 0.6
"""A sentence that shares more than this of what it is about with a picked one is not picked."""
_LEAST_UNITS = 3
_LOOKED_AT = 20
_MOST_CLAUSES = 12
_FULL = 5
"""Words (or pairs of characters) that a sentence is about, from which on it counts in full."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: int
    text: str
    """As it will stand, with who said it."""
    evidence: Evidence
    about: frozenset[tuple[str, ...]]
    weight: float


def extract_text(task: WritingTask, count: Count) -> NewChapter:
    """The extractive text of a task, within its budget; without any item where there is nothing to pick from."""
    candidates = _candidates(task)
    chosen = _pick(candidates, task, count)
    return _chapter(task, chosen, WrittenBy.EXTRACT)


def first_sentences(task: WritingTask, count: Count) -> NewChapter:
    """The first sentence of each message, from the first on, as many as the budget holds: what any memory must beat."""
    firsts: dict[object, _Candidate] = {}
    for candidate in _candidates(task):
        firsts.setdefault(candidate.evidence.sources, candidate)
    chosen: list[_Candidate] = []
    left = task.budget
    for candidate, size in zip(firsts.values(), count([c.text for c in firsts.values()]), strict=True):
        if size > left:
            break
        chosen.append(candidate)
        left -= size
    if firsts and not chosen:
        chosen = [_shortened(list(firsts.values())[:1], task, count)]
    return _chapter(task, chosen, WrittenBy.FIRST_SENTENCE)


def _chapter(task: WritingTask, chosen: Sequence[_Candidate], written_by: WrittenBy) -> NewChapter:
    items = tuple(NewItem(c.text, c.evidence.sources, c.evidence.truth, _claimant(c.evidence)) for c in chosen)
    title = title_of([c.evidence.text for c in chosen], task.language, (task.char, task.user))
    return NewChapter(title=title, written_by=written_by, language=task.language, items=items, level=task.level)


def _claimant(entry: Evidence) -> str:
    """Whose claim it is; "" for a fact, and for words that narration reports: whose they are, code cannot tell."""
    said = entry.truth is Truth.CLAIM and entry.kind not in (SegmentKind.NARRATION, SegmentKind.ACTION)
    return entry.speaker if said else ""


def _candidates(task: WritingTask) -> list[_Candidate]:
    """All sentences that could be picked, weighed, in their order."""
    found = _sentences(task)
    abouts = [frozenset(content(units(text))) for text, _ in found]
    mentions = Counter(gram for about in abouts for gram in about)
    seen: set[tuple[str, ...]] = set()
    candidates = []
    for place, ((text, entry), about) in enumerate(zip(found, abouts, strict=True)):
        weight = _weight(text, entry, about, mentions, seen, task)
        seen |= about
        candidates.append(_Candidate(place, _attributed(entry, task), entry, about, weight))
    return candidates


def _sentences(task: WritingTask) -> list[tuple[str, Evidence]]:
    """All sentences with what they come from. Those of a word or two, and narration that ends as no sentence does, are
    there only where nothing else is."""
    if task.level:  # already sentences of a memory
        return [(entry.text, entry) for entry in task.evidence]
    people = speakers(task.lines)
    whole: list[tuple[str, Evidence]] = []
    others: list[tuple[str, Evidence]] = []
    for entry in task.evidence:
        for sentence in sentences(entry.text):
            piece = Piece(entry.kind, entry.speaker, sentence, entry.by_user)
            truth = truth_of(piece, sentence, task.language, people)
            ended = _END.search(sentence) is not None or entry.kind is not SegmentKind.NARRATION
            rows = whole if ended and len(units(sentence)) >= _LEAST_UNITS else others
            rows.append((sentence, replace(entry, text=sentence, truth=truth)))
    return whole or others


def _weight(
    text: str,
    entry: Evidence,
    about: frozenset[tuple[str, ...]],
    mentions: Counter[tuple[str, ...]],
    seen: set[tuple[str, ...]],
    task: WritingTask,
) -> float:
    """What a sentence is worth keeping for. The numbers order sentences and mean nothing by themselves."""
    people = (task.char, task.user, entry.speaker)
    # A name of those who talk to each other stands in every other line, often shortened, and says nothing.
    told = [name for name in names(text) if not any(who.startswith(name) for who in people)]
    weight = 0.2 * sum(min(3, mentions[gram]) for gram in about) / math.sqrt(1 + len(about))
    weight += 0.15 * min(8, len(about - seen))
    weight += 1.0 * min(2, len(told))
    weight += 0.8 * min(2, len(numbers(text)))
    if pick(_PROMISES, task.language).search(text):
        weight += 1.0
    if entry.by_user and about_self(text, task.language):
        weight += 1.0
    if entry.kind is SegmentKind.OOC:
        weight += 3.0
    if _QUESTION.search(text):
        weight -= 1.5
    # An exclamation of two words is about nothing, whoever is named in it.
    return weight * min(1.0, len(about) / _FULL)


def _attributed(entry: Evidence, task: WritingTask) -> str:
    """A sentence as it stands in a chapter: with who said it, ended as a sentence ends."""
    text = entry.text
    if task.level:
        return text
    if entry.kind in (SegmentKind.SPEECH, SegmentKind.UNCLEAR):
        frame = pick(_SAID, task.language)
    elif entry.kind is SegmentKind.THOUGHT:
        frame = pick(_THOUGHT, task.language)
    elif entry.kind is SegmentKind.NARRATION and entry.speaker:
        frame = pick(_TOLD, task.language)
    elif entry.kind is SegmentKind.ACTION and entry.speaker and entry.speaker not in text:
        frame = pick(_DID, task.language)
    else:
        frame = "{text}"
    for outer, inner in _NESTED:
        if f"{outer[0]}{{text}}" in frame:
            text = text.replace(outer[0], inner[0]).replace(outer[1], inner[1])
    if task.language != "en" and frame != "{text}" and entry.kind is not SegmentKind.ACTION:
        text = text.removesuffix("。")
    if not _END.search(text) and ("{text}”" in frame or frame.endswith("{text}")):
        text += "." if task.language == "en" else ("" if "{text}”" in frame else "。")
    return frame.format(name=entry.speaker, text=text)


def _pick(candidates: Sequence[_Candidate], task: WritingTask, count: Count) -> list[_Candidate]:
    """The best sentences within the budget, in the order of the story."""
    if not candidates:
        return []
    sizes = dict(zip((c.place for c in candidates), count([c.text for c in candidates]), strict=True))
    # A third of the range each gets its turn, so that neither beginning nor end is forgotten.
    third = max(1, -(-len(candidates) // 3))
    chosen: list[_Candidate] = []
    left = task.budget
    taken: Counter[int] = Counter()

    def value(candidate: _Candidate) -> float:
        spread = 1.0 / (1 + taken[candidate.place // third])
        return (candidate.weight + 0.5) * (0.5 + spread) / math.sqrt(max(8, sizes[candidate.place]))

    rest = list(candidates)
    while rest and len(chosen) < task.most_items:
        best = max(rest, key=lambda candidate: (value(candidate), -candidate.place))
        rest.remove(best)
        if sizes[best.place] > left or _says_the_same(best, chosen):
            continue
        chosen.append(best)
        taken[best.place // third] += 1
        left -= sizes[best.place]
    if not chosen:
        chosen = [_shortened(candidates, task, count)]
    return sorted(chosen, key=lambda candidate: candidate.place)


def _says_the_same(candidate: _Candidate, chosen: Sequence[_Candidate]) -> bool:
    about = candidate.about
    return bool(about) and any(
        len(about & other.about) > _REDUNDANT * min(len(about), len(other.about)) for other in chosen if other.about
    )


def _shortened(candidates: Sequence[_Candidate], task: WritingTask, count: Count) -> _Candidate:
    """Where no sentence fits: the longest beginning of whole clauses that does, of the sentence that is worth most; the
    shortest clause of all where none does."""
    joint = pick({"en": ", ", "ja": "、", "zh": "，"}, task.language)
    shortest: tuple[int, _Candidate] | None = None
    # Few are looked at: a text of a megabyte may come as one sentence of commas.
    by_length = sorted(candidates, key=lambda c: len(c.text))
    looked_at = dict.fromkeys([*sorted(candidates, key=lambda c: -c.weight)[:_LOOKED_AT], *by_length[:_LOOKED_AT]])
    for candidate in looked_at:
        clauses = [part.strip() for part in _CLAUSE.split(candidate.evidence.text) if units(part)]
        beginnings = [joint.join(clauses[: length + 1]) for length in range(min(len(clauses), _MOST_CLAUSES))]
        beginnings.append(min(clauses, key=len, default=candidate.evidence.text))
        shorter = []
        for words in beginnings:
            entry = replace(candidate.evidence, text=words)
            shorter.append(replace(candidate, text=_attributed(entry, task), evidence=entry))
        sizes = count([c.text for c in shorter])
        fitting = [c for c, size in zip(shorter, sizes, strict=True) if size <= task.budget]
        if fitting:
            return max(fitting, key=lambda c: len(c.text))
        least = min(range(len(shorter)), key=lambda place: sizes[place])
        if shortest is None or sizes[least] < shortest[0]:
            shortest = (sizes[least], shorter[least])
    assert shortest is not None  # there are candidates, and every one has a beginning
    return shortest[1]
