"""Cards of every version, in every wrapping that is met, and files that only look like one."""

import base64
import io
import json
import struct

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from kotonia_desktop.domain.errors import ImportFailed, ImportingError, ImportTooLarge
from kotonia_desktop.domain.library import ProseMarkup
from kotonia_desktop.interop.cards import read_card


def codes(found):
    return [code for code, _ in found.notes]


def read_json(root, name="card.json"):
    return read_card(json.dumps(root).encode(), name)


def test_a_v2_png_is_read_with_its_picture_and_nothing_to_note(files):
    found = read_card(files.card_png(alternate_greetings=["Dawn."], tags=["sea"], creator="us"), "m.png")
    card = found.card
    assert (card.name, card.personality, card.scenario) == ("Mirelle", "patient", "A storm.")
    assert card.description == "{{char}} keeps the lighthouse at Pell Point."  # macros stay as they are
    assert card.greetings == ('She trims the lamp. "You came up all the stairs?"', "Dawn.")
    assert (card.tags, card.creator, card.language) == (("sea",), "us", "en")
    assert card.original["data"]["name"] == "Mirelle"
    assert Image.open(io.BytesIO(found.picture)).size == (4, 4)
    assert found.notes == ()


def test_v1_json_is_read(files):
    assert read_json(files.data).card.name == "Mirelle"


def test_the_older_names_of_the_fields_are_known():
    found = read_json({"char_name": "Mirelle", "char_persona": "a keeper", "char_greeting": "Hello."})
    assert (found.card.name, found.card.description, found.card.greetings) == ("Mirelle", "a keeper", ("Hello.",))


@pytest.mark.parametrize("wrap", ["text", "ztxt", "itxt"])
@pytest.mark.parametrize("keyword", [b"chara", b"Chara", b"ccv3"])
def test_every_kind_of_text_chunk_is_read_before_and_behind_the_pixels(files, wrap, keyword):
    wrapped = getattr(files, wrap)(files.packed(files.v2()), keyword)
    for behind in (False, True):
        assert read_card(files.png(wrapped, behind=behind), "m.png").card.name == "Mirelle"


def test_the_v3_chunk_wins_and_the_difference_is_noted(files):
    old, new = files.packed(files.v2()), files.packed(files.v3(name="Tobias"))
    found = read_card(files.png(files.text(old), files.text(new, b"ccv3")), "m.png")
    assert found.card.name == "Tobias"
    assert codes(found) == ["two_versions"]


def test_the_same_card_in_both_chunks_is_no_difference(files):
    both = files.png(files.text(files.packed(files.v2())), files.text(files.packed(files.v3()), b"ccv3"))
    assert read_card(both, "m.png").notes == ()


def test_the_older_chunk_serves_where_the_newer_is_damaged(files):
    both = files.png(files.text(files.packed(files.v2())), files.text(b"@@@", b"ccv3"))
    found = read_card(both, "m.png")
    assert found.card.name == "Mirelle"
    assert codes(found) == ["version_unread"]


def test_the_first_of_two_chunks_of_a_kind_wins(files):
    two = files.png(files.text(files.packed(files.v2())), files.text(files.packed(files.v2(name="Other"))))
    found = read_card(two, "m.png")
    assert found.card.name == "Mirelle"
    assert codes(found) == ["second_card_ignored"]


def test_a_wrong_checksum_is_noted(files, make_chunk):
    text = make_chunk(b"tEXt", b"chara\0" + files.packed(files.v2()), crc=1)
    assert codes(read_card(files.png(text), "m.png")) == ["bad_checksum"]


def test_bytes_behind_the_picture_are_noted(files):
    data = files.png(files.text(files.packed(files.v2())), tail=b"PK\x03\x04")
    assert codes(read_card(data, "m.png")) == ["bytes_behind_picture"]


def test_a_picture_that_is_cut_off_still_gives_its_card(files):
    data = files.png(files.text(files.packed(files.v2())), side=64)
    found = read_card(data[: len(data) - 20], "m.png")
    assert found.card.name == "Mirelle"
    assert codes(found)[0] == "file_cut_off"


@pytest.mark.parametrize("keep", [8, 20, 60, 120, 200])
def test_a_file_that_is_cut_off_inside_its_card_is_refused(files, keep):
    with pytest.raises(ImportFailed, match="cut off"):
        read_card(files.card_png()[:keep], "m.png")


@pytest.mark.parametrize("length", [2**31 - 1, 2**32 - 1])
def test_a_chunk_that_claims_gigabytes_is_refused(files, length):
    head, _ = files.pixels()
    data = b"\x89PNG\r\n\x1a\n" + head + struct.pack(">I4s", length, b"tEXt") + b"chara\0abc"
    with pytest.raises(ImportFailed):
        read_card(data, "m.png")


@pytest.mark.parametrize("wrap", ["ztxt", "itxt"])
def test_a_text_that_inflates_past_the_limit_is_refused(files, wrap):
    bomb = getattr(files, wrap)(b"A" * 40_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(ImportTooLarge):
        read_card(files.png(bomb), "m.png")


def test_many_texts_under_the_limit_are_refused_for_their_sum(files):
    notes = [files.ztxt(b"A" * 1_000_000, b"note%d" % i) for i in range(20)]
    with pytest.raises(ImportTooLarge):
        read_card(files.png(files.text(files.packed(files.v2())), *notes), "m.png")


def test_a_card_behind_thousands_of_chunks_is_found(files, make_chunk):
    flood = make_chunk(b"tEXt", b"k\0v") * 12_000
    found = read_card(files.png(flood, files.text(files.packed(files.v2()))), "m.png")
    assert found.card.name == "Mirelle"
    assert codes(found) == ["too_many_chunks"]


def test_base64_in_another_alphabet_without_padding_is_repaired(files):
    packed = base64.urlsafe_b64encode(json.dumps(files.v2(personality="ü?>~" * 9), ensure_ascii=False).encode())
    found = read_card(files.png(files.text(packed.rstrip(b"="))), "m.png")
    assert found.card.personality == "ü?>~" * 9
    assert codes(found) == ["base64_repaired"]


def test_json_that_was_not_packed_is_read(files):
    assert codes(read_card(files.png(files.text(json.dumps(files.v2()).encode())), "m.png")) == ["raw_json"]


@pytest.mark.parametrize(
    ("encoding", "note"), [("utf-8-sig", []), ("utf-16", ["recoded"]), ("cp1252", ["recoded"]), ("utf-32", ["recoded"])]
)
def test_other_encodings_are_read_and_noted(files, encoding, note):
    text = json.dumps(files.v2(name="Zoé"), ensure_ascii=False)
    found = read_card(text.encode(encoding), "m.json")
    assert found.card.name == "Zoé"
    assert codes(found) == note


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\0" * 50, "zero bytes"),
        (b"PK\x03\x04abc", "archives"),
        (b"RIFF\0\0\0\0WEBP", "WEBP"),
        (b"\xff\xd8\xff\xe0abc", "picture"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"name: x\ngreeting: y", "no card"),
        (b"[1, 2]", "no character card"),
        (b"{", "breaks off"),
        (b'{"a": 1}', "no character in it"),
        (b'{"entries": {}}', "lorebook"),
        (b"[" * 100_000, "nests deeper"),
        (b'{"a":' * 3_000 + b"1" + b"}" * 3_000, "nests deeper"),
    ],
)
def test_what_is_no_card_is_refused_with_a_sentence_that_says_what_it_is(data, said):
    with pytest.raises(ImportFailed, match=said):
        read_card(data, "file.json")


def test_a_plain_picture_is_refused(files):
    with pytest.raises(ImportFailed, match="no character data"):
        read_card(files.png(), "m.png")


def test_a_card_encrypted_by_another_app_is_refused(files):
    with pytest.raises(ImportFailed, match="encrypted"):
        read_card(files.png(files.text(b"rcc||rccv1||abc")), "m.png")


def test_a_card_without_a_name_takes_the_files(files):
    found = read_json(files.v2(name=" "), "/downloads/The Keeper.json")
    assert found.card.name == "The Keeper"
    assert codes(found) == ["empty_name"]


def test_a_name_is_one_short_visible_line(files):
    found = read_json(files.v2(name="A\u202eB\u200b\n" + "x" * 500))
    assert found.card.name.startswith("AB x")
    assert len(found.card.name) == 200
    assert "name_shortened" in codes(found)


def test_lone_surrogates_and_control_characters_are_cleaned_everywhere(files):
    found = read_card(rb'{"name": "M\ud800", "first_mes": "a\u0000b\u001bc\r\nd", "x": {"\udc00": "\udfff"}}', "m.json")
    assert (found.card.name, found.card.greetings) == ("M\ufffd", ("abc\nd",))
    json.dumps(found.card.original, ensure_ascii=False).encode("utf-8")
    assert codes(found) == ["characters_cleaned"]


def test_numbers_that_no_json_may_hold_are_noted_and_gone(files):
    data = b'{"name": "N", "a": NaN, "b": Infinity, "c": 1e99999, "d": ' + b"9" * 5_000 + b"}"
    found = read_card(data, "m.json")
    assert codes(found) == ["odd_numbers"]
    json.dumps(found.card.original, allow_nan=False)


def test_bytes_behind_the_data_and_repeated_keys_are_noted():
    found = read_card(b'{"name": "First", "name": "Second"} and more', "m.json")
    assert found.card.name == "Second"
    assert codes(found) == ["duplicate_keys", "bytes_behind_data"]


def test_wrong_types_are_read_as_far_as_they_go(files):
    found = read_json(
        files.v2(description=["one", "two"], personality=7, scenario={"a": 1}, alternate_greetings="Dawn.", tags="a, b")
    )
    card = found.card
    assert (card.description, card.personality, card.scenario) == ("one\n\ntwo", "7", "")
    assert card.greetings[1:] == ("Dawn.",)
    assert card.tags == ("a", "b")
    assert "alternate_greetings_string" in codes(found)


def test_a_number_of_fields_over_the_limit_is_refused():
    with pytest.raises(ImportTooLarge):
        read_json({"name": "N", "x": {str(i): 1 for i in range(21_000)}})


def test_a_newer_version_of_the_format_is_read_and_noted(files):
    root = {**files.v3(), "spec_version": "4.1"}
    assert read_json(root).notes == (("newer_spec", {"version": "4.1"}),)


def test_what_is_not_used_is_said(files):
    found = read_json(
        files.v3(
            extensions={"depth_prompt": {"prompt": "Be brief."}, "regex_scripts": [{}]},
            assets=[{"type": "icon", "name": "main"}, {"type": "emotion", "name": "joy"}],
            group_only_greetings=["Hello, all."],
        )
    )
    assert codes(found) == [
        "depth_prompt_not_used",
        "scripts_not_used",
        "assets_not_used",
        "group_greetings_not_used",
    ]


def test_a_card_that_names_its_markup_and_language_is_believed(files):
    ours = {"language": "zh-Hans", "prose": {"narration": "plain", "speech": "“”", "thought": "（）"}}
    card = read_json(files.v2(extensions={"kotonia": {**ours, "spoiler_heading": "SECRET"}})).card
    assert (card.language, card.markup, card.spoiler_heading) == ("zh", ProseMarkup("", "“”", "（）"), "SECRET")


def test_a_card_that_names_no_markup_has_it_guessed(files):
    card = read_json(files.v2(first_mes="*She looks up from the lamp.* Oh! Good evening. *She smiles.*")).card
    assert card.markup == ProseMarkup("**", "", "")


def test_a_v3_json_card_brings_its_picture_in_itself(files):
    picture = io.BytesIO()
    Image.new("RGB", (900, 300), "teal").save(picture, "JPEG")
    uri = "data:image/jpeg;base64," + base64.b64encode(picture.getvalue()).decode()
    found = read_json(files.v3(assets=[{"type": "icon", "name": "main", "uri": uri, "ext": "jpeg"}]))
    assert Image.open(io.BytesIO(found.picture)).size == (512, 171)


def test_an_error_never_holds_the_files_text(files):
    with pytest.raises(ImportFailed) as caught:
        read_card(b'{"name": "Mirelle", "description": "SECRET-WORD', "m.json")
    assert "SECRET-WORD" not in str(caught.value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_a_damaged_card_is_read_or_refused_and_nothing_else(files, data):
    whole = bytearray(files.png(files.ztxt(files.packed(files.v2())), files.text(files.packed(files.v3()), b"ccv3")))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = read_card(bytes(whole[: data.draw(st.integers(1, len(whole)))]), "m.png")
    except ImportingError:
        return
    assert found.card.name


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ["name", "first_mes", "alternate_greetings", "tags", "character_book", "extensions", "assets", "data", "spec"]


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), JSON_VALUES), st.booleans())
def test_fields_of_any_type_are_read_or_refused_and_nothing_else(fields, nested):
    root = {"spec": "chara_card_v2", "data": fields} if nested else fields
    try:
        found = read_json(root)
    except ImportingError:
        return
    assert found.card.name
