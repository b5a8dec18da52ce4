"""Kotonia bound to one data folder: opens it, holds it alone, and offers the use cases.

One process per data folder: a lock file keeps a second one out, whoever it is (window or command).
"""

import logging
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from kotonia_desktop.domain.errors import DataFolderBusy, WriteFailed
from kotonia_desktop.domain.ports import CacheReport, Clock, EngineStatus, SystemClock
from kotonia_desktop.engine.client import EngineProcess
from kotonia_desktop.services.carrying import CarryService
from kotonia_desktop.services.chat import ChatService
from kotonia_desktop.services.folding import FoldService
from kotonia_desktop.services.heads import HeadKeeper
from kotonia_desktop.services.importing import ImportService
from kotonia_desktop.services.library import LibraryService
from kotonia_desktop.services.models import ModelService
from kotonia_desktop.services.prompting import Prompter
from kotonia_desktop.services.remembering import RememberService
from kotonia_desktop.services.replaying import ReplayService
from kotonia_desktop.services.settings import SettingsService
from kotonia_desktop.services.turns import TurnRunner
from kotonia_desktop.store.worker import StoreThread

DATABASE = "kotonia.db"
LOCK = "kotonia.lock"
log = logging.getLogger("kotonia.app")


class Kotonia:
    """The app without its window. Every method of its services blocks and may be called from any thread.

    Raises `DataFolderBusy` where another process holds the folder, or a `StoreError` where its data cannot be opened.
    """

    def __init__(self, data_dir: Path, *, clock: Clock | None = None) -> None:
        self.data_dir = data_dir
        self.clock = clock = clock or SystemClock()
        try:
            data_dir.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteFailed(path=str(data_dir), detail=error.strerror or "it cannot be made") from error
        self._lock = FileLock(data_dir / LOCK, blocking=False, thread_local=False)
        try:
            self._lock.acquire()
        except Timeout as error:
            raise DataFolderBusy(path=str(data_dir)) from error
        except OSError as error:
            raise WriteFailed(path=str(data_dir), detail=error.strerror or "it cannot be locked") from error
        try:
            self._store = StoreThread(data_dir / DATABASE, clock)
        except BaseException:
            self._lock.release()
            raise
        self.recovered = self._store.run(lambda s: s.recover_drafts())
        """Replies that were being written when the app last died, now kept as interrupted."""
        if self.recovered:
            log.info("kept %d interrupted replies", len(self.recovered))
        self._crashes = 0
        self._engine = EngineProcess(self._on_engine_status)
        self.settings = SettingsService(self._store)
        self.library = LibraryService(self._store)
        self.models = ModelService(self._engine, self.settings, data_dir)
        prompter = Prompter(self._store, self._engine)
        heads = HeadKeeper(self._store, self._engine, prompter)
        turns = TurnRunner(self._store, self._engine, prompter, heads, self.settings, clock)
        self.chat = ChatService(self._store, self._engine, prompter, turns)
        self.folding = FoldService(self._store, self._engine, self.settings, heads, turns)
        self.carrying = CarryService(self._store, self._engine, heads)
        self.memory = RememberService(self._store, self._engine)
        self.importing = ImportService(self._store)
        self.replaying = ReplayService(self._store, self._engine, heads, turns, self.importing, clock)

    def _on_engine_status(self, status: EngineStatus) -> None:
        if status.crashes > self._crashes:
            log.warning("the engine died for the %d. time: %s", status.crashes, status.last_error)
        self._crashes = status.crashes
        self.models.engine_changed(status)

    def cache(self) -> CacheReport | None:
        """What the engine did so that nothing is read twice; None while no model is loaded."""
        return self._engine.cache()

    def close(self) -> None:
        """End a running reply, the engine and the store, and give the folder free."""
        self.folding.close()
        self.chat.finish()
        report = self.cache()
        if report is not None and report.counts:
            log.info("the engine's cache: %s", ", ".join(f"{name} {n}" for name, n in sorted(report.counts.items())))
        self._engine.close()
        self._store.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
