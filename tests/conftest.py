"""Fixtures that tests of several areas share."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from tiny_models import TinySpec, build_tiny_model


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF that a greedy engine answers from with `tiny_models.REPLY_TEXT`."""
    return build_tiny_model(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="session")
def babbling_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF whose replies never end by themselves."""
    return build_tiny_model(tmp_path_factory.mktemp("babbling"), TinySpec(name="tiny-babbling", chain=False))
