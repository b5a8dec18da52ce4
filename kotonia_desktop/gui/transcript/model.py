"""The loaded part of a conversation as a list model: one contiguous run of messages that grows at both ends.

It knows what lies beyond (whether older or newer messages exist) and never reads anything itself: `ConversationFeed`
brings pages.
"""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from kotonia_desktop.domain.messages import Message
from kotonia_desktop.gui import texts
from kotonia_desktop.services.views import Page

MESSAGE_ROLE = Qt.ItemDataRole.UserRole + 1
_INVALID = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class TranscriptModel(QAbstractListModel):
    """Messages of one conversation, oldest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.messages: list[Message] = []
        self.conversation_id: int | None = None
        self.total = 0
        self.has_older = False
        self.has_newer = False

    # -- Qt

    def rowCount(self, parent: Index = _INVALID) -> int:
        """How many messages are loaded."""
        return 0 if parent.isValid() else len(self.messages)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A message's text, what a screen reader says of it, or the message itself."""
        if not index.isValid() or index.row() >= len(self.messages):
            return None
        message = self.messages[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return message.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return texts.accessible_text(message)
        if role == MESSAGE_ROLE:
            return message
        return None

    # -- reading

    def row_of(self, message_id: int) -> int | None:
        """The row of a message; the newest ones are looked at first."""
        for row in range(len(self.messages) - 1, -1, -1):
            if self.messages[row].id == message_id:
                return row
        return None

    def row_at_ordinal(self, ordinal: int) -> int | None:
        """The row of the message at `ordinal`, or of the first behind it."""
        for row, message in enumerate(self.messages):
            if message.ordinal >= ordinal:
                return row
        return None

    @property
    def last(self) -> Message | None:
        """The conversation's last message, where it is loaded."""
        return self.messages[-1] if self.messages and not self.has_newer else None

    # -- writing

    def show(self, page: Page) -> None:
        """Hold `page` instead of all that is there."""
        self.beginResetModel()
        self.messages = list(page.messages)
        self.conversation_id = page.conversation_id
        self._take_bounds(page, older=True, newer=True)
        self.endResetModel()

    def clear(self) -> None:
        """Hold nothing."""
        self.beginResetModel()
        self.messages = []
        self.conversation_id = None
        self.total = 0
        self.has_older = self.has_newer = False
        self.endResetModel()

    def prepend(self, page: Page) -> None:
        """Add the page of older messages that ends where this begins."""
        first = self.messages[0].ordinal if self.messages else None
        older = [message for message in page.messages if first is None or message.ordinal < first]
        self._insert(0, older)
        self._take_bounds(page, older=True, newer=False)

    def append(self, page: Page) -> None:
        """Add the page of newer messages that begins where this ends."""
        last = self.messages[-1].ordinal if self.messages else -1
        self._insert(len(self.messages), [message for message in page.messages if message.ordinal > last])
        self._take_bounds(page, older=False, newer=True)

    def put(self, message: Message) -> None:
        """Show `message` in the place of the one with its id, of the alternate at its ordinal, or at the end."""
        row = self.row_of(message.id)
        if row is None and self.messages and self.messages[-1].ordinal >= message.ordinal:
            row = self.row_at_ordinal(message.ordinal)
            if row is not None and self.messages[row].ordinal != message.ordinal:
                self._insert(row, [message])
                self.total += 1
                return
        if row is not None:
            self._set(row, message)
        elif not self.has_newer:
            self._insert(len(self.messages), [message])
            self.total += 1

    def remove(self, message_ids: Sequence[int]) -> None:
        """Take messages out."""
        gone = set(message_ids)
        for row in range(len(self.messages) - 1, -1, -1):
            if self.messages[row].id in gone:
                self._take_out(row, row + 1)
                self.total -= 1

    def reload(self, page: Page) -> None:
        """Hold `page`, but touch only the rows that differ, so that the reader's place stays."""
        new = list(page.messages)
        start = 0
        while start < min(len(new), len(self.messages)) and new[start] == self.messages[start]:
            start += 1
        end = 0
        least = min(len(new), len(self.messages)) - start
        while end < least and new[-1 - end] == self.messages[-1 - end]:
            end += 1
        old_end, new_end = len(self.messages) - end, len(new) - end
        common = min(old_end, new_end) - start
        for offset in range(common):
            self._set(start + offset, new[start + offset])
        if old_end > start + common:
            self._take_out(start + common, old_end)
        elif new_end > start + common:
            self._insert(start + common, new[start + common : new_end])
        self._take_bounds(page, older=True, newer=True)

    def trim_older(self, count: int) -> None:
        """Let the `count` oldest go; they can be read again."""
        if 0 < count < len(self.messages):
            self._take_out(0, count)
            self.has_older = True

    def trim_newer(self, count: int) -> None:
        """Let the `count` newest go; they can be read again."""
        if 0 < count < len(self.messages):
            self._take_out(len(self.messages) - count, len(self.messages))
            self.has_newer = True

    def _take_bounds(self, page: Page, *, older: bool, newer: bool) -> None:
        self.total = page.total
        if older:
            self.has_older = page.has_older
        if newer:
            self.has_newer = page.has_newer

    def _set(self, row: int, message: Message) -> None:
        self.messages[row] = message
        index = self.index(row)
        self.dataChanged.emit(index, index)

    def _insert(self, row: int, messages: Sequence[Message]) -> None:
        if messages:
            self.beginInsertRows(QModelIndex(), row, row + len(messages) - 1)
            self.messages[row:row] = messages
            self.endInsertRows()

    def _take_out(self, start: int, end: int) -> None:
        self.beginRemoveRows(QModelIndex(), start, end - 1)
        del self.messages[start:end]
        self.endRemoveRows()
