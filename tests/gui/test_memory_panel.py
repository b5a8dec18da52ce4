"""The memory's panel by itself: chapters, what became of their messages, the log with what was rejected."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from kotonia_desktop.domain.errors import EngineStopped
from kotonia_desktop.domain.memory import (
    Attempt,
    Chapter,
    Fold,
    FoldKind,
    FoldReason,
    FoldState,
    HeadState,
    Item,
    ItemState,
    Rejection,
    Source,
    WritingStats,
    WrittenBy,
)
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.memory.panel import MemoryPanel
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.translation import Translation
from kotonia_desktop.services.memory_views import ChapterView, FoldActivity, FoldStatus, MemoryLog, MemoryView


def item(number: int, ordinal: int, state: ItemState = ItemState.VALID) -> Item:
    return Item(f"<b>Sentence</b> {number}.", (Source(ordinal, 1),), id=number, state=state, ordinals=(ordinal,))


def text(number: int, *items: Item, level: int = 0, parts: tuple[int, ...] = (), by: str = "model") -> ChapterView:
    first = number * 10
    made = Chapter(
        number, 1, number, level, f"Title {number}", WrittenBy(by), "en", first, first + 9, items, FoldState.APPLIED,
        in_head=True, parts=parts, model="Mina-4B",
    )  # fmt: skip
    return ChapterView(made, number + 1, 20)


def fold(number: int, *attempts: Attempt, state: FoldState = FoldState.APPLIED) -> Fold:
    first = number * 10
    return Fold(
        number, 1, FoldKind.CHAPTER, state, FoldReason.TRIGGER, first, first + 9, "Mina-4B", "1", 800, 90, "",
        1000.0, 1012.0, attempts,
    )  # fmt: skip


REFUSED = Attempt(
    "chapter", "I'm sorry <i>no</i>.", FinishReason.STOP, Rejection.REFUSAL, WritingStats(settings="temperature 0.3")
)
KEPT = Attempt("chapter", "# T\n- S.", FinishReason.STOP, None, number=2)


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, translation: Translation) -> MemoryPanel:
    del translation  # English has its plurals from there
    made = MemoryPanel(theme)
    qtbot.addWidget(made)
    made.resize(420, 800)
    made.show()
    return made


def view(*story: ChapterView, merged: tuple[ChapterView, ...] = (), queued: tuple[tuple[int, int], ...] = ()):
    return MemoryView(1, story, merged, "head", 30, (50, 60), queued)


def status(activity: FoldActivity, **fields: object) -> FoldStatus:
    return FoldStatus(1, activity, **fields)


def test_a_chapter_opens_to_its_sentences_and_each_number_jumps(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(text(0, item(1, 3), item(2, 7))), MemoryLog((fold(0, REFUSED, KEPT),)))
    (row,) = panel.story.rows
    assert not row.item_rows
    qtbot.mouseClick(row.title, Qt.MouseButton.LeftButton)
    assert [shown.words.text() for shown in row.item_rows] == ["<b>Sentence</b> 1.", "<b>Sentence</b> 2."]
    assert "Written by Mina-4B · 12 s · 1 attempt was not kept" in row.written.text()
    with qtbot.waitSignal(panel.jump_asked) as jump:
        qtbot.mouseClick(row.item_rows[1].links[0], Qt.MouseButton.LeftButton)
    assert jump.args == [7]
    with qtbot.waitSignal(panel.jump_asked) as jump:
        qtbot.mouseClick(row.where, Qt.MouseButton.LeftButton)
    assert jump.args == [0]


def test_a_sentence_says_what_became_of_its_message(panel: MemoryPanel) -> None:
    changed, gone = item(1, 3, ItemState.CHANGED), item(2, 4, ItemState.GONE)
    panel.show_memory(view(text(0, changed, gone, item(3, 5))), MemoryLog())
    panel.open_chapter(0)
    notes = [row.note.text() if row.note is not None else "" for row in panel.story.rows[0].item_rows]
    assert notes == ["#4 was changed after this was written", "#5 is gone; the model is not shown this", ""]


def test_a_sentence_of_several_messages_does_not_say_which_one_changed(panel: MemoryPanel) -> None:
    both = replace(item(1, 3, ItemState.CHANGED), ordinals=(3, 8))
    panel.show_memory(view(text(0, both)), MemoryLog())
    panel.open_chapter(0)
    (row,) = panel.story.rows[0].item_rows
    assert row.note is not None
    assert row.note.text() == "One of #4, #9 was changed after this was written"
    assert [link.text() for link in row.links] == ["#4", "#9"]


def test_a_message_that_is_gone_cannot_be_gone_to(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(text(0, item(1, 3, ItemState.GONE), item(2, 4))), MemoryLog())
    panel.open_chapter(0)
    gone, there = (row.links[0] for row in panel.story.rows[0].item_rows)
    with qtbot.assertNotEmitted(panel.jump_asked):
        qtbot.mouseClick(gone, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(panel.jump_asked):
        qtbot.mouseClick(there, Qt.MouseButton.LeftButton)


def test_a_part_holds_the_chapters_it_was_made_of(panel: MemoryPanel) -> None:
    four = tuple(text(number, item(number, number * 10)) for number in range(4))
    part = text(9, item(90, 0), item(91, 11), level=1, parts=(0, 1, 2, 3), by="extract")
    panel.show_memory(view(part, merged=four), MemoryLog())
    assert panel.story.synopsis.text() == "<b>Sentence</b> 90. <b>Sentence</b> 91."
    panel.open_chapter(2)
    (row,) = panel.story.rows
    assert [inner.view for inner in row.inner_rows] == list(four)
    assert [inner.title.isChecked() for inner in row.inner_rows] == [False, False, True, False]
    assert "Quoted, not yet retold" in row.written.text()


def test_a_part_of_parts_leads_down_to_each_chapter(panel: MemoryPanel) -> None:
    chapters = tuple(text(number, item(number, number * 10)) for number in range(4))
    low = text(5, item(50, 0), level=1, parts=(0, 1))
    high = text(6, item(60, 0), level=2, parts=(5, 2, 3))
    panel.show_memory(view(high, merged=(*chapters, low)), MemoryLog())
    panel.open_chapter(1)
    (row,) = panel.story.rows
    assert [inner.view.chapter.id for inner in row.inner_rows] == [5, 2, 3]
    chapter = row.inner_rows[0].inner_rows[1]
    assert chapter.title.isChecked()
    assert chapter.item_rows[0].words.text() == "<b>Sentence</b> 1."


def test_the_story_so_far_begins_with_the_openings_and_can_be_read_whole(qtbot: QtBot, panel: MemoryPanel) -> None:
    synopsis = panel.story.synopsis
    panel.show_memory(view(text(0, item(1, 1))), MemoryLog())
    assert synopsis.isHidden()  # there is no part yet
    parts = [text(n, *(item(n * 10 + k, n * 10 + k) for k in range(4)), level=1) for n in range(2)]
    panel.show_memory(view(*parts), MemoryLog())
    assert synopsis.text() == ("<b>Sentence</b> 0. <b>Sentence</b> 1. <b>Sentence</b> 10. <b>Sentence</b> 11. …")
    qtbot.mouseClick(synopsis.more, Qt.MouseButton.LeftButton)
    assert synopsis.text().count("Sentence") == 8
    assert synopsis.more.text() == "Show less"


def test_a_title_is_edited_in_its_place(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(text(0, item(1, 3))), MemoryLog())
    (row,) = panel.story.rows
    qtbot.waitUntil(row.isVisible)
    qtbot.keyClick(row.title, Qt.Key.Key_F2)
    assert row.editor.isVisible()
    row.editor.setText("  The lamp ")
    with qtbot.waitSignal(panel.rename_asked) as asked:
        qtbot.keyClick(row.editor, Qt.Key.Key_Return)
    assert asked.args == [0, "The lamp"]
    assert row.title.isVisible()
    row.open()
    qtbot.mouseClick(row.rename, Qt.MouseButton.LeftButton)
    row.editor.setText("Nothing")
    with qtbot.assertNotEmitted(panel.rename_asked, wait=50):
        qtbot.keyClick(row.editor, Qt.Key.Key_Escape)
    assert not row.editor.isVisible()


def test_keys_belong_to_an_input_method_while_it_composes(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(text(0, item(1, 3))), MemoryLog())
    (row,) = panel.story.rows
    row.start_renaming()
    row.editor.clear()
    QCoreApplication.sendEvent(row.editor, QInputMethodEvent("らんぷ", []))
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        with qtbot.assertNotEmitted(panel.rename_asked, wait=10):
            qtbot.keyClick(row.editor, key)
        assert row.editor.isVisible()
    done = QInputMethodEvent("", [])
    done.setCommitString("ランプ")
    QCoreApplication.sendEvent(row.editor, done)
    with qtbot.waitSignal(panel.rename_asked) as asked:
        qtbot.keyClick(row.editor, Qt.Key.Key_Return)
    assert asked.args == [0, "ランプ"]


def test_what_is_open_or_edited_stays_with_its_chapter(qtbot: QtBot, panel: MemoryPanel) -> None:
    """A part takes the place of four chapters while the fifth is open and its title is edited."""
    five = tuple(text(number, item(number, number * 10)) for number in range(5))
    panel.show_memory(view(*five), MemoryLog())
    panel.open_chapter(4)
    panel.story.rows[4].start_renaming()
    panel.story.rows[4].editor.setText("The shoe")
    part = text(9, item(90, 0), level=1, parts=(0, 1, 2, 3))
    panel.show_memory(view(part, five[4], merged=five[:4]), MemoryLog())
    first, second = panel.story.rows
    assert (first.title.isChecked(), second.title.isChecked()) == (False, True)
    assert second.item_rows[0].words.text() == "<b>Sentence</b> 4."
    with qtbot.waitSignal(panel.rename_asked) as asked:
        qtbot.keyClick(second.editor, Qt.Key.Key_Return)
    assert asked.args == [4, "The shoe"]


def test_where_a_text_is_from_is_shown_in_the_log(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(text(0, item(1, 3)), text(1, item(2, 13))), MemoryLog((fold(1, REFUSED, KEPT),)))
    panel.open_chapter(0)
    panel.open_chapter(1)
    unknown, known = panel.story.rows
    assert unknown.where_from.isHidden()  # the log does not go back that far
    qtbot.mouseClick(known.where_from, Qt.MouseButton.LeftButton)
    assert panel.tabs.tabText(panel.tabs.currentIndex()) == "Log"
    (row,) = panel.log.rows
    assert row.title.isChecked()
    assert len(row.attempts) == 2


def test_a_chapter_that_was_asked_for_opens_when_it_comes(panel: MemoryPanel) -> None:
    panel.open_chapter(1)
    panel.show_memory(view(text(0, item(1, 3)), text(1, item(2, 13))), MemoryLog())
    assert [row.title.isChecked() for row in panel.story.rows] == [False, True]


def test_what_is_out_of_sight_is_said_with_what_will_happen(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(queued=((10, 21),)), MemoryLog())
    panel.show_status(status(FoldActivity.NO_MODEL))
    queued = panel.story.queued
    assert queued.title.text() == "Out of sight for now · #11–#22"
    assert queued.words.text() == ("12 messages (#11–#22) do not fit and are out of sight until a chapter is written.")
    assert queued.next.text() == "It is written once a model is loaded."
    assert queued.isVisible()
    assert not panel.story.empty.isVisible()
    with qtbot.waitSignal(panel.jump_asked) as jump:
        qtbot.mouseClick(queued.title, Qt.MouseButton.LeftButton)
    assert jump.args == [10]
    panel.show_memory(view(), MemoryLog())
    assert not queued.isVisible()


def test_what_is_in_view_can_be_gone_to_by_enter(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(), MemoryLog())
    assert "In view, word for word · #51–#61" in panel.story.in_view.text()
    with qtbot.waitSignal(panel.jump_asked) as jump:
        qtbot.keyClick(panel.story.in_view, Qt.Key.Key_Return)
    assert jump.args == [50]


def test_nothing_to_write_is_said_until_there_is_more(panel: MemoryPanel) -> None:
    story = panel.story
    panel.show_memory(view(), MemoryLog())
    panel.show_status(status(FoldActivity.UP_TO_DATE, newest=60))
    story.say_nothing_to_write()
    panel.show_status(status(FoldActivity.UP_TO_DATE, newest=60))  # it comes after the answer
    assert "nothing to write yet" in story.fold_note.text()
    assert not story.fold_now.isEnabled()
    panel.show_memory(replace(view(), in_view=(50, 62)), MemoryLog())
    assert story.fold_note.text() == ""
    assert story.fold_now.isEnabled()


@pytest.mark.parametrize(
    ("activity", "fields", "words", "usable"),
    [
        (FoldActivity.UP_TO_DATE, {"newest": 41}, "up to date · #42", True),
        (FoldActivity.WRITING, {"number": 4}, "writing chapter 4…", False),
        (FoldActivity.WAITING, {"to_write": 1}, "1 chapter to write, waiting for a quiet moment", True),
        (FoldActivity.WAITING, {"to_write": 2}, "2 chapters to write, waiting for a quiet moment", True),
        (FoldActivity.NO_MODEL, {}, "no model is loaded", False),
        (FoldActivity.FAILED, {"error": EngineStopped(detail="x")}, "a chapter could not be written", True),
    ],
)
def test_the_state_is_said_in_words(
    panel: MemoryPanel, activity: FoldActivity, fields: dict[str, object], words: str, usable: bool
) -> None:
    panel.show_status(status(activity, **fields))
    assert panel.state.text().startswith(words)
    assert panel.story.fold_now.isEnabled() is usable
    assert bool(panel.story.fold_note.text()) is not usable
    assert bool(panel.story.error.text()) is (activity is FoldActivity.FAILED)


def test_the_log_shows_what_was_rejected_as_plain_text(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(), MemoryLog((fold(1, REFUSED, KEPT), fold(0, state=FoldState.FAILED))))
    panel.tabs.setCurrentIndex(panel.tabs.count() - 1)
    first, second = panel.log.rows
    assert "Chapter #11–#20 · in use" in first.title.text()
    assert first.figures.text() == "800 → 90 tokens · 12.0 s · 2 attempts · Mina-4B"
    assert "not written; it will be tried again" in second.title.text()
    qtbot.mouseClick(first.title, Qt.MouseButton.LeftButton)
    rejected, kept = first.attempts
    assert rejected.verdict.text() == "✕ Attempt 1: not kept, the model declined"
    assert rejected.figures.text() == "ended by the model · temperature 0.3"
    assert isinstance(rejected.text, QPlainTextEdit)
    assert rejected.text.toPlainText() == "I'm sorry <i>no</i>."
    assert rejected.text.isReadOnly()
    assert kept.verdict.text() == "✓ Attempt 2: kept"
    assert "Mina-4B was asked, in wording 1" in first.about.text()
    with qtbot.waitSignal(panel.jump_asked) as jump:
        qtbot.mouseClick(first.where, Qt.MouseButton.LeftButton)
    assert jump.args == [10]


def test_an_attempt_says_what_it_cost(panel: MemoryPanel) -> None:
    stats = WritingStats(1840, 1210, 96, 2.1, 7.4, 4711, "temperature 0.3", "41 % of its 8-grams")
    dear = Attempt("chapter", "Copied.", FinishReason.LENGTH, Rejection.COPY, stats)
    panel.show_memory(view(), MemoryLog((fold(1, dear),)))
    panel.tabs.setCurrentIndex(panel.tabs.count() - 1)
    row = panel.log.open_fold(1)
    assert row is not None
    assert row.attempts[0].figures.text() == (
        "ended by its length · 41 % of its 8-grams · 630 tokens read, 2.1 s · 96 tokens written, 7.4 s"
        " · temperature 0.3 · random seed 4711"
    )


def test_a_fold_that_failed_says_why(qtbot: QtBot, panel: MemoryPanel) -> None:
    failed = replace(fold(1, state=FoldState.FAILED), error="engine_stopped")
    panel.show_memory(view(), MemoryLog((failed, fold(0))))
    panel.tabs.setCurrentIndex(panel.tabs.count() - 1)
    first, second = panel.log.rows
    for row in (first, second):
        qtbot.keyClick(row.title, Qt.Key.Key_Return)
    assert "The engine stopped" in first.about.text()
    assert "The engine stopped" not in second.about.text()
    assert "No model was asked: whole lines were picked." in second.about.text()


def test_messages_that_left_stand_in_the_log_in_their_time(qtbot: QtBot, panel: MemoryPanel) -> None:
    early, late = fold(1), replace(fold(2), started_at=5000.0)
    panel.show_memory(view(), MemoryLog((late, early), (HeadState(31, (), "ceiling", 3000.0),)))
    panel.tabs.setCurrentIndex(panel.tabs.count() - 1)
    assert [row.fold for row in panel.log.rows] == [late, None, early]
    cut = panel.log.rows[1]
    assert "Out of sight up to #32" in cut.title.text()
    assert cut.figures.text() == "they left before there was a chapter of them"
    qtbot.mouseClick(cut.title, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(panel.jump_asked) as jump:
        qtbot.mouseClick(cut.where, Qt.MouseButton.LeftButton)
    assert jump.args == [31]


def test_a_screen_reader_hears_what_stands_there(panel: MemoryPanel) -> None:
    panel.show_memory(view(text(0, item(1, 3))), MemoryLog((fold(0),)))
    panel.open_chapter(0)
    (row,) = panel.story.rows
    assert row.title.accessibleName() == "Chapter 1 · Title 0"
    assert row.title.accessibleDescription() == "Hides its sentences"
    assert row.where.accessibleName() == "Go to #1–#10"
    assert row.item_rows[0].links[0].accessibleName() == "Go to message 4"
    panel.tabs.setCurrentIndex(panel.tabs.count() - 1)
    (entry,) = panel.log.rows
    assert entry.title.accessibleName().endswith("12.0 s · Mina-4B")
    assert panel.tabs.tabBar().accessibleName()


def test_every_code_of_memory_has_its_words() -> None:
    for rejection in Rejection:
        for finish in FinishReason:
            shown = Attempt("chapter", "", finish, rejection)
            assert memory_texts.attempt_verdict(shown).startswith("✕ Attempt 1: not kept, ")
            assert memory_texts.attempt_figures(shown)
    for state in FoldState:
        for reason in FoldReason:
            entry = replace(fold(0, state=state), reason=reason)
            assert memory_texts.entry_line(entry)
            assert memory_texts.entry_details(entry)
    for activity in FoldActivity:
        assert memory_texts.state_line(status(activity))
