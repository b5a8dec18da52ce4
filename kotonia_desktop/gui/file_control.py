"""Files that come into the window: chosen in a dialog or dropped. Cards and chats are imported, models handed on."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia

IMPORTED = (".png", ".json", ".jsonl")
MODEL = ".gguf"


def local_files(urls: Sequence[QUrl]) -> list[Path]:
    """The files among `urls` that we can take."""
    files = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return [path for path in files if path.suffix.lower() in (*IMPORTED, MODEL)]


class FileControl(QObject):
    """Asks for files and imports them."""

    model_chosen = Signal(object)
    """The `Path` of a GGUF file."""
    imported = Signal(object)
    """An `ImportReport`."""

    def __init__(self, kotonia: Kotonia, tasks: Tasks, window: QWidget) -> None:
        super().__init__(window)
        self._importing = kotonia.importing
        self._tasks = tasks
        self._window = window

    def choose_model(self) -> None:
        """Ask for a GGUF file."""
        title = translate("Window", "Choose a model file")
        path, _ = QFileDialog.getOpenFileName(self._window, title, "", f"GGUF (*{MODEL});;*")
        if path:
            self.model_chosen.emit(Path(path))

    def choose_import(self) -> None:
        """Ask for a card or a chat and import it."""
        title = translate("Window", "Import a card or a chat")
        patterns = " ".join(f"*{suffix}" for suffix in IMPORTED)
        kinds = translate("Window", "Cards and chats") + f" ({patterns});;*"
        path, _ = QFileDialog.getOpenFileName(self._window, title, "", kinds)
        if path:
            self.import_file(Path(path))

    def take(self, paths: Sequence[Path]) -> None:
        """Take dropped files: a model is handed on, the rest is imported."""
        for path in paths:
            if path.suffix.lower() == MODEL:
                self.model_chosen.emit(path)
            else:
                self.import_file(path)

    def import_file(self, path: Path) -> None:
        """Import a card or a chat."""
        self._tasks.run(lambda: self._importing.import_file(path), self.imported.emit)
