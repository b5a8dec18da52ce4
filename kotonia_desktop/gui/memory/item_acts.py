"""The small words under an item of memory: what can be done to it, and its editor."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kotonia_desktop.domain.hand import Act, Hand, Target
from kotonia_desktop.domain.memory import Truth
from kotonia_desktop.gui.memory.flow import Flow
from kotonia_desktop.gui.memory.requests import ActOn
from kotonia_desktop.gui.memory.words import Word
from kotonia_desktop.gui.memory.words_editor import WordsEditor
from kotonia_desktop.gui.sources import QT_TRANSLATE_NOOP
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.gui.theme import Theme

_WORDS = {
    Act.NOT_TRUE: QT_TRANSLATE_NOOP("Memory", "Not true"),
    Act.ONLY_SAID: QT_TRANSLATE_NOOP("Memory", "Only said"),
    Act.TRUE: QT_TRANSLATE_NOOP("Memory", "It is so"),
    Act.AS_FOUND: QT_TRANSLATE_NOOP("Memory", "As it was found"),
    Act.EDIT: QT_TRANSLATE_NOOP("Memory", "Edit…"),
    Act.RELEASE: QT_TRANSLATE_NOOP("Memory", "As it was written"),
    Act.HIDE: QT_TRANSLATE_NOOP("Memory", "Hide"),
    Act.SHOW: QT_TRANSLATE_NOOP("Memory", "Show again"),
}


def offered(target: Target, hand: Hand, *, is_fact: bool) -> list[Act]:
    """The acts that mean something for an item now."""
    acts: list[Act] = []
    if target in (Target.ROW, Target.ITEM):
        if hand.false or hand.truth is not None:
            acts.append(Act.AS_FOUND)
        else:
            acts += [Act.NOT_TRUE, Act.ONLY_SAID if is_fact else Act.TRUE]
    if target is not Target.PIN:
        acts.append(Act.EDIT)
        acts += [Act.RELEASE] if hand.locked else []
    acts.append(Act.SHOW if hand.hidden else Act.HIDE)
    return acts


def touched_words(hand: Hand) -> str:
    """What the user did to an item, in a few words."""
    words = []
    if hand.locked:
        words.append(translate("Memory", "in your words"))
    if hand.false:
        words.append(translate("Memory", "not true; the model is not shown this"))
    elif hand.hidden:
        words.append(translate("Memory", "hidden; the model is not shown this"))
    if hand.truth is not None:
        claim = hand.truth is Truth.CLAIM
        words.append(translate("Memory", "only said") if claim else translate("Memory", "so by your word"))
    return " · ".join(words)


class ItemActs(QWidget):
    """Asks by `asked` with an `ActOn`."""

    asked = Signal(object)

    def __init__(
        self,
        theme: Theme,
        target: Target,
        target_id: int,
        acts: Sequence[Act],
        words: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._target, self._target_id, self._text = target, target_id, words
        self.editor: WordsEditor | None = None
        self.words: dict[Act, Word] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        flow = Flow()
        for act in acts:
            word = Word(theme, "text_quiet", self)
            word.use_small_font()
            name = translate("Memory", _WORDS[act])
            word.say(name, f"{name}: {words}")
            word.setProperty("act", act.value)
            word.clicked.connect(self._on_clicked)
            self.words[act] = word
            flow.addWidget(word)
        self._column.addLayout(flow)

    def edit(self) -> None:
        """Open the editor."""
        if self.editor is None:
            self.editor = WordsEditor(self._text, translate("Memory", "New words"), self)
            self.editor.saved.connect(self._on_saved)
            self.editor.left.connect(self._close)
            self._column.addWidget(self.editor)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_clicked(self) -> None:
        act = Act(self.sender().property("act"))
        if act is Act.EDIT:
            self.edit()
        else:
            self.asked.emit(ActOn(self._target, self._target_id, act))

    def _on_saved(self, text: str) -> None:
        self._close()
        if text.strip() and text.strip() != self._text:
            self.asked.emit(ActOn(self._target, self._target_id, Act.EDIT, text))

    def _close(self) -> None:
        if self.editor is not None:
            self.editor.deleteLater()
            self.editor = None
