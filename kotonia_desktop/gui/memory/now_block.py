"""Where the story stands now, in a line; opened, a field for each of it, which the user may type over."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from kotonia_desktop.domain.scene import NowField, NowLine
from kotonia_desktop.gui.memory.requests import SetNow
from kotonia_desktop.gui.memory.title_editor import TitleEditor
from kotonia_desktop.gui.memory.words import Word
from kotonia_desktop.gui.sources import QT_TRANSLATE_NOOP
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.gui.widgets import plain_label
from kotonia_desktop.services.memory_views import RememberedView

_FIELDS = {
    NowField.PLACE: QT_TRANSLATE_NOOP("Memory", "Place"),
    NowField.TIME: QT_TRANSLATE_NOOP("Memory", "Time"),
    NowField.HERE: QT_TRANSLATE_NOOP("Memory", "Here"),
    NowField.WEARS: QT_TRANSLATE_NOOP("Memory", "Worn"),
    NowField.HOLDS: QT_TRANSLATE_NOOP("Memory", "Held"),
    NowField.SUFFERS: QT_TRANSLATE_NOOP("Memory", "Ailing"),
}


class NowBlock(QWidget):
    """Shows a `RememberedView`'s now. Enter keeps what was typed; an empty field is filled by the chronicler again."""

    asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._known: dict[NowField, NowLine] = {}
        self.title = Word(theme, "text_quiet", self, wide=True, in_row=False)
        self.title.setCheckable(True)
        self.title.toggled.connect(self._on_toggled)
        self.fields: dict[NowField, TitleEditor] = {}
        self._names: dict[NowField, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 4)
        grid.setVerticalSpacing(2)
        grid.addWidget(self.title, 0, 0, 1, 2)
        for place, field in enumerate(NowField, start=1):
            name = plain_label("quiet", self, wrap=False)
            editor = TitleEditor(self)
            editor.setProperty("field", field.value)
            editor.setProperty("kind", "quiet")
            editor.saved.connect(self._on_saved)
            editor.left.connect(self._show)
            self.fields[field], self._names[field] = editor, name
            grid.addWidget(name, place, 0)
            grid.addWidget(editor, place, 1)
        self._on_toggled()
        self.retranslate()

    def show_remembered(self, view: RememberedView | None) -> None:
        """The lines; None for none."""
        self._known = {line.field: line for line in view.now} if view is not None else {}
        self.setVisible(view is not None)
        self._show()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        for field, words in _FIELDS.items():
            name = translate("Memory", words)
            self._names[field].setText(name)
            self.fields[field].setAccessibleName(translate("Memory", "Now: {name}").format(name=name))
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _on_toggled(self) -> None:
        opened = self.title.isChecked()
        for widget in (*self.fields.values(), *self._names.values()):
            widget.setVisible(opened)
        self._show()

    def _show(self) -> None:
        now = translate("Memory", "Now")
        said = "; ".join(self._known[field].text for field in NowField if field in self._known)
        mark = "▾" if self.title.isChecked() else "▸"
        self.title.say(f"{mark} {now} · {said}" if said else f"{mark} {now}", f"{now}: {said}" if said else now)
        for field, editor in self.fields.items():
            line = self._known.get(field)
            if not editor.hasFocus():
                editor.setText(line.text if line is not None else "")
            locked = line is not None and line.locked
            editor.setPlaceholderText(translate("Memory", "not said"))
            words = translate("Memory", "Typed by you; it stays until you clear it.") if locked else ""
            editor.setToolTip(words)
            editor.setAccessibleDescription(words)

    def _on_saved(self, text: str) -> None:
        field = NowField(self.sender().property("field"))
        line = self._known.get(field)
        if text.strip() != (line.text if line is not None else ""):
            self.asked.emit(SetNow(field, text.strip()))
        self.fields[field].clearFocus()
