"""One entry of the memory's log: a fold with its attempts, or messages that left without a chapter."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from kotonia_desktop.domain.memory import Attempt, Fold, HeadState
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.fonts import ui_font
from kotonia_desktop.gui.memory.flow import Flow
from kotonia_desktop.gui.memory.row import Row
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label

_MOST_LINES = 12
_FRAME = 20
Entry = Fold | HeadState


class AttemptText(QPlainTextEdit):
    """What was written, as it was written: read, selected, copied, and as high as it needs within limits."""

    def __init__(self, text: str, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setProperty("kind", "reading")
        self.setFont(ui_font(language))
        self.setPlainText(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may need more lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        # A plain text field's document counts its height in lines.
        lines = min(max(round(self.document().size().height()), 1), _MOST_LINES)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + _FRAME)


class AttemptView(QWidget):
    """What was written in one attempt, and what became of it."""

    def __init__(self, attempt: Attempt, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._attempt = attempt
        self.verdict = plain_label("strong", self)
        self.figures = plain_label("quiet", self)
        self.text = AttemptText(attempt.text, language, self)
        self.text.setVisible(bool(attempt.text.strip()))
        column = QVBoxLayout(self)
        column.setContentsMargins(PAD, 4, 0, 4)
        column.setSpacing(2)
        for widget in (self.verdict, self.figures, self.text):
            column.addWidget(widget)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        verdict = memory_texts.attempt_verdict(self._attempt)
        self.verdict.setText(verdict)
        self.figures.setText(memory_texts.attempt_figures(self._attempt))
        self.text.setAccessibleName(verdict)


class FoldRow(Row):
    """An entry; opened, all that is known of it."""

    jump_asked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entry: Entry | None = None
        self._language = ""
        self._inside: QWidget | None = None
        self.attempts: list[AttemptView] = []
        self.title = Word(theme, "text", self, wide=True)
        self.title.setCheckable(True)
        self.figures = Word(theme, "text_quiet", self, wide=True)
        self.figures.use_small_font()
        self.figures.setEnabled(False)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 2, 0, 6)
        self._column.setSpacing(0)
        self._column.addWidget(self.title)
        self._column.addWidget(self.figures)
        self.title.toggled.connect(self._on_toggled)

    @property
    def fold(self) -> Fold | None:
        """The fold that is shown; None for messages that left."""
        return self._entry if isinstance(self._entry, Fold) else None

    @property
    def is_held(self) -> bool:
        """True while it is open."""
        return self.title.isChecked()

    def show_entry(self, entry: Entry, language: str) -> None:
        """Show an entry of a conversation in `language`."""
        if (entry, language) == (self._entry, self._language):
            return
        self._entry, self._language = entry, language
        if self.title.isChecked():
            self._empty()
            self._fill()
        self.retranslate()

    def open(self) -> None:
        """Show all that is known of it."""
        self.title.setChecked(True)

    def close_row(self) -> None:
        """Close it; it will show another entry."""
        self.title.setChecked(False)
        self._entry = None

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        entry = self._entry
        if entry is None:
            return
        line, figures = memory_texts.entry_line(entry), memory_texts.entry_figures(entry)
        opened = self.title.isChecked()
        self.title.say(f"{'▾' if opened else '▸'} {line}", f"{line}. {figures}")
        self.title.setAccessibleDescription(
            translate("Memory", "Hides how it went") if opened else translate("Memory", "Shows how it went")
        )
        self.figures.say(figures)
        if self._inside is not None:
            self._say_inside(entry)

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _fill(self) -> None:
        entry = self._entry
        if entry is None:
            return
        self._inside = QWidget(self)
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(14, 0, 0, 6)
        column.setSpacing(2)
        self.about = plain_label("quiet", self._inside)
        self.about.setContentsMargins(PAD, 0, 0, 0)
        self.where = Word(self._theme, "link", self._inside)
        self.where.use_small_font()
        self.where.clicked.connect(self._on_where)
        line = Flow()
        line.addWidget(self.where)
        column.addWidget(self.about)
        column.addLayout(line)
        for attempt in entry.attempts if isinstance(entry, Fold) else ():
            shown = AttemptView(attempt, self._language, self._inside)
            self.attempts.append(shown)
            column.addWidget(shown)
        self._column.addWidget(self._inside)
        self._inside.show()

    def _say_inside(self, entry: Entry) -> None:
        self.about.setText("\n".join(memory_texts.entry_details(entry)))
        where = memory_texts.entry_span(entry)
        self.where.say(translate("Memory", "Go to {where}").format(where=where))
        for attempt in self.attempts:
            attempt.retranslate()

    def _empty(self) -> None:
        if self._inside is not None:
            self._inside.hide()
            self._column.removeWidget(self._inside)
            self._inside.deleteLater()
        self._inside = None
        self.attempts = []

    def _on_toggled(self, opened: bool) -> None:
        if opened:
            self._fill()
        else:
            self._empty()
        self.retranslate()

    def _on_where(self) -> None:
        if isinstance(self._entry, Fold):
            self.jump_asked.emit(self._entry.first_ordinal)
        elif self._entry is not None and self._entry.until is not None:
            self.jump_asked.emit(self._entry.until)
