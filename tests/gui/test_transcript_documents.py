"""Model text is shown as it is: coloured by what it is, never read as markup."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QTextDocument, QTextFragment
from PySide6.QtWidgets import QApplication

from kotonia_desktop.domain.library import ReplyFormat
from kotonia_desktop.domain.markup import default_markup
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.gui.theme import load_tokens
from kotonia_desktop.gui.transcript.documents import BlockMark, TextStyle, build_document

TOKENS = load_tokens()["light"]
STYLE = TextStyle(TOKENS)


def document(text: str, style: TextStyle = STYLE, language: str = "en") -> QTextDocument:
    parsed = parse_segments(
        text, reply_format=ReplyFormat.PROSE, markup=default_markup(language), speaker="Nell", names=("Nell", "Sam")
    )
    return build_document(text, parsed.segments, style, 690, "out of character")


def fragments(made: QTextDocument) -> Iterator[tuple[int, QTextFragment]]:
    block = made.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            yield block.userState(), iterator.fragment()
            iterator += 1
        block = block.next()


def colours(made: QTextDocument) -> dict[str, str]:
    return {
        fragment.text().strip(): fragment.charFormat().foreground().color().name().upper()
        for _, fragment in fragments(made)
    }


@pytest.mark.parametrize(
    "text",
    [
        "# 5 dogs and <script>alert(1)</script> & <3",
        "1. not a list?",
        "<b>bold</b> [link](http://example.org) **strong** `code`",
        "![picture](file:///etc/passwd) <img src='http://example.org/x.png'>",
        "彼は**「本当？」**と言った",
        "  indented, with    spaces",
    ],
)
def test_marks_of_other_languages_are_shown_as_they_are(qapp: QApplication, text: str) -> None:
    assert document(text).toPlainText() == text


def test_characters_with_a_meaning_for_the_document_are_made_harmless(qapp: QApplication) -> None:
    shown = document("a\ufffcb\x00c\u2028d\ufdd0e").toPlainText()
    assert shown == "a\ufffdb\ufffdc d\ufffde"


def test_speech_narration_and_thought_have_their_own_colours(qapp: QApplication) -> None:
    made = document('She nods. "Wait here."\n\n*There was no flood.*')
    seen = colours(made)
    assert seen["She nods."] == TOKENS.narration.upper()
    assert seen['"Wait here."'] == TOKENS.text.upper()
    assert seen["There was no flood."] == TOKENS.thought.upper()


def test_a_thought_of_its_own_has_a_rail_and_only_latin_is_italic(qapp: QApplication) -> None:
    english = list(fragments(document("*There was no flood.*")))
    assert english[0][0] == BlockMark.THOUGHT
    assert english[0][1].charFormat().fontItalic()
    japanese = list(fragments(document("（二・四では多い。雨の日は、二・一）", TextStyle(TOKENS, language="ja"), "ja")))
    assert japanese[0][0] == BlockMark.THOUGHT
    assert not japanese[0][1].charFormat().fontItalic()


def test_a_thought_inside_a_line_has_no_rail(qapp: QApplication) -> None:
    made = list(fragments(document('"Grey." *Why did I say twelve?* She writes.')))
    assert {state for state, _ in made} == {BlockMark.PLAIN}


def test_hidden_thoughts_leave_a_sign_that_they_are_there(qapp: QApplication) -> None:
    made = document('"Grey."\n\n*Why did I say twelve?*', TextStyle(TOKENS, show_thoughts=False))
    assert made.toPlainText() == '"Grey."\n…'


def test_what_is_said_out_of_character_is_marked_in_words(qapp: QApplication) -> None:
    made = document("((shorter, please))")
    assert made.toPlainText().startswith("out of character")
    assert next(fragments(made))[0] == BlockMark.OOC


def test_the_font_follows_the_language_of_the_message(qapp: QApplication) -> None:
    japanese = build_document("雨の日のスープです", (), STYLE, 690).defaultFont()
    chinese = build_document("第三十六封信", (), STYLE, 690).defaultFont()
    english = build_document("The rain", (), STYLE, 690).defaultFont()
    assert japanese.pixelSize() == chinese.pixelSize() == 17
    assert english.pixelSize() == 16
    assert japanese.families() != chinese.families()


def test_a_larger_scale_makes_larger_text(qapp: QApplication) -> None:
    assert document("The rain", TextStyle(TOKENS, 200)).defaultFont().pixelSize() == 32
