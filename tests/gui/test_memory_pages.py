"""People, loose ends, kept lines, where the story stands: what is shown and what is asked for."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QInputMethodEvent
from pytestqt.qtbot import QtBot

from kotonia_desktop.domain.hand import Act, Hand, HandAct, Target, hand_of
from kotonia_desktop.domain.ledger import LedgerRow, Note, RowKind, Standing
from kotonia_desktop.domain.memory import ItemState, Truth
from kotonia_desktop.domain.pins import Pin, PinnedBy
from kotonia_desktop.domain.scene import NowField, NowLine
from kotonia_desktop.domain.threads import Thread, ThreadEvent, ThreadEventKind, ThreadState
from kotonia_desktop.gui.memory.panel import MemoryPanel
from kotonia_desktop.gui.memory.requests import ActOn, AddFact, SetNow, Settle, Unpin
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.translation import Translation
from kotonia_desktop.services.memory_views import PinView, RememberedView, ThreadView


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, translation: Translation) -> MemoryPanel:
    del translation  # English has its plurals from there
    made = MemoryPanel(theme)
    qtbot.addWidget(made)
    made.resize(420, 900)
    made.show()
    return made


def row(number: int, text: str, subject: str = "Mira", **values: object) -> LedgerRow:
    given = {"truth": Truth.CLAIM, "kind": RowKind.SAID, "told_by": subject, "ordinals": (number,)} | values
    return LedgerRow(subject=subject, text=text, id=number, **given)  # type: ignore[arg-type]


LIE, TRUE = row(1, "I was <b>not</b> hurt."), row(2, "The bandage was soaked.", kind=RowKind.HAPPENED)
OWN = row(3, "My sister flies.", "Sam")
SECRET = row(4, "She is the queen.", known_to=("Mira",))
NOTES = (
    Note(LIE, Standing.SIDES, TRUE),
    Note(OWN, Standing.OWN_WORD),
    Note(SECRET, Standing.TOLD),
    Note(row(5, "He came late.", state=ItemState.CHANGED), Standing.KNOWN),
)


def remembered(**values: object) -> RememberedView:
    given = {"notes": NOTES, "in_head": frozenset({3}), "persona": "Sam"} | values
    return RememberedView(1, **given)  # type: ignore[arg-type]


def show(panel: MemoryPanel, tab: str, view: RememberedView) -> None:
    names = [panel.tabs.tabText(number) for number in range(panel.tabs.count())]
    panel.tabs.setCurrentIndex(names.index(tab))
    panel.show_remembered(view, "en", "Sam")
    QCoreApplication.processEvents()


def test_each_person_opens_to_what_is_known_of_them(qtbot: QtBot, panel: MemoryPanel) -> None:
    show(panel, "People", remembered())
    mine, hers = panel.people.rows
    assert mine.title.text() == "▸ Sam · you · 1"
    qtbot.mouseClick(mine.title, Qt.MouseButton.LeftButton)
    (own,) = mine.notes
    assert own.standing.text() == "◆ Your word · in use"
    qtbot.mouseClick(hers.title, Qt.MouseButton.LeftButton)
    late, sides = hers.notes
    assert [line.text() for line in sides.lines] == [
        "On the surface: I was <b>not</b> hurt.",
        "In fact: The bandage was soaked.",
    ]
    assert "changed since" in late.standing.text()
    with qtbot.waitSignal(panel.jump_asked) as jump:
        qtbot.mouseClick(sides.links[1], Qt.MouseButton.LeftButton)
    assert jump.args == [2]


def test_what_the_persona_does_not_know_is_veiled_until_asked_for(qtbot: QtBot, panel: MemoryPanel) -> None:
    show(panel, "People", remembered())
    hers = panel.people.rows[1]
    qtbot.mouseClick(hers.title, Qt.MouseButton.LeftButton)
    assert not any("queen" in line.text() for note in hers.notes for line in note.lines)
    assert hers.veil.text() == "1 hidden · Reveal"
    hers.veil.click()
    assert any("queen" in line.text() for note in hers.notes for line in note.lines)


def test_every_act_is_one_click_and_names_its_note(qtbot: QtBot, panel: MemoryPanel) -> None:
    show(panel, "People", remembered())
    mine = panel.people.rows[0]
    mine.toggle()
    acts = mine.notes[0].acts
    assert list(acts.words) == [Act.NOT_TRUE, Act.ONLY_SAID, Act.EDIT, Act.HIDE]
    with qtbot.waitSignal(panel.asked) as asked:
        acts.words[Act.ONLY_SAID].click()
    assert asked.args == [ActOn(Target.ROW, 3, Act.ONLY_SAID)]
    hand = hand_of([HandAct(1, Target.ROW, 3, Act.EDIT, "x"), HandAct(2, Target.ROW, 3, Act.NOT_TRUE)])
    show(panel, "People", remembered(notes=(Note(OWN, Standing.FALSE, None, replace(hand, hidden=True)),)))
    words = panel.people.rows[0].notes[0].acts.words
    assert list(words) == [Act.AS_FOUND, Act.EDIT, Act.RELEASE, Act.SHOW]


def test_an_edit_is_saved_by_enter_but_never_half_composed(qtbot: QtBot, panel: MemoryPanel) -> None:
    show(panel, "People", remembered())
    mine = panel.people.rows[0]
    mine.toggle()
    acts = mine.notes[0].acts
    acts.words[Act.EDIT].click()
    editor = acts.editor
    assert editor is not None
    editor.selectAll()
    QCoreApplication.sendEvent(editor, QInputMethodEvent("あね", []))
    with qtbot.assertNotEmitted(panel.asked):
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    commit = QInputMethodEvent("", [])
    commit.setCommitString("姉は飛ぶ。")
    QCoreApplication.sendEvent(editor, commit)
    with qtbot.waitSignal(panel.asked) as asked:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert asked.args == [ActOn(Target.ROW, 3, Act.EDIT, "姉は飛ぶ。")]
    acts.edit()
    editor = acts.editor
    assert editor is not None
    with qtbot.assertNotEmitted(panel.asked):
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert acts.editor is None


def test_a_fact_of_ones_own_is_typed_in(qtbot: QtBot, panel: MemoryPanel) -> None:
    show(panel, "People", remembered())
    panel.people.field.setText("  Mira is a smith. ")
    with qtbot.waitSignal(panel.asked) as asked:
        qtbot.keyClick(panel.people.field, Qt.Key.Key_Return)
    assert asked.args == [AddFact("Mira is a smith.")]
    with qtbot.assertNotEmitted(panel.asked):
        qtbot.keyClick(panel.people.field, Qt.Key.Key_Return)


def test_many_notes_are_shown_a_few_at_a_time(panel: MemoryPanel) -> None:
    show(panel, "People", remembered(notes=tuple(Note(row(n, f"Line {n}."), Standing.TOLD) for n in range(300))))
    hers = panel.people.rows[0]
    hers.toggle()
    assert len(hers.notes) == 12
    assert hers.notes[0].lines[0].text() == "Line 299."
    hers.more.click()
    assert len(hers.notes) == 60


def thread(number: int, state: ThreadState, *, doubt: bool = False, hand: Hand | None = None) -> ThreadView:
    opened = ThreadEvent(ThreadEventKind.OPENED, ordinal=number, id=number)
    asked = ThreadEvent(ThreadEventKind.DOUBTED, ordinal=9, id=99, text="We found it.")
    events = (opened, asked) if doubt else (opened,)
    made = Thread(number, 1, f"Matter {number}", events)
    return ThreadView(made, state, asked if doubt else None, None, hand or Hand(), in_head=True)


def test_loose_ends_are_decided_by_one_click(qtbot: QtBot, panel: MemoryPanel) -> None:
    threads = (
        thread(1, ThreadState.CLOSED),
        thread(2, ThreadState.OPEN),
        thread(3, ThreadState.DORMANT),
        thread(4, ThreadState.OPEN, doubt=True),
    )
    show(panel, "Loose ends", remembered(threads=threads))
    rows = panel.matters.rows
    assert [shown.title.text() for shown in rows] == ["◇ ? Matter 4", "◇ Matter 2", "◌ Matter 3", "◈ Matter 1"]
    qtbot.mouseClick(rows[0].title, Qt.MouseButton.LeftButton)
    assert list(rows[0].words) == ["Yes, settled", "Not yet"]
    with qtbot.waitSignal(panel.asked) as asked:
        rows[0].words["Not yet"].click()
    assert asked.args == [Settle(4, False)]
    rows[3].toggle()
    with qtbot.waitSignal(panel.asked) as asked:
        rows[3].words["Not settled after all"].click()
    assert asked.args == [Settle(1, False)]


def test_kept_lines_stand_word_for_word_and_can_be_let_go(qtbot: QtBot, panel: MemoryPanel) -> None:
    pins = (
        PinView(Pin(1, 1, 0, 5, id=7, text="<i>Always.</i>", speaker="Mira", ordinal=4), in_head=True),
        PinView(Pin(2, 2, 0, 5, PinnedBy.MODEL, id=8, text="Never.", speaker="Sam", ordinal=6)),
    )
    show(panel, "Kept", remembered(pins=pins))
    first, second = panel.kept.lines
    assert first.words.text() == "Mira: <i>Always.</i>"
    assert (first.state.text(), second.state.text()) == ("chosen by you · in use", "chosen by the model")
    with qtbot.waitSignal(panel.asked) as asked:
        first.leave.click()
    assert asked.args == [Unpin(7)]
    with qtbot.waitSignal(panel.jump_asked) as jump:
        second.link.click()
    assert jump.args == [6]


def test_where_the_story_stands_is_typed_over_and_cleared(qtbot: QtBot, panel: MemoryPanel) -> None:
    show(panel, "Story", remembered(now=(NowLine(NowField.PLACE, "the mill", locked=True),)))
    now = panel.story.now
    assert now.title.text() == "▸ Now · the mill"
    assert now.fields[NowField.PLACE].isHidden()
    now.title.click()
    assert now.fields[NowField.PLACE].text() == "the mill"
    assert "Typed by you" in now.fields[NowField.PLACE].accessibleDescription()
    now.fields[NowField.TIME].setText("noon")
    with qtbot.waitSignal(panel.asked) as asked:
        qtbot.keyClick(now.fields[NowField.TIME], Qt.Key.Key_Return)
    assert asked.args == [SetNow(NowField.TIME, "noon")]
    now.fields[NowField.PLACE].clear()
    with qtbot.waitSignal(panel.asked) as asked:
        qtbot.keyClick(now.fields[NowField.PLACE], Qt.Key.Key_Return)
    assert asked.args == [SetNow(NowField.PLACE, "")]
    now.fields[NowField.PLACE].setText("nowhere")
    now.fields[NowField.PLACE].clearFocus()
    with qtbot.assertNotEmitted(panel.asked):
        qtbot.keyClick(now.fields[NowField.PLACE], Qt.Key.Key_Escape)
    assert now.fields[NowField.PLACE].text() == "the mill"
