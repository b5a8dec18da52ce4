"""What a text of memory is made from: the pieces of messages, or the sentences of texts that are merged."""

from collections.abc import Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.memory import Chapter, ItemState, Source, Truth
from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.memory.lines import LabelledLine, Piece

_FIRST_PERSON = {
    "en": ("i", "i'm", "i've", "i'd", "i'll", "my", "me", "mine", "myself"),
    "ja": ("私", "わたし", "僕", "ぼく", "俺", "おれ", "あたし", "うち", "自分"),
    "zh": ("我", "咱"),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """A stretch of source text: who said it (as `speaker`, "" for a fact without one) and what code makes of it."""

    text: str
    sources: tuple[Source, ...]
    truth: Truth
    speaker: str = ""
    kind: SegmentKind = SegmentKind.NARRATION
    by_user: bool = False


def of_lines(lines: Sequence[LabelledLine], language: str) -> list[Evidence]:
    """The pieces of messages as evidence, in their order."""
    return [
        Evidence(
            piece.text, (line.source,), truth_of(piece, piece.text, language), piece.speaker, piece.kind, piece.by_user
        )
        for line in lines
        for piece in line.pieces
    ]


def of_texts(texts: Sequence[Chapter]) -> list[Evidence]:
    """The sentences of texts as evidence, in their order; those whose messages are gone are left out."""
    return [
        Evidence(item.text, item.sources, item.truth, item.speaker)
        for text in texts
        for item in text.items
        if item.state is not ItemState.GONE
    ]


def truth_of(piece: Piece, sentence: str, language: str) -> Truth:
    """What code makes of a sentence by the kind of its line: narration, acts, the author's notes and a mind's own
    thoughts are facts; what the user says about themselves is one; all other speech is a claim."""
    if piece.kind in (SegmentKind.NARRATION, SegmentKind.ACTION, SegmentKind.OOC, SegmentKind.THOUGHT):
        return Truth.FACT
    return Truth.FACT if piece.by_user and about_self(sentence, language) else Truth.CLAIM


def about_self(sentence: str, language: str) -> bool:
    """Whether a sentence speaks of its speaker."""
    words = _FIRST_PERSON.get(language, _FIRST_PERSON["en"])
    if language in ("ja", "zh"):
        return any(word in sentence for word in words)
    found = sentence.casefold().replace("’", "'").replace(",", " ").replace(".", " ").split()
    return any(word in found for word in words)
