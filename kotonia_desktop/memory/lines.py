"""What the chronicler reads: every message as labelled lines, never as bare text.

`#412 Mira (says): …`. The label says who, and what kind of line it is, because a claim and a fact are told apart by
that alone. What is off the record is not there; what is out of character is there only where the user wrote it and it
begins with `canon:`. A model's own word for canon would be a claim that made itself a fact.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.memory import Source
from kotonia_desktop.domain.messages import Message, Role, SegmentKind
from kotonia_desktop.memory import phrases
from kotonia_desktop.memory.units import sentences

_LABELS: dict[str, dict[SegmentKind, str]] = {
    "en": {
        SegmentKind.SPEECH: "{name} (says)",
        SegmentKind.THOUGHT: "{name} (thinks, unspoken)",
        SegmentKind.ACTION: "{name} (does)",
        SegmentKind.NARRATION: "(narration)",
        SegmentKind.OOC: "(author's note, true in the story)",
    },
    "ja": {
        SegmentKind.SPEECH: "{name}（言う）",
        SegmentKind.THOUGHT: "{name}（心の声、口に出さない）",
        SegmentKind.ACTION: "{name}（する）",
        SegmentKind.NARRATION: "（地の文）",
        SegmentKind.OOC: "（作者の注、物語の中の事実）",
    },
    "zh": {
        SegmentKind.SPEECH: "{name}（说）",
        SegmentKind.THOUGHT: "{name}（心里想，没说出口）",
        SegmentKind.ACTION: "{name}（做）",
        SegmentKind.NARRATION: "（叙述）",
        SegmentKind.OOC: "（作者注，故事中的事实）",
    },
}
_USER_TELLS = {"en": "{name} (tells)", "ja": "{name}（書く）", "zh": "{name}（写）"}
"""The user's narration: bare text of a user is often in the first person, so it must say whose it is."""
_CANON = re.compile(r"^\W*canon\s*[:：]\s*", re.IGNORECASE)
_MARKS = {
    SegmentKind.SPEECH: '*_"＂“”「」『』«»',
    SegmentKind.THOUGHT: '*_()（）"“”「」',
    SegmentKind.ACTION: "*_()（）",
    SegmentKind.NARRATION: "*_",
    SegmentKind.OOC: "()（）",
    SegmentKind.UNCLEAR: '"＂“”「」『』«»',
}
_EMPHASIS = re.compile(
    r"(?<![\d*])\*{1,3}(?=[^\s*])(?P<stars>[^*\n]+)(?<=[^\s*])\*{1,3}(?![\d*])|(?<!\w)_(?P<bars>[^\s_][^_\n]*)(?<!\s)_(?!\w)"
)
"""Marks of emphasis inside a text. What stands between numbers (3*4) and a_name_like_this stay."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a message of one kind, without its marks."""

    kind: SegmentKind
    speaker: str
    text: str
    by_user: bool
    doubtful: bool = False
    """Its message tried to speak to the recorder: nothing else it says is a fact either."""


@dataclass(frozen=True, slots=True)
class LabelledLine:
    """A message as the chronicler reads it: one line for each of its pieces, joined by line breaks in `text`."""

    message_id: int
    revision_id: int
    ordinal: int
    text: str
    pieces: tuple[Piece, ...]
    length: int = 0
    """Characters of the message's own text."""

    @property
    def source(self) -> Source:
        """The message in the revision that was read."""
        return Source(self.message_id, self.revision_id)


def labelled_lines(messages: Sequence[Message], *, char: str, user: str, language: str) -> tuple[LabelledLine, ...]:
    """The messages as labelled lines, oldest first. `char` and `user` are the names of those who speak."""
    lines = []
    for message in messages:
        if message.off_record or message.is_draft:
            continue
        pieces = message_pieces(message, char=char, user=user)
        if pieces:
            text = "\n".join(f"#{message.ordinal + 1} {_label(piece, language)}: {piece.text}" for piece in pieces)
            lines.append(
                LabelledLine(message.id, message.revision.id, message.ordinal, text, pieces, len(message.text))
            )
    return tuple(lines)


def message_pieces(message: Message, *, char: str, user: str) -> tuple[Piece, ...]:
    """A message's pieces in order, neighbours of one kind and speaker as one. What is out of character is left out,
    unless the user wrote it and it begins with `canon:`; so is what speaks to the recorder."""
    by_user = message.role is Role.USER
    own = message.speaker or (user if by_user else char)
    pieces: list[Piece] = []
    text = message.text
    doubtful = phrases.TO_THE_RECORDER.search(text) is not None
    spans = [(s.kind, s.speaker, text[s.start : s.end]) for s in message.revision.segments]
    for kind, speaker, raw in spans or [(SegmentKind.UNCLEAR, own, text)]:
        words = _plain(raw, kind, (own, char, user))
        if kind is SegmentKind.OOC:
            canon = _CANON.match(words)
            if canon is None or not by_user:
                continue
            words = words[canon.end() :].strip()
        if doubtful:
            kept = [sentence for sentence in sentences(words) if not phrases.TO_THE_RECORDER.search(sentence)]
            words = " ".join(kept)
        if not re.search(r"\w", words):
            continue
        # What could not be parsed is in doubt, and in doubt it was said.
        kind = SegmentKind.SPEECH if kind is SegmentKind.UNCLEAR else kind
        unnamed = kind is SegmentKind.OOC or (kind is SegmentKind.NARRATION and not by_user)
        # A name is a card's or a file's text: a line break in one would begin a line of its own.
        who = "" if unnamed else " ".join((speaker or own).split())
        last = pieces[-1] if pieces else None
        if last is not None and (last.kind, last.speaker) == (kind, who):
            pieces[-1] = Piece(kind, who, f"{last.text} {words}", by_user, doubtful)
        else:
            pieces.append(Piece(kind, who, words, by_user, doubtful))
    return tuple(pieces)


def _plain(raw: str, kind: SegmentKind, names: Sequence[str]) -> str:
    """A segment's words in one line, without marks and without a name's head."""
    words = _EMPHASIS.sub(lambda match: match["stars"] or match["bars"], " ".join(raw.split()))
    for name in names:
        if name and words.startswith((f"{name}:", f"{name}：")):
            words = words[len(name) + 1 :].strip()
    marks = _MARKS[kind]
    return words.strip().strip(marks).strip() if marks else words


def _label(piece: Piece, language: str) -> str:
    if piece.kind is SegmentKind.NARRATION and piece.speaker:
        return pick(_USER_TELLS, language).format(name=piece.speaker)
    return pick(_LABELS, language)[piece.kind].format(name=piece.speaker)
