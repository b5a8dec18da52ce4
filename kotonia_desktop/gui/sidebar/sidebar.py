"""The side list: a search over all chats, the conversations by last use, the characters, and the app's menu."""

import time

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.library import Character, ConversationSummary
from kotonia_desktop.domain.messages import SearchHit
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.sidebar.lists import ROW_ROLE, SideList, SideRow
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme

WIDTH = 248
_SEARCH_MS = 200
_MINUTE_MS = 60_000


class Sidebar(QWidget):
    """What there is to open. It shows what it is given and tells what was chosen."""

    conversation_chosen = Signal(int)
    message_chosen = Signal(int, int)
    """Conversation and ordinal of a search hit."""
    character_chosen = Signal(int)
    new_chat_asked = Signal()
    search_asked = Signal(str)
    rename_asked = Signal(int, str)
    remove_asked = Signal(int)
    menu_asked = Signal(QPoint)

    def __init__(self, theme: Theme, avatars: Avatars, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summaries: list[ConversationSummary] = []
        self._characters: list[Character] = []
        self._hits: list[SearchHit] | None = None
        self._current: int | None = None
        self.setProperty("panel", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        title = QLabel("Kotonia", self)
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setProperty("kind", "heading")
        self.menu_button = QToolButton(self)
        self.menu_button.setProperty("kind", "plain")
        self.menu_button.setText("☰")
        self.menu_button.setMinimumSize(28, 28)
        self.search = QLineEdit(self)
        self.search.setProperty("kind", "search")
        self.search.setClearButtonEnabled(True)
        self.new_chat = QPushButton(self)
        self.conversations = SideList(theme, avatars, self)
        self._characters_title = QLabel(self)
        self._characters_title.setTextFormat(Qt.TextFormat.PlainText)
        self._characters_title.setProperty("kind", "quiet")
        self._nothing = QLabel(self)
        self._nothing.setTextFormat(Qt.TextFormat.PlainText)
        self._nothing.setProperty("kind", "quiet")
        self._nothing.setWordWrap(True)
        self._nothing.setContentsMargins(20, 4, 12, 4)
        self._nothing.hide()
        self.characters = SideList(theme, avatars, self)
        self._rename = QLineEdit(self)
        self._rename.hide()
        self._renaming = -1
        head = QHBoxLayout()
        head.setContentsMargins(20, 14, 12, 0)
        head.addWidget(title, 1)
        head.addWidget(self.menu_button)
        field = QVBoxLayout()
        field.setContentsMargins(16, 0, 16, 4)
        field.setSpacing(8)
        field.addWidget(self.search)
        field.addWidget(self.new_chat)
        self._characters_title.setContentsMargins(20, 8, 12, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(field)
        column.addWidget(self._nothing)
        column.addWidget(self.conversations, 1)
        column.addWidget(self._characters_title)
        column.addWidget(self.characters)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_SEARCH_MS)
        self._wait.timeout.connect(self._on_search_due)
        self._minute = QTimer(self)
        self._minute.setInterval(_MINUTE_MS)
        self._minute.timeout.connect(self._refresh)
        self._minute.start()
        self.search.textChanged.connect(self._on_search_changed)
        self.search.returnPressed.connect(self._on_search_entered)
        self.search.installEventFilter(self)
        self._rename.installEventFilter(self)
        self._rename.returnPressed.connect(self._on_renamed)
        self.new_chat.clicked.connect(self.new_chat_asked)
        self.menu_button.clicked.connect(self._on_menu)
        self.conversations.clicked.connect(self._on_chosen)
        self.conversations.activated.connect(self._on_chosen)
        self.conversations.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.conversations.customContextMenuRequested.connect(self._on_context_menu)
        self.characters.clicked.connect(self._on_character)
        self.characters.activated.connect(self._on_character)
        self.retranslate()

    # -- what is shown

    def show_conversations(self, summaries: list[ConversationSummary]) -> None:
        """The conversations, the one used last first."""
        self._summaries = summaries
        self._refresh()

    def show_characters(self, characters: list[Character]) -> None:
        """The characters of the library."""
        self._characters = characters
        self._refresh_characters()

    def show_hits(self, hits: list[SearchHit]) -> None:
        """What a search found."""
        if self.search.text().strip():
            self._hits = hits
            self._refresh()

    def set_current(self, conversation_id: int | None) -> None:
        """Which conversation is open."""
        self._current = conversation_id
        self._mark_current()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.search.setPlaceholderText(translate("Sidebar", "Search all chats"))
        self.search.setAccessibleName(translate("Sidebar", "Search all chats"))
        self.new_chat.setText(translate("Sidebar", "New chat"))
        self.new_chat.setAccessibleName(translate("Sidebar", "New chat"))
        self.menu_button.setAccessibleName(translate("Sidebar", "Menu"))
        self.menu_button.setToolTip(translate("Sidebar", "Menu"))
        self.conversations.setAccessibleName(translate("Sidebar", "Conversations"))
        self._characters_title.setText(translate("Sidebar", "Characters"))
        self.characters.setAccessibleName(translate("Sidebar", "Characters"))
        self._rename.setAccessibleName(translate("Sidebar", "Title of the conversation"))
        self._refresh()
        self._refresh_characters()

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Esc leaves the search and the renaming; Down goes to the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if watched is self.search and event.key() == Qt.Key.Key_Escape:
                self.search.clear()
                return True
            if watched is self.search and event.key() == Qt.Key.Key_Down:
                self.conversations.setFocus()
                return True
            if watched is self._rename and event.key() == Qt.Key.Key_Escape:
                self._rename.hide()
                return True
        if watched is self._rename and event.type() == QEvent.Type.FocusOut:
            self._rename.hide()
        return False

    def _refresh_characters(self) -> None:
        rows = [
            SideRow((c.id,), c.name, c.picture, c.name, texts.character_line(c), c.card.language or "en")
            for c in self._characters
        ]
        self.characters.rows.show(rows)
        self.characters.fit_rows(4)
        self._characters_title.setVisible(bool(rows))

    def _refresh(self) -> None:
        if self._hits is not None:
            pictures = {s.id: s.picture for s in self._summaries}
            names = {s.id: s.character_name for s in self._summaries}
            rows = [
                SideRow(
                    (hit.conversation_id, hit.ordinal),
                    hit.speaker,
                    pictures.get(hit.conversation_id, "") if names.get(hit.conversation_id) == hit.speaker else "",
                    f"{hit.speaker} · {hit.conversation_title}",
                    hit.excerpt,
                )
                for hit in self._hits
            ]
            self._nothing.setText(translate("Sidebar", "Nothing found."))
            self._nothing.setVisible(not rows)
        else:
            now = time.time()
            rows = [self._row(summary, now) for summary in self._summaries]
            self._nothing.hide()
        self.conversations.rows.show(rows)
        self._mark_current()

    @staticmethod
    def _row(summary: ConversationSummary, now: float) -> SideRow:
        moment = texts.when(summary.last_used_at, now)
        detail = moment if summary.title == summary.character_name else f"{summary.title} · {moment}"
        return SideRow(
            (summary.id,), summary.character_name, summary.picture, summary.character_name, detail, summary.language
        )

    def _mark_current(self) -> None:
        chosen = self.conversations.selectionModel()
        index = self.conversations.rows.index_of((self._current or -1,))
        if index.isValid():
            chosen.setCurrentIndex(index, chosen.SelectionFlag.ClearAndSelect)
        else:
            chosen.clearSelection()

    # -- what was done

    def _on_search_changed(self, text: str) -> None:
        if not text.strip():
            self._wait.stop()
            self._hits = None
            self._refresh()
        else:
            self._wait.start()

    def _on_search_entered(self) -> None:
        self._wait.stop()
        self._on_search_due()

    def _on_search_due(self) -> None:
        if self.search.text().strip():
            self.search_asked.emit(self.search.text().strip())

    def _on_chosen(self, index: QModelIndex) -> None:
        row = index.data(ROW_ROLE)
        if isinstance(row, SideRow):
            if len(row.key) == 2:
                self.message_chosen.emit(row.key[0], row.key[1])
            else:
                self.conversation_chosen.emit(row.key[0])

    def _on_character(self, index: QModelIndex) -> None:
        row = index.data(ROW_ROLE)
        if isinstance(row, SideRow):
            self.character_chosen.emit(row.key[0])

    def _on_menu(self) -> None:
        self.menu_asked.emit(self.menu_button.mapToGlobal(QPoint(0, self.menu_button.height())))

    def _on_context_menu(self, point: QPoint) -> None:
        row = self.conversations.indexAt(point).data(ROW_ROLE)
        if isinstance(row, SideRow) and len(row.key) == 1:
            menu = self.conversation_menu(row.key[0])
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.conversations.viewport().mapToGlobal(point))

    def conversation_menu(self, conversation_id: int) -> QMenu:
        """What can be done with a conversation of the list."""
        menu = QMenu(self)
        rename = menu.addAction(translate("Sidebar", "Rename"))
        rename.setData(conversation_id)
        rename.triggered.connect(self._on_rename)
        remove = menu.addAction(translate("Sidebar", "Remove from the list"))
        remove.setData(conversation_id)
        remove.triggered.connect(self._on_remove)
        return menu

    def _sender_data(self) -> int:
        data = getattr(self.sender(), "data", None)
        return int(data()) if callable(data) else -1

    def _on_rename(self) -> None:
        self.start_renaming(self._sender_data())

    def _on_remove(self) -> None:
        self.remove_asked.emit(self._sender_data())

    def start_renaming(self, conversation_id: int) -> None:
        """Edit a conversation's title in its row."""
        index = self.conversations.rows.index_of((conversation_id,))
        title = next((s.title for s in self._summaries if s.id == conversation_id), "")
        if not index.isValid():
            return
        place = self.conversations.visualRect(index)
        self._renaming = conversation_id
        self._rename.setText(title)
        self._rename.selectAll()
        self._rename.setGeometry(self.conversations.x() + 12, self.conversations.y() + place.top() + 10, WIDTH - 24, 34)
        self._rename.show()
        self._rename.raise_()
        self._rename.setFocus()

    def _on_renamed(self) -> None:
        title = self._rename.text().strip()
        self._rename.hide()
        if title:
            self.rename_asked.emit(self._renaming, title)
