"""Over the page: the conversation's title, who is in it, and the word that opens the memory."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from kotonia_desktop.gui.fonts import ui_font
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.transcript.blocks import Column

HEIGHT = 68


class Header(QWidget):
    """Title and people of the open conversation, in line with the page's column."""

    memory_asked = Signal()
    options_asked = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ""
        self._people = ("", "", 0)
        self._scale = 100
        self.setFixedHeight(HEIGHT + 1)
        self.title = QLabel(self)
        self.people = QLabel(self)
        for label, kind in ((self.title, "heading"), (self.people, "quiet")):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setProperty("kind", kind)
        self.memory = QPushButton(self)
        self.memory.setProperty("kind", "link")
        self.memory.setCheckable(True)
        self.options = QToolButton(self)
        self.options.setText("⋯")
        self.options.setMinimumSize(28, 28)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addWidget(self.title)
        words.addWidget(self.people)
        words.addStretch(1)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(24, 0, 24, 0)
        self._row.addLayout(words, 1)
        self._row.addWidget(self.options, 0, Qt.AlignmentFlag.AlignVCenter)
        self._row.addWidget(self.memory, 0, Qt.AlignmentFlag.AlignVCenter)
        line = QFrame(self)
        line.setProperty("panel", "line")
        line.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._row, 1)
        column.addWidget(line)
        self.memory.clicked.connect(self.memory_asked)
        self.options.clicked.connect(self._on_options)
        self.retranslate()

    def show_conversation(self, title: str, character: str, persona: str, messages: int, language: str) -> None:
        """Whose conversation this is."""
        self._title = title
        self._people = (character, persona, messages)
        self.title.setFont(ui_font(language, 16, bold=True))
        self.retranslate()

    def set_memory_open(self, is_open: bool) -> None:
        """Whether the memory stands beside the page."""
        self.memory.setChecked(is_open)

    def align(self, page_width: int, scale: int) -> None:
        """Stand over the column of a page that is `page_width` wide."""
        column = Column.within(page_width, scale)
        self._row.setContentsMargins(column.left, 0, max(12, self.width() - column.left - column.width - 6), 0)

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        character, persona, messages = self._people
        self.title.setText(self._title)
        people = translate("Window", "{character} and you ({persona})").format(character=character, persona=persona)
        count = translate("Window", "%n messages", "", messages)
        self.people.setText(f"{people} · {count}" if character else "")
        self.memory.setText(translate("Window", "Memory") + "  Ctrl+M")
        self.memory.setAccessibleName(translate("Window", "Memory"))
        self.options.setAccessibleName(translate("Window", "This conversation"))
        self.options.setToolTip(translate("Window", "This conversation"))

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _on_options(self) -> None:
        self.options_asked.emit(self.options.mapToGlobal(QPoint(0, self.options.height())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the long title from pushing the window wide."""
        self.title.setMinimumWidth(40)
        self.people.setMinimumWidth(40)
        super().resizeEvent(event)
