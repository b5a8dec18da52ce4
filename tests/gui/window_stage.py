"""A real window on a data folder, and the few steps that many tests begin with."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from kotonia_desktop.domain.messages import Message, NewRevision, Role
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.translation import Translation
from kotonia_desktop.gui.window import MainWindow
from kotonia_desktop.services.kotonia import Kotonia

PATIENCE_MS = 60_000


class Stage:
    """Owns the window and its Kotonia."""

    def __init__(self, qtbot: QtBot, theme: Theme, translation: Translation, folder: Path) -> None:
        self.qtbot = qtbot
        self.kotonia = Kotonia(folder)
        if not self.kotonia.settings.get("ui.language"):
            self.kotonia.settings.set("ui.language", "en")
            self.kotonia.settings.set("ui.theme", "light")
            # The tiny models say their line greedily, and say it again in every reply.
            self.kotonia.settings.set("sampling.temperature", 0.0)
            self.kotonia.settings.set("sampling.repeat_penalty", 1.0)
            self.kotonia.settings.set("sampling.dry_multiplier", 0.0)
        self.window = MainWindow(self.kotonia, theme, translation)
        self.window.resize(1280, 860)
        self.window.show()
        self.window.begin()
        self.settle()
        self._closed = False

    @property
    def page(self):
        return self.window.conversation

    @property
    def messages(self) -> list[Message]:
        return self.page.model.messages

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.kotonia.close()

    def until(self, condition) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE_MS)

    def settle(self) -> None:
        """Wait until every background call has come back, and those that it led to."""
        self.until(lambda: self.window.tasks.pending == 0)

    def load(self, model: Path) -> None:
        self.window.load_model(model)
        self.until(lambda: self.window.models.model is not None and not self.window.models.status.loading)
        self.settle()

    def new_chat(self, language: str = "en", name: str = "Sam") -> int:
        """A conversation with the starter character of `language`, opened."""
        character = next(c for c in self.kotonia.library.characters() if c.starter == language)
        persona, _ = self.kotonia.library.save_persona(name, "")
        conversation, _ = self.kotonia.library.create_conversation(character.id, persona.id)
        self.open(conversation.id)
        return conversation.id

    def open(self, conversation_id: int) -> None:
        self.window.library.refresh()
        self.window.open_conversation(conversation_id)
        self.settle()
        self.until(lambda: self.page.conversation_id == conversation_id and self.messages)

    def fill(self, conversation_id: int, count: int) -> None:
        """Write `count` messages, the two taking turns."""

        rows = []
        for number in range(count):
            role, name = (Role.USER, "Sam") if number % 2 == 0 else (Role.CHARACTER, "Nell")
            text = f"Line {number}. " + "The rain goes on and on. " * (1 + number % 7)
            rows.append((role, name, NewRevision(text), False, 0.0))
        self.kotonia._store.run(lambda store: store.append_many(conversation_id, rows))

    def type(self, text: str) -> None:
        self.page.composer.editor.setFocus()
        self.qtbot.keyClicks(self.page.composer.editor, text)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(self.page.composer.editor, key, modifiers)

    def say(self, text: str) -> None:
        """Type, send, and wait for the end of the reply."""
        self.type(text)
        self.press(Qt.Key.Key_Return)
        self.until_answered()

    def until_answered(self) -> None:
        self.until(lambda: not self.page.turn.busy and not any(message.is_draft for message in self.messages))
        self.settle()


def visible_controls(root: QWidget, kinds: tuple[type[QWidget], ...]) -> list[QWidget]:
    """The widgets of these kinds that can be seen."""
    return [widget for kind in kinds for widget in root.findChildren(kind) if widget.isVisible()]
