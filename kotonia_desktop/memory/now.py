"""Where the story stands: the words for the note of a message, what the model is asked, and which answers count."""

from collections.abc import Callable, Mapping, Sequence

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.memory import ItemState
from kotonia_desktop.domain.models import Sampling
from kotonia_desktop.domain.ports import PromptItem, PromptRole
from kotonia_desktop.domain.scene import NowField, NowLine
from kotonia_desktop.memory.chronicler import ChroniclerPrompt, WritingTask, log_text, system_text
from kotonia_desktop.memory.lines import LabelledLine
from kotonia_desktop.memory.units import content, numbers, units

MOST_TOKENS = 60
READ = 8
"""So many of the newest messages are read for it."""
_NAMES: Mapping[str, Mapping[NowField, str]] = {
    "en": {
        NowField.PLACE: "place",
        NowField.TIME: "time",
        NowField.HERE: "here",
        NowField.WEARS: "worn",
        NowField.HOLDS: "held",
        NowField.SUFFERS: "ailing",
    },
    "ja": {
        NowField.PLACE: "場所",
        NowField.TIME: "時",
        NowField.HERE: "居る人",
        NowField.WEARS: "身なり",
        NowField.HOLDS: "手にした物",
        NowField.SUFFERS: "体の具合",
    },
    "zh": {
        NowField.PLACE: "地点",
        NowField.TIME: "时间",
        NowField.HERE: "在场",
        NowField.WEARS: "穿着",
        NowField.HOLDS: "手里",
        NowField.SUFFERS: "伤病",
    },
}
_NOW = {"en": "Now: {text}", "ja": "いま：{text}", "zh": "此刻：{text}"}
_ASKED = {
    "en": (
        "Where does the story stand at the end of this log? Fill in each line in a few words taken from the log, or"
        " write - where it does not say: place, time, who is here, what is worn, what is held, wounds and illness."
    ),
    "ja": (
        "この記録の終わりで、物語はどうなっていますか。場所、時、居る人、身なり、手にした物、体の具合を、記録にある言葉で"
        "短く書いてください。書かれていなければ - と書いてください。"
    ),
    "zh": (
        "在这段记录的末尾，故事处在什么状况？用记录里的词简短填写每一行：地点、时间、在场的人、穿着、手里的东西、伤病；"
        "没有写到的就写 -。"
    ),
}
_WORDS = "[^\\n|:：;；-] [^\\n|;；]{0,40}"


def now_text(lines: Sequence[NowLine], language: str, said: Sequence[str], count: Callable[[str], int]) -> str:
    """Where the story stands, for the note of a message, within `MOST_TOKENS`; what the user typed goes first. ""
    where there is nothing, or where the newest of the notes in view (`said`) says the same."""
    shown = [line for line in lines if line.text and (line.locked or line.state is ItemState.VALID)]
    kept: list[NowLine] = []
    for line in sorted(shown, key=lambda line: not line.locked):
        if count(_joined([*kept, line], language)) <= MOST_TOKENS:
            kept.append(line)
    if not kept:
        return ""
    order = list(NowField)
    text = pick(_NOW, language).format(text=_joined(sorted(kept, key=lambda line: order.index(line.field)), language))
    mark = pick(_NOW, language).format(text="")
    newest = next((note for note in reversed(said) if mark in note), "")
    return "" if text in newest.splitlines() else text


def _joined(lines: Sequence[NowLine], language: str) -> str:
    colon, joint = (": ", "; ") if language == "en" else ("：", "；")
    return joint.join(f"{pick(_NAMES, language)[line.field]}{colon}{line.text}" for line in lines)


def now_asked(task: WritingTask, fields: Sequence[NowField]) -> ChroniclerPrompt:
    """Ask for the lines of `fields`, by grammar: one each, a few words or `-`."""
    names = pick(_NAMES, task.language)
    rows = " ".join(f'"{names[field]}: " value "\\n"' for field in fields)
    grammar = f'root ::= {rows}\nvalue ::= "-" | {_WORDS}\n'
    words = f"{log_text(task)}\n\n{pick(_ASKED, task.language)}"
    return ChroniclerPrompt(
        (PromptItem(PromptRole.SYSTEM, system_text(task)), PromptItem(PromptRole.USER, words, name=task.user)),
        grammar,
        Sampling(
            temperature=0.0,
            top_k=1,
            top_p=1.0,
            min_p=0.0,
            repeat_penalty=1.1,
            seed=1,
            max_tokens=200,
            soft_landing=False,
        ),
        "now: the likeliest words",
    )


def parse_now(text: str, task: WritingTask, fields: Sequence[NowField]) -> list[NowLine]:
    """The lines of an answer that the messages bear out: every word of one stands in one of the messages, which is its
    source. The rest is left out."""
    names = {name: field for field, name in pick(_NAMES, task.language).items()}
    found: list[NowLine] = []
    for row in text.splitlines():
        name, _, words = row.partition(":")
        field = names.get(name.strip())
        words = words.strip().strip(".。")
        if field is None or field not in fields or not words or words == "-":
            continue
        source = _source(words, task.lines)
        if source is not None:
            found.append(NowLine(field, words, False, source.message_id, source.revision_id, source.ordinal))
    return found


def _source(words: str, lines: Sequence[LabelledLine]) -> LabelledLine | None:
    """The newest message that has all of a line's words."""
    wanted = content(units(words))
    for line in reversed(lines):
        if wanted and wanted <= content(units(line.text)) and numbers(words) <= numbers(line.text):
            return line
    return None
