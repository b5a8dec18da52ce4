"""Keeps a reply from playing the user's persona: it is cut before the first line that speaks or acts as the persona.

Works on the stream: the beginning of a line is held back until it is clear that it is not the persona's. What was cut
is kept, so that it can be shown. Knows words at the beginning of a line only, no grammar: a line inside a quoted
speech is left alone, so is a persona who is spoken to.
"""

from collections.abc import Sequence
from enum import Enum, auto

from kotonia_desktop.domain.library import ReplyFormat

_COLON_ONLY = frozenset(
    (
        "you",
        "user",
        "me",
        "i",
        "{{user}}",
        "あなた",
        "私",
        "わたし",
        "ユーザー",
        "ユーザ",
        "你",
        "您",
        "我",
        "用户",
        "用戶",
    )
)
_DECORATION = frozenset(" \t　*_>#-—~`\r")
_DECORATION_MAX = 12
_ASIDE_MAX = 40
_QUOTE_OPENERS = {"“": "”", "「": "」", "『": "』"}
# A name before one of these is spoken to, or the name is a word itself ("Will the train come?").
_AFTER_A_NAME = (
    "a an the this that these those he she it they we you i his her its their our your my him them who what where when "
    "why how if please let don't do come wait stop look listen tell go"
)
_NO_VERBS = frozenset(_AFTER_A_NAME.split())
_JA_SUBJECT = "はが"
# Characters that begin a Chinese predicate right behind its subject: verbs, adverbs, negations. 的, 们 and
# conjunctions are not among them, nor are the characters that usually go on with a longer name.
_ZH_VERBS = frozenset(
    "说问答笑哭走跑看望听想点摇站坐起伸拿放抬低转推拉握指叹喊念写读吃喝睡醒去进出是没不也又就便才却都还正已把被将向对从往给让"
    "使朝用连忙立缓慢轻默静微忽突猛刚能会要可应该愣怔皱眯咬抿吸呼沉停顿挪靠贴蹲跪躺爬跳退迎接递收掏摸擦拍捏揉扶搀跟"
)


class _Verdict(Enum):
    SAFE = auto()
    WAIT = auto()
    CUT = auto()


def _guarded(persona_names: Sequence[str]) -> list[tuple[str, bool]]:
    """The names with whether they count as a subject too, longest first."""
    names: dict[str, bool] = {"{{user}}": True}
    for name in persona_names:
        whole = name.strip()
        if not whole:
            continue
        names[whole.lower()] = whole.lower() not in _COLON_ONLY
        first = whole.split()[0]
        if first != whole and first.isascii() and first.isalpha() and len(first) > 2:
            names.setdefault(first.lower(), first.lower() not in _COLON_ONLY | _NO_VERBS)
    return sorted(names.items(), key=lambda item: -len(item[0]))


class PersonaGuard:
    """One reply's guard. Feed the pieces as they come, show what `feed` and `flush` return.

    `preceding` is text that already stands before the first piece, when a reply is continued; offsets count from its
    beginning. Memory: what is held back is never longer than a line's first few words.
    """

    def __init__(
        self, persona_names: Sequence[str], reply_format: ReplyFormat = ReplyFormat.PROSE, preceding: str = ""
    ) -> None:
        self._names = _guarded(persona_names)
        self._script = reply_format is ReplyFormat.SCRIPT
        self._held = ""
        self._offset = 0
        """Where `_held` begins in the whole text."""
        self._at_line_start = True
        self._closers: list[str] = []
        self._straight_open = False
        self._line_is_blank = True
        self._cut: list[str] = []
        self.cut_at: int | None = None
        """Where the cut line begins in the whole text; None while nothing was cut."""
        for char in preceding:
            self._follow(char)
        self._offset = len(preceding)

    @property
    def cut_text(self) -> str:
        """What was cut, or ""."""
        return "".join(self._cut)

    def feed(self, piece: str) -> str:
        """Take the next piece; returns what is safe to show now."""
        if self.cut_at is not None:
            self._cut.append(piece)
            return ""
        shown: list[str] = []
        for index, char in enumerate(piece):
            if self._held or (self._at_line_start and not self._inside_quotes()):
                self._held += char
                verdict = self._judge(self._held)
                if verdict is _Verdict.CUT:
                    self._begin_cut(piece[index + 1 :])
                    break
                if verdict is _Verdict.SAFE:
                    shown.append(self._release())
            else:
                self._follow(char)
                self._offset += 1
                shown.append(char)
        return "".join(shown)

    def flush(self) -> str:
        """The reply has ended: what was still held back, unless it is the persona's."""
        if self.cut_at is not None or not self._held:
            return ""
        if self._judge(self._held, complete=True) is _Verdict.CUT:
            self._begin_cut("")
            return ""
        return self._release()

    def _begin_cut(self, rest: str) -> None:
        self.cut_at = self._offset
        self._cut = [self._held, rest]
        self._held = ""

    def _release(self) -> str:
        text, self._held = self._held, ""
        for char in text:
            self._follow(char)
        self._offset += len(text)
        return text

    def _follow(self, char: str) -> None:
        """Keep track of lines and quotes. A quote that was never closed ends with its paragraph."""
        if char == "\n":
            if self._line_is_blank:
                self._closers.clear()
                self._straight_open = False
            self._at_line_start = self._line_is_blank = True
            return
        self._at_line_start = False
        if not char.isspace():
            self._line_is_blank = False
        if char == '"':
            self._straight_open = not self._straight_open
        elif char in _QUOTE_OPENERS and len(self._closers) < 8:
            self._closers.append(_QUOTE_OPENERS[char])
        elif self._closers and char == self._closers[-1]:
            self._closers.pop()

    def _inside_quotes(self) -> bool:
        return self._straight_open or bool(self._closers)

    def _judge(self, line: str, complete: bool = False) -> _Verdict:
        """`line` from its beginning, as far as it is there."""
        if line.endswith("\n"):
            line, complete = line[:-1], True
        start = 0
        while start < len(line) and line[start] in _DECORATION:
            start += 1
        bracket = self._script and line[start : start + 1] in ("(", "（")
        rest = line[start + bracket :].lower()
        if not rest:
            return _Verdict.SAFE if complete or len(line) > _DECORATION_MAX else _Verdict.WAIT
        waits = False
        for name, subject in self._names:
            verdict = self._judge_name(rest, name, subject, bracket, complete, line[start + bracket + len(name) :])
            if verdict is _Verdict.CUT:
                return verdict
            waits = waits or verdict is _Verdict.WAIT
        return _Verdict.WAIT if waits and not complete else _Verdict.SAFE

    def _judge_name(self, rest: str, name: str, subject: bool, bracket: bool, complete: bool, tail: str) -> _Verdict:
        if len(rest) < len(name):
            return _Verdict.WAIT if name.startswith(rest) and not complete else _Verdict.SAFE
        if not rest.startswith(name):
            return _Verdict.SAFE
        if bracket:
            return _Verdict.WAIT if not tail else _Verdict.CUT if tail[0] in ")）" else _Verdict.SAFE
        spoken = self._judge_colon(tail)
        acted = self._judge_subject(tail, complete) if subject else _Verdict.SAFE
        if _Verdict.CUT in (spoken, acted):
            return _Verdict.CUT
        return _Verdict.WAIT if _Verdict.WAIT in (spoken, acted) else _Verdict.SAFE

    @staticmethod
    def _judge_colon(tail: str) -> _Verdict:
        """`:`, `**:`, ` :`, ` (thinks):` behind the name."""
        behind = tail.lstrip("*_ \t")
        if len(tail) - len(behind) > 4:
            return _Verdict.SAFE
        if not behind:
            return _Verdict.WAIT
        if behind[0] in "(（":
            close = max(behind.find(")"), behind.find("）"))
            if close < 0:
                return _Verdict.WAIT if len(behind) <= _ASIDE_MAX else _Verdict.SAFE
            behind = behind[close + 1 :].lstrip("*_ \t")
            if not behind:
                return _Verdict.WAIT
        return _Verdict.CUT if behind[0] in ":：" else _Verdict.SAFE

    @staticmethod
    def _judge_subject(tail: str, complete: bool) -> _Verdict:
        """The name as a sentence's subject: `Sam nods`, `サムは`, `萨姆笑`."""
        if not tail:
            return _Verdict.WAIT
        if tail[0] in _JA_SUBJECT or tail[0] in _ZH_VERBS:
            return _Verdict.CUT
        if tail[0] != " ":
            return _Verdict.SAFE
        word = tail[1:].lstrip(" ")
        if not word:
            return _Verdict.WAIT if len(tail) <= 3 else _Verdict.SAFE
        if not ("a" <= word[0] <= "z"):
            return _Verdict.SAFE
        length = 0
        while length < len(word) and (word[length].isalpha() or word[length] in "'’"):
            length += 1
        if length == len(word) and not complete and length <= 24:
            return _Verdict.WAIT
        return _Verdict.SAFE if word[:length].replace("’", "'") in _NO_VERBS else _Verdict.CUT
