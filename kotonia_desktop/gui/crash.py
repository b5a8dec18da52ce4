"""What happens when our own code fails: the log gets the class and the place, never a text; the window says a line."""

import logging
import sys
import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Signal

log = logging.getLogger("kotonia.crash")


def place_of(trace: TracebackType | None) -> str:
    """Where an error was raised: file, line and function of its last frame."""
    frames = traceback.extract_tb(trace)
    if not frames:
        return "unknown place"
    last = frames[-1]
    return f"{Path(last.filename).name}:{last.lineno} in {last.name}"


class CrashHook(QObject):
    """Takes errors nobody caught, from any thread. Emits `caught` with class and place, in the window's thread."""

    caught = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = sys.excepthook
        self._busy = False

    def install(self) -> None:
        """Begin to take them."""
        sys.excepthook = self._take

    def remove(self) -> None:
        """Give the hook back."""
        sys.excepthook = self._before

    def _take(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._before(kind, error, trace)
            return
        # str(error) may hold a message's text, so only its class is told.
        line = f"{kind.__name__} at {place_of(trace)}"
        log.error("uncaught %s", line)
        if not self._busy:  # an error while the line is shown must not end in itself
            self._busy = True
            try:
                self.caught.emit(line)
            finally:
                self._busy = False
