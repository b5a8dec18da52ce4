"""Closed questions: the scores are the probabilities that a cold reading of prompt and text gives."""

import math
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from cache_stage import CLOSE, cold_logits
from tiny_models import SPECS, build_tiny_model

from kotonia_desktop.domain.errors import EngineFailed, MessageTooLong
from kotonia_desktop.domain.models import LoadOptions, ReasoningMode, Sampling
from kotonia_desktop.domain.ports import GenerateRequest, PromptItem, PromptRole
from kotonia_desktop.engine.client import EngineProcess
from kotonia_desktop.engine.families import family_grammar
from kotonia_desktop.engine.llama import Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.prompt_ids import PromptEncoder
from kotonia_desktop.engine.scoring import log_probabilities

ITEMS = (PromptItem(PromptRole.SYSTEM, "Answer."), PromptItem(PromptRole.USER, "the cat " * 30))
OPTIONS = ("Yes", "Hello there in this", "は い写真", "")


def cold_score(model: Model, prompt: list[int], option: list[int]) -> float:
    total = 0.0
    for place, token in enumerate(option):
        total += float(log_probabilities(cold_logits(model, [*prompt, *option[:place]]))[token])
    return total


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_scores_are_those_of_a_cold_reading(kind: str, tmp_path: Path) -> None:
    path = build_tiny_model(tmp_path, kind)
    start_library()
    model = Model(str(path))
    encoder = PromptEncoder(model, family_grammar("chatml"), None)
    prompt = encoder.encode(ITEMS, ReasoningMode.OFF)
    wanted = [cold_score(model, prompt.ids, list(encoder.text_ids(prompt.lead + text))) for text in OPTIONS]
    model.free()
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(path), window=4096, threads=1, template="chatml"))
        scores = engine.score(ITEMS, OPTIONS, "c")
        assert scores == pytest.approx(wanted, abs=5 * CLOSE)
        assert engine.score(ITEMS, OPTIONS[::-1], "c") == pytest.approx(scores[::-1], abs=5 * CLOSE)
        other = engine.score((*ITEMS, ITEMS[1]), OPTIONS, "c")
        assert other != pytest.approx(wanted, abs=5 * CLOSE)  # the control: another prompt has other scores


def test_the_probabilities_of_all_tokens_are_one() -> None:
    logits = np.array([1.0, 1000.0, -1000.0, 999.0], dtype=np.float32)
    found = log_probabilities(logits)
    assert math.isclose(float(np.exp(found).sum()), 1.0)
    assert int(found.argmax()) == 1


@pytest.fixture
def engine(tiny_model: Path) -> Iterator[EngineProcess]:
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(tiny_model), window=1024, threads=1))
        yield process


def test_a_reply_goes_before_a_question_and_neither_changes_the_other(engine: EngineProcess) -> None:
    greedy = Sampling(temperature=0, max_tokens=8, soft_landing=False)
    asked = GenerateRequest(ITEMS, greedy, conversation="c")
    alone = (list(engine.generate(asked))[-1].text, engine.score(ITEMS, OPTIONS, "c"))
    found: list[tuple[float, ...]] = []
    asker = threading.Thread(target=lambda: found.append(engine.score(ITEMS, OPTIONS * 20, "c")))
    asker.start()
    texts = {list(engine.generate(asked))[-1].text for _ in range(5)}
    asker.join(30)
    assert texts == {alone[0]}
    assert found[0] == pytest.approx(alone[1] * 20, abs=CLOSE)


def test_what_does_not_fit_is_refused(engine: EngineProcess) -> None:
    with pytest.raises(MessageTooLong):
        engine.score((PromptItem(PromptRole.USER, "word " * 2000),), OPTIONS, "c")
    assert len(engine.score(ITEMS, OPTIONS, "c")) == len(OPTIONS)


def test_a_vocabulary_alone_scores_nothing(tiny_model: Path) -> None:
    with EngineProcess() as process:
        process.load(LoadOptions(path=str(tiny_model), window=1024, vocabulary_only=True))
        with pytest.raises(EngineFailed):
            process.score(ITEMS, OPTIONS, "c")
