"""Replies that follow a grammar, to the letter and to its end."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_models import REPLY_TEXT, TinySpec, build_tiny_model

from kotonia_desktop.domain.errors import EngineFailed
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import LoadOptions, Sampling
from kotonia_desktop.domain.ports import Finished, GenerateRequest, Lane, PromptItem, PromptRole, TextPiece
from kotonia_desktop.engine.client import EngineProcess

SYSTEM = PromptItem(PromptRole.SYSTEM, "You keep a record.")
ASKED = PromptItem(PromptRole.USER, "Write it.")
LOOSE = Sampling(temperature=1.0, seed=5, max_tokens=400, soft_landing=False)
GREEDY = Sampling(temperature=0, repeat_penalty=1, dry_multiplier=0, max_tokens=200, soft_landing=False)
ITEMS = r"""root ::= "# " [A-Za-z]{2,8} "\n" item item item?
item ::= "- " [A-Z] [a-z ]{3,20} "." "\n"
"""
WRITTEN = re.compile(r"# [A-Za-z]{2,8}\n(- [A-Z][a-z ]{3,20}\.\n){2,3}")


@pytest.fixture(scope="module")
def wild_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that writes anything, and never ends by itself."""
    return build_tiny_model(tmp_path_factory.mktemp("wild"), TinySpec(name="wild", chain=False))


@pytest.fixture
def engine(wild_model: Path) -> Iterator[EngineProcess]:
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(wild_model), window=1024, threads=1))
        yield process


def write(engine: EngineProcess, **values: object) -> Finished:
    asked = GenerateRequest((SYSTEM, ASKED), **{"sampling": LOOSE, "conversation": "m", "lane": Lane.MEMORY} | values)
    last = list(engine.generate(asked))[-1]
    assert isinstance(last, Finished)
    return last


def test_a_reply_follows_its_grammar_to_the_end(engine: EngineProcess) -> None:
    for seed in range(4):
        done = write(engine, grammar=ITEMS, sampling=replace(LOOSE, seed=seed))
        assert WRITTEN.fullmatch(done.text), done.text
        assert done.reason is FinishReason.STOP
    free = write(engine, sampling=replace(LOOSE, max_tokens=60))  # the control
    assert not WRITTEN.match(free.text)


def test_a_reply_that_is_cut_is_not_ended_by_the_model(engine: EngineProcess) -> None:
    done = write(engine, grammar=ITEMS, sampling=replace(LOOSE, max_tokens=6))
    assert done.reason is FinishReason.LENGTH
    assert not WRITTEN.fullmatch(done.text)


def test_a_reply_that_runs_in_circles_is_not_ended_by_the_model(engine: EngineProcess) -> None:
    circles = write(engine, grammar='root ::= "ab" root', sampling=replace(GREEDY, max_tokens=900))
    assert circles.reason is FinishReason.LENGTH
    assert circles.reply_tokens < 900  # it was not its limit that ended it


@pytest.mark.parametrize("spm", [False, True])
def test_bytes_that_make_no_character_are_not_written(spm: bool, tmp_path: Path) -> None:
    path = build_tiny_model(tmp_path, TinySpec(name="bytes", chain=False, spm=spm))
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(path), window=1024, threads=1))
        seeds = [replace(LOOSE, seed=seed, max_tokens=120) for seed in range(6)]
        for sampling in seeds:
            done = write(process, grammar=r'root ::= [^\n]{20,40} "\n"', sampling=sampling)
            assert re.fullmatch(r"[^\n\ufffd]{20,40}\n", done.text), done.text
        assert any("\ufffd" in write(process, sampling=sampling).text for sampling in seeds)  # the control


@pytest.mark.parametrize(
    ("grammar", "pattern"),
    [
        ('root ::= " "{2} "ab"', r" {2}ab"),
        (r'root ::= "\n" [a-z]{4}', r"\n[a-z]{4}"),
        ('root ::= "<think>" [a-z]{5,9} "</think>" [a-z]{3}', r"<think>[a-z]{5,9}</think>[a-z]{3}"),
    ],
)
def test_the_text_is_what_the_grammar_says_to_the_letter(engine: EngineProcess, grammar: str, pattern: str) -> None:
    events = list(engine.generate(GenerateRequest((SYSTEM, ASKED), sampling=LOOSE, grammar=grammar)))
    done = events[-1]
    assert isinstance(done, Finished)
    assert re.fullmatch(pattern, done.text), done.text
    assert "".join(event.text for event in events if isinstance(event, TextPiece)) == done.text
    assert (done.reason, done.reasoning) == (FinishReason.STOP, "")
    assert sum(done.id_bytes) == len(done.text.encode())


@pytest.mark.parametrize("end", ["<|im_end|>", "<|im_start|>"])
def test_an_end_that_the_grammar_does_not_allow_is_none(end: str, tmp_path: Path) -> None:
    path = build_tiny_model(tmp_path, TinySpec(name="ender", end=end))
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(path), window=1024, threads=1))
        assert write(process, sampling=GREEDY).text == REPLY_TEXT
        longer = write(process, sampling=GREEDY, grammar=f'root ::= "{REPLY_TEXT}" "!!!"')
        assert (longer.text, longer.reason) == (REPLY_TEXT + "!!!", FinishReason.STOP)
        # The name of a control token would do as text.
        named = write(process, sampling=GREEDY, grammar=r"root ::= [^\n]{40}")
        assert named.text.startswith(REPLY_TEXT)
        assert len(named.text) == 40
        assert "<|im" not in named.text


def test_a_text_with_a_grammar_does_not_land_early(tiny_model: Path) -> None:
    sampling = replace(GREEDY, max_tokens=8, soft_landing=True)
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(tiny_model), window=1024, threads=1))
        assert write(process, sampling=sampling).landed
        held = write(process, sampling=sampling, grammar=r"root ::= [^\n]{30,90}")
    assert (held.landed, held.reason, held.reply_tokens) == (False, FinishReason.LENGTH, 8)


def test_a_text_is_continued_where_its_grammar_stood(engine: EngineProcess) -> None:
    cut = write(engine, grammar=ITEMS, sampling=replace(LOOSE, max_tokens=6))
    for begun in ({"prefix_text": cut.text, "prefix_ids": cut.ids}, {"prefix_text": cut.text}):
        rest = write(engine, grammar=ITEMS, **begun)
        assert WRITTEN.fullmatch(cut.text + rest.text), (cut.text, rest.text)
    with pytest.raises(EngineFailed, match="grammar"):
        write(engine, grammar=ITEMS, prefix_text="no heading")
    assert WRITTEN.fullmatch(write(engine, grammar=ITEMS).text)


@pytest.mark.parametrize("letters", ["あいうえおかきくけこ。", "东南西北春夏秋冬。"])
def test_a_grammar_of_wide_characters_gives_whole_ones(engine: EngineProcess, letters: str) -> None:
    done = write(engine, grammar=f"root ::= [{letters}]{{5,20}}")
    assert set(done.text) <= set(letters)
    assert 5 <= len(done.text) <= 20


@pytest.mark.parametrize("grammar", ["root := nonsense (", 'other ::= "a"', 'root ::= root "a"', "root ::= unknown"])
def test_a_grammar_that_is_none_is_said_and_the_next_request_works(engine: EngineProcess, grammar: str) -> None:
    with pytest.raises(EngineFailed, match="grammar"):
        write(engine, grammar=grammar)
    assert WRITTEN.fullmatch(write(engine, grammar=ITEMS).text)


def test_a_text_that_comes_to_a_dead_end_is_cut_and_no_error(engine: EngineProcess) -> None:
    nothing = r'root ::= "Hello" [^\x00-\U0010FFFF]'
    finished = write(engine, grammar=nothing)
    assert (finished.reason, finished.error, finished.text) == (FinishReason.LENGTH, "", "Hello")
    assert write(engine, grammar='root ::= "Hello"').reason is FinishReason.STOP  # the engine is well
