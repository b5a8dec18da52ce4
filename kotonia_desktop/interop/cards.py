"""Reads a character card from the bytes of a file: PNG (V1, V2, V3) or JSON.

Archives (CHARX, BYAF) and pictures of other kinds are refused with a sentence that says so.
"""

import base64
import binascii
import re

from kotonia_desktop.domain.errors import ImportFailed, ImportTooLarge
from kotonia_desktop.interop import limits
from kotonia_desktop.interop.card_fields import card_from
from kotonia_desktop.interop.imported import CardImport, Notes
from kotonia_desktop.interop.json_reading import decode, parse_json
from kotonia_desktop.interop.pictures import read_picture
from kotonia_desktop.interop.png_chunks import KEYWORDS, SIGNATURE, read_png

_DATA_URI = re.compile(r"data:image/[a-z+.-]{1,20};base64,", re.IGNORECASE)
_STRICT_BASE64 = re.compile(rb"[A-Za-z0-9+/]*={0,2}")
_URL_ALPHABET = bytes.maketrans(b"-_", b"+/")
_SPEC_FIELDS = ("spec", "spec_version")


def read_card(data: bytes, name: str) -> CardImport:
    """The card in a file's bytes. `name` is the file's name.

    Raises `ImportFailed` where there is none and `ImportTooLarge` where it is over a limit.
    """
    notes = Notes()
    if len(data) > limits.CARD_FILE:
        raise ImportTooLarge(name=name, what="the file", limit=f"{limits.CARD_FILE // limits.MB} MB")
    if data.startswith(SIGNATURE):
        parts = read_png(data, notes, name)
        roots = _roots_of(_readable(parts.texts, name), notes, name)
        key = next(key for key in KEYWORDS if key in roots)
        if len(roots) > 1 and _differ(*roots.values()):
            notes.add("two_versions", used="V3")
        card = card_from(roots[key], notes, name)
        picture = read_picture(parts.bare, notes)
    else:
        refuse_foreign(data, name)
        text = decode(data, notes, name)
        if not text.lstrip("\ufeff \t\r\n\0").startswith(("{", "[")):
            raise ImportFailed(name=name, detail="it is no card, chat or dialogue")
        root = parse_json(text, notes, name)
        card = card_from(root, notes, name)
        picture = _icon(root, notes)
    return CardImport(card=card, picture=picture, notes=tuple(notes.found))


def refuse_foreign(data: bytes, name: str) -> None:
    """Raise `ImportFailed` for a file that is known to be something else, and say what."""
    head = data[:512].lstrip()
    found = ""
    if not data:
        found = "the file is empty"
    elif not data.strip(b"\0"):
        found = "the file holds no data, only zero bytes"
    elif head.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06"):
        found = "archives (CHARX, BYAF) cannot be imported yet"
    elif head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        found = "cards in WEBP pictures cannot be imported yet"
    elif head.startswith((b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM")):
        found = "this kind of picture holds no character card"
    elif head[:15].lower().startswith((b"<!doctype", b"<html", b"<img", b"<?xml", b"<svg", b"<head", b"<script")):
        found = "it is a web page, no character card"
    if found:
        raise ImportFailed(name=name, detail=found)


def _readable(texts: dict[str, bytes], name: str) -> dict[str, bytes]:
    """The texts that hold something; a V3 chunk that is empty leaves the V2 chunk its place."""
    found = {key: value for key, value in texts.items() if value.strip(b" \t\r\n\0")}
    if not found:
        raise ImportFailed(name=name, detail="the character data in this picture is empty")
    return found


def _roots_of(texts: dict[str, bytes], notes: Notes, name: str) -> dict[str, object]:
    """The JSON value of each text. One that is damaged is noted where the other can be read."""
    roots: dict[str, object] = {}
    failed: ImportFailed | None = None
    for key, value in texts.items():
        try:
            roots[key] = parse_json(decode(_unpack(value, notes, name), notes, name), notes, name)
        except ImportFailed as error:
            failed = error
    if failed and not roots:
        raise failed
    if failed:
        notes.add("version_unread")
    return roots


def _unpack(value: bytes, notes: Notes, name: str) -> bytes:
    """The JSON bytes in a card chunk: base64 as it should be, base64 as it is met, or the JSON itself."""
    if value.startswith(b"rcc||"):
        raise ImportFailed(name=name, detail="its card is encrypted by another app")
    packed = b"".join(value.split())
    if _STRICT_BASE64.fullmatch(packed) and len(packed) % 4 == 0:
        if packed != value.strip():
            notes.add("base64_repaired")
        return base64.b64decode(packed)
    if value.lstrip(b" \t\r\n\xef\xbb\xbf").startswith((b"{", b"[")) or value.startswith((b"\xff\xfe", b"\xfe\xff")):
        notes.add("raw_json")
        return value
    repaired = packed.translate(_URL_ALPHABET).rstrip(b"=")
    repaired += b"=" * (-len(repaired) % 4)
    try:
        unpacked = base64.b64decode(repaired, validate=True)
    except binascii.Error:
        raise ImportFailed(name=name, detail="the character data in this picture is damaged") from None
    notes.add("base64_repaired")
    return unpacked


def _differ(first: object, second: object) -> bool:
    """True where two versions of one card say different things in fields that both have."""

    def fields(root: object) -> dict[object, object]:
        if not isinstance(root, dict):
            return {}
        data = root.get("data")
        return data if isinstance(data, dict) else {k: v for k, v in root.items() if k not in _SPEC_FIELDS}

    a, b = fields(first), fields(second)
    return any(a[key] != b[key] for key in a.keys() & b.keys())


def _icon(root: object, notes: Notes) -> bytes | None:
    """The picture that a V3 card in JSON carries in itself (`assets`, type icon, a data address), or None."""
    data = root.get("data") if isinstance(root, dict) else None
    assets = data.get("assets") if isinstance(data, dict) else None
    if not isinstance(assets, list):
        return None
    icons = [asset for asset in assets if isinstance(asset, dict) and asset.get("type") == "icon"]
    for asset in sorted(icons, key=lambda found: found.get("name") != "main"):
        uri = asset.get("uri")
        head = _DATA_URI.match(uri) if isinstance(uri, str) else None
        if isinstance(uri, str) and head:
            try:
                return read_picture(base64.b64decode(uri[head.end() :], validate=True), notes)
            except (binascii.Error, ValueError):
                notes.add("picture_refused", reason="damaged")
    return None
