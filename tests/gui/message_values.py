"""Messages as values, for tests that need no store."""

from dataclasses import replace

from kotonia_desktop.domain.messages import Message, Revision, Role
from kotonia_desktop.services.views import Page


def message(number: int, text: str | None = None, role: Role | None = None, **values: object) -> Message:
    """Message number `number`, its ordinal being the same; the two take turns."""
    who = role or (Role.USER if number % 2 else Role.CHARACTER)
    words = text if text is not None else f"Line {number}. " + "The rain goes on over the roof. " * (1 + number % 5)
    revision = Revision(id=number + 1000, text=words)
    made = Message(number + 1, 1, 1, number, who, "Sam" if who is Role.USER else "Nell", revision)
    return replace(made, **values)


def page(first: int, last: int, *, total: int = 0) -> Page:
    """The messages from `first` to `last` of `total`."""
    whole = total or last + 1
    return Page(1, tuple(message(n) for n in range(first, last + 1)), whole, first > 0, last + 1 < whole)
