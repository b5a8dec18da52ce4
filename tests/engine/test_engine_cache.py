"""The engine's process and its cache: staging beside a chat, and conversations that come back after a restart."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_models import SPECS, build_tiny_model

from kotonia_desktop.domain.errors import MessageTooLong
from kotonia_desktop.domain.models import LoadOptions, Sampling
from kotonia_desktop.domain.ports import Finished, GenerateRequest, PromptItem, PromptRead, PromptRole
from kotonia_desktop.engine.client import EngineProcess

GREEDY = Sampling(temperature=0, repeat_penalty=1, dry_multiplier=0, max_tokens=12, soft_landing=False)
SYSTEM = PromptItem(PromptRole.SYSTEM, "You are the keeper of a lighthouse. " * 8)
OLD = (SYSTEM, *(PromptItem(PromptRole.USER, f"line {n} of the old part " * 4) for n in range(12)))
NEW = (SYSTEM, PromptItem(PromptRole.USER, "What is remembered: the lamp."), *OLD[8:])
ASKED = PromptItem(PromptRole.USER, "Hello there")


@pytest.fixture
def options(tmp_path: Path, tiny_model: Path) -> LoadOptions:
    return LoadOptions(path=str(tiny_model), window=4096, threads=1, snapshots=str(tmp_path / "snapshots"))


@pytest.fixture
def engine(options: LoadOptions) -> Iterator[EngineProcess]:
    with EngineProcess() as process:
        process.load(options)
        yield process


def reply(engine: EngineProcess, *items: PromptItem, conversation: str = "c") -> Finished:
    last = list(engine.generate(GenerateRequest(items, GREEDY, conversation=conversation)))[-1]
    assert isinstance(last, Finished)
    return last


def test_the_turn_after_a_swap_reads_its_own_message_only(engine: EngineProcess) -> None:
    reply(engine, *OLD)
    staged = engine.stage(NEW, "c")
    assert staged is not None
    assert staged.prompt_tokens == engine.count_items(NEW).total - engine.count_items(NEW).opener
    assert engine.swap(NEW, "c")
    done = reply(engine, *NEW, ASKED)
    assert done.reused_tokens == staged.prompt_tokens
    assert not engine.swap(NEW, "c")  # nothing is staged any more
    report = engine.cache()
    assert report is not None
    assert (report.counts["swaps"], report.counts["swapped_tokens"]) == (1, staged.prompt_tokens)


def test_a_reply_comes_while_the_next_prefix_is_built_and_it_is_built_all_the_same(engine: EngineProcess) -> None:
    long = (SYSTEM, PromptItem(PromptRole.USER, "the cat sat on the mat " * 120), ASKED)
    found: list[PromptRead | None] = []
    reply(engine, *OLD)
    builder = threading.Thread(target=lambda: found.append(engine.stage(long, "c")))
    builder.start()
    for turn in range(5):
        done = reply(engine, *OLD, PromptItem(PromptRole.USER, f"again {turn}"))
        assert done.reused_tokens >= engine.count_items(OLD).total - engine.count_items(OLD).opener
    builder.join(30)
    assert found[0] is not None
    assert engine.swap(long, "c")
    assert reply(engine, *long).reused_tokens >= found[0].prompt_tokens - 1


def test_staging_can_be_ended_and_goes_on_where_it_was(engine: EngineProcess) -> None:
    long = (SYSTEM, PromptItem(PromptRole.USER, "the cat sat on the mat " * 120))
    found: list[PromptRead | None] = []
    builder = threading.Thread(target=lambda: found.append(engine.stage(long, "c")))
    builder.start()
    while builder.is_alive():
        engine.stop_staging()
        time.sleep(0.005)
    again = engine.stage(long, "c")
    assert again is not None
    if found[0] is None:  # it was still being built
        assert again.reused_tokens < again.prompt_tokens
    assert engine.stage(long, "c") == PromptRead(again.prompt_tokens, again.prompt_tokens - 1, pytest.approx(0, abs=60))


def test_what_is_more_than_the_memory_context_holds_is_refused(engine: EngineProcess) -> None:
    assert engine.model is not None
    with pytest.raises(MessageTooLong):
        engine.stage((SYSTEM, PromptItem(PromptRole.USER, "word " * 9000)), "c")
    assert reply(engine, *OLD).prompt_tokens > 0


def test_a_prefix_is_staged_with_the_replies_own_ids(engine: EngineProcess) -> None:
    first = reply(engine, *OLD, ASKED)
    answered = PromptItem(PromptRole.ASSISTANT, first.text, first.ids)
    after = (*NEW, ASKED, answered)
    staged = engine.stage(after, "c")
    assert staged is not None
    engine.swap(after, "c")
    assert reply(engine, *after, ASKED).reused_tokens == staged.prompt_tokens


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_a_conversation_is_there_after_a_restart(kind: str, tmp_path: Path) -> None:
    options = LoadOptions(
        path=str(build_tiny_model(tmp_path, kind)), window=4096, threads=1, snapshots=str(tmp_path / "snapshots")
    )
    with EngineProcess() as first:
        first.load(options)
        before = reply(first, *OLD, ASKED)
    with EngineProcess() as second:
        second.load(options)
        answered = PromptItem(PromptRole.ASSISTANT, before.text, before.ids)
        after = reply(second, *OLD, ASKED, answered, ASKED)
        report = second.cache()
        assert report is not None
        assert after.reused_tokens == before.prompt_tokens + before.reply_tokens
        assert (report.counts["restored"], report.disk > 0) == (1, True)
        second.load(options)  # loading again finds it too
        assert reply(second, *OLD, ASKED, answered, ASKED).reused_tokens >= after.reused_tokens


def test_without_a_folder_nothing_is_kept(tiny_model: Path, tmp_path: Path) -> None:
    options = LoadOptions(path=str(tiny_model), window=4096, threads=1)
    for _ in range(2):
        with EngineProcess() as engine:
            engine.load(options)
            assert reply(engine, *OLD).reused_tokens == 0
    assert list(tmp_path.rglob("*.kv")) == []


def test_a_conversation_that_is_forgotten_is_read_again(engine: EngineProcess) -> None:
    reply(engine, *OLD)
    engine.stage(NEW, "c")
    engine.forget("c")
    assert not engine.swap(NEW, "c")
    assert reply(engine, *OLD).reused_tokens == 0


def test_a_context_that_is_changed_by_hand_is_seen_by_the_next_turn(engine: EngineProcess) -> None:
    """The control of the reuse: an edited first line is not reused."""
    reply(engine, *OLD)
    changed = (SYSTEM, PromptItem(PromptRole.USER, "another first line"), *OLD[2:])
    done = reply(engine, *changed)
    assert done.reused_tokens < engine.count_items(OLD[:2]).total
