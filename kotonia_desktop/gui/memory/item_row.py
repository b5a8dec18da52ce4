"""One sentence of a text, the messages it was made from, and what became of them."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from kotonia_desktop.domain.hand import UNTOUCHED, Hand, Target
from kotonia_desktop.domain.memory import Item, ItemState, Truth
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.fonts import reading_font
from kotonia_desktop.gui.memory.flow import Flow
from kotonia_desktop.gui.memory.item_acts import ItemActs, offered, touched_words
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label

SHARE = 0.9
"""Size of a sentence against the conversation's text."""


class ItemRow(QWidget):
    """A sentence in the conversation's font; each number below it leads to its message."""

    jump_asked = Signal(int)
    asked = Signal(object)

    def __init__(
        self, theme: Theme, item: Item, language: str, parent: QWidget | None = None, hand: Hand = UNTOUCHED
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._item = item
        self._language = language
        self.words = plain_label("", self)
        self._set_font()
        shown = item.text if hand.text is None else hand.text
        self.words.setText(shown)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setContentsMargins(PAD, 0, 0, 0)
        self.links: list[Word] = []
        numbers = Flow()
        for ordinal in item.ordinals:
            link = Word(theme, "link", self)
            link.use_small_font()
            link.setProperty("ordinal", ordinal)
            link.setEnabled(item.state is not ItemState.GONE)
            link.clicked.connect(self._on_jump)
            self.links.append(link)
            numbers.addWidget(link)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(0)
        column.addWidget(self.words)
        column.addLayout(numbers)
        self.note: QLabel | None = None
        """What became of its messages; most are as they were."""
        if item.state is not ItemState.VALID:
            self.note = plain_label("quiet", self)
            self.note.setContentsMargins(PAD, 0, 0, 0)
            column.addWidget(self.note)
        self._hand = hand
        self.touched: QLabel | None = None
        """What the user did to it."""
        if hand.locked or hand.leaves or hand.truth is not None:
            self.touched = plain_label("quiet", self)
            self.touched.setContentsMargins(PAD, 0, 0, 0)
            column.addWidget(self.touched)
        self._offered = offered(Target.ITEM, hand, is_fact=item.truth is Truth.FACT)
        self._shown = shown
        self.acts: ItemActs | None = None
        """What can be done to it, once that was asked for."""
        self.change = Word(theme, "text_quiet", self)
        self.change.use_small_font()
        self.change.clicked.connect(self._on_change)
        numbers.addWidget(self.change)
        self._column = column
        theme.changed.connect(self._set_font)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        if self.note is not None:
            self.note.setText(memory_texts.item_note(self._item))
        words = translate("Memory", "Change…")
        self.change.say(words, f"{words} {self._shown}")
        if self.touched is not None:
            self.touched.setText(touched_words(self._hand))
        for link in self.links:
            number = int(link.property("ordinal")) + 1
            link.say(f"#{number}", translate("Memory", "Go to message {number}").format(number=number))

    def _on_change(self) -> None:
        if self.acts is None:
            self.acts = ItemActs(self._theme, Target.ITEM, self._item.id, self._offered, self._shown, self)
            self.acts.asked.connect(self.asked)
            self._column.addWidget(self.acts)
        else:
            self.acts.deleteLater()
            self.acts = None

    def _set_font(self) -> None:
        self.words.setFont(reading_font(self._language, round(self._theme.scale * SHARE)))

    def _on_jump(self) -> None:
        self.jump_asked.emit(int(self.sender().property("ordinal")))
