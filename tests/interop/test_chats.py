"""SillyTavern chats of every era, and what power losses and odd tools leave of them."""

import json
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kotonia_desktop.domain.errors import ImportFailed, ImportingError, ImportTooLarge
from kotonia_desktop.domain.messages import Role
from kotonia_desktop.interop import limits
from kotonia_desktop.interop.chats import read_chat

HEADER = {"user_name": "Ren", "character_name": "Mirelle", "create_date": "2024-7-12@01h31m37s", "chat_metadata": {}}


def line(index, **fields):
    user = index % 2 == 1
    name = "Ren" if user else "Mirelle"
    date = 1_790_000_000_000
    return {"name": name, "is_user": user, "is_system": False, "send_date": date, "mes": f"line {index}", **fields}


def jsonl(*objects, end="\n"):
    return end.join(json.dumps(o, ensure_ascii=False) for o in objects).encode() + end.encode()


def read(data):
    found = read_chat(data, "Mirelle - 2024.jsonl")
    return found, dict(found.notes)


CHAT = [HEADER, *(line(i) for i in range(6))]


def test_a_chat_of_2024_is_read():
    found, notes = read(jsonl(*CHAT))
    assert (found.title, found.user_name, found.character_name, found.kind) == (
        "Mirelle - 2024",
        "Ren",
        "Mirelle",
        "chat",
    )
    assert [m.text for m in found.messages] == [f"line {i}" for i in range(6)]
    assert [m.role for m in found.messages[:2]] == [Role.CHARACTER, Role.USER]
    assert found.messages[0].is_greeting
    assert not any(m.is_greeting for m in found.messages[1:])
    assert found.messages[0].created_at == 1_790_000_000
    assert notes == {}


def test_the_header_of_2026_gives_no_names_and_the_lines_do():
    header = {"chat_metadata": {"integrity": "x"}, "user_name": "unused", "character_name": "unused"}
    found, notes = read(jsonl(header, line(0), line(1)))
    assert (found.user_name, found.character_name) == ("Ren", "Mirelle")
    assert notes == {}


def test_the_list_of_strings_of_2022_is_read():
    data = json.dumps(["Mirelle: Good evening.", "You: Hello: it is me.", "Mirelle: Come in."]).encode()
    found, _ = read(data)
    assert (found.user_name, found.character_name) == ("You", "Mirelle")
    assert [m.text for m in found.messages] == ["Good evening.", "Hello: it is me.", "Come in."]
    assert [m.role for m in found.messages] == [Role.CHARACTER, Role.USER, Role.CHARACTER]


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        (1_720_000_000_123, 1_720_000_000.123),
        (1_720_000_000, 1_720_000_000.0),
        ("1720000000123", 1_720_000_000.123),
        ("2024-7-12@01h31m37s", datetime(2024, 7, 12, 1, 31, 37).timestamp()),
        ("2024-6-5 @14h 56m 50s 682ms", datetime(2024, 6, 5, 14, 56, 50, 682_000).timestamp()),
        ("June 19, 2023 2:20pm", datetime(2023, 6, 19, 14, 20).timestamp()),
        ("January 3, 2023 12:05am", datetime(2023, 1, 3, 0, 5).timestamp()),
        ("2026-01-02T03:04:05.678Z", 1_767_323_045.678),
        ("2026-11-01T01:30:00-04:00", 1_793_511_000.0),
    ],
)
def test_the_dates_of_every_era_are_read(date, expected):
    found, notes = read(jsonl(HEADER, line(0, send_date=date)))
    assert found.messages[0].created_at == pytest.approx(expected)
    assert notes == {}


@pytest.mark.parametrize(
    "date", [-1, 1e18, True, "0000-00-00", "9999-12-31T23:59:59Z", {"a": 1}, "Smarch 1, 2023 1:00am"]
)
def test_a_date_that_makes_no_sense_is_none_and_noted(date):
    found, notes = read(jsonl(HEADER, line(0, send_date=date)))
    assert found.messages[0].created_at == 0.0
    assert notes == {"bad_dates": {"count": 1}}


def test_swipes_are_alternates_with_the_shown_one_selected():
    found, _ = read(jsonl(HEADER, line(0, mes="b", swipes=["a", "b", "c"], swipe_id=1)))
    assert (found.messages[0].alternates, found.messages[0].selected) == (("a", "b", "c"), 1)


def test_the_message_wins_over_its_swipe():
    found, _ = read(jsonl(HEADER, line(0, mes="edited", swipes=["a", "b"], swipe_id=1)))
    assert found.messages[0].alternates == ("a", "edited")


@pytest.mark.parametrize(
    ("swipes", "swipe_id", "alternates"),
    [
        (["a", "b"], 9, ("a", "b", "m")),
        (["a", "m"], -1, ("a", "m")),
        (["a", "m"], None, ("a", "m")),
        ("text", 0, ()),
        ([], 0, ()),
        ([None, 1, {"x": 2}], 1, ()),
        ([{"message": "a"}, {"message": "m"}], 1, ("a", "m")),
    ],
)
def test_broken_swipes_never_lose_the_message(swipes, swipe_id, alternates):
    found, _ = read(jsonl(HEADER, line(0, mes="m", swipes=swipes, swipe_id=swipe_id)))
    message = found.messages[0]
    assert message.text == "m"
    assert message.alternates == alternates
    assert not alternates or message.alternates[message.selected] == "m"


def test_hundreds_of_swipes_keep_the_shown_one():
    swipes = [f"v{i}" for i in range(300)]
    found, notes = read(jsonl(HEADER, line(0, mes="v299", swipes=swipes, swipe_id=299)))
    message = found.messages[0]
    assert len(message.alternates) == limits.CHAT_SWIPES
    assert message.alternates[message.selected] == "v299"
    assert notes == {"alternates_dropped": {"count": 100}}


def test_hidden_lines_are_left_out_and_counted():
    found, notes = read(jsonl(HEADER, line(0), line(1, is_system=True), line(2)))
    assert [m.text for m in found.messages] == ["line 0", "line 2"]
    assert notes == {"system_lines_skipped": {"count": 1}}


def test_the_message_of_a_site_that_exports_objects_is_read():
    found, _ = read(jsonl(HEADER, line(0, mes={"message": "hello"})))
    assert found.messages[0].text == "hello"


def test_the_other_characters_of_a_group_keep_their_names():
    found, _ = read(jsonl(HEADER, line(0), line(2, name="Tobias")))
    assert [m.speaker for m in found.messages] == ["Mirelle", "Tobias"]


def test_lines_are_split_at_newlines_only():
    text = "a\u2028b\u2029c"
    found, notes = read(jsonl(HEADER, line(0, mes=text), line(1, mes="x\u0085y\u000bz")))
    assert [m.text for m in found.messages] == [text, "x\ny\nz"]
    assert notes == {}


@pytest.mark.parametrize("end", ["\r\n", "\n\n \n", "\r"])
def test_other_line_ends_lose_no_message(end):
    found, _ = read(b"\xef\xbb\xbf" + jsonl(*CHAT, end=end))
    assert len(found.messages) == 6
    assert found.user_name == "Ren"


def test_a_chat_in_utf16_is_read():
    found, notes = read(jsonl(HEADER, line(0, mes="灯台")).decode().encode("utf-16"))
    assert found.messages[0].text == "灯台"
    assert notes == {"recoded": {"encoding": "utf-16"}}


def test_a_line_in_another_encoding_is_read_and_noted():
    odd = json.dumps(line(1, mes="café"), ensure_ascii=False).encode("cp1252")
    found, notes = read(jsonl(HEADER, line(0)) + odd + b"\n" + jsonl(line(2)))
    assert [m.text for m in found.messages] == ["line 0", "café", "line 2"]
    assert notes == {"recoded_lines": {"count": 1}}


def test_a_broken_line_is_named_and_the_others_are_kept():
    lines = jsonl(*CHAT).split(b"\n")
    lines[3] = lines[3][:20]
    found, notes = read(b"\n".join(lines))
    assert len(found.messages) == 5
    assert notes == {"lines_unread": {"count": 1, "lines": "4"}}


def test_two_objects_on_one_line_are_two_messages():
    found, notes = read(jsonl(HEADER) + jsonl(line(0)).rstrip() + jsonl(line(1)))
    assert len(found.messages) == 2
    assert notes == {"several_objects_in_a_line": {"count": 1}}


def test_a_last_line_that_was_cut_is_named():
    found, notes = read(jsonl(*CHAT)[:-30])
    assert len(found.messages) == 5
    assert notes == {"lines_unread": {"count": 1, "lines": "7"}}


def test_zeros_behind_the_end_are_noted():
    found, notes = read(jsonl(*CHAT) + b"\0" * 4_096)
    assert len(found.messages) == 6
    assert notes == {"zero_bytes_skipped": {"count": 1}}


def test_a_missing_header_is_noted_and_the_names_come_from_the_lines():
    found, notes = read(jsonl(*CHAT[1:]))
    assert (len(found.messages), found.user_name, found.character_name) == (6, "Ren", "Mirelle")
    assert notes == {"header_missing": {}}


def test_a_header_alone_is_a_chat_without_messages_and_says_so():
    found, notes = read(jsonl(HEADER))
    assert found.messages == ()
    assert notes == {"no_messages": {}}


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"no chat\n", b"{}\n", b"[1, 2]", b"\n\n", b"<html></html>"])
def test_what_is_no_chat_is_refused(data):
    with pytest.raises(ImportFailed):
        read(data)


@pytest.mark.parametrize("depth", [200, 60_000])
def test_a_line_that_nests_too_deep_is_named(depth):
    deep = b'{"name": "x", "mes": "y", "extra": ' + b"[" * depth + b"]" * depth + b"}\n"
    found, notes = read(jsonl(HEADER, line(0)) + deep + jsonl(line(1)))
    assert len(found.messages) == 2
    assert notes == {"lines_unread": {"count": 1, "lines": "3"}}


def test_a_line_over_the_limit_is_left_out_and_noted(monkeypatch):
    monkeypatch.setattr(limits, "CHAT_LINE", 1_000)
    found, notes = read(jsonl(HEADER, line(0), line(1, mes="x" * 5_000), line(2)))
    assert [m.text for m in found.messages] == ["line 0", "line 2"]
    assert notes == {"lines_too_long": {"count": 1}}


def test_more_lines_than_the_limit_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "CHAT_LINES", 5)
    with pytest.raises(ImportTooLarge):
        read(jsonl(*CHAT))


def test_a_very_long_message_is_kept_and_noted():
    found, notes = read(jsonl(HEADER, line(0, mes="x" * 150_000)))
    assert len(found.messages[0].text) == 150_000
    assert notes == {"very_long_messages": {"count": 1}}


def test_lone_surrogates_are_cleaned():
    found, notes = read(jsonl(HEADER) + rb'{"name": "M\udc00", "is_user": false, "mes": "a\ud800b"}')
    assert (found.messages[0].text, found.messages[0].speaker) == ("a\ufffdb", "M\ufffd")
    assert notes == {"characters_cleaned": {}}


def test_lines_of_wrong_types_are_named():
    wrong = [
        line(0, mes=None),
        line(0, mes=["a"]),
        [1],
        "text",
        5,
        None,
        True,
        {},
        line(0, name=None),
        line(1, extra="no"),
    ]
    found, notes = read(jsonl(HEADER, *wrong, line(2)))
    assert len(found.messages) == 3
    assert notes["lines_unread"]["count"] == 8


@settings(deadline=None)
@given(st.data())
def test_a_damaged_chat_is_read_or_refused_and_nothing_else(data):
    whole = bytearray(jsonl(HEADER, line(0, swipes=["a", "b"], swipe_id=0), line(1), line(2)))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = read_chat(bytes(whole), "c.jsonl")
    except ImportingError:
        return
    for message in found.messages:
        message.text.encode("utf-8")
        assert not message.alternates or message.alternates[message.selected] == message.text
