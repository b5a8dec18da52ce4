"""What the inspector asks of the memory: values that its control has carried out in the background."""

from dataclasses import dataclass

from kotonia_desktop.domain.hand import Act, Target
from kotonia_desktop.domain.scene import NowField


@dataclass(frozen=True, slots=True)
class ActOn:
    """The user's act on an item."""

    target: Target
    target_id: int
    act: Act
    text: str = ""


@dataclass(frozen=True, slots=True)
class AddFact:
    """A fact in the user's own words."""

    text: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Settle:
    """A matter is settled, or is not."""

    thread_id: int
    settled: bool


@dataclass(frozen=True, slots=True)
class Unpin:
    """A line is kept no longer."""

    pin_id: int


@dataclass(frozen=True, slots=True)
class SetNow:
    """A line of where the story stands; "" clears it."""

    field: NowField
    text: str


Request = ActOn | AddFact | Settle | Unpin | SetNow
