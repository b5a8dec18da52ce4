"""Background calls come back in the window's thread; a turn's events come in order and not too often."""

import threading
from collections.abc import Iterator

import pytest
import shiboken6
from message_values import message
from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QApplication
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from kotonia_desktop.domain.errors import NothingToContinue
from kotonia_desktop.domain.messages import Changes, FormatRate
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.gui.workers.turns import TurnRelay
from kotonia_desktop.services.views import TurnFinished, TurnReading, TurnStarted, TurnText


class Listener(QObject):
    """Notes what it is told, and in which thread."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []
        self.threads: set[QThread] = set()

    def hear(self, value: object) -> None:
        self.told.append(value)
        self.threads.add(QThread.currentThread())


@pytest.fixture
def tasks(qapp: QApplication) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


@pytest.fixture
def listener(qapp: QApplication) -> Listener:
    return Listener()


def test_a_result_comes_back_in_the_windows_thread(tasks: Tasks, listener: Listener, qtbot: QtBot) -> None:
    names: list[str] = []

    def work() -> int:
        names.append(threading.current_thread().name)
        return 42

    tasks.run(work, listener.hear)
    qtbot.waitUntil(lambda: listener.told == [42])
    assert listener.threads == {QThread.currentThread()}
    assert names[0].startswith("kotonia-task")
    assert tasks.pending == 0


def test_an_error_goes_to_who_asked_else_to_the_window(tasks: Tasks, listener: Listener, qtbot: QtBot) -> None:
    def work() -> None:
        raise NothingToContinue()

    tasks.run(work, None, listener.hear)
    qtbot.waitUntil(lambda: len(listener.told) == 1)
    with qtbot.waitSignal(tasks.failed) as told:
        tasks.run(work)
    assert isinstance(told.args[0], NothingToContinue)
    assert listener.threads == {QThread.currentThread()}


def test_a_bug_in_the_background_is_raised_where_the_hook_sees_it(tasks: Tasks, qtbot: QtBot) -> None:
    def work() -> None:
        raise ZeroDivisionError

    with capture_exceptions() as caught:
        tasks.run(work)
        qtbot.waitUntil(lambda: tasks.pending == 0)
    assert [kind for kind, _, _ in caught] == [ZeroDivisionError]


def test_a_listener_that_is_gone_is_not_called(tasks: Tasks, listener: Listener, qtbot: QtBot) -> None:
    gate = threading.Event()
    other = Listener()
    tasks.run(gate.wait, listener.hear)
    told = listener.told
    shiboken6.delete(listener)
    gate.set()
    qtbot.waitUntil(lambda: tasks.pending == 0)
    tasks.run(lambda: 1, other.hear)
    qtbot.waitUntil(lambda: other.told == [1])
    assert told == []


def test_a_turns_events_keep_their_order_and_texts_are_told_once_in_a_while(listener: Listener, qtbot: QtBot) -> None:
    relay = TurnRelay()
    relay.arrived.connect(listener.hear)
    count = 3000

    def turn() -> None:
        relay.post(TurnStarted(Changes(), message(0)))
        for read in range(200):
            relay.post(TurnReading(1, read, 200, 0))
        for length in range(count):
            relay.post(TurnText(1, "x" * length))
        relay.post(TurnFinished(Changes(), message(0, "x" * count), FormatRate()))

    thread = threading.Thread(target=turn)
    thread.start()
    qtbot.waitUntil(lambda: bool(listener.told) and isinstance(listener.told[-1], TurnFinished))
    thread.join()
    kinds = [type(event) for event in listener.told]
    assert kinds[0] is TurnStarted
    assert kinds == sorted(kinds, key=[TurnStarted, TurnReading, TurnText, TurnFinished].index)
    texts = [event.text for event in listener.told if isinstance(event, TurnText)]
    assert texts[-1] == "x" * (count - 1)
    assert len(texts) < count / 10
    assert listener.threads == {QThread.currentThread()}
