"""The app's menu, behind the sign at the top of the side list."""

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from kotonia_desktop.gui.texts import translate


class AppActions:
    """The acts of the whole window, with their keys. Added to the window, so that the keys work everywhere."""

    def __init__(self, window: QWidget) -> None:
        self.new_chat = QAction(window)
        self.bring = QAction(window)
        self.search = QAction(window)
        self.memory = QAction(window)
        self.settings = QAction(window)
        self.model_file = QAction(window)
        self.regions = QAction(window)
        self.quit = QAction(window)
        keys = {
            self.new_chat: QKeySequence(QKeySequence.StandardKey.New),
            self.bring: QKeySequence(QKeySequence.StandardKey.Open),
            self.search: QKeySequence(QKeySequence.StandardKey.Find),
            self.memory: QKeySequence("Ctrl+M"),
            self.settings: QKeySequence("Ctrl+,"),
            self.regions: QKeySequence("F6"),
            self.quit: QKeySequence("Ctrl+Q"),
        }
        for action, key in keys.items():
            action.setShortcut(key)
        self.all = (
            self.new_chat,
            self.bring,
            self.search,
            self.memory,
            self.settings,
            self.model_file,
            self.regions,
            self.quit,
        )
        window.addActions(list(self.all))
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.new_chat.setText(translate("Menu", "New chat"))
        self.bring.setText(translate("Menu", "Import a card or a chat…"))
        self.search.setText(translate("Menu", "Search all chats"))
        self.memory.setText(translate("Menu", "Memory"))
        self.settings.setText(translate("Menu", "Settings"))
        self.model_file.setText(translate("Menu", "Choose a model file…"))
        self.regions.setText(translate("Menu", "Go to the next region"))
        self.quit.setText(translate("Menu", "Quit"))

    def menu(self, parent: QWidget) -> QMenu:
        """A menu of them."""
        menu = QMenu(parent)
        menu.addActions([self.new_chat, self.bring])
        menu.addSeparator()
        menu.addActions([self.search, self.memory, self.regions])
        menu.addSeparator()
        menu.addActions([self.model_file, self.settings])
        menu.addSeparator()
        menu.addAction(self.quit)
        return menu
