"""The script format: one line, one segment."""

import pytest

from kotonia_desktop.domain.library import ProseMarkup, ReplyFormat
from kotonia_desktop.domain.segments import parse_segments


def parse(text, names=("Nell", "Sam", "澄")):
    return parse_segments(text, reply_format=ReplyFormat.SCRIPT, markup=ProseMarkup(), speaker="Nell", names=names)


@pytest.mark.parametrize(
    ("line", "kind", "who"),
    [
        ("Nell: Eleven years.", "speech", "Nell"),
        ("**Nell:** Eleven years.", "speech", "Nell"),
        ("澄：どうぞ。", "speech", "澄"),
        ("Mrs. Dray: Sold!", "speech", "Mrs. Dray"),
        ("孟婆婆：信到了没有？", "speech", "孟婆婆"),
        ("(Nell) Nine days.", "thought", "Nell"),
        ("（澄）いい匂い、なのか。", "thought", "澄"),
        ("Nell (thinks): Nine days.", "thought", "Nell"),
        ("澄（心の声）：なにも。", "thought", "澄"),
        ("* She closes the drawer.", "action", "Nell"),
        ("*She closes the drawer.*", "action", "Nell"),
        ("((brb))", "ooc", ""),
        ("Rain on the glass roof.", "narration", ""),
        ("There is one rule here: no whistling.", "narration", ""),
        ("他笑着说：好的。", "narration", ""),
    ],
)
def test_each_kind_of_line_is_known_by_its_head(line, kind, who):
    parsed = parse(line)
    assert [(s.kind.value, s.speaker) for s in parsed.segments] == [(kind, who)]
    assert parsed.format_ok


@pytest.mark.parametrize(
    "line", ["Nell:", "(Nell)", 'She says, "Eleven years."', "澄は「流儀です」と言った。", '"Yes."']
)
def test_a_line_that_breaks_the_format_is_unclear(line):
    parsed = parse(line)
    assert [s.kind.value for s in parsed.segments] == ["unclear"]
    assert not parsed.format_ok


def test_lines_are_segments_without_the_white_space_around_them():
    text = "Nell: Yes.\n\n  * She nods.  \nRain."
    parsed = parse(text)
    assert [text[s.start : s.end] for s in parsed.segments] == ["Nell: Yes.", "* She nods.", "Rain."]
