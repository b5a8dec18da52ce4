"""Which messages a sentence was made from: found by code, from the words they share. A model's own references are not
asked for: small models invent them.

A pair of characters or a word counts the more the fewer places hold it. The place that shares most is the sentence's
source, together with up to two more that share at least six tenths as much. What shares nothing has no source.
"""

from collections import Counter
from collections.abc import Sequence

from kotonia_desktop.domain.memory import NewItem, Source, Truth
from kotonia_desktop.memory.evidence import Evidence
from kotonia_desktop.memory.units import content, units

MOST_SOURCES = 3
_ALSO = 0.6


class SourceFinder:
    """Looks sentences up in the evidence of one task."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._evidence = list(evidence)
        # Who speaks is part of what a place is about: "Mira said" in a sentence points at what Mira said.
        self._content = [content(units(f"{entry.speaker} {entry.text}")) for entry in self._evidence]
        self._places = Counter(gram for grams in self._content for gram in grams)

    def find(self, sentence: str) -> list[Evidence]:
        """The evidence of a sentence, in the order of the story; [] where there is none."""
        wanted = content(units(sentence))
        scores = [sum(1.0 / self._places[gram] for gram in grams & wanted) for grams in self._content]
        best = max(scores, default=0.0)
        if best <= 0.0:
            return []
        order = sorted(range(len(scores)), key=lambda number: (-scores[number], number))
        chosen = [number for number in order[:MOST_SOURCES] if scores[number] >= best * _ALSO]
        return [self._evidence[number] for number in sorted(chosen)]

    def item(self, sentence: str) -> NewItem | None:
        """A sentence as an item with its sources; None where it has none.

        It is a fact where all it comes from is one. In doubt it is a claim, with its speaker where there is only one.
        """
        found = self.find(sentence)
        if not found:
            return None
        sources: dict[Source, None] = {}
        for entry in found:
            sources |= dict.fromkeys(entry.sources)
        fact = all(entry.truth is Truth.FACT for entry in found)
        speakers = {entry.speaker for entry in found if entry.truth is Truth.CLAIM}
        speaker = speakers.pop() if not fact and len(speakers) == 1 else ""
        return NewItem(sentence, tuple(sources), Truth.FACT if fact else Truth.CLAIM, speaker)
