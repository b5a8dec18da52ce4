"""The sentences of a range, each with who said it and what it is worth keeping for: by code, without a model."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.evidence import Evidence, about_self
from kotonia_desktop.memory.units import content, names, numbers, units

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
REDUNDANT = 0.6
"""A sentence that shares more than this of what it is about with another says the same."""
_LEAST_UNITS = 3
_FULL = 5
"""Words (or pairs of characters) that a sentence is about, from which on it counts in full."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that could be kept, at its place among all of them. `weight` orders them and means nothing else."""

    place: int
    text: str
    """As it will stand, with who said it."""
    evidence: Evidence
    about: frozenset[tuple[str, ...]]
    weight: float

    def says_the_same(self, others: "Sequence[Candidate]") -> bool:
        """Whether it tells next to nothing that one of the others does not."""
        return bool(self.about) and any(
            len(self.about & other.about) > REDUNDANT * min(len(self.about), len(other.about))
            for other in others
            if other.about
        )


def candidates_of(task: WritingTask) -> list[Candidate]:
    """All sentences that could be picked, weighed, in their order."""
    found = _sentences(task)
    abouts = [frozenset(content(units(text))) for text, _ in found]
    mentions = Counter(gram for about in abouts for gram in about)
    seen: set[tuple[str, ...]] = set()
    candidates = []
    for place, ((text, entry), about) in enumerate(zip(found, abouts, strict=True)):
        weight = _weight(text, entry, about, mentions, seen, task)
        seen |= about
        candidates.append(Candidate(place, attributed(entry, task), entry, about, weight))
    return candidates


def _sentences(task: WritingTask) -> list[tuple[str, Evidence]]:
    """All sentences with what they come from. Those of a word or two, and narration that ends as no sentence does, are
    there only where nothing else is."""
    if task.level:  # already sentences of a memory
        return [(entry.text, entry) for entry in task.evidence]
    whole: list[tuple[str, Evidence]] = []
    others: list[tuple[str, Evidence]] = []
    for entry in task.evidence:
        ended = _END.search(entry.text) is not None or entry.kind is not SegmentKind.NARRATION
        rows = whole if ended and len(units(entry.text)) >= _LEAST_UNITS else others
        rows.append((entry.text, entry))
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


def attributed(entry: Evidence, task: WritingTask) -> str:
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
