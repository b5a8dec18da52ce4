"""Cuts a message into segments: narration, action, speech, thought, out of character.

Promise 4 rests on this: what is speech can only become a claim. So marks are read strictly; what does not balance is
`UNCLEAR` to the end of its paragraph, never narration. Never raises, one pass, linear in the length of the text.

Prose: quotes of all kinds are speech (unless the conversation's markup gives them another meaning), `((...))` is out of
character, the other marks mean what the markup says. A paragraph ends at an empty line.
Script: see `domain.script`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.library import ProseMarkup, ReplyFormat
from kotonia_desktop.domain.messages import Segment, SegmentKind
from kotonia_desktop.domain.script import parse_script

_QUOTES = {"“": "”", "「": "」", "『": "』", "«": "»"}
_QUOTE_ENDS = frozenset(_QUOTES.values())
_STRAIGHT = frozenset('"＂')
_ROUND = {"（": "）", "(": ")"}
_MARKS = re.compile(r'\*+|_+|["＂“”「」『』«»]|\(\(|（（|\)\)|））|[()（）]')
_OOC_WORD = re.compile(r"\s*(?:OOC|ooc)\b")
_DIVIDER = re.compile(r"[ \t*\-_=~#·•◇◆○●☆★※＊—―]+$")
_SENTENCE_ENDS = frozenset(".!?…。！？")
_CONTEXT = 40
"""How far back a mark looks for the beginning of its line."""


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text's segments, in order; what lies between them is white space. `format_ok`: nothing was unclear."""

    segments: tuple[Segment, ...]
    format_ok: bool


def parse_segments(
    text: str, *, reply_format: ReplyFormat, markup: ProseMarkup, speaker: str, names: Sequence[str] = ()
) -> ParsedText:
    """The segments of `text`, written by `speaker` in a conversation where `names` take part.

    Spans are characters of the raw text, marks included. A line that begins with one of the names and a colon is that
    person's. Speech, thoughts and actions carry their speaker; a quotation in other quotes than the markup's
    carries none. Never raises.
    """
    if reply_format is ReplyFormat.SCRIPT:
        segments, ok = parse_script(text, speaker, names)
        return ParsedText(tuple(segments), ok)
    found: list[Segment] = []
    ok = True
    heads = _heads(speaker, names)
    for block in _blocks(text, heads, speaker):
        parser = _Paragraph(text, block, markup)
        parser.run()
        found += parser.found
        ok = ok and parser.ok
    return ParsedText(tuple(found), ok)


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, or the part of one that belongs to one person. `body` is where the text behind `Name:` begins."""

    start: int
    end: int
    body: int
    speaker: str
    divider: bool = False


def _heads(speaker: str, names: Sequence[str]) -> re.Pattern[str] | None:
    known = sorted({name for name in (*names, speaker) if name.strip()}, key=len, reverse=True)
    if not known:
        return None
    alternatives = "|".join(re.escape(name) for name in known)
    return re.compile(rf"[ \t　]*\**({alternatives})\**[ \t]*[:：]\**")


def _blocks(text: str, heads: re.Pattern[str] | None, speaker: str) -> Iterator[_Block]:
    """The text's paragraphs; a divider line and a line with a name's head stand alone."""
    start: int | None = None
    body, who = 0, speaker
    position = 0
    for line in text.split("\n"):
        line_start, position = position, position + len(line) + 1
        blank = not line or line.isspace()
        divider = not blank and _DIVIDER.match(line) is not None
        head = heads.match(line) if heads and not blank else None
        if start is not None and (blank or divider or head):
            yield _Block(start, line_start, body, who)
            start = None
        if divider:
            yield _Block(line_start, line_start + len(line), line_start, "", divider=True)
        elif head:
            start, body, who = line_start, line_start + head.end(), head[1]
        elif not blank and start is None:
            start, body, who = line_start, line_start, speaker
    if start is not None:
        yield _Block(start, len(text), body, who)


@dataclass(slots=True)
class _Open:
    """A mark that waits for its end."""

    kind: SegmentKind
    opener: str
    closer: str
    start: int
    depth: int = 1


class _Paragraph:
    """The state of one paragraph's pass."""

    def __init__(self, text: str, block: _Block, markup: ProseMarkup) -> None:
        self.text, self.block, self.markup = text, block, markup
        self.found: list[Segment] = []
        self.ok = True
        self._bare_start = block.body
        self._open: _Open | None = None
        self._inner: _Open | None = None
        self._pieces: list[Segment] = []
        self._piece_start = 0
        self._bare_kind = self._kind_of_bare()

    def _kind_of_bare(self) -> SegmentKind:
        if self.markup.speech == "":
            return SegmentKind.SPEECH
        body = self.text[self.block.body : self.block.end]
        named = self.block.body > self.block.start
        if named and not any(char in _QUOTES or char in _STRAIGHT for char in body):
            return SegmentKind.SPEECH  # `Name: hello` says it even where speech is quoted elsewhere.
        return SegmentKind.NARRATION

    def run(self) -> None:
        """Fill `found` and `ok`."""
        block = self.block
        if block.divider:
            self._emit(SegmentKind.NARRATION, block.start, block.end)
            return
        for match in _MARKS.finditer(self.text, block.body, block.end):
            if not self._step(match.start(), match[0]):
                return
        if self._open is not None:
            self._end_open(self._open)
        else:
            self._emit_bare(block.end)
        if not self.found:
            self._emit(SegmentKind.UNCLEAR, block.start, block.end)
            self.ok = False

    # -- marks

    def _step(self, at: int, mark: str) -> bool:
        """Take one mark. False: it does not balance, and the paragraph is done."""
        if self._inner is not None:
            return self._step_in(self._inner, at, mark)
        if self._open is not None:
            return self._step_in(self._open, at, mark)
        if mark in ("((", "（（"):
            self._begin(SegmentKind.OOC, mark, "))" if mark == "((" else "））", at)
            return True
        kind = self._meaning(mark, at)
        if kind is None:
            return True
        if kind is SegmentKind.UNCLEAR:
            return self._fail(self._bare_start)
        self._begin(kind, mark, _QUOTES.get(mark) or _ROUND.get(mark) or mark, at)
        return True

    def _meaning(self, mark: str, at: int) -> SegmentKind | None:
        """What `mark` opens here: None where it is plain text, UNCLEAR where it closes what is not open."""
        if mark in _STRAIGHT:
            return SegmentKind.UNCLEAR if self._closes(at, at + 1) and not self._opens(at, at + 1) else self._of(mark)
        if mark in _QUOTES:
            return self._of(mark)
        if mark in _QUOTE_ENDS:
            return SegmentKind.UNCLEAR
        if mark[0] == "*":
            return self._meaning_of_asterisks(mark, at)
        if mark[0] == "_":
            if len(mark) != 1 or "__" not in (self.markup.thought, self.markup.narration):
                return None
            return None if self._word_before(at) else self._of("_")
        return self._meaning_of_bracket(mark, at)

    def _meaning_of_asterisks(self, mark: str, at: int) -> SegmentKind | None:
        if len(mark) == 2 or len(mark) > 3:
            return None  # bold, censored letters, decoration
        if len(mark) == 3:
            return None if self._word_before(at) else self._of("*")
        if self._space_at(at - 1) and self._space_at(at + 1):
            return None  # 2 * 3, a list's bullet
        return self._of("*")

    def _meaning_of_bracket(self, mark: str, at: int) -> SegmentKind | None:
        if mark in _ROUND and _OOC_WORD.match(self.text, at + 1, self.block.end):
            return SegmentKind.OOC
        used = {"（）", "()"} & {self.markup.thought, self.markup.narration, self.markup.speech}
        if not used:
            return None
        if mark in _ROUND:
            if mark == "(" and used == {"（）"} and self.text.find(")", at, min(self.block.end, at + 2000)) < 0:
                return None  # :( in a text whose own brackets are the wide ones
            return self._of(mark)
        before = self.text[at - 1 : at]
        if mark == "））" or (mark == "）" and not before.isdigit()):
            return SegmentKind.UNCLEAR
        if mark == ")" and used == {"()"} and not (before.isdigit() or before in ":;=-^_"):
            return SegmentKind.UNCLEAR
        return None

    def _of(self, mark: str) -> SegmentKind:
        """What a pair that begins with `mark` means in this conversation."""
        pair = {"*": "**", "_": "__", "(": "（）", "＂": '""', '"': '""'}.get(mark) or mark + (
            _QUOTES.get(mark) or _ROUND.get(mark) or ""
        )
        same = {pair, "()"} if pair == "（）" else {pair}
        if self.markup.narration in same:
            return SegmentKind.ACTION
        if self.markup.thought in same:
            return SegmentKind.THOUGHT
        if self.markup.speech in same or mark in _QUOTES or mark in _STRAIGHT:
            return SegmentKind.SPEECH
        return SegmentKind.ACTION

    # -- inside a mark

    def _begin(self, kind: SegmentKind, opener: str, closer: str, at: int) -> None:
        self._open = _Open(kind, opener, closer, at)
        self._pieces = []
        self._piece_start = at

    def _step_in(self, mark: _Open, at: int, found: str) -> bool:
        end = at + len(found)
        if found == mark.closer:
            if (found in _STRAIGHT or found == "*") and self._opens(at, end) and not self._closes(at, end):
                return self._fail(self._open.start if self._open else mark.start)
            if found == "_" and not self._closes(at, end):
                return True
            mark.depth -= 1
            if mark.depth == 0:
                self._close(mark, end)
            return True
        if found == mark.opener and mark.opener != mark.closer:
            mark.depth += 1
            return True
        if mark.closer in _ROUND.values() and found in ("((", "))", "（（", "））"):
            return self._step_double(mark, at, found)
        nests = mark.kind is SegmentKind.ACTION and self._inner is None
        if nests and (found in _QUOTES or found in _STRAIGHT) and self._of(found) is SegmentKind.SPEECH:
            self._add_piece(SegmentKind.ACTION, at)
            self._inner = _Open(SegmentKind.SPEECH, found, _QUOTES.get(found, found), at)
        elif nests and found in _QUOTE_ENDS:
            return self._fail(mark.start)
        return True

    def _step_double(self, mark: _Open, at: int, found: str) -> bool:
        """A doubled bracket inside a single one counts as two."""
        for offset, char in enumerate(found):
            if char == mark.closer:
                mark.depth -= 1
                if mark.depth == 0:
                    self._close(mark, at + offset + 1)
                    break
            elif char == mark.opener:
                mark.depth += 1
        return True

    def _close(self, mark: _Open, end: int) -> None:
        if mark is self._inner:
            self._inner = None
            self._pieces.append(self._segment(SegmentKind.SPEECH, mark.start, end, mark.opener))
            self._piece_start = end
            return
        self._open = None
        if self._is_emphasis(mark, end) or self._is_gloss(mark, end):
            return
        self._emit_bare(mark.start)
        if self._pieces:
            self._add_piece(mark.kind, end)
            self._extend(self._pieces)
        else:
            self._emit(mark.kind, mark.start, end, mark.opener)
        self._bare_start = end

    def _is_emphasis(self, mark: _Open, end: int) -> bool:
        """*really* inside a sentence stresses a word: it is no thought. Only where narration is bare text."""
        if mark.opener not in ("*", "_") or mark.kind is not SegmentKind.THOUGHT:
            return False
        inside = self.text[mark.start + 1 : end - 1] if end - mark.start <= 60 else ""
        if not inside or inside[-1] in _SENTENCE_ENDS or not inside[0].islower() or len(inside.split()) > 3:
            return False
        before = self._line_before(mark.start).rstrip()
        return bool(before) and before[-1] not in _SENTENCE_ENDS and before[-1] not in '"”」』*'

    def _is_gloss(self, mark: _Open, end: int) -> bool:
        """澄（すみ）: a short bracket right behind a word explains it. Only where brackets are thoughts."""
        if mark.opener not in _ROUND or mark.kind is not SegmentKind.THOUGHT or end - mark.start > 16:
            return False
        return self._word_before(mark.start) and self.text[end - 2] not in _SENTENCE_ENDS

    def _end_open(self, mark: _Open) -> None:
        """The paragraph ends inside a mark."""
        if self._inner is None and mark.kind is SegmentKind.SPEECH and mark.opener in ("“", "«") and mark.depth == 1:
            # A speech over several paragraphs opens each of them and closes the last only.
            follows = self.text[self.block.end : self.block.end + _CONTEXT].lstrip()
            if follows.startswith(mark.opener):
                self._emit_bare(mark.start)
                self._emit(SegmentKind.SPEECH, mark.start, self.block.end, mark.opener)
                return
        self._fail(mark.start)

    def _fail(self, start: int) -> bool:
        """From `start` on the paragraph cannot be read."""
        if self._open is not None and start >= self._open.start:
            self._emit_bare(self._open.start)
        self._emit(SegmentKind.UNCLEAR, max(start, self.block.body), self.block.end)
        self._open = self._inner = None
        self.ok = False
        return False

    # -- neighbours of a mark

    def _space_at(self, at: int) -> bool:
        return at < self.block.body or at >= self.block.end or self.text[at].isspace()

    def _word_before(self, at: int) -> bool:
        return at > self.block.body and self.text[at - 1].isalnum()

    def _opens(self, start: int, end: int) -> bool:
        return self._space_at(start - 1) and not self._space_at(end)

    def _closes(self, start: int, end: int) -> bool:
        behind = self._space_at(end) or self.text[end] in ".,!?;:…—-)]。、，！？；：）"
        return behind and not self._space_at(start - 1)

    def _line_before(self, at: int) -> str:
        start = max(self.block.body, at - _CONTEXT)
        return self.text[start:at].rpartition("\n")[2]

    # -- output

    def _segment(self, kind: SegmentKind, start: int, end: int, mark: str = "") -> Segment:
        spoken = kind in (SegmentKind.SPEECH, SegmentKind.THOUGHT, SegmentKind.ACTION)
        # 『』 in a text that speaks in 「」 quotes a letter or a title: a claim of nobody we know.
        foreign = kind is SegmentKind.SPEECH and mark == "『" and self.markup.speech not in ("『』", "")
        return Segment(kind, start, end, self.block.speaker if spoken and not foreign else "")

    def _add_piece(self, kind: SegmentKind, end: int) -> None:
        if self.text[self._piece_start : end].strip():
            self._pieces.append(self._segment(kind, self._piece_start, end))

    def _extend(self, pieces: list[Segment]) -> None:
        for piece in pieces:
            self._emit(piece.kind, piece.start, piece.end, speaker=piece.speaker)
        self._pieces = []

    def _emit_bare(self, end: int) -> None:
        self._emit(self._bare_kind, self._bare_start, end)
        self._bare_start = end

    def _emit(self, kind: SegmentKind, start: int, end: int, mark: str = "", speaker: str | None = None) -> None:
        """Add a segment without the white space around it; nothing for white space alone."""
        span = self.text[start:end]
        stripped = span.strip()
        if not stripped:
            return
        start += len(span) - len(span.lstrip())
        end = start + len(stripped)
        if not self.found and start >= self.block.body:
            head = self.text[self.block.start : self.block.body]
            if head.strip():
                start = self.block.start + len(head) - len(head.lstrip())
        segment = self._segment(kind, start, end, mark)
        self.found.append(segment if speaker is None else Segment(kind, start, end, speaker))
