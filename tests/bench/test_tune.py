"""Tuning in a process that may die: what it finds is kept, and a death is told and changes nothing."""

from pathlib import Path

import pytest
from tiny_models import TinySpec, build_tiny_model

from kotonia_desktop.bench.tune import tune
from kotonia_desktop.domain.errors import EngineFailed
from kotonia_desktop.engine.snapshots import digest_of_model
from kotonia_desktop.engine.tuning import recall


def silent(_line: str) -> None:
    return None


def test_what_is_found_is_kept(tiny_model: Path, tmp_path: Path) -> None:
    file = tmp_path / "tuning.json"
    result = tune(tiny_model, file, 2.0, silent)
    assert result.results["tried"] >= 1
    kept = recall(file, digest_of_model(tiny_model))
    assert kept is not None
    assert kept.step == result.results["step"]


def test_a_model_that_ends_llama_cpp_ends_the_child_alone(tmp_path: Path) -> None:
    spec = TinySpec(name="tiny-broken", metadata={"llama.attention.layer_norm_rms_epsilon": -1.0})
    broken = build_tiny_model(tmp_path, spec)
    file = tmp_path / "tuning.json"
    told: list[str] = []
    with pytest.raises(EngineFailed):
        tune(broken, file, 1.0, told.append)
    assert told == ["the engine ended with rearranged weights; once more with the weights as they are"]
    assert not file.exists()
