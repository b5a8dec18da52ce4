"""One note of the ledger: its words, how it stands (a sign and a word), where it is from, what can be done to it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from kotonia_desktop.domain.hand import Target
from kotonia_desktop.domain.ledger import LedgerRow, Note, Standing
from kotonia_desktop.domain.memory import ItemState
from kotonia_desktop.gui.fonts import reading_font
from kotonia_desktop.gui.memory.flow import Flow
from kotonia_desktop.gui.memory.item_acts import ItemActs, offered
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.sources import QT_TRANSLATE_NOOP
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import RememberedView

SHARE = 0.9
_STANDINGS = {
    Standing.KNOWN: ("●", QT_TRANSLATE_NOOP("Memory", "Known")),
    Standing.OWN_WORD: ("◆", QT_TRANSLATE_NOOP("Memory", "Your word")),
    Standing.TOLD: ("○", QT_TRANSLATE_NOOP("Memory", "Told you")),
    Standing.CONFIRMED: ("◉", QT_TRANSLATE_NOOP("Memory", "Told you, confirmed")),
    Standing.SIDES: ("◐", QT_TRANSLATE_NOOP("Memory", "Two sides")),
    Standing.CHANGED: ("↻", QT_TRANSLATE_NOOP("Memory", "Changed")),
    Standing.CORRECTED: ("◆", QT_TRANSLATE_NOOP("Memory", "Your word, corrected")),
    Standing.CARRIED: ("⇢", QT_TRANSLATE_NOOP("Memory", "Taken along")),
    Standing.FALSE: ("✕", QT_TRANSLATE_NOOP("Memory", "Not true")),
}


def standing_words(note: Note, persona: str) -> str:
    """How a note stands, with its sign. What the user's persona said was not told to the user."""
    sign, words = _STANDINGS[note.standing]
    if note.standing is Standing.TOLD and note.row.told_by == persona:
        own = translate("Memory", "You said")
        return f"{sign} {own}"
    named = translate("Memory", words)
    return f"{sign} {named}"


def note_lines(note: Note) -> list[str]:
    """The words of a note; two lines where something stands against it."""
    if note.other is None or note.standing is Standing.FALSE:
        return [note.text]
    if note.standing is Standing.SIDES:
        frames = translate("Memory", "On the surface: {text}"), translate("Memory", "In fact: {text}")
    else:
        frames = translate("Memory", "First: {text}"), translate("Memory", "Then: {text}")
    return [frames[0].format(text=note.text), frames[1].format(text=note.other.text)]


class NoteView(QWidget):
    """Shows a `Note`."""

    jump_asked = Signal(int)
    asked = Signal(object)

    def __init__(
        self, theme: Theme, note: Note, view: RememberedView, language: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.note = note
        self._persona = view.persona
        in_head = note.row.id in view.in_head
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 6)
        column.setSpacing(1)
        self.standing = plain_label("quiet", self)
        self.standing.setText(self._state(in_head))
        self.standing.setContentsMargins(PAD, 0, 0, 0)
        column.addWidget(self.standing)
        self.lines: list[QLabel] = []
        for words in note_lines(note):
            line = plain_label("", self)
            line.setFont(reading_font(language, round(theme.scale * SHARE)))
            line.setText(words)
            line.setContentsMargins(PAD, 0, 0, 0)
            line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.lines.append(line)
            column.addWidget(line)
        column.addLayout(self._sources(theme))
        acts = offered(Target.ROW, note.hand, is_fact=note.is_fact)
        self.acts = ItemActs(theme, Target.ROW, note.row.id, acts, note.text, self)
        self.acts.asked.connect(self.asked)
        column.addWidget(self.acts)

    def _state(self, in_head: bool) -> str:
        parts = [standing_words(self.note, self._persona)]
        if self.note.hand.locked:
            parts.append(translate("Memory", "in your words"))
        if self.note.row.state is ItemState.CHANGED:
            parts.append(translate("Memory", "its message was changed since"))
        if self.note.hand.hidden:
            parts.append(translate("Memory", "hidden"))
        elif in_head:
            parts.append(translate("Memory", "in use"))
        return " · ".join(parts)

    def _sources(self, theme: Theme) -> Flow:
        flow = Flow()
        rows: list[LedgerRow] = [self.note.row, *([self.note.other] if self.note.other is not None else [])]
        self.links: list[Word] = []
        for ordinal in dict.fromkeys(ordinal for row in rows for ordinal in row.ordinals):
            link = Word(theme, "link", self)
            link.use_small_font()
            link.setProperty("ordinal", ordinal)
            link.say(f"#{ordinal + 1}", translate("Memory", "Go to message {number}").format(number=ordinal + 1))
            link.clicked.connect(self._on_jump)
            self.links.append(link)
            flow.addWidget(link)
        if not self.links and self.note.row.receipt:
            receipt = plain_label("quiet", self)
            receipt.setText(self.note.row.receipt)
            receipt.setContentsMargins(PAD, 0, 0, 0)
            flow.addWidget(receipt)
        return flow

    def _on_jump(self) -> None:
        self.jump_asked.emit(int(self.sender().property("ordinal")))
