"""A long memory: rows are made where they are seen, and the keyboard goes through all of them in their order."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from kotonia_desktop.domain.memory import Chapter, Fold, FoldKind, FoldReason, FoldState, Item, Source, WrittenBy
from kotonia_desktop.gui.memory.panel import MemoryPanel
from kotonia_desktop.gui.memory.row import Row
from kotonia_desktop.gui.memory.row_column import RowColumn
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.translation import Translation
from kotonia_desktop.services.memory_views import ChapterView, MemoryLog, MemoryView

CHAPTERS = 300
FOLDS = 600
FEW = 80
"""More rows than this are never made for a panel of this height."""


def chapter(number: int) -> ChapterView:
    items = tuple(
        Item(f"Sentence {number}.{k}.", (Source(number * 10 + k, 1),), id=number * 10 + k, ordinals=(number * 10 + k,))
        for k in range(3)
    )
    first = number * 10
    made = Chapter(
        number, 1, number, 0, f"Title {number}", WrittenBy.MODEL, "en", first, first + 9, items, FoldState.APPLIED,
        in_head=True, model="Mina-4B",
    )  # fmt: skip
    return ChapterView(made, number + 1, 20)


def fold(number: int) -> Fold:
    first = number * 10
    return Fold(
        number, 1, FoldKind.CHAPTER, FoldState.APPLIED, FoldReason.TRIGGER, first, first + 9, "Mina-4B", "1", 800, 90,
        "", 1000.0 + number, 1012.0 + number,
    )  # fmt: skip


STORY = tuple(chapter(number) for number in range(CHAPTERS))
LOG_TAB = 5
LOG = MemoryLog(tuple(fold(number) for number in reversed(range(FOLDS))))


def view(*story: ChapterView) -> MemoryView:
    return MemoryView(1, story, (), "head", 30, (3000, 3060), ())


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, translation: Translation) -> MemoryPanel:
    del translation
    made = MemoryPanel(theme)
    qtbot.addWidget(made)
    made.resize(420, 700)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    made.show_memory(view(*STORY), LOG)
    qtbot.waitUntil(lambda: len(made.story.rows) > 10)
    return made


def area_of(panel: MemoryPanel, tab: int) -> QScrollArea:
    area = panel.tabs.widget(tab)
    assert isinstance(area, QScrollArea)
    return area


def seen(panel: MemoryPanel, tab: int, widget: QWidget) -> bool:
    viewport = area_of(panel, tab).viewport()
    top = widget.mapTo(viewport, widget.rect().topLeft()).y()
    return top >= 0 and top + min(widget.height(), viewport.height()) <= viewport.height()


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def is_whole(panel: MemoryPanel, tab: int, column: RowColumn) -> bool:
    """True where what is to be seen of a column is covered by rows without a gap."""
    viewport = area_of(panel, tab).viewport()
    top = -column.mapTo(viewport, column.rect().topLeft()).y()
    bottom = min(top + viewport.height(), column.height())
    covered = max(top, 0)
    for row in column.rows:
        if row.geometry().top() <= covered:
            covered = max(covered, row.geometry().bottom() + 1)
    return covered >= bottom


def test_only_what_is_near_the_screen_is_made(qtbot: QtBot, panel: MemoryPanel) -> None:
    story = panel.story
    qtbot.waitUntil(lambda: is_whole(panel, 0, story.column))
    assert len(story.column) == CHAPTERS
    assert len(story.rows) < FEW
    assert panel.log.rows == []  # nobody has looked there
    bar = area_of(panel, 0).verticalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: is_whole(panel, 0, story.column) and story.rows[-1].view == STORY[-1])
    assert len(story.rows) < FEW
    panel.tabs.setCurrentIndex(LOG_TAB)
    qtbot.waitUntil(lambda: is_whole(panel, LOG_TAB, panel.log.column) and len(panel.log.rows) > 10)
    assert panel.log.rows[0].fold == LOG.folds[0]
    assert len(panel.log.rows) < FEW


def test_a_chapter_far_away_is_opened_and_shown(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.open_chapter(250)
    row = next(row for row in panel.story.rows if row.view == STORY[250])
    assert row.title.isChecked()
    qtbot.waitUntil(lambda: seen(panel, 0, row.title) and is_whole(panel, 0, panel.story.column))


def test_what_was_opened_stays_open_out_of_sight(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.open_chapter(3)
    panel.tabs.tabBar().setFocus()
    bar = area_of(panel, 0).verticalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: panel.story.rows[-1].view == STORY[-1])
    shown = [row.view.chapter.id for row in panel.story.rows]
    assert 3 in shown
    assert 4 not in shown
    bar.setValue(0)
    qtbot.waitUntil(lambda: 4 in [row.view.chapter.id for row in panel.story.rows])
    assert [row.view.chapter.id for row in panel.story.rows if row.title.isChecked()] == [3]
    below = next(row for row in panel.story.rows if row.view.chapter.id == 4)
    opened = next(row for row in panel.story.rows if row.view.chapter.id == 3)
    qtbot.waitUntil(lambda: below.geometry().top() == opened.geometry().bottom() + 1)
    assert opened.height() > below.height()


def test_a_reader_of_the_log_keeps_the_place_when_something_is_added(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.tabs.setCurrentIndex(LOG_TAB)
    bar = area_of(panel, LOG_TAB).verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 3000)
    bar.setValue(2000)
    viewport = area_of(panel, LOG_TAB).viewport()

    def top_one() -> tuple[int, int]:
        places = [(row.mapTo(viewport, row.rect().topLeft()).y(), row.fold.id) for row in panel.log.rows]
        return next((number, y) for y, number in sorted(places) if y >= 0)

    qtbot.waitUntil(lambda: is_whole(panel, LOG_TAB, panel.log.column))
    before = top_one()
    panel.show_memory(view(*STORY), MemoryLog((fold(FOLDS + 1), fold(FOLDS), *LOG.folds)))
    qtbot.waitUntil(lambda: bar.value() != 2000)
    qtbot.waitUntil(lambda: top_one() == before)
    bar.setValue(0)
    qtbot.waitUntil(lambda: panel.log.rows[0].fold == fold(FOLDS + 1))


def test_arrows_lead_from_row_to_row(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.story.rows[0].title.setFocus()
    for expected in (1, 2, 3):
        qtbot.keyClick(focused(), Qt.Key.Key_Down)
        assert focused().accessibleName() == f"Chapter {expected + 1} · Title {expected}"
    qtbot.keyClick(focused(), Qt.Key.Key_End)
    assert focused().accessibleName() == f"Chapter {CHAPTERS} · Title {CHAPTERS - 1}"
    qtbot.waitUntil(lambda: seen(panel, 0, focused()))
    qtbot.keyClick(focused(), Qt.Key.Key_Up)
    assert focused().accessibleName() == f"Chapter {CHAPTERS - 1} · Title {CHAPTERS - 2}"
    qtbot.keyClick(focused(), Qt.Key.Key_Home)
    assert focused().accessibleName() == "Chapter 1 · Title 0"
    qtbot.keyClick(focused(), Qt.Key.Key_PageDown)
    assert int(focused().accessibleName().split()[1]) > 5


def test_tab_goes_through_the_rows_in_their_order_and_out(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(*STORY[:20]), MemoryLog())
    bar = area_of(panel, 0).verticalScrollBar()
    bar.setValue(bar.maximum())  # rows are made and put away in another order than they stand in
    qtbot.waitUntil(lambda: is_whole(panel, 0, panel.story.column))
    bar.setValue(0)
    qtbot.waitUntil(lambda: is_whole(panel, 0, panel.story.column))
    panel.tabs.tabBar().setFocus(Qt.FocusReason.TabFocusReason)
    told: list[str] = []
    for _ in range(200):
        qtbot.keyClick(focused(), Qt.Key.Key_Tab)
        if focused() is panel.story.in_view:
            break
        if panel.story.column.isAncestorOf(focused()):
            told.append(focused().accessibleName())
            assert seen(panel, 0, focused())
    wanted = [
        name
        for number in range(20)
        for name in (f"Chapter {number + 1} · Title {number}", f"Go to #{number * 10 + 1}–#{number * 10 + 10}")
    ]
    assert told == wanted
    back: list[str] = []
    for _ in range(200):
        qtbot.keyClick(focused(), Qt.Key.Key_Backtab)
        if not panel.story.column.isAncestorOf(focused()):
            break
        back.append(focused().accessibleName())
    assert back == wanted[::-1]


def test_tab_goes_into_an_open_row(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(*STORY[:2]), MemoryLog((fold(0),)))
    panel.open_chapter(0)
    told = [focused().accessibleName()]
    for _ in range(10):
        qtbot.keyClick(focused(), Qt.Key.Key_Tab)
        told.append(focused().accessibleName())
    assert told == [
        "Chapter 1 · Title 0",
        "Go to #1–#10",
        "Go to message 1",
        "Change… Sentence 0.0.",
        "Go to message 2",
        "Change… Sentence 0.1.",
        "Go to message 3",
        "Change… Sentence 0.2.",
        "Rename",
        "Where from: show it in the log",
        "Chapter 2 · Title 1",
    ]


def test_a_row_that_goes_leaves_the_keyboard_in_its_column(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.open_chapter(1)
    panel.show_memory(view(*STORY[2:5]), MemoryLog())
    assert focused() is panel.story.column
    qtbot.keyClick(focused(), Qt.Key.Key_Tab)
    assert focused().accessibleName() == "Chapter 3 · Title 2"


def test_a_memory_that_shrinks_leaves_no_row_behind(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_memory(view(*STORY[2:5]), MemoryLog(LOG.folds[:2]))
    assert [row.view for row in panel.story.rows] == list(STORY[2:5])
    assert sum(row.isVisible() for row in panel.story.column.findChildren(Row)) == 3
    panel.show_memory(None, MemoryLog())
    assert panel.story.rows == []
    qtbot.waitUntil(lambda: panel.story.column.height() == 0)


def test_sentences_follow_the_size_of_the_conversations_text(qtbot: QtBot, panel: MemoryPanel, theme: Theme) -> None:
    panel.open_chapter(0)
    row = panel.story.rows[0]
    before = row.item_rows[0].words.font().pixelSize()
    theme.apply("light", 150)
    assert row.item_rows[0].words.font().pixelSize() > before
    qtbot.waitUntil(lambda: is_whole(panel, 0, panel.story.column))
    theme.apply("light", 100)
