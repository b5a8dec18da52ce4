"""What is speech and what is not: the parser that promise 4 rests on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.domain.library import ProseMarkup, ReplyFormat
from kotonia_desktop.domain.markup import default_markup
from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.domain.segments import parse_segments

OURS = ProseMarkup()
JA = default_markup("ja")
ZH = default_markup("zh")
ACTS = ProseMarkup("**", '""', "")
BARE_SPEECH = ProseMarkup("**", "", "")
ROUND_ACTS = ProseMarkup("（）", "", "")


def parse(text, markup=OURS, names=("Sam", "Nell")):
    return parse_segments(text, reply_format=ReplyFormat.PROSE, markup=markup, speaker="Nell", names=names)


def pieces(text, markup=OURS, names=("Sam", "Nell")):
    return [(s.kind.value, text[s.start : s.end]) for s in parse(text, markup, names).segments]


def test_english_prose_is_narration_speech_and_thought():
    text = 'She closes the drawer. "Eleven years," she says.\n\n*Nine days.*'
    assert pieces(text) == [
        ("narration", "She closes the drawer."),
        ("speech", '"Eleven years,"'),
        ("narration", "she says."),
        ("thought", "*Nine days.*"),
    ]
    assert parse(text).format_ok


def test_japanese_prose_is_narration_speech_and_thought():
    text = "澄は器を置いた。「どうぞ」\n（いい匂い、なのか）"
    assert pieces(text, JA) == [
        ("narration", "澄は器を置いた。"),
        ("speech", "「どうぞ」"),
        ("thought", "（いい匂い、なのか）"),
    ]


def test_chinese_prose_is_narration_speech_and_thought():
    text = "他倒了茶。“先坐吧。”\n（八块。上个月我说的是几块？）"
    assert [kind for kind, _ in pieces(text, ZH)] == ["narration", "speech", "thought"]


@pytest.mark.parametrize("quoted", ['"Hello."', "“Hello.”", "「Hello.」", "『Hello.』", "«Hello.»"])
def test_every_kind_of_quote_is_speech_whatever_the_markup_says(quoted):
    for markup in (OURS, JA, ZH, ACTS):
        assert ("speech", quoted) in pieces(f"She waits. {quoted} Then she goes.", markup)


def test_a_quote_that_the_markup_gives_another_meaning_is_that():
    assert pieces("『まさか』", ProseMarkup("", "「」", "『』")) == [("thought", "『まさか』")]


def test_acts_and_bare_speech_are_told_apart():
    text = "*She looks up.* Oh! We're closed. *She sighs.*"
    assert [kind for kind, _ in pieces(text, BARE_SPEECH)] == ["action", "speech", "action"]


def test_speech_inside_an_act_is_cut_out_of_it():
    text = '*She looks up. "We\'re closed," she says, and sighs.*'
    assert pieces(text, ACTS) == [
        ("action", "*She looks up."),
        ("speech", '"We\'re closed,"'),
        ("action", "she says, and sighs.*"),
    ]


def test_a_quote_inside_a_thought_stays_a_thought():
    assert pieces('*Why did I say "twelve"?*') == [("thought", '*Why did I say "twelve"?*')]


def test_round_brackets_are_acts_where_the_markup_says_so():
    assert pieces("（抬起头）您来了。（倒茶）", ROUND_ACTS) == [
        ("action", "（抬起头）"),
        ("speech", "您来了。"),
        ("action", "（倒茶）"),
    ]


def test_round_brackets_are_plain_text_where_the_markup_has_no_use_for_them():
    assert pieces("She waits (not long) and goes.") == [("narration", "She waits (not long) and goes.")]


def test_a_gloss_in_brackets_is_no_thought():
    assert pieces("槙野澄（まきの すみ）は笑った。", JA) == [("narration", "槙野澄（まきの すみ）は笑った。")]


@pytest.mark.parametrize("text", ["((brb, dinner))", "（（少し席を外します））", "(OOC: brb)"])
def test_double_brackets_are_out_of_character(text):
    assert pieces(text) == [("ooc", text)]


def test_a_stressed_word_is_no_thought():
    assert pieces("She was *really* tired.") == [("narration", "She was *really* tired.")]


def test_bold_and_bullets_and_dividers_are_no_marks():
    text = "The **old** shelf.\n* * *\n***\n3 * 4 tags."
    parsed = parse(text)
    assert parsed.format_ok
    assert {s.kind for s in parsed.segments} == {SegmentKind.NARRATION}


def test_the_rest_of_a_paragraph_behind_an_open_quote_is_unclear():
    text = 'She waits. "Eleven years, she says.\n\nThe rain stops.'
    assert pieces(text) == [
        ("narration", "She waits."),
        ("unclear", '"Eleven years, she says.'),
        ("narration", "The rain stops."),
    ]
    assert not parse(text).format_ok


def test_a_missing_quote_never_turns_the_next_speech_into_narration():
    text = '"Eleven years.\nShe looks away.\n"I never lost a thing."'
    kinds = {kind for kind, _ in pieces(text)}
    assert "narration" not in kinds
    assert not parse(text).format_ok


@pytest.mark.parametrize(
    "text", ['Eleven years," she says. "Really."', "十一年」と言った。", "*open thought", "「開いたまま"]
)
def test_a_mark_without_its_partner_is_unclear(text):
    parsed = parse(text, JA if "」" in text or "「" in text else OURS)
    assert not parsed.format_ok
    assert parsed.segments[-1].kind is SegmentKind.UNCLEAR


def test_a_curly_speech_over_two_paragraphs_is_one_mans_speech():
    text = "“It began in March.\n\n“It never ended.” She sits down."
    assert [kind for kind, _ in pieces(text)] == ["speech", "speech", "narration"]
    assert parse(text).format_ok


def test_speech_belongs_to_the_speaker_and_narration_to_nobody():
    parsed = parse('She nods. "Yes."')
    assert [s.speaker for s in parsed.segments] == ["", "Nell"]


def test_a_line_with_a_known_name_before_a_colon_is_that_persons():
    text = 'Nell: "Good evening."\nSam: I lost a glove.'
    parsed = parse(text)
    assert [(s.kind.value, s.speaker) for s in parsed.segments] == [("speech", "Nell"), ("speech", "Sam")]
    assert text[parsed.segments[1].start : parsed.segments[1].end] == "Sam: I lost a glove."


def test_a_quotation_in_other_quotes_has_no_speaker():
    parsed = parse("葉書が来た。『雨なら行く』\n「どうぞ」", JA)
    assert [(s.kind.value, s.speaker) for s in parsed.segments][1:] == [("speech", ""), ("speech", "Nell")]


def test_an_empty_text_has_no_segments():
    assert parse("").segments == ()
    assert parse(" \n\t\n").segments == ()


FLOODS = ['"', "*", '"a ', "*a ", "「", "((", "（", "(", "“a\n\n", "\n", "Sam: ", '"*', "--- ", "_", "』"]


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_marks_takes_steps_in_proportion_to_its_length(flood, count_steps):
    def steps(times):
        text = flood * times + "x"
        return count_steps(lambda: [parse(text, markup) for markup in (OURS, BARE_SPEECH, ROUND_ACTS, JA)])

    short, long = steps(500), steps(2_000)
    assert long < 5 * short + 1_000


@pytest.mark.parametrize("flood", FLOODS)
def test_a_hundred_thousand_marks_are_read(flood):
    text = flood * 100_000
    for reply_format in ReplyFormat:
        parsed = parse_segments(text, reply_format=reply_format, markup=JA, speaker="Nell", names=["Sam"])
        assert all(s.end <= len(text) for s in parsed.segments)


def test_the_counting_of_steps_sees_a_quadratic_function(count_steps):
    def quadratic(n):
        for i in range(n):
            for _ in range(i):
                abs(i)

    assert count_steps(lambda: quadratic(80)) > 8 * count_steps(lambda: quadratic(20))


PROSE_TEXT = st.text(alphabet=st.sampled_from(list("ab. \n\t*_\"“”「」『』«»()（）:：-Sam漢か9'")), max_size=80)
MARKUPS = st.builds(
    ProseMarkup,
    st.sampled_from(["", "**", "（）", "()"]),
    st.sampled_from(["", '""', "“”", "「」", "『』"]),
    st.sampled_from(["", "**", "（）", "()", "__"]),
)


@given(PROSE_TEXT | st.text(max_size=60), st.sampled_from(ReplyFormat), MARKUPS)
def test_segments_are_ordered_inside_the_text_and_leave_white_space_only(text, reply_format, markup):
    parsed = parse_segments(text, reply_format=reply_format, markup=markup, speaker="Nell", names=["Sam", "a"])
    position = 0
    for segment in parsed.segments:
        assert position <= segment.start < segment.end <= len(text)
        assert text[position : segment.start].strip() == ""
        position = segment.end
    assert text[position:].strip() == ""
    assert parsed.format_ok == all(s.kind is not SegmentKind.UNCLEAR for s in parsed.segments)


@given(st.lists(st.sampled_from(["She waits.", '"Eleven years."', "*Nine days.*"]), min_size=1, max_size=8))
def test_balanced_prose_is_read_as_it_was_composed(parts):
    text = "\n\n".join(parts)
    expected = {"S": "narration", '"': "speech", "*": "thought"}
    assert [kind for kind, _ in pieces(text)] == [expected[part[0]] for part in parts]
