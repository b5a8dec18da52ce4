"""When old lines come back, and which: the gate, the quota, and what the note holds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kotonia_desktop.domain.messages import Message, RankedHit, Revision, Role, Segment, SegmentKind
from kotonia_desktop.memory.recollection import (
    MOST_PASSAGES,
    Found,
    Passage,
    Wish,
    gate_opens,
    holds_recollection,
    recollection_text,
    topics,
    wish_of,
    within_quota,
    worth_showing,
)


def said(ordinal: int, text: str, *, by_user: bool = True, note: str = "", off_record: bool = False) -> Message:
    speaker = "Sam" if by_user else "Mira"
    segments = (Segment(SegmentKind.SPEECH, 0, len(text), speaker),)
    role = Role.USER if by_user else Role.CHARACTER
    revision = Revision(text, segments=segments, id=ordinal + 100)
    return Message(ordinal + 1, 1, 1, ordinal, role, speaker, revision, note=note, off_record=off_record)


def found(*scores: float, view: tuple[float, ...] = (), messages: int = 400) -> Found:
    """A search whose old hits have these scores, and those in view those."""
    old = [RankedHit(number, number, score) for number, score in enumerate(scores)]
    shown = [RankedHit(number + 200, number + 200, score) for number, score in enumerate(view)]
    return Found(tuple(sorted(old + shown, key=lambda hit: -hit.score)), 100, messages)


CAT = "By the way, my cat Pickle knocked the lamp over."


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("Do you remember the old mill?", Wish.ASKS),
        ("don't you still remember it", Wish.ASKS),
        ("Remember when we met?", Wish.ASKS),
        ("灯台のこと、覚えてる？", Wish.ASKS),
        ("ぼくの猫の名前を覚えていますか。", Wish.ASKS),
        ("約束を忘れたの？", Wish.ASKS),
        ("你还记得我的猫吗？", Wish.ASKS),
        ("记得我说过什么吗", Wish.ASKS),
        ("Please remember that I can't eat shrimp.", Wish.SPEAKS_OF_IT),
        ("覚えておいて。", Wish.SPEAKS_OF_IT),
        ("请记得带伞。", Wish.SPEAKS_OF_IT),
        ("What a fine morning.", Wish.NONE),
        ("猫が鳴いた。", Wish.NONE),
        ("今晚会下雪。", Wish.NONE),
    ],
)
def test_a_line_that_asks_for_what_was_is_known(text: str, wish: Wish) -> None:
    assert wish_of(text) is wish


def test_the_gate_opens_for_a_question_whose_best_hit_stands_out() -> None:
    assert gate_opens("What is the name of my cat?", found(9, 6, 5, 4, 3), CAT, Wish.NONE)
    assert not gate_opens("What is the name of my cat?", found(9, 8, 8, 8, 8), CAT, Wish.NONE)


def test_a_line_that_asks_nothing_needs_more_to_stand_out_and_more_words_in_common() -> None:
    assert not gate_opens("A cat sleeps.", found(12, 6, 5, 4, 3), CAT, Wish.NONE)  # one word in common
    spoken = "Pickle broke the lamp."
    assert gate_opens(spoken, found(12, 6, 5, 4, 3), CAT, Wish.NONE)
    assert not gate_opens(spoken, found(9, 8, 7, 6, 6), CAT, Wish.NONE)


def test_a_weak_hit_opens_nothing_and_weakness_grows_with_the_conversation() -> None:
    asked = "Where is Pickle?"
    assert gate_opens(asked, found(5.5, 1, 1, 1, 1, messages=400), CAT, Wish.NONE)
    assert not gate_opens(asked, found(5.5, 1, 1, 1, 1, messages=40_000), CAT, Wish.NONE)


def test_what_is_in_view_keeps_the_gate_shut() -> None:
    assert gate_opens("Where is Pickle?", found(9, 3, 3, view=(8.9, 2)), CAT, Wish.NONE)
    assert not gate_opens("Where is Pickle?", found(9, 3, 3, view=(9.1, 2)), CAT, Wish.NONE)


def test_words_that_fit_everywhere_open_nothing() -> None:
    filler = "I couldn't agree more. Thanks, that sounds great!"
    assert not gate_opens(filler, found(20, 3, 3, 3, 3), "Thanks! I couldn't agree more.", Wish.NONE)


def test_asking_opens_the_gate_for_any_hit_and_never_for_none() -> None:
    assert gate_opens("Do you remember?", found(0.1, view=(5,)), "x", Wish.ASKS)
    assert not gate_opens("Do you remember?", found(view=(5,)), "", Wish.ASKS)


def test_speaking_of_remembering_needs_a_word_in_common() -> None:
    assert gate_opens("I remember Pickle well.", found(1, 1, 1, 1, 1), CAT, Wish.SPEAKS_OF_IT)
    assert not gate_opens("I remember nothing.", found(1, 1, 1, 1, 1), CAT, Wish.SPEAKS_OF_IT)


def test_topics_are_words_with_a_meaning_whatever_their_ending() -> None:
    assert topics("She was painting lanterns") & topics("a painted lantern") == {"paint", "lante"}
    assert topics("灯台はどこですか") == {"灯台", "台は"}
    assert topics("the of and because really") == set()


def test_only_hits_near_the_best_are_shown() -> None:
    assert [hit.score for hit in worth_showing(found(10, 6, 4.9, view=(20,)))] == [10, 6]


def note() -> str:
    return recollection_text(
        [Passage(3, (said(3, "Old words."),))], [], len, char="Mira", user="Sam", language="en", budget=999
    )


def test_at_most_one_turn_in_four_has_a_recollection() -> None:
    def turns(ago: int) -> list[Message]:
        rows = [said(2 * n, "x", note=note() if n == 10 - ago else "lore") for n in range(10)]
        return [message for row in rows for message in (row, said(row.ordinal + 1, "y", by_user=False))]

    assert [within_quota(turns(ago), Wish.NONE) for ago in (1, 2, 3, 4)] == [False, False, False, True]
    assert within_quota(turns(1), Wish.ASKS)
    assert within_quota(turns(1), Wish.SPEAKS_OF_IT) is False
    assert within_quota([], Wish.NONE)


def recalled(passages: list[Passage], seen: tuple[str, ...] = (), budget: int = 10_000, language: str = "en") -> str:
    return recollection_text(passages, seen, len, char="Mira", user="Sam", language=language, budget=budget)


def around(*ordinals: int, hit: int, text: str = "line {n} is here") -> Passage:
    return Passage(hit, tuple(said(n, text.format(n=n), by_user=n % 2 == 0) for n in ordinals))


@pytest.mark.parametrize(("language", "label"), [("en", "Sam (says)"), ("ja", "Sam（言う）"), ("zh", "Sam（说）")])
def test_a_note_says_that_these_are_old_lines_and_whose(language: str, label: str) -> None:
    text = recalled([around(4, hit=4)], language=language)
    heading, line = text.split("\n")
    assert line == f"#5 {label}: line 4 is here"
    assert holds_recollection(text)
    assert {"en": "word for word", "ja": "一字一句", "zh": "一字未改"}[language] in heading


def test_passages_that_overlap_become_one_and_others_are_set_apart() -> None:
    rows = recalled([around(3, 4, 5, hit=4), around(5, 6, 7, hit=6), around(20, 21, 22, hit=21)]).split("\n")[1:]
    assert [row.split(" ")[0] for row in rows] == ["#4", "#5", "#6", "#7", "#8", "…", "#21", "#22", "#23"]


def test_there_are_at_most_three_passages_the_best_ones() -> None:
    text = recalled([around(n, hit=n) for n in (80, 10, 50, 30)])
    assert [row.split(" ")[0] for row in text.split("\n")[1:]] == ["#11", "…", "#51", "…", "#81"]
    assert MOST_PASSAGES == 3


def test_a_hit_that_came_along_as_a_neighbour_takes_no_passage_of_its_own() -> None:
    near = [around(3, 4, 5, hit=4), around(4, 5, 6, hit=5)]
    text = recalled([*near, around(20, hit=20), around(40, hit=40), around(60, hit=60)])
    assert [row.split(" ")[0] for row in text.split("\n")[1:]] == ["#4", "#5", "#6", "…", "#21", "…", "#41"]


def test_where_the_room_is_short_neighbours_go_first_and_the_hit_last() -> None:
    passage = around(3, 4, 5, hit=4)
    whole = recalled([passage])
    assert recalled([passage], budget=len(whole)) == whole
    assert [row[:2] for row in recalled([passage], budget=len(whole) - 1).split("\n")[1:]] == ["#5", "#6"]
    alone = recalled([around(4, hit=4)])
    assert recalled([passage], budget=len(alone)) == alone
    assert recalled([passage], budget=len(alone) - 1) == ""


def test_a_hit_that_has_no_room_leaves_it_to_the_next() -> None:
    long = around(3, hit=3, text="word " * 200 + "{n}")
    assert recalled([long, around(9, hit=9)], budget=200).split("\n")[1:] == ["#10 Mira (says): line 9 is here"]


def test_lines_that_stand_in_a_note_in_view_are_not_said_again() -> None:
    earlier = recalled([around(3, 4, 5, hit=4)])
    assert recalled([around(3, 4, 5, hit=4)], seen=(earlier,)) == ""
    rows = recalled([around(5, 6, 7, hit=6)], seen=(earlier,)).split("\n")[1:]
    assert [row.split(" ")[0] for row in rows] == ["#7", "#8"]


def test_what_is_off_the_record_does_not_come_back() -> None:
    hidden = Passage(4, (said(3, "a"), said(4, "secret", off_record=True), said(5, "b")))
    assert recalled([hidden]) == ""
    beside = Passage(5, hidden.messages)
    assert "secret" not in recalled([beside])


@settings(deadline=None)
@given(
    hits=st.lists(st.integers(0, 60), max_size=8),
    lengths=st.lists(st.integers(1, 120), min_size=62, max_size=62),
    budget=st.integers(0, 900),
)
def test_no_note_is_over_its_budget_and_no_line_is_cut(hits: list[int], lengths: list[int], budget: int) -> None:
    lines = [said(n, f"w{n} " + "x" * lengths[n]) for n in range(62)]
    text = recalled([Passage(hit, tuple(lines[max(0, hit - 1) : hit + 2])) for hit in hits], budget=budget)
    assert len(text) <= budget or text == ""
    whole = {f"#{m.ordinal + 1} Sam (says): {m.text}" for m in lines} | {"…"}
    assert set(text.split("\n")[1:]) <= whole
