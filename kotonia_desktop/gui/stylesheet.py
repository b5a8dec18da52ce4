"""The style sheet: shapes and states of the stock widgets, filled with a theme's tokens.

A widget says which kind of its class it is by the dynamic property `kind`; `panel` names a surface.
"""

from dataclasses import asdict
from string import Template
from typing import TYPE_CHECKING

from kotonia_desktop.paths import resource

if TYPE_CHECKING:
    from kotonia_desktop.gui.theme import Tokens

_SHEET = Template("""
QWidget { color: $text; }
QMainWindow, QWidget[panel="page"] { background: $page; }
QWidget[panel="window"] { background: $window; }
QWidget[panel="panel"] { background: $panel; }
QFrame[panel="card"] { background: $raised; border: 1px solid $line; border-radius: 10px; }
QFrame[panel="notice"] { background: $panel; border: 1px solid $line; border-radius: 8px; }
QFrame[panel="warning"] { background: $warn_bg; border: 1px solid $warn_bg; border-radius: 8px; }
QFrame[panel="warning"] QLabel { color: $warn_text; }
QFrame[panel="composer"] { background: $raised; border: 1px solid $line_strong; border-radius: 12px; }
QFrame[panel="composer"][focused="true"] { border: 2px solid $focus; }
QFrame[panel="line"] { background: $line; border: none; }

QLabel { background: transparent; }
QLabel[kind="title"] { font-size: 28px; font-weight: 600; }
QLabel[kind="page"] { font-size: 20px; font-weight: 600; }
QLabel[kind="heading"] { font-size: 16px; font-weight: 600; }
QLabel[kind="strong"] { font-weight: 600; }
QLabel[kind="soft"] { color: $text_soft; }
QLabel[kind="quiet"] { color: $text_quiet; font-size: 12px; }
QLabel[kind="story"] { font-size: 16px; color: $narration; }

QPushButton { background: $raised; border: 1px solid $line_strong; border-radius: 6px; padding: 5px 14px;
  min-height: 20px; }
QPushButton:hover { background: $panel; }
QPushButton:pressed { background: $selection; }
QPushButton:focus { border: 2px solid $focus; padding: 4px 13px; }
QPushButton:disabled { color: $line_strong; border-color: $line; }
QPushButton[kind="primary"] { background: $accent; border: 1px solid $accent; color: $accent_text; font-weight: 600;
  padding: 6px 18px; border-radius: 8px; }
QPushButton[kind="primary"]:hover { background: $link; border-color: $link; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; padding: 5px 17px; }
QPushButton[kind="primary"]:disabled { background: $line; border-color: $line; color: $text_quiet; }
QPushButton[kind="link"] { background: transparent; border: 1px solid transparent; color: $accent; padding: 4px 6px;
  text-align: left; }
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"]:focus { border: 2px solid $focus; padding: 3px 5px; }
QPushButton[kind="link"]:checked { text-decoration: underline; }
QPushButton[kind="card"] { text-align: left; background: $raised; border: 2px solid $line; border-radius: 10px;
  padding: 0; min-height: 320px; min-width: 190px; }
QPushButton[kind="card"]:hover { border-color: $line_strong; }
QPushButton[kind="card"]:checked { border: 2px solid $accent; }
QPushButton[kind="card"]:focus { border: 2px solid $focus; padding: 0; }
QPushButton[kind="card"]:checked:focus { border: 4px solid $focus; padding: 0; }
QPushButton[kind="floating"] { background: $raised; border: 1px solid $line_strong; border-radius: 14px;
  padding: 4px 16px; }
QPushButton[kind="floating"]:focus { border: 2px solid $focus; padding: 3px 15px; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px; color: $text_quiet;
  font-size: 12px; padding: 1px 5px; min-height: 20px; }
QToolButton:hover { background: $panel; color: $text; }
QToolButton:focus { border: 2px solid $focus; padding: 0px 4px; }
QToolButton:disabled { color: $line_strong; }
QToolButton[kind="plain"] { font-size: 13px; color: $text; }
QToolButton::menu-indicator { image: none; width: 0; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: $raised; border: 1px solid $line_strong;
  border-radius: 6px; padding: 5px 10px; min-height: 20px; selection-background-color: $selection;
  selection-color: $text; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid $focus;
  padding: 4px 9px; }
QLineEdit[kind="search"] { background: $page; border-radius: 8px; }
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus { border: none; background: transparent; padding: 0 8px;
  min-height: 0; }
QComboBox { combobox-popup: 0; }
QComboBox::drop-down { border: none; width: 26px; }
QComboBox::down-arrow, QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url("$icons/down_$theme.svg");
  width: 12px; height: 12px; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url("$icons/up_$theme.svg"); width: 12px; height: 12px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; border: none; width: 24px;
  margin: 2px 2px 0 0; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; border: none; width: 24px;
  margin: 0 2px 2px 0; }
QComboBox QAbstractItemView { background: $raised; border: 1px solid $line; selection-background-color: $selection;
  selection-color: $text; outline: none; }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0 8px; }
QPlainTextEdit { background: $raised; border: 1px solid $line_strong; border-radius: 6px; padding: 4px 8px;
  selection-background-color: $selection; selection-color: $text; }
QPlainTextEdit:focus { border: 2px solid $focus; padding: 3px 7px; }
QPlainTextEdit[kind="composer"], QPlainTextEdit[kind="composer"]:focus { border: none; background: transparent;
  padding: 0px; }
QPlainTextEdit[kind="reading"] { background: $page; border: 1px solid $line; }
QCheckBox { spacing: 8px; min-height: 24px; border: 2px solid transparent; border-radius: 6px; padding: 0 4px; }
QCheckBox:focus { border-color: $focus; }
QCheckBox::indicator { width: 16px; height: 16px; border: 1px solid $line_strong; border-radius: 4px;
  background: $raised; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$icons/check_$theme.svg"); }

QListView { background: transparent; border: none; outline: none; }
QListView[kind="transcript"] { background: $page; }
QScrollArea { background: transparent; border: none; }
QScrollArea > QWidget > QWidget[panel="clear"] { background: transparent; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar::handle:vertical { background: $line_strong; border: 3px solid $page; border-radius: 6px; min-height: 32px; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::handle:vertical:hover { background: $text_quiet; }
QScrollBar::add-line, QScrollBar::sub-line { height: 0; width: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QScrollBar:horizontal { background: transparent; height: 12px; }
QScrollBar::handle:horizontal { background: $line_strong; border: 3px solid $page; border-radius: 6px;
  min-width: 32px; }

QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $text_quiet; border: none; border-bottom: 2px solid transparent;
  padding: 6px 4px; margin: 0 8px; }
QTabBar::tab:first { margin-left: 18px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar::tab:focus { border: 2px solid $focus; border-radius: 4px; padding: 4px 2px; }

QMenu { background: $raised; border: 1px solid $line; border-radius: 8px; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 6px; }
QMenu::item:selected { background: $selection; }
QMenu::item:disabled { color: $text_quiet; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QToolTip { background: $raised; color: $text; border: 1px solid $line_strong; padding: 4px 8px; }
QSplitter::handle { background: $line; }
QProgressBar { background: $line; border: none; border-radius: 4px; max-height: 8px; min-height: 8px; }
QProgressBar::chunk { background: $accent; border-radius: 4px; }
""")


def stylesheet(tokens: "Tokens", theme: str) -> str:
    """The whole application's style sheet in the colours of `tokens`; `theme` (light, dark) chooses the icons."""
    icons = resource("icons").as_posix()
    return _SHEET.substitute(asdict(tokens), icons=icons, theme=theme)
