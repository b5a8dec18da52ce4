"""The conversation's page: what of each message is shown, how it is painted, and what the pointer and the keys do."""

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QWidget

from kotonia_desktop.domain.messages import Role
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.transcript.anchored_list import STEP, AnchoredList
from kotonia_desktop.gui.transcript.blocks import AVATAR, STRIP, paint
from kotonia_desktop.gui.transcript.documents import TextStyle
from kotonia_desktop.services.memory_views import MemoryView


class TranscriptView(AnchoredList):
    """Shows the messages of a `TranscriptModel`."""

    hovered_row_changed = Signal(int)
    menu_asked = Signal(int, QPoint)
    """For the message in this row, at this place of the screen."""
    chapter_asked = Signal(int)
    """The chapter with this id is to be opened."""

    def __init__(self, theme: Theme, avatars: Avatars, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._avatars = avatars
        self._pictures: dict[Role, str] = {}
        self._hovered = -1
        self.setProperty("kind", "transcript")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        theme.changed.connect(self._on_look_changed)
        avatars.arrived.connect(self._on_avatar_arrived)

    def set_people(self, language: str, character_picture: str, persona_picture: str) -> None:
        """The language of the conversation and whose pictures stand beside the messages."""
        self._rows.language = language
        self._pictures = {Role.CHARACTER: character_picture, Role.USER: persona_picture}
        self._on_look_changed()

    def set_show_thoughts(self, shown: bool) -> None:
        """Show thoughts, or only that there are some."""
        if shown != self._rows.show_thoughts:
            self._rows.show_thoughts = shown
            self._on_look_changed()

    def show_memory(self, view: MemoryView | None) -> None:
        """Mark which messages stand in chapters, and which are out of the model's sight. Nothing scrolls."""
        rows = range(len(self._rows))
        before = {row: self._rows.divider(row) for row in rows}
        self._rows.chapters.show(view)
        changed = {self._rows.messages[row].id for row in rows if self._rows.divider(row) != before[row]}
        if changed:
            self._remeasure(changed)
        self.viewport().update()

    def chapter_of(self, ordinal: int) -> int | None:
        """The chapter that a message belongs to."""
        return self._rows.chapters.chapter_of(ordinal)

    def set_activity(self, message_id: int, words: str) -> None:
        """What goes on in a message that has no text yet; "" for nothing."""
        if (message_id, words) != self._rows.activity:
            changed = {self._rows.activity[0], message_id}
            self._rows.activity = (message_id, words)
            self._remeasure(changed)

    def set_editing(self, message_id: int, height: int) -> None:
        """Keep `height` pixels for the editor that lies over a message; id -1 for none."""
        changed = {self._rows.editing[0], message_id}
        self._rows.editing = (message_id, height)
        self._remeasure(changed)

    def toggle_reasoning(self, message_id: int) -> None:
        """Open or close the think block of a message."""
        self._rows.open_reasoning ^= {message_id}
        self._remeasure({message_id})

    def toggle_cut(self, message_id: int) -> None:
        """Show or hide what was cut from a message."""
        self._rows.open_cuts ^= {message_id}
        self._remeasure({message_id})

    def is_cut_open(self, message_id: int) -> bool:
        """True while what was cut from a message is shown."""
        return message_id in self._rows.open_cuts

    # -- what happens

    def reset(self) -> None:
        """The model holds other messages."""
        self._hovered = -1
        super().reset()

    def _on_look_changed(self) -> None:
        self._reload_heights()
        self._settle()

    def _on_avatar_arrived(self, _sha256: str) -> None:
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open a think block or a cut text, else select."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            block = self._rows.block(index.row())
            divider = self._rows.divider(index.row())
            x, y = round(event.position().x()), round(event.position().y()) - self.row_rect(index.row()).top()
            if divider is not None and block.divider_hit(x, y):
                self.chapter_asked.emit(divider.chapter_id)
                return
            if block.reasoning_hit(x, y):
                self.toggle_reasoning(block.message.id)
                return
            if block.mark_hit(x, y):
                self.toggle_cut(block.message.id)
                return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which message the pointer is on."""
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()).row())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the message under the pointer."""
        row = self.indexAt(event.pos()).row()
        if row >= 0 and event.reason() == QContextMenuEvent.Reason.Mouse:
            self.menu_asked.emit(row, event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer left the page."""
        super().leaveEvent(event)
        self._hover(-1)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.hovered_row_changed.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space scrolls a page, Enter and the menu key open the current message's menu; the rest is the list's."""
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Menu) and row >= 0:
            rect = self.row_rect(row)
            y = max(0, min(rect.top() + 24, self.viewport().height() - 24))
            self.menu_asked.emit(row, self.viewport().mapToGlobal(QPoint(self.column.left, y)))
            return
        if event.key() == Qt.Key.Key_Space:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.move_by((self.viewport().height() - STEP) * (-1 if back else 1))
            return
        super().keyPressEvent(event)

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the messages in view."""
        style = self._rows.style
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), QColor(style.tokens.page))
            row, offset = self._anchor
            y = -offset
            while row < len(self._rows) and y < self.viewport().height():
                self._rows.measure(row)
                if y + self._rows.heights[row] > event.rect().top() and y < event.rect().bottom():
                    self._paint_row(painter, row, y, style)
                y += self._rows.heights[row]
                row += 1

    def _paint_row(self, painter: QPainter, row: int, y: int, style: TextStyle) -> None:
        message = self._rows.messages[row]
        height = self._rows.heights[row]
        column = self.column
        index = self.model().index(row, 0)
        place = QRect(column.left - 16, y - 4, column.width + 32, height - STRIP + 10)
        # One selected message is only where the keyboard is; several are what will be copied.
        chosen = self.selectionModel().isSelected(index)
        chosen = chosen and (self.hasFocus() or len(self.selectionModel().selectedIndexes()) > 1)
        if chosen:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(style.tokens.selection))
            painter.drawRoundedRect(place, 10, 10)
            painter.restore()
        if message.id != self._rows.editing[0]:
            block = self._rows.block(row)
            avatar = None
            if block.look.heads_run:
                picture = self._pictures.get(message.role, "")
                avatar = self._avatars.round(message.speaker, picture, AVATAR, self.devicePixelRatioF())
            paint(block, painter, y, style, avatar, tinted=not chosen)
        if self.hasFocus() and index == self.currentIndex():
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(style.tokens.focus), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(-3, 1, 3, -1), 10, 10)
            painter.restore()
        chapters = self._rows.chapters
        if chapters.is_queued(message.ordinal):
            painter.setPen(QPen(QColor(style.tokens.told), 2, Qt.PenStyle.DotLine))
            painter.drawLine(10, y, 10, y + height)
        elif chapters.is_folded(message.ordinal):
            painter.setPen(QPen(QColor(style.tokens.x_reused), 2))
            painter.drawLine(10, y, 10, y + height)
