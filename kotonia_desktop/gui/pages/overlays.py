"""What lies over the transcript: the tools of a message, the editor of one, and the button that goes to the end."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QTimer, Signal
from PySide6.QtWidgets import QPushButton

from kotonia_desktop.domain.messages import Message
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.transcript.blocks import STRIP
from kotonia_desktop.gui.transcript.inline_editor import InlineEditor
from kotonia_desktop.gui.transcript.model import TranscriptModel
from kotonia_desktop.gui.transcript.tools import MessageTools
from kotonia_desktop.gui.transcript.view import TranscriptView

_HOVER_MS = 300


class Overlays(QObject):
    """Places the widgets over the view whenever its place or its messages change."""

    newest_asked = Signal()

    def __init__(self, view: TranscriptView, model: TranscriptModel, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._model = model
        self._theme = theme
        self._busy = False
        self._hovered = -1
        viewport = view.viewport()
        self.tools = MessageTools(viewport)
        self.tools.setObjectName("last_tools")
        self.hover_tools = MessageTools(viewport)
        self.hover_tools.setObjectName("hover_tools")
        self.editor = InlineEditor(viewport)
        self.to_newest = QPushButton(viewport)
        self.to_newest.setProperty("kind", "floating")
        self.to_newest.hide()
        self._new_below = False
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_HOVER_MS)
        self._wait.timeout.connect(self.place)
        view.scrolled.connect(self.place)
        view.new_text_below.connect(self._on_new_text)
        view.hovered_row_changed.connect(self._on_hovered)
        view.menu_asked.connect(self._on_menu_asked)
        view.selectionModel().currentChanged.connect(self._on_current_changed)
        view.installEventFilter(self)
        self.to_newest.clicked.connect(self.newest_asked)
        self.editor.resized.connect(self._on_editor_resized)
        self.retranslate()

    @property
    def model(self) -> TranscriptModel:
        """The messages under the overlays."""
        return self._model

    def set_busy(self, busy: bool) -> None:
        """While a reply is written nothing else is."""
        self._busy = busy
        self.place()

    def edit(self, message: Message, language: str) -> None:
        """Edit a message where it stands."""
        self.editor.open(message, language, self._theme.scale)
        self.place()

    def end_editing(self) -> None:
        """The message has its row again."""
        self.editor.close_editor()
        self._view.set_editing(-1, 0)
        self.place()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        newest = translate("Transcript", "To the newest")
        new = self._new_below
        self.to_newest.setText(translate("Transcript", "New text ↓") if new else "↓")
        self.to_newest.setAccessibleName(translate("Transcript", "Go to the new text") if new else newest)
        self.to_newest.setToolTip("" if new else newest)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tools of the current message come and go with the focus."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.place()
        return False

    def place(self) -> None:
        """Put everything where it belongs."""
        last = self._model.last
        last_row = len(self._model.messages) - 1 if last is not None else -1
        editing = self.editor.message_id
        shown = last is not None and not last.is_draft and last.id != editing
        self._place_tools(self.tools, last_row if shown else -1, is_last=True)
        row = self._row_with_tools()
        other = row != last_row and 0 <= row < len(self._model.messages)
        if other and (self._model.messages[row].id == editing or self._model.messages[row].is_draft):
            other = False
        self._place_tools(self.hover_tools, row if other else -1, is_last=False)
        self._place_editor()
        self._place_to_newest()

    def _place_to_newest(self) -> None:
        button, column = self.to_newest, self._view.column
        away = bool(self._model.messages) and not self._view.follows
        if button.isHidden() == away:
            button.setVisible(away)
            button.raise_()
        button.adjustSize()
        button.move(
            column.left + (column.width - button.width()) // 2, self._view.viewport().height() - button.height() - 8
        )

    def _row_with_tools(self) -> int:
        if self._hovered >= 0 and not self._wait.isActive():
            return self._hovered
        return self._view.currentIndex().row() if self._view.hasFocus() else -1

    def _place_tools(self, tools: MessageTools, row: int, *, is_last: bool) -> None:
        if row < 0:
            if not tools.isHidden():
                tools.show_for(None, is_last=is_last, busy=self._busy)
            return
        message = self._model.messages[row]
        tools.show_for(message, is_last=is_last, busy=self._busy)
        rect = self._view.row_rect(row)
        tools.setGeometry(
            QRect(self._view.column.left - 6, rect.bottom() + 5 - STRIP, tools.sizeHint().width(), STRIP - 4)
        )

    def _place_editor(self) -> None:
        if not self.editor.is_open:
            return
        row = self._model.row_of(self.editor.message_id)
        if row is None:
            self.end_editing()
            return
        rect, column = self._view.row_rect(row), self._view.column
        self.editor.setGeometry(column.left - 8, rect.top() + 4, column.width + 16, max(80, rect.height() - STRIP - 4))

    def _on_editor_resized(self, message_id: int, height: int) -> None:
        self._view.set_editing(message_id, height + STRIP + 8)

    def _on_new_text(self, below: bool) -> None:
        if below != self._new_below:
            self._new_below = below
            self.retranslate()
            self._place_to_newest()

    def _on_hovered(self, row: int) -> None:
        if row < 0 and self._over_tools():
            return
        self._hovered = row
        self._wait.start()

    def _on_menu_asked(self, row: int, place: QPoint) -> None:
        last = self._model.last
        message = self._model.messages[row]
        tools = self.tools if last is not None and message.id == last.id else self.hover_tools
        if message.is_draft:
            return
        tools.show_for(message, is_last=tools is self.tools, busy=self._busy)
        menu = tools.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _over_tools(self) -> bool:
        return not self.hover_tools.isHidden() and self.hover_tools.underMouse()

    def _on_current_changed(self) -> None:
        self.place()
