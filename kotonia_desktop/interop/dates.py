"""Reads the dates of chat files: every form that SillyTavern has written since 2022."""

import re
from datetime import UTC, datetime

_AT = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?")
_ENGLISH = re.compile(r"([A-Za-z]{3,9})\s+(\d{1,2}),\s*(\d{4})\s+(\d{1,2}):(\d{2})\s*([ap]m)", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LATEST = datetime(2100, 1, 1, tzinfo=UTC).timestamp()
_MILLISECONDS_FROM = 1e11
"""Numbers above this are milliseconds: as seconds they would lie after the year 5000."""


def read_date(value: object) -> float | None:
    """Seconds since 1970 of a date as a file gives it, or None. A form without a zone is in the local one."""
    try:
        found = _read(value)
    except (ValueError, OverflowError, OSError):
        return None
    return found if found is not None and 0 < found < _LATEST else None


def _read(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value / 1000 if value > _MILLISECONDS_FROM else float(value)
    if not isinstance(value, str) or len(value) > 60:
        return None
    text = value.strip()
    if text.isdecimal():
        return _read(int(text))
    at = _AT.fullmatch(text)
    if at:
        year, month, day, hour, minute, second, millisecond = (int(part) for part in at.groups(default="0"))
        return datetime(year, month, day, hour, minute, second, millisecond * 1000).astimezone().timestamp()
    english = _ENGLISH.fullmatch(text)
    if english:
        month = _MONTHS.index(english[1][:3].lower()) + 1
        hour = int(english[4]) % 12 + (12 if english[6].lower() == "pm" else 0)
        moment = datetime(int(english[3]), month, int(english[2]), hour, int(english[5]))
        return moment.astimezone().timestamp()
    return datetime.fromisoformat(text).astimezone().timestamp()
