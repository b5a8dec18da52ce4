"""How every loaded message is laid out: heights estimated first and measured when needed, layouts kept while in use.

Knows nothing of the view; the view says how wide the page is.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from kotonia_desktop.domain.messages import Message
from kotonia_desktop.gui.fonts import line_height, reading_px
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.transcript.blocks import (
    AVATAR,
    NAME_GAP,
    NAME_HEIGHT,
    STRIP,
    Column,
    MessageBlock,
    RowLook,
    lay_out,
)
from kotonia_desktop.gui.transcript.chapters import ChapterMarks, Divider
from kotonia_desktop.gui.transcript.documents import TextStyle
from kotonia_desktop.gui.transcript.heights import RowHeights
from kotonia_desktop.gui.transcript.model import TranscriptModel

_KEPT = 256


class RowLayouts:
    """Layouts and heights of the rows of a `TranscriptModel`."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._model: TranscriptModel | None = None
        self._blocks: OrderedDict[tuple[Message, RowLook, Column], MessageBlock] = OrderedDict()
        self.heights = RowHeights()
        self.page_width = 0
        self.language = "en"
        self.show_thoughts = True
        self.open_reasoning: set[int] = set()
        self.open_cuts: set[int] = set()
        self.activity: tuple[int, str] = (-1, "")
        """A message without text yet, and what goes on in it."""
        self.chapters = ChapterMarks()
        self.editing: tuple[int, int] = (-1, 0)
        """The message that is edited, and the height its editor needs."""

    def __len__(self) -> int:
        return len(self.heights)

    def set_model(self, model: TranscriptModel | None) -> None:
        """Whose rows these are."""
        self._model = model

    @property
    def messages(self) -> Sequence[Message]:
        """The loaded messages."""
        return self._model.messages if self._model is not None else ()

    @property
    def column(self) -> Column:
        """Where the text stands in the page."""
        return Column.within(self.page_width, self._theme.scale)

    @property
    def style(self) -> TextStyle:
        """How text is set."""
        return TextStyle(self._theme.tokens, self._theme.scale, self.language, self.show_thoughts)

    def reload(self, page_width: int) -> None:
        """Forget every layout and estimate every height anew, for a page `page_width` pixels wide."""
        self.page_width = page_width
        self._blocks.clear()
        self.heights = RowHeights(self._estimates(self.messages))

    def insert(self, start: int, end: int) -> int:
        """Rows `start` to `end` came in; returns how many."""
        count = self.heights.insert(start, self._estimates(self.messages[start : end + 1]))
        self._forget_neighbour(end + 1)
        return count

    def remove(self, start: int, end: int) -> None:
        """Rows `start` to `end` are gone."""
        self.heights.remove(start, end - start + 1)
        self._forget_neighbour(start)

    def forget(self, rows: Iterable[int]) -> None:
        """Have these rows measured again."""
        for row in rows:
            if row < len(self.heights):
                self.heights.forget(row)

    def forget_messages(self, message_ids: set[int]) -> None:
        """Have the rows of these messages measured again."""
        self.forget(row for row, message in enumerate(self.messages) if message.id in message_ids)

    def block(self, row: int) -> MessageBlock:
        """The layout of a row."""
        key = (self.messages[row], self._look(row), self.column)
        block = self._blocks.get(key)
        if block is None:
            block = self._blocks[key] = lay_out(*key, self.style)
            if len(self._blocks) > _KEPT:
                self._blocks.popitem(last=False)
        else:
            self._blocks.move_to_end(key)
        return block

    def measure(self, row: int) -> int:
        """The height of a row."""
        return self.heights.measure(row, self._height)

    @property
    def average(self) -> float:
        """The mean height of the loaded rows, for those that are not loaded."""
        count = len(self.heights)
        return self.heights.total / count if count else 100.0

    def _height(self, row: int) -> int:
        message_id, height = self.editing
        return height if self.messages[row].id == message_id else self.block(row).height

    def divider(self, row: int) -> Divider | None:
        """The chapter that begins with a row's message."""
        ordinal = self.messages[row].ordinal
        # What lies before the first loaded row is not known: there only a chapter that begins right with it counts.
        before = self.messages[row - 1].ordinal if row else ordinal - 1
        return self.chapters.divider(before, ordinal)

    def _look(self, row: int) -> RowLook:
        message = self.messages[row]
        before = self.messages[row - 1] if row else None
        return RowLook(
            heads_run=before is None or before.role is not message.role or before.speaker != message.speaker,
            first=row == 0,
            reasoning_open=message.id in self.open_reasoning,
            cut_open=message.id in self.open_cuts,
            activity=self.activity[1] if message.id == self.activity[0] else "",
            divider=divider.words if (divider := self.divider(row)) is not None else "",
        )

    def _estimates(self, messages: Sequence[Message]) -> list[int]:
        scale, language = self._theme.scale, self.language
        per_line = self.column.width / (reading_px(language, scale) * (0.5 if language == "en" else 1.0))
        height = line_height(language, scale)
        extra = NAME_HEIGHT + NAME_GAP + STRIP
        return [max(AVATAR + STRIP, round((len(m.text) / per_line + 1) * height) + extra) for m in messages]

    def _forget_neighbour(self, row: int) -> None:
        """The row at `row`, and the first one, have another neighbour: a name may come or go."""
        self.forget((row, 0))
