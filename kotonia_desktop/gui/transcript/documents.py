"""Turns a message's text and segments into a text document: kinds become colours, thoughts a rail, never markup.

Model text is put in by cursor only, never as HTML or Markdown: those lose text and would fetch what it names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)

from kotonia_desktop.domain.language import language_of
from kotonia_desktop.domain.messages import Segment, SegmentKind
from kotonia_desktop.gui.fonts import line_height, reading_font, ui_font
from kotonia_desktop.gui.theme import Tokens

PARAGRAPH_GAP = 9
THOUGHT_INDENT = 18
_HIDDEN = "…"
# What a text document gives a meaning of its own: an object, separators, frame marks, and what breaks a line.
_CLEAN = str.maketrans(
    {
        "\ufffc": "\ufffd",
        "\ufdd0": "\ufffd",
        "\ufdd1": "\ufffd",
        "\x00": "\ufffd",
        "\u2028": " ",
        "\u2029": " ",
        "\x0b": " ",
        "\x0c": " ",
        "\x85": " ",
        "\r": " ",
    }
)


class BlockMark(IntEnum):
    """How a paragraph is drawn besides its text; kept as the block's user state."""

    PLAIN = 0
    THOUGHT = 1
    OOC = 2


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How text is set: theme, size in percent, language of the conversation, whether thoughts are shown."""

    tokens: Tokens
    scale: int = 100
    language: str = "en"
    show_thoughts: bool = True


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of one line, without its marks."""

    kind: SegmentKind
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a message. `gap` says that an empty line stands before it."""

    runs: tuple[Run, ...]
    gap: bool


def split_lines(text: str, segments: Sequence[Segment]) -> Iterator[Line]:
    """The lines of `text` that hold something, cut into runs by `segments`; what no segment covers is narration."""
    position = 0
    gap = False
    seen = False
    ordered = sorted(segments, key=lambda segment: segment.start)
    index = 0
    for raw in text.split("\n"):
        start, end = position, position + len(raw)
        position = end + 1
        if not raw.strip():
            gap = seen
            continue
        while index < len(ordered) and ordered[index].end <= start:
            index += 1
        yield Line(tuple(_runs(text, start, end, ordered, index)), gap)
        gap = False
        seen = True


def _runs(text: str, start: int, end: int, segments: Sequence[Segment], index: int) -> Iterator[Run]:
    at = start
    while index < len(segments) and segments[index].start < end:
        segment = segments[index]
        first, last = max(start, segment.start), min(end, segment.end)
        if first > at:
            yield Run(SegmentKind.NARRATION, text[at:first])
        if last > first:
            piece = text[first:last]
            yield Run(segment.kind, _unmarked(piece, segment, first, last))
        at = max(at, last)
        index += 1
    if at < end:
        yield Run(SegmentKind.NARRATION, text[at:end])


def _unmarked(piece: str, segment: Segment, first: int, last: int) -> str:
    """Acts and thoughts without the asterisks or underscores around them; brackets and quotes stay."""
    if segment.kind not in (SegmentKind.ACTION, SegmentKind.THOUGHT):
        return piece
    if first == segment.start:
        piece = piece.lstrip("*_")
    if last == segment.end:
        piece = piece.rstrip("*_")
    return piece


def build_document(
    text: str, segments: Sequence[Segment], style: TextStyle, width: int, ooc_label: str = ""
) -> QTextDocument:
    """The document of a message, `width` pixels wide."""
    language = language_of(text[:2000], style.language)
    document = _empty(reading_font(language, style.scale))
    cursor = QTextCursor(document)
    formats = _formats(style)
    height = line_height(language, style.scale)
    first = True
    for line in split_lines(text, segments):
        mark = _mark(line)
        block = QTextBlockFormat()
        block.setTopMargin(0 if first else PARAGRAPH_GAP if line.gap else 2)
        if mark is BlockMark.OOC:
            block.setLeftMargin(10)
            block.setRightMargin(10)
            block.setTopMargin(block.topMargin() + 6)
            block.setBottomMargin(6)
        else:
            block.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
            if mark is BlockMark.THOUGHT:
                block.setLeftMargin(THOUGHT_INDENT)
        if first:
            cursor.setBlockFormat(block)
        else:
            cursor.insertBlock(block)
        cursor.block().setUserState(mark)
        if mark is BlockMark.OOC and ooc_label:
            cursor.insertText(f"{ooc_label} · ", formats[SegmentKind.OOC])
        for run in line.runs:
            _insert(cursor, run, formats, style)
        first = False
    document.setTextWidth(width)
    return document


def plain_document(text: str, font: QFont, colour: str, width: int, height: int = 0) -> QTextDocument:
    """A document of one font and colour."""
    document = _empty(font)
    cursor = QTextCursor(document)
    block = QTextBlockFormat()
    if height:
        block.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    cursor.setBlockFormat(block)
    form = QTextCharFormat()
    form.setForeground(QColor(colour))
    cursor.insertText(text.replace("\r", "").translate(_CLEAN), form)
    document.setTextWidth(width)
    return document


def _empty(font: QFont) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(font)
    option = QTextOption(Qt.AlignmentFlag.AlignLeft)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    return document


def _mark(line: Line) -> BlockMark:
    kinds = {run.kind for run in line.runs if run.text.strip()}
    if kinds == {SegmentKind.THOUGHT}:
        return BlockMark.THOUGHT
    return BlockMark.OOC if kinds == {SegmentKind.OOC} else BlockMark.PLAIN


def _formats(style: TextStyle) -> dict[SegmentKind, QTextCharFormat]:
    tokens = style.tokens
    colours = {
        SegmentKind.SPEECH: tokens.text,
        SegmentKind.NARRATION: tokens.narration,
        SegmentKind.ACTION: tokens.narration,
        SegmentKind.UNCLEAR: tokens.narration,
        SegmentKind.THOUGHT: tokens.thought,
        SegmentKind.OOC: tokens.text_quiet,
    }
    formats = {}
    for kind, colour in colours.items():
        form = QTextCharFormat()
        form.setForeground(QColor(colour))
        formats[kind] = form
    small = ui_font(style.language, round(12 * style.scale / 100))
    formats[SegmentKind.OOC].setFont(small, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
    return formats


def _insert(cursor: QTextCursor, run: Run, formats: dict[SegmentKind, QTextCharFormat], style: TextStyle) -> None:
    text = run.text.translate(_CLEAN)
    form = formats[run.kind]
    if run.kind is SegmentKind.THOUGHT and text.strip():
        if not style.show_thoughts:
            text = _HIDDEN
        elif language_of(text, style.language) == "en":
            form = QTextCharFormat(form)
            form.setFontItalic(True)
    cursor.insertText(text, form)
