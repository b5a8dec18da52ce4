"""The turn grammar taken from templates that differ in all the ways that templates do."""

import pytest

from kotonia_desktop.engine.families import CHATML, FAMILIES, family_grammar, family_of
from kotonia_desktop.engine.template_process import TemplateProcess
from kotonia_desktop.engine.template_render import probe_template
from kotonia_desktop.engine.turn_grammar import TakenGrammar, TurnGrammar

LOOP = "{% for m in messages %}"
END = "{% endfor %}"
TURN = "{{ '<|' + m.role + '|>' + m.content + '<|end|>' }}"
ASK = "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
PLAIN = LOOP + TURN + END + ASK


def take(source: str) -> TakenGrammar:
    return probe_template(source, "<s>", "</s>")


def grammar(source: str) -> TurnGrammar:
    taken = take(source)
    assert taken.plain is not None, taken.reason
    return taken.plain


def written(marks: TurnGrammar, texts: list[str], system: str = "") -> str:
    """A conversation as the grammar writes it, users first, ending with the opener of a reply."""
    result = marks.start_system + system + marks.system_user if system else marks.start_user
    for index, text in enumerate(texts):
        result += text + (marks.reply_user if index % 2 else marks.user_reply)
    return result


def test_a_plain_template_is_taken_as_it_is():
    marks = grammar(PLAIN)
    assert written(marks, ["a", "b", "c"], "S") == (
        "<|system|>S<|end|><|user|>a<|end|><|assistant|>b<|end|><|user|>c<|end|><|assistant|>"
    )
    assert written(marks, ["a"]) == "<|user|>a<|end|><|assistant|>"
    assert not take(PLAIN).adapted


def test_a_begin_mark_that_the_template_writes_is_part_of_the_start():
    assert grammar("{{ bos_token }}" + PLAIN).start_user == "<s><|user|>"


def test_a_default_system_text_is_written_only_where_there_is_none():
    source = "{% if messages[0].role != 'system' %}<|system|>Be good.<|end|>{% endif %}" + PLAIN
    assert grammar(source).start_user == "<|system|>Be good.<|end|><|user|>"
    assert grammar(source).start_system == "<|system|>"


def test_a_system_text_inside_the_first_users_turn_stays_there():
    source = (
        "{% set system = messages[0].content if messages[0].role == 'system' else '' %}"
        "{% for m in messages if m.role != 'system' %}"
        "{% if m.role == 'user' %}[INST] {% if loop.first and system %}{{ '<<SYS>>' + system + '<</SYS>>' }}{% endif %}"
        "{{ m.content + ' [/INST]' }}{% else %}{{ ' ' + m.content + '</s>' }}{% endif %}" + END
    )
    assert written(grammar(source), ["a", "b", "c"], "S") == "[INST] <<SYS>>S<</SYS>>a [/INST] b</s>[INST] c [/INST] "


def test_a_template_that_refuses_system_texts_gets_them_in_the_first_users_turn():
    source = "{% if messages[0].role == 'system' %}{{ raise_exception('no') }}{% endif %}" + PLAIN
    taken = take(source)
    assert written(grammar(source), ["a"], "S") == "<|user|>S\n\na<|end|><|assistant|>"
    assert not taken.adapted


def test_a_system_text_that_moves_to_the_last_user_turn_is_put_into_the_first():
    source = (
        "{% set system = messages[0].content if messages[0].role == 'system' else '' %}"
        "{% for m in messages if m.role != 'system' %}{{ '<|' + m.role + '|>' }}"
        "{% if loop.last and system %}{{ system + '\n\n' }}{% endif %}{{ m.content + '<|end|>' }}" + END + ASK
    )
    assert take(source).adapted
    assert written(grammar(source), ["a", "b", "c"], "S").startswith("<|user|>S\n\na<|end|>")


def test_a_closed_think_block_of_the_opener_stays_in_the_history():
    source = (
        LOOP
        + TURN
        + END
        + (
            "{% if add_generation_prompt %}<|assistant|>"
            "{% if enable_thinking is false %}{{ '<think>\n\n</think>\n\n' }}{% endif %}{% endif %}"
        )
    )
    taken = take(source)
    assert taken.adapted
    assert grammar(source).user_reply == "<|end|><|assistant|><think>\n\n</think>\n\n"
    assert taken.thinking is not None
    assert taken.thinking.think_opener == "<|end|><|assistant|><think>\n"
    assert taken.thinking.closed_think == "\n</think>\n\n"


def test_an_open_think_block_is_closed_where_the_model_shall_not_think():
    source = LOOP + TURN + END + "{% if add_generation_prompt %}{{ '<|assistant|><think>\n' }}{% endif %}"
    taken = take(source)
    assert grammar(source).user_reply == "<|end|><|assistant|><think>\n\n</think>\n\n"
    assert taken.thinking is not None
    assert taken.thinking.think_opener == "<|end|><|assistant|><think>\n"


def test_the_longer_opener_of_the_history_opens_the_generation_too():
    source = (
        LOOP + "{{ '<|' + m.role + '|>' }}{% if m.role == 'assistant' %}{{ '<|final|>' }}{% endif %}"
        "{{ m.content + '<|end|>' }}" + END + ASK
    )
    assert grammar(source).user_reply == "<|end|><|assistant|><|final|>"
    assert not take(source).adapted


def test_a_mark_is_never_cut_in_two():
    source = (
        LOOP + "{{ '<|' + m.role + '|>' }}{% if m.role == 'assistant' %}<|T_REPLY|>{% endif %}"
        "{{ m.content + '<|end|>' }}"
        + END
        + "{% if add_generation_prompt %}<|assistant|><|T_THINK|></think>{% endif %}"
    )
    assert grammar(source).user_reply == "<|end|><|assistant|><|T_THINK|></think><|T_REPLY|>"


def test_a_date_is_the_same_every_day():
    assert "26 Jul 2024" in grammar("{{ strftime_now('%d %b %Y') }}" + PLAIN).start_user


def test_a_generation_block_is_its_content():
    assert grammar(LOOP + "{% generation %}" + TURN + "{% endgeneration %}" + END + ASK).start_user == "<|user|>"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("{% for m in messages %}{{ m.content", "syntax"),
        ("{{ messages[0].nothing.at.all }}", "syntax"),
        ("always the same", "no_roles"),
        ("{{ raise_exception('never') }}", "refuses_roles"),
        (LOOP + "{{ loop.index ~ m.role ~ m.content }}" + END + ASK, "differs"),
        ("{{ messages | length }}" + PLAIN, "not_growing"),
        ("{{ ''.__class__.__mro__ }}" + PLAIN, "unsafe"),
        ("{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}" + PLAIN, "too_slow"),
    ],
)
def test_a_template_that_cannot_be_used_says_why(source: str, reason: str):
    assert take(source) == TakenGrammar(reason=reason)


def test_a_refusal_keeps_the_message_to_itself():
    taken = take("{{ raise_exception('secret ' + messages[0].content) }}")
    assert "secret" not in str(taken.to_wire())


def test_a_grammar_survives_the_wire():
    taken = take(PLAIN)
    assert TakenGrammar.from_wire(taken.to_wire()) == taken


def test_the_process_answers_as_the_function_does():
    process = TemplateProcess()
    try:
        assert process.ask(PLAIN, "<s>", "</s>") == take(PLAIN)
    finally:
        process.close()


def test_a_template_that_eats_memory_ends_with_its_process():
    process = TemplateProcess()
    try:
        eater = "{% set ns = namespace(x='x' * 1000) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}"
        assert process.ask(eater + PLAIN, "", "").reason == "too_slow"
    finally:
        process.close()


@pytest.mark.parametrize(
    ("template", "architecture", "family"),
    [
        ("... <|im_start|> ...", "llama", CHATML),
        ("... <|im_start|> ... <think> ...", "qwen3", "qwen3"),
        ("... <|start_header_id|> ...", "llama", "llama3"),
        ("... [INST] ...", "llama", "mistral"),
        ("", "gemma3", "gemma"),
        ("", "llama", CHATML),
        ("something new", "gemma3", CHATML),
    ],
)
def test_the_family_is_told_by_marks_and_else_by_the_architecture(template: str, architecture: str, family: str):
    assert family_of(template, architecture) == family


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_every_family_writes_each_text_once_and_in_order(name: str):
    text = written(family_grammar(name), ["Qa", "Qb", "Qc"], "Qs")
    places = [text.find(mark) for mark in ("Qs", "Qa", "Qb", "Qc")]
    assert -1 not in places
    assert places == sorted(places)
    assert all(text.count(mark) == 1 for mark in ("Qs", "Qa", "Qb", "Qc"))
