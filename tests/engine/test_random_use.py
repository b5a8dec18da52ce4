"""Two minutes of random use: no wrong prefix, no leak of cells or memory."""

import time
from pathlib import Path

import pytest
from random_use import RandomUse, run
from tiny_models import SPECS, build_tiny_model

from kotonia_desktop.engine.llama import LlamaError, Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.sequences import CachedSequence
from kotonia_desktop.engine.states import SequenceState

SECONDS = 120 / len(SPECS)


@pytest.mark.parametrize("kind", sorted(SPECS))
def test_random_use_never_gives_a_wrong_prefix_and_leaks_nothing(kind: str) -> None:
    number = time.time_ns() % 2**32
    print("number", number)  # said where it fails, to do it again
    use = run(kind, SECONDS, number)
    assert use.did["compared"] > 20
    assert use.did["restart"] > 0
    assert use.reused > use.read_tokens / 3


FAULTS = ("ids are taken for others", "cells stay", "another state is swapped in")


@pytest.mark.parametrize("fault", FAULTS)
def test_it_notices(tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: an engine that does one thing wrong."""
    start_library()
    model = Model(str(build_tiny_model(tmp_path, "llama")))
    use = RandomUse(model, tmp_path / "snapshots", 1)
    chat = use.pair.chat
    adopt, fork = chat.adopt, use.pair.fork.fork

    def another_state(state: SequenceState) -> bool:
        taken = adopt(state)
        kept = len(state.ids) - 5
        chat.context.remove(0, kept)
        chat.context.decode([249, 248, 247, 246, 245], 0, kept, False)
        return taken

    def other_ids(source: CachedSequence) -> None:
        list(source.read(source.ids[-1:], True))
        source.ids[-2:] = [source.ids[-1], 249]
        fork(source)

    if fault == "cells stay":
        monkeypatch.setattr(chat.context, "remove", lambda _sequence, _start: True)
    elif fault == "another state is swapped in":
        monkeypatch.setattr(chat, "adopt", another_state)
    else:
        monkeypatch.setattr(use.pair.fork, "fork", other_ids)
    monkeypatch.setitem(use._acts, "restart", (lambda: None, 1))
    assert any(is_noticed(use) for _ in range(500))
    use.close()
    model.free()


def is_noticed(use: RandomUse) -> bool:
    try:
        use.step()
    except (AssertionError, LlamaError):
        return True
    return False
