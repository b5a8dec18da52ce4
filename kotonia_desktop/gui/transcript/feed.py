"""Brings the pages of one conversation into the transcript's model, in steps, as the reader nears the end of what is
loaded. Reads beside the window; answers that come too late are dropped.
"""

from PySide6.QtCore import QObject, Signal

from kotonia_desktop.gui.transcript.model import TranscriptModel
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import Page

STEP = 200
MOST = 2000
"""Messages that stay loaded; beyond that the far end goes."""


class ConversationFeed(QObject):
    """Loads a conversation into `model`."""

    opened = Signal()
    """The first page of a conversation is there."""
    reloaded = Signal()
    """What is loaded was read again."""
    placed = Signal(int)
    """The messages around this ordinal are there."""

    def __init__(self, kotonia: Kotonia, tasks: Tasks, model: TranscriptModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chat = kotonia.chat
        self._tasks = tasks
        self._model = model
        self._generation = 0
        self._conversation: int | None = None
        self._asking_older = self._asking_newer = False

    def open(self, conversation_id: int, ordinal: int | None = None) -> None:
        """Show a conversation from its end, or around a message."""
        self._generation += 1
        self._conversation = conversation_id
        self._asking_older = self._asking_newer = False
        generation = self._generation
        if ordinal is None:
            self._tasks.run(lambda: (generation, self._chat.page(conversation_id, limit=STEP), None), self._on_page)
        else:
            self._tasks.run(
                lambda: (generation, self._chat.around(conversation_id, ordinal, STEP), ordinal), self._on_page
            )

    def close(self) -> None:
        """Show nothing."""
        self._generation += 1
        self._conversation = None
        self._model.clear()

    def go_to(self, ordinal: int) -> None:
        """Have the messages around `ordinal` loaded."""
        if self._conversation is not None:
            self.open(self._conversation, ordinal)

    def go_to_end(self) -> None:
        """Have the newest messages loaded."""
        if self._conversation is not None:
            self.open(self._conversation)

    def reload(self) -> None:
        """Read again what is loaded, because other messages may stand there now."""
        conversation = self._conversation
        if conversation is None:
            return
        messages = self._model.messages
        if not messages:
            self.open(conversation)
            return
        generation = self._generation
        first = messages[0].ordinal if self._model.has_older else 0
        limit = len(messages) + STEP
        self._tasks.run(lambda: (generation, self._chat.page_after(conversation, first - 1, limit)), self._on_reloaded)

    def load_older(self) -> None:
        """Read the page before what is loaded."""
        conversation, messages = self._conversation, self._model.messages
        if conversation is None or self._asking_older or not messages or not self._model.has_older:
            return
        self._asking_older = True
        generation, before = self._generation, messages[0].ordinal
        self._tasks.run(lambda: (generation, self._chat.page(conversation, before, STEP)), self._on_older)

    def load_newer(self) -> None:
        """Read the page behind what is loaded."""
        conversation, messages = self._conversation, self._model.messages
        if conversation is None or self._asking_newer or not messages or not self._model.has_newer:
            return
        self._asking_newer = True
        generation, after = self._generation, messages[-1].ordinal
        self._tasks.run(lambda: (generation, self._chat.page_after(conversation, after, STEP)), self._on_newer)

    def _on_page(self, result: tuple[int, Page, int | None]) -> None:
        generation, page, ordinal = result
        if generation != self._generation:
            return
        self._model.show(page)
        if ordinal is None:
            self.opened.emit()
        else:
            self.placed.emit(ordinal)

    def _on_older(self, result: tuple[int, Page]) -> None:
        generation, page = result
        if generation == self._generation:
            self._asking_older = False
            self._model.prepend(page)
            self._model.trim_newer(len(self._model.messages) - MOST)

    def _on_newer(self, result: tuple[int, Page]) -> None:
        generation, page = result
        if generation == self._generation:
            self._asking_newer = False
            self._model.append(page)
            self._model.trim_older(len(self._model.messages) - MOST)

    def _on_reloaded(self, result: tuple[int, Page]) -> None:
        generation, page = result
        if generation == self._generation:
            self._model.reload(page)
            self.reloaded.emit()
