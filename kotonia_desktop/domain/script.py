"""The script reply format: one segment a line.

    Name: what is said                 also with a full-width colon
    (Name) what is thought and unsaid  also （Name）, or `Name (thinks): ...`
    * what is done
    ((out of character))
    anything else narrates

A name is one of those taking part, or up to three capitalised words, or up to eight letters of CJK before the colon.
A line breaks the format, and is `UNCLEAR`, when its part behind the name is missing, when it narrates and holds a
quoted speech, or when its quotes do not balance: a lie inside narration must not look like narration.
"""

import re
from collections.abc import Iterable, Sequence

from kotonia_desktop.domain.language import is_cjk
from kotonia_desktop.domain.messages import Segment, SegmentKind

_SAID = re.compile(r"\**([^:：*\n]{1,60}?)\**[ \t]*[:：]\**[ \t　]*")
_THOUGHT = re.compile(r"\**[(（]([^()（）\n]{1,60})[)）]\**[ \t]*[:：]?[ \t　]*")
_THINKS = re.compile(
    r"^(.{1,48}?)[ \t]*[(（](?:thinks|thinking|thought|心の声|思考|心の中|心声|心想|内心|心里话)[)）]$", re.IGNORECASE
)
_QUOTES = frozenset('"＂“”「」『』«»')
_OOC = re.compile(r"(?:\(\(.*\)\)|（（.*））|[(（]OOC\b.*[)）])$")
_CJK_SAYS = "说道问答曰喊叫想は言"


def parse_script(text: str, speaker: str, names: Sequence[str]) -> tuple[list[Segment], bool]:
    """The segments of a text in the script format, and whether every line keeps to it. Actions are `speaker`'s."""
    known = {name for name in (*names, speaker) if name.strip()}
    found: list[Segment] = []
    ok = True
    position = 0
    for line in text.split("\n"):
        start, position = position, position + len(line) + 1
        stripped = line.strip()
        if not stripped:
            continue
        start += len(line) - len(line.lstrip())
        kind, who = _read_line(stripped, speaker, known)
        found.append(Segment(kind, start, start + len(stripped), who))
        ok = ok and kind is not SegmentKind.UNCLEAR
    return found, ok


def _read_line(line: str, speaker: str, known: Iterable[str]) -> tuple[SegmentKind, str]:
    if _OOC.match(line):
        return SegmentKind.OOC, ""
    thought = _THOUGHT.match(line)
    if thought and _is_name(thought[1].strip(), known):
        kind = SegmentKind.THOUGHT if line[thought.end() :].strip() else SegmentKind.UNCLEAR
        return kind, thought[1].strip() if kind is SegmentKind.THOUGHT else ""
    said = _SAID.match(line)
    if said:
        name, rest = said[1].strip(), line[said.end() :].strip()
        thinks = _THINKS.match(name)
        name = thinks[1] if thinks else name
        if _is_name(name, known):
            if not rest:
                return SegmentKind.UNCLEAR, ""
            return (SegmentKind.THOUGHT if thinks else SegmentKind.SPEECH), name
    if any(char in _QUOTES for char in line):
        return SegmentKind.UNCLEAR, ""
    if line.startswith("*") and line.strip("* \t"):
        return SegmentKind.ACTION, speaker
    return SegmentKind.NARRATION, ""


def _is_name(name: str, known: Iterable[str]) -> bool:
    if name in known:
        return True
    if not name or any(char in _QUOTES for char in name):
        return False
    if all(is_cjk(char) or char in "・·々ー 　" for char in name):
        return len(name) <= 8 and name[-1] not in _CJK_SAYS
    words = name.split()
    return len(words) <= 3 and all(word[0].isupper() and word.strip(".'-").isalpha() for word in words)
