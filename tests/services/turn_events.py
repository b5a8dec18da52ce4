"""What the tests of the services share: a conversation with a starter, and a catcher of turn events."""

from pathlib import Path

from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.domain.library import Conversation
from kotonia_desktop.domain.messages import Message
from kotonia_desktop.services.chat import TurnRequest
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import TurnEvent, TurnFailed, TurnFinished, TurnReading, TurnStarted, TurnText


class Catch:
    """Keeps what a turn told."""

    def __init__(self) -> None:
        self.started: TurnStarted | None = None
        self.readings: list[TurnReading] = []
        self.texts: list[str] = []
        self.finished: TurnFinished | None = None
        self.failed: TurnFailed | None = None

    def __call__(self, event: TurnEvent) -> None:
        if isinstance(event, TurnStarted):
            self.started = event
        elif isinstance(event, TurnReading):
            self.readings.append(event)
        elif isinstance(event, TurnText):
            self.texts.append(event.text)
        elif isinstance(event, TurnFinished):
            self.finished = event
        else:
            self.failed = event

    @property
    def message(self) -> Message:
        assert self.failed is None, self.failed
        assert self.finished is not None
        return self.finished.message

    @property
    def error(self) -> KotoniaError:
        assert self.failed is not None
        return self.failed.error


def turn(kotonia: Kotonia, request: TurnRequest) -> Catch:
    catch = Catch()
    kotonia.chat.run(request, catch)
    return catch


def begin(kotonia: Kotonia, language: str = "en", persona: str = "Sam") -> Conversation:
    kotonia.library.ensure_starters()
    character = next(c for c in kotonia.library.characters() if c.starter == language)
    chosen, _ = kotonia.library.save_persona(persona, "")
    conversation, _ = kotonia.library.create_conversation(character.id, chosen.id)
    return conversation


def short_replies(kotonia: Kotonia, tokens: int = 24) -> None:
    """Greedy replies of a known length at most."""
    kotonia.settings.set("reply.max_tokens", tokens)
    kotonia.settings.set("reply.soft_landing", False)
    kotonia.settings.set("sampling.temperature", 0.0)


def texts(kotonia: Kotonia, conversation_id: int) -> list[str]:
    return [message.text for message in kotonia.chat.page(conversation_id).messages]


def open_with_model(folder: Path, model: Path, window: int = 16_384) -> Kotonia:
    kotonia = Kotonia(folder)
    kotonia.models.load(model, window=window)
    return kotonia
