"""Has the loaded model write for memory: one request in the memory context, which every reply goes before."""

import threading

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.memory import WritingStats
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.ports import ChatEngine, Finished, GenerateJob, GenerateRequest, Lane
from kotonia_desktop.memory.chronicler import ChroniclerPrompt
from kotonia_desktop.memory.writing import Written

LONGEST_SECONDS = 1200.0
"""A text that takes the model longer is given up: the machine is too slow for it, and quoted lines stand in."""


class EngineWriter:
    """Writes with the model in memory. `cancel` may be called from any thread."""

    def __init__(self, engine: ChatEngine, conversation_id: int) -> None:
        self._engine = engine
        self._owner = f"memory of {conversation_id}"
        self._lock = threading.Lock()
        self._job: GenerateJob | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """Give up what is being written; it counts as cancelled, and so does whatever would be asked next."""
        with self._lock:
            self._cancelled = True
            job = self._job
        if job is not None:
            job.cancel()

    def write(self, prompt: ChroniclerPrompt) -> Written:
        """One text. An engine that cannot is told by `Written.error`, never raised."""
        request = GenerateRequest(
            items=prompt.items,
            sampling=prompt.sampling,
            lane=Lane.MEMORY,
            conversation=self._owner,
            grammar=prompt.grammar,
            seconds=LONGEST_SECONDS,
        )
        try:
            with self._lock:
                if self._cancelled:
                    return Written("", FinishReason.CANCELLED, WritingStats(settings=prompt.settings), "cancelled")
                job = self._job = self._engine.generate(request)
            finished = next(event for event in job if isinstance(event, Finished))
        except KotoniaError as error:
            return Written("", FinishReason.ERROR, WritingStats(settings=prompt.settings), error.code)
        finally:
            self._job = None
        return Written(finished.text, finished.reason, _stats(finished, prompt), _error(finished))


def _stats(finished: Finished, prompt: ChroniclerPrompt) -> WritingStats:
    return WritingStats(
        prompt_tokens=finished.prompt_tokens,
        reused_tokens=finished.reused_tokens,
        reply_tokens=finished.reply_tokens,
        prompt_seconds=finished.prompt_seconds,
        reply_seconds=finished.reply_seconds,
        seed=finished.seed,
        settings=prompt.settings,
    )


def _error(finished: Finished) -> str:
    """The code of what went wrong outside the model's own writing, or ""."""
    if finished.reason is FinishReason.CANCELLED:
        return "cancelled"
    if finished.reason is FinishReason.INTERRUPTED:
        return finished.error or "engine_stopped"
    return (finished.error or "engine_failed") if finished.reason is FinishReason.ERROR else ""
