"""When a reply may land at a sentence end, and when it runs in circles."""

import random

import pytest

from kotonia_desktop.engine.endings import is_sentence_end, runs_in_circles


@pytest.mark.parametrize(
    ("text", "following"),
    [
        ("She nods.", " Then"),
        ('"Come in."', " She"),
        ("*Why him?*", "\n"),
        ("彼女は頷いた。", "そして"),
        ("「入って。」", "彼女"),
        ("他点了点头！", "然后"),
        ("Wait…", " then"),
    ],
)
def test_a_finished_sentence_is_an_end(text: str, following: str):
    assert is_sentence_end(text, following)


@pytest.mark.parametrize(
    ("text", "following"),
    [
        ("She nods", " Then"),
        ("It costs 3.", "50"),
        ('"Come in.', " Sit"),
        ("*Why him?", " I"),
        ("「入って。", "座って"),
        ("彼女は頷いた。", "」"),
        ("Yes!", "!"),
        ("(So it is.", " He"),
        ("", "A"),
        ("She nods.", ""),
    ],
)
def test_an_open_sentence_quote_or_number_is_none(text: str, following: str):
    assert not is_sentence_end(text, following)


def test_equal_tokens_are_a_circle():
    assert not runs_in_circles([1] * 23)
    assert runs_in_circles([5] + [1] * 24)


def test_a_window_that_repeats_is_a_circle():
    window = list(range(16))
    assert not runs_in_circles(window * 11)
    assert runs_in_circles([99, *window * 12])


def test_a_shorter_period_counts_too():
    assert runs_in_circles([1, 2] * 96)


def test_text_that_changes_is_no_circle():
    assert not runs_in_circles(random.Random(1).choices(range(50), k=2000))
