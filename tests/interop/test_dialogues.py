"""Dialogues: who is the user, what a line is, what is left out."""

import json

import pytest

from kotonia_desktop.domain.errors import ImportFailed
from kotonia_desktop.domain.messages import Role, SegmentKind
from kotonia_desktop.interop.dialogues import read_dialogue

TURNS = [
    {"i": 0, "spk": "(stage)", "role": "narr", "kind": "narr", "text": "A storm."},
    {"i": 1, "spk": "Ren", "role": "user", "kind": "say", "text": "Good evening.", "when": "2023-04-27"},
    {"i": 2, "spk": "Mirelle", "role": "char", "kind": "think", "text": "So late."},
    {"i": 3, "spk": "Mirelle", "role": "char", "kind": "say", "text": "Come in."},
    {"i": 4, "spk": "Tobias", "role": "char", "kind": "act", "text": "He shuts the door."},
]


def read(**fields):
    return read_dialogue(json.dumps({"id": "d1", "user": "Ren", "turns": TURNS, **fields}).encode(), "file.json")


def test_the_named_user_speaks_as_the_user_and_the_others_keep_their_names():
    found = read()
    assert (found.title, found.user_name, found.character_name, found.kind) == ("d1", "Ren", "Mirelle", "dialogue")
    assert [m.role for m in found.messages] == [Role.CHARACTER, Role.USER, *[Role.CHARACTER] * 3]
    assert [m.speaker for m in found.messages] == ["(stage)", "Ren", "Mirelle", "Mirelle", "Tobias"]
    assert found.notes == ()


def test_the_file_says_what_each_line_is():
    assert [m.kind for m in read().messages] == [
        SegmentKind.NARRATION,
        SegmentKind.SPEECH,
        SegmentKind.THOUGHT,
        SegmentKind.SPEECH,
        SegmentKind.ACTION,
    ]


def test_without_a_named_user_the_roles_decide():
    assert [m.role for m in read(user=None).messages if m.speaker == "Ren"] == [Role.USER]


def test_a_dialogue_without_a_user_says_so():
    found = read(user=None, turns=[TURNS[0], TURNS[3]])
    assert found.notes == (("no_user_line", {}),)


def test_turns_that_are_none_are_counted():
    assert read(turns=[*TURNS, 1, {"spk": "x"}, {"text": " "}]).notes == (("turns_unread", {"count": 3}),)


@pytest.mark.parametrize("turns", [[], "x", [{}], None])
def test_a_dialogue_without_turns_is_refused(turns):
    with pytest.raises(ImportFailed):
        read(turns=turns)
