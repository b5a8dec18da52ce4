"""The memory's panel by itself: chapters, what became of their messages, the log with what was rejected."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
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
    notes = [row.note.text() for row in panel.story.rows[0].item_rows]
    assert notes == ["#4 was changed after this was written", "#5 is gone; the model is not shown this", ""]


def test_a_part_holds_the_chapters_it_was_made_of(panel: MemoryPanel) -> None:
    four = tuple(text(number, item(number, number * 10)) for number in range(4))
    part = text(9, item(90, 0), item(91, 11), level=1, parts=(0, 1, 2, 3), by="extract")
    panel.show_memory(view(part, merged=four), MemoryLog())
    assert panel.story.synopsis.text() == "<b>Sentence</b> 90. <b>Sentence</b> 91."
    panel.open_chapter(2)
    (row,) = panel.story.rows
    assert [inner.view for inner in row.inner_rows] == list(four)
    assert row.inner_rows[2].title.isChecked()
    assert "Quoted, not yet retold" in row.written.text()


def test_a_title_is_edited_in_its_place(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(text(0, item(1, 3))), MemoryLog())
    (row,) = panel.story.rows
    qtbot.waitUntil(row.isVisible)
    qtbot.keyClick(row, Qt.Key.Key_F2)
    assert row.editor.isVisible()
    row.editor.setText("  The lamp ")
    with qtbot.waitSignal(panel.rename_asked) as asked:
        qtbot.keyClick(row.editor, Qt.Key.Key_Return)
    assert asked.args == [0, "The lamp"]
    row.start_renaming()
    row.editor.setText("Nothing")
    with qtbot.assertNotEmitted(panel.rename_asked, wait=50):
        qtbot.keyClick(row.editor, Qt.Key.Key_Escape)
    assert not row.editor.isVisible()


def test_what_is_out_of_sight_is_said_with_what_will_happen(panel: MemoryPanel) -> None:
    panel.show_memory(view(queued=((10, 21),)), MemoryLog())
    assert panel.story.queued_words.text() == (
        "12 messages (#11–#22) do not fit and are out of sight until a chapter is written."
    )
    assert panel.story.queued.isVisible()
    assert not panel.story.empty.isVisible()


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
    cut = HeadState(31, (), "ceiling", 1000.0)
    panel.show_memory(view(), MemoryLog((fold(1, REFUSED, KEPT), fold(0, state=FoldState.FAILED)), (cut,)))
    panel.tabs.setCurrentIndex(2)
    first, second = panel.log.rows
    assert "Chapter #11–#20 · in use" in first.title.text()
    assert "800 → 90 tokens · 12.0 s · 2 attempts" in first.figures.text()
    assert "not written; it will be tried again" in second.title.text()
    assert not second.title.isEnabled()
    qtbot.mouseClick(first.title, Qt.MouseButton.LeftButton)
    rejected, kept = first.attempts
    assert rejected.verdict.text() == "Not kept: the model declined · ended by the model · temperature 0.3"
    assert isinstance(rejected.text, QPlainTextEdit)
    assert rejected.text.toPlainText() == "I'm sorry <i>no</i>."
    assert kept.verdict.text().startswith("Kept")
    assert "Messages up to #32 left without a chapter" in panel.log.cuts.text()


def test_a_long_memory_comes_in_steps(qtbot: QtBot, panel: MemoryPanel) -> None:
    story = tuple(text(number, item(number, number)) for number in range(60))
    folds = tuple(fold(number) for number in range(80))
    panel.show_memory(view(*story), MemoryLog(folds))
    assert len(panel.story.rows) < 60
    assert len(panel.log.rows) < 80
    qtbot.waitUntil(lambda: len(panel.story.rows) == 60 and len(panel.log.rows) == 80)
    assert [row.fold.id for row in panel.log.rows] == list(range(80))
    panel.show_memory(view(*story[:3]), MemoryLog(folds[:2]))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert len(panel.story.rows) == 3
    assert len(panel.log.rows) == 2
