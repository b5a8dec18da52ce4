"""The guard that keeps a reply from playing the user's persona."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.domain.library import ReplyFormat
from kotonia_desktop.domain.persona_guard import PersonaGuard


def run(text, names=("Sam",), reply_format=ReplyFormat.PROSE, size=1):
    guard = PersonaGuard(names, reply_format)
    shown = "".join(guard.feed(text[i : i + size]) for i in range(0, len(text), size)) + guard.flush()
    return shown, guard


BEFORE = 'She looks up. "Yes?"\n'


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('Sam: "I lost a glove."', "Sam"),
        ("Sam： hello", "Sam"),
        ("sam: hello", "Sam"),
        ("**Sam**: hello", "Sam"),
        ("**Sam:** hello", "Sam"),
        ("Sam (quietly): hello", "Sam"),
        ("- Sam: hello", "Sam"),
        ("{{user}}: hello", "Sam"),
        ("{{User}} nods.", "Sam"),
        ("*Sam nods and sits down.*", "Sam"),
        ("Sam nods.", "Sam"),
        ("Sam slowly puts the glove on the counter.", "Sam"),
        ("Sam Turner: hello", "Sam Turner"),
        ("Sam nods.", "Sam Turner"),
        ("サム：手袋をなくしました", "サム"),
        ("サムはうなずいた。", "サム"),
        ("サムが手袋を出す。", "サム"),
        ("林远：我丢了手套。", "林远"),
        ("林远点了点头。", "林远"),
        ("林远没有说话。", "林远"),
        ("You: hello", "You"),
        ("あなた：はい", "あなた"),
        ("你：好", "你"),
        ("User: hello", "User"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_line_that_plays_the_persona_is_cut(line, name, size):
    shown, guard = run(f"{BEFORE}{line}\nShe nods.", (name,), size=size)
    assert shown == BEFORE
    assert guard.cut_at == len(BEFORE)
    assert guard.cut_text == f"{line}\nShe nods."


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Sam, would you sit down?", "Sam"),
        ("Sam's glove lies on the counter.", "Sam"),
        ("Sam’s glove lies on the counter.", "Sam"),
        ("Samantha nods.", "Sam"),
        ("Sam! There you are.", "Sam"),
        ("Sam, listen: it is late.", "Sam"),
        ("Sam you look tired.", "Sam"),
        ("Sam please sit down.", "Sam"),
        ("Will the train come at all?", "Will"),
        ('"Sam nods," she reads aloud.', "Sam"),
        ("She looks at Sam and nods: fine.", "Sam"),
        ("サムさん、どうぞ。", "サム"),
        ("サムの手袋がある。", "サム"),
        ("サムソンは笑った。", "サム"),
        ("「サムは来ないんですか」", "サム"),
        ("林远的手套在这里。", "林远"),
        ("林远，请坐。", "林远"),
        ("林远山走了进来。", "林远"),
        ("“林远说得对。”", "林远"),
        ("You nod and sit down.", "You"),
        ("あなたは笑った。", "あなた"),
        ("你说得对。", "你"),
        ("用户名在这里", "用户"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_line_that_only_names_the_persona_stays(line, name, size):
    text = f"{BEFORE}{line}\nShe nods."
    shown, guard = run(text, (name,), size=size)
    assert shown == text
    assert guard.cut_at is None
    assert guard.cut_text == ""


def test_a_line_inside_a_quoted_speech_is_left_alone():
    text = "「読むよ。\nサム：明日来ます\n以上」\n"
    assert run(text, ("サム",))[0] == text


def test_a_quote_that_is_never_closed_protects_its_paragraph_only():
    shown, _guard = run('"Open, she says.\nSam: a\n\nSam: b')
    assert shown == '"Open, she says.\nSam: a\n\n'


def test_a_reply_that_begins_as_the_persona_is_cut_whole():
    shown, guard = run("Sam: hello")
    assert shown == ""
    assert guard.cut_at == 0


def test_a_script_thought_of_the_persona_is_cut():
    shown, _ = run("Nell: Yes.\n(Sam) Why is she lying?", reply_format=ReplyFormat.SCRIPT)
    assert shown == "Nell: Yes.\n"


def test_only_the_doubtful_beginning_of_a_line_is_held_back():
    guard = PersonaGuard(("Sam",))
    assert guard.feed("S") == ""
    assert guard.feed("he") == "She"
    assert guard.feed(" looks") == " looks"


def test_a_reply_that_ends_in_doubt_is_shown_whole():
    guard = PersonaGuard(("Sam",))
    assert guard.feed("Yes.\nSa") == "Yes.\n"
    assert guard.flush() == "Sa"


def test_a_continued_reply_is_judged_in_the_middle_of_its_line():
    guard = PersonaGuard(("Sam",), preceding="She hands it to ")
    assert guard.feed("Sam: nobody else.\nSam: hello") == "Sam: nobody else.\n"
    assert guard.cut_at == len("She hands it to Sam: nobody else.\n")


TEXT = st.text(alphabet=st.sampled_from(list("Sam nods:.\n*\"“”「」 はが說林远说（(')")), max_size=60)


@given(TEXT, st.integers(1, 7), st.sampled_from(ReplyFormat))
def test_what_is_shown_and_what_is_cut_make_up_the_text_however_it_is_fed(text, size, reply_format):
    names = ("Sam", "林远")
    shown, guard = run(text, names, reply_format, size)
    assert shown + guard.cut_text == text
    assert guard.cut_at == (None if shown == text else len(shown))
    assert shown == run(text, names, reply_format, 1)[0]


@given(st.text())
def test_any_text_passes_or_is_cut(text):
    shown, guard = run(text, size=5)
    assert shown + guard.cut_text == text
