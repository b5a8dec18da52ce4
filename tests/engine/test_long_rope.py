"""Models that turn positions by other factors in larger contexts: no state may go from one kind to the other."""

import random
from pathlib import Path

import numpy as np
import pytest
from tiny_models import TinySpec, build_tiny_model

from kotonia_desktop.domain.models import LoadOptions
from kotonia_desktop.domain.ports import Lane
from kotonia_desktop.engine.gguf_header import read_header
from kotonia_desktop.engine.jobs import Control, read_prompt
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.loading import Engine, check_options, load_engine
from kotonia_desktop.engine.sequences import CachedSequence
from kotonia_desktop.engine.window_fit import Cells, on_one_side, rope_limit

LIMIT = 1024
IDS = random.Random(1).choices(range(3, 250), k=600)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = TinySpec(name="tiny-longrope", window=4096, long_rope=LIMIT, chain=False)
    return build_tiny_model(tmp_path_factory.mktemp("longrope"), spec)


def load(model: Path, window: int, snapshots: Path) -> Engine:
    start_library()
    options = LoadOptions(path=str(model), window=window, threads=1, snapshots=str(snapshots))
    return load_engine(options, check_options(options), None, lambda _value: True)


def read(sequence: CachedSequence, owner: str) -> np.ndarray:
    sequence.claim(IDS, owner)
    for _ in read_prompt(sequence, IDS, True, Control(), 0):
        pass
    return np.array(sequence.context.logits(), copy=True)


def test_both_contexts_lie_on_one_side() -> None:
    assert on_one_side(Cells(1536, 921), LIMIT) == Cells(1536, LIMIT + 1)
    assert on_one_side(Cells(1000, 600), LIMIT) == Cells(1000, 600)
    assert on_one_side(Cells(4096, 2457), LIMIT) == Cells(4096, 2457)
    assert on_one_side(Cells(1536, 921), 0) == Cells(1536, 921)


@pytest.mark.parametrize("kind", ["longrope", "none"])  # as the converters write MiniCPM and Phi
@pytest.mark.parametrize(("original", "limit"), [(LIMIT, LIMIT), (1000, 768)])
def test_a_model_is_known_by_its_factors(kind: str, original: int, limit: int, tmp_path: Path) -> None:
    metadata: dict[str, str | float | int] = {"llama.rope.scaling.type": kind}
    spec = TinySpec(name="tiny", window=4096, long_rope=original, metadata=metadata)
    assert rope_limit(read_header(str(build_tiny_model(tmp_path, spec)))) == limit


def test_a_model_without_them_has_no_sides(tiny_model: Path) -> None:
    assert rope_limit(read_header(str(tiny_model))) == 0


def test_what_was_staged_says_what_a_cold_reading_says(model: Path, tmp_path: Path) -> None:
    engine = load(model, 1536, tmp_path)
    chat, stage = engine.sequences[Lane.CHAT], engine.stage
    assert stage is not None
    cold = read(chat, "a")
    chat.clear()
    for _ in read_prompt(stage, IDS[:-1], False, Control()):
        pass
    stage.owner = "a"
    np.testing.assert_allclose(read(chat, "a"), cold, atol=1e-3)


def test_a_snapshot_of_the_other_side_is_another_models(model: Path, tmp_path: Path) -> None:
    identities = set()
    for window in (1000, 1020, 1536, 2048):
        keeper = load(model, window, tmp_path).keeper
        assert keeper is not None
        assert keeper._snapshots is not None
        identities.add((window > LIMIT, keeper._snapshots.identity))
    assert len(identities) == 2
