"""A real dialogue, told again message by message: through the prompt, the prefix cache and the memory of a turn, but
without writing the replies. What it finds is what a chat of these messages would have met.
"""

import threading
from dataclasses import dataclass
from pathlib import Path

from kotonia_desktop.domain.errors import NoModel
from kotonia_desktop.domain.library import Conversation
from kotonia_desktop.domain.memory import HeadState
from kotonia_desktop.domain.messages import Role
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.ports import ChatEngine, Clock
from kotonia_desktop.prompt.build import Key
from kotonia_desktop.services.heads import HeadKeeper
from kotonia_desktop.services.importing import ImportService
from kotonia_desktop.services.prompting import CountedPrompt, read_scene
from kotonia_desktop.services.turns import TurnRunner
from kotonia_desktop.store.messages import NewMessage
from kotonia_desktop.store.worker import StoreThread


@dataclass(frozen=True, slots=True)
class FedMessage:
    """What one message met. Tokens are the model's; `seconds` are what a user would have waited before the reply.

    `new` are the tokens of this message and of the reply's opener; `reread` those that were read although they had
    been read before. `swapped`: the memory head, or where the verbatim part begins, changed before it. `cut`: messages
    left without a chapter. `queued` is the range that is out of sight without one, by ordinals.
    """

    ordinal: int
    role: Role
    speaker: str
    prompt: int
    reused: int
    new: int
    reread: int
    seconds: float
    swapped: bool
    cut: bool
    head: int
    queued: tuple[int, int] | None


class ReplayService:
    """Feeds messages. One replay at a time."""

    def __init__(
        self,
        store: StoreThread,
        engine: ChatEngine,
        heads: HeadKeeper,
        turns: TurnRunner,
        importing: ImportService,
        clock: Clock,
    ) -> None:
        self._store = store
        self._engine = engine
        self._heads = heads
        self._turns = turns
        self._importing = importing
        self._clock = clock
        self._keys: tuple[Key, ...] = ()
        self._tokens: dict[Key, int] = {}
        self._head: HeadState | None = None
        self.decodes = True
        """False: the prompt is counted and its cache worked out, but nothing is decoded."""

    def open(self, file: Path) -> tuple[Conversation, list[NewMessage]]:
        """A new, empty conversation for a file's messages, and these. Raises as `ImportService.open_chat`."""
        self._keys, self._tokens, self._head = (), {}, None
        return self._importing.open_chat(file, "Replay: {name}")

    def feed(self, conversation_id: int, message: NewMessage, *, answered: bool) -> FedMessage:
        """Add a message, and have the prompt read as far as a chat would read it. `answered`: a reply comes next, so
        its opener is read too. Raises `EngineError`, and `NoModel` where none is loaded."""
        model = self._engine.model
        if model is None:
            raise NoModel()
        never = threading.Event()
        fed = None
        while fed is None:
            fed = self._turns.between(lambda: self._feed(conversation_id, message, model, answered), never)
        return fed

    def _feed(self, conversation_id: int, message: NewMessage, model: LoadedModel, answered: bool) -> FedMessage:
        started = self._clock.monotonic()
        message_id = self._store.run(lambda s: s.append_many(conversation_id, [message]))[0]
        scene, before = self._store.run(
            lambda s: (read_scene(s, conversation_id, room=model.chat_cells), s.head(conversation_id))
        )
        ordinal = scene.messages[-1].ordinal
        scene, prompt = self._heads.for_turn(scene, ordinal + 1, model)
        self._turns.on_prompt(conversation_id, prompt)
        total = prompt.total if answered else prompt.total - prompt.opener
        reused = self._expected_reuse(prompt)
        if self.decodes:
            read = self._engine.read(prompt.items, str(conversation_id), opener=answered)
            total, reused = read.prompt_tokens, read.reused_tokens
        seconds = self._clock.monotonic() - started
        after = self._store.run(lambda s: s.head(conversation_id))
        new = sum(n for key, n in zip(prompt.keys, prompt.tokens, strict=True) if key[1] == message_id)
        new += prompt.opener if answered else 0
        known = sum(n for key, n in zip(prompt.keys, prompt.tokens, strict=True) if key not in self._tokens)
        known += prompt.opener if answered else 0
        swapped = self._head is not None and after != self._head
        self._head = after
        self._keys = prompt.keys
        self._tokens |= dict(zip(prompt.keys, prompt.tokens, strict=True))
        return FedMessage(
            ordinal=ordinal,
            role=Role(message.role),
            speaker=message.speaker,
            prompt=total,
            reused=reused,
            new=new,
            reread=max(0, total - reused - known),
            seconds=seconds,
            swapped=swapped,
            cut=after != before and after.reason == "ceiling",
            head=prompt.head,
            queued=prompt.queued,
        )

    def _expected_reuse(self, prompt: CountedPrompt) -> int:
        """Tokens of the parts that the last prompt began with too."""
        total = 0
        for before, key, count in zip(self._keys, prompt.keys, prompt.tokens, strict=False):
            if before != key:
                break
            total += count
        return total

    def settle(self, conversation_id: int) -> None:
        """The prompt has been read ahead in the background: the next message finds it in the cache."""
        model = self._engine.model
        if model is not None:
            _, prompt = self._heads.prompt(conversation_id, model)
            self._keys = prompt.keys
