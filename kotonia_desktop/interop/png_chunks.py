"""Walks the chunks of a PNG by hand, for the card in it and for its pixels, without decoding a pixel.

Image libraries refuse cards that every other app reads (wrong checksum, text behind the pixels, cut-off pixels) and
inflate text without a limit on the sum. Sources: the PNG specification; cards V1 and V2 (`chara`), V3 (`ccv3`).
"""

import struct
import zlib
from dataclasses import dataclass, field

from kotonia_desktop.domain.errors import ImportFailed, ImportTooLarge
from kotonia_desktop.interop import limits
from kotonia_desktop.interop.imported import Notes

SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEYWORDS = ("ccv3", "chara")
"""Where a card stands, the better one first. Letter case does not matter: `Chara` is in the wild."""

_TEXT_SUM = limits.CARD_JSON * 4 // 3 + limits.MB
"""Base64 takes four characters for three bytes."""
_TEXTS = frozenset((b"tEXt", b"zTXt", b"iTXt"))
_PIXELS = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT"))


@dataclass(slots=True)
class PngParts:
    """What a PNG holds for us: the first text of each keyword, and its pixels as a bare PNG."""

    texts: dict[str, bytes] = field(default_factory=dict)
    bare: bytes = b""


def read_png(data: bytes, notes: Notes, name: str) -> PngParts:
    """The card texts and the pixels of a PNG, as far as they are there.

    Notes a wrong checksum, a cut-off file, a second card, bytes behind the end. Raises `ImportFailed` where no card is
    in it and `ImportTooLarge` where its texts inflate past the limit.
    """
    parts = PngParts()
    pixels = [SIGNATURE]
    budget = _TEXT_SUM
    position, count, ended = len(SIGNATURE), 0, False
    while position + 8 <= len(data) and not ended:
        count += 1
        if count == limits.PNG_CHUNKS:
            notes.add("too_many_chunks", limit=limits.PNG_CHUNKS)
        length, kind = struct.unpack_from(">I4s", data, position)
        start, end = position + 8, position + 8 + length
        position = end + 4
        cut_off = end > len(data)
        body = data[start : min(end, len(data))]
        if kind in _PIXELS:
            pixels.append(_chunk(kind, body))
        elif kind in _TEXTS and not cut_off and (count < limits.PNG_CHUNKS or _keyword(body) in KEYWORDS):
            budget -= _take_text(parts, kind, body, budget, notes, name)
            if _keyword(body) in KEYWORDS and zlib.crc32(kind + body) != _checksum(data, end):
                notes.add("bad_checksum")
        ended = kind == b"IEND"
    if not ended:
        if not parts.texts:
            raise ImportFailed(name=name, detail="the file is cut off")
        notes.add("file_cut_off")
    if ended and position < len(data):
        notes.add("bytes_behind_picture", count=len(data) - position)
    if not parts.texts:
        raise ImportFailed(name=name, detail="there is no character data in this picture")
    pixels.append(_chunk(b"IEND", b""))
    parts.bare = b"".join(pixels)
    return parts


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _checksum(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big") if at + 4 <= len(data) else -1


def _keyword(body: bytes) -> str:
    return body[:80].partition(b"\0")[0].decode("latin-1").strip().lower()


def _take_text(parts: PngParts, kind: bytes, body: bytes, budget: int, notes: Notes, name: str) -> int:
    """Keep a chunk's text where its keyword is a card's. Returns how many bytes it came to when inflated."""
    keyword = _keyword(body)
    value = body.partition(b"\0")[2]
    if kind == b"zTXt":
        value = _inflate(value[1:], budget, name)
    elif kind == b"iTXt":
        compressed = value[:1] == b"\1"
        # flag, method, language, translated keyword, then the text itself
        value = value[2:].partition(b"\0")[2].partition(b"\0")[2]
        if compressed:
            value = _inflate(value, budget, name)
    if len(value) > budget:
        raise ImportTooLarge(name=name, what="its text", limit=f"{limits.CARD_JSON // limits.MB} MB")
    if keyword in KEYWORDS:
        if keyword not in parts.texts:
            parts.texts[keyword] = value
        elif parts.texts[keyword] != value:
            notes.add("second_card_ignored")
    return len(value)


def _inflate(packed: bytes, budget: int, name: str) -> bytes:
    """The inflated bytes, never more than `budget`; damaged data gives what could be read."""
    inflater = zlib.decompressobj()
    try:
        value = inflater.decompress(packed, budget + 1)
    except zlib.error:
        return b""
    if len(value) > budget:
        raise ImportTooLarge(name=name, what="its text", limit=f"{limits.CARD_JSON // limits.MB} MB")
    return value
