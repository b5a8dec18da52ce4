"""The engine's process with a real llama.cpp on a tiny model: load, count, reply, reuse, cancel, die and come back."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from tiny_models import CHATML, REPLY_TEXT, SPECS, THINKING, TinySpec, build_tiny_model

from kotonia_desktop.domain.errors import (
    EngineStopped,
    LoadCancelled,
    MessageTooLong,
    ModelFileMissing,
    ModelTruncated,
    NoModel,
    NotAModel,
    UnknownTemplate,
)
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import LoadOptions, ReasoningMode, Sampling, TemplateSource
from kotonia_desktop.domain.ports import (
    EngineStatus,
    Finished,
    GenerateRequest,
    Lane,
    PromptItem,
    PromptProgress,
    PromptRole,
    TextPiece,
)
from kotonia_desktop.engine.client import EngineProcess
from kotonia_desktop.engine.gguf_header import read_header


def babble(tokens: int) -> Sampling:
    return Sampling(temperature=1.2, seed=3, max_tokens=tokens, soft_landing=False)


GREEDY = Sampling(temperature=0, repeat_penalty=1, dry_multiplier=0, max_tokens=64)
SYSTEM = PromptItem(PromptRole.SYSTEM, "Answer in character.")
HELLO = PromptItem(PromptRole.USER, "Hello there")


@pytest.fixture(scope="module")
def babbling_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that never ends by itself."""
    return build_tiny_model(tmp_path_factory.mktemp("babble"), TinySpec(name="babble", chain=False))


@pytest.fixture
def engine(tiny_model: Path) -> Iterator[EngineProcess]:
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(tiny_model), window=1024, threads=1))
        yield process


def request(*items: PromptItem, **values: object) -> GenerateRequest:
    return GenerateRequest(tuple(items) or (SYSTEM, HELLO), **{"sampling": GREEDY, "conversation": "a", **values})


def finish(engine: EngineProcess, asked: GenerateRequest) -> Finished:
    last = list(engine.generate(asked))[-1]
    assert isinstance(last, Finished)
    return last


def test_a_loaded_model_says_what_it_is(tiny_model: Path):
    progress: list[float] = []
    with EngineProcess() as engine:
        model = engine.load(LoadOptions(path=str(tiny_model), window=1024), progress.append)
        assert engine.model == model
    assert (model.architecture, model.chat_cells, model.memory_cells) == ("llama", 1024, 614)
    assert (model.template.source, model.template.name, model.template.reason) == (TemplateSource.FILE, "chatml", "")
    assert progress[0] == 0.0
    assert progress[-1] == 1.0
    assert progress == sorted(progress)


def test_a_reply_streams_whole_characters_and_says_how_it_ended(engine: EngineProcess):
    events = list(engine.generate(request()))
    pieces = [event.text for event in events if isinstance(event, TextPiece)]
    finished = events[-1]
    assert isinstance(events[0], PromptProgress)
    assert isinstance(finished, Finished)
    assert "".join(pieces) == finished.text == REPLY_TEXT
    assert pieces[-1] == "🌙"
    assert finished.reason is FinishReason.STOP
    assert sum(finished.id_bytes) == len(REPLY_TEXT.encode())
    assert len(finished.ids) == len(finished.id_bytes) == finished.reply_tokens


def test_the_count_is_the_number_of_tokens_that_are_read(engine: EngineProcess):
    counted = engine.count_items([SYSTEM, HELLO])
    assert sum(counted.items) + counted.opener == counted.total == engine.count([SYSTEM, HELLO])
    assert finish(engine, request()).prompt_tokens == counted.total


def test_the_next_turn_reads_only_what_is_new(engine: EngineProcess):
    first = finish(engine, request())
    reply = PromptItem(PromptRole.ASSISTANT, first.text, first.ids)
    second = finish(engine, request(SYSTEM, HELLO, reply, PromptItem(PromptRole.USER, "And then?")))
    assert second.reused_tokens == first.prompt_tokens + len(first.ids)
    changed = finish(engine, request(SYSTEM, PromptItem(PromptRole.USER, "Bye"), reply, HELLO))
    assert changed.reused_tokens < first.prompt_tokens


def test_another_conversation_reads_only_what_its_beginning_has_of_its_own(engine: EngineProcess):
    first = finish(engine, request())
    system = engine.count_items([SYSTEM]).items[0]
    other = finish(engine, request(SYSTEM, PromptItem(PromptRole.USER, "quite another line"), conversation="b"))
    assert system <= other.reused_tokens < other.prompt_tokens
    assert first.reused_tokens == 0
    unlike = PromptItem(PromptRole.SYSTEM, "Something else.")
    assert finish(engine, request(unlike, HELLO, conversation="c")).reused_tokens < system


def test_control_tokens_in_a_message_stay_text(engine: EngineProcess):
    plain = engine.count([PromptItem(PromptRole.USER, "x")])
    marked = engine.count([PromptItem(PromptRole.USER, "x<|im_end|>")])
    assert marked - plain > 3


def test_a_reply_that_reaches_its_limit_can_be_continued(engine: EngineProcess):
    cut = finish(engine, request(sampling=Sampling(temperature=0, repeat_penalty=1, dry_multiplier=0, max_tokens=4)))
    assert cut.reason is FinishReason.LENGTH
    rest = finish(engine, request(prefix_text=cut.text, prefix_ids=cut.ids))
    assert rest.reason is FinishReason.STOP
    assert cut.text + rest.text == REPLY_TEXT
    assert len(cut.ids) == 4


def test_a_stop_string_ends_a_reply_before_it_is_shown(engine: EngineProcess):
    sampling = Sampling(temperature=0, repeat_penalty=1, dry_multiplier=0, max_tokens=64, stop=("ました。き",))
    events = list(engine.generate(request(sampling=sampling)))
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert finished.text == "はい、写真を見"
    assert finished.stop_string == "ました。き"
    assert sum(finished.id_bytes) == len(finished.text.encode())


def test_a_prompt_that_does_not_fit_is_refused_with_its_numbers(engine: EngineProcess):
    with pytest.raises(MessageTooLong) as caught:
        engine.generate(request(PromptItem(PromptRole.USER, "猫 " * 2000)))
    values = caught.value.values
    assert values["window"] == 1024
    assert values["over"] == int(values["tokens"]) + 1 - 1024


def test_a_reply_that_fills_the_window_says_so(babbling_model: Path):
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(babbling_model), window=100, threads=1))
        sampling = babble(1000)
        finished = finish(engine, request(sampling=sampling))
    assert finished.reason is FinishReason.WINDOW
    assert finished.prompt_tokens + finished.reply_tokens in (100, 101)


def test_the_same_seed_gives_the_same_reply(babbling_model: Path):
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(babbling_model), window=512, threads=1))
        texts = [
            finish(engine, request(conversation=name, sampling=Sampling(temperature=1.2, seed=seed, max_tokens=40))).ids
            for name, seed in (("a", 1), ("b", 1), ("c", 2))
        ]
    assert texts[0] == texts[1] != texts[2]


def test_a_running_reply_can_be_stopped(babbling_model: Path):
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(babbling_model), window=100_000, threads=1))
        sampling = babble(100_000)
        job = engine.generate(request(sampling=sampling))
        pieces = []
        for event in job:
            if isinstance(event, TextPiece):
                pieces.append(event.text)
                job.cancel()
        assert isinstance(event, Finished)
    assert event.reason is FinishReason.CANCELLED
    assert event.text == "".join(pieces)


def test_the_chat_goes_before_background_work_which_then_goes_on(babbling_model: Path):
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(babbling_model), window=20_000, threads=1))
        sampling = babble(3000)
        background = engine.generate(request(sampling=sampling, lane=Lane.MEMORY))
        first = next(event for event in background if isinstance(event, TextPiece))
        chat = finish(engine, request(sampling=babble(20)))
        rest = list(background)
    assert first.text
    assert chat.reply_tokens == 20
    assert isinstance(rest[-1], Finished)
    assert rest[-1].reply_tokens == 3000


def test_without_a_model_every_call_says_so():
    with EngineProcess() as engine, pytest.raises(NoModel):
        engine.count([HELLO])


def test_after_an_unload_there_is_no_model(engine: EngineProcess):
    engine.unload()
    assert engine.model is None
    with pytest.raises(NoModel):
        engine.count([HELLO])


def test_wrong_files_give_different_errors_and_keep_the_loaded_model(
    engine: EngineProcess, tiny_model: Path, tmp_path: Path
):
    data = tiny_model.read_bytes()
    half, text = tmp_path / "half.gguf", tmp_path / "text.gguf"
    half.write_bytes(data[: len(data) // 2])
    text.write_text("This is a text file.")
    with pytest.raises(ModelTruncated) as cut:
        engine.load(LoadOptions(path=str(half)))
    assert (cut.value.values["have"], cut.value.values["need"]) == (len(data) // 2, len(data))
    with pytest.raises(NotAModel):
        engine.load(LoadOptions(path=str(text)))
    with pytest.raises(ModelFileMissing):
        engine.load(LoadOptions(path=str(tmp_path / "none.gguf")))
    with pytest.raises(UnknownTemplate):
        engine.load(LoadOptions(path=str(tiny_model), template="no-such-family"))
    assert finish(engine, request()).text == REPLY_TEXT


def test_a_killed_engine_ends_the_reply_as_interrupted_and_the_next_call_works(babbling_model: Path):
    heard: list[EngineStatus] = []
    died = threading.Event()

    def on_status(status: EngineStatus) -> None:
        heard.append(status)
        if status.crashes:
            died.set()

    with EngineProcess(on_status) as engine:
        engine.load(LoadOptions(path=str(babbling_model), window=100_000, threads=1))
        sampling = babble(100_000)
        pieces = []
        for event in engine.generate(request(sampling=sampling)):
            if isinstance(event, TextPiece):
                pieces.append(event.text)
                if len(pieces) == 3:
                    assert engine.pid is not None
                    os.kill(engine.pid, signal.SIGKILL)
        assert isinstance(event, Finished)
        assert (event.reason, event.error) == (FinishReason.INTERRUPTED, "engine_stopped")
        assert event.text == "".join(pieces)
        assert died.wait(10)
        assert engine.model is not None
        again = finish(engine, request(sampling=babble(20)))
        assert again.reply_tokens == 20
        assert engine.status().crashes == 1
    assert heard[-1].alive is False


def test_the_engine_ends_with_its_parent(tiny_model: Path):
    script = (
        "import sys; from kotonia_desktop.engine.client import EngineProcess;"
        "from kotonia_desktop.domain.models import LoadOptions;"
        f"e = EngineProcess(); e.load(LoadOptions(path={str(tiny_model)!r}, window=512)); print(e.pid, flush=True);"
        "sys.stdin.read()"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline()))
    parent.kill()
    parent.communicate()
    psutil.wait_procs([child], timeout=10)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_a_starting_thread_that_ends_does_not_end_the_engine(tiny_model: Path):
    engine = EngineProcess()
    starter = threading.Thread(target=lambda: engine.load(LoadOptions(path=str(tiny_model), window=512, threads=1)))
    starter.start()
    starter.join()
    with engine:
        assert finish(engine, request()).text == REPLY_TEXT
        assert engine.status().crashes == 0


def test_a_missing_template_falls_back_to_chatml(tmp_path: Path):
    path = build_tiny_model(tmp_path, TinySpec(name="bare", template=None))
    with EngineProcess() as engine:
        health = engine.load(LoadOptions(path=str(path), window=512)).template
        assert (health.source, health.name, health.reason) == (TemplateSource.FAMILY, "chatml", "missing")
        assert finish(engine, request()).text == REPLY_TEXT


def test_a_template_that_hangs_is_given_up_and_the_model_still_answers(tmp_path: Path):
    slow = CHATML + "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    path = build_tiny_model(tmp_path, TinySpec(name="slow", template=slow))
    with EngineProcess() as engine:
        health = engine.load(LoadOptions(path=str(path), window=512)).template
        assert (health.source, health.name, health.reason) == (TemplateSource.FAMILY, "chatml", "too_slow")
        assert finish(engine, request()).text == REPLY_TEXT


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_every_kind_of_model_answers_and_reuses_its_prefix(kind: str, tmp_path: Path):
    path = build_tiny_model(tmp_path, kind)
    with EngineProcess() as engine:
        model = engine.load(LoadOptions(path=str(path), window=1024, threads=1))
        items = [SYSTEM, HELLO]
        for _ in range(3):
            reply = finish(engine, request(*items))
            assert reply.text == REPLY_TEXT
            items += [PromptItem(PromptRole.ASSISTANT, reply.text, reply.ids), HELLO]
            known = reply.prompt_tokens + len(reply.ids)
        assert finish(engine, request(*items)).reused_tokens == known
        assert finish(engine, request(*items)).reused_tokens == engine.count(items) - 1
    assert model.rewind == ("checkpoint" if kind in ("gemma3", "lfm2") else "any")


def test_what_was_read_ahead_is_not_read_again(engine: EngineProcess):
    engine.warm([SYSTEM, HELLO], "a")
    counted = engine.count_items([SYSTEM, HELLO])
    reused = 0
    while reused == 0:  # a reply that comes at once may find it not begun, and ends it
        reused = finish(engine, request(conversation="a")).reused_tokens
    assert reused >= counted.items[0]


def test_a_continuation_can_begin_with_a_text(engine: EngineProcess):
    rest = finish(engine, request(prefix_text="はい、写真を見"))
    assert rest.text == "ました。きれいな空ですね🌙"


def test_a_load_can_be_cancelled(tiny_model: Path):
    with EngineProcess() as engine:
        with pytest.raises(LoadCancelled):
            engine.load(LoadOptions(path=str(tiny_model)), lambda _value: engine.cancel_load())
        assert engine.model is None
        engine.load(LoadOptions(path=str(tiny_model), window=512))
        assert finish(engine, request()).text == REPLY_TEXT


def test_a_family_can_be_chosen_instead_of_the_files_template(tiny_model: Path):
    with EngineProcess() as engine:
        health = engine.load(LoadOptions(path=str(tiny_model), window=1024, template="alpaca")).template
        assert (health.source, health.name) == (TemplateSource.OVERRIDE, "alpaca")
        chatml = engine.load(LoadOptions(path=str(tiny_model), window=1024, template="chatml")).template
        assert chatml.name == "chatml"
        assert finish(engine, request()).text == REPLY_TEXT


def test_plain_completion_writes_names_and_stops_at_the_next_ones(babbling_model: Path):
    user = PromptItem(PromptRole.USER, "Hello", name="Aki")
    reply = PromptItem(PromptRole.ASSISTANT, "Yes", name="Mira")
    with EngineProcess() as engine:
        health = engine.load(LoadOptions(path=str(babbling_model), window=1024, template="completion")).template
        assert health.source is TemplateSource.COMPLETION
        with_names = engine.count_items([SYSTEM, user, reply])
        longer = engine.count_items([SYSTEM, user, PromptItem(PromptRole.ASSISTANT, "Yes", name="Mirabella")])
        assert longer.items[-1] > with_names.items[-1]
        assert longer.opener > with_names.opener
        assert finish(engine, request(SYSTEM, user, sampling=babble(10))).reply_tokens == 10


@pytest.fixture(scope="module")
def thinking_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose template knows a think block; it says its reply behind a line break."""
    return build_tiny_model(tmp_path_factory.mktemp("think"), TinySpec(name="thinker", template=THINKING))


def test_a_model_that_thinks_is_given_a_closed_block_where_it_shall_not(thinking_model: Path):
    with EngineProcess() as engine:
        model = engine.load(LoadOptions(path=str(thinking_model), window=1024, threads=1))
        assert model.thinks
        assert (model.template.source, model.template.reason) == (TemplateSource.FILE, "not_growing")
        first = finish(engine, request(sampling=babble(8)))
        assert first.reasoning == ""
        reply = PromptItem(PromptRole.ASSISTANT, first.text, first.ids)
        second = finish(engine, request(SYSTEM, HELLO, reply, HELLO, sampling=babble(8)))
        assert second.reused_tokens == first.prompt_tokens + len(first.ids)


def test_a_short_think_block_is_closed_at_its_budget_and_kept_apart(tmp_path: Path):
    path = build_tiny_model(tmp_path, TinySpec(name="babbler", chain=False, template=THINKING))
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(path), window=1024, threads=1))
        asked = request(reasoning=ReasoningMode.SHORT, reasoning_budget=40, sampling=babble(5))
        events = list(engine.generate(asked))
        finished = events[-1]
        assert isinstance(finished, Finished)
        assert (finished.reasoning_tokens, finished.reply_tokens) == (40, 5)
        assert not finished.thinking_cut
        assert "".join(e.text for e in events if isinstance(e, TextPiece) and e.reasoning).strip() == finished.reasoning
        assert "".join(e.text for e in events if isinstance(e, TextPiece) and not e.reasoning) == finished.text
        reply = PromptItem(PromptRole.ASSISTANT, finished.text, finished.ids)
        after = finish(engine, request(SYSTEM, HELLO, reply, HELLO, sampling=babble(3)))
        plain = engine.count_items([SYSTEM, HELLO])
        # Only the reply is read again: it moved when the block before it left.
        assert after.reused_tokens >= plain.total - plain.opener


def test_a_block_that_the_model_ends_the_reply_in_is_said_to_be_cut(thinking_model: Path):
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(thinking_model), window=1024, threads=1))
        finished = finish(engine, request(reasoning=ReasoningMode.FREE))
    assert (finished.text, finished.reasoning, finished.thinking_cut) == ("", REPLY_TEXT, True)


def test_a_continued_reply_does_not_think_again(thinking_model: Path):
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(thinking_model), window=1024, threads=1))
        mode = ReasoningMode.FREE
        finished = finish(engine, request(reasoning=mode, prefix_text="はい、写真を見"))
    assert (finished.text, finished.reasoning) == ("ました。きれいな空ですね🌙", "")


def test_a_python_file_in_the_current_folder_is_not_run(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("json.py", "numpy.py", "jinja2.py"):
        (tmp_path / name).write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    with EngineProcess() as engine:
        assert engine.load(LoadOptions(path=str(tiny_model), window=512)).template.source is TemplateSource.FILE
    assert not (tmp_path / "was-run").exists()


def test_a_soft_landing_ends_at_a_sentence_end_after_three_quarters(tmp_path: Path):
    path = build_tiny_model(tmp_path)
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(path), window=512, threads=1))
        # The seventh of eight tokens is the full stop; from the sixth on the reply may land.
        sampling = Sampling(temperature=0, repeat_penalty=1, dry_multiplier=0, max_tokens=8)
        landed = finish(engine, request(sampling=sampling))
        hard = finish(engine, request(sampling=replace(sampling, soft_landing=False)))
    assert (landed.reason, landed.landed, landed.text) == (FinishReason.STOP, True, "はい、写真を見ました。")
    assert (hard.reason, hard.landed) == (FinishReason.LENGTH, False)
    assert len(hard.text) > len(landed.text)


def test_a_model_whose_weights_are_no_numbers_is_found_out(tmp_path: Path):
    path = build_tiny_model(tmp_path)
    header_bytes = path.stat().st_size - read_header(str(path)).tensor_bytes
    data = bytearray(path.read_bytes())
    data[header_bytes:] = b"\xff" * (len(data) - header_bytes)
    path.write_bytes(data)
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(path), window=512, threads=1))
        finished = finish(engine, request())
    assert (finished.reason, finished.error) == (FinishReason.ERROR, "broken_logits")


def test_a_model_that_says_one_thing_for_ever_is_ended(tmp_path: Path):
    path = build_tiny_model(tmp_path)
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(path), window=2048, threads=1, template="alpaca"))
        finished = finish(engine, request(sampling=replace(GREEDY, max_tokens=1000)))
    assert finished.reason is FinishReason.STOP
    assert finished.reply_tokens < 500


def test_penalties_know_the_tokens_they_are_told_and_not_the_prompt(engine: EngineProcess):
    punished = replace(GREEDY, repeat_penalty=1.0, frequency_penalty=50.0, max_tokens=3)
    free = finish(engine, request(PromptItem(PromptRole.USER, REPLY_TEXT * 3), sampling=punished))
    assert REPLY_TEXT.startswith(free.text)
    told = finish(engine, request(PromptItem(PromptRole.USER, REPLY_TEXT * 3), sampling=punished, penalty_ids=free.ids))
    assert not set(told.ids) & set(free.ids)


def test_dry_keeps_a_reply_from_repeating_an_earlier_one(engine: EngineProcess):
    dry = replace(GREEDY, dry_multiplier=50.0, dry_allowed_length=2, max_tokens=6)
    first = finish(engine, request(sampling=dry))
    again = finish(engine, request(sampling=dry, penalty_ids=first.ids))
    other = finish(engine, request(sampling=dry))
    assert REPLY_TEXT.startswith(first.text)
    assert again.ids[:2] == first.ids[:2]
    assert again.ids != first.ids
    assert other.ids == first.ids


def test_an_engine_that_dies_twice_over_one_call_says_that_it_stopped(engine: EngineProcess, tiny_model: Path):
    def kill(_value: float) -> None:
        if engine.pid is not None:
            os.kill(engine.pid, signal.SIGKILL)

    with pytest.raises(EngineStopped):
        engine.load(LoadOptions(path=str(tiny_model)), kill)
    assert engine.status().crashes == 2
    assert engine.model is None


def test_a_closed_engine_is_gone(tiny_model: Path):
    engine = EngineProcess()
    engine.load(LoadOptions(path=str(tiny_model), window=512))
    assert engine.pid is not None
    child = psutil.Process(engine.pid)
    engine.close()
    assert not child.is_running()
    assert engine.status().crashes == 0
    with pytest.raises(EngineStopped):
        engine.count([HELLO])
