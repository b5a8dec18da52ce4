"""`stream`: what the window pays for each token of a reply that streams into a long conversation.

The transcript's own list and model, painted offscreen. Every token is a text of its own here, and is painted at once:
the window takes at most thirty a second together, so this is the most a token can cost. The engine has no part in it.
"""

import os
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication

from kotonia_desktop.bench.measuring import Result, Series
from kotonia_desktop.bench.subject import text_of
from kotonia_desktop.domain.messages import Message, Revision, Role
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.transcript.model import TranscriptModel
from kotonia_desktop.gui.transcript.view import TranscriptView
from kotonia_desktop.services.views import Page

Tell = Callable[[str], None]
_WORDS = 40
_SIZE = (900, 700)


@dataclass(frozen=True, slots=True)
class StreamOptions:
    """`messages` stand above the reply of `tokens` tokens (words here); `runs` replies are streamed."""

    model: str = ""
    """Named in the result; no model is loaded."""
    messages: int = 200
    tokens: int = 300
    runs: int = 5


class _NoPictures(Avatars):
    """Everybody has a letter: no picture is asked for, so there is nobody to ask."""

    def __init__(self) -> None:
        super().__init__(None, None)  # type: ignore[arg-type]


class _CountedView(TranscriptView):
    """Knows how often it was painted."""

    paints = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, and count it."""
        self.paints += 1
        super().paintEvent(event)


def _message(number: int, text: str) -> Message:
    """Message `number` (its ordinal); the character's where it is even."""
    role = Role.USER if number % 2 else Role.CHARACTER
    speaker = "Sam" if role is Role.USER else "Nell"
    return Message(number + 1, 1, 1, number, role, speaker, Revision(id=number + 1, text=text))


def stream(options: StreamOptions, tell: Tell) -> Result:
    """Milliseconds of a token in the window: its text laid out and painted. Needs no display."""
    if QApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)  # only one with widgets is made here
    theme = Theme(application)
    theme.apply("light", 100)
    view = _CountedView(theme, _NoPictures())
    model = TranscriptModel(view)
    view.setModel(model)
    view.resize(*_SIZE)
    view.show()
    result = Result("stream", options.model)
    wall, cpu = Series("ms per token", "ms"), Series("cpu ms per token", "ms")
    worst, ends = Series("worst token ms", "ms"), Series("last tenth ms per token", "ms")
    paints = 0
    try:
        shown = tuple(_message(number, text_of(number, _WORDS)) for number in range(options.messages))
        for run in range(options.runs):
            model.show(Page(1, shown, options.messages, False, False))
            view.scroll_to_end()
            QCoreApplication.processEvents()
            words = text_of(options.messages + run, options.tokens).split()
            reply = _message(options.messages + options.messages % 2, "")
            before, took = view.paints, []
            started_cpu = time.process_time()
            for count in range(1, len(words) + 1):
                text = " ".join(words[:count])
                started = time.perf_counter()
                model.put(replace(reply, revision=replace(reply.revision, text=text)))
                view.viewport().repaint()
                QCoreApplication.processEvents()
                took.append((time.perf_counter() - started) * 1000)
            cpu.values.append((time.process_time() - started_cpu) * 1000 / len(took))
            wall.values.append(statistics.fmean(took))
            worst.values.append(max(took))
            ends.values.append(statistics.fmean(took[-max(1, len(took) // 10) :]))
            paints = view.paints - before
            tell(f"run {run + 1}: {wall.values[-1]:.2f} ms a token, worst {worst.values[-1]:.1f} ms")
    finally:
        view.close()
        view.deleteLater()
        with suppress(RuntimeError):
            QCoreApplication.processEvents()
    result.add(wall, cpu, worst, ends)
    result.results |= {"messages": options.messages, "tokens": options.tokens, "paints": paints}
    result.notes.append(f"painted on Qt's platform `{application.platformName()}`, {_SIZE[0]} by {_SIZE[1]} pixels")
    return result
