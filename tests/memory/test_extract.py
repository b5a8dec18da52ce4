"""A chapter without a model: whole lines, attributed, within the budget, whatever the messages are."""

from dataclasses import replace

import pytest
from memory_values import count, task

from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.lines import LabelledLine, Piece
from kotonia_desktop.memory.writing import extract_text, first_sentences


def told(*pieces: tuple[SegmentKind, str, str], language: str = "en", budget: int = 200) -> WritingTask:
    lines = []
    for number, (kind, speaker, text) in enumerate(pieces, start=1):
        piece = Piece(kind, speaker, text, by_user=speaker in ("Sam", "サム", "山姆"))
        lines.append(LabelledLine(number, number + 100, number - 1, f"#{number} {speaker}: {text}", (piece,)))
    return replace(task(language, budget), lines=tuple(lines))


SAY, NARRATE, THINK, ACT = SegmentKind.SPEECH, SegmentKind.NARRATION, SegmentKind.THOUGHT, SegmentKind.ACTION


def texts(given: WritingTask) -> list[str]:
    return [item.text for item in extract_text(given, count).items]


@pytest.mark.parametrize(
    ("language", "line", "wanted"),
    [
        ("en", (SAY, "Mira", "The lamp is out"), "Mira said: “The lamp is out.”"),
        ("ja", (SAY, "ミラ", "灯りが消えたの。"), "ミラは「灯りが消えたの」と言った。"),
        ("zh", (SAY, "米拉", "灯灭了。"), "米拉说：“灯灭了”。"),
        ("en", (THINK, "Mira", "He must not know."), "Mira thought: “He must not know.”"),
        ("ja", (THINK, "ミラ", "知られては困る。"), "ミラは「知られては困る」と思った。"),
        ("zh", (THINK, "米拉", "不能让他知道。"), "米拉心想：“不能让他知道”。"),
        ("en", (NARRATE, "", "The lamp went out."), "The lamp went out."),
        ("en", (NARRATE, "Sam", "I open the old door."), "Sam wrote: “I open the old door.”"),
        ("en", (ACT, "Mira", "hides the letter"), "Mira: hides the letter."),
        ("en", (SAY, "Mira", "He cried “fire” twice."), "Mira said: “He cried ‘fire’ twice.”"),
        ("ja", (SAY, "ミラ", "彼は「火事だ」と叫んだの。"), "ミラは「彼は『火事だ』と叫んだの」と言った。"),
        ("zh", (SAY, "米拉", "他喊“着火了”。"), "米拉说：“他喊‘着火了’”。"),
    ],
)
def test_a_line_says_who_said_it(language: str, line: tuple[SegmentKind, str, str], wanted: str) -> None:
    assert texts(told(line, language=language)) == [wanted]


@pytest.mark.parametrize(
    "line",
    [
        (SAY, "Sam", "Yes!"),
        (SAY, "Sam", "Hm"),
        (NARRATE, "", "Rain on the roof"),
        (NARRATE, "", "A door"),
        (ACT, "Mira", "nods"),
    ],
)
def test_there_is_an_item_wherever_there_is_a_word(line: tuple[SegmentKind, str, str]) -> None:
    for writer in (extract_text, first_sentences):
        assert len(writer(told(line), count).items) == 1


def test_of_nothing_there_is_no_item() -> None:
    assert extract_text(replace(task("en"), lines=()), count).items == ()


def test_small_talk_gives_way_to_what_matters() -> None:
    chatter = [(SAY, "Mira", "Oh, how very lovely that is, really."), (SAY, "Sam", "Yes, quite so, it really is.")] * 10
    matter = [
        (SAY, "Mira", "The captain sails on Friday with 40 barrels for Tarrow."),
        (SAY, "Sam", "I promise I will never sell the boat."),
    ]
    got = texts(told(*chatter[:12], *matter, *chatter[12:], budget=60))
    assert any("40 barrels" in text for text in got)
    assert any("never sell" in text for text in got)


def test_what_was_said_before_is_not_picked_again() -> None:
    same = [(SAY, "Mira", "The captain sails on Friday with 40 barrels.")] * 6
    assert len(texts(told(*same, (SAY, "Sam", "My brother keeps bees in Tarrow."), budget=400))) == 2


def test_beginning_and_end_are_both_remembered() -> None:
    lines = [(SAY, "Mira", f"The {first} {second} {third} lies broken.") for first, second, third in THINGS]
    sources = [item.sources[0].message_id for item in extract_text(told(*lines, budget=90), count).items]
    assert min(sources) <= len(lines) // 3
    assert max(sources) > len(lines) * 2 // 3
    assert sources == sorted(sources)


_WORDS = """
anvil barrel candle dragon engine feather garden hammer island jacket kettle ladder mirror needle orchard pillow quarry
ribbon saddle temple umbrella valley window yarrow zephyr bucket copper dagger falcon goblet harvest ivory
"""
THINGS = list(zip(*[iter(_WORDS.split())] * 3, strict=False))


@pytest.mark.parametrize(
    ("language", "line", "clause"),
    [
        (
            "en",
            "When the fleet came home, the bells rang out over all of the harbour, and nobody slept.",
            "When the fleet",
        ),
        (
            "ja",
            "船団が帰ってきたとき、港じゅうの鐘が長く鳴りひびいて、その夜はだれも眠らなかった。",
            "船団が帰ってきたとき",
        ),
        ("zh", "船队回来的时候，整个港口的钟都响了起来，那天夜里没有一个人睡得着觉。", "船队回来的时候"),
    ],
)
def test_of_a_line_over_the_budget_whole_clauses_are_kept(language: str, line: str, clause: str) -> None:
    given = told((NARRATE, "", line), language=language, budget=count([clause])[0] + 8)
    for writer in (extract_text, first_sentences):
        (item,) = writer(given, count).items
        assert item.text.startswith(clause)
        assert item.text[-1] in ".。"
        assert count([item.text])[0] <= given.budget


@pytest.mark.parametrize(
    "text", ["word, " * 10_000, "字，" * 20_000, "a" * 50_000, "Yes. " * 10_000, "“" * 5_000 + "so"]
)
def test_a_message_without_measure_is_read_once(text: str) -> None:
    asked = 0

    def counting(rows: list[str]) -> list[int]:
        nonlocal asked
        asked += sum(len(row) for row in rows)
        return count(rows)

    chapter = extract_text(told((SAY, "Mira", text)), counting)
    assert len(chapter.items) >= 1
    assert asked < 12 * len(text) + 100_000
