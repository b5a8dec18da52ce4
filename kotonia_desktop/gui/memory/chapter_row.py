"""A chapter or part in the memory: its title, the messages it stands for, its sentences when it is opened."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kotonia_desktop.domain.hand import UNTOUCHED, Hand
from kotonia_desktop.domain.memory import Fold
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.fonts import ui_font
from kotonia_desktop.gui.memory.flow import Flow
from kotonia_desktop.gui.memory.item_row import ItemRow
from kotonia_desktop.gui.memory.row import Row
from kotonia_desktop.gui.memory.title_editor import TitleEditor
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import ChapterView

_TITLE_PX = 14
_RAIL = 3
_INDENT = 9


@dataclass(frozen=True, slots=True)
class Told:
    """A text as the story tells it: with the fold it came from, and the texts it was made of."""

    view: ChapterView
    fold: Fold | None = None
    inner: "tuple[Told, ...]" = ()
    hands: tuple[tuple[int, Hand], ...] = ()
    """What the user did to its sentences, by their ids."""

    def hand(self, item_id: int) -> Hand:
        """What the user did to a sentence."""
        return dict(self.hands).get(item_id, UNTOUCHED)

    def has_shape_of(self, other: "Told") -> bool:
        """True where the same sentences and rows are to be shown; a title may be another."""
        mine, theirs = self.view.chapter, other.view.chapter
        inner = [told.view.chapter.id for told in self.inner] == [told.view.chapter.id for told in other.inner]
        return mine.id == theirs.id and mine.items == theirs.items and self.hands == other.hands and inner

    def holds(self, chapter_id: int) -> bool:
        """True for the text itself and for what it was made of."""
        return self.view.chapter.id == chapter_id or any(told.holds(chapter_id) for told in self.inner)


class ChapterRow(Row):
    """A text that can be opened. Its sentences are made when it is opened."""

    jump_asked = Signal(int)
    rename_asked = Signal(int, str)
    asked = Signal(object)
    log_asked = Signal(int)
    """How it was written: the fold with this id."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._told: Told | None = None
        self._renaming = False
        self.item_rows: list[ItemRow] = []
        self.inner_rows: list[ChapterRow] = []
        self._inside: QWidget | None = None
        self.title = Word(theme, "text", self, wide=True)
        self.title.setCheckable(True)
        self.where = Word(theme, "link", self)
        self.where.use_small_font()
        self.note = plain_label("quiet", self, wrap=False)
        self._editor: TitleEditor | None = None
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2)
        line.addWidget(self.where)
        line.addWidget(self.note)
        line.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(_INDENT, 2, 0, 6)
        self._column.setSpacing(0)
        self._column.addWidget(self.title)
        self._column.addLayout(line)
        self.title.toggled.connect(self._on_toggled)
        self.where.clicked.connect(self._on_where)

    @property
    def view(self) -> ChapterView | None:
        """What is shown."""
        return self._told.view if self._told is not None else None

    @property
    def editor(self) -> TitleEditor:
        """The field in which the title is edited; made when it is used first."""
        if self._editor is None:
            self._editor = TitleEditor(self)
            self._editor.hide()
            self._column.insertWidget(1, self._editor)
            self._editor.saved.connect(self._on_saved)
            self._editor.left.connect(self._on_left)
        return self._editor

    @property
    def is_held(self) -> bool:
        """True while it is open or its title is edited."""
        return self.title.isChecked() or self._renaming

    def show_text(self, told: Told) -> None:
        """Show a text."""
        if told == self._told:
            return
        before, self._told = self._told, told
        if before is None or before.view.chapter.language != told.view.chapter.language:
            self.title.setFont(ui_font(told.view.chapter.language, _TITLE_PX, bold=True))
        if self.title.isChecked():
            self._fill(before)
        self.retranslate()

    def open(self, chapter_id: int | None = None) -> "ChapterRow | None":
        """Show its sentences, or those of a text inside; returns the row of the one that was asked for."""
        told = self._told
        if told is None or (chapter_id is not None and not told.holds(chapter_id)):
            return None
        self.title.setChecked(True)
        if chapter_id is None or chapter_id == told.view.chapter.id:
            return self
        return next((found for row in self.inner_rows if (found := row.open(chapter_id)) is not None), None)

    def close_row(self) -> None:
        """Close it; it will show another text."""
        self._end_renaming()
        self.title.setChecked(False)
        self._told = None

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        view = self.view
        if view is None:
            return
        name = memory_texts.chapter_line(view)
        opened = self.title.isChecked()
        self.title.say(f"{'▾' if opened else '▸'} {name}", name)
        self.title.setAccessibleDescription(
            translate("Memory", "Hides its sentences") if opened else translate("Memory", "Shows its sentences")
        )
        where = memory_texts.span(view.chapter.first_ordinal, view.chapter.last_ordinal)
        self.where.say(where, translate("Memory", "Go to {where}").format(where=where))
        unused = translate("Memory", "not in use")
        self.note.setText("" if view.chapter.in_head or view.chapter.merged_into is not None else f"· {unused}")
        if self._inside is not None:
            self._say_inside(view)

    def start_renaming(self) -> None:
        """Edit the title where it stands."""
        view = self.view
        if view is not None:
            self._renaming = True
            name = memory_texts.chapter_line(view)
            editor = self.editor
            editor.setFont(ui_font(view.chapter.language, _TITLE_PX))
            editor.setAccessibleName(translate("Memory", "Title of {chapter}").format(chapter=name))
            editor.setText(view.chapter.title)
            self.title.hide()
            editor.show()
            editor.setFocus()
            editor.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 renames."""
        if event.key() == Qt.Key.Key_F2:
            self.start_renaming()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line at the left: a chapter stands for messages."""
        view = self.view
        tokens = self._theme.tokens
        used = view is not None and view.chapter.in_head
        with QPainter(self) as painter:
            rail = QRectF(0, 4, _RAIL, self.height() - 8)
            painter.fillRect(rail, QColor(tokens.accent if used else tokens.line_strong))

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _fill(self, before: Told | None = None) -> None:
        """Make the sentences, the lines about them, and the rows of the texts it was made of."""
        told = self._told
        if told is None:
            return
        if self._inside is not None and before is not None and before.has_shape_of(told):
            for inside, inner in zip(self.inner_rows, told.inner, strict=True):
                inside.show_text(inner)
            return
        self._empty()
        theme, chapter = self._theme, told.view.chapter
        self._inside = QWidget(self)
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(2)
        for item in chapter.items:
            row = ItemRow(theme, item, chapter.language, self._inside, told.hand(item.id))
            row.jump_asked.connect(self.jump_asked)
            row.asked.connect(self.asked)
            self.item_rows.append(row)
            column.addWidget(row)
        self.written = plain_label("quiet", self._inside)
        self.written.setContentsMargins(PAD, 4, 0, 0)
        self.rename = Word(theme, "accent", self._inside)
        self.where_from = Word(theme, "accent", self._inside)
        self.where_from.setVisible(told.fold is not None)
        acts = Flow(6)
        for act in (self.rename, self.where_from):
            act.use_small_font()
            acts.addWidget(act)
        self.rename.clicked.connect(self.start_renaming)
        self.where_from.clicked.connect(self._on_where_from)
        column.addWidget(self.written)
        column.addLayout(acts)
        for inner in told.inner:
            inside = ChapterRow(theme, self._inside)
            inside.show_text(inner)
            inside.jump_asked.connect(self.jump_asked)
            inside.rename_asked.connect(self.rename_asked)
            inside.log_asked.connect(self.log_asked)
            inside.asked.connect(self.asked)
            self.inner_rows.append(inside)
            column.addWidget(inside)
        self._column.addWidget(self._inside)
        self._inside.show()

    def _say_inside(self, view: ChapterView) -> None:
        fold = self._told.fold if self._told is not None else None
        self.written.setText(memory_texts.written_line(view.chapter, fold))
        self.rename.say(translate("Memory", "Rename"))
        self.where_from.say(translate("Memory", "Where from"), translate("Memory", "Where from: show it in the log"))
        if self.where_from.isHidden() is not (fold is None):  # showing what is shown costs a layout of all
            self.where_from.setVisible(fold is not None)
        rows: Sequence[ItemRow | ChapterRow] = (*self.item_rows, *self.inner_rows)
        for row in rows:
            row.retranslate()

    def _empty(self) -> None:
        if self._inside is not None:
            self._inside.hide()
            self._column.removeWidget(self._inside)
            self._inside.deleteLater()
        self._inside = None
        self.item_rows, self.inner_rows = [], []

    def _on_toggled(self, opened: bool) -> None:
        if opened:
            self._fill()
        else:
            self._empty()
        self.retranslate()

    def _on_where(self) -> None:
        if self.view is not None:
            self.jump_asked.emit(self.view.chapter.first_ordinal)

    def _on_where_from(self) -> None:
        if self._told is not None and self._told.fold is not None:
            self.log_asked.emit(self._told.fold.id)

    def _on_saved(self, title: str) -> None:
        view = self.view
        self._on_left()
        if view is not None and title.strip() and title.strip() != view.chapter.title:
            self.rename_asked.emit(view.chapter.id, title.strip())

    def _on_left(self) -> None:
        self._end_renaming()
        self.title.setFocus()

    def _end_renaming(self) -> None:
        if self._renaming:
            self._renaming = False
            self.editor.hide()
            self.title.show()
