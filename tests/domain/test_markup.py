"""What a card's own texts say about its markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.domain.library import ProseMarkup
from kotonia_desktop.domain.markup import default_markup, guess_markup

ACT_AND_BARE_SPEECH = (
    "*The baker looks up from the oven, flour on both cheeks.* Oh! We're closed. *She wipes her hands.* Well, come in.",
    ProseMarkup("**", "", ""),
)
ACT_AND_QUOTED_SPEECH = (
    '*The baker looks up from the oven, flour on both cheeks.* "Oh! We\'re closed." *She wipes her hands and sighs.*',
    ProseMarkup("**", '""', ""),
)
QUOTED_SPEECH_AND_NARRATION = (
    'The baker looks up from the oven, flour on both cheeks.\n\n"Oh! We\'re closed," she says.\n\n*Who let you in?*',
    ProseMarkup("", '""', "**"),
)


@pytest.mark.parametrize(
    ("text", "expected"), [ACT_AND_BARE_SPEECH, ACT_AND_QUOTED_SPEECH, QUOTED_SPEECH_AND_NARRATION]
)
def test_the_three_english_conventions_are_told_apart(text, expected):
    assert guess_markup([text], "en") == expected


def test_curly_quotes_are_remembered_as_curly():
    assert guess_markup(["He came in. “Morning,” he said, and sat down."], "en").speech == "“”"


def test_japanese_brackets_beside_narration_are_thoughts():
    text = "店主は顔を上げた。\n\n「いらっしゃい」\n\n（誰だろう）\n\n雨の音がしている。"
    assert guess_markup([text], "ja") == ProseMarkup("", "「」", "（）")


def test_japanese_asterisk_acts_are_seen():
    text = "*店主は顔を上げて、ゆっくりと布巾をたたんだ。*「いらっしゃい」"
    assert guess_markup([text], "ja") == ProseMarkup("**", "「」", "")


def test_chinese_brackets_beside_bare_text_are_acts():
    text = "（抬起头，放下手里的笔）您来了。（倒了一碗茶）先坐吧，外面雾大。"
    assert guess_markup([text], "zh") == ProseMarkup("（）", "", "")


def test_chinese_brackets_beside_quoted_speech_alone_are_acts():
    text = "（抬起头，放下手里的笔）“您来了。”\n（倒了一碗茶）“先坐吧。”"
    assert guess_markup([text], "zh") == ProseMarkup("（）", "“”", "")


def test_chinese_brackets_beside_narration_are_thoughts():
    text = "顾先生没有抬头，只是把茶推了过来。\n\n“先坐吧。”\n\n（这人是谁？）\n\n江上起了雾，渡船停了。"
    assert guess_markup([text], "zh") == ProseMarkup("", "“”", "（）")


def test_a_gloss_behind_a_name_is_no_mark():
    text = "槙野澄（まきの すみ）は港町の喫茶店の店主。静かで、よく気がつく人だった。"
    assert guess_markup([text], "ja") == default_markup("ja")


def test_a_stressed_word_inside_speech_is_no_act():
    text = 'She put the box down.\n\n"I *really* mean it," she said. The rain went on outside, and nobody came.'
    assert guess_markup([text], "en") == ProseMarkup("", '""', "**")


def test_the_heads_of_example_dialogues_are_no_bare_text():
    text = '<START>\n{{user}}: "Hello."\n{{char}}: *She looks up.* "Yes?"'
    assert guess_markup([text], "en") == ProseMarkup("**", '""', "")


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_texts_without_marks_get_our_own_convention(language):
    assert guess_markup(["plain"], language) == default_markup(language)
    assert guess_markup([], language) == default_markup(language)


def test_a_flood_of_marks_is_read():
    guess_markup(['"' * 100_000, "*" * 99_999, "（" * 100_000, "「*" * 50_000], "ja")


@given(st.lists(st.text(alphabet='ab "“”「」*（）()_\n漢か'), max_size=3), st.sampled_from(["en", "ja", "zh"]))
def test_no_text_makes_the_guess_fail(texts, language):
    assert isinstance(guess_markup(texts, language), ProseMarkup)
