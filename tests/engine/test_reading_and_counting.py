"""Reading a prompt without writing, and counting with the whole model or its vocabulary alone."""

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_models import SPECS, TinySpec, build_tiny_model

from kotonia_desktop.domain.errors import EngineFailed, MessageTooLong
from kotonia_desktop.domain.models import LoadOptions, Sampling
from kotonia_desktop.domain.ports import Finished, GenerateRequest, Lane, PromptItem, PromptRead, PromptRole
from kotonia_desktop.engine.client import EngineProcess

SYSTEM = PromptItem(PromptRole.SYSTEM, "You keep a record.")
ASKED = PromptItem(PromptRole.USER, "Write it.")
LOOSE = Sampling(temperature=1.0, seed=5, max_tokens=400, soft_landing=False)


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


def test_nothing_to_read_is_read_at_once(engine: EngineProcess) -> None:
    assert engine.read([], "c", opener=False) == PromptRead(0, 0, 0.0)


def test_a_prompt_that_cannot_be_read_is_said_and_the_next_is_read(engine: EngineProcess) -> None:
    foreign = PromptItem(PromptRole.ASSISTANT, "x", ids=(10_000_000,))
    with pytest.raises(EngineFailed, match="read"):
        engine.read((SYSTEM, ASKED, foreign), "c")
    assert engine.read((SYSTEM, ASKED), "c").prompt_tokens == engine.count((SYSTEM, ASKED))


def test_a_reply_goes_before_a_reading_which_then_goes_on(wild_model: Path) -> None:
    long = (SYSTEM, PromptItem(PromptRole.USER, "the cat " * 1200))
    found: list[PromptRead] = []
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(wild_model), window=20_000, threads=1))
        reader = threading.Thread(target=lambda: found.append(process.read(long, "c")))
        reader.start()
        for _ in range(3):
            done = write(process, lane=Lane.CHAT, conversation="c", sampling=replace(LOOSE, max_tokens=2))
            assert done.reply_tokens == 2
        assert reader.is_alive()
        reader.join()
        assert found[0].prompt_tokens == process.count(long)
        assert process.read(long, "c").reused_tokens == found[0].prompt_tokens - 1


def test_a_dead_engine_is_started_again_for_a_reading(engine: EngineProcess) -> None:
    engine.read((SYSTEM, ASKED), "c")
    assert engine.pid is not None
    os.kill(engine.pid, signal.SIGKILL)
    again = engine.read((SYSTEM, ASKED), "c")
    assert (again.reused_tokens, again.prompt_tokens) == (0, engine.count((SYSTEM, ASKED)))
    assert engine.status().crashes == 1


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_every_kind_of_model_replies_to_what_was_read(kind: str, tmp_path: Path) -> None:
    path = build_tiny_model(tmp_path, kind)
    items = (SYSTEM, PromptItem(PromptRole.USER, "the cat " * 60))
    asked = GenerateRequest(items, sampling=replace(LOOSE, temperature=0, max_tokens=12), conversation="c")
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(path), window=1024, threads=1))
        read = process.read(items, "c")
        after = list(process.generate(asked))[-1]
        process.load(LoadOptions(path=str(path), window=1024, threads=1))
        fresh = list(process.generate(asked))[-1]
        assert isinstance(after, Finished)
        assert isinstance(fresh, Finished)
        assert (after.reused_tokens, fresh.reused_tokens) == (read.prompt_tokens - 1, 0)
        assert after.ids == fresh.ids


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
        asks = (lambda: process.read(items, "c"), lambda: process.warm(items, "c"), lambda: write(process))
        for ask in asks:
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
