"""The whole way through the window on a real engine: what is done, closed and opened again is all there."""

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from tiny_models import REPLY_TEXT
from window_stage import Stage

from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.gui import texts

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_the_first_start_leads_from_a_model_to_the_first_opening(stage: Stage, tiny_model: Path) -> None:
    start = stage.window.start
    assert stage.window.pages.currentWidget() is start
    stage.load(tiny_model)
    assert start.steps.currentIndex() == 1
    start.tiles.select(next(t.character.id for t in start.tiles.tiles if t.character.starter == "ja"))
    stage.qtbot.mouseClick(start.meet, Qt.MouseButton.LeftButton)
    start.name.insert("ハル")  # the test driver types no Japanese
    stage.qtbot.mouseClick(start.enter, Qt.MouseButton.LeftButton)
    stage.until(lambda: stage.page.conversation_id is not None and stage.messages)
    assert stage.window.pages.currentWidget() is stage.page
    assert stage.page.people is not None
    assert stage.page.people.persona.name == "ハル"
    assert stage.page.people.conversation.language == "ja"
    assert stage.messages[0].is_greeting
    assert stage.page.header.people.text().startswith("槙野 澄 and you (ハル) · 1 message")


def test_the_first_start_stays_with_its_first_question_until_a_model_is_there(
    stage: Stage, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, said = stage.window.start, stage.window.said
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nothing answers there
    stage.qtbot.mouseClick(start.starter, Qt.MouseButton.LeftButton)
    stage.until(lambda: not start.starter.isEnabled())
    stage.settle()
    assert start.steps.currentIndex() == 0
    assert "starter model" in said.label.text()
    assert said.isVisible()
    assert start.starter.isEnabled()
    no_model = tmp_path / "story.gguf"
    no_model.write_text("Once upon a time")
    stage.window.load_model(no_model)
    stage.settle()
    assert start.steps.currentIndex() == 0
    assert "is not a GGUF model" in said.label.text()
    stage.load(tiny_model)
    assert start.steps.currentIndex() == 1
    assert not said.isVisible()


def test_everything_done_in_a_chat_is_there_after_closing_and_opening(
    open_stage: Callable[..., Stage], tiny_model: Path
) -> None:
    stage = open_stage()
    stage.load(tiny_model)
    conversation = stage.new_chat()
    stage.say("Hello in this")
    assert stage.texts[1:] == ["Hello in this", REPLY_TEXT]
    assert stage.page.composer.text() == ""

    # another version, and back to the first one by the keyboard
    stage.qtbot.mouseClick(stage.page.overlays.tools.again, Qt.MouseButton.LeftButton)
    stage.until_answered()
    assert (stage.messages[-1].alternate_index, stage.messages[-1].alternate_count) == (1, 2)
    stage.press(Qt.Key.Key_Left)
    stage.settle()
    assert stage.messages[-1].alternate_index == 0
    stage.qtbot.mouseClick(stage.page.overlays.tools.forward, Qt.MouseButton.LeftButton)
    stage.settle()
    assert stage.messages[-1].alternate_index == 1

    # edit my last message where it stands
    stage.press(Qt.Key.Key_Up)
    editor = stage.page.overlays.editor
    assert editor.isVisible()
    stage.qtbot.keyClicks(editor.field, " and you")
    stage.qtbot.keyClick(editor.field, Qt.Key.Key_Return, CONTROL)
    stage.settle()
    assert stage.texts[1] == "Hello in this and you"
    assert not editor.isVisible()

    # delete, undo, delete again by the undo bar's own way back
    stage.page.acts.delete(stage.messages[-1].id)
    stage.settle()
    assert len(stage.messages) == 2
    assert stage.page.undo_bar.isVisible()
    assert "2 messages" in stage.page.header.people.text()
    stage.qtbot.mouseClick(stage.page.undo_bar.button, Qt.MouseButton.LeftButton)
    stage.settle()
    assert stage.texts[-1] == REPLY_TEXT
    assert "3 messages" in stage.page.header.people.text()
    stage.page.acts.delete_from(stage.messages[1].id)
    stage.settle()
    assert len(stage.messages) == 1
    stage.type("not sent yet")
    before = stage.texts
    stage.close()

    again = open_stage()
    again.until(lambda: again.page.conversation_id == conversation and bool(again.messages))
    assert again.texts == before
    assert again.page.composer.text() == "not sent yet"
    assert again.window.pages.currentWidget() is again.page
    again.page.acts.undo()
    again.settle()
    assert again.texts[1:] == ["Hello in this and you", REPLY_TEXT]
    assert (again.messages[-1].alternate_index, again.messages[-1].alternate_count) == (1, 2)
    again.until(lambda: again.window.models.model is not None)  # the model used last comes back by itself
    again.settle()


def test_a_reply_that_is_stopped_says_so_and_can_be_continued(stage: Stage, babbling_model: Path) -> None:
    stage.kotonia.settings.set("reply.max_tokens", 400)
    stage.load(babbling_model)
    stage.new_chat()
    stage.type("Hello")
    stage.press(Qt.Key.Key_Return)
    stage.until(lambda: len(stage.messages) == 3 and stage.messages[-1].text)
    assert stage.page.composer.button.text() == "■ Stop"
    stage.press(Qt.Key.Key_Escape)
    stage.until_answered()
    stopped = stage.messages[-1]
    assert stopped.revision.finish is FinishReason.CANCELLED
    assert stage.page.view.block(2).mark == "Stopped by you"
    assert stage.page.composer.button.text() == "Send"
    assert stage.page.overlays.tools.go_on.isVisible()
    stage.qtbot.mouseClick(stage.page.overlays.tools.go_on, Qt.MouseButton.LeftButton)
    stage.until(lambda: len(stage.messages[-1].text) > len(stopped.text))
    stage.press(Qt.Key.Key_Escape)
    stage.until_answered()
    assert stage.messages[-1].text.startswith(stopped.text)
    assert stage.messages[-1].id == stopped.id


def test_a_reply_at_its_length_is_marked(stage: Stage, babbling_model: Path) -> None:
    stage.kotonia.settings.set("reply.max_tokens", 16)
    stage.kotonia.settings.set("reply.soft_landing", False)
    stage.load(babbling_model)
    stage.new_chat()
    stage.say("Hello")
    assert stage.messages[-1].revision.finish is FinishReason.LENGTH
    assert stage.page.view.block(2).mark == "Reached its length"
    stats = stage.messages[-1].revision.stats
    assert stats is not None
    assert "tokens read again" in stage.window.status.model.toolTip()
    assert f"{stats.reread_tokens:,} tokens read again" in stage.window.memory.sees.figures.text()


def test_the_engine_may_die_and_the_next_message_is_answered(stage: Stage, tiny_model: Path) -> None:
    stage.load(tiny_model)
    stage.new_chat()
    stage.say("Hello")
    pid = stage.kotonia.models.engine_pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    stage.until(lambda: stage.window.models.status.crashes == 1)
    stage.say("Hello again")
    assert stage.texts[-2:] == ["Hello again", REPLY_TEXT]
    assert "engine stopped" not in stage.window.status.state.text()
    stopped = replace(stage.window.models.status, alive=False)
    stage.window.status.show_status(stopped)
    assert "engine stopped" in stage.window.status.state.text()


def test_without_a_model_nothing_is_sent_and_the_text_stays(stage: Stage, tiny_model: Path) -> None:
    stage.new_chat()
    stage.type("Hello")
    stage.press(Qt.Key.Key_Return)
    stage.settle()
    assert stage.page.composer.text() == "Hello"
    assert len(stage.messages) == 1
    assert not stage.page.composer.button.isEnabled()
    assert stage.window.status.state.text() == "Choose a model to be answered"
    assert stage.page.error.isVisible()
    assert stage.page.error.label.text().startswith("No model is loaded.")
    stage.load(tiny_model)
    assert not stage.page.error.isVisible()
    stage.press(Qt.Key.Key_Return)
    stage.until_answered()
    assert stage.texts[1:] == ["Hello", REPLY_TEXT]


def test_a_text_file_named_gguf_is_said_to_be_no_model(stage: Stage, tmp_path: Path) -> None:
    stage.new_chat()
    path = tmp_path / "story.gguf"
    path.write_text("Once upon a time")
    stage.window.load_model(path)
    stage.settle()
    assert stage.page.error.isVisible()
    assert "is not a GGUF model" in stage.page.error.label.text()
    assert "Choose a file whose name ends in .gguf" in stage.page.error.label.text()


def test_a_message_longer_than_the_window_comes_back_into_the_composer(stage: Stage, tiny_model: Path) -> None:
    stage.kotonia.settings.set("model.window", 4096)
    stage.load(tiny_model)
    stage.new_chat()
    stage.page.composer.set_text("yes " * 9000)
    stage.press(Qt.Key.Key_Return)
    stage.until_answered()
    assert stage.page.composer.text() == "yes " * 9000
    assert len(stage.messages) == 1
    assert "the window holds" in stage.page.error.label.text()


def test_a_reply_goes_on_in_its_own_conversation_while_another_is_read(stage: Stage, babbling_model: Path) -> None:
    stage.kotonia.settings.set("reply.max_tokens", 60)
    stage.load(babbling_model)
    first = stage.new_chat()
    second = stage.new_chat("zh", "林远")
    stage.open(first)
    stage.type("Hello")
    stage.press(Qt.Key.Key_Return)
    stage.until(lambda: len(stage.messages) == 3)
    stage.window.open_conversation(second)
    stage.until(lambda: stage.page.conversation_id == second and len(stage.messages) == 1)
    stage.until(lambda: not stage.page.turn.busy)
    stage.settle()
    assert len(stage.messages) == 1
    stage.open(first)
    assert len(stage.messages) == 3
    assert stage.messages[-1].text
    assert not stage.messages[-1].is_draft


def test_the_language_of_the_window_changes_while_it_is_open(stage: Stage) -> None:
    stage.new_chat()
    stage.window.toggle_memory()
    stage.settle()
    assert stage.page.composer.button.text() == "Send"
    for language, send, memory in (("ja", "送る", "記憶"), ("zh", "发送", "记忆"), ("en", "Send", "Memory")):
        stage.window._on_language_chosen(language)
        stage.settle()
        assert texts.ui_language() == language
        stage.until(lambda send=send: stage.page.composer.button.text() == send)
        stage.until(lambda memory=memory: stage.page.header.memory.text().startswith(memory))
        stage.until(lambda memory=memory: stage.window.memory._title.text() == memory)
