"""The look: colour tokens of both themes from `resources/palette.json`, Qt's palette and the style sheet made of them.

Widgets that paint themselves read `Theme.tokens` and repaint on `Theme.changed`. Nothing else names a colour.
"""

import json
from dataclasses import dataclass, fields

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from kotonia_desktop.gui.stylesheet import stylesheet
from kotonia_desktop.paths import resource


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme, as `#RRGGBB`. What each is for is said by its name."""

    window: str
    page: str
    panel: str
    raised: str
    user: str
    selection: str
    line: str
    line_strong: str
    focus: str
    text: str
    text_soft: str
    text_quiet: str
    narration: str
    thought: str
    accent: str
    accent_text: str
    link: str
    known: str
    told: str
    contradicted: str
    changed: str
    loose: str
    kept: str
    stale: str
    danger: str
    warn_bg: str
    warn_text: str
    x_reused: str
    x_new: str
    x_reread: str
    x_left: str


def load_tokens() -> dict[str, Tokens]:
    """The tokens of the themes `light` and `dark`."""
    data = json.loads(resource("palette.json").read_text("utf-8"))
    names = [field.name for field in fields(Tokens)]
    return {theme: Tokens(**{name: data[theme][name] for name in names}) for theme in ("light", "dark")}


def qt_palette(tokens: Tokens) -> QPalette:
    """Qt's palette in our colours, for what the style sheet does not reach."""
    role = QPalette.ColorRole
    palette = QPalette()
    pairs = {
        role.Window: tokens.page,
        role.WindowText: tokens.text,
        role.Base: tokens.raised,
        role.AlternateBase: tokens.panel,
        role.Text: tokens.text,
        role.Button: tokens.panel,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.danger,
        role.ToolTipBase: tokens.raised,
        role.ToolTipText: tokens.text,
        role.Highlight: tokens.selection,
        role.HighlightedText: tokens.text,
        role.Link: tokens.link,
        role.LinkVisited: tokens.link,
        role.PlaceholderText: tokens.text_quiet,
        role.Accent: tokens.accent,
        role.Light: tokens.raised,
        role.Midlight: tokens.line,
        role.Mid: tokens.line,
        role.Dark: tokens.line_strong,
        role.Shadow: tokens.line_strong,
    }
    for colour_role, colour in pairs.items():
        palette.setColor(colour_role, QColor(colour))
    for colour_role in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, colour_role, QColor(tokens.line_strong))
    return palette


class Theme(QObject):
    """Which theme is on, and how large the conversation's text is."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all = load_tokens()
        self._choice = "system"
        self._scale = 100
        self.dark = False
        self.tokens = self._all["light"]
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._on_scheme_changed)

    @property
    def scale(self) -> int:
        """Size of the conversation's text in percent."""
        return self._scale

    def apply(self, choice: str, scale: int) -> None:
        """Use theme `light`, `dark` or `system`, and text of `scale` percent."""
        self._choice = choice
        self._scale = scale
        self._refresh()

    def _on_scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        if self._choice == "system":
            self._refresh()

    def _refresh(self) -> None:
        system_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        self.dark = system_dark if self._choice == "system" else self._choice == "dark"
        self.tokens = self._all["dark" if self.dark else "light"]
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.setPalette(qt_palette(self.tokens))
            app.setStyleSheet(stylesheet(self.tokens, "dark" if self.dark else "light"))
        self.changed.emit()
