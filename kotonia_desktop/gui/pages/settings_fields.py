"""The fields of the settings page: one widget per kind of setting, made from its declaration."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from kotonia_desktop.gui import texts
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.settings import SettingDef, Value

_MANY_LINES = ("sampling.stop",)


class SettingField(QWidget):
    """One setting: title, field, explanation. Tells a value once it is meant."""

    changed = Signal(str, object)

    def __init__(
        self, definition: SettingDef, value: Value, choices: tuple[str, ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.definition = definition
        self._choices = choices or definition.choices
        self._quiet = False
        self._title = plain_label("strong", self)
        self._explanation = plain_label("quiet", self)
        self.field = self._make()
        self.field.installEventFilter(self)
        self._title.setBuddy(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(3)
        if not isinstance(self.field, QCheckBox):
            column.addWidget(self._title)
        else:
            self._title.hide()
        column.addWidget(self.field)
        column.addWidget(self._explanation)
        self.retranslate()
        self.show_value(value)

    def show_value(self, value: Value) -> None:
        """Show the stored value."""
        self._quiet = True
        field = self.field
        if isinstance(field, QCheckBox):
            field.setChecked(value is True)
        elif isinstance(field, QComboBox):
            field.setCurrentIndex(max(0, field.findData(str(value))))
        elif isinstance(field, QSpinBox) and not isinstance(value, str):
            field.setValue(int(value))
        elif isinstance(field, QDoubleSpinBox) and not isinstance(value, str):
            field.setValue(float(value))
        elif isinstance(field, QPlainTextEdit):
            field.setPlainText(str(value))
        elif isinstance(field, QLineEdit):
            field.setText(str(value))
        self._quiet = False

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        definition, field = self.definition, self.field
        title = texts.setting_title(definition.key, definition.title)
        self._title.setText(title)
        self._explanation.setText(texts.setting_explanation(definition.key, definition.explanation))
        field.setAccessibleName(title)
        field.setAccessibleDescription(self._explanation.text())
        if isinstance(field, QCheckBox):
            field.setText(title)
        if isinstance(field, QComboBox):
            self._quiet = True
            kept = field.currentData()
            field.clear()
            for choice in self._choices:
                field.addItem(texts.setting_choice(definition.key, choice), choice)
            field.setCurrentIndex(max(0, field.findData(kept)))
            self._quiet = False

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The wheel scrolls the page, not a number that the pointer happens to rest on."""
        if isinstance(event, QWheelEvent) and isinstance(watched, QAbstractSpinBox | QComboBox):
            event.ignore()
            return True
        if event.type() == QEvent.Type.FocusOut and isinstance(watched, QPlainTextEdit):
            self._tell(watched.toPlainText())
        return False

    def _make(self) -> QWidget:
        definition = self.definition
        low, high = definition.minimum, definition.maximum
        if definition.kind == "bool":
            check = QCheckBox(self)
            check.toggled.connect(self._tell)
            return check
        if definition.kind == "int":
            number = QSpinBox(self)
            number.setRange(round(low if low is not None else -(2**31)), round(high if high is not None else 2**31 - 1))
            number.setKeyboardTracking(False)
            number.setMaximumWidth(180)
            number.lineEdit().setTextMargins(8, 0, 0, 0)
            number.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            number.valueChanged.connect(self._tell)
            return number
        if definition.kind == "float":
            real = QDoubleSpinBox(self)
            real.setRange(low if low is not None else -1e6, high if high is not None else 1e6)
            real.setDecimals(2)
            real.setSingleStep(0.05)
            real.setKeyboardTracking(False)
            real.setMaximumWidth(180)
            real.lineEdit().setTextMargins(8, 0, 0, 0)
            real.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            real.valueChanged.connect(self._tell)
            return real
        if self._choices:
            combo = QComboBox(self)
            combo.setMaximumWidth(320)
            combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            combo.currentIndexChanged.connect(self._on_chosen)
            return combo
        if definition.key in _MANY_LINES:
            lines = QPlainTextEdit(self)
            lines.setFixedHeight(72)
            lines.setTabChangesFocus(True)
            return lines
        line = QLineEdit(self)
        line.editingFinished.connect(self._on_line_finished)
        return line

    def _on_chosen(self) -> None:
        if isinstance(self.field, QComboBox) and self.field.currentData() is not None:
            self._tell(self.field.currentData())

    def _on_line_finished(self) -> None:
        if isinstance(self.field, QLineEdit):
            self._tell(self.field.text())

    def _tell(self, value: Value) -> None:
        if not self._quiet:
            self.changed.emit(self.definition.key, value)
