"""Which chapters the loaded messages belong to: where a divider stands, which messages are folded or out of sight."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from kotonia_desktop.gui import memory_texts
from kotonia_desktop.services.memory_views import ChapterView, MemoryView


@dataclass(frozen=True, slots=True)
class Divider:
    """A line over the first of a chapter's messages."""

    chapter_id: int
    words: str


class ChapterMarks:
    """What the page shows of memory. Ordinals are those of the messages."""

    def __init__(self) -> None:
        self._texts: list[ChapterView] = []
        self._firsts: list[int] = []
        self._queued: tuple[tuple[int, int], ...] = ()
        self._verbatim_from = 0

    def show(self, view: MemoryView | None) -> None:
        """What is remembered of the conversation that is shown; None: nothing is known."""
        texts: Sequence[ChapterView] = (*view.story, *view.merged) if view is not None else ()
        self._texts = sorted(
            (text for text in texts if text.chapter.level == 0), key=lambda text: text.chapter.first_ordinal
        )
        self._firsts = [text.chapter.first_ordinal for text in self._texts]
        self._queued = view.queued if view is not None else ()
        self._verbatim_from = view.in_view[0] if view is not None and view.in_view is not None else 0

    def divider(self, before: int, ordinal: int) -> Divider | None:
        """The line between two messages that follow each other in the page; `before` is the earlier one's ordinal."""
        place = bisect_right(self._firsts, ordinal) - 1
        if place < 0 or self._firsts[place] <= before:
            return None
        return Divider(self._texts[place].chapter.id, memory_texts.divider_line(self._texts[place]))

    def chapter_of(self, ordinal: int) -> int | None:
        """The chapter that a message belongs to."""
        place = bisect_right(self._firsts, ordinal) - 1
        if place < 0 or ordinal > self._texts[place].chapter.last_ordinal:
            return None
        return self._texts[place].chapter.id

    def is_queued(self, ordinal: int) -> bool:
        """Whether a message is out of the model's sight without a chapter."""
        return any(first <= ordinal <= last for first, last in self._queued)

    def is_folded(self, ordinal: int) -> bool:
        """Whether a chapter stands for a message in the prompt."""
        return ordinal < self._verbatim_from and not self.is_queued(ordinal) and self.chapter_of(ordinal) is not None
