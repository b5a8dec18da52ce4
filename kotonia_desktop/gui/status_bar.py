"""The window's foot: which model, what goes on, how much room is left; how far a load is, and a way out of it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.messages import GenerationStats
from kotonia_desktop.gui import memory_texts, texts
from kotonia_desktop.gui.room_bar import RoomBar
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.services.memory_views import FoldActivity, FoldStatus
from kotonia_desktop.services.views import ModelStatus, PromptView

HEIGHT = 34
_MODEL_WIDTH = 300


def speed_of(stats: GenerationStats) -> float:
    """Tokens a second of one reply; 0.0 where it is not known."""
    return stats.reply_tokens / stats.reply_seconds if stats.reply_seconds > 0 else 0.0


class StatusBar(QWidget):
    """Shows the engine's state in words."""

    model_asked = Signal()
    cancel_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status = ModelStatus(None, False, False)
        self._stats: GenerationStats | None = None
        self._view: PromptView | None = None
        self._memory: FoldStatus | None = None
        self._words = ""
        self._share = 0.0
        self._fetching = ""
        self.setProperty("panel", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT + 1)
        self.model = QPushButton(self)
        self.model.setProperty("kind", "link")
        self.state = QLabel(self)
        self.progress = QProgressBar(self)
        self.progress.setRange(0, 100)
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(120)
        self.cancel = QPushButton(self)
        self.cancel.setProperty("kind", "link")
        self.room_words = QLabel(self)
        self.room = RoomBar(theme, self)
        self.room_percent = QLabel(self)
        for label in (self.state, self.room_words, self.room_percent):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setProperty("kind", "quiet")
        row = QHBoxLayout()
        row.setContentsMargins(14, 0, 20, 0)
        row.setSpacing(8)
        row.addWidget(self.model)
        row.addWidget(self.progress)
        row.addWidget(self.cancel)
        row.addWidget(self.state, 1)
        row.addWidget(self.room_words)
        row.addWidget(self.room)
        row.addWidget(self.room_percent)
        line = QFrame(self)
        line.setProperty("panel", "line")
        line.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line)
        column.addLayout(row, 1)
        self.model.clicked.connect(self.model_asked)
        self.cancel.clicked.connect(self.cancel_asked)
        self.retranslate()

    def show_status(self, status: ModelStatus) -> None:
        """The engine's state changed."""
        self._status = status
        if not status.loading:
            self._share = 0.0
        self.retranslate()

    def show_progress(self, share: float) -> None:
        """How far the load is, 0.0 to 1.0."""
        self._share = share
        self.retranslate()

    def show_fetching(self, line: str) -> None:
        """How far the fetch of the starter model is; "" when there is none."""
        self._fetching = line
        self.retranslate()

    def show_turn(self, words: str) -> None:
        """What the running turn does; "" when none runs."""
        self._words = words
        self.retranslate()

    def show_stats(self, stats: GenerationStats | None) -> None:
        """What the last reply cost."""
        self._stats = stats
        self.retranslate()

    def show_prompt(self, view: PromptView | None) -> None:
        """How much room the story takes."""
        self._view = view
        self.retranslate()

    def show_memory(self, status: FoldStatus | None) -> None:
        """What the chronicler is doing."""
        self._memory = status
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        status = self._status
        name = texts.model_name(status.model) if status.model is not None else translate("Status", "No model")
        speed = speed_of(self._stats) if self._stats is not None and status.model is not None else 0.0
        if speed:
            rate = translate("Status", "{speed} tokens/s").format(
                speed=f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"
            )
            name = f"{name} · {rate}"
        words = self.model.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, _MODEL_WIDTH)
        self.model.setText(words.replace("&", "&&"))
        self.model.setAccessibleName(translate("Status", "Model: {name}").format(name=name))
        loading = status.loading or bool(self._fetching)
        self.progress.setVisible(loading)
        self.cancel.setVisible(status.loading)
        self.progress.setRange(0, 0 if self._fetching else 100)
        self.progress.setValue(round(self._share * 100))
        self.progress.setAccessibleName(translate("Status", "Loading the model"))
        self.cancel.setText(translate("Status", "Cancel"))
        self.cancel.setAccessibleName(translate("Status", "Stop loading the model"))
        self.state.setText(self._state())
        self._show_room()
        tip = self._tip()
        for widget in (self.model, self.state, self.room, self.room_words, self.room_percent):
            widget.setToolTip(tip)

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _state(self) -> str:
        status = self._status
        if self._fetching:
            return translate("Status", "Fetching the starter model")
        if status.loading:
            return translate("Status", "Loading the model, {percent} %").format(percent=round(self._share * 100))
        if status.model is not None and not status.alive:
            return translate("Status", "The engine stopped; the next message starts it again")
        if self._words:
            return self._words
        if status.last_error is not None:
            return texts.short_error_text(status.last_error)
        if status.model is None:
            return translate("Status", "Choose a model to be answered")
        if self._view is None:
            return translate("Status", "Ready")
        return self._memory_state()

    def _memory_state(self) -> str:
        memory = self._memory
        if memory is None:
            return translate("Status", "Ready")
        if memory.activity is FoldActivity.UP_TO_DATE:
            return translate("Status", "Memory is up to date")
        if memory.queued and memory.activity in (FoldActivity.WAITING, FoldActivity.FAILED):
            count = memory.queued
            return translate("Status", "%n messages are out of sight until a chapter is written", "", count)
        words = memory_texts.state_line(memory)
        return words[:1].upper() + words[1:]

    def _show_room(self) -> None:
        view = self._view
        known = view is not None and view.counted
        for widget in (self.room, self.room_words, self.room_percent):
            widget.setVisible(known)
        if view is not None and known:
            percent = 100 - round(view.room_used * 100)
            self.room_words.setText(translate("Status", "Room left"))
            self.room_percent.setText(f"{percent} %")
            self.room.set_left(1.0 - view.room_used)
            words = translate("Status", "{percent} percent of the room is left").format(percent=percent)
            self.room.setAccessibleName(words)
            self.room.setAccessibleDescription(_tokens_line(view))

    def _tip(self) -> str:
        lines = []
        if self._view is not None and self._view.counted:
            lines.append(_tokens_line(self._view))
        if self._stats is not None:
            lines.append(last_turn_line(self._stats))
        if self._status.model is not None:
            lines.append(texts.template_line(self._status.model.template))
        return "\n".join(lines)


def _tokens_line(view: PromptView) -> str:
    """How many tokens the story takes, and how many there are."""
    return translate("Status", "{used} of {room} tokens used").format(used=f"{view.total:,}", room=f"{view.room:,}")


def last_turn_line(stats: GenerationStats) -> str:
    """What the last reply cost: its speed, and what had to be read again."""
    return translate("Status", "Last reply: {speed} tokens/s, {reread} tokens read again").format(
        speed=f"{speed_of(stats):.1f}", reread=f"{stats.reread_tokens:,}"
    )
