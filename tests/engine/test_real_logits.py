"""The comparison that is made with real models holds with tiny ones of every kind, and its control fails."""

from pathlib import Path

import pytest
from cache_stage import CLOSE
from real_logits import differences
from tiny_models import SPECS, build_tiny_model

from kotonia_desktop.engine.llama import Model
from kotonia_desktop.engine.llama_library import start_library


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_no_logits_differ_from_a_cold_reading_in_the_same_steps(kind: str, tmp_path: Path) -> None:
    start_library()
    model = Model(str(build_tiny_model(tmp_path, kind)))
    found = differences(model, tmp_path / "snapshots")
    control = found.popitem()[1]
    assert control > 10 * CLOSE
    assert len(found) == 5
    assert max(found.values()) < CLOSE
    model.free()
