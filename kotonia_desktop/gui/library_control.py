"""The window's side of the library: reads the lists, begins, renames, removes and restores conversations."""

from PySide6.QtCore import QObject, Signal

from kotonia_desktop.domain.library import Character, Conversation, ConversationSummary, Persona, ReplyFormat
from kotonia_desktop.domain.messages import Changes
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.library import default_persona_name


class LibraryControl(QObject):
    """Holds the lists as they were read last."""

    arrived = Signal()
    """The lists were read."""
    begun = Signal(int)
    """A conversation was made."""
    changed = Signal(object)
    """`Changes` of a conversation's title, persona or format."""
    removed = Signal(int)
    restored = Signal(int)

    def __init__(self, kotonia: Kotonia, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = kotonia.library
        self._tasks = tasks
        self._removed: int | None = None
        self.summaries: list[ConversationSummary] = []
        self.characters: list[Character] = []
        self.personas: list[Persona] = []

    def begin(self) -> None:
        """Put the starters in, once, and read the lists."""
        self._tasks.run(self._library.ensure_starters, self._on_starters_there)

    def refresh(self) -> None:
        """Read the lists anew."""
        library = self._library
        self._tasks.run(lambda: (library.conversations(), library.characters(), library.personas()), self._on_lists)

    def start_chat(self, character_id: int, persona_id: int, name: str, line: str, opening: int) -> None:
        """Begin a conversation; persona 0 is the one of this name and line, made where there is none."""
        library = self._library
        card = next((c.card for c in self.characters if c.id == character_id), None)
        called = name or default_persona_name(card.language if card else "en")
        same = next((p.id for p in self.personas if p.name == called and p.description == line), 0)

        def create() -> tuple[Conversation, Changes]:
            persona, changes = persona_id or same, Changes()
            if not persona:
                made, changes = library.save_persona(called, line)
                persona = made.id
            conversation, more = library.create_conversation(character_id, persona, opening)
            return conversation, changes | more

        self._tasks.run(create, self._on_created)

    def rename(self, conversation_id: int, title: str) -> None:
        """Give a conversation another title."""
        self._tasks.run(lambda: self._library.rename_conversation(conversation_id, title), self.changed.emit)

    def set_persona(self, conversation_id: int, persona_id: int) -> None:
        """Whom the user plays in a conversation."""
        self._tasks.run(
            lambda: self._library.set_conversation_options(conversation_id, persona_id=persona_id), self.changed.emit
        )

    def set_format(self, conversation_id: int, reply_format: str) -> None:
        """How replies are written in a conversation."""
        chosen = ReplyFormat(reply_format)
        self._tasks.run(
            lambda: self._library.set_conversation_options(conversation_id, reply_format=chosen), self.changed.emit
        )

    def remove(self, conversation_id: int) -> None:
        """Take a conversation off the list."""
        self._tasks.run(lambda: self._library.remove_conversation(conversation_id), self._on_removed)

    def restore(self) -> None:
        """Bring back the conversation that was removed last."""
        conversation_id, self._removed = self._removed, None
        if conversation_id is not None:
            self._tasks.run(lambda: self._library.restore_conversation(conversation_id), self._on_restored)

    def _on_starters_there(self, _changes: Changes) -> None:
        self.refresh()

    def _on_lists(self, lists: tuple[list[ConversationSummary], list[Character], list[Persona]]) -> None:
        self.summaries, self.characters, self.personas = lists
        self.arrived.emit()

    def _on_created(self, result: tuple[Conversation, Changes]) -> None:
        self.refresh()
        self.begun.emit(result[0].id)

    def _on_removed(self, changes: Changes) -> None:
        self._removed = changes.conversation_id
        self.refresh()
        if changes.conversation_id is not None:
            self.removed.emit(changes.conversation_id)

    def _on_restored(self, changes: Changes) -> None:
        self.refresh()
        if changes.conversation_id is not None:
            self.restored.emit(changes.conversation_id)
