"""The page stays where the reader left it, whatever comes in above or below."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from message_values import message, page
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QImage, QWheelEvent
from pytestqt.qtbot import QtBot

from kotonia_desktop.domain.messages import FinishReason, Role, StoppedBy
from kotonia_desktop.gui.avatars import Avatars
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.transcript.model import TranscriptModel
from kotonia_desktop.gui.transcript.view import TranscriptView
from kotonia_desktop.gui.translation import Translation
from kotonia_desktop.services.memory_views import MemoryView


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, translation: Translation, stage_avatars: Avatars) -> Iterator[TranscriptView]:
    made = TranscriptView(theme, stage_avatars)
    made.setModel(TranscriptModel(made))
    made.resize(900, 700)
    made.show()
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def stage_avatars(qapp) -> Avatars:
    return Avatars(None, None, qapp)  # no picture is asked for: every name has its letter


def model_of(view: TranscriptView) -> TranscriptModel:
    model = view.model()
    assert isinstance(model, TranscriptModel)
    return model


def top_of(view: TranscriptView) -> tuple[int, int]:
    """Which message is at the top of the page and how much of it is above."""
    row, offset = view.anchor
    return model_of(view).messages[row].ordinal, offset


def wheel(view: TranscriptView, notches: int) -> None:
    position = view.viewport().rect().center()
    event = QWheelEvent(
        position.toPointF(),
        view.viewport().mapToGlobal(position).toPointF(),
        QPoint(0, 0),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QCoreApplication.sendEvent(view.viewport(), event)


def test_a_conversation_opens_at_its_end_and_follows_it(view: TranscriptView) -> None:
    model = model_of(view)
    model.show(page(0, 199))
    view.scroll_to_end()
    assert view.follows
    last = view.row_rect(199)
    assert view.viewport().height() - 40 <= last.bottom() <= view.viewport().height()
    model.put(message(200, "New. " * 200))
    assert view.row_rect(200).bottom() <= view.viewport().height()


def test_scrolling_up_moves_by_exactly_what_was_asked_through_unmeasured_rows(view: TranscriptView) -> None:
    model_of(view).show(page(0, 199))
    view.scroll_to_end()
    for _ in range(150):
        row = view.anchor[0]
        before = view.row_rect(row).top()
        view.move_by(-60)
        if view.anchor == (0, 0):
            break
        assert view.row_rect(row).top() == before + 60


def test_older_messages_above_move_nothing(view: TranscriptView) -> None:
    model = model_of(view)
    model.show(page(200, 399, total=400))
    view.scroll_to_end()
    for _ in range(8):
        wheel(view, 3)
    place = top_of(view)
    model.prepend(page(0, 199, total=400))
    assert top_of(view) == place


def test_text_that_streams_below_moves_nothing_and_is_announced(view: TranscriptView, qtbot: QtBot) -> None:
    model = model_of(view)
    model.show(page(0, 99))
    view.scroll_to_end()
    wheel(view, 10)
    assert not view.follows
    place = top_of(view)
    with qtbot.waitSignal(view.new_text_below) as told:
        model.put(message(100, "It begins"))
    assert told.args == [True]
    for words in range(1, 40):
        model.put(message(100, "It goes on and on. " * words))
    assert top_of(view) == place
    with qtbot.waitSignal(view.new_text_below) as told:
        view.scroll_to_end()
    assert told.args == [False]


def test_a_reader_at_the_end_stays_at_the_end_while_text_streams(view: TranscriptView) -> None:
    model = model_of(view)
    model.show(page(0, 99))
    view.scroll_to_end()
    for words in range(1, 60):
        model.put(message(100, "It goes on and on. " * words))
        assert view.row_rect(100).bottom() <= view.viewport().height()


def test_a_deleted_message_above_moves_nothing(view: TranscriptView) -> None:
    model = model_of(view)
    model.show(page(0, 99))
    view.scroll_to_end()
    wheel(view, 10)
    place = top_of(view)
    model.remove([message(3).id, message(4).id])
    assert top_of(view) == place


def test_another_width_keeps_the_message_at_the_top(view: TranscriptView) -> None:
    model_of(view).show(page(0, 99))
    view.scroll_to_end()
    wheel(view, 12)
    before = top_of(view)[0]
    view.resize(640, 700)
    assert top_of(view)[0] == before


def test_more_is_asked_for_near_an_end_that_is_not_loaded(view: TranscriptView, qtbot: QtBot) -> None:
    model_of(view).show(page(5000, 5199, total=50_000))
    view.show_ordinal(5100)
    with qtbot.waitSignal(view.older_wanted):
        wheel(view, 200)
    with qtbot.waitSignal(view.newer_wanted):
        wheel(view, -400)


def test_the_bar_stands_for_the_whole_conversation(view: TranscriptView, qtbot: QtBot) -> None:
    model_of(view).show(page(49_800, 49_999, total=50_000))
    view.scroll_to_end()
    bar = view.verticalScrollBar()
    assert bar.value() > bar.maximum() * 0.99
    with qtbot.waitSignal(view.ordinal_wanted) as wanted:
        bar.setValue(bar.maximum() // 2)
    assert 20_000 < wanted.args[0] < 30_000


def test_a_jump_inside_what_is_loaded_shows_that_message(view: TranscriptView) -> None:
    model_of(view).show(page(0, 199))
    view.scroll_to_end()
    view.show_ordinal(20)
    rect = view.row_rect(20)
    assert 0 <= rect.top() < view.viewport().height()
    assert view.currentIndex().row() == 20


def test_the_keyboard_goes_from_message_to_message(view: TranscriptView, qtbot: QtBot) -> None:
    model_of(view).show(page(0, 99))
    view.scroll_to_end()
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Up)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.currentIndex().row() == 98
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.currentIndex().row() == 0
    assert view.row_rect(0).top() == 0
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert view.currentIndex().row() > 1
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.currentIndex().row() == 99


def test_what_was_considered_opens_by_a_click_on_its_line(view: TranscriptView, qtbot: QtBot) -> None:
    thought = message(0, "Yes.", Role.CHARACTER)
    thought = replace(thought, revision=replace(thought.revision, reasoning="I should say yes. " * 30))
    model_of(view).show(replace(page(0, 0), messages=(thought,)))
    block = view.block(0)
    assert block.reasoning_at is not None
    assert block.reasoning is None
    spot = QPoint(block.column.left + 5, view.row_rect(0).top() + block.reasoning_at + 8)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    opened = view.block(0)
    assert opened.reasoning is not None
    assert opened.height > block.height
    assert "I should say yes." not in view.model().index(0).data()


def test_what_was_cut_can_be_shown(view: TranscriptView, qtbot: QtBot) -> None:
    cut = message(0, "Yes.", Role.CHARACTER)
    revision = replace(cut.revision, stopped_by=StoppedBy.PERSONA, cut_text="Sam: I leave.")
    model_of(view).show(replace(page(0, 0), messages=(replace(cut, revision=revision),)))
    block = view.block(0)
    assert block.mark == "Stopped before it spoke for you · show"
    assert block.mark_at is not None
    spot = QPoint(block.column.left + 5, view.row_rect(0).top() + block.mark_at + 8)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    shown = view.block(0)
    assert shown.cut is not None
    assert shown.cut.toPlainText() == "Sam: I leave."


@pytest.mark.parametrize(
    ("finish", "words"),
    [
        (FinishReason.LENGTH, "Reached its length"),
        (FinishReason.WINDOW, "No room left in the model's view"),
        (FinishReason.CANCELLED, "Stopped by you"),
        (FinishReason.INTERRUPTED, "Interrupted; what was written is kept"),
        (FinishReason.ERROR, "Ended by an error; what was written is kept"),
        (FinishReason.STOP, ""),
    ],
)
def test_an_end_that_is_not_the_models_own_is_said_in_words(
    view: TranscriptView, finish: FinishReason, words: str
) -> None:
    ended = message(0, "Yes.", Role.CHARACTER)
    model_of(view).show(
        replace(page(0, 0), messages=(replace(ended, revision=replace(ended.revision, finish=finish)),))
    )
    assert view.block(0).mark == words


def test_a_think_block_that_was_cut_is_no_reply(view: TranscriptView) -> None:
    cut = message(0, "", Role.CHARACTER)
    revision = replace(cut.revision, finish=FinishReason.LENGTH, thinking_cut=True, reasoning="Let me see")
    model_of(view).show(replace(page(0, 0), messages=(replace(cut, revision=revision),)))
    assert view.block(0).mark == "Stopped while thinking"


def test_only_the_first_message_of_a_run_has_a_name(view: TranscriptView) -> None:
    run = (message(0), message(1, role=Role.CHARACTER), message(2, role=Role.USER))
    model_of(view).show(replace(page(0, 2), messages=run))
    assert [view.block(row).look.heads_run for row in range(3)] == [True, False, True]


def test_messages_out_of_sight_have_a_dotted_rule_at_the_edge(view: TranscriptView, theme: Theme) -> None:
    model_of(view).show(page(0, 1))

    def edge() -> set[str]:
        image: QImage = view.grab().toImage()
        return {image.pixelColor(x, y).name().upper() for x in range(8, 13) for y in range(2, 100)}

    assert theme.tokens.told.upper() not in edge()
    view.show_memory(MemoryView(1, (), (), "", 0, (1, 1), ((0, 0),)))
    assert theme.tokens.told.upper() in edge()
