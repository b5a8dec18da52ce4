"""The characters that come with the app."""

import io

import pytest
from PIL import Image

from kotonia_desktop.domain.library import ProseMarkup, ReplyFormat
from kotonia_desktop.domain.macros import expand
from kotonia_desktop.domain.markup import guess_markup
from kotonia_desktop.domain.messages import SegmentKind
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.interop.starters import LANGUAGES, starters

STARTERS = starters()


def test_there_is_one_starter_in_each_language():
    assert [s.language for s in STARTERS] == list(LANGUAGES)
    assert [s.card.language for s in STARTERS] == ["en", "ja", "zh"]
    assert [s.card.markup for s in STARTERS] == [
        ProseMarkup("", '""', "**"),
        ProseMarkup("", "「」", "（）"),
        ProseMarkup("", "“”", "（）"),
    ]


@pytest.mark.parametrize("starter", STARTERS, ids=LANGUAGES)
def test_a_starter_is_whole(starter):
    card = starter.card
    assert len(card.greetings) == 3
    assert len(card.lorebook.entries) == 3
    assert card.spoiler_heading in card.description
    assert Image.open(io.BytesIO(starter.picture)).size == (512, 512)


@pytest.mark.parametrize("starter", STARTERS, ids=LANGUAGES)
def test_a_starter_keeps_to_its_own_markup(starter):
    card = starter.card
    assert guess_markup([*card.greetings, card.examples], starter.language) == card.markup
    for greeting in card.greetings:
        text = expand(greeting, card.name, "Sam")
        parsed = parse_segments(
            text, reply_format=ReplyFormat.PROSE, markup=card.markup, speaker=card.name, names=["Sam"]
        )
        assert parsed.format_ok
        assert {SegmentKind.NARRATION, SegmentKind.SPEECH} <= {s.kind for s in parsed.segments}


@pytest.mark.parametrize("starter", STARTERS, ids=LANGUAGES)
def test_a_starters_lie_is_speech_and_no_narration(starter):
    lies = {"en": "Eleven years behind this counter", "ja": "先代からの流儀", "zh": "晌午的船捎来的"}
    text = starter.card.greetings[0]
    at = text.index(lies[starter.language])
    parsed = parse_segments(
        text, reply_format=ReplyFormat.PROSE, markup=starter.card.markup, speaker=starter.card.name, names=["Sam"]
    )
    assert [s.kind for s in parsed.segments if s.start <= at < s.end] == [SegmentKind.SPEECH]
