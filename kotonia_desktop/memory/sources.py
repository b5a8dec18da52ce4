"""Which messages a sentence was made from: found by code, from the words they share. A model's own references are not
asked for: small models invent them.

A pair of characters or a word counts the more the fewer places hold it. The place that shares most is the sentence's
source, together with up to two more that share at least six tenths as much. What shares nothing has no source.

Such a sentence is a fact only where nothing speaks against it: all its sources tell what happened (a thought is what
somebody believes), it has no verb of saying that they have not, and no claim among the messages shares with it, beyond
those sources, a third of what the best of them shares. In doubt it is a claim.
"""

from collections import Counter
from collections.abc import Sequence

from kotonia_desktop.domain.memory import NewItem, Source, Truth
from kotonia_desktop.memory import phrases
from kotonia_desktop.memory.evidence import Evidence
from kotonia_desktop.memory.units import content, units

MOST_SOURCES = 3
_ALSO = 0.6
_DOUBT = 1 / 3


class SourceFinder:
    """Looks sentences up in the evidence of one task."""

    def __init__(self, evidence: Sequence[Evidence], language: str) -> None:
        self._evidence = list(evidence)
        self._language = language
        # Who speaks is part of what a place is about: "Mira said" in a sentence points at what Mira said.
        self._content = [content(units(f"{entry.speaker} {entry.text}")) for entry in self._evidence]
        self._places = Counter(gram for grams in self._content for gram in grams)

    def find(self, sentence: str) -> list[Evidence]:
        """The evidence of a sentence, in the order of the story; [] where there is none."""
        return [self._evidence[place] for place in self._find(content(units(sentence)))]

    def _find(self, wanted: set[tuple[str, ...]]) -> list[int]:
        scores = [self._score(grams & wanted) for grams in self._content]
        best = max(scores, default=0.0)
        if best <= 0.0:
            return []
        order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
        return sorted(place for place in order[:MOST_SOURCES] if scores[place] >= best * _ALSO)

    def _score(self, grams: set[tuple[str, ...]]) -> float:
        return sum(1.0 / self._places[gram] for gram in grams)

    def item(self, sentence: str) -> NewItem | None:
        """A sentence as an item with its sources, and what code makes of it; None where it has none.

        A claim has its speaker where there is only one.
        """
        wanted = content(units(sentence))
        places = self._find(wanted)
        if not places:
            return None
        found = [self._evidence[place] for place in places]
        doubted = self._doubted(wanted, places)
        if doubted is not None and len(places) < MOST_SOURCES:
            found = [self._evidence[place] for place in sorted([*places, doubted])]
        fact = doubted is None and all(entry.happened for entry in found) and not self._adds_words(sentence, found)
        sources: dict[Source, None] = {}
        for entry in found:
            sources |= dict.fromkeys(entry.sources)
        tellers = {entry.speaker for entry in found if not entry.happened}
        speaker = tellers.pop() if not fact and len(tellers) == 1 else ""
        return NewItem(sentence, tuple(sources), Truth.FACT if fact else Truth.CLAIM, speaker)

    def _doubted(self, wanted: set[tuple[str, ...]], places: Sequence[int]) -> int | None:
        """The claim that most of a sentence may come from, beyond its sources; None where no claim says enough."""
        known = set().union(*(self._content[place] for place in places))
        best = max(self._score(self._content[place] & wanted) for place in places)
        extra = {
            place: self._score((self._content[place] & wanted) - known)
            for place, entry in enumerate(self._evidence)
            if not entry.happened and place not in places
        }
        most = max(extra, key=lambda place: extra[place], default=None)
        return most if most is not None and extra[most] >= best * _DOUBT else None

    def _adds_words(self, sentence: str, found: Sequence[Evidence]) -> bool:
        """It tells that somebody said or thought something, and its sources are no words."""
        told = phrases.reports(sentence, self._language) or phrases.THOUGHT.search(sentence) is not None
        spoken = all(entry.by_user or phrases.reports(entry.text, self._language) for entry in found)
        return told and not spoken
