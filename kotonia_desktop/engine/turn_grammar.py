"""The turn grammar: the marks between the texts of a conversation, and how it is taken from a chat template.

A template can render a finished exchange otherwise than the prompt it came from, and then every turn would be read
again from there on. So the marks are taken once, by rendering probes, and prompts are put together from them: what was
read stays as it was. This module needs a function that renders; it knows neither Jinja nor a model.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

THINK_TAGS: Final = (
    ("<think>", "</think>"),
    ("<mm:think>", "</mm:think>"),
    ("<seed:think>", "</seed:think>"),
    ("<think:opensource>", "</think:opensource>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|><|open|>response<|sep|>"),
)
"""How models mark their thinking: opener and closer, as their templates write them."""

_SYSTEM, _USER, _REPLY = "Qz7sysXw", ("Qz7usaXw", "Qz7usbXw", "Qz7uscXw"), ("Qz7asaXw", "Qz7asbXw")


@dataclass(frozen=True, slots=True)
class TurnGrammar:
    """The marks of a conversation. A prompt is: `start_system`, system text, `system_user`, user text,
    `user_reply`, reply, `reply_user`, user text, `user_reply`; without a system text it begins with `start_user`.

    `user_reply` opens the generation too, so a conversation grows at its end only. Where the model may think, it is
    opened by `think_opener` instead. Marks are control text; texts are not.
    """

    start_system: str
    start_user: str
    system_user: str
    user_reply: str
    reply_user: str
    think_opener: str = ""
    think_open: str = "<think>"
    think_close: str = "</think>"

    @property
    def closed_think(self) -> str:
        """What closes a think block that the engine ends."""
        return f"\n{self.think_close}\n\n" if self.think_close.startswith(("</", "[/")) else self.think_close


@dataclass(frozen=True, slots=True)
class TakenGrammar:
    """What came of a template: the grammar without thinking and the one with, or neither and the reason.

    `adapted`: the template writes its replies' opener in two ways, or its system text at a place that moves; ours is
    the same everywhere.
    """

    plain: TurnGrammar | None = None
    thinking: TurnGrammar | None = None
    reason: str = ""
    adapted: bool = False

    def to_wire(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @staticmethod
    def from_wire(values: dict[str, Any]) -> "TakenGrammar":
        """The reverse of `to_wire`."""
        return TakenGrammar(
            _grammar(values["plain"]), _grammar(values["thinking"]), str(values["reason"]), bool(values["adapted"])
        )


def _grammar(values: dict[str, Any] | None) -> TurnGrammar | None:
    return None if values is None else TurnGrammar(**values)


class TemplateRefused(Exception):
    """The template raised an error of its own (it refuses a role or an order)."""


class _Unfit(Exception):
    """The text is a reason of `TemplateHealth`."""


Render = Callable[[list[dict[str, str]], bool, bool], str]
"""Renders messages: (messages, with the opener of a reply, thinking allowed)."""


def _messages(system: bool, turns: int) -> list[dict[str, str]]:
    messages = [{"role": "system", "content": _SYSTEM}] if system else []
    for index in range(turns):
        role, texts = ("assistant", _REPLY) if index % 2 else ("user", _USER)
        messages.append({"role": role, "content": texts[index // 2]})
    return messages


def _split(rendered: str, marks: list[str]) -> list[str]:
    """The text before, between and behind the marks."""
    parts = []
    for mark in marks:
        before, found, rendered = rendered.partition(mark)
        if not found or mark in rendered:
            raise _Unfit("no_roles")
        parts.append(before)
    return [*parts, rendered]


def _common(first: str, second: str) -> str:
    length = 0
    while length < min(len(first), len(second)) and first[length] == second[length]:
        length += 1
    return first[:length]


@dataclass(frozen=True, slots=True)
class _Marks:
    """What one way of probing found: `opener` as the history has it, `asked` as the generation prompt has it."""

    start: str
    system_user: str
    opener: str
    reply_user: str
    asked: str


def _probe(render: Render, system: bool, thinking: bool) -> _Marks:
    five = _messages(system, 5)
    names = [*([_SYSTEM] if system else []), _USER[0], _REPLY[0], _USER[1], _REPLY[1], _USER[2]]
    parts = _split(render(five, True, thinking), names)
    system_user = parts.pop(1) if system else ""
    start, first_reply, first_user, second_reply, second_user, asked = parts
    if first_reply != second_reply or first_user != second_user:
        raise _Unfit("differs")
    marks = _Marks(start, system_user, first_reply, first_user, asked)
    # The same conversation, shorter: the marks must not depend on what comes later.
    for turns in (1, 3):
        rendered = render(_messages(system, turns), True, thinking)
        if rendered != _written(marks, system, turns):
            raise _Unfit("not_growing")
    return marks


def _written(marks: _Marks, system: bool, turns: int) -> str:
    text = marks.start + (_SYSTEM + marks.system_user if system else "")
    for index in range(turns):
        text += _REPLY[index // 2] + marks.reply_user if index % 2 else _USER[index // 2]
        if index % 2 == 0:
            text += marks.opener if index + 1 < turns else marks.asked
    return text


def _tags(source: str, marks: _Marks) -> tuple[str, str] | None:
    """The think tags that the template knows; None where it knows none."""
    for tags in THINK_TAGS:
        if tags[0] in marks.asked + marks.opener or tags[1] in marks.asked + marks.opener:
            return tags
    found = [tags for tags in THINK_TAGS if tags[0].strip() in source or tags[1] in source]
    if "<|channel|>" in source and "analysis" in source and "<|message|>" in source:
        found.append(THINK_TAGS[8])
    return found[0] if found else None


def _opener(marks: _Marks, tags: tuple[str, str]) -> str:
    """The one opener of all replies: the history's, but with a closed think block where the template asks with one."""
    if marks.opener.startswith(marks.asked):
        return marks.opener
    shared = _common(marks.asked, marks.opener)
    for left, right in ("<>", "[]"):  # never cut inside a mark
        if shared.rfind(left) > shared.rfind(right):
            shared = shared[: shared.rfind(left)]
    asked_tail, own_tail = marks.asked.removeprefix(shared), marks.opener.removeprefix(shared)
    rest = "" if tags[0] in own_tail or tags[1] in own_tail else own_tail
    if tags[1] in asked_tail:
        return marks.asked + rest
    if marks.asked.rstrip().endswith(tags[0].rstrip()):
        # Where the tag stands on a line of its own the block does too.
        return marks.asked + (f"\n{tags[1]}\n\n" if marks.asked.endswith("\n") else tags[1]) + rest
    return marks.opener


def _think_opener(marks: _Marks, tags: tuple[str, str]) -> str:
    """The opener of a reply that may think: ends inside the think block."""
    if marks.asked.rstrip().endswith(tags[0].rstrip()):
        return marks.asked
    before = marks.asked.partition(tags[0])[0].rpartition(tags[1])[0] or marks.asked.partition(tags[0])[0]
    return before + tags[0] + ("\n" if tags[0].startswith("<") and tags[0].endswith("k>") else "")


def _build(source: str, with_system: _Marks | None, without: _Marks | None) -> tuple[TurnGrammar, bool, bool]:
    """The grammar, whether it is adapted, and whether the template knows thinking."""
    marks = with_system or without
    if marks is None:
        raise _Unfit("not_growing")
    known = _tags(source, marks)
    tags = known or THINK_TAGS[0]
    opener = _opener(marks, tags)
    if with_system is None:
        # The system text goes where a person would put it: in front of the first message, with a blank line.
        start_system, system_user, start_user = marks.start, "\n\n", marks.start
    else:
        start_system, system_user = marks.start, marks.system_user
        start_user = without.start if without is not None else start_system + system_user
    grammar = TurnGrammar(
        start_system=start_system,
        start_user=start_user,
        system_user=system_user,
        user_reply=opener,
        reply_user=marks.reply_user,
        think_opener=_think_opener(marks, tags) if known else "",
        think_open=tags[0],
        think_close=tags[1],
    )
    return grammar, not opener.startswith(marks.asked) or opener != marks.opener, known is not None


def _try_probe(render: Render, system: bool, thinking: bool) -> tuple[_Marks | None, str]:
    try:
        return _probe(render, system, thinking), ""
    except TemplateRefused:
        return None, "refuses_roles"
    except _Unfit as unfit:
        return None, str(unfit)


def take_grammar(source: str, render: Render) -> TakenGrammar:
    """The turn grammar of a template whose text is `source`. Errors of `render` other than `TemplateRefused` pass."""
    found: list[tuple[TurnGrammar, bool, bool]] = []
    for thinking in (False, True):
        with_system, reason = _try_probe(render, True, thinking)
        without, other = _try_probe(render, False, thinking)
        try:
            found.append(_build(source, with_system, without))
        except _Unfit:
            return TakenGrammar(reason=other if reason == "refuses_roles" else reason)
        if with_system is None and reason != "refuses_roles":
            found[-1] = (found[-1][0], True, found[-1][2])
        if not found[-1][2]:
            break
    plain, adapted, thinks = found[0]
    if not thinks:
        return TakenGrammar(plain, None, "", adapted)
    thinking_grammar = replace(found[-1][0], think_opener=found[-1][0].think_opener or plain.think_opener)
    return TakenGrammar(plain, thinking_grammar, "", adapted)
