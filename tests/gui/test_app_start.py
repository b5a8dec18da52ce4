"""Starting the app: is there a display, is it open already, does it close in order. Real processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from window_stage import Stage

from kotonia_desktop.gui.display import has_display
from kotonia_desktop.gui.single_instance import RaiseServer, ask_to_raise


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({"QT_QPA_PLATFORM": "xcb"}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({}, "win32", True),
        ({}, "darwin", True),
    ],
)
def test_a_display_is_found_without_qt(environment: dict[str, str], platform: str, expected: bool) -> None:
    assert has_display(environment, platform) is expected


def run_app(data_dir: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "kotonia_desktop", "--data-dir", str(data_dir), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )


def test_the_app_opens_and_closes_by_itself_with_smoke(tmp_path: Path) -> None:
    app = run_app(tmp_path / "data", "--smoke")
    out, err = app.communicate(timeout=120)
    assert app.returncode == 0, err
    assert "Traceback" not in err
    assert out == ""


def test_a_second_start_raises_the_first_window_and_ends(open_stage: Callable[..., Stage]) -> None:
    stage = open_stage()
    server = RaiseServer(stage.kotonia.data_dir)
    assert server.listening
    try:
        second = run_app(stage.kotonia.data_dir)
        with stage.qtbot.waitSignal(server.raise_asked, timeout=60_000):
            pass
        stage.until(lambda: second.poll() is not None)
        _, err = second.communicate()
        assert second.returncode == 0, err
    finally:
        server.close()


def test_where_no_window_answers_the_second_start_says_what_to_do(open_stage: Callable[..., Stage]) -> None:
    stage = open_stage()
    assert not ask_to_raise(stage.kotonia.data_dir)
    second = run_app(stage.kotonia.data_dir)
    _, err = second.communicate(timeout=60)
    assert second.returncode == 1
    assert "kotonia --data-dir FOLDER" in err


def test_a_polite_kill_closes_the_window_in_order(tmp_path: Path) -> None:
    app = run_app(tmp_path / "data")
    deadline = time.monotonic() + 60
    while not ask_to_raise(tmp_path / "data"):  # the window is there once it answers
        assert app.poll() is None
        assert time.monotonic() < deadline
    app.send_signal(signal.SIGTERM)
    _, err = app.communicate(timeout=60)
    assert app.returncode == 0, err
    assert "Traceback" not in err
