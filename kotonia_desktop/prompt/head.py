"""The memory head: what the model is shown in place of the oldest messages, as one exchange at the history's head.

The user's line carries all of it in bracketed prose (a list would teach the model to answer in lists), the
assistant's is one neutral word. It stands in the history, never in the system part, and changes at a fold only.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.ports import PromptItem, PromptRole
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.prompt.build import PromptPart, digest

_HEADING = {
    "en": "[What happened before, from memory. That somebody said a thing is a record that it was said.]",
    "ja": "［これまでの出来事の記憶。だれかの言葉は、そう言ったという記録です。］",
    "zh": "［此前发生的事，出自记忆。某人说过的话，只是他这样说过的记录。］",
}
_PART = {"en": "[Long before: {text}]", "ja": "［ずっと前：{text}］", "zh": "［很久以前：{text}］"}
_CHAPTER = {"en": "[Before: {text}]", "ja": "［前：{text}］", "zh": "［此前：{text}］"}
_ANSWER = {"en": "Understood.", "ja": "わかりました。", "zh": "明白。"}


@dataclass(frozen=True, slots=True)
class HeadText:
    """A text in the head: its level (0: a chapter) and the sentences of it that are shown."""

    level: int
    sentences: tuple[str, ...]


def head_text(texts: Sequence[HeadText], language: str) -> str:
    """The head's words, oldest text first; "" where there is none."""
    lines = []
    joint = " " if language == "en" else ""
    for text in texts:
        frame = pick(_PART if text.level else _CHAPTER, language)
        if text.sentences:
            lines.append(frame.format(text=joint.join(text.sentences)))
    return "\n".join([pick(_HEADING, language), *lines]) if lines else ""


def head_parts(texts: Sequence[HeadText], language: str, char: str, user: str) -> list[PromptPart]:
    """The head as two parts of the prompt, or none. `char` and `user` are the speakers' names."""
    words = head_text(texts, language)
    if not words:
        return []
    key = f"memory:{digest(words)}"
    return [
        PromptPart(SectionKind.MEMORY, PromptItem(PromptRole.USER, words, name=user), (key, 0, 0)),
        PromptPart(
            SectionKind.MEMORY, PromptItem(PromptRole.ASSISTANT, pick(_ANSWER, language), name=char), (key, 1, 0)
        ),
    ]
