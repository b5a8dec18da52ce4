"""How the model is asked to write memory: the chronicler's task, its words in three languages, and its grammar.

Small models copy, loop and play on when they are asked for prose; a grammar that allows a title and one-sentence items
alone, each ended as a sentence ends, makes their output usable more often (measured with 1.5 billion parameters).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.memory import Chapter
from kotonia_desktop.domain.models import Sampling
from kotonia_desktop.domain.ports import PromptItem, PromptRole
from kotonia_desktop.memory.evidence import Evidence, of_lines, of_texts
from kotonia_desktop.memory.lines import LabelledLine

PROMPT_VERSION = "1"
"""Changes with the words and the grammar below; it is kept with every text."""

_SYSTEM = {
    "en": (
        "You are the chronicler of a story that {user} and {char} tell together. You keep its record and play no part "
        "in it. Never continue the story, never answer it, never speak to anyone. What a character says is a record "
        "that they said it, not that it is true: write who said it. What {user} says about themselves is true."
    ),
    "ja": (
        "あなたは{user}と{char}がいっしょに語る物語の記録係です。出来事を記録するだけで、物語には加わりません。"
        "続きを書かず、返事をせず、だれにも話しかけないでください。登場人物の言葉は、そう言ったという記録であって、"
        "本当のことだとは限りません。だれが言ったかを書いてください。{user}が自分について言うことは本当です。"
    ),
    "zh": (
        "你是{user}与{char}共同讲述的故事的记录员。你只做记录，不参与其中。不要续写故事，不要回答，不要对任何人说话。"
        "角色说的话只是他这样说过的记录，不等于真实，要写明是谁说的。{user}说的关于自己的事是真的。"
    ),
}
_LOG = {"en": "The log:", "ja": "記録する範囲：", "zh": "记录范围："}
_NOTES = {"en": "The notes:", "ja": "まとめる記録：", "zh": "要合并的记录："}
_REQUEST = {
    "en": (
        "Now write the record of this log in English. The first line is a title of two to five words after '# '. Then "
        "come {least} to {most} lines, each '- ' and one short sentence in the past tense and the third person that "
        "begins with a name. Leave greetings out; keep what matters, in your own words."
    ),
    "ja": (
        "この範囲の記録を日本語で書いてください。一行目は「# 」のあとに短い題名。続けて{least}行から{most}行、"
        "それぞれ「- 」のあとに名前で始まる短い一文を、「た」で終わる過去形で書きます。あいさつは省き、"
        "大事なことだけを自分の言葉で書いてください。"
    ),
    "zh": (
        "现在用中文写下这段记录。第一行是“# ”加上简短的标题。接着写{least}到{most}行，每行是“- ”加一个以名字开头的"
        "简短句子，用第三人称。省去寒暄，只用自己的话写要紧的事。"
    ),
}
_REQUEST_MERGE = {
    "en": (
        'Now merge these notes into one record in English. The first line is a title of two to five words after "# ". '
        'Then come {least} to {most} lines, each "- " and one short sentence: what matters most, in the order in '
        "which it happened. Keep names, numbers and who said a thing. Add nothing."
    ),
    "ja": (
        "これらの記録を日本語で一つにまとめてください。一行目は「# 」のあとに短い題名。続けて{least}行から{most}行、"
        "それぞれ「- 」のあとに短い一文で、大事なことを起きた順に書きます。名前、数、だれが言ったかを残し、"
        "何も付け加えないでください。"
    ),
    "zh": (
        "现在用中文把这些记录合并成一份。第一行是“# ”加上简短的标题。接着写{least}到{most}行，每行是“- ”加一个简短的"
        "句子，按发生的顺序写最要紧的事。保留名字、数字和是谁说的。不要添加任何内容。"
    ),
}
LONGEST = {"en": 170, "ja": 64, "zh": 60}
"""Characters of an item's body at most. One that is as long was ended by the grammar and not by the model."""
LONGEST_TITLE = {"en": 40, "ja": 19, "zh": 17}
"""Characters of a title at most; one as long was ended by the grammar too."""
_TITLES = {
    "en": "[A-Za-z] [^\\n#*<>|.:0-9\\[\\]]{3,39}",
    "ja": "[^\\n #*<>|。：:！？!?、_0-9-] [^\\n #*<>|。：:！？!?_]{1,18}",
    "zh": "[^\\n #*<>|。：:！？!?，_0-9-] [^\\n #*<>|。：:！？!?_]{1,16}",
}
# The minus stands last, or it would make a range of its neighbours.
_NOT_IN_CJK = "#*<>|。：:？！?!（）()～〜~♪♩♫♬♡♥★☆_+=「」『』“”-"
_ITEMS = {
    # A name first, so that it is about somebody; one sentence; no first or second person where a letter shows it; no
    # quotation where words can be reported without one; the last characters are a sentence's end. Japanese ends in the
    # past, which the lines of a play seldom do.
    "en": '"- " {name} " " [a-z] [^\\n#*<>|:.!?"“”()\\[\\]]{{15,{longest}}} ".\\n"',
    "ja": '"- " {name} ("は" | "が") [^\\n私僕俺' + _NOT_IN_CJK + ']{{4,{longest}}} "た。\\n"',
    "zh": '"- " {name} [^\\n我你您咱' + _NOT_IN_CJK + ']{{5,{longest}}} "。\\n"',
}
_MOST_NAMES = 16
_TOKENS_AN_ITEM = 30
"""About what a sentence takes; so many fit into a text's budget."""


@dataclass(frozen=True, slots=True)
class WritingTask:
    """What is to be written: a chapter of `lines`, or (where `level` is over 0) one text made of `texts`.

    `budget` is what the finished text may take, in tokens. `char` and `user` are names.
    """

    lines: tuple[LabelledLine, ...]
    language: str
    char: str
    user: str
    least_items: int
    most_items: int
    budget: int
    level: int = 0
    texts: tuple[Chapter, ...] = ()

    @property
    def evidence(self) -> list[Evidence]:
        """What it is made from, in order."""
        return of_texts(self.texts) if self.level else of_lines(self.lines, self.language)

    @property
    def names(self) -> list[str]:
        """Who speaks or acts in it, the most frequent first; the two who tell the story where nobody does."""
        evidence = self.evidence
        found = Counter(entry.speaker for entry in evidence if entry.speaker)
        for name in (self.char, self.user):
            if name and any(name in entry.text for entry in evidence):
                found[name] += 1
        names = [" ".join(name.split()) for name, _ in found.most_common(_MOST_NAMES)]
        return names or [name for name in (self.char, self.user) if name]

    @property
    def items(self) -> tuple[int, int]:
        """The least and most sentences that are asked for: no more than the budget holds."""
        most = max(2, min(self.most_items, self.budget // _TOKENS_AN_ITEM))
        return min(self.least_items, most), most

    def shorter(self) -> "WritingTask":
        """The first half of it, for a second attempt; a merge stays whole."""
        half = (len(self.lines) + 1) // 2
        return self if self.level or half < 4 else replace(self, lines=self.lines[:half])


@dataclass(frozen=True, slots=True)
class ChroniclerPrompt:
    """A request to the model. `settings` says in words how it is sampled, for the log."""

    items: tuple[PromptItem, ...]
    grammar: str
    sampling: Sampling
    settings: str


def chronicler_prompt(task: WritingTask, attempt: int = 1) -> ChroniclerPrompt:
    """The request for a task. Attempts differ in their random seed and in how freely the model chooses."""
    language = task.language
    least, most = task.items
    words = f"{log_text(task)}\n\n{asked_for(task)}"
    sampling = _sampling(attempt, most)
    return ChroniclerPrompt(
        (PromptItem(PromptRole.SYSTEM, system_text(task)), PromptItem(PromptRole.USER, words, name=task.user)),
        chapter_grammar(language, least, most, task.names),
        sampling,
        f"attempt {attempt}: temperature {sampling.temperature}, min-p {sampling.min_p}, "
        f"repetition penalty {sampling.repeat_penalty}, {least} to {most} items",
    )


def system_text(task: WritingTask) -> str:
    """Who the chronicler is: the beginning of everything that is asked about a range."""
    return pick(_SYSTEM, task.language).format(char=task.char, user=task.user)


def log_text(task: WritingTask) -> str:
    """The range, or the texts that are merged, under its heading."""
    if task.level:
        return pick(_NOTES, task.language) + "\n" + "\n".join(evidence.text for evidence in task.evidence)
    return pick(_LOG, task.language) + "\n" + "\n".join(line.text for line in task.lines)


def _sampling(attempt: int, most: int) -> Sampling:
    return Sampling(
        temperature=0.3 if attempt == 1 else 0.6,
        top_k=40,
        top_p=1.0,
        min_p=0.1,
        repeat_penalty=1.15,
        repeat_last=256,
        dry_multiplier=0.8,
        dry_allowed_length=3,
        seed=-1,
        # More than the grammar allows at its longest: what reaches this runs in circles inside a sentence.
        max_tokens=(most + 1) * 120,
        soft_landing=False,
    )


def chapter_grammar(language: str, least: int, most: int, names: Sequence[str]) -> str:
    """A grammar (GBNF) of a title and `least` to `most` items: lines of one sentence that begin with one of `names`."""
    optional = " (item" * (most - least) + ")?" * (most - least)
    chosen = " | ".join(_literal(name) for name in names) or "[^\\n #*<>|a-z]"
    item = pick(_ITEMS, language).format(name="name", longest=pick(LONGEST, language))
    return (
        f'root ::= "# " title "\\n" {" ".join(["item"] * least)}{optional}\n'
        f"title ::= {pick(_TITLES, language)}\n"
        f"name ::= {chosen}\n"
        f"item ::= {item}\n"
    )


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def asked_for(task: WritingTask) -> str:
    """The words of the request, which no sentence of the answer may be made of."""
    least, most = task.items
    return pick(_REQUEST_MERGE if task.level else _REQUEST, task.language).format(least=least, most=most)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model wrote, taken apart."""

    title: str
    items: tuple[str, ...]


def parse_draft(text: str) -> Draft:
    """A title line and items of any text: lines that begin as items do, or all lines where none does."""
    title = ""
    items: list[str] = []
    others: list[str] = []
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("#") and not title and not items:
            title = line.lstrip("#").strip()
        elif line.startswith(("- ", "-", "* ", "• ")):
            items.append(line.lstrip("-*• ").strip())
        elif line:
            others.append(line)
    return Draft(title, tuple(item for item in (items or others) if item))
