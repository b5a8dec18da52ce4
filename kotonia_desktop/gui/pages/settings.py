"""The settings, made from their declarations; presets for how words are chosen stand over the numbers they set."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from kotonia_desktop.domain.messages import Changes
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.pages.model_list import ModelList
from kotonia_desktop.gui.pages.settings_fields import SettingField
from kotonia_desktop.gui.texts import translate, ui_language
from kotonia_desktop.gui.widgets import button, plain_label, say, scrolled_column
from kotonia_desktop.gui.workers.tasks import Tasks
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.settings import Value

_WIDTH = 640
_HIDDEN = ("model.path",)
"""Has a line and a button of its own."""
PRESETS: dict[str, dict[str, Value]] = {
    "advised": {
        "sampling.temperature": -1.0,
        "sampling.top_k": -1,
        "sampling.top_p": -1.0,
        "sampling.min_p": -1.0,
        "sampling.repeat_penalty": -1.0,
        "sampling.xtc_probability": 0.0,
    },
    "steady": {
        "sampling.temperature": 0.6,
        "sampling.top_k": 40,
        "sampling.top_p": 1.0,
        "sampling.min_p": 0.1,
        "sampling.repeat_penalty": 1.05,
        "sampling.xtc_probability": 0.0,
    },
    "lively": {
        "sampling.temperature": 1.1,
        "sampling.top_k": 0,
        "sampling.top_p": 1.0,
        "sampling.min_p": 0.05,
        "sampling.repeat_penalty": 1.05,
        "sampling.xtc_probability": 0.3,
    },
}


class SettingsPage(QWidget):
    """Every setting there is."""

    changed = Signal(object)
    left = Signal()
    file_asked = Signal()
    starter_asked = Signal()
    reload_asked = Signal()

    def __init__(self, kotonia: Kotonia, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kotonia = kotonia
        self._tasks = tasks
        self.setProperty("panel", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._area, column = scrolled_column(_WIDTH)
        self._title = plain_label("page")
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        self.close_button.setMinimumSize(28, 28)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self.close_button)
        column.addLayout(head)
        self.fields: dict[str, SettingField] = {}
        self._headings: list[tuple[str, QWidget]] = []
        self.presets = {name: button() for name in PRESETS}
        self.models = ModelList(kotonia)
        self._model_line = plain_label("soft")
        self.choose_file = button()
        self.use_starter = button()
        self.reload = button()
        self._add_groups(column)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._area)
        self.close_button.clicked.connect(self.left)
        self.choose_file.clicked.connect(self.file_asked)
        self.use_starter.clicked.connect(self.starter_asked)
        self.reload.clicked.connect(self.reload_asked)
        for name, word in self.presets.items():
            word.setObjectName(name)
            word.clicked.connect(self._on_preset)
        self.retranslate()

    def _add_groups(self, column: QVBoxLayout) -> None:
        group = ""
        for definition in self._kotonia.settings.definitions():
            if definition.key.partition(".")[0] != group:
                group = definition.key.partition(".")[0]
                heading = plain_label("heading")
                column.addSpacing(12)
                column.addWidget(heading)
                self._headings.append((definition.key, heading))
                self._add_before(group, column)
            if definition.key in _HIDDEN:
                continue
            choices: tuple[str, ...] = ()
            if definition.key == "model.template":
                names = [name for name in self._kotonia.models.template_names() if name]
                choices = ("", *(name for name in names if name != "completion"), "completion")
            field = SettingField(definition, self._kotonia.settings.get(definition.key), choices)
            field.changed.connect(self._on_field_changed)
            self.fields[definition.key] = field
            column.addWidget(field)
            if definition.key == "model.reasoning_budget":
                column.addWidget(self.models)

    def _add_before(self, group: str, column: QVBoxLayout) -> None:
        row = QHBoxLayout()
        if group == "model":
            column.addWidget(self._model_line)
            for word in (self.choose_file, self.use_starter, self.reload):
                row.addWidget(word)
        elif group == "sampling":
            for word in self.presets.values():
                row.addWidget(word)
        else:
            return
        row.addStretch(1)
        column.addLayout(row)

    # -- what is shown

    def refresh(self) -> None:
        """Show the stored values."""
        for key, field in self.fields.items():
            field.show_value(self._kotonia.settings.get(key))
        path = str(self._kotonia.settings.get("model.path"))
        self._model_line.setText(path or translate("Settings", "No model is chosen."))

    def show_model_settings(self) -> None:
        """Bring the model's settings into view."""
        self._area.ensureWidgetVisible(self.models, 0, 400)
        self._area.ensureWidgetVisible(self.choose_file)
        self.choose_file.setFocus()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self._title.setText(translate("Settings", "Settings"))
        self.close_button.setAccessibleName(translate("Settings", "Close the settings"))
        for key, heading in self._headings:
            heading.setProperty("text", texts.setting_group(key))
        say(self.choose_file, translate("Settings", "Choose a model file…"))
        say(self.use_starter, translate("Settings", "Use the tiny test voice"))
        say(self.reload, translate("Settings", "Load again"))
        self.models.show_language(ui_language())
        words = {
            "advised": translate("Settings", "As the model's author advises"),
            "steady": translate("Settings", "Steady"),
            "lively": translate("Settings", "Lively"),
        }
        for name, word in self.presets.items():
            say(word, words[name])
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # -- what was done

    def _on_field_changed(self, key: str, value: Value) -> None:
        if value != self._kotonia.settings.get(key):
            settings = self._kotonia.settings
            self._tasks.run(lambda: settings.set(key, value), self._on_stored)

    def _on_preset(self) -> None:
        sender = self.sender()
        values = PRESETS[sender.objectName()]
        settings = self._kotonia.settings

        def store() -> Changes:
            changes = Changes()
            for key, value in values.items():
                changes = changes | settings.set(key, value)
            return changes

        self._tasks.run(store, self._on_stored)

    def _on_stored(self, changes: Changes) -> None:
        self.refresh()
        self.changed.emit(changes)
