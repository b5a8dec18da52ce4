"""Open matters: opened by what binds, closed by a decision over its controls, dormant when nothing is heard."""

from dataclasses import replace

import pytest
from memory_values import task

from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.domain.threads import Thread, ThreadEvent, ThreadEventKind, ThreadState
from kotonia_desktop.memory.asking import ids_asked, ids_grammar, parse_ids
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.lines import LabelledLine, Piece
from kotonia_desktop.memory.matters import (
    CLOSES,
    DORMANT_AFTER,
    MOST_OPENED,
    closest,
    closing_of,
    decide,
    doubt_of,
    matters_of,
    says_settled,
    state_of,
)
from kotonia_desktop.memory.weighing import candidates_of

OPENED, CLOSED, REOPENED, DOUBTED = (
    ThreadEventKind.OPENED,
    ThreadEventKind.CLOSED,
    ThreadEventKind.REOPENED,
    ThreadEventKind.DOUBTED,
)


def thread(title: str, *events: tuple[ThreadEventKind, int | None]) -> Thread:
    return Thread(1, 1, title, tuple(ThreadEvent(kind, ordinal=at, id=n) for n, (kind, at) in enumerate(events)))


def told(language: str, *texts: str) -> WritingTask:
    lines = tuple(
        LabelledLine(n, n + 100, n - 1, text, (Piece(SegmentKind.SPEECH, "Sam", text, True),))
        for n, text in enumerate(texts, start=1)
    )
    return replace(task(language), lines=lines)


def test_the_state_follows_from_the_events() -> None:
    assert state_of(thread("x", (OPENED, 3)), ()) is ThreadState.OPEN
    assert state_of(thread("x", (OPENED, 3), (CLOSED, 9)), ()) is ThreadState.CLOSED
    assert state_of(thread("x", (OPENED, 3), (CLOSED, 9), (REOPENED, 12)), ()) is ThreadState.OPEN
    ends = [10 * n for n in range(1, DORMANT_AFTER + 1)]
    assert state_of(thread("x", (OPENED, 3)), ends) is ThreadState.DORMANT
    assert state_of(thread("x", (OPENED, 3), (ThreadEventKind.TOUCHED, 15)), ends) is ThreadState.OPEN
    assert doubt_of(thread("x", (OPENED, 3), (DOUBTED, 9))) is not None
    assert doubt_of(thread("x", (OPENED, 3), (DOUBTED, 9), (REOPENED, None))) is None
    assert closing_of(thread("x", (OPENED, 3), (CLOSED, 9))) is not None
    assert closing_of(thread("x", (OPENED, 3), (CLOSED, 9), (REOPENED, 12))) is None


def test_a_matter_is_closed_only_by_a_model_and_only_over_its_controls() -> None:
    assert decide(None, (), hint=True) is DOUBTED  # code alone asks the user
    assert decide(None, (), hint=False) is ThreadEventKind.TOUCHED
    assert decide(3.0, [3.0, 3.0], hint=False) is ThreadEventKind.TOUCHED  # it says yes to everything
    assert decide(3.0, [3.5, 3.5], hint=True) is DOUBTED  # the words alone do not close it
    assert decide(CLOSES, [0.0], hint=False) is CLOSED
    assert decide(0.2, [0.0], hint=True) is CLOSED
    assert decide(0.5, [0.0], hint=False) is DOUBTED


@pytest.mark.parametrize(
    ("language", "sentence", "settled"),
    [
        ("en", "We found the umbrella behind the piano at last.", True),
        ("en", "We have not found the umbrella.", False),
        ("en", "Have you found the umbrella?", False),
        ("ja", "傘はとうとうピアノの裏で見つかった。", True),
        ("ja", "傘はまだ見つかっていない。", False),
        ("zh", "今天把三百块还给了面包店。", True),
        ("zh", "三百块还没有还给面包店。", False),
    ],
)
def test_words_of_something_done_with(language: str, sentence: str, settled: bool) -> None:
    assert says_settled(sentence, language) is settled


def test_of_lines_about_a_matter_the_one_that_speaks_of_its_end_is_looked_at() -> None:
    given = told(
        "en",
        "The umbrella of my grandfather was black.",
        "We found the umbrella behind the piano at last.",
        "Bread is dear at the market this week.",
    )
    found = closest("Where has my grandfather's umbrella gone?", candidates_of(given), "en")
    assert found is not None
    assert found.evidence.sources[0].message_id == 2
    assert closest("I still owe the baker three hundred.", candidates_of(given)[1:2], "en") is None


def test_at_most_two_matters_are_opened_and_none_twice() -> None:
    given = told(
        "en",
        "I promise I will take you to see the night ferry.",
        "I still owe the baker three hundred.",
        "I swear the captain will get his copper wire.",
        "The weather is fine and the bread is warm.",
    )
    opened = matters_of(given, ())
    assert len(opened) == MOST_OPENED
    assert all("weather" not in title for _, title in opened)
    known = [replace(thread(title, (OPENED, 1)), id=n) for n, (_, title) in enumerate(opened)]
    again = matters_of(given, known)
    assert not {title for _, title in again} & {title for _, title in opened}
    assert matters_of(told("en", "The weather is fine and the bread is warm."), ()) == []


def test_a_model_names_messages_by_numbers_of_the_range_alone() -> None:
    given = told("en", "One thing.", "Another thing.")
    prompt = ids_asked(given, "opening")
    assert '"1" | "2"' in prompt.grammar
    assert '"3"' not in ids_grammar([1, 2], 2)
    assert parse_ids("#2\n#7\nNONE\n#2\n", given) == [2]
    assert parse_ids("NONE\n", given) == []
