"""Files nobody of us wrote, and jobs that are ended before they begin."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import LoadOptions, Sampling
from kotonia_desktop.domain.ports import Finished, GenerateEvent, GenerateRequest, Lane, PromptItem, PromptRole
from kotonia_desktop.engine.jobs import Control, ReplyJob, read_ahead, read_only
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.loading import Engine, check_options, load_engine
from kotonia_desktop.engine.snapshot_manifest import VERSION, forget_snapshots, read_manifest
from kotonia_desktop.engine.tuning import recall

GOOD = {
    "version": VERSION,
    "identity": "i",
    "owner": "o",
    "data": "ab12-cd34.kv",
    "tokens": 1,
    "ids_digest": "",
    "checkpoints": [],
    "state_bytes": 1,
    "digest": "",
}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 60_000,
        json.dumps(GOOD | {"data": "a\0.kv"}),
        json.dumps(GOOD | {"data": "\ud800.kv"}),
        json.dumps(GOOD | {"tokens": 2**47}),
        json.dumps(GOOD | {"tokens": 2**33}),
    ],
)
def test_a_manifest_of_nonsense_is_none(text: str, tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(json.dumps(GOOD))
    assert read_manifest(good) is not None
    path = tmp_path / "a.json"
    path.write_text(text)
    assert read_manifest(path) is None
    assert forget_snapshots(tmp_path) == 2


def test_a_tuning_file_that_nests_deep_is_none(tmp_path: Path) -> None:
    path = tmp_path / "tuning.json"
    path.write_text("[" * 100_000)
    assert recall(path, "m") is None


@pytest.fixture
def engine(tiny_model: Path) -> Iterator[Engine]:
    start_library()
    options = LoadOptions(path=str(tiny_model), window=1024, threads=1)
    made = load_engine(options, check_options(options), None, lambda _share: True)
    yield made
    made.free()


def test_reading_that_was_ended_before_it_began_leaves_the_sequence_alone(engine: Engine) -> None:
    chat = engine.sequences[Lane.CHAT]
    chat.owner = "a"
    control = Control(cancelled=True)
    list(read_ahead(chat, [5, 6, 7], "b", control))
    assert chat.owner == "a"
    list(read_only(chat, [5, 6, 7], "b", control, lambda _read: None))
    assert chat.owner == "a"


def test_a_reply_that_is_stopped_while_its_state_is_put_back_draws_nothing(engine: Engine) -> None:
    sampling = Sampling(temperature=0, max_tokens=12, soft_landing=False)
    chat = engine.sequences[Lane.CHAT]
    for stale in (False, True):
        control = Control()
        request = GenerateRequest((PromptItem(PromptRole.USER, "Hello"),), sampling, conversation=f"{stale}")
        job = ReplyJob(engine.model, engine.encoder, engine.samplers, chat, request, control)
        events: list[GenerateEvent] = []

        def end(_wanted: object, _owner: str, control: Control = control) -> None:
            control.cancelled = True

        chat.on_claim = end
        list(job.run(events.append))
        assert isinstance(events[-1], Finished)
        assert (events[-1].reason, events[-1].error, chat.ids) == (FinishReason.CANCELLED, "", [])
        chat.on_claim = None
        list(ReplyJob(engine.model, engine.encoder, engine.samplers, chat, request, Control()).run(lambda _e: None))
        chat.clear()
