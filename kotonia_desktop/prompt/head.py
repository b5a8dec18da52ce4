"""The memory head: what the model is shown in place of the oldest messages, as one exchange at the history's head.

The user's line carries all of it in bracketed prose (a list would teach the model to answer in lists), the
assistant's is one neutral word. It stands in the history, never in the system part, and changes at a fold or by the
user's hand only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.memory import HeadLine, LineKind
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
_LINES: tuple[tuple[LineKind, Mapping[str, str]], ...] = (
    (
        LineKind.CARRIED,
        {"en": "[From an earlier time: {text}]", "ja": "［以前の話から：{text}］", "zh": "［来自从前的故事：{text}］"},
    ),
    (
        LineKind.OWN_WORD,
        {
            "en": "[True, by {user}'s own word: {text}]",
            "ja": "［{user}自身の言葉、事実：{text}］",
            "zh": "［{user}自己的话，属实：{text}］",
        },
    ),
    (
        LineKind.KNOWN,
        {"en": "[Known to be so: {text}]", "ja": "［わかっていること：{text}］", "zh": "［已知的事：{text}］"},
    ),
    (
        LineKind.SIDES,
        {"en": "[Two sides: {text}]", "ja": "［表と裏：{text}］", "zh": "［表里：{text}］"},
    ),
    (
        LineKind.CHANGED,
        {"en": "[Changed: {text}]", "ja": "［言い直し：{text}］", "zh": "［改了口：{text}］"},
    ),
    (
        LineKind.TOLD,
        {
            "en": "[Only said, not known to be true: {text}]",
            "ja": "［聞いた話、本当かは不明：{text}］",
            "zh": "［听说的，不知真假：{text}］",
        },
    ),
    (
        LineKind.THREAD,
        {"en": "[Not settled yet: {text}]", "ja": "［まだ片づいていないこと：{text}］", "zh": "［尚未了结：{text}］"},
    ),
    (
        LineKind.PIN,
        {"en": "[Word for word: {text}]", "ja": "［一字一句そのまま：{text}］", "zh": "［原话：{text}］"},
    ),
)
_SIDES = {
    "en": "On the surface: {first} In fact: {then}",
    "ja": "表向き：{first}実際は：{then}",
    "zh": "表面上：{first}实际上：{then}",
}
_CHANGED = {
    "en": "First: {first} Then: {then}",
    "ja": "先に：{first}後で：{then}",
    "zh": "先说：{first}后说：{then}",
}
_ONLY_SAID = {"en": "Only said, not known: {text}", "ja": "話に聞いただけのこと：{text}", "zh": "只是说说的事：{text}"}
_KEPT = {"en": "{name}: “{text}”", "ja": "{name}「{text}」", "zh": "{name}：“{text}”"}
_ANSWER = {"en": "Understood.", "ja": "わかりました。", "zh": "明白。"}


@dataclass(frozen=True, slots=True)
class HeadText:
    """A text in the head: its level (0: a chapter) and the sentences of it that are shown."""

    level: int
    sentences: tuple[str, ...]


def two_words(first: str, then: str, language: str, *, changed: bool) -> str:
    """A claim with the fact against it, or (`changed`) with what its speaker said later, as one line."""
    return pick(_CHANGED if changed else _SIDES, language).format(first=first, then=then)


def only_said(text: str, language: str) -> str:
    """A sentence that the user takes for a mere claim."""
    return pick(_ONLY_SAID, language).format(text=text)


def kept_words(speaker: str, text: str, language: str) -> str:
    """A kept line with its speaker."""
    words = " ".join(text.split())
    marks = '"“”「」'
    return pick(_KEPT, language).format(name=speaker, text=words.strip(marks)) if speaker else words


def head_text(texts: Sequence[HeadText], language: str, lines: Sequence[HeadLine] = (), user: str = "") -> str:
    """The head's words: the texts, oldest first, then `lines` by their kinds; "" where there is neither."""
    rows = []
    joint = " " if language == "en" else ""
    for text in texts:
        frame = pick(_PART if text.level else _CHAPTER, language)
        if text.sentences:
            rows.append(frame.format(text=joint.join(text.sentences)))
    for kind, frames in _LINES:
        words = joint.join(line.text for line in lines if line.kind is kind)
        if words:
            rows.append(pick(frames, language).format(text=words, user=user))
    return "\n".join([pick(_HEADING, language), *rows]) if rows else ""


def head_parts(
    texts: Sequence[HeadText], language: str, char: str, user: str, lines: Sequence[HeadLine] = ()
) -> list[PromptPart]:
    """The head as two parts of the prompt, or none. `char` and `user` are the speakers' names."""
    words = head_text(texts, language, lines, user)
    if not words:
        return []
    key = f"memory:{digest(words)}"
    return [
        PromptPart(SectionKind.MEMORY, PromptItem(PromptRole.USER, words, name=user), (key, 0, 0)),
        PromptPart(
            SectionKind.MEMORY, PromptItem(PromptRole.ASSISTANT, pick(_ANSWER, language), name=char), (key, 1, 0)
        ),
    ]
