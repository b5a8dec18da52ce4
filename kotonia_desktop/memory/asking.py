"""What the model is asked about a range beside its chapter: which messages matter, what is settled, what contradicts.

The range stands first in every question, so it is read once. Answers are ids out of a list, or no words at all but how
likely each of a few would be: the model never says what is true.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.models import Sampling
from kotonia_desktop.domain.ports import PromptItem, PromptRole
from kotonia_desktop.memory.chronicler import ChroniclerPrompt, WritingTask, log_text, system_text

_MATTERING = {
    "en": (
        "Which messages tell something that must not be forgotten: who somebody is, a name, a number, a tie, a promise,"
        " a secret, a gift, a wound, a lie? Answer with their numbers, one a line, at most {most}; NONE if there is no"
        " such message."
    ),
    "ja": (
        "忘れてはならないこと（だれであるか、名前、数、間柄、約束、秘密、贈り物、けが、嘘）を告げるメッセージはどれですか。"
        "番号を一行に一つずつ、多くて{most}個答えてください。なければ NONE と答えてください。"
    ),
    "zh": (
        "哪些消息说了不能忘记的事（是谁、名字、数字、关系、约定、秘密、礼物、伤、谎言）？请回答它们的编号，每行一个，"
        "最多{most}个；没有就回答 NONE。"
    ),
}
_OPENING = {
    "en": (
        "Which messages open a matter that is not settled yet: something promised, owed, lost, looked for or awaited?"
        " Answer with their numbers, one a line, at most {most}; NONE if there is no such message."
    ),
    "ja": (
        "まだ片づいていないこと（約束、借り、なくした物、探している物、待っている知らせ）が始まるメッセージはどれですか。"
        "番号を一行に一つずつ、多くて{most}個答えてください。なければ NONE と答えてください。"
    ),
    "zh": (
        "哪些消息引出了尚未了结的事（许诺、欠债、丢失、寻找、等待）？请回答它们的编号，每行一个，最多{most}个；"
        "没有就回答 NONE。"
    ),
}
_KEEPING = {
    "en": (
        "Which one message has the line most worth keeping word for word? Answer with its number; NONE if there is no"
        " such line."
    ),
    "ja": (
        "一字一句そのまま残す価値がいちばんある言葉は、どのメッセージにありますか。"
        "番号で答え、なければ NONE と答えてください。"
    ),
    "zh": "哪一条消息里有最值得一字不改保留下来的话？请回答编号；没有就回答 NONE。",
}
_SETTLED = {
    "en": (
        "An open matter: {title}\nSome time later: {line}\n"
        "Does the later line say that the matter is now settled and over? Answer yes or no."
    ),
    "ja": (
        "未解決のこと：{title}\nその後：{line}\n"
        "後の文は、そのことがもう片づいたと言っていますか。はい、いいえで答えてください。"
    ),
    "zh": "未了的事：{title}\n后来：{line}\n后来的话是说这件事已经了结了吗？请回答是或不是。",
}
_CONTRADICTS = {
    "en": (
        "Somebody's words: {claim}\nWhat happened: {fact}\nDoes what happened show that the words were not true?"
        " Answer yes or no."
    ),
    "ja": (
        "だれかの言葉：{claim}\n実際の出来事：{fact}\n"
        "出来事から、その言葉が本当でなかったとわかりますか。はい、いいえで答えてください。"
    ),
    "zh": "某人的话：{claim}\n实际发生的事：{fact}\n从发生的事能看出那些话不是真的吗？请回答是或不是。",
}
_DIFFERS = {
    "en": (
        "First somebody said: {claim}\nLater the same person said: {fact}\nDo the two contradict each other?"
        " Answer yes or no."
    ),
    "ja": "初めの言葉：{claim}\n同じ人の後の言葉：{fact}\n二つは食い違っていますか。はい、いいえで答えてください。",
    "zh": "起先的话：{claim}\n同一个人后来的话：{fact}\n两者互相矛盾吗？请回答是或不是。",
}
_SYSTEM = {
    "en": "You compare two notes of a story carefully and answer with one word.",
    "ja": "あなたは物語の覚え書きを二つ注意深く比べ、一語で答えます。",
    "zh": "你仔细比较一个故事的两条记事，并用一个词回答。",
}
MOST_MATTERING = 6
_IDS = Sampling(temperature=0.0, top_k=1, top_p=1.0, min_p=0.0, repeat_penalty=1.0, seed=1, soft_landing=False)


@dataclass(frozen=True, slots=True)
class Question:
    """A question that is answered by yes or no, without a word being written."""

    items: tuple[PromptItem, ...]


def ids_asked(task: WritingTask, kind: str) -> ChroniclerPrompt:
    """Ask for messages of the range: `mattering`, `opening`, `keeping`."""
    words, most = {
        "mattering": (_MATTERING, MOST_MATTERING),
        "opening": (_OPENING, 2),
        "keeping": (_KEEPING, 1),
    }[kind]
    request = pick(words, task.language).format(most=most)
    return ChroniclerPrompt(
        items=_about(task, request),
        grammar=ids_grammar([line.ordinal + 1 for line in task.lines], most),
        sampling=_IDS,
        settings=f"{kind}: the likeliest of {len(task.lines)} numbers",
    )


def ids_grammar(numbers: Sequence[int], most: int) -> str:
    """A grammar (GBNF) of up to `most` of `numbers`, one a line with `#` before it, or `NONE`."""
    ids = " | ".join(f'"{number}"' for number in numbers) or '"0"'
    rest = " (line" * (most - 1) + ")?" * (most - 1)
    return f'root ::= "NONE\\n" | line{rest}\nline ::= "#" id "\\n"\nid ::= {ids}\n'


def parse_ids(text: str, task: WritingTask) -> list[int]:
    """The ids of the messages whose numbers an answer names; numbers that the range does not have are left out."""
    known = {line.ordinal + 1: line.message_id for line in task.lines}
    found = []
    for row in text.split():
        number = row.lstrip("#")
        if number.isdigit() and int(number) in known and known[int(number)] not in found:
            found.append(known[int(number)])
    return found


def settled_asked(title: str, line: str, language: str) -> Question:
    """Whether a later line says that a matter is settled. Small models cannot tell from a whole range (measured with
    1.5 billion parameters: that it was mentioned counts as much), so one line is shown."""
    return _compare(pick(_SETTLED, language).format(title=title, line=line), language)


def contradicts_asked(claim: str, later: str, language: str, *, same_speaker: bool) -> Question:
    """Whether what happened contradicts a claim, or a later word of the same speaker their earlier one."""
    words = pick(_DIFFERS if same_speaker else _CONTRADICTS, language).format(claim=claim, fact=later)
    return _compare(words, language)


def _compare(words: str, language: str) -> Question:
    return Question((PromptItem(PromptRole.SYSTEM, pick(_SYSTEM, language)), PromptItem(PromptRole.USER, words)))


def _about(task: WritingTask, request: str) -> tuple[PromptItem, ...]:
    return (
        PromptItem(PromptRole.SYSTEM, system_text(task)),
        PromptItem(PromptRole.USER, f"{log_text(task)}\n\n{request}", name=task.user),
    )
