"""The border for foreign text: what comes in from a file is made safe to store, show and send, once and here.

Lone surrogates cannot be written as UTF-8 (a database would fail on them much later), NUL and control characters
break files, terminals and layouts, and directional marks in a name could turn the words around it.
"""

import re
from pathlib import PurePath

from kotonia_desktop.interop import limits

_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Other systems' and typewriters' line ends; U+2028 and U+2029 are characters like others here.
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85]")
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")


def clean_text(text: str) -> str:
    """`text` with line ends as `\\n`, U+FFFD for lone surrogates, and without control characters."""
    return _CONTROLS.sub("", _SURROGATES.sub("\ufffd", _LINE_ENDS.sub("\n", text)))


def needs_cleaning(text: str) -> bool:
    """True where `clean_text` would do more than to make line ends alike."""
    return bool(_SURROGATES.search(text) or _CONTROLS.search(_LINE_ENDS.sub("\n", text)))


def clean_name(text: str) -> str:
    """`text` as a name: one line, no invisible or directional marks, at most 200 characters."""
    visible = _INVISIBLE.sub("", clean_text(text))
    return " ".join(visible.split())[: limits.NAME].rstrip()


def name_of_file(name: str) -> str:
    """A file's name without its ending, as a name."""
    return clean_name(PurePath(name).stem) or "Unnamed"
