"""The memory's panel: the story so far (nothing is forgotten yet), what the model sees, the last reply's figures."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.messages import FormatRate, GenerationStats
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.memory.section_row import SectionRow
from kotonia_desktop.gui.room_bar import RoomBar
from kotonia_desktop.gui.status_bar import last_turn_line
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.services.views import PromptView

LEAST_WIDTH = 320
WIDTH = 400


class MemoryPanel(QWidget):
    """Stands at the right of the page."""

    close_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: PromptView | None = None
        self._stats: GenerationStats | None = None
        self._model: LoadedModel | None = None
        self._rate = FormatRate()
        self._sections: list[SectionRow] = []
        self.setProperty("panel", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(LEAST_WIDTH)
        self._title = self._label("heading")
        self.close_button = QToolButton(self)
        self.close_button.setText("✕")
        self.close_button.setMinimumSize(28, 28)
        self._story_title = self._label("strong")
        self.story = self._label("soft")
        self.out_of_sight = self._label("soft")
        self._sees_title = self._label("strong")
        self._legend = self._label("quiet")
        self.room_words = self._label("quiet")
        self._room = RoomBar(theme, self)
        self._figures_title = self._label("strong")
        self.figures = self._label("soft")
        self.figures.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._list = QVBoxLayout()
        self._list.setSpacing(4)
        inside = QWidget()
        inside.setProperty("panel", "clear")
        column = QVBoxLayout(inside)
        column.setContentsMargins(20, 4, 20, 20)
        column.setSpacing(8)
        column.addWidget(self._story_title)
        column.addWidget(self.story)
        column.addWidget(self.out_of_sight)
        column.addWidget(self._line())
        column.addWidget(self._sees_title)
        column.addWidget(self._legend)
        column.addLayout(self._list)
        room = QHBoxLayout()
        room.addWidget(self._room)
        room.addWidget(self.room_words, 1)
        column.addLayout(room)
        column.addWidget(self._line())
        column.addWidget(self._figures_title)
        column.addWidget(self.figures)
        column.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(inside)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = QHBoxLayout()
        head.setContentsMargins(20, 14, 12, 6)
        head.addWidget(self._title, 1)
        head.addWidget(self.close_button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(self._scroll, 1)
        self.close_button.clicked.connect(self.close_asked)
        self.setFocusProxy(self.close_button)
        self.retranslate()

    @property
    def sections(self) -> list[SectionRow]:
        """The rows of what the model sees, in its order."""
        return [row for row in self._sections if not row.isHidden()]

    def show_prompt(self, view: PromptView | None) -> None:
        """What the model sees now."""
        self._view = view
        shown = [s for s in view.sections if s.text or s.tokens] if view is not None else []
        while len(self._sections) < len(shown):
            row = SectionRow(self._theme, self)
            self._sections.append(row)
            self._list.addWidget(row)
        largest = max((section.tokens for section in shown), default=1)
        for number, row in enumerate(self._sections):
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
        self._title.setText(translate("Window", "Memory"))
        self.close_button.setAccessibleName(translate("Memory", "Close the memory"))
        self.close_button.setToolTip(translate("Memory", "Close the memory") + " (Ctrl+M)")
        self._story_title.setText(translate("Memory", "The story so far"))
        out = view.out_of_sight if view is not None else None
        self.story.setText(
            translate(
                "Memory",
                "Nothing has been forgotten. Everything so far is still in view. When the view is full, the oldest"
                " messages go out of the model's sight; they stay here to read.",
            )
            if out is None
            else translate("Memory", "Newer messages are in view, word for word.")
        )
        self.out_of_sight.setVisible(out is not None)
        if out is not None:
            self.out_of_sight.setText(
                translate("Memory", "Out of sight for now: #{first}–#{last}").format(first=out[0] + 1, last=out[1] + 1)
            )
        self._sees_title.setText(translate("Memory", "What the model sees"))
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

    def _label(self, kind: str) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("kind", kind)
        label.setWordWrap(True)
        return label

    def _line(self) -> QFrame:
        line = QFrame(self)
        line.setProperty("panel", "line")
        line.setFixedHeight(1)
        return line
