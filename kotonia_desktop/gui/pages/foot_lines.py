"""The lines over the composer: what went wrong, what is out of sight, which language is missing, what can be undone."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.gui import memory_texts, texts
from kotonia_desktop.gui.notice import Notice
from kotonia_desktop.gui.texts import translate


class FootLines(QObject):
    """The notices of a conversation's page."""

    fold_now_asked = Signal()
    models_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._language_warning = ""
        self._queued: tuple[int, int] | None = None
        self.warning = Notice(parent, warning=True)
        self.language = Notice(parent, warning=True)
        self.error = Notice(parent)
        self.undo = Notice(parent)
        self.warning.acted.connect(self.fold_now_asked)
        self.language.acted.connect(self.models_asked)

    def add_to(self, column: QVBoxLayout) -> None:
        """Put the lines into a layout, one below the other."""
        for notice in (self.language, self.warning, self.error, self.undo):
            column.addWidget(notice)

    def reset(self) -> None:
        """Another conversation: nothing is said of the last one any more."""
        self._queued = None
        for notice in (self.error, self.undo, self.warning):
            notice.close_notice()

    def say_error(self, error: KotoniaError) -> None:
        """Say what went wrong, until it is closed or something else is done."""
        self.error.say(texts.error_text(error))

    def show_queued(self, ordinals: tuple[int, int] | None) -> None:
        """Which messages are out of sight without a chapter. Said once; a line that was closed stays closed."""
        if ordinals == self._queued:
            return
        self._queued = ordinals
        if ordinals is None:
            self.warning.close_notice()
        else:
            self.warning.say(memory_texts.queued_line(*ordinals), translate("Memory", "Write it now"))

    def show_language_warning(self, words: str) -> None:
        """The model cannot write this conversation's language; "" where it can."""
        if words != self._language_warning:
            self._language_warning = words
            if words:
                self.language.say(words, translate("Window", "Show models that can"))
            else:
                self.language.hide()
