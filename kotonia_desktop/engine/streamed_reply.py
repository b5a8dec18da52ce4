"""A reply as it comes from the engine's process; where that dies it ends as interrupted, with what there was."""

from collections.abc import Iterator

from kotonia_desktop.domain.errors import EngineStopped
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.ports import Finished, GenerateEvent, PromptProgress, TextPiece
from kotonia_desktop.engine.child_process import Answers, ChildProcess
from kotonia_desktop.engine.wire import unpack_event


class StreamedReply:
    """A reply in the making, on the app's side."""

    def __init__(self, process: ChildProcess, number: int, answers: Answers) -> None:
        self._process = process
        self._number = number
        self._answers = answers
        self._texts: dict[bool, list[str]] = {False: [], True: []}
        self._progress = PromptProgress(0, 0, 0)

    def __iter__(self) -> Iterator[GenerateEvent]:
        """The events; the last is `Finished`."""
        while True:
            answer = self._answers.get()
            event = unpack_event(answer["value"]) if answer["answer"] == "event" else self._interrupted()
            if isinstance(event, TextPiece):
                self._texts[event.reasoning].append(event.text)
            elif isinstance(event, PromptProgress):
                self._progress = event
            yield event
            if isinstance(event, Finished):
                return

    def cancel(self) -> None:
        """Ask for the end."""
        self._process.post("cancel", job=self._number)

    def _interrupted(self) -> Finished:
        return Finished(
            reason=FinishReason.INTERRUPTED,
            text="".join(self._texts[False]),
            reasoning="".join(self._texts[True]),
            ids=(),
            id_bytes=(),
            prompt_tokens=self._progress.total,
            reused_tokens=self._progress.reused,
            reply_tokens=0,
            reasoning_tokens=0,
            prompt_seconds=0.0,
            reply_seconds=0.0,
            seed=0,
            error=EngineStopped.code,
        )
