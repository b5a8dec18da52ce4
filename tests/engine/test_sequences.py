"""Prefix reuse: after any rewind the logits are those of a prompt that was read from its start."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from tiny_models import SPECS, build_tiny_model

from kotonia_desktop.domain.errors import EngineFailed
from kotonia_desktop.domain.ports import PromptRead
from kotonia_desktop.engine.jobs import Control, read_only, read_prompt
from kotonia_desktop.engine.llama import Context, LlamaError, Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.sequences import CachedSequence, OutOfCells
from kotonia_desktop.engine.shape import Shape
from kotonia_desktop.engine.states import common_prefix

STEP = 16
CELLS = 2048


@pytest.fixture(scope="module", params=sorted(SPECS))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    start_library()
    loaded = Model(str(build_tiny_model(tmp_path_factory.mktemp(request.param), request.param)))
    yield loaded
    loaded.free()


@pytest.fixture
def context(model: Model) -> Iterator[Context]:
    made = Context(model, CELLS, 4, Shape(step=STEP))
    yield made
    made.free()


def random_ids(seed: int, count: int) -> list[int]:
    return random.Random(seed).choices(range(3, 250), k=count)


def read(sequence: CachedSequence, ids: list[int]) -> int:
    steps = list(read_prompt(sequence, ids, True, Control()))
    assert sequence.ids == ids
    return steps[-1][1]


def fresh_logits(model: Model, ids: list[int]) -> np.ndarray:
    made = Context(model, CELLS, 4, Shape(step=STEP))
    sequence = CachedSequence(made, 0, CELLS)
    read(sequence, ids)
    logits = made.logits().copy()
    made.free()
    return logits


def test_a_prompt_that_grows_is_read_at_its_end_only(context: Context):
    sequence = CachedSequence(context, 0, CELLS)
    ids = random_ids(1, 300)
    assert read(sequence, ids) == 0
    assert read(sequence, ids + random_ids(2, 20)) == 300


def test_a_new_reply_to_the_same_prompt_reads_one_token(model: Model, context: Context):
    sequence = CachedSequence(context, 0, CELLS)
    ids = random_ids(1, 300)
    read(sequence, ids)
    list(sequence.read(random_ids(3, 200), True))
    assert read(sequence, ids) == 299
    assert np.abs(context.logits() - fresh_logits(model, ids)).max() < 1e-3


def test_after_every_rewind_the_logits_are_those_of_a_fresh_reading(model: Model, context: Context):
    sequence = CachedSequence(context, 0, CELLS)
    choice = random.Random(7)
    ids = random_ids(4, 400)
    read(sequence, ids)
    for turn in range(12):
        keep = choice.randrange(0, len(ids))
        ids = ids[:keep] + random_ids(100 + turn, choice.randrange(1, 120))
        read(sequence, ids)
        assert np.abs(context.logits() - fresh_logits(model, ids)).max() < 1e-3, f"turn {turn}, kept {keep}"


@pytest.mark.parametrize("model", ["gemma3"], indirect=True)
def test_a_rewind_without_the_guard_gives_wrong_logits_where_the_window_slides(
    model: Model, context: Context, monkeypatch: pytest.MonkeyPatch
):
    sequence = CachedSequence(context, 0, CELLS)
    ids = random_ids(5, 1200)
    read(sequence, ids)
    assert context.remove(0, 600)
    sequence.ids = ids[:600]
    with pytest.raises(LlamaError):  # the positions tell, where anybody looks
        list(sequence.read(random_ids(6, 20), True))
    read(sequence, ids)
    assert context.remove(0, 600)
    sequence.ids = ids[:600]
    monkeypatch.setattr(context, "last_position", lambda _sequence: len(sequence.ids) - 1)
    list(sequence.read(random_ids(6, 20), True))
    wrong = context.logits().copy()
    assert np.abs(wrong - fresh_logits(model, ids[:600] + random_ids(6, 20))).max() > 1e-2


@pytest.mark.parametrize("model", ["gemma3", "lfm2"], indirect=True)
def test_an_edit_before_the_last_reply_goes_back_to_the_checkpoint_of_the_turn_before(context: Context):
    sequence = CachedSequence(context, 0, CELLS)
    assert sequence.needs_checkpoints
    first = random_ids(1, 300)
    read(sequence, first)
    reply, second = random_ids(2, 60), random_ids(3, 60)
    list(sequence.read(reply, True))
    read(sequence, first + reply + second)
    reused = read(sequence, first + reply + random_ids(9, 60))
    assert 299 <= reused <= 360


def test_a_decode_that_is_broken_off_goes_on_with_the_right_logits(model: Model, context: Context):
    sequence = CachedSequence(context, 0, CELLS)
    ids = random_ids(8, 500)
    steps = 0
    for _ in read_prompt(sequence, ids, True, Control()):
        steps += 1
        context.aborting = steps in (3, 4, 9)
    assert sequence.ids == ids
    assert steps > -(-500 // STEP)
    assert np.abs(context.logits() - fresh_logits(model, ids)).max() < 1e-3


def test_a_second_prompt_that_is_broken_off_keeps_what_the_first_one_read(model: Model, context: Context):
    sequence = CachedSequence(context, 0, CELLS)
    first = random_ids(8, 300)
    read(sequence, first)
    list(sequence.read(random_ids(9, 30), True))
    second = first + random_ids(10, 200)
    reused = []
    for number, (_, kept) in enumerate(read_prompt(sequence, second, True, Control())):
        context.aborting = number == 4
        reused.append(kept)
    assert min(reused[-1], reused[0]) >= 299
    assert np.abs(context.logits() - fresh_logits(model, second)).max() < 1e-3


def test_more_tokens_than_cells_are_refused_before_anything_is_read(context: Context):
    sequence = CachedSequence(context, 0, 100)
    read(sequence, random_ids(1, 90))
    with pytest.raises(OutOfCells):
        list(sequence.read(random_ids(2, 11), True))
    assert len(sequence.ids) == 90


def test_a_reading_that_is_ended_early_says_that_it_was_not_done(context: Context):
    sequence = CachedSequence(context, 0, CELLS)
    ids = random_ids(11, 200)
    told: list[PromptRead | EngineFailed | None] = []
    for steps_before_the_end in (0, 3):
        control = Control(cancelled=steps_before_the_end == 0)
        for number, _ in enumerate(read_only(sequence, ids, "c", control, told.append), 1):
            control.cancelled = number == steps_before_the_end
        assert sequence.ids == ids[: steps_before_the_end * STEP]
    assert told == [None, None]
    list(read_only(sequence, ids, "c", Control(), told.append))
    whole = told[-1]
    assert isinstance(whole, PromptRead)
    assert (whole.prompt_tokens, sequence.ids) == (200, ids)
    list(read_only(sequence, [10_000_000, 1], "c", Control(), told.append))
    assert isinstance(told[-1], EngineFailed)


def test_common_prefix():
    assert common_prefix([1, 2, 3], [1, 2, 4]) == 2
    assert common_prefix([1, 2], [1, 2, 3]) == 2
    assert common_prefix([], [1]) == 0
