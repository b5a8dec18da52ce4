"""What can be set for one conversation: whom the user plays in it, and how replies are written."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from kotonia_desktop.domain.library import Conversation, Persona, ReplyFormat
from kotonia_desktop.gui.texts import translate


class ConversationMenu(QObject):
    """Makes the menu and tells what was chosen in it."""

    rename_asked = Signal(int)
    persona_chosen = Signal(int, int)
    format_chosen = Signal(int, str)
    remove_asked = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._conversation: Conversation | None = None

    def menu(self, conversation: Conversation, personas: list[Persona], parent: QWidget) -> QMenu:
        """The menu of `conversation`."""
        self._conversation = conversation
        menu = QMenu(parent)
        menu.addAction(translate("Sidebar", "Rename")).triggered.connect(self._on_rename)
        you = menu.addMenu(translate("Window", "You are"))
        people = QActionGroup(menu)
        for persona in personas:
            self._add(you, people, persona.name, persona.id, persona.id == conversation.persona_id)
        people.triggered.connect(self._on_persona)
        written = menu.addMenu(translate("Window", "Replies are written as"))
        formats = QActionGroup(menu)
        words = {
            ReplyFormat.PROSE: translate("Window", "Prose"),
            ReplyFormat.SCRIPT: translate("Window", "Script, a line for each voice"),
        }
        for kind, title in words.items():
            self._add(written, formats, title, kind.value, kind is conversation.reply_format)
        formats.triggered.connect(self._on_format)
        menu.addSeparator()
        menu.addAction(translate("Sidebar", "Remove from the list")).triggered.connect(self._on_remove)
        return menu

    @staticmethod
    def _add(menu: QMenu, group: QActionGroup, title: str, data: int | str, chosen: bool) -> None:
        action = menu.addAction(title.replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(chosen)
        action.setData(data)
        group.addAction(action)

    def _on_rename(self) -> None:
        if self._conversation is not None:
            self.rename_asked.emit(self._conversation.id)

    def _on_persona(self, action: QAction) -> None:
        if self._conversation is not None:
            self.persona_chosen.emit(self._conversation.id, int(action.data()))

    def _on_format(self, action: QAction) -> None:
        if self._conversation is not None:
            self.format_chosen.emit(self._conversation.id, str(action.data()))

    def _on_remove(self) -> None:
        if self._conversation is not None:
            self.remove_asked.emit(self._conversation.id)
