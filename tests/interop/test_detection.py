"""A file is what its content says."""

import json

import pytest

from kotonia_desktop.interop.detection import FileKind, detect

HEADER = '{"user_name": "Ren", "character_name": "Mirelle"}\n{"name": "Ren", "mes": "x"}\n'


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"\x89PNG\r\n\x1a\nabc", "card.txt", FileKind.CARD),
        (HEADER.encode(), "chat.jsonl", FileKind.CHAT),
        (HEADER.encode(), "chat.json", FileKind.CHAT),
        (HEADER.encode("utf-16"), "chat.txt", FileKind.CHAT),
        (b"garbage", "chat.jsonl", FileKind.CHAT),
        (b'["Mirelle: Hello", "You: Hello"]', "old.json", FileKind.CHAT),
        (b"[1, 2]", "list.json", FileKind.CARD),
        (json.dumps({"spec": "chara_card_v2", "data": {"name": "x"}}).encode(), "c.json", FileKind.CARD),
        (json.dumps({"name": "x", "turns": "no list"}).encode(), "c.json", FileKind.CARD),
        (json.dumps({"name": "x", "description": '{"turns": [1]}'}).encode(), "c.json", FileKind.CARD),
        (json.dumps({"id": "d", "turns": [{}]}, indent=1).encode(), "d.json", FileKind.DIALOGUE),
        (b"", "c.json", FileKind.CARD),
    ],
)
def test_the_content_decides_what_a_file_is_read_as(data, name, kind):
    assert detect(data, name) is kind
