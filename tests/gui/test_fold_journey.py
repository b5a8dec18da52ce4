"""A story outgrows its window: it is folded meanwhile, seen in the memory, and there after a restart."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from window_stage import Stage

from kotonia_desktop.domain.memory import FoldState
from kotonia_desktop.gui.memory_texts import chapter_line, span
from kotonia_desktop.gui.transcript.blocks import DIVIDER
from kotonia_desktop.services.folding import WriterKind

WINDOW = 6144


def open_story(open_stage: Callable[..., Stage], model: Path, lines: int) -> tuple[Stage, int]:
    """A window with a small view, and a story of so many messages in it."""
    stage = open_stage()
    stage.kotonia.settings.set("model.window", WINDOW)
    stage.kotonia.settings.set("memory.wait", 0.0)
    stage.kotonia.settings.set("reply.max_tokens", 16)
    stage.load(model)
    conversation = stage.new_chat()
    stage.fill(conversation, lines)
    stage.page.feed.reload()
    stage.settle()
    return stage, conversation


def folded(stage: Stage, conversation: int) -> bool:
    story = stage.kotonia.folding.view(conversation).story
    return bool(story) and all(text.chapter.state is FoldState.APPLIED for text in story)


def test_a_story_is_folded_seen_and_there_after_a_restart(open_stage: Callable[..., Stage], tiny_model: Path) -> None:
    stage, conversation = open_story(open_stage, tiny_model, 40)
    stage.window.toggle_memory()
    panel = stage.window.memory
    stage.until(lambda: "up to date" in panel.state.text())
    before = stage.page.view.verticalScrollBar().value()
    assert "Nothing has been forgotten" in panel.story.empty.text()
    for number in range(40):
        stage.say(f"I carried lantern number {number} up to the loft and counted the steps on the way.")
        stage.settle()
        if stage.kotonia.folding.view(conversation).story:
            break
    stage.until(lambda: folded(stage, conversation))
    stage.until(lambda: panel.story.rows and "up to date" in panel.state.text())
    stage.settle()
    assert stage.window.status.state.text() == "Memory is up to date"
    assert stage.page.view.verticalScrollBar().value() >= before  # nothing jumped back

    # The chapter: its title, its messages, how it was written.
    row = panel.story.rows[0]
    first = row.view.chapter
    assert row.title.text() == f"▸ {chapter_line(row.view)}"
    assert first.first_ordinal == 0
    assert row.where.text() == span(first.first_ordinal, first.last_ordinal)
    stage.qtbot.mouseClick(row.title, Qt.MouseButton.LeftButton)
    assert [item.words.text() for item in row.item_rows] == [item.text for item in first.items]
    assert "Quoted, not yet retold" in row.written.text()

    # A click on a number goes to the message, and the page shows where the chapter begins.
    link = row.item_rows[-1].links[0]
    ordinal = int(link.property("ordinal"))
    stage.qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    stage.until(lambda: visible(stage, ordinal))
    stage.window.open_message(conversation, 0)
    stage.until(lambda: visible(stage, 0))
    divider = stage.page.view._rows.divider(0)
    assert divider is not None
    assert divider.words.startswith("Chapter 1")
    assert "stands for #1" in divider.words

    # The log and what the model sees tell the same.
    panel.tabs.setCurrentIndex(5)
    stage.until(
        lambda: any("Chapter #1" in fold.title.text() and "in use" in fold.title.text() for fold in panel.log.rows)
    )
    panel.tabs.setCurrentIndex(4)
    assert any("What is remembered" in section.title.text() for section in panel.sections)

    # Another title, and all of it after a restart.
    panel.tabs.setCurrentIndex(0)
    row = panel.story.rows[0]
    row.start_renaming()
    row.editor.setText("The loft")
    stage.qtbot.keyClick(row.editor, Qt.Key.Key_Return)
    stage.until(lambda: "The loft" in panel.story.rows[0].title.text())
    remembered = stage.kotonia.folding.view(conversation)
    stage.close()
    again = open_stage()
    again.until(lambda: bool(again.messages))
    again.until(lambda: again.window.models.model is not None)
    again.settle()
    assert again.kotonia.folding.view(conversation).story == remembered.story
    again.window.toggle_memory()
    again.until(lambda: bool(again.window.memory.story.rows))
    assert "The loft" in again.window.memory.story.rows[0].title.text()


def ends(stage: Stage, conversation: int) -> int | None:
    story = stage.kotonia.folding.view(conversation).story
    return max((text.chapter.last_ordinal for text in story), default=None)


def visible(stage: Stage, ordinal: int) -> bool:
    row = next((n for n, message in enumerate(stage.messages) if message.ordinal == ordinal), None)
    if row is None:
        return False
    rect = stage.page.view.row_rect(row)
    return rect.bottom() > 0 and rect.top() < stage.page.view.viewport().height()


def test_a_click_on_a_divider_opens_the_chapter(open_stage: Callable[..., Stage], tiny_model: Path) -> None:
    stage, conversation = open_story(open_stage, tiny_model, 60)
    stage.window.remembering.worker.fold_now()
    stage.until(lambda: folded(stage, conversation))
    stage.window.open_message(conversation, 0)
    stage.until(lambda: visible(stage, 0) and stage.page.view._rows.divider(0) is not None)
    stage.until(lambda: stage.page.view.row_rect(0).top() >= 0)
    place = QPoint(stage.page.view.column.left + 100, stage.page.view.row_rect(0).top() + DIVIDER // 2)
    stage.qtbot.mouseClick(stage.page.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    panel = stage.window.memory
    assert not panel.isHidden()
    stage.until(lambda: bool(panel.story.rows) and panel.story.rows[0].title.isChecked())


def test_marks_are_set_in_the_menu_and_shown(open_stage: Callable[..., Stage], tiny_model: Path) -> None:
    stage, conversation = open_story(open_stage, tiny_model, 6)
    tools = stage.page.overlays.tools
    tools.off_record_asked.emit(stage.messages[-1].id, True)
    stage.until(lambda: stage.messages[-1].off_record)
    assert "Off the record" in stage.page.view._rows.block(len(stage.messages) - 1).notes
    tools.chapter_end_asked.emit(stage.messages[3].id, True)
    stage.until(lambda: stage.messages[3].ends_chapter)
    ordinal = stage.messages[3].ordinal
    stage.until(lambda: ends(stage, conversation) == ordinal)
    assert "The chapter ends here" in stage.page.view._rows.block(3).notes


def test_messages_out_of_sight_are_said_above_the_composer(open_stage: Callable[..., Stage], tiny_model: Path) -> None:
    stage, conversation = open_story(open_stage, tiny_model, 160)
    stage.window.remembering.worker.close()  # a chronicler that never comes to write
    stage.say("And what now?")
    stage.settle()
    queued = stage.kotonia.folding.view(conversation).queued
    assert queued
    first, last = queued[0]
    notice = stage.page.lines.warning
    assert notice.isVisible()
    assert f"(#{first + 1}–#{last + 1})" in notice.label.text()
    assert notice.button.text() == "Write it now"
    stage.until(lambda: "out of sight" in stage.window.status.state.text())


def test_closing_while_a_chapter_is_written_ends_at_once(open_stage: Callable[..., Stage], tiny_model: Path) -> None:
    stage, conversation = open_story(open_stage, tiny_model, 150)
    stage.kotonia.folding.writer = WriterKind.MODEL
    stage.window.remembering.worker.fold_now()
    stage.until(lambda: stage.kotonia.folding.log(conversation).folds)
    stage.close()
    again = open_stage()
    assert all(f.state is not FoldState.WRITING for f in again.kotonia.folding.log(conversation).folds)


def test_a_chapter_that_cannot_be_written_yet_is_said(open_stage: Callable[..., Stage], tiny_model: Path) -> None:
    stage, _ = open_story(open_stage, tiny_model, 2)
    stage.window.toggle_memory()
    story = stage.window.memory.story
    stage.until(lambda: story.fold_now.isEnabled())
    stage.qtbot.mouseClick(story.fold_now, Qt.MouseButton.LeftButton)
    stage.until(lambda: "nothing to write yet" in story.fold_note.text())
    assert story.fold_note.isVisible()
