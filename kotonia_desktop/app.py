"""The window's composition root: makes the application, opens the data folder, shows the window, ends in order."""

import logging
import os
import signal
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QObject, QTimer, QTimerEvent
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from kotonia_desktop.domain.errors import DataFolderBusy, KotoniaError
from kotonia_desktop.gui.crash import CrashHook
from kotonia_desktop.gui.single_instance import RaiseServer, ask_to_raise
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.translation import Translation
from kotonia_desktop.gui.window import MainWindow
from kotonia_desktop.paths import resource
from kotonia_desktop.services.kotonia import Kotonia

LOG = "kotonia.log"
_LOG_BYTES = 1_000_000
_SIGNAL_MS = 500


def run(data_dir: Path, smoke: bool = False) -> int:
    """Open the window on a data folder; returns the exit code. With `smoke` it closes once it has been shown.

    A folder that another window holds: that window is asked to come to the front, and 0 is returned.
    """
    app = make_application()
    translation = Translation()
    translation.use("")
    try:
        kotonia = Kotonia(data_dir)
    except DataFolderBusy as error:
        if ask_to_raise(data_dir):
            return 0
        sys.stderr.write(f"{error}\n")
        return 1
    except KotoniaError as error:
        return _say_and_end(app, error)
    _log_to(data_dir)
    with kotonia:
        hook = CrashHook()
        hook.install()
        server = RaiseServer(data_dir)
        theme = Theme()
        window = MainWindow(kotonia, theme, translation)
        hook.caught.connect(window.say_crash)
        server.raise_asked.connect(window.raise_window)
        window.show()
        window.begin()
        signals = _Signals(window)
        if smoke:
            QTimer.singleShot(1500, window.close)
        code = app.exec()
        server.close()
        hook.remove()
        signals.deleteLater()
        window.deleteLater()
    return code


class _Signals(QObject):
    """Closes the window in order on Ctrl+C in the terminal and on a polite kill.

    Python looks at signals only when some of its code runs, hence the timer.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        self.startTimer(_SIGNAL_MS)

    def timerEvent(self, event: QTimerEvent) -> None:
        """Nothing to do: it is enough that Python runs."""

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        QTimer.singleShot(0, self._window.close)  # not in the middle of whatever Python ran just now


def make_application() -> QApplication:
    """The Qt application with our name, icon and style."""
    # A worker's decoder must not be made to take all memory by a picture's header.
    os.environ.setdefault("QT_IMAGEIO_MAXALLOC", "256")
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("Kotonia")
    app.setDesktopFileName("kotonia")
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(resource("icons/kotonia.svg"))))
    return app


def _say_and_end(app: QApplication, error: KotoniaError) -> int:
    """The data cannot be opened: there is no window to say it in, so say it in a small one."""
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QMessageBox

    from kotonia_desktop.gui.texts import error_text

    sys.stderr.write(f"{error}\n")
    box = QMessageBox(QMessageBox.Icon.Warning, "Kotonia", error_text(error))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if app.platformName() not in ("offscreen", "minimal"):
        box.exec()
    return 2 if error.bad_input else 1


def _log_to(data_dir: Path) -> None:
    """Write what happens to a file in the data folder: codes and numbers, never a message's text."""
    handler = RotatingFileHandler(data_dir / LOG, maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger("kotonia")
    root.setLevel(logging.INFO)
    root.addHandler(handler)
