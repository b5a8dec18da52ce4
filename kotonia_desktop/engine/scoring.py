"""How likely a model thinks given texts are behind a prompt: questions with closed answers, asked without writing.

The prompt is read once; each text is tried on a fork of it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kotonia_desktop.domain.errors import EngineFailed
from kotonia_desktop.engine.jobs import Control, read_prompt
from kotonia_desktop.engine.llama import LlamaError
from kotonia_desktop.engine.sequences import BrokenOff, CachedSequence, OutOfCells

Done = Callable[[list[float] | EngineFailed | None], None]


def log_probabilities(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """The natural logarithm of each token's probability (log-softmax)."""
    wide = logits.astype(np.float64)
    wide -= wide.max()
    shifted: NDArray[np.float64] = wide - np.log(np.exp(wide).sum())
    return shifted


def score(
    sequence: CachedSequence,
    fork: CachedSequence,
    prompt: Sequence[int],
    options: Sequence[Sequence[int]],
    owner: str,
    control: Control,
    done: Done,
    system: int = 0,
) -> Iterator[None]:
    """Sum, for each option, the logarithms of its tokens' probabilities behind the prompt; yields after each decode.

    `done` gets the sums in nats (0.0 for an option without tokens), whatever happens: None where it was cancelled, the
    error where it cannot be done.
    """
    result: list[float] | EngineFailed | None = EngineFailed(detail="the options cannot be scored")
    fork.busy = True
    try:
        sequence.claim(prompt, owner)
        for _ in read_prompt(sequence, prompt, True, control, system):
            yield
        if control.cancelled:
            result = None
            return
        first = log_probabilities(sequence.context.logits())
        sums: list[float] = []
        for option in options:
            total = float(first[option[0]]) if option else 0.0
            if len(option) > 1:
                fork.fork(sequence)
                for token, following in pairwise(option):
                    for _ in fork.read([token], True):
                        yield
                        if control.cancelled:
                            result = None
                            return
                    total += float(log_probabilities(fork.context.logits())[following])
            sums.append(total)
        result = sums
    except (LlamaError, OutOfCells, BrokenOff):
        return  # `done` says it
    finally:
        fork.busy = False
        fork.clear()
        done(result)
