"""Card files built in the test: nothing here was downloaded."""

import base64
import json
import struct
import zlib
from dataclasses import dataclass, field

import pytest

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, body: bytes, crc: int | None = None) -> bytes:
    checksum = zlib.crc32(kind + body) if crc is None else crc
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)


@dataclass
class CardFiles:
    """Builds PNG cards chunk by chunk."""

    data: dict[str, object] = field(
        default_factory=lambda: {
            "name": "Mirelle",
            "description": "{{char}} keeps the lighthouse at Pell Point.",
            "personality": "patient",
            "scenario": "A storm.",
            "first_mes": 'She trims the lamp. "You came up all the stairs?"',
            "mes_example": "",
        }
    )

    def v2(self, **fields: object) -> dict[str, object]:
        return {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**self.data, **fields}}

    def v3(self, **fields: object) -> dict[str, object]:
        return {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**self.data, **fields}}

    def packed(self, card: object) -> bytes:
        return base64.b64encode(json.dumps(card).encode())

    def text(self, value: bytes, keyword: bytes = b"chara") -> bytes:
        return chunk(b"tEXt", keyword + b"\0" + value)

    def ztxt(self, value: bytes, keyword: bytes = b"chara") -> bytes:
        return chunk(b"zTXt", keyword + b"\0\0" + zlib.compress(value))

    def itxt(self, value: bytes, keyword: bytes = b"chara", compressed: bool = True) -> bytes:
        flag = b"\1" if compressed else b"\0"
        return chunk(b"iTXt", keyword + b"\0" + flag + b"\0en\0\0" + (zlib.compress(value) if compressed else value))

    def pixels(self, side: int = 4) -> tuple[bytes, bytes]:
        head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
        row = b"\0" + bytes(range(12))[:3] * side
        return head, chunk(b"IDAT", zlib.compress(row * side))

    def png(self, *texts: bytes, behind: bool = False, side: int = 4, tail: bytes = b"") -> bytes:
        head, body = self.pixels(side)
        middle = [body, *texts] if behind else [*texts, body]
        return SIGNATURE + head + b"".join(middle) + chunk(b"IEND", b"") + tail

    def card_png(self, **fields: object) -> bytes:
        return self.png(self.text(self.packed(self.v2(**fields))))


@pytest.fixture
def files() -> CardFiles:
    return CardFiles()


@pytest.fixture
def make_chunk():
    return chunk
