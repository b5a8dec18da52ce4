"""One message laid out for the page: where its name, its paragraphs, its end mark stand, and how they are painted."""

from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFontMetrics,
    QPainter,
    QPalette,
    QPen,
    QPixmap,
    QTextDocument,
)

from kotonia_desktop.domain.messages import Message, Role, StoppedBy
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.fonts import SMALL_PX, line_height, reading_font, ui_font
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.transcript.documents import BlockMark, TextStyle, build_document, plain_document

COLUMN = 690
"""The widest a line of text gets, in pixels at 100 %."""
GUTTER = 60
"""From the avatar's left edge to the column."""
AVATAR = 40
TINT = 16
"""How far the user's block reaches over the column on each side."""
STRIP = 28
"""Reserved below each message for its tools, so that nothing jumps when they appear."""
NAME_HEIGHT = 20
NAME_GAP = 8
LINE = 22
DIVIDER = 40
"""Height of the line over the first message of a chapter."""
_OFF_RECORD = 0.6
_LEAST_MARGIN = 24


@dataclass(frozen=True, slots=True)
class Column:
    """Where the text stands in a page of a given width."""

    left: int
    width: int

    @classmethod
    def within(cls, page: int, scale: int) -> "Column":
        """The column of a page `page` pixels wide; it keeps the gutter for avatars."""
        width = max(120, min(round(COLUMN * max(1.0, scale / 100)), page - 2 * (_LEAST_MARGIN + TINT) - GUTTER))
        left = max(_LEAST_MARGIN + GUTTER, (page - width) // 2)
        return cls(left, width)


@dataclass(frozen=True, slots=True)
class RowLook:
    """What of a message is shown besides its text."""

    heads_run: bool = True
    """The first of several messages of one speaker: it gets the name and the avatar."""
    first: bool = False
    reasoning_open: bool = False
    cut_open: bool = False
    activity: str = ""
    """What is going on while nothing is written yet."""
    divider: str = ""
    """The chapter that begins with the message."""


@dataclass(slots=True)
class MessageBlock:
    """A message's layout. All positions are pixels below the row's top."""

    message: Message
    look: RowLook
    column: Column
    height: int = 0
    name_at: int = 0
    reasoning_at: int | None = None
    reasoning: QTextDocument | None = None
    reasoning_text_at: int = 0
    activity_at: int | None = None
    body: QTextDocument | None = None
    body_at: int = 0
    cut: QTextDocument | None = None
    cut_at: int = 0
    mark: str = ""
    mark_at: int | None = None
    notes: str = ""
    """The user's own marks: off the record, the end of a chapter."""
    notes_at: int = 0
    tint: QRect = field(default_factory=QRect)

    @property
    def avatar(self) -> QRect:
        """Where the avatar stands."""
        return QRect(self.column.left - GUTTER, self.name_at, AVATAR, AVATAR)

    def divider_hit(self, x: int, y: int) -> bool:
        """True where a click opens the chapter that begins here."""
        return bool(self.look.divider) and 0 <= y < DIVIDER and x >= self.column.left - TINT

    @property
    def strip_at(self) -> int:
        """Where the tools stand."""
        return self.height - STRIP

    def reasoning_hit(self, x: int, y: int) -> bool:
        """True where a click opens or closes the think block."""
        at = self.reasoning_at
        return at is not None and at <= y < at + LINE and self.column.left <= x < self.column.left + self.column.width

    def mark_hit(self, x: int, y: int) -> bool:
        """True where a click shows what was cut."""
        at = self.mark_at
        inside = at is not None and at <= y < at + LINE
        return inside and bool(self.message.revision.cut_text) and x >= self.column.left


def lay_out(message: Message, look: RowLook, column: Column, style: TextStyle) -> MessageBlock:
    """Lay a message out in `column`."""
    block = MessageBlock(message, look, column)
    user = message.role is Role.USER
    y = 20 if look.first else 0
    if look.divider:
        y += DIVIDER
    top = y
    if user:
        y += 10
    block.name_at = y
    if look.heads_run:
        y += NAME_HEIGHT + NAME_GAP
    revision = message.revision
    quiet = ui_font(style.language, round(SMALL_PX * style.scale / 100))
    if revision.reasoning:
        block.reasoning_at = y
        y += LINE + 4
        if look.reasoning_open:
            block.reasoning = plain_document(
                revision.reasoning, quiet, style.tokens.text_quiet, column.width - 18, round(18 * style.scale / 100)
            )
            block.reasoning_text_at = y
            y += _height(block.reasoning) + 8
    if message.text:
        label = translate("Transcript", "out of character")
        block.body = build_document(message.text, revision.segments, style, column.width, label)
        block.body_at = y
        y += _height(block.body)
    if look.activity:
        block.activity_at = y
        y += LINE
    if look.cut_open and revision.cut_text:
        block.cut = plain_document(
            revision.cut_text,
            reading_font(style.language, style.scale),
            style.tokens.text_quiet,
            column.width - 18,
            line_height(style.language, style.scale),
        )
        block.cut_at = y + 8
        y = block.cut_at + _height(block.cut)
    block.mark = _mark_line(message, look)
    if block.mark:
        block.mark_at = y + 2
        y += LINE + 2
    if not message.text and not look.activity and not block.mark:
        y += LINE
    block.notes = texts.own_marks(message)
    if block.notes:
        block.notes_at = y + 2
        y += LINE + 2
    if user:
        y += 14
        block.tint = QRect(column.left - TINT, top, column.width + 2 * TINT, y - top)
    if look.heads_run:
        y = max(y, block.name_at + AVATAR + 4)
    block.height = y + STRIP
    return block


def paint(
    block: MessageBlock, painter: QPainter, top: int, style: TextStyle, avatar: QPixmap | None, *, tinted: bool = True
) -> None:
    """Paint a laid out message whose row begins at `top`; without its tint where it is selected."""
    tokens = style.tokens
    message, left = block.message, block.column.left
    painter.save()
    painter.translate(0, top)
    if block.look.divider:
        _draw_divider(painter, block, style)
    if message.off_record:
        painter.setOpacity(_OFF_RECORD)
    if tinted and not block.tint.isNull():
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.user))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(block.tint, 10, 10)
    if block.look.heads_run:
        if avatar is not None:
            painter.drawPixmap(block.avatar.topLeft(), avatar)
        painter.setFont(ui_font(style.language, 13, bold=True))
        painter.setPen(QColor(tokens.text_soft))
        name = QRect(left, block.name_at, block.column.width, NAME_HEIGHT)
        painter.drawText(name, int(Qt.AlignmentFlag.AlignVCenter), _elided(painter, message.speaker, name.width()))
    small = ui_font(style.language, SMALL_PX)
    painter.setFont(small)
    painter.setPen(QColor(tokens.text_quiet))
    if block.reasoning_at is not None:
        sign = "▾" if block.look.reasoning_open else "▸"
        _draw_line(painter, block, block.reasoning_at, f"{texts.considered(message)} {sign}")
    if block.reasoning is not None:
        _draw_document(painter, block.reasoning, left + 18, block.reasoning_text_at)
        _draw_bar(painter, left + 4, block.reasoning_text_at, _height(block.reasoning), tokens.line)
    if block.body is not None:
        _draw_document(painter, block.body, left, block.body_at)
        _draw_marks(painter, block.body, left, block.body_at, style)
        if message.revision.stopped_by is StoppedBy.LANDED:
            # Near its length it ended with its sentence: no mark, but it could go on.
            painter.setPen(QColor(tokens.text_quiet))
            bottom = block.body_at + _height(block.body)
            corner = QRect(left + block.column.width + 4, bottom - LINE, TINT, LINE)
            painter.drawText(corner, int(Qt.AlignmentFlag.AlignVCenter), "▸")
    painter.setFont(small)
    painter.setPen(QColor(tokens.text_quiet))
    if block.activity_at is not None:
        _draw_line(painter, block, block.activity_at, block.look.activity)
    if block.cut is not None:
        _draw_document(painter, block.cut, left + 18, block.cut_at)
        _draw_bar(painter, left + 4, block.cut_at, _height(block.cut), tokens.line_strong)
    painter.setFont(small)
    if block.mark_at is not None:
        painter.setPen(QColor(tokens.danger if texts.is_serious_end(message) else tokens.text_quiet))
        _draw_line(painter, block, block.mark_at, block.mark)
    if block.notes:
        painter.setOpacity(1.0)
        painter.setPen(QColor(tokens.text_soft))
        _draw_line(painter, block, block.notes_at, block.notes)
    painter.restore()


def _mark_line(message: Message, look: RowLook) -> str:
    mark = texts.end_mark(message)
    if message.revision.cut_text and mark:
        act = translate("Transcript", "hide") if look.cut_open else translate("Transcript", "show")
        return f"{mark} · {act}"
    return mark


def _height(document: QTextDocument) -> int:
    return round(document.size().height())


def _elided(painter: QPainter, text: str, width: int) -> str:
    metrics = QFontMetrics(painter.font())
    return metrics.elidedText(" ".join(text.split()), Qt.TextElideMode.ElideRight, width)


def _draw_divider(painter: QPainter, block: MessageBlock, style: TextStyle) -> None:
    """A chapter's name between two hairlines, over its first message."""
    top = (20 if block.look.first else 0) + DIVIDER // 2 - 4
    left, width = block.column.left - TINT, block.column.width + 2 * TINT
    painter.setFont(ui_font(style.language, SMALL_PX))
    words = _elided(painter, block.look.divider, width - 80)
    space = QFontMetrics(painter.font()).horizontalAdvance(words) + 24
    side = max(0, (width - space) // 2)
    painter.fillRect(QRect(left, top, side, 1), QColor(style.tokens.line))
    painter.fillRect(QRect(left + width - side, top, side, 1), QColor(style.tokens.line))
    painter.setPen(QColor(style.tokens.text_quiet))
    painter.drawText(QRect(left, top - LINE // 2, width, LINE), int(Qt.AlignmentFlag.AlignCenter), words)


def _draw_line(painter: QPainter, block: MessageBlock, y: int, text: str) -> None:
    place = QRect(block.column.left, y, block.column.width, LINE)
    painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), _elided(painter, text, place.width()))


def _draw_document(painter: QPainter, document: QTextDocument, x: int, y: int) -> None:
    painter.save()
    painter.translate(x, y)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette = QPalette()
    document.documentLayout().draw(painter, context)
    painter.restore()


def _draw_bar(painter: QPainter, x: int, y: int, height: int, colour: str) -> None:
    painter.fillRect(QRect(x, y, 2, height), QColor(colour))


def _draw_marks(painter: QPainter, document: QTextDocument, x: int, y: int, style: TextStyle) -> None:
    """The dotted rail of thoughts and the box of what is said out of character."""
    layout = document.documentLayout()
    text_block = document.begin()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    while text_block.isValid():
        mark = text_block.userState()
        if mark == BlockMark.THOUGHT:
            place = layout.blockBoundingRect(text_block).translated(x, y)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(style.tokens.thought))
            dot = place.top() + 5
            while dot < place.bottom() - 2:
                painter.drawEllipse(QPointF(x + 5, dot + 2), 1.4, 1.4)
                dot += 7
        elif mark == BlockMark.OOC:
            place = layout.blockBoundingRect(text_block).translated(x, y)
            painter.setPen(QPen(QColor(style.tokens.line_strong), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(
                QRectF(x + 0.5, place.top() - 4.5, document.textWidth() - 1, place.height() + 8), 6, 6
            )
        text_block = text_block.next()
    painter.restore()
