import pytest

from kotonia_desktop.domain.library import ProseMarkup, ReplyFormat
from kotonia_desktop.domain.markup import default_markup
from kotonia_desktop.prompt.rules import format_text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            'Narration: plain text. Speech: "straight quotes". Unspoken thoughts: *asterisks*. '
            "Out of character: ((double brackets)).",
        ),
        ("ja", "地の文：印なし。台詞：「かぎ括弧」。心の声：（丸括弧）。物語の外の話：（（二重括弧））。"),
        ("zh", "叙述：不加记号。对白：“引号”。没说出口的心声：（圆括号）。戏外的话：（（双括号））。"),
    ],
)
def test_the_marks_of_prose_are_said_in_the_conversations_language(language: str, text: str) -> None:
    assert format_text(language, ReplyFormat.PROSE, default_markup(language)) == text


def test_where_thoughts_have_no_mark_none_are_spoken_of() -> None:
    text = format_text("en", ReplyFormat.PROSE, ProseMarkup(thought=""))
    assert text == 'Narration: plain text. Speech: "straight quotes". Out of character: ((double brackets)).'


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_the_script_format_is_the_one_that_is_read_back(language: str) -> None:
    text = format_text(language, ReplyFormat.SCRIPT, ProseMarkup())
    assert "* " in text
    assert "(" in text
