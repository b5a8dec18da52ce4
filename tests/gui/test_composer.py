"""The composer: keys, input methods, the empty field, and the question which key sends."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QInputMethodEvent
from pytestqt.qtbot import QtBot

from kotonia_desktop.gui.composer.composer import Composer
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.translation import Translation

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ENTER = Qt.Key.Key_Return


@pytest.fixture
def composer(qtbot: QtBot, theme: Theme, translation: Translation) -> Iterator[Composer]:
    made = Composer()
    made.set_person("Sam", "en", 100)
    made.set_send_key("enter")
    made.resize(700, 200)
    made.show()
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def sent(composer: Composer) -> list[str]:
    texts: list[str] = []
    composer.sent.connect(texts.append)
    return texts


def compose(composer: Composer, preedit: str, commit: str = "") -> None:
    """What an input method does: show `preedit` under the cursor, then put `commit` in."""
    event = QInputMethodEvent(preedit, [])
    if commit:
        event.setCommitString(commit)
    QCoreApplication.sendEvent(composer.editor, event)


def test_enter_sends_and_shift_enter_breaks_the_line(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    qtbot.keyClicks(composer.editor, "one")
    qtbot.keyClick(composer.editor, ENTER, SHIFT)
    qtbot.keyClicks(composer.editor, "two")
    assert sent == []
    qtbot.keyClick(composer.editor, ENTER)
    assert sent == ["one\ntwo"]


def test_with_ctrl_enter_enter_breaks_the_line(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    composer.set_send_key("ctrl_enter")
    qtbot.keyClicks(composer.editor, "one")
    qtbot.keyClick(composer.editor, ENTER)
    qtbot.keyClicks(composer.editor, "two")
    assert sent == []
    qtbot.keyClick(composer.editor, ENTER, CONTROL)
    assert sent == ["one\ntwo"]


@pytest.mark.parametrize("key", ["enter", "ctrl_enter", ""])
@pytest.mark.parametrize("modifiers", [NONE, SHIFT, CONTROL])
def test_enter_while_a_word_is_composed_neither_sends_nor_breaks(
    composer: Composer, sent: list[str], qtbot: QtBot, key: str, modifiers: Qt.KeyboardModifier
) -> None:
    composer.set_send_key(key)
    qtbot.keyClicks(composer.editor, "a")
    compose(composer, "にほん")
    qtbot.keyClick(composer.editor, ENTER, modifiers)
    assert sent == []
    assert composer.text() == "a"
    compose(composer, "", "日本")
    assert composer.text() == "a日本"
    qtbot.keyClick(composer.editor, ENTER, CONTROL if key == "ctrl_enter" else NONE)
    assert sent == ["a日本"]


def test_escape_while_a_word_is_composed_stops_nothing(composer: Composer, qtbot: QtBot) -> None:
    stops: list[bool] = []
    composer.stop_asked.connect(lambda: stops.append(True))
    compose(composer, "にほん")
    qtbot.keyClick(composer.editor, Qt.Key.Key_Escape)
    assert stops == []
    compose(composer, "")
    qtbot.keyClick(composer.editor, Qt.Key.Key_Escape)
    assert stops == [True]


def test_an_empty_field_steers_and_a_filled_one_does_not(composer: Composer, qtbot: QtBot) -> None:
    asked: list[object] = []
    composer.edit_last_asked.connect(lambda: asked.append("up"))
    composer.step_asked.connect(asked.append)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Right):
        qtbot.keyClick(composer.editor, key)
    assert asked == ["up", -1, 1]
    qtbot.keyClicks(composer.editor, "a")
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Right):
        qtbot.keyClick(composer.editor, key)
    assert asked == ["up", -1, 1]


def test_arrows_while_a_word_is_composed_do_not_steer(composer: Composer, qtbot: QtBot) -> None:
    asked: list[int] = []
    composer.step_asked.connect(asked.append)
    compose(composer, "にほん")
    qtbot.keyClick(composer.editor, Qt.Key.Key_Right)
    assert asked == []


def test_which_key_sends_is_asked_with_the_first_words_and_never_again(composer: Composer, qtbot: QtBot) -> None:
    composer.set_send_key("")
    assert not composer.choose_enter.isVisible()
    qtbot.keyClicks(composer.editor, "Hello")
    assert composer.choose_enter.isVisible()
    with qtbot.waitSignal(composer.send_key_chosen) as chosen:
        qtbot.mouseClick(composer.choose_ctrl_enter, Qt.MouseButton.LeftButton)
    assert chosen.args == ["ctrl_enter"]
    assert not composer.choose_enter.isVisible()
    qtbot.keyClicks(composer.editor, " there")
    assert not composer.choose_enter.isVisible()
    assert composer.editor.hasFocus()


def test_the_button_sends_and_while_a_reply_is_written_stops(composer: Composer, sent: list[str], qtbot: QtBot) -> None:
    stops: list[bool] = []
    composer.stop_asked.connect(lambda: stops.append(True))
    composer.set_text("Hello")
    qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    assert sent == ["Hello"]
    composer.set_busy(True)
    assert composer.button.text() == "■ Stop"
    qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(composer.editor, ENTER)
    assert (sent, stops) == (["Hello"], [True])


def test_the_field_grows_with_its_text_up_to_a_limit(composer: Composer) -> None:
    heights = []
    for lines in (1, 6, 400):
        composer.set_text("\n".join(["line"] * lines))
        heights.append(composer.editor.height())
    assert heights[0] < heights[1]
    assert heights[2] <= max(4 * composer.editor.fontMetrics().lineSpacing(), composer.height() * 2)


def test_undo_belongs_to_the_text_first_and_to_the_conversation_then(composer: Composer, qtbot: QtBot) -> None:
    undone: list[bool] = []
    composer.editor.undo_asked.connect(lambda: undone.append(True))
    qtbot.keyClicks(composer.editor, "a")
    qtbot.keyClick(composer.editor, Qt.Key.Key_Z, CONTROL)
    assert composer.text() == ""
    assert undone == []
    qtbot.keyClick(composer.editor, Qt.Key.Key_Z, CONTROL)
    assert undone == [True]
