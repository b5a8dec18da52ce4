"""Where a scene ends, in three languages, and what only looks like it."""

import re
import time
from collections.abc import Callable

import pytest

from kotonia_desktop.domain.messages import Message, Revision, Role
from kotonia_desktop.memory.scenes import break_before


def message(text: str, created_at: float = 0.0) -> Message:
    return Message(1, 1, 1, 0, Role.USER, "Sam", Revision(text=text), created_at=created_at)


def between(later: str, earlier: str = "Good night.") -> float:
    return break_before(message(earlier), message(later))


BREAKS = [
    # headings
    "Chapter 5\nThe lamp is out.",
    "Chapter 5",
    "**Chapter 5**",
    "--- Chapter 5 ---",
    "Chapter 5: the lamp is out.",
    "Chapter 12 The Lamp",
    "Part II: The storm",
    "Part I",
    "Part I: The storm",
    "Act One",
    "Act I, Scene 2",
    "Scene IV — the harbour",
    "Day 3",
    "# Episode two",
    "第三章 灯台",
    "第四十回 灯塔",
    "第三章：灯台",
    "第１２話",
    "第二幕",
    # jumps in time
    "The next morning Mira opens the shop.",
    "The next morning, the shop is open.",
    "Three days later, the letter arrives.",
    "Three days later the letter arrives.",
    "Three days later...",
    "[Three days later]",
    "*That evening* the harbour is empty.",
    "*That evening*, nobody is at the harbour.",
    "A few weeks passed.",
    "The day after, the letter arrives.",
    "A week later, the letter arrives.",
    "Hours later, the lamp still burns.",
    "Later that night, the lamp goes out.",
    "At dawn, the ships leave.",
    "The morning after, the shop stays closed.",
    "After three days, the letter arrives.",
    "By morning the snow has gone.",
    "Night fell over the harbour.",
    "Two hours pass.",
    "Later that day, she came.",
    "The next day at noon, the bell rings.",
    "The next morning dawned grey.",
    "翌朝、店を開けた。",
    "その夜、港は静かだった。",
    "三日後、手紙が届いた。",
    "数日後、手紙が届いた。",
    "一週間後、手紙が届いた。",
    "翌々日、手紙が届いた。",
    "次の日、店は閉まっていた。",
    "１０年後、港は変わっていた。",
    "三日後の朝、手紙が届いた。",
    "それから三日後、手紙が届いた。",
    "一方、港では嵐が来ていた。",
    "深夜、灯台の光が消えた。",
    "夜が明けた。港は静かだ。",
    "一週間が過ぎた。",
    "第二天，她开了店门。",
    "第二天早上，她开了店门。",
    "第二天她开了店门。",
    "过了三天，信到了。",
    "三天后，信到了。",
    "三天後，信到了。",
    "一个月后，信到了。",
    "半年后，她回来了。",
    "半月后，她回来了。",
    "几天后，她回来了。",
    "不久之后，信到了。",
    "深夜，港口很安静。",
    "次日清晨，港口很安静。",
    "次日曹操升帐。",
    "却说曹操收兵。",
    # another place
    "Back at the shop, Mira sweeps the floor.",
    "They reach the old lighthouse.",
    "She arrives at the harbour.",
    "駅に着いた。",
    "来到港口，她停下脚步。",
    "回到店里，她点了灯。",
]
DIVIDERS = ["***", "* * *", "---", "◇ ◇ ◇", "———", "◇◆◇", "===", "~*~*~*~", "- - - - -"]
SPOKEN_OF = [
    "I will see you the next morning, I said.",
    "Do you remember what we did three days later?",
    "Mira nods. The next morning seems far away.",
    "彼は「翌朝に会おう」と言った。",
    "三人は笑った。",
    "她说第二天再来。",
    "我们明天见。",
    "Yes - I think so.",
    "",
    # no headings
    "Part I don't get is the lamp.",
    "Part I, I don't get.",
    "Act one way or the other.",
    "Act one-sided if you like.",
    "Day I met her, it rained.",
    "Day one I knew it.",
    "Part two?",
    "Part 2 is better than part 1.",
    "第二节课我没去。",
    "第一回だから緊張する。",
    # no jumps
    "Over a year I've waited for this.",
    "After a day like that, I need tea.",
    "The following day works for me.",
    "That night was the worst of my life, you said?",
    "Three days later is fine.",
    "That night-watch was long.",
    "By morning it'll be fine.",
    "The next day I will be gone.",
    "The day after tomorrow, we leave.",
    "三日後に会おう。",
    "三年後のことは知らない。",
    "三年経ったら会おう。",
    "その夜のことは忘れない。",
    "翌日でいいよ。",
    "夜が明けたら行こう。",
    "一方、彼は笑った。",
    "第二天再说吧。",
    "次日再议。",
    "三天后再说。",
    "当晚我没睡。",
    "话说，你吃饭了吗？",
    # no places
    "He reached for the cup.",
    "She reached out and took his hand.",
    "We reached an agreement.",
    "We reached the end.",
    "I get back what I gave.",
    "Back in the day we laughed.",
    "Back in the game.",
    "She returned to her senses.",
    "At the moment, I am tired.",
    "駅に着いたら電話して。",
    "彼が席に着いた。",
    "到了。",
    "回到正题，你怎么看？",
    "来到这里真好。",
    # speech
    '"The next morning I was gone," he says.',
    "“The next morning I was gone,” he says.",
    "'Three days later, it came,' he says.",
    '*"Three days later, it came,"* he says.',
    "「翌朝、店を開けた」と彼は言った。",
    "『三日後、手紙が届いた』と彼は言った。",
    "“第二天我就走了。”她说。",
    "「第二天，我就走了。」她說。",
]
NO_DIVIDERS = ["...\nWhat?", "…", "……", "…………", "・・・", "......", "——", "— —\nhm", "-_-", "=_=", "-- no, wait."]


@pytest.mark.parametrize("text", [*BREAKS, *DIVIDERS])
def test_a_jump_in_time_a_heading_or_a_divider_ends_a_scene(text: str) -> None:
    assert between(text) >= 0.5


@pytest.mark.parametrize("text", SPOKEN_OF)
def test_a_time_that_is_only_spoken_of_ends_none(text: str) -> None:
    assert between(text) < 0.5


@pytest.mark.parametrize("text", NO_DIVIDERS)
def test_an_ellipsis_or_a_face_is_no_divider(text: str) -> None:
    assert between(text) < 0.5
    assert between("Yes?", earlier=f"Mira looks away.\n{text}") < 0.5


@pytest.mark.parametrize("text", DIVIDERS)
def test_a_divider_at_the_end_of_the_earlier_message_counts(text: str) -> None:
    assert between("Mira wakes.", earlier=f"She sleeps.\n{text}") == 1.0
    assert between("Mira wakes.", earlier=f"{text}\nShe sleeps.") == 0.0


@pytest.mark.parametrize(
    "text", [text for text in BREAKS if "\n" not in text and text[0] not in "*#-["], ids=lambda text: text[:20]
)
def test_what_ends_a_scene_ends_none_as_speech_or_behind_other_words(text: str) -> None:
    for spoken in (f'"{text}"', f"「{text}」", f"“{text}”", f"Mira nods: {text}", f"彼は言った：{text}"):
        assert between(spoken) < 0.5
    assert between(f"*{text}*") >= 0.5  # the control: emphasis is narration


def wrong_ones() -> dict[str, Callable[[str], bool]]:
    """Detectors that the two lists must tell from the right one."""
    words = re.compile(
        r"(?:next|following|later|that (?:night|evening)|part|day|chapter|act|reach|arrive|back|over|after)"
        r"|[翌次]|その夜|後|后|第|深夜|到|过",
        re.IGNORECASE,
    )
    return {
        "never": lambda text: False,
        "always": lambda text: True,
        "any of the words": lambda text: bool(words.search(text)),
        "any of the words in front": lambda text: bool(words.search(text[:12])),
        "a comma near the front": lambda text: bool(re.search("[,，、]", text[:24])),
        "deaf to quotation marks": lambda text: between(text.lstrip("\"'“「『*")) >= 0.5,
        "dots are dividers": lambda text: between(text) >= 0.5 or bool(re.match(r"[.…\s]+$", text.split("\n")[0])),
    }


@pytest.mark.parametrize("name", sorted(wrong_ones()))
def test_the_lists_notice_a_wrong_detector(name: str) -> None:
    def mistakes(breaks: Callable[[str], bool]) -> int:
        missed = sum(not breaks(text) for text in [*BREAKS, *DIVIDERS])
        return missed + sum(breaks(text) for text in [*SPOKEN_OF, *NO_DIVIDERS])

    assert mistakes(lambda text: between(text) >= 0.5) == 0
    assert mistakes(wrong_ones()[name]) > 0


@pytest.mark.parametrize("unit", [" ", "-", "- ", "* ", "第", "三", "Chapter 5 ", "the next "])
def test_a_very_long_line_takes_no_time(unit: str) -> None:
    started = time.perf_counter()
    for text in (unit * 100_000 + "x", "x " + unit * 100_000, "Chapter 5" + unit * 100_000 + "x"):
        between(text, earlier=text)
    assert time.perf_counter() - started < 2.0


def test_a_long_pause_counts_by_the_clock() -> None:
    def pause(hours: float) -> float:
        return break_before(message("a", 1e9), message("b", 1e9 + hours * 3600))

    assert (pause(0.5), pause(2), pause(9)) == (0.0, 0.3, 0.7)
    assert break_before(message("a"), message("b", 1e9)) == 0.0  # no date is no pause
