"""The memory's panel: the story as it is remembered, people, loose ends, kept lines, what the model sees, the log."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QTabWidget, QToolButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.messages import FormatRate, GenerationStats
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.gui import memory_texts
from kotonia_desktop.gui.memory.kept_page import KeptPage
from kotonia_desktop.gui.memory.log_page import LogPage
from kotonia_desktop.gui.memory.matters_page import MattersPage
from kotonia_desktop.gui.memory.people_page import PeoplePage
from kotonia_desktop.gui.memory.section_row import SectionRow
from kotonia_desktop.gui.memory.sees_page import SeesPage
from kotonia_desktop.gui.memory.story_page import StoryPage
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import FoldStatus, MemoryLog, MemoryView, RememberedView
from kotonia_desktop.services.views import PromptView

LEAST_WIDTH = 320
WIDTH = 400
_LOG = 5
"""The log's place among the tabs."""


class MemoryPanel(QWidget):
    """Stands at the right of the page."""

    close_asked = Signal()
    jump_asked = Signal(int)
    """To the message with this ordinal."""
    rename_asked = Signal(int, str)
    fold_now_asked = Signal()
    asked = Signal(object)
    """A `requests.Request`: something is to be changed in the memory."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status: FoldStatus | None = None
        self.setProperty("panel", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(LEAST_WIDTH)
        self._title = plain_label("heading", self, wrap=False)
        self.state = plain_label("quiet", self)
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.close_button = QToolButton(self)
        self.close_button.setText("✕")
        self.close_button.setMinimumSize(28, 28)
        self.story = StoryPage(theme)
        self.people = PeoplePage(theme)
        self.matters = MattersPage(theme)
        self.kept = KeptPage(theme)
        self.sees = SeesPage(theme)
        self.log = LogPage(theme)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(True)
        for page in (self.story, self.people, self.matters, self.kept, self.sees, self.log):
            self.tabs.addTab(_scrolled(page), "")
        head = QHBoxLayout()
        head.setContentsMargins(20, 14, 12, 6)
        head.setSpacing(8)
        head.addWidget(self._title)
        head.addWidget(self.state, 1)
        head.addWidget(self.close_button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(self.tabs, 1)
        self.close_button.clicked.connect(self.close_asked)
        self.story.jump_asked.connect(self.jump_asked)
        self.story.rename_asked.connect(self.rename_asked)
        self.story.fold_now_asked.connect(self.fold_now_asked)
        self.story.log_asked.connect(self.open_fold)
        self.story.asked.connect(self.asked)
        for page in (self.people, self.matters, self.kept):
            page.jump_asked.connect(self.jump_asked)
            page.asked.connect(self.asked)
        self.log.jump_asked.connect(self.jump_asked)
        self.setFocusProxy(self.close_button)
        self.retranslate()

    @property
    def sections(self) -> list[SectionRow]:
        """The rows of what the model sees, in its order."""
        return self.sees.sections

    def show_prompt(self, view: PromptView | None) -> None:
        """What the model sees now."""
        self.sees.show_prompt(view)

    def show_figures(self, model: LoadedModel | None, stats: GenerationStats | None, rate: FormatRate) -> None:
        """The model, what its last reply cost, how its replies keep to the format."""
        self.sees.show_figures(model, stats, rate)

    def show_memory(self, view: MemoryView | None, log: MemoryLog) -> None:
        """What is remembered, and how it was written."""
        self.story.show_memory(view, log)
        self.log.show_log(log, view)

    def show_remembered(self, view: RememberedView | None, language: str, persona: str) -> None:
        """What is remembered beside the story; None for nothing. `persona` is the user's name in it."""
        self.story.show_remembered(view)
        self.people.show_remembered(view, language, persona)
        self.matters.show_remembered(view, language)
        self.kept.show_remembered(view, language)

    def show_status(self, status: FoldStatus | None) -> None:
        """What the chronicler is doing."""
        self._status = status
        self.story.show_status(status)
        self._show_state()

    def open_chapter(self, chapter_id: int) -> None:
        """Show a chapter's sentences."""
        self.tabs.setCurrentIndex(0)
        row = self.story.open_chapter(chapter_id)
        if row is not None:
            row.title.setFocus(Qt.FocusReason.TabFocusReason)

    def open_fold(self, fold_id: int) -> None:
        """Show in the log how a text was written."""
        self.tabs.setCurrentIndex(_LOG)
        self.log.open_fold(fold_id)

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self._title.setText(translate("Window", "Memory"))
        self.close_button.setAccessibleName(translate("Memory", "Close the memory"))
        self.close_button.setToolTip(translate("Memory", "Close the memory") + " (Ctrl+M)")
        names = (
            translate("Memory", "Story"),
            translate("Memory", "People"),
            translate("Memory", "Loose ends"),
            translate("Memory", "Kept"),
            translate("Memory", "What the model sees"),
            translate("Memory", "Log"),
        )
        for number, name in enumerate(names):
            self.tabs.setTabText(number, name)
        self.tabs.tabBar().setAccessibleName(translate("Memory", "Parts of the memory"))
        self._show_state()

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _show_state(self) -> None:
        words = memory_texts.state_line(self._status)
        self.state.setText(words)
        self.state.setVisible(bool(words))


def _scrolled(page: QWidget) -> QScrollArea:
    page.setProperty("panel", "clear")
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(page)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area
