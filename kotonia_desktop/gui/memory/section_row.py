"""One section of what the model sees: name, tokens, what of it is still loaded, and its text when opened."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from kotonia_desktop.gui import texts
from kotonia_desktop.gui.memory.words import PAD, Word
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme
from kotonia_desktop.services.views import PromptSection

_TEXT_HEIGHT = 220


class FillBar(QWidget):
    """A section's share of the room: still loaded is plain, new is dotted. The words beside it say the same."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._values = (0, 0, 1)
        self.setFixedHeight(8)
        theme.changed.connect(self._on_theme_changed)

    def set_values(self, cached: int, tokens: int, largest: int) -> None:
        """`cached` of `tokens` are still loaded; the largest section has `largest` and fills the row."""
        self._values = (cached, tokens, max(1, largest))
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(100, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint both parts."""
        cached, tokens, largest = self._values
        colours = self._theme.tokens
        width = self.width() * tokens / largest
        loaded = width * cached / tokens if tokens else 0.0
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if width <= 0:
                return
            whole = QPainterPath()
            whole.addRoundedRect(QRectF(0, 0, max(width, 4.0), self.height()), 3, 3)
            painter.setClipPath(whole)
            painter.fillRect(QRectF(0, 0, loaded, self.height()), QColor(colours.x_reused))
            if loaded < width:
                new = QRectF(loaded, 0, width - loaded, self.height())
                painter.fillRect(new, QColor(colours.line))
                painter.fillRect(new, QBrush(QColor(colours.x_new), Qt.BrushStyle.Dense4Pattern))

    def _on_theme_changed(self) -> None:
        self.update()


class SectionRow(QWidget):
    """A section with its bar; a click on its name shows its text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._section: PromptSection | None = None
        self._counted = False
        self.title = Word(theme, "text", self, wide=True, in_row=False)
        self.title.setCheckable(True)
        self.words = QLabel(self)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setProperty("kind", "quiet")
        self.words.setContentsMargins(PAD, 0, 0, 0)
        self.bar = FillBar(theme, self)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("kind", "reading")
        self.text.setFixedHeight(_TEXT_HEIGHT)
        self.text.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(2)
        for widget in (self.title, self.words, self.bar, self.text):
            column.addWidget(widget)
        self.title.toggled.connect(self._on_toggled)

    def show_section(self, section: PromptSection, largest: int, *, counted: bool) -> None:
        """Show `section`; without a model nothing is counted."""
        self._section = section
        self._counted = counted
        self.bar.setVisible(counted)
        self.bar.set_values(section.cached, section.tokens, largest)
        if self.title.isChecked():
            self._fill()
        self.retranslate()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        section = self._section
        if section is None:
            return
        name = texts.section_title(section.kind, section.first_ordinal, section.last_ordinal)
        words = self._in_words(section)
        self.words.setText(words)
        self.title.say(f"{'▾' if self.title.isChecked() else '▸'} {name}", f"{name}. {words}")
        self.text.setAccessibleName(name)

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _in_words(self, section: PromptSection) -> str:
        if not self._counted:
            return translate("Prompt", "not counted: no model is loaded")
        count = section.tokens
        tokens = translate("Prompt", "%n tokens", "", count)
        if section.cached >= section.tokens:
            state = translate("Prompt", "still loaded")
        elif not section.cached:
            state = translate("Prompt", "new")
        else:
            state = translate("Prompt", "{cached} still loaded, {new} new").format(
                cached=section.cached, new=section.tokens - section.cached
            )
        return f"{tokens} · {state}"

    def _on_toggled(self, is_open: bool) -> None:
        if is_open:
            self._fill()
        self.text.setVisible(is_open)
        self.retranslate()

    def _fill(self) -> None:
        if self._section is not None and self.text.toPlainText() != self._section.text:
            place = self.text.verticalScrollBar().value()
            self.text.setPlainText(self._section.text)
            self.text.verticalScrollBar().setValue(place)
