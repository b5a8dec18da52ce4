"""A chapter or part in the memory: its title, the messages it stands for, its sentences when it is opened."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.memory import Fold, Item, ItemState
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.fonts import reading_font
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.widgets import button, plain_label, say
from kotonia_desktop.services.memory_views import ChapterView

_TITLE_LETTERS = 80


class TitleEditor(QLineEdit):
    """Edits a title: Enter saves, Esc leaves; an input method's Enter belongs to the input method."""

    saved = Signal(str)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc end the editing."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.saved.emit(self.text())
            return
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


class ItemRow(QWidget):
    """One sentence, the messages it was made from, and what became of them."""

    jump_asked = Signal(int)

    def __init__(self, item: Item, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._item = item
        self.words = plain_label("", self)
        self.words.setFont(reading_font(language, 90))
        self.words.setText(item.text)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note = plain_label("quiet", self)
        self.links: list[QPushButton] = []
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        for ordinal in item.ordinals:
            link = button("link", self)
            link.setProperty("ordinal", ordinal)
            link.clicked.connect(self._on_jump)
            self.links.append(link)
            row.addWidget(link)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 2, 0, 4)
        column.setSpacing(0)
        column.addWidget(self.words)
        column.addLayout(row)
        column.addWidget(self.note)
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        note = memory_texts.item_note(self._item)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        gone = self._item.state is ItemState.GONE
        for link in self.links:
            number = int(link.property("ordinal")) + 1
            link.setText(f"#{number}")
            link.setEnabled(not gone)
            link.setAccessibleName(translate("Memory", "Go to message {number}").format(number=number))

    def _on_jump(self) -> None:
        self.jump_asked.emit(int(self.sender().property("ordinal")))


class ChapterRow(QWidget):
    """A text that can be opened. Its sentences are made when it is opened first."""

    jump_asked = Signal(int)
    rename_asked = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: ChapterView | None = None
        self._fold: Fold | None = None
        self._inner: tuple[tuple[ChapterView, Fold | None], ...] = ()
        self._filled = False
        self.title = button("link", self)
        self.title.setCheckable(True)
        self.where = button("link", self)
        self.editor = TitleEditor(self)
        self.editor.setMaxLength(_TITLE_LETTERS)
        self.editor.hide()
        self.rename = button("link", self)
        self.written = plain_label("quiet", self)
        self._inside = QWidget(self)
        self._inside.hide()
        self._items = QVBoxLayout(self._inside)
        self._items.setContentsMargins(0, 0, 0, 0)
        self._items.setSpacing(2)
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 0, 0, 0)
        foot.addWidget(self.rename)
        foot.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(1)
        column.addWidget(self.title)
        column.addWidget(self.editor)
        line = QHBoxLayout()
        line.setContentsMargins(7, 0, 0, 0)
        line.addWidget(self.where)
        line.addStretch(1)
        column.addLayout(line)
        column.addWidget(self._inside)
        self.item_rows: list[ItemRow] = []
        self.inner_rows: list[ChapterRow] = []
        self._items.addLayout(foot)
        self._items.addWidget(self.written)
        self.written.setContentsMargins(14, 0, 0, 0)
        self.title.toggled.connect(self._on_toggled)
        self.where.clicked.connect(self._on_where)
        self.rename.clicked.connect(self.start_renaming)
        self.editor.saved.connect(self._on_saved)
        self.editor.left.connect(self._on_left)

    @property
    def view(self) -> ChapterView | None:
        """What is shown."""
        return self._view

    def show_text(
        self, view: ChapterView, fold: Fold | None, inner: Sequence[tuple[ChapterView, Fold | None]] = ()
    ) -> None:
        """Show a text; `inner` are the texts it was made of."""
        if (view, fold, tuple(inner)) == (self._view, self._fold, self._inner):
            return
        self._view, self._fold, self._inner = view, fold, tuple(inner)
        self._filled = False
        if self.title.isChecked():
            self._fill()
        self.retranslate()

    def open(self) -> None:
        """Show its sentences."""
        self.title.setChecked(True)

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        view = self._view
        if view is None:
            return
        name = memory_texts.chapter_line(view)
        opened = self.title.isChecked()
        self.title.setText(f"{'▾' if opened else '▸'} {name}".replace("&", "&&"))
        self.title.setAccessibleName(name)
        self.title.setAccessibleDescription(
            translate("Memory", "Hides its sentences") if opened else translate("Memory", "Shows its sentences")
        )
        where = memory_texts.span(view.chapter.first_ordinal, view.chapter.last_ordinal)
        unused = translate("Memory", "not in use")
        words = where if view.chapter.in_head else f"{where} · {unused}"
        self.where.setText(words)
        self.where.setAccessibleName(translate("Memory", "Go to {where}").format(where=where))
        self.written.setText(memory_texts.written_line(view.chapter, self._fold))
        say(self.rename, translate("Memory", "Rename"))
        self.editor.setAccessibleName(translate("Memory", "Title of {chapter}").format(chapter=name))
        for item_row in self.item_rows:
            item_row.retranslate()
        for inner in self.inner_rows:
            inner.retranslate()

    def start_renaming(self) -> None:
        """Edit the title where it stands."""
        if self._view is not None:
            self.editor.setText(self._view.chapter.title)
            self.title.hide()
            self.editor.show()
            self.editor.setFocus()
            self.editor.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 renames."""
        if event.key() == Qt.Key.Key_F2:
            self.start_renaming()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _fill(self) -> None:
        view = self._view
        if view is None or self._filled:
            return
        self._filled = True
        for old in (*self.item_rows, *self.inner_rows):
            old.deleteLater()
        self.item_rows, self.inner_rows = [], []
        for place, item in enumerate(view.chapter.items):
            row = ItemRow(item, view.chapter.language, self._inside)
            row.jump_asked.connect(self.jump_asked)
            self.item_rows.append(row)
            self._items.insertWidget(place, row)
        for inner, fold in self._inner:
            inside = ChapterRow(self._inside)
            inside.setContentsMargins(14, 0, 0, 0)
            inside.show_text(inner, fold)
            inside.jump_asked.connect(self.jump_asked)
            inside.rename_asked.connect(self.rename_asked)
            self.inner_rows.append(inside)
            self._items.addWidget(inside)

    def _on_toggled(self, opened: bool) -> None:
        if opened:
            self._fill()
        self._inside.setVisible(opened)
        self.retranslate()

    def _on_where(self) -> None:
        if self._view is not None:
            self.jump_asked.emit(self._view.chapter.first_ordinal)

    def _on_saved(self, title: str) -> None:
        view = self._view
        self._on_left()
        if view is not None and title.strip() and title.strip() != view.chapter.title:
            self.rename_asked.emit(view.chapter.id, title.strip())

    def _on_left(self) -> None:
        self.editor.hide()
        self.title.show()
        self.title.setFocus()
