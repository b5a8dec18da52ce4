"""Keeps what is typed and not sent: half a second after the last key, when the field is left, and at the end."""

from PySide6.QtCore import QObject, QTimer

from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia

WAIT_MS = 500


class DraftKeeper(QObject):
    """Saves the composer's text of one conversation at a time; saves never overtake one another."""

    def __init__(self, kotonia: Kotonia, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chat = kotonia.chat
        self._tasks = tasks
        self._unsaved: dict[int, str] = {}
        self._saved: dict[int, str] = {}
        self._saving = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self.flush)

    def know(self, conversation_id: int, text: str) -> None:
        """`text` is what is stored."""
        self._saved[conversation_id] = text
        self._unsaved.pop(conversation_id, None)

    def note(self, conversation_id: int, text: str) -> None:
        """`text` stands in the composer now."""
        if text == self._unsaved.get(conversation_id, self._saved.get(conversation_id, "")):
            return
        self._unsaved[conversation_id] = text
        self._timer.start()

    def flush(self) -> None:
        """Save at once what is not saved."""
        self._timer.stop()
        if self._saving or not self._unsaved:
            return
        self._saving = True
        work = dict(self._unsaved)
        self._unsaved.clear()
        self._tasks.run(lambda: self._save(work), self._on_saved, self._on_failed)

    def last_words(self) -> dict[int, str]:
        """What is not saved yet, for the caller that ends the app and saves it itself."""
        self._timer.stop()
        return dict(self._unsaved)

    def _save(self, work: dict[int, str]) -> dict[int, str]:
        for conversation_id, text in work.items():
            self._chat.save_composer_draft(conversation_id, text)
        return work

    def _on_saved(self, work: dict[int, str]) -> None:
        self._saving = False
        self._saved.update(work)
        if self._unsaved:
            self._timer.start()

    def _on_failed(self, error: Exception) -> None:
        self._saving = False
        self._tasks.failed.emit(error)
