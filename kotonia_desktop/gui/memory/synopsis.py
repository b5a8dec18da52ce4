"""The story so far: the texts of all parts joined, their openings first and all of them when asked for."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kotonia_desktop.gui.fonts import reading_font
from kotonia_desktop.gui.memory.item_row import SHARE
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import ChapterView

_OPENING = 2
"""Sentences of each part that are shown at first."""
_MOST = 400
"""Letters that are shown at first: a glance, not a page. A letter of Chinese or Japanese counts as two."""


class Synopsis(QWidget):
    """Shown only where there are parts."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts: list[ChapterView] = []
        self.title = plain_label("strong", self)
        self.words = plain_label("soft", self)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.more = Word(theme, "accent", self, in_row=False)
        self.more.use_small_font()
        self.more.setCheckable(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(4)
        for widget in (self.title, self.words):
            widget.setContentsMargins(PAD, 0, 0, 0)
            column.addWidget(widget)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.more.toggled.connect(self._show)
        theme.changed.connect(self._show)

    def text(self) -> str:
        """What is shown of the story."""
        return self.words.text()

    def show_texts(self, story: Sequence[ChapterView]) -> None:
        """The story's texts; those that are parts are told here."""
        parts = [text for text in story if text.chapter.level]
        if not parts:
            self.more.setChecked(False)
        self._parts = parts
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._parts))
        if not self._parts:
            return
        language = self._parts[0].chapter.language
        whole = "\n\n".join(_joint(language).join(_sentences(part)) for part in self._parts)
        short = _opening(self._parts, language)
        self.title.setText(translate("Memory", "The story so far"))
        self.words.setFont(reading_font(language, round(self._theme.scale * SHARE)))
        opened = self.more.isChecked()
        self.words.setText(whole if opened else short)
        self.more.setVisible(short.endswith(" …"))
        self.more.say(translate("Memory", "Show less") if opened else translate("Memory", "Read all"))


def _sentences(part: ChapterView) -> list[str]:
    return [item.text for item in part.chapter.items]


def _joint(language: str) -> str:
    return " " if language == "en" else ""


def _opening(parts: Sequence[ChapterView], language: str) -> str:
    """The first sentences of the parts, oldest first, whole ones only; "…" where that is not all."""
    most = _MOST if language == "en" else _MOST // 2
    wanted = [sentence for part in parts for sentence in _sentences(part)[:_OPENING]]
    taken: list[str] = []
    while wanted and (not taken or sum(map(len, taken)) + len(wanted[0]) <= most):
        taken.append(wanted.pop(0))
    is_all = not wanted and all(len(part.chapter.items) <= _OPENING for part in parts)
    return _joint(language).join(taken) + ("" if is_all else " …")
