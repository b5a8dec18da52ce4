"""Now: where and when the story stands, who is there, what they wear, hold and suffer. One line each."""

from dataclasses import dataclass
from enum import StrEnum

from kotonia_desktop.domain.memory import ItemState


class NowField(StrEnum):
    """The lines, in their order."""

    PLACE = "place"
    TIME = "time"
    HERE = "here"
    WEARS = "wears"
    HOLDS = "holds"
    SUFFERS = "suffers"


@dataclass(frozen=True, slots=True)
class NowLine:
    """A line. `locked`: the user typed it, and nothing but the user changes it until it is cleared. `ordinal` is the
    message it was read from; None where the user typed it."""

    field: NowField
    text: str
    locked: bool = False
    message_id: int | None = None
    revision_id: int | None = None
    ordinal: int | None = None
    state: ItemState = ItemState.VALID
    created_at: float = 0.0
