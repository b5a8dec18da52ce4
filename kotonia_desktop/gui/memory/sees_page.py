"""What the model sees now, part by part, and the figures of the last reply."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from kotonia_desktop.domain.messages import FormatRate, GenerationStats
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.memory.section_row import SectionRow
from kotonia_desktop.gui.memory_texts import window_line
from kotonia_desktop.gui.room_bar import RoomBar
from kotonia_desktop.gui.status_bar import last_turn_line
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.views import PromptView


class SeesPage(QWidget):
    """Shows a `PromptView`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: PromptView | None = None
        self._stats: GenerationStats | None = None
        self._model: LoadedModel | None = None
        self._rate = FormatRate()
        self._rows: list[SectionRow] = []
        self._legend = plain_label("quiet", self)
        self.room_words = plain_label("quiet", self)
        self._room = RoomBar(theme, self)
        self._figures_title = plain_label("strong", self)
        self.figures = plain_label("soft", self)
        self.figures.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._list = QVBoxLayout()
        self._list.setSpacing(4)
        line = QFrame(self)
        line.setProperty("panel", "line")
        line.setFixedHeight(1)
        room = QHBoxLayout()
        room.addWidget(self._room)
        room.addWidget(self.room_words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 8, 20, 20)
        column.setSpacing(8)
        column.addWidget(self._legend)
        column.addLayout(self._list)
        column.addLayout(room)
        column.addWidget(line)
        column.addWidget(self._figures_title)
        column.addWidget(self.figures)
        column.addStretch(1)
        self.retranslate()

    @property
    def sections(self) -> list[SectionRow]:
        """The rows, in the prompt's order."""
        return [row for row in self._rows if not row.isHidden()]

    def show_prompt(self, view: PromptView | None) -> None:
        """What the model sees now."""
        self._view = view
        shown = [s for s in view.sections if s.text or s.tokens] if view is not None else []
        while len(self._rows) < len(shown):
            row = SectionRow(self._theme, self)
            self._rows.append(row)
            self._list.addWidget(row)
        largest = max((section.tokens for section in shown), default=1)
        for number, row in enumerate(self._rows):
            row.setVisible(number < len(shown))
            if number < len(shown):
                row.show_section(shown[number], largest, counted=view is not None and view.counted)
        self.retranslate()

    def show_figures(self, model: LoadedModel | None, stats: GenerationStats | None, rate: FormatRate) -> None:
        """The model, what its last reply cost, how its replies keep to the format."""
        self._model, self._stats, self._rate = model, stats, rate
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        view = self._view
        self._legend.setText(translate("Memory", "Plain: still loaded. Dotted: new, will be read."))
        self._figures_title.setText(translate("Memory", "Model and last reply"))
        counted = view is not None and view.counted
        self._room.setVisible(counted)
        self._legend.setVisible(counted)
        if view is not None and counted:
            self._room.set_left(1.0 - view.room_used)
            self.room_words.setText(
                translate("Memory", "{used} of {room} tokens used, {percent} % of the room left").format(
                    used=f"{view.total:,}", room=f"{view.room:,}", percent=100 - round(view.room_used * 100)
                )
            )
        self.room_words.setVisible(counted)
        self.figures.setText("\n".join(self._figure_lines()))

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _figure_lines(self) -> list[str]:
        model = self._model
        if model is None:
            return [translate("Memory", "No model is loaded.")]
        lines = [
            texts.model_name(model),
            translate("Memory", "{story} tokens for the story, {memory} for memory work").format(
                story=f"{model.chat_cells:,}", memory=f"{model.memory_cells:,}"
            ),
            window_line(model),
            texts.template_line(model.template),
        ]
        if self._stats is not None:
            lines.append(last_turn_line(self._stats))
        if self._rate.total:
            lines.append(
                translate("Memory", "{passed} of {total} replies kept to the format").format(
                    passed=self._rate.passed, total=self._rate.total
                )
            )
        return lines
