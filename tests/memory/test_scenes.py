"""Where a scene ends, in three languages, and what only looks like it."""

import pytest

from kotonia_desktop.domain.messages import Message, Revision, Role
from kotonia_desktop.memory.scenes import break_before


def message(text: str, created_at: float = 0.0) -> Message:
    return Message(1, 1, 1, 0, Role.USER, "Sam", Revision(text=text), created_at=created_at)


def between(later: str, earlier: str = "Good night.") -> float:
    return break_before(message(earlier), message(later))


@pytest.mark.parametrize(
    "text",
    [
        "The next morning Mira opens the shop.",
        "Three days later, the letter arrives.",
        "*That evening* the harbour is empty.",
        "A few weeks passed.",
        "***",
        "Chapter 5\nThe lamp is out.",
        "翌朝、店を開けた。",
        "その夜、港は静かだった。",
        "三日後、手紙が届いた。",
        "◇ ◇ ◇",
        "第三章 灯台",
        "第二天，她开了店门。",
        "过了三天，信到了。",
        "次日清晨，港口很安静。",
        "第四十回 灯塔",
    ],
)
def test_a_jump_in_time_a_heading_or_a_divider_ends_a_scene(text: str) -> None:
    assert between(text) >= 0.5


@pytest.mark.parametrize(
    "text",
    [
        "I will see you the next morning, I said.",
        "Do you remember what we did three days later?",
        "Mira nods. The next morning seems far away.",
        "彼は「翌朝に会おう」と言った。",
        "三人は笑った。",
        "她说第二天再来。",
        "我们明天见。",
        "Yes - I think so.",
        "",
    ],
)
def test_a_time_that_is_only_spoken_of_ends_none(text: str) -> None:
    assert between(text) < 0.5


def test_a_divider_at_the_end_of_the_earlier_message_counts() -> None:
    assert between("Mira wakes.", earlier="She sleeps.\n* * *") == 1.0


def test_a_long_pause_counts_by_the_clock() -> None:
    def pause(hours: float) -> float:
        return break_before(message("a", 1e9), message("b", 1e9 + hours * 3600))

    assert (pause(0.5), pause(2), pause(9)) == (0.0, 0.3, 0.7)
    assert break_before(message("a"), message("b", 1e9)) == 0.0  # no date is no pause
