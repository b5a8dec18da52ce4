"""Loose ends: what is open, what may be settled, what is. One click decides."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kotonia_desktop.domain.hand import Target
from kotonia_desktop.domain.threads import ThreadState
from kotonia_desktop.gui.fonts import reading_font
from kotonia_desktop.gui.memory.flow import Flow
from kotonia_desktop.gui.memory.item_acts import ItemActs, offered
from kotonia_desktop.gui.memory.note_view import SHARE
from kotonia_desktop.gui.memory.requests import Settle
from kotonia_desktop.gui.memory.row import Row
from kotonia_desktop.gui.memory.row_column import RowColumn
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.sources import QT_TRANSLATE_NOOP
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import RememberedView, ThreadView

_STATES = {
    ThreadState.OPEN: ("◇", QT_TRANSLATE_NOOP("Memory", "Open")),
    ThreadState.DORMANT: ("◌", QT_TRANSLATE_NOOP("Memory", "Asleep")),
    ThreadState.CLOSED: ("◈", QT_TRANSLATE_NOOP("Memory", "Settled")),
}
_ORDER = list(_STATES)


class MatterRow(Row):
    """A matter's first words; opened, where it was opened and settled, and what can be done."""

    jump_asked = Signal(int)
    asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: ThreadView | None = None
        self._language = "en"
        self._open = False
        self.title = Word(theme, "text", self, wide=True)
        self.title.clicked.connect(self.toggle)
        self.inside: QWidget | None = None
        self.words: dict[str, Word] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 2, 0, 2)
        self._column.setSpacing(2)
        self._column.addWidget(self.title)

    @property
    def is_held(self) -> bool:
        """Open."""
        return self._open

    def close_row(self) -> None:
        """Show the first words alone."""
        self._open = False
        self._fill()

    def toggle(self) -> None:
        """Open, or close."""
        self._open = not self._open
        self._fill()
        self.height_changed.emit()

    def show_matter(self, view: ThreadView, language: str) -> None:
        """Show a matter."""
        self._view, self._language = view, language
        self._fill()

    def _fill(self) -> None:
        if self.inside is not None:
            self.inside.deleteLater()
            self.inside = None
        view = self._view
        if view is None:
            return
        sign, state = _STATES[view.state]
        asks = "? " if view.doubt is not None and view.state is not ThreadState.CLOSED else ""
        title = view.thread.title if view.hand.text is None else view.hand.text
        self.title.say(f"{sign} {asks}{title}", f"{translate('Memory', state)}: {title}")
        if self._open:
            self.inside = self._made_inside(view, title)
            self._column.addWidget(self.inside)

    def _made_inside(self, view: ThreadView, title: str) -> QWidget:
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(1)
        whole = plain_label("", inside)
        whole.setFont(reading_font(self._language, round(self._theme.scale * SHARE)))
        whole.setText(title)
        whole.setContentsMargins(PAD, 0, 0, 0)
        column.addWidget(whole)
        state = plain_label("quiet", inside)
        words = [translate("Memory", _STATES[view.state][1])]
        words += [translate("Memory", "hidden")] if view.hand.hidden else []
        words += [translate("Memory", "in use")] if view.in_head else []
        state.setText(" · ".join(words))
        state.setContentsMargins(PAD, 0, 0, 0)
        column.addWidget(state)
        flow = Flow()
        for event in view.thread.events:
            if event.ordinal is not None and not event.by_user:
                link = Word(self._theme, "link", inside)
                link.use_small_font()
                link.setProperty("ordinal", event.ordinal)
                name = translate("Memory", "Go to message {number}").format(number=event.ordinal + 1)
                link.say(f"#{event.ordinal + 1}", name)
                link.clicked.connect(self._on_jump)
                flow.addWidget(link)
        column.addLayout(flow)
        if view.doubt is not None and view.state is not ThreadState.CLOSED:
            doubt = plain_label("quiet", inside)
            doubt.setText(translate("Memory", "It may be settled: {text}").format(text=view.doubt.text))
            doubt.setContentsMargins(PAD, 0, 0, 0)
            column.addWidget(doubt)
        column.addLayout(self._decisions(view, title, inside))
        acts = ItemActs(
            self._theme, Target.THREAD, view.thread.id, offered(Target.THREAD, view.hand, is_fact=True), title, inside
        )
        acts.asked.connect(self.asked)
        column.addWidget(acts)
        return inside

    def _decisions(self, view: ThreadView, title: str, parent: QWidget) -> Flow:
        flow = Flow()
        self.words = {}
        offers: list[tuple[str, bool]] = []
        if view.state is ThreadState.CLOSED:
            offers = [(translate("Memory", "Not settled after all"), False)]
        elif view.doubt is not None:
            offers = [(translate("Memory", "Yes, settled"), True), (translate("Memory", "Not yet"), False)]
        else:
            offers = [(translate("Memory", "Settled"), True)]
        for name, settled in offers:
            word = Word(self._theme, "link", parent)
            word.use_small_font()
            word.say(name, f"{name}: {title}")
            word.setProperty("settled", settled)
            word.clicked.connect(self._on_decided)
            self.words[name] = word
            flow.addWidget(word)
        return flow

    def _on_decided(self) -> None:
        if self._view is not None:
            self.asked.emit(Settle(self._view.thread.id, bool(self.sender().property("settled"))))

    def _on_jump(self) -> None:
        self.jump_asked.emit(int(self.sender().property("ordinal")))


class MattersPage(QWidget):
    """Shows a `RememberedView`'s threads: open ones first, the newest on top."""

    jump_asked = Signal(int)
    asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._threads: list[ThreadView] = []
        self._language = "en"
        self.empty = plain_label("soft", self)
        self.column = RowColumn(self._make_row, self._fill_row, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 20)
        column.setSpacing(8)
        column.addWidget(self.empty)
        column.addWidget(self.column)
        column.addStretch(1)
        self.retranslate()

    @property
    def rows(self) -> list[MatterRow]:
        """The rows that are made."""
        return [row for row in self.column.rows if isinstance(row, MatterRow)]

    def show_remembered(self, view: RememberedView | None, language: str) -> None:
        """The matters; None for none."""
        self._language = language
        threads = view.threads if view is not None else ()
        self._threads = sorted(threads, key=lambda t: (_ORDER.index(t.state), t.doubt is None, -t.thread.id))
        self.column.set_keys([thread.thread.id for thread in self._threads])
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.empty.setVisible(not self._threads)
        self.empty.setText(translate("Memory", "No loose ends. What is promised, owed or looked for is kept here."))

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.column.set_keys([thread.thread.id for thread in self._threads])
            self.retranslate()
        super().changeEvent(event)

    def _make_row(self, parent: QWidget) -> Row:
        row = MatterRow(self._theme, parent)
        row.jump_asked.connect(self.jump_asked)
        row.asked.connect(self.asked)
        return row

    def _fill_row(self, row: Row, place: int) -> None:
        if isinstance(row, MatterRow):
            row.show_matter(self._threads[place], self._language)
