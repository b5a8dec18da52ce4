"""A chapter without a model: code picks whole sentences of the messages and says who said them.

It cannot lie and cannot fail. Sentences with names, numbers, first mentions, promises and the user's own words count
most; what says the same as one already picked counts less (greedy, as in maximal marginal relevance). It is marked,
so that a model may retell it later.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.memory import NewChapter, NewItem, Truth, WrittenBy
from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.evidence import Evidence
from kotonia_desktop.memory.titles import title_of
from kotonia_desktop.memory.units import units
from kotonia_desktop.memory.weighing import Candidate, attributed, candidates_of

Count = Callable[[Sequence[str]], Sequence[int]]

_CLAUSE = re.compile(r"[,;、，；]")
_LOOKED_AT = 20
_MOST_CLAUSES = 12


def extract_text(task: WritingTask, count: Count) -> NewChapter:
    """The extractive text of a task, within its budget; without any item where there is nothing to pick from."""
    candidates = candidates_of(task)
    chosen = _pick(candidates, task, count)
    return _chapter(task, chosen, WrittenBy.EXTRACT)


def first_sentences(task: WritingTask, count: Count) -> NewChapter:
    """The first sentence of each message, from the first on, as many as the budget holds: what any memory must beat."""
    firsts: dict[object, Candidate] = {}
    for candidate in candidates_of(task):
        firsts.setdefault(candidate.evidence.sources, candidate)
    chosen: list[Candidate] = []
    left = task.budget
    for candidate, size in zip(firsts.values(), count([c.text for c in firsts.values()]), strict=True):
        if size > left:
            break
        chosen.append(candidate)
        left -= size
    if firsts and not chosen:
        chosen = [_shortened(list(firsts.values())[:1], task, count)]
    return _chapter(task, chosen, WrittenBy.FIRST_SENTENCE)


def _chapter(task: WritingTask, chosen: Sequence[Candidate], written_by: WrittenBy) -> NewChapter:
    items = tuple(NewItem(c.text, c.evidence.sources, c.evidence.truth, _claimant(c.evidence)) for c in chosen)
    title = title_of([c.evidence.text for c in chosen], task.language, (task.char, task.user))
    return NewChapter(title=title, written_by=written_by, language=task.language, items=items, level=task.level)


def _claimant(entry: Evidence) -> str:
    """Whose claim it is; "" for a fact, and for words that narration reports: whose they are, code cannot tell."""
    said = entry.truth is Truth.CLAIM and entry.kind not in (SegmentKind.NARRATION, SegmentKind.ACTION)
    return entry.speaker if said else ""


def _pick(candidates: Sequence[Candidate], task: WritingTask, count: Count) -> list[Candidate]:
    """The best sentences within the budget, in the order of the story."""
    if not candidates:
        return []
    sizes = dict(zip((c.place for c in candidates), count([c.text for c in candidates]), strict=True))
    # A third of the range each gets its turn, so that neither beginning nor end is forgotten.
    third = max(1, -(-len(candidates) // 3))
    chosen: list[Candidate] = []
    left = task.budget
    taken: Counter[int] = Counter()

    def value(candidate: Candidate) -> float:
        spread = 1.0 / (1 + taken[candidate.place // third])
        return (candidate.weight + 0.5) * (0.5 + spread) / math.sqrt(max(8, sizes[candidate.place]))

    rest = list(candidates)
    while rest and len(chosen) < task.most_items:
        best = max(rest, key=lambda candidate: (value(candidate), -candidate.place))
        rest.remove(best)
        if sizes[best.place] > left or best.says_the_same(chosen):
            continue
        chosen.append(best)
        taken[best.place // third] += 1
        left -= sizes[best.place]
    if not chosen:
        chosen = [_shortened(candidates, task, count)]
    return sorted(chosen, key=lambda candidate: candidate.place)


def _shortened(candidates: Sequence[Candidate], task: WritingTask, count: Count) -> Candidate:
    """Where no sentence fits: the longest beginning of whole clauses that does, of the sentence that is worth most; the
    shortest clause of all where none does."""
    joint = pick({"en": ", ", "ja": "、", "zh": "，"}, task.language)
    shortest: tuple[int, Candidate] | None = None
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
            shorter.append(replace(candidate, text=attributed(entry, task), evidence=entry))
        sizes = count([c.text for c in shorter])
        fitting = [c for c, size in zip(shorter, sizes, strict=True) if size <= task.budget]
        if fitting:
            return max(fitting, key=lambda c: len(c.text))
        least = min(range(len(shorter)), key=lambda place: sizes[place])
        if shortest is None or sizes[least] < shortest[0]:
            shortest = (sizes[least], shorter[least])
    assert shortest is not None  # there are candidates, and every one has a beginning
    return shortest[1]
