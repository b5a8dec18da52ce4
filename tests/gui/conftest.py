"""The window's tests: real widgets on Qt's offscreen platform, a real Kotonia on a temporary folder."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parent))

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_stage import Stage

from kotonia_desktop.app import make_application
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.translation import Translation


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return make_application()


@pytest.fixture
def translation(qapp: QApplication) -> Iterator[Translation]:
    """The window's language; English again after the test."""
    spoken = Translation()
    spoken.use("en")
    yield spoken
    spoken.use("en")


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    light = Theme(qapp)
    light.apply("light", 100)
    return light


@pytest.fixture
def open_stage(qtbot: QtBot, theme: Theme, translation: Translation, tmp_path: Path) -> Iterator[Callable[..., Stage]]:
    """Opens windows on data folders and closes what the test left open."""
    stages: list[Stage] = []

    def open_one(folder: str = "data") -> Stage:
        stage = Stage(qtbot, theme, translation, tmp_path / folder)
        stages.append(stage)
        return stage

    yield open_one
    for stage in stages:
        stage.close()


@pytest.fixture
def stage(open_stage: Callable[..., Stage]) -> Stage:
    """A window on an empty folder, with the library read."""
    return open_stage()


@pytest.fixture(autouse=True)
def nothing_left_running(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails a test that leaves a timer, a Qt thread or a background call running."""
    started: list[QTimer | QThread] = []

    def watch(kind: type[QTimer] | type[QThread]) -> None:
        start = kind.start

        def recorded(self: QTimer | QThread, *arguments: object) -> None:
            started.append(self)
            start(self, *arguments)

        monkeypatch.setattr(kind, "start", recorded)

    watch(QTimer)
    watch(QThread)
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = []
    for thing in started:
        if not shiboken6.isValid(thing):
            continue
        if thing.isActive() if isinstance(thing, QTimer) else thing.isRunning():
            left.append(thing)
    threads = [thread.name for thread in threading.enumerate() if thread.name.startswith("kotonia-task")]
    assert not left, f"left running: {left}"
    assert not threads, f"left running: {threads}"
