"""What is done to messages that are there: edit, copy, delete, undo, another alternate. All of it can be undone."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from kotonia_desktop.domain.messages import Changes, Message, Role
from kotonia_desktop.gui.notice import Notice
from kotonia_desktop.gui.pages.overlays import Overlays
from kotonia_desktop.gui.pages.turn_control import TurnControl
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.transcript.feed import ConversationFeed
from kotonia_desktop.gui.transcript.tools import MessageTools
from kotonia_desktop.gui.transcript.view import TranscriptView
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import UndoOutcome

UNDO_MS = 10_000


class MessageActs(QObject):
    """Acts on the messages of the open conversation; none while a reply is written."""

    changed = Signal(object)
    """`Changes` that the transcript shows already."""
    regenerate_asked = Signal(int)
    """Behind the last alternate there is none yet."""
    left_editor = Signal()

    def __init__(
        self,
        kotonia: Kotonia,
        tasks: Tasks,
        view: TranscriptView,
        feed: ConversationFeed,
        turn: TurnControl,
        overlays: Overlays,
        undo_bar: Notice,
    ) -> None:
        super().__init__(view)
        self._chat = kotonia.chat
        self._memory = kotonia.memory
        self._tasks = tasks
        self._view = view
        self._model = overlays.model
        self._feed = feed
        self._turn = turn
        self._overlays = overlays
        self._undo_bar = undo_bar
        self._language = "en"
        undo_bar.acted.connect(self.undo)
        overlays.editor.saved.connect(self._on_edited)
        overlays.editor.left.connect(self._on_editing_left)
        for tools in (overlays.tools, overlays.hover_tools):
            self._serve(tools)

    def set_language(self, language: str) -> None:
        """The language of the conversation, for the editor's font."""
        self._language = language

    def _serve(self, tools: MessageTools) -> None:
        tools.step_asked.connect(self.step)
        tools.edit_asked.connect(self.edit)
        tools.copy_asked.connect(self.copy)
        tools.delete_asked.connect(self.delete)
        tools.delete_from_asked.connect(self.delete_from)
        tools.cut_asked.connect(self._view.toggle_cut)
        tools.reasoning_asked.connect(self._view.toggle_reasoning)
        tools.off_record_asked.connect(self.set_off_record)
        tools.chapter_end_asked.connect(self.set_chapter_end)
        tools.keep_asked.connect(self.keep)
        tools.matter_asked.connect(self.open_matter)

    # -- edit

    def edit(self, message_id: int) -> None:
        """Edit a message where it stands."""
        row = self._model.row_of(message_id)
        if row is not None and not self._turn.busy:
            self._view.scrollTo(self._model.index(row))
            self._overlays.edit(self._model.messages[row], self._language)

    def edit_my_last(self) -> None:
        """Edit what the user said last."""
        for message in reversed(self._model.messages):
            if message.role is Role.USER:
                self.edit(message.id)
                return

    def _on_edited(self, message_id: int, text: str) -> None:
        self._on_editing_left(message_id)
        chat = self._chat
        self._tasks.run(lambda: (chat.edit(message_id, text), chat.message(message_id)), self._on_edit_stored)

    def _on_edit_stored(self, result: tuple[Changes, Message]) -> None:
        changes, message = result
        if changes.conversation_id == self._model.conversation_id:
            self._model.put(message)
        self.changed.emit(changes)

    def _on_editing_left(self, _message_id: int) -> None:
        self._overlays.end_editing()
        self.left_editor.emit()

    # -- marks

    def set_off_record(self, message_id: int, off: bool) -> None:
        """Keep a message from the model and from memory, or show it to them again."""
        if not self._turn.busy:
            self._tasks.run(lambda: self._chat.mark(message_id, off_record=off), self._on_marked)

    def set_chapter_end(self, message_id: int, ends: bool) -> None:
        """Say that a chapter ends behind a message, or that none does."""
        self._tasks.run(lambda: self._chat.mark(message_id, ends_chapter=ends), self._on_marked)

    def _on_marked(self, changes: Changes) -> None:
        if changes.conversation_id == self._model.conversation_id:
            self._feed.reload()
        self.changed.emit(changes)

    # -- memory

    def keep(self, message_id: int) -> None:
        """Keep a message word for word."""
        self._tasks.run(lambda: self._memory.pin(message_id), self._on_kept)

    def open_matter(self, message_id: int) -> None:
        """A message opens a matter that is not settled yet."""
        self._tasks.run(lambda: self._memory.open_matter(message_id), self._on_opened)

    def _on_kept(self, changes: Changes) -> None:
        self._undo_bar.say(translate("Window", "Kept. Memory shows it under “Kept”."), milliseconds=UNDO_MS // 2)
        self.changed.emit(changes)

    def _on_opened(self, changes: Changes) -> None:
        self._undo_bar.say(translate("Window", "Noted. Memory shows it under “Loose ends”."), milliseconds=UNDO_MS // 2)
        self.changed.emit(changes)

    # -- copy

    def copy(self, message_id: int) -> None:
        """Put a message's text on the clipboard, with all its marks."""
        row = self._model.row_of(message_id)
        if row is not None:
            QGuiApplication.clipboard().setText(self._model.messages[row].text)

    def copy_selected(self) -> None:
        """Put the selected messages on the clipboard."""
        QGuiApplication.clipboard().setText("\n\n".join(message.text for message in self._selected()))

    # -- delete and undo

    def delete(self, message_id: int) -> None:
        """Take a message out; it can be brought back."""
        self._delete([message_id])

    def delete_selected(self) -> None:
        """Take the selected messages out."""
        self._delete([message.id for message in self._selected()])

    def delete_from(self, message_id: int) -> None:
        """Take a message and all behind it out."""
        if not self._turn.busy:
            self._tasks.run(lambda: self._chat.delete_from(message_id), self._on_deleted)

    def undo(self) -> None:
        """Take back the last deletion, edit or choice of an alternate, of this session or an earlier one."""
        conversation_id = self._model.conversation_id
        if conversation_id is not None and not self._turn.busy:
            self._undo_bar.close_notice()
            self._tasks.run(lambda: self._chat.undo(conversation_id), self._on_undone)

    def _delete(self, ids: list[int]) -> None:
        if ids and not self._turn.busy:
            self._tasks.run(lambda: self._chat.delete(ids), self._on_deleted)

    def _on_deleted(self, changes: Changes) -> None:
        if changes.conversation_id == self._model.conversation_id:
            self._model.remove(changes.messages_removed)
            count = len(changes.messages_removed)
            words = translate("Window", "%n messages deleted", "", count)
            self._undo_bar.say(words, translate("Window", "Undo"), milliseconds=UNDO_MS)
        self.changed.emit(changes)

    def _on_undone(self, outcome: UndoOutcome) -> None:
        words = {
            "delete": translate("Window", "The deleted messages are back."),
            "edit": translate("Window", "The text is as it was before."),
            "select": translate("Window", "The alternate before is shown again."),
        }.get(outcome.label, translate("Window", "There is nothing to undo."))
        self._undo_bar.say(words, milliseconds=UNDO_MS // 2)
        if outcome.label:
            self._feed.reload()
            self.changed.emit(outcome.changes)

    # -- alternates

    def step(self, message_id: int, step: int) -> None:
        """Show another alternate."""
        if not self._turn.busy:
            self._tasks.run(lambda: self._chat.select_alternate(message_id, step), self._on_stepped)

    def step_last(self, step: int) -> None:
        """Show another alternate of the last message; behind the newest one, have another written."""
        last = self._model.last
        if last is None or self._turn.busy:
            return
        if step > 0 and last.alternate_index == last.alternate_count - 1:
            if last.role is Role.CHARACTER and not last.is_greeting:
                self.regenerate_asked.emit(last.id)
        else:
            self.step(last.id, step)

    def _on_stepped(self, changes: Changes) -> None:
        if changes.path_changed:
            self._feed.reload()
            self.changed.emit(changes)

    def _selected(self) -> list[Message]:
        rows = sorted(index.row() for index in self._view.selectionModel().selectedIndexes())
        return [self._model.messages[row] for row in rows]
