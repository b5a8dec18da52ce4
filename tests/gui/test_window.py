"""The window as a whole: themes, names for a screen reader, plain labels, keyboard, search, settings, imports."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QAccessible, QDropEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QToolButton,
    QWidget,
)
from window_stage import Stage

from kotonia_desktop.domain.errors import DiskFull
from kotonia_desktop.domain.macros import expand
from kotonia_desktop.gui.crash import CrashHook
from kotonia_desktop.gui.theme import Theme, Tokens, load_tokens
from kotonia_desktop.gui.translation import LANGUAGES
from kotonia_desktop.services.library import default_persona_name
from kotonia_desktop.services.views import PromptView

CONTROLS = (
    QPushButton,
    QToolButton,
    QLineEdit,
    QComboBox,
    QAbstractSpinBox,
    QCheckBox,
    QPlainTextEdit,
    QAbstractItemView,
    QProgressBar,
)
CONTROL = Qt.KeyboardModifier.ControlModifier


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme_name", ["light", "dark"])
def test_every_text_keeps_its_contrast(theme_name: str) -> None:
    tokens: Tokens = load_tokens()[theme_name]
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    for text in (tokens.text, tokens.narration, tokens.thought, tokens.text_soft):
        assert contrast(text, tokens.page) >= 7
    assert contrast(tokens.narration, tokens.user) >= 7
    for surface in (tokens.page, tokens.panel, tokens.window):
        assert contrast(tokens.text_quiet, surface) >= 4.5
        assert contrast(tokens.accent, surface) >= 4.5
    assert contrast(tokens.accent_text, tokens.accent) >= 4.5
    assert contrast(tokens.warn_text, tokens.warn_bg) >= 7
    assert contrast(tokens.line_strong, tokens.page) >= 3


def every_page(stage: Stage) -> list[QWidget]:
    window = stage.window
    return [window.start, window.new_chat, window.settings, window.conversation]


def is_inner(widget: QWidget) -> bool:
    """Parts of Qt's own compound widgets: their outer widget has the name."""
    parent = widget.parentWidget()
    return isinstance(parent, QAbstractSpinBox | QComboBox | QLineEdit) or widget.objectName().startswith("qt_")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_control_has_a_name_and_every_label_is_plain(stage: Stage, language: str) -> None:
    stage.new_chat()
    stage.window.toggle_memory()
    stage.window._on_language_chosen(language)
    stage.settle()
    for page in every_page(stage):
        stage.window.pages.setCurrentWidget(page)
        stage.settle()
    for kind in CONTROLS:
        for widget in stage.window.findChildren(kind):
            if is_inner(widget) or widget.window() is not stage.window:
                continue
            hidden = isinstance(widget, QPushButton | QToolButton) and widget.isHidden()
            assert widget.accessibleName() or hidden, (kind.__name__, widget.objectName(), widget.parent())
    for label in stage.window.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText, label.text()


def test_a_message_is_read_with_its_speaker_and_number(stage: Stage) -> None:
    stage.new_chat()
    view = QAccessible.queryAccessibleInterface(stage.page.view)
    assert view.role() == QAccessible.Role.List
    item = view.child(0)
    assert item.role() == QAccessible.Role.ListItem
    assert item.text(QAccessible.Text.Name).startswith("Nell Prothero, message 1. The shutter is already")


def test_f6_goes_round_the_regions(stage: Stage) -> None:
    stage.new_chat()
    stage.window.toggle_memory()
    stage.settle()
    stage.window.activateWindow()
    stage.window.sidebar.conversations.setFocus()
    seen = [stage.window.focusWidget()]
    for _ in range(7):
        stage.window.next_region()
        seen.append(stage.window.focusWidget())
    page = stage.page
    assert seen[:3] == [stage.window.sidebar.conversations, page.header.memory, page.view]
    assert page.composer.editor in seen
    assert stage.window.memory.close_button in seen
    assert stage.window.status.model in seen
    assert seen[-1] is stage.window.sidebar.conversations


def test_themes_change_the_page(stage: Stage) -> None:
    stage.new_chat()

    def page_colour() -> str:
        stage.settle()
        image = stage.page.view.grab().toImage()
        return image.pixelColor(3, image.height() - 30).name().upper()

    assert page_colour() == load_tokens()["light"].page.upper()
    stage.window._set("ui.theme", "dark")
    assert page_colour() == load_tokens()["dark"].page.upper()


def test_search_finds_a_message_in_another_chat_and_goes_there(stage: Stage) -> None:
    first = stage.new_chat()
    stage.fill(first, 700)
    second = stage.new_chat("zh", "林远")
    assert stage.page.conversation_id == second
    stage.window.sidebar.search.setText("Line 321.")
    stage.qtbot.keyClick(stage.window.sidebar.search, Qt.Key.Key_Return)
    stage.settle()
    rows = stage.window.sidebar.conversations.rows.rows
    hit = next(number for number, row in enumerate(rows) if "Line 321." in row.detail)
    index = stage.window.sidebar.conversations.rows.index(hit)
    stage.window.sidebar.conversations.clicked.emit(index)
    stage.until(lambda: stage.page.conversation_id == first)
    stage.settle()
    shown = stage.page.view.currentIndex().row()
    assert stage.messages[shown].text.startswith("Line 321.")
    rect = stage.page.view.row_rect(shown)
    assert 0 <= rect.center().y() <= stage.page.view.viewport().height()
    stage.window.sidebar.search.clear()
    assert all(len(row.key) == 1 for row in stage.window.sidebar.conversations.rows.rows)


def test_a_long_conversation_opens_with_its_last_page_only_and_loads_more_as_one_reads_up(stage: Stage) -> None:
    conversation = stage.new_chat()
    stage.fill(conversation, 1500)
    stage.page.close_conversation()
    stage.open(conversation)
    assert len(stage.messages) == 200
    assert stage.messages[-1].text.startswith("Line 1499.")
    assert "1501 messages" in stage.page.header.people.text()
    while stage.messages[0].ordinal > 900:
        top = stage.messages[stage.page.view.anchor[0]]
        stage.page.view.move_by(-400)
        stage.settle()
        after = stage.messages[stage.page.view.anchor[0]]
        assert after.ordinal <= top.ordinal
    ordinals = [message.ordinal for message in stage.messages]
    assert ordinals == list(range(ordinals[0], 1501))


def test_the_scroll_bar_reaches_the_middle_of_a_long_conversation(stage: Stage) -> None:
    conversation = stage.new_chat()
    stage.fill(conversation, 1500)
    stage.page.close_conversation()
    stage.open(conversation)
    bar = stage.page.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 3)
    stage.until(lambda: stage.messages[0].ordinal < 600)
    stage.settle()
    assert 300 < stage.messages[stage.page.view.anchor[0]].ordinal < 700
    stage.page.view.scroll_to_end()
    stage.settle()


def test_a_setting_is_stored_when_it_is_changed_and_a_preset_sets_several(stage: Stage) -> None:
    stage.window.show_settings()
    scale = stage.window.settings.fields["ui.text_scale"].field
    assert isinstance(scale, QAbstractSpinBox)
    scale.setProperty("value", 150)
    stage.settle()
    assert stage.kotonia.settings.get("ui.text_scale") == 150
    assert stage.window._theme.scale == 150
    stage.qtbot.mouseClick(stage.window.settings.presets["lively"], Qt.MouseButton.LeftButton)
    stage.settle()
    assert stage.kotonia.settings.get("sampling.temperature") == 1.1
    assert stage.kotonia.settings.get("sampling.xtc_probability") == 0.3
    shown = stage.window.settings.fields["sampling.temperature"].field
    assert shown.property("value") == 1.1


def test_a_dropped_card_becomes_a_character_to_begin_with(stage: Stage, tmp_path: Path) -> None:
    stage.new_chat()
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Wick", "first_mes": "The lamp is lit."}}
    path = tmp_path / "wick.json"
    path.write_text(json.dumps(card))
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPoint(400, 300).toPointF(),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    stage.window.dropEvent(event)
    stage.settle()
    assert "Wick is in the library" in stage.window.said.label.text()
    assert stage.window.pages.currentWidget() is stage.window.new_chat
    chosen = stage.window.new_chat.tiles.selected
    assert chosen is not None
    assert chosen.name == "Wick"
    assert stage.window.new_chat.opening.text() == "The lamp is lit."


def test_a_new_chat_begins_with_the_opening_that_was_chosen(stage: Stage) -> None:
    stage.new_chat()
    stage.window.begin_new_chat()
    page = stage.window.new_chat
    assert page._opening_words.text() == "Opening 1/3"
    stage.qtbot.mouseClick(page.forward, Qt.MouseButton.LeftButton)
    shown = page.opening.text()
    stage.qtbot.mouseClick(page.begin, Qt.MouseButton.LeftButton)
    stage.until(lambda: stage.window.pages.currentWidget() is stage.page)
    stage.settle()
    assert stage.texts[0].startswith(shown.rstrip("…")[:80])
    assert (stage.messages[0].alternate_index, stage.messages[0].alternate_count) == (1, 3)


def test_a_user_without_a_name_is_called_the_same_in_the_next_chat(stage: Stage) -> None:
    character = next(c for c in stage.kotonia.library.characters() if c.starter == "ja")
    for _ in range(2):
        stage.window.library.start_chat(character.id, 0, "", "", 0)
        stage.settle()
    names = [persona.name for persona in stage.kotonia.library.personas()]
    assert len(names) == 1
    assert stage.page.people is not None
    assert stage.page.people.persona.name == names[0] != "You"


def test_a_removed_conversation_can_be_brought_back(stage: Stage) -> None:
    conversation = stage.new_chat()
    stage.window.library.remove(conversation)
    stage.settle()
    assert stage.window.sidebar.conversations.rows.rows == []
    stage.qtbot.mouseClick(stage.window.said.button, Qt.MouseButton.LeftButton)
    stage.settle()
    assert [row.key for row in stage.window.sidebar.conversations.rows.rows] == [(conversation,)]
    assert stage.page.conversation_id == conversation


def test_the_send_key_is_asked_once_and_kept(open_stage: Callable[..., Stage]) -> None:
    stage = open_stage()
    stage.new_chat()
    stage.type("Hello")
    assert stage.page.composer.choose_enter.isVisible()
    stage.qtbot.mouseClick(stage.page.composer.choose_enter, Qt.MouseButton.LeftButton)
    stage.settle()
    stage.close()
    again = open_stage()
    again.until(lambda: bool(again.messages))
    assert again.page.composer.text() == "Hello"
    assert not again.page.composer.choose_enter.isVisible()


def test_what_the_model_sees_is_shown_section_by_section(stage: Stage, tiny_model: Path) -> None:
    stage.load(tiny_model)
    stage.new_chat()
    stage.window.toggle_memory()
    stage.settle()
    assert "Nothing has been forgotten" in stage.window.memory.story.empty.text()
    assert "Older pages become chapters" in stage.window.memory.story.empty.text()
    stage.window.memory.tabs.setCurrentIndex(4)
    titles = [row.title.text() for row in stage.window.memory.sections]
    assert "▸ Rules" in titles
    assert "▸ Character" in titles
    rules = stage.window.memory.sections[0]
    assert not rules.text.isVisible()
    stage.qtbot.mouseClick(rules.title, Qt.MouseButton.LeftButton)
    assert rules.text.isVisible()
    assert rules.text.toPlainText()
    assert "tokens" in rules.words.text()
    stage.say("Hello in this")
    assert "still loaded" in stage.window.memory.sections[0].words.text()


@pytest.mark.parametrize(("used", "percent", "low"), [(0, 100, False), (1000, 75, False), (3800, 5, True)])
def test_the_foot_shows_how_much_room_is_left(stage: Stage, used: int, percent: int, low: bool) -> None:
    foot = stage.window.status
    foot.show_prompt(PromptView((), used, 4000, 0, True))
    assert (foot.room_words.text(), foot.room_percent.text()) == ("Room left", f"{percent} %")
    assert foot.room.left == pytest.approx(percent / 100)
    assert foot.room.is_low is low
    assert f"{percent} percent of the room is left" in foot.room.accessibleName()
    for words in (foot.room.toolTip(), foot.room.accessibleDescription()):
        assert f"{used:,} of 4,000 tokens used" in words


def test_an_opening_calls_a_user_without_a_name_as_the_chat_will(stage: Stage) -> None:
    page = stage.window.new_chat
    stage.window.begin_new_chat()
    for character in stage.kotonia.library.characters():
        stage.window.begin_new_chat(character.id)
        name = default_persona_name(character.card.language)
        assert page.name.placeholderText() == name
        greeting = character.card.greetings[0]
        assert page.opening.text().startswith(expand(greeting, character.name, name)[:80])
        page.name.setText("Mori")
        assert page.opening.text().startswith(expand(greeting, character.name, "Mori")[:80])
        page.name.clear()
        stage.window.start.tiles.select(character.id)
        stage.window.start.go_on()
        assert stage.window.start.name.placeholderText() == name
        stage.window.start.restart()
    english = next(c for c in stage.kotonia.library.characters() if c.starter == "en")
    stage.window.begin_new_chat(english.id)
    assert "when you reaches" not in page.opening.text()
    assert "Sam" in page.opening.text()


def test_the_way_to_the_newest_text_says_new_only_where_there_is_something_new(stage: Stage) -> None:
    conversation = stage.new_chat()
    stage.fill(conversation, 700)
    stage.page.close_conversation()
    stage.open(conversation)
    button = stage.page.overlays.to_newest
    assert not button.isVisible()
    stage.page.view.move_by(-3000)
    stage.settle()
    assert (button.isVisible(), button.text(), button.accessibleName()) == (True, "↓", "To the newest")
    stage.window.open_message(conversation, 300)
    stage.settle()
    assert stage.page.model.has_newer
    while stage.page.model.has_newer:
        stage.page.view.move_by(400)
        stage.settle()
    assert (button.isVisible(), button.text()) == (True, "↓")
    last = stage.messages[-1]
    stage.page.model.put(replace(last, revision=replace(last.revision, text=last.text + " And on.")))
    assert (button.isVisible(), button.text()) == (True, "New text ↓")
    stage.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not button.isVisible()
    stage.page.view.move_by(-1000)
    assert button.text() == "↓"
    stage.window.open_message(conversation, 20)
    stage.settle()
    assert stage.page.model.has_newer
    stage.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    stage.settle()
    assert stage.messages[-1].id == last.id
    assert not button.isVisible()


def test_the_memory_stands_beside_a_conversation_only(stage: Stage) -> None:
    conversation = stage.new_chat()
    stage.window.toggle_memory()
    stage.settle()
    assert stage.window.memory.isVisible()
    stage.window.begin_new_chat()
    assert not stage.window.memory.isVisible()
    stage.window.toggle_memory()
    assert not stage.window.memory.isVisible()
    stage.open(conversation)
    assert stage.window.memory.isVisible()
    assert stage.page.header.memory.isChecked()


@pytest.mark.parametrize("key", ["ui.language", "ui.theme"])
def test_a_drop_down_shows_all_its_choices(stage: Stage, key: str) -> None:
    stage.window.show_settings()
    field = stage.window.settings.fields[key].field
    assert isinstance(field, QComboBox)
    field.showPopup()
    view = field.view()
    last = view.visualRect(view.model().index(field.count() - 1, 0))
    container = view.window()
    assert view.height() == container.height()  # no arrows over and under the list
    assert last.bottom() < view.viewport().height()
    field.hidePopup()


def test_an_error_of_a_background_call_is_said_beside_the_composer(stage: Stage) -> None:
    stage.new_chat()
    stage.window.tasks.failed.emit(DiskFull(path="/data"))
    assert "The disk is full" in stage.page.error.label.text()
    assert stage.page.error.isVisible()


def test_a_failure_of_our_own_is_told_without_its_text(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    hook = CrashHook()
    hook.caught.connect(stage.window.say_crash)
    secret = "the words of a message"
    try:
        raise ValueError(secret)
    except ValueError as error:
        hook._take(type(error), error, error.__traceback__)
    assert "ValueError at test_window.py" in caplog.text
    assert secret not in caplog.text
    assert stage.window.said.isVisible()
    assert secret not in stage.window.said.label.text()


def test_a_character_whose_language_the_model_cannot_write_is_said(
    stage: Stage, tiny_model: Path, tmp_path: Path
) -> None:
    named_like_the_starter = tmp_path / "SmolLM2-135M-Instruct.Q4_1.gguf"
    named_like_the_starter.write_bytes(tiny_model.read_bytes())
    stage.load(named_like_the_starter)
    stage.new_chat("ja", "ハル")
    notice = stage.page.lines.language
    assert notice.isVisible()
    assert "cannot write 日本語" in notice.label.text()
    stage.qtbot.mouseClick(notice.button, Qt.MouseButton.LeftButton)
    assert stage.window.pages.currentWidget() is stage.window.settings
    assert stage.window.settings.models.cards
    stage.new_chat("en")
    stage.window.show_conversation()
    stage.settle()
    assert not notice.isVisible()


def test_in_japanese_and_chinese_the_test_voice_is_not_the_first_offer(stage: Stage) -> None:
    start = stage.window.start
    assert start.starter.property("kind") == "primary"
    assert not start.models.isVisible()
    for language in ("ja", "zh"):
        stage.window._on_language_chosen(language)
        stage.settle()
        stage.until(lambda: start.starter.property("kind") != "primary")
        assert start.models.isVisible()
        assert all(language in card._suggestion.languages for card in start.models.cards)


def test_a_larger_scale_makes_larger_lines_and_keeps_the_window_usable(stage: Stage, theme: Theme) -> None:
    stage.new_chat()
    before = stage.page.view.block(0).height
    theme.apply("light", 200)
    QApplication.processEvents()
    assert stage.page.view.block(0).height > before
    assert stage.page.view.column.width <= stage.page.view.viewport().width()
    assert stage.page.composer.editor.font().pixelSize() == 32
    theme.apply("light", 100)


def test_in_a_narrow_window_the_memory_takes_the_pages_place(stage: Stage) -> None:
    stage.new_chat()
    stage.window.resize(760, 560)
    stage.window.toggle_memory()
    stage.settle()
    assert stage.window.memory.isVisible()
    assert not stage.window.pages.isVisible()
    stage.window.resize(1280, 800)
    assert stage.window.pages.isVisible()
    stage.window.resize(760, 560)
    stage.window.toggle_memory()
    assert stage.window.pages.isVisible()


def test_ctrl_m_and_the_header_open_and_close_the_memory(stage: Stage) -> None:
    stage.new_chat()
    assert stage.window.memory.isHidden()
    stage.press(Qt.Key.Key_M, CONTROL)
    assert stage.window.memory.isVisible()
    assert stage.page.header.memory.isChecked()
    stage.qtbot.mouseClick(stage.page.header.memory, Qt.MouseButton.LeftButton)
    assert stage.window.memory.isHidden()
    stage.settle()


def test_enter_on_a_message_opens_its_menu(stage: Stage) -> None:
    conversation = stage.new_chat()
    stage.fill(conversation, 4)
    stage.page.feed.reload()
    stage.settle()
    stage.page.view.setFocus()
    stage.page.view.setCurrentIndex(stage.page.model.index(1))
    stage.qtbot.keyClick(stage.page.view, Qt.Key.Key_Return)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    words = [action.text() for action in menu.actions() if action.text()]
    marks = ["Off the record", "End the chapter here"]
    memory = ["Keep word for word", "This is a loose end"]
    assert words == ["Edit", "Copy", *marks, *memory, "Delete", "Delete from here on"]
    next(action for action in menu.actions() if action.text() == "Copy").trigger()
    menu.close()
    assert QApplication.clipboard().text() == stage.texts[1]


def test_a_model_that_is_gone_at_the_start_is_said(open_stage: Callable[..., Stage], tmp_path: Path) -> None:
    stage = open_stage()
    stage.new_chat()
    stage.kotonia.settings.set("model.path", str(tmp_path / "gone.gguf"))
    stage.close()
    again = open_stage()
    again.until(lambda: bool(again.messages))
    again.settle()
    assert "does not exist" in again.window.status.state.text()


def test_closing_keeps_what_was_typed_in_the_last_moment(open_stage: Callable[..., Stage]) -> None:
    stage = open_stage()
    stage.new_chat()
    stage.type("last words")
    stage.close()
    again = open_stage()
    again.until(lambda: again.page.composer.text() == "last words")
