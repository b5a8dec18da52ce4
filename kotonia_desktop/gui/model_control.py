"""Loads and fetches models beside the window and tells how far that is."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from kotonia_desktop.domain.errors import KotoniaError, LoadCancelled
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import ModelStatus


class ModelControl(QObject):
    """The window's side of `Kotonia.models`. A load that is asked for while another runs replaces it."""

    status_changed = Signal(object)
    progressed = Signal(float)
    fetching = Signal(str)
    """How far the fetch of the starter model is; "" when it has ended."""
    loaded = Signal(object)
    failed = Signal(object)

    def __init__(self, kotonia: Kotonia, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._models = kotonia.models
        self._tasks = tasks
        self._next: Path | None = None
        self._running = False
        self._fetch_running = False
        self._closing = False
        self.status = kotonia.models.status()
        self._posted.connect(self._on_posted)
        self._models.on_status = self._posted.emit

    _posted = Signal(object)

    @property
    def model(self) -> LoadedModel | None:
        """The model in memory."""
        return self.status.model

    def load(self, path: Path) -> None:
        """Load a model."""
        if self._running:
            self._next = path
            self.cancel()
            return
        self._running = True
        self._tasks.run(lambda: self._models.load(path, self.progressed.emit), self._on_loaded, self._on_failed)

    def cancel(self) -> None:
        """End the load that is running."""
        self._tasks.run(self._models.cancel_load)

    def load_preferred(self) -> None:
        """Load the model used last, else the starter where it is there."""
        self._tasks.run(self._models.preferred_path, self._on_preferred)

    def use_starter(self) -> None:
        """Fetch the starter model where it is not there, then load it."""
        if self._fetch_running:
            return
        self._fetch_running = True
        self._tasks.run(
            lambda: self._models.fetch_starter(self._tell_fetching), self._on_fetched, self._on_fetch_failed
        )

    def _tell_fetching(self, line: str) -> None:
        """Called from the fetch's thread; an error raised here ends the fetch."""
        if self._closing:
            raise LoadCancelled
        self.fetching.emit(line)

    def close(self) -> None:
        """Tell nothing any more, and end a load or a fetch."""
        self._closing = True
        self._models.on_status = None
        self._next = None
        if self._running:
            self._models.cancel_load()

    def _on_posted(self, status: ModelStatus) -> None:
        self.status = status
        self.status_changed.emit(status)

    def _on_preferred(self, path: Path | None) -> None:
        if path is not None:
            self.load(path)

    def _on_fetched(self, path: Path) -> None:
        self._fetch_running = False
        self.fetching.emit("")
        self.load(path)

    def _on_fetch_failed(self, error: KotoniaError) -> None:
        self._fetch_running = False
        self.fetching.emit("")
        self.failed.emit(error)

    def _on_loaded(self, model: LoadedModel) -> None:
        self._running = False
        self.loaded.emit(model)
        self._go_on()

    def _on_failed(self, error: KotoniaError) -> None:
        self._running = False
        if not isinstance(error, LoadCancelled):
            self.failed.emit(error)
        self._go_on()

    def _go_on(self) -> None:
        path, self._next = self._next, None
        if path is not None:
            self.load(path)
