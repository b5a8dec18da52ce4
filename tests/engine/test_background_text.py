"""A background text is the same whether replies came between or not: its steps are broken off and go on."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_models import TinySpec, build_tiny_model

from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import LoadOptions, Sampling
from kotonia_desktop.domain.ports import (
    Finished,
    GenerateEvent,
    GenerateRequest,
    Lane,
    PromptItem,
    PromptRole,
    TextPiece,
)
from kotonia_desktop.engine.client import EngineProcess
from kotonia_desktop.engine.families import family_grammar
from kotonia_desktop.engine.jobs import Control, ReplyJob
from kotonia_desktop.engine.llama import Context, Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.prompt_ids import PromptEncoder
from kotonia_desktop.engine.sampling import Samplers
from kotonia_desktop.engine.sequences import CachedSequence
from kotonia_desktop.engine.shape import Shape

ASKED = (PromptItem(PromptRole.SYSTEM, "You keep a record."), PromptItem(PromptRole.USER, "the cat " * 40))
LOOSE = Sampling(temperature=1.0, seed=5, max_tokens=60, soft_landing=False)
LINES = r'root ::= line line line line ["a-z ]* ' + "\n" + r'line ::= "- " [a-z ]{30,60} "\n"'
KINDS = {
    "llama": TinySpec(name="wild-llama", chain=False),
    "gemma3": TinySpec(name="wild-gemma3", architecture="gemma3", layers=6, chain=False),
    "lfm2": TinySpec(name="wild-lfm2", architecture="lfm2", layers=4, chain=False),
}


@pytest.fixture(scope="module", params=sorted(KINDS))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    start_library()
    loaded = Model(str(build_tiny_model(tmp_path_factory.mktemp("wild"), KINDS[request.param])))
    yield loaded
    loaded.free()


class _Desk:
    """Both contexts of a model, and the jobs on them, as the decoding thread has them."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.encoder = PromptEncoder(model, family_grammar("chatml"), None)
        self.samplers = Samplers(model)
        self.sequences = {lane: CachedSequence(Context(model, 1024, 4, Shape(step=16)), 0, 1024) for lane in Lane}

    def job(self, lane: Lane, sampling: Sampling, grammar: str) -> tuple[Iterator[None], list[GenerateEvent]]:
        asked = GenerateRequest(ASKED, sampling=sampling, lane=lane, conversation="m", grammar=grammar)
        events: list[GenerateEvent] = []
        job = ReplyJob(self.model, self.encoder, self.samplers, self.sequences[lane], asked, Control())
        return job.run(events.append), events

    def write(self, sampling: Sampling, grammar: str, *, disturbed: bool) -> tuple[Finished, int]:
        """A background text and the steps that it took."""
        steps, events = self.job(Lane.MEMORY, sampling, grammar)
        context, number = self.sequences[Lane.MEMORY].context, 0
        for number, _ in enumerate(steps, 1):
            context.aborting = False
            if disturbed and number % 7 == 3:
                # A decode under way is broken off where its memory bears that; then the reply has the thread.
                context.aborting = self.sequences[Lane.MEMORY].survives_abort
                for _ in self.job(Lane.CHAT, replace(LOOSE, seed=number, max_tokens=3), "")[0]:
                    pass
        last = events[-1]
        assert isinstance(last, Finished)
        return last, number

    def close(self) -> None:
        self.samplers.free()
        for sequence in self.sequences.values():
            sequence.context.free()


@pytest.mark.parametrize("grammar", ["", LINES], ids=["free", "grammar"])
def test_a_text_that_is_broken_off_again_and_again_is_the_same(model: Model, grammar: str) -> None:
    desk = _Desk(model)
    alone, steps = desk.write(LOOSE, grammar, disturbed=False)
    desk.sequences[Lane.MEMORY].clear()
    disturbed, more = desk.write(LOOSE, grammar, disturbed=True)
    desk.sequences[Lane.MEMORY].clear()
    other, _ = desk.write(replace(LOOSE, seed=6), grammar, disturbed=False)
    survives = desk.sequences[Lane.MEMORY].survives_abort
    desk.close()
    assert alone.reason is FinishReason.LENGTH
    assert disturbed.ids == alone.ids
    assert disturbed.text == alone.text
    assert (more > steps) is survives  # steps were lost and done again
    assert other.ids != alone.ids  # the control


@pytest.mark.parametrize("grammar", ["", LINES], ids=["free", "grammar"])
def test_a_reply_between_changes_nothing_of_a_background_text(grammar: str, tmp_path: Path) -> None:
    long = replace(LOOSE, max_tokens=700)
    asked = GenerateRequest(ASKED, sampling=long, lane=Lane.MEMORY, conversation="m", grammar=grammar)
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(build_tiny_model(tmp_path, KINDS["llama"])), window=4096, threads=1))
        alone = list(engine.generate(asked))[-1]
        events = iter(engine.generate(replace(asked, conversation="m2")))
        assert any(isinstance(event, TextPiece) for event in events)  # it writes
        for seed in range(3):
            chat = replace(asked, lane=Lane.CHAT, grammar="", sampling=replace(LOOSE, seed=seed, max_tokens=20))
            reply = list(engine.generate(chat))[-1]
            assert isinstance(reply, Finished)
            assert reply.reply_tokens == 20
        last = list(events)[-1]
    assert isinstance(alone, Finished)
    assert isinstance(last, Finished)
    assert last.ids == alone.ids
    assert last.text == alone.text


def test_a_text_that_takes_too_long_ends_as_one_that_is_too_long(babbling_model: Path) -> None:
    long = replace(LOOSE, max_tokens=1500, repeat_penalty=1.0)
    asked = GenerateRequest(ASKED, sampling=long, lane=Lane.MEMORY, conversation="m")
    with EngineProcess() as engine:
        engine.load(LoadOptions(path=str(babbling_model), window=4096, threads=1))
        free = list(engine.generate(asked))[-1]
        bound = list(engine.generate(replace(asked, seconds=free.reply_seconds / 20)))[-1]
    assert isinstance(free, Finished)
    assert isinstance(bound, Finished)
    assert bound.reason is FinishReason.LENGTH
    assert 0 < bound.reply_tokens < free.reply_tokens
    assert free.text.startswith(bound.text[:20])
