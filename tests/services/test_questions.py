"""Yes or no is weighed by the model's own probabilities."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from kotonia_desktop.domain.models import LoadOptions
from kotonia_desktop.domain.ports import PromptItem, PromptRole
from kotonia_desktop.engine.client import EngineProcess
from kotonia_desktop.services.questions import _NO, _YES, yes_no

ITEMS = (PromptItem(PromptRole.SYSTEM, "Answer."), PromptItem(PromptRole.USER, "Is the cat on the mat?"))


@pytest.fixture
def engine(tiny_model: Path) -> Iterator[EngineProcess]:
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(tiny_model), window=1024, threads=1))
        yield process


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_it_is_the_share_of_yes(engine: EngineProcess, language: str) -> None:
    found = yes_no(engine, ITEMS, language, "c")
    yes = sum(math.exp(score) for score in engine.score(ITEMS, _YES[language], "c"))
    no = sum(math.exp(score) for score in engine.score(ITEMS, _NO[language], "c"))
    assert found == pytest.approx(yes / (yes + no), rel=1e-3)
    assert 0 <= found <= 1


def test_what_was_asked_weighs(engine: EngineProcess) -> None:
    other = (*ITEMS[:1], PromptItem(PromptRole.USER, "猫は月の夜に雨を見ましたか？ " * 5))
    assert yes_no(engine, ITEMS, "en", "c") != pytest.approx(yes_no(engine, other, "en", "c"), rel=1e-4)


def test_a_model_that_says_yes_is_heard(tiny_model: Path, engine: EngineProcess) -> None:
    """The tiny model's reply begins with はい."""
    assert yes_no(engine, ITEMS, "ja", "c") > 0.9
