"""The first load finds out how a model runs fastest, remembers it, and takes no long time for it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_models import SPECS, build_tiny_model

from kotonia_desktop.domain.errors import LoadCancelled
from kotonia_desktop.domain.models import LoadOptions
from kotonia_desktop.engine import tuning
from kotonia_desktop.engine.client import EngineProcess
from kotonia_desktop.engine.llama import LlamaError, Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.loading import check_options, load_engine
from kotonia_desktop.engine.shape import Shape
from kotonia_desktop.engine.snapshots import digest_of_model
from kotonia_desktop.engine.tuning import Measured, Tuned, Tuner, machine, recall, remember

PLAIN = Tuned(False, False, 1, 64, 10.0)


class Weights:
    """Stands for a model whose measurements are made up."""

    def __init__(self) -> None:
        self.freed = False

    def free(self) -> None:
        self.freed = True


def tuned(monkeypatch: pytest.MonkeyPatch, threads: int = 1, **factors: float) -> tuple[Tuned, Weights, Weights]:
    first, second = Weights(), Weights()

    def measured(model: Weights, shape: Shape) -> Measured:
        cost = 0.1 * (factors.get("plain", 1.0) if model is second else 1.0)
        cost *= factors.get("flash", 1.0) if shape.flash else 1.0
        cost *= factors.get(f"step{shape.step}", 1.0) * factors.get(f"threads{shape.threads}", 1.0)
        return Measured(cost, cost, cost)

    monkeypatch.setattr(tuning, "measure", measured)
    found, chosen = Tuner(first, False, lambda _plain: second, threads).run()  # type: ignore[arg-type,return-value]
    assert not chosen.freed  # type: ignore[attr-defined]
    assert {first.freed, second.freed} == {True, False}
    return found, first, second


def test_what_is_faster_is_taken_and_what_is_as_fast_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _, second = tuned(monkeypatch, flash=1.8, plain=1.0, step32=0.99)
    assert (found.flash, found.plain_weights, found.step, second.freed) == (False, False, 64, True)
    found, first, _ = tuned(monkeypatch, plain=0.7)
    assert (found.plain_weights, first.freed) == (True, True)
    assert tuned(monkeypatch, flash=0.93)[0].flash is False  # a long conversation would lose it again
    assert tuned(monkeypatch, flash=0.85)[0].flash is True
    assert tuned(monkeypatch, step128=0.8)[0].step == 128
    assert tuned(monkeypatch, step32=0.8)[0].step == 32
    assert tuned(monkeypatch, threads=6, threads3=0.5)[0].threads == 3
    # Flash attention works on 64 rows: a smaller step is not even tried with it.
    found = tuned(monkeypatch, flash=0.5, step32=0.1)[0]
    assert (found.flash, found.step) == (True, 64)


def test_when_the_time_is_over_the_rest_keeps_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Weights()
    monkeypatch.setattr(tuning, "measure", lambda _model, _shape: Measured(1, 1, 1))
    tuner = Tuner(first, False, None, 1)  # type: ignore[arg-type]
    found, _ = tuner.run(seconds=0)
    assert (found.flash, found.step, len(tuner.log)) == (False, 64, 1)


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_a_real_model_of_any_kind_is_measured(kind: str, tmp_path: Path) -> None:
    start_library()
    model = Model(str(build_tiny_model(tmp_path, kind)))
    for shape in (Shape(), Shape(flash=True), Shape(step=32), Shape(step=128)):
        found = tuning.measure(model, shape)
        assert min(found.token, found.turn, found.reading) > 0
        assert model.contexts == []
    with pytest.raises(LlamaError):
        tuning.measure(model, Shape(key="q8_0", value="q8_0"))  # llama.cpp refuses it without flash attention
    model.free()


def test_it_is_remembered_for_the_machine_and_the_model(tmp_path: Path, tiny_model: Path) -> None:
    file = tmp_path / "new" / "tuning.json"
    options = LoadOptions(path=str(tiny_model), window=1024, tuning=str(file))
    start_library()
    engine = load_engine(options, check_options(options), None, lambda _value: True)
    assert engine.loaded.tuned
    engine.free()
    digest = digest_of_model(tiny_model)
    found = recall(file, digest)
    assert found is not None
    other = replace(found, step=32, flash=False, threads=1)
    remember(file, digest, other)
    with EngineProcess() as process:
        loaded = process.load(options)
        assert (loaded.step, loaded.flash, loaded.threads) == (32, False, 1)
        asked = process.load(replace(options, step=48, flash=True))
        assert (asked.step, asked.flash) == (48, True)  # what is asked for goes before
        assert process.load(replace(options, tuning="")).step == 64
    assert recall(file, digest) == other
    assert recall(file, "another model") is None


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"version": 1, "machines": []}', b'{"version": 2, "machines": {}}', b"\xff" * 10],
)
def test_a_damaged_file_says_nothing_and_is_written_anew(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "tuning.json"
    file.write_bytes(content)
    assert recall(file, "m") is None
    remember(file, "m", PLAIN)
    assert recall(file, "m") == PLAIN


@pytest.mark.parametrize("change", [{"step": 0}, {"threads": 10_000}, {"flash": "yes"}, {"more": 1}, {"step": "64"}])
def test_wild_values_say_nothing(tmp_path: Path, change: dict[str, object]) -> None:
    file = tmp_path / "tuning.json"
    remember(file, "m", PLAIN)
    values = json.loads(file.read_text())
    values["machines"][machine()]["m"] |= change
    file.write_text(json.dumps(values))
    assert recall(file, "m") is None


def test_a_load_can_be_cancelled_while_it_is_measured(tmp_path: Path, tiny_model: Path) -> None:
    options = LoadOptions(path=str(tiny_model), window=1024, tuning=str(tmp_path / "t.json"))
    start_library()
    with pytest.raises(LoadCancelled):
        load_engine(options, check_options(options), None, lambda value: value <= 0.9)
    assert not (tmp_path / "t.json").exists()


def test_weights_that_killed_the_engine_are_not_rearranged_again(tmp_path: Path, tiny_model: Path) -> None:
    options = LoadOptions(path=str(tiny_model), window=1024, plain_weights=True, tuning=str(tmp_path / "t.json"))
    start_library()
    engine = load_engine(options, check_options(options), None, lambda _value: True)
    assert engine.loaded.plain_weights
    engine.free()
    found = recall(tmp_path / "t.json", digest_of_model(tiny_model))
    assert found is not None
    assert found.plain_weights
