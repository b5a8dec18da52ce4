"""The words under a message: another version, which alternate, continue, and a menu for the rest.

Real buttons over the strip that every row reserves, so that they can be reached by keyboard and named to a reader.
"""

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from kotonia_desktop.domain.messages import Message, Role
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.texts import translate


class MessageTools(QWidget):
    """The tools of one message. `busy` leaves only what does not write."""

    regenerate_asked = Signal(int)
    step_asked = Signal(int, int)
    continue_asked = Signal(int)
    edit_asked = Signal(int)
    copy_asked = Signal(int)
    delete_asked = Signal(int)
    delete_from_asked = Signal(int)
    cut_asked = Signal(int)
    reasoning_asked = Signal(int)
    off_record_asked = Signal(int, bool)
    chapter_end_asked = Signal(int, bool)
    keep_asked = Signal(int)
    matter_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message: Message | None = None
        self._is_last = False
        self._busy = False
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        self.again = self._button("again", self._on_again)
        self.back = self._button("back", self._on_back)
        self.forward = self._button("forward", self._on_forward)
        self.go_on = self._button("go_on", self._on_continue)
        self.more = self._button("more", self._on_more)
        for button in (self.again, self.back, self.forward, self.go_on, self.more):
            row.addWidget(button)
        self.back.setText("◂")
        self.forward.setText("▸")
        self.more.setText("⋯")
        self.retranslate()

    @property
    def message(self) -> Message | None:
        """Whose tools these are."""
        return self._message

    @property
    def first_usable(self) -> QWidget:
        """The first tool that can be used now; the menu always can."""
        usable = (self.again, self.back, self.forward, self.go_on)
        return next((tool for tool in usable if tool.isVisible() and tool.isEnabled()), self.more)

    def show_for(self, message: Message | None, *, is_last: bool, busy: bool) -> None:
        """Serve `message`; None hides the tools."""
        self._message = message
        self._is_last = is_last
        self._busy = busy
        if message is None:
            self.hide()
            return
        self._refresh(message)
        self.adjustSize()
        self.show()

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self.back.setAccessibleName(translate("Transcript", "Previous alternate"))
        self.back.setToolTip(translate("Transcript", "Previous alternate (←)"))
        self.forward.setAccessibleName(translate("Transcript", "Next alternate"))
        self.forward.setToolTip(translate("Transcript", "Next alternate (→)"))
        self.again.setAccessibleName(translate("Transcript", "Another version"))
        self.again.setToolTip(translate("Transcript", "Another version (Ctrl+R); this one is kept"))
        self.go_on.setText("▸ " + translate("Transcript", "Continue"))
        self.go_on.setAccessibleName(translate("Transcript", "Continue"))
        self.more.setAccessibleName(translate("Transcript", "More for this message"))
        self.more.setToolTip(translate("Transcript", "More for this message"))
        if self._message is not None:
            self._refresh(self._message)

    def menu(self) -> QMenu:
        """The menu for what has no word of its own."""
        menu = QMenu(self)
        message = self._message
        if message is None:
            return menu
        edit = self._add(menu, translate("Transcript", "Edit"), self._on_edit)
        edit.setEnabled(not self._busy)
        copy = self._add(menu, translate("Transcript", "Copy"), self._on_copy)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        if self._is_last:
            again = self._add(menu, translate("Transcript", "Another version"), self._on_again)
            again.setEnabled(not self._busy)
        if message.revision.cut_text:
            self._add(menu, translate("Transcript", "Show or hide what was cut"), self._on_cut)
        if message.revision.reasoning:
            self._add(menu, translate("Transcript", "Show or hide what was considered"), self._on_reasoning)
        menu.addSeparator()
        off, on = translate("Transcript", "Off the record"), translate("Transcript", "On the record again")
        self._add(menu, on if message.off_record else off, self._on_off_record).setEnabled(not self._busy)
        end, go_on = translate("Transcript", "End the chapter here"), translate("Transcript", "Do not end it here")
        self._add(menu, go_on if message.ends_chapter else end, self._on_chapter_end)
        if message.text.strip():
            self._add(menu, translate("Transcript", "Keep word for word"), self._on_keep)
            self._add(menu, translate("Transcript", "This is a loose end"), self._on_matter)
        menu.addSeparator()
        for words, slot in (
            (translate("Transcript", "Delete"), self._on_delete),
            (translate("Transcript", "Delete from here on"), self._on_delete_from),
        ):
            self._add(menu, words, slot).setEnabled(not self._busy)
        return menu

    def changeEvent(self, event: QEvent) -> None:
        """Another language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _refresh(self, message: Message) -> None:
        reply = message.role is Role.CHARACTER
        several = message.alternate_count > 1
        self.again.setVisible(self._is_last)
        if several:
            words = texts.alternate_label(message)
        elif reply:
            words = translate("Transcript", "Another version")
        else:
            words = translate("Transcript", "Have it answered")
        self.again.setText(f"↻ {words}")
        another = translate("Transcript", "Another version")
        self.again.setAccessibleName(f"{another}. {words}" if several else words)
        # A greeting is the card's own: there are others, but none is written.
        self.again.setEnabled(not self._busy and not message.is_greeting)
        for button, possible in (
            (self.back, message.alternate_index > 0),
            (self.forward, message.alternate_index < message.alternate_count - 1),
        ):
            button.setVisible(self._is_last and several)
            button.setEnabled(possible and not self._busy)
        self.go_on.setVisible(self._is_last and texts.can_continue(message) and not message.is_greeting)
        self.go_on.setEnabled(not self._busy)

    def _button(self, name: str, slot: object) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setMinimumSize(24, 24)
        button.clicked.connect(slot)
        return button

    @staticmethod
    def _add(menu: QMenu, words: str, slot: object) -> QAction:
        action = menu.addAction(words)
        action.triggered.connect(slot)
        return action

    def _on_again(self) -> None:
        if self._message is not None:
            self.regenerate_asked.emit(self._message.id)

    def _on_back(self) -> None:
        if self._message is not None:
            self.step_asked.emit(self._message.id, -1)

    def _on_forward(self) -> None:
        if self._message is not None:
            self.step_asked.emit(self._message.id, 1)

    def _on_continue(self) -> None:
        if self._message is not None:
            self.continue_asked.emit(self._message.id)

    def _on_more(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def _on_edit(self) -> None:
        if self._message is not None:
            self.edit_asked.emit(self._message.id)

    def _on_copy(self) -> None:
        if self._message is not None:
            self.copy_asked.emit(self._message.id)

    def _on_cut(self) -> None:
        if self._message is not None:
            self.cut_asked.emit(self._message.id)

    def _on_reasoning(self) -> None:
        if self._message is not None:
            self.reasoning_asked.emit(self._message.id)

    def _on_off_record(self) -> None:
        if self._message is not None:
            self.off_record_asked.emit(self._message.id, not self._message.off_record)

    def _on_chapter_end(self) -> None:
        if self._message is not None:
            self.chapter_end_asked.emit(self._message.id, not self._message.ends_chapter)

    def _on_keep(self) -> None:
        if self._message is not None:
            self.keep_asked.emit(self._message.id)

    def _on_matter(self) -> None:
        if self._message is not None:
            self.matter_asked.emit(self._message.id)

    def _on_delete(self) -> None:
        if self._message is not None:
            self.delete_asked.emit(self._message.id)

    def _on_delete_from(self) -> None:
        if self._message is not None:
            self.delete_from_asked.emit(self._message.id)
