"""Our engine as it is measured: the process the app uses, asked in plain text completion with ids made here.

Both sides get the same ids, so nothing hangs on a template.
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from kotonia_desktop.bench.measuring import Seconds, processor_seconds, spent
from kotonia_desktop.domain.models import LoadOptions, ReasoningMode, Sampling
from kotonia_desktop.domain.ports import Finished, GenerateRequest, Lane, PromptItem, PromptRole, TextPiece
from kotonia_desktop.engine.client import EngineProcess
from kotonia_desktop.engine.families import COMPLETION
from kotonia_desktop.engine.llama import Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.prompt_ids import PromptEncoder

_TEXT = """
the lamp went out at nine and the harbour lay dark while she carried copper wire from the market to the mill he promised
to come back on friday with three letters for the captain who never asked what was in them rain fell on the old road
beside the orchard and nobody spoke of the boat again until morning came
"""
SAMPLING = Sampling(
    temperature=0.8,
    top_k=60,
    min_p=0.06,
    repeat_penalty=1.0,
    dry_multiplier=0.0,
    seed=1,
    max_tokens=64,
    soft_landing=False,
)
"""As the peer samples: the chain without what the peer is not asked to do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What ours did: seconds until the first token came, and how it ended."""

    first: Seconds
    finished: Finished


def text_of(number: int, words: int) -> str:
    """A text of so many words, the same for the same `number`."""
    return " ".join(random.Random(number).choices(_TEXT.split(), k=words))


class Vocabulary:
    """The model's tokenizer in this process: makes the ids that both sides read."""

    def __init__(self, model: Path) -> None:
        start_library()
        self._model = Model(str(model), vocabulary_only=True)
        self._encoder = PromptEncoder(self._model, None, None)

    def ids(self, number: int, count: int) -> tuple[int, ...]:
        """So many ids of a text; another `number` is another text from its first word on."""
        words = max(8, count)
        ids = self._encoder.text_ids(f"{number} {text_of(number, words)}")
        while len(ids) < count:
            words *= 2
            ids = self._encoder.text_ids(f"{number} {text_of(number, words)}")
        return ids[:count]

    def prompt(self, items: Sequence[PromptItem]) -> list[int]:
        """The ids of a whole prompt, with the reply's opener."""
        return self._encoder.encode(items, ReasoningMode.OFF).ids

    def close(self) -> None:
        """Give the memory back."""
        self._model.free()


def line(ids: Sequence[int]) -> PromptItem:
    """Ids as a line of the user's."""
    return PromptItem(PromptRole.USER, "", tuple(ids))


class Subject:
    """Our engine with a model. Owns both: use it in a `with`. Raises what loading raises."""

    def __init__(self, model: Path, window: int, **options: object) -> None:
        self.engine = EngineProcess()
        values = {"path": str(model), "window": window, "template": COMPLETION, **options}
        try:
            # It looks at the file first, so that a file which is no model is told as in the window.
            self.loaded = self.engine.load(LoadOptions(**values))  # type: ignore[arg-type]
            self.vocabulary = Vocabulary(model)
        except BaseException:
            self.engine.close()
            raise

    @property
    def pid(self) -> int:
        """The engine's process."""
        pid = self.engine.pid
        assert pid is not None  # it is loaded
        return pid

    def answer(self, items: Sequence[PromptItem], tokens: int, conversation: str, **changed: object) -> Answer:
        """Write at most `tokens` behind a prompt, and measure until the first of them comes."""
        values: dict[str, object] = {"lane": Lane.CHAT, "conversation": conversation, **changed}
        seed = values.pop("seed", SAMPLING.seed)
        sampling = replace(SAMPLING, max_tokens=tokens, seed=seed)  # type: ignore[arg-type]
        request = GenerateRequest(tuple(items), sampling, **values)  # type: ignore[arg-type]
        cpu, started = processor_seconds(self.pid), time.perf_counter()
        first: Seconds | None = None
        for event in self.engine.generate(request):
            if first is None and isinstance(event, TextPiece):
                first = spent(self.pid, cpu, started)
            if isinstance(event, Finished):
                whole = spent(self.pid, cpu, started)
                return Answer(first or whole, event)
        raise AssertionError("a reply ends with `Finished`")

    def close(self) -> None:
        """End the engine."""
        self.engine.close()
        self.vocabulary.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
