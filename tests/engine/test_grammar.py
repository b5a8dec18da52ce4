"""What memory asks of the engine: replies that follow a grammar, reading without writing, counting without weights."""

import os
import re
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_models import TinySpec, build_tiny_model

from kotonia_desktop.domain.errors import EngineFailed, MessageTooLong
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import LoadOptions, Sampling
from kotonia_desktop.domain.ports import Finished, GenerateRequest, Lane, PromptItem, PromptRole
from kotonia_desktop.engine.client import EngineProcess

SYSTEM = PromptItem(PromptRole.SYSTEM, "You keep a record.")
ASKED = PromptItem(PromptRole.USER, "Write it.")
LOOSE = Sampling(temperature=1.0, seed=5, max_tokens=400, soft_landing=False)
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
    done = write(engine, grammar='root ::= "a"*', sampling=replace(LOOSE, temperature=0, repeat_penalty=1))
    assert done.reason in (FinishReason.LENGTH, FinishReason.STOP)
    circles = write(
        engine, grammar='root ::= "ab" root', sampling=replace(LOOSE, temperature=0, repeat_penalty=1, dry_multiplier=0)
    )
    assert circles.reason is FinishReason.LENGTH


@pytest.mark.parametrize("letters", ["あいうえおかきくけこ。", "东南西北春夏秋冬。"])
def test_a_grammar_of_wide_characters_gives_whole_ones(engine: EngineProcess, letters: str) -> None:
    done = write(engine, grammar=f"root ::= [{letters}]{{5,20}}")
    assert set(done.text) <= set(letters)
    assert 5 <= len(done.text) <= 20


def test_a_grammar_that_is_none_is_said_and_the_next_request_works(engine: EngineProcess) -> None:
    with pytest.raises(EngineFailed, match="grammar"):
        write(engine, grammar="root := nonsense (")
    assert WRITTEN.fullmatch(write(engine, grammar=ITEMS).text)


def test_a_background_text_is_the_same_whether_a_reply_came_between_or_not(engine: EngineProcess) -> None:
    alone = write(engine, grammar=ITEMS)
    job = iter(
        engine.generate(
            GenerateRequest((SYSTEM, ASKED), sampling=LOOSE, lane=Lane.MEMORY, conversation="m2", grammar=ITEMS)
        )
    )
    next(job)
    chat = GenerateRequest((SYSTEM, ASKED), sampling=replace(LOOSE, max_tokens=40), conversation="chat")
    assert isinstance(list(engine.generate(chat))[-1], Finished)
    last = list(job)[-1]
    assert isinstance(last, Finished)
    assert last.text == alone.text


def test_texts_are_counted_each_for_itself(engine: EngineProcess) -> None:
    texts = ["Hello there", "", "港の灯", "Hello there"]
    counts = engine.count_texts(texts)
    assert len(counts) == 4
    assert counts[0] == counts[3] > 0
    assert counts[1] == 0
    assert engine.count_texts([]) == ()
    one = engine.count_items([PromptItem(PromptRole.USER, "Hello there")]).total
    two = engine.count_items([PromptItem(PromptRole.USER, "")]).total
    assert one - two == counts[0]


def test_a_prompt_that_was_read_is_not_read_again_by_its_reply(engine: EngineProcess) -> None:
    items = (SYSTEM, ASKED)
    first = engine.read(items, "c")
    assert first.reused_tokens == 0
    assert first.prompt_tokens == engine.count(items)
    assert engine.read(items, "c").reused_tokens == first.prompt_tokens - 1
    done = write(engine, conversation="c", lane=Lane.CHAT, sampling=replace(LOOSE, max_tokens=3))
    assert done.reused_tokens == first.prompt_tokens - 1  # its last token gives the first new one
    answer = PromptItem(PromptRole.ASSISTANT, "It was dark.")
    told = engine.read((*items, answer), "c", opener=False)
    assert told.reused_tokens >= first.prompt_tokens - 1
    more = engine.read((*items, answer, ASKED), "c")
    assert more.reused_tokens == told.prompt_tokens


def test_a_prompt_that_does_not_fit_is_not_read(engine: EngineProcess) -> None:
    with pytest.raises(MessageTooLong):
        engine.read([PromptItem(PromptRole.USER, "word " * 5000)], "c")


def test_the_vocabulary_alone_counts_as_the_whole_model_does(wild_model: Path) -> None:
    items = (SYSTEM, ASKED, PromptItem(PromptRole.ASSISTANT, "港の灯。"), ASKED)
    with EngineProcess() as process:
        whole = process.load(LoadOptions(path=str(wild_model), window=1024, threads=1))
        counts = (process.count_items(items), process.count_texts(["Hello", "港"]))
        alone = process.load(LoadOptions(path=str(wild_model), window=1024, vocabulary_only=True))
        assert (process.count_items(items), process.count_texts(["Hello", "港"])) == counts
        same = ("tokenizer", "chat_cells", "memory_cells", "template", "parameters")
        assert [getattr(alone, name) for name in same] == [getattr(whole, name) for name in same]
        assert alone.vocabulary_only
        for ask in (lambda: process.read(items, "c"), lambda: write(process)):
            with pytest.raises(EngineFailed, match="vocabulary"):
                ask()


def test_after_a_bad_instruction_the_weights_are_left_as_they_are(wild_model: Path) -> None:
    with EngineProcess() as process:
        assert not process.load(LoadOptions(path=str(wild_model), window=512, threads=1)).plain_weights
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)  # no fault of the processor's
        process.count([ASKED])
        assert process.model is not None
        assert not process.model.plain_weights
        assert process.pid is not None
        os.kill(process.pid, signal.SIGSEGV)
        process.count([ASKED])
        assert process.model.plain_weights
