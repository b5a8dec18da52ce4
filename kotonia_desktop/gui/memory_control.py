"""Memory in the window: drives the chronicler, and brings what it writes to the panel, the page and the foot."""

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from kotonia_desktop.domain.messages import Changes, GenerationStats
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.memory.memory_feed import MemoryFeed
from kotonia_desktop.gui.memory.panel import MemoryPanel
from kotonia_desktop.gui.memory.prompt_feed import PromptFeed
from kotonia_desktop.gui.memory.requests import ActOn, AddFact, Request, SetNow, Settle, Unpin
from kotonia_desktop.gui.model_control import ModelControl
from kotonia_desktop.gui.pages.conversation import ConversationPage
from kotonia_desktop.gui.status_bar import StatusBar
from kotonia_desktop.gui.workers.folds import FoldWorker
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.memory_views import FoldStatus, MemoryLog, MemoryView, RememberedView
from kotonia_desktop.services.remembering import RememberService
from kotonia_desktop.services.views import PromptView

_PENDING_MS = 800
"""How long after the last key what is typed is counted."""


class MemoryControl(QObject):
    """Owns the worker of folds; `close` ends it."""

    def __init__(
        self,
        kotonia: Kotonia,
        tasks: Tasks,
        page: ConversationPage,
        panel: MemoryPanel,
        status: StatusBar,
        models: ModelControl,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._folding = kotonia.folding
        self._memory = kotonia.memory
        self._tasks = tasks
        self._page = page
        self._panel = panel
        self._status = status
        self._models = models
        self._known: int | None = None
        """How many chapters were there when the memory was read last; None: it was not read yet."""
        self.prompts = PromptFeed(kotonia, tasks, self)
        self.memories = MemoryFeed(kotonia, tasks, self)
        self.worker = FoldWorker(kotonia.folding)
        self._pending = QTimer(self)
        self._pending.setSingleShot(True)
        self._pending.setInterval(_PENDING_MS)
        self._pending.timeout.connect(self.refresh_prompt)
        queued = Qt.ConnectionType.QueuedConnection
        self.worker.status.connect(self._on_fold_status, queued)
        self.worker.changed.connect(self._on_folded, queued)
        self.worker.nothing_to_write.connect(panel.story.say_nothing_to_write, queued)
        self.prompts.arrived.connect(self._on_prompt)
        self.memories.arrived.connect(self._on_memory)
        page.composer.text_changed.connect(self._on_typed)
        page.view.scrolled.connect(self.worker.poke)
        page.turn.busy_changed.connect(self._on_busy)
        page.fold_now_asked.connect(self.worker.fold_now)
        panel.fold_now_asked.connect(self.worker.fold_now)
        panel.jump_asked.connect(self._on_jump)
        panel.rename_asked.connect(self._on_rename)
        panel.asked.connect(self._on_asked)

    def close(self) -> None:
        """Give up what is being written; it is written later."""
        self.worker.close()

    def open(self, conversation_id: int | None) -> None:
        """Another conversation is shown, or none."""
        self._known = None
        self._panel.show_memory(None, MemoryLog())
        self._panel.show_remembered(None, "en", "")
        self._panel.show_status(None)
        self._page.show_memory(None)
        self.worker.watch(conversation_id)
        self.refresh()

    def look(self) -> None:
        """Something was written or loaded: a chapter may be due, and what is shown may have changed."""
        self.worker.look()
        self.refresh()

    def refresh(self) -> None:
        """Read anew what is remembered and what the model sees."""
        conversation_id = self._page.conversation_id
        if conversation_id is not None:
            self.memories.refresh(conversation_id)
        self.refresh_prompt()

    def refresh_prompt(self) -> None:
        """Read anew what the model sees."""
        page, conversation_id = self._page, self._page.conversation_id
        shown = self._models.model is not None or not self._panel.isHidden()  # else nobody looks at it
        if conversation_id is not None and shown and not page.turn.busy:
            self.prompts.refresh(conversation_id, page.composer.text())
        self.show_figures()

    def show_stats(self, stats: GenerationStats | None) -> None:
        """What the last reply cost."""
        self._status.show_stats(stats)
        self.show_figures()

    def show_figures(self) -> None:
        """Model and last reply, for the panel."""
        self._panel.show_figures(self._models.status.model, self._page.last_stats(), self._page.rate)

    def _on_typed(self) -> None:
        self.worker.poke()
        self._pending.start()

    def _on_busy(self, busy: bool) -> None:
        self.worker.set_turn_running(busy)
        if not busy:
            self.look()

    def _on_prompt(self, conversation_id: int, view: PromptView) -> None:
        if conversation_id == self._page.conversation_id:
            self._panel.show_prompt(view)
            self._status.show_prompt(view)

    def _on_memory(
        self,
        conversation_id: int,
        view: MemoryView,
        log: MemoryLog,
        status: FoldStatus,
        remembered: RememberedView,
    ) -> None:
        if conversation_id != self._page.conversation_id:
            return
        self._panel.show_memory(view, log)
        self._panel.show_remembered(remembered, remembered.language, remembered.persona)
        self._page.show_memory(view)
        self._show_status(status)
        chapters = [text for text in view.story if text.chapter.in_head]
        count = len(view.story) + len(view.merged)
        if self._known is not None and count > self._known and chapters:
            words = memory_texts.landed_line(chapters[-1])
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._page.view, words))
        self._known = count

    def _on_fold_status(self, status: FoldStatus) -> None:
        if status.conversation_id == self._page.conversation_id:
            self._show_status(status)

    def _show_status(self, status: FoldStatus) -> None:
        self._panel.show_status(status)
        self._status.show_memory(status)

    def _on_folded(self, changes: Changes) -> None:
        if changes.conversation_id == self._page.conversation_id:
            self.refresh()

    def _on_jump(self, ordinal: int) -> None:
        conversation_id = self._page.conversation_id
        if conversation_id is not None:
            self._page.open(conversation_id, ordinal)

    def _on_asked(self, request: Request) -> None:
        conversation_id = self._page.conversation_id
        if conversation_id is not None:
            self._tasks.run(lambda: carry_out(self._memory, conversation_id, request), self._on_remembered)

    def _on_remembered(self, changes: Changes) -> None:
        """The user changed something: show it, and have the new beginning of the prompt read soon."""
        self._on_folded(changes)
        self.worker.look()

    def _on_rename(self, chapter_id: int, title: str) -> None:
        self._tasks.run(lambda: self._folding.rename(chapter_id, title), self._on_folded)


def carry_out(memory: RememberService, conversation_id: int, request: Request) -> Changes:
    """Do what the inspector asks for. Raises `KotoniaError`."""
    match request:
        case ActOn(target, target_id, act, text):
            return memory.act(conversation_id, target, target_id, act, text)
        case AddFact(text, subject):
            return memory.add_fact(conversation_id, text, subject)
        case Settle(thread_id, settled):
            return memory.settle(thread_id, settled=settled)
        case Unpin(pin_id):
            return memory.unpin(pin_id)
        case SetNow(field, text):
            return memory.set_now(conversation_id, field, text)
