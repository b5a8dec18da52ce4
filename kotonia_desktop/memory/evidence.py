"""What a text of memory is made from: the sentences of messages, or the sentences of texts that are merged; and what
code makes of each, fact or claim, by the kind of its line. In doubt it is a claim.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.memory import Chapter, ItemState, Source, Truth
from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.memory import phrases
from kotonia_desktop.memory.lines import LabelledLine, Piece
from kotonia_desktop.memory.units import sentences

_TELLING = (SegmentKind.NARRATION, SegmentKind.ACTION, SegmentKind.THOUGHT)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of source text: who said it (as `speaker`, "" for a fact without one) and what code makes of it."""

    text: str
    sources: tuple[Source, ...]
    truth: Truth
    speaker: str = ""
    kind: SegmentKind = SegmentKind.NARRATION
    by_user: bool = False
    disowned: bool = False
    """Words of a message that says beside them that they are not true: the user's character lies."""

    @property
    def happened(self) -> bool:
        """It is a fact of the story, and not only one about what a mind holds to be true."""
        thought = self.kind is SegmentKind.THOUGHT or phrases.THOUGHT.search(self.text) is not None
        return self.truth is Truth.FACT and not thought


def of_lines(lines: Sequence[LabelledLine], language: str) -> list[Evidence]:
    """The sentences of messages as evidence, in their order."""
    people, users = speakers(lines), players(lines)
    found = []
    for line in lines:
        for piece in line.pieces:
            disowned = is_disowned(piece, line)
            for sentence in sentences(piece.text):
                truth = Truth.CLAIM if disowned else truth_of(piece, sentence, language, people, users)
                found.append(
                    Evidence(sentence, (line.source,), truth, piece.speaker, piece.kind, piece.by_user, disowned)
                )
    return found


def is_disowned(piece: Piece, line: LabelledLine) -> bool:
    """Whether a piece is speech in a message whose narration, acts or thoughts say that it is a lie, or anything in a
    message that speaks to the recorder."""
    if piece.doubtful:
        return True
    return piece.kind is SegmentKind.SPEECH and any(
        other.kind in _TELLING and phrases.LIE.search(other.text) for other in line.pieces
    )


def of_texts(texts: Sequence[Chapter]) -> list[Evidence]:
    """The sentences of texts as evidence, in their order; those whose messages are gone are left out."""
    return [
        Evidence(item.text, item.sources, item.truth, item.speaker)
        for text in texts
        for item in text.items
        if item.state is not ItemState.GONE
    ]


def speakers(lines: Sequence[LabelledLine]) -> frozenset[str]:
    """All who speak, act or think in the lines."""
    return frozenset(piece.speaker for line in lines for piece in line.pieces if piece.speaker)


def players(lines: Sequence[LabelledLine]) -> frozenset[str]:
    """Under which names the user speaks, acts or thinks in the lines."""
    return frozenset(piece.speaker for line in lines for piece in line.pieces if piece.by_user and piece.speaker)


def truth_of(
    piece: Piece, sentence: str, language: str, people: Collection[str] = (), users: Collection[str] = ()
) -> Truth:
    """What code makes of a sentence of a piece.

    Acts, the author's notes and a mind's own thoughts (as what it thinks) are facts, and so is narration that reports
    nobody's words, supposes nothing, and does not say what the user feels or was where the model wrote it. What the
    user says about themselves is one. All other speech is a claim. `people` are those who take part: a sentence in
    which the user names another of them is not only about themselves. `users` are the user's names.
    """
    if piece.kind in (SegmentKind.OOC, SegmentKind.THOUGHT):
        return Truth.FACT
    if piece.kind in (SegmentKind.NARRATION, SegmentKind.ACTION):
        doubtful = phrases.reports(sentence, language) or pick(phrases.SUPPOSED, language).search(sentence) is not None
        presumed = not piece.by_user and any(name in sentence for name in users) and phrases.FEELS.search(sentence)
        return Truth.CLAIM if doubtful or presumed else Truth.FACT
    others = [name for name in people if name != piece.speaker]
    own = piece.by_user and about_self(sentence, language) and not any(name in sentence for name in others)
    return Truth.FACT if own else Truth.CLAIM


def about_self(sentence: str, language: str) -> bool:
    """Whether a sentence states something about its speaker: in the first person, not asking, not about the one it is
    said to, not from hearsay, not a guess."""
    if phrases.QUESTION.search(sentence) or not pick(phrases.FIRST_PERSON, language).search(sentence):
        return False
    return pick(phrases.NOT_OWN_WORD, language).search(phrases.FILLER.sub("", sentence)) is None
