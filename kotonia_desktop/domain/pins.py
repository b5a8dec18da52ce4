"""Pins: lines kept word for word. They are copied by code and never told in other words."""

from dataclasses import dataclass
from enum import StrEnum

from kotonia_desktop.domain.memory import ItemState


class PinnedBy(StrEnum):
    """Who chose a line."""

    USER = "user"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class NewPin:
    """Characters `start` to `end` (exclusive) of a message's text in one revision."""

    message_id: int
    revision_id: int
    start: int
    end: int
    by: PinnedBy = PinnedBy.USER
    fold_id: int | None = None


@dataclass(frozen=True, slots=True)
class Pin(NewPin):
    """A pin as it is stored, with its words."""

    id: int = 0
    text: str = ""
    speaker: str = ""
    ordinal: int | None = None
    state: ItemState = ItemState.VALID
    created_at: float = 0.0
