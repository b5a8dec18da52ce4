"""Renders a chat template with Jinja's sandbox. Runs in a process of its own, because the sandbox has no limit of time.

Facts of the environment are those of Hugging Face's `apply_chat_template`: `trim_blocks`, `lstrip_blocks`, loop
controls, `raise_exception`, `strftime_now`, `tojson`, a `generation` block that only marks its content.
"""

import json

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from kotonia_desktop.engine.turn_grammar import Render, TakenGrammar, TemplateRefused, take_grammar

_TODAY = "26 Jul 2024"
"""A date that never moves, so that the prompt's beginning is the same tomorrow; it is the one that templates which
want a date fall back to themselves."""


class _GenerationBlock(Extension):
    """`{% generation %}` marks the assistant's part for training; here it is its content."""

    tags = {"generation"}  # noqa: RUF012  the base class declares it so

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """Give back what stands inside."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _refuse(_message: str = "") -> str:
    raise TemplateRefused  # without the message: it can hold a text of the chat


def _to_json(value: object, ensure_ascii: bool = False, indent: int | None = None, **_others: object) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)


_VARIABLES: tuple[dict[str, object], ...] = ({"tools": None}, {}, {"tools": [], "documents": [], "functions": ""})
"""What a template may expect beside the messages; the first with which it renders at all is taken."""


def _renderers(source: str, bos: str, eos: str) -> list[Render]:
    """Functions that render with the template `source`, by what they give it."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", _GenerationBlock]
    )
    environment.globals.update(raise_exception=_refuse, strftime_now=lambda _format: _TODAY)
    environment.filters["tojson"] = _to_json
    template = environment.from_string(source)

    def renderer(variables: dict[str, object]) -> Render:
        def render(messages: list[dict[str, str]], opener: bool, thinking: bool) -> str:
            return template.render(
                messages=messages,
                add_generation_prompt=opener,
                bos_token=bos,
                eos_token=eos,
                enable_thinking=thinking,
                thinking=thinking,
                **variables,
            )

        return render

    return [renderer(variables) for variables in _VARIABLES]


def probe_template(source: str, bos: str, eos: str) -> TakenGrammar:
    """The turn grammar of a template, or the reason why there is none; raises nothing that a template can cause."""
    try:
        renderers = _renderers(source, bos, eos)
    except Exception as error:
        return TakenGrammar(reason=_reason(error))
    last = TakenGrammar()
    for render in renderers:
        try:
            return take_grammar(source, render)
        except Exception as error:
            last = TakenGrammar(reason=_reason(error))
            if last.reason != "syntax":
                break
    return last


def _reason(error: Exception) -> str:
    if isinstance(error, jinja2.exceptions.SecurityError):
        return "unsafe"
    return "too_slow" if isinstance(error, (RecursionError, MemoryError, OverflowError)) else "syntax"
