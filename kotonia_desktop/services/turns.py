"""One turn at a time: what the user said is saved, the reply's row is made, and the answer is written (`answers`)."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from kotonia_desktop.domain.errors import (
    EmptyMessage,
    EngineBusy,
    KotoniaError,
    NoModel,
    NothingToContinue,
)
from kotonia_desktop.domain.messages import (
    Changes,
    Message,
    NewRevision,
    Role,
)
from kotonia_desktop.domain.models import LoadedModel
from kotonia_desktop.domain.ports import (
    ChatEngine,
    Clock,
)
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.services.answers import AnswerWriter, Emit, Reply
from kotonia_desktop.services.heads import HeadKeeper
from kotonia_desktop.services.prompting import (
    CountedPrompt,
    Prompter,
    read_scene,
)
from kotonia_desktop.services.recalling import NoteWriter
from kotonia_desktop.services.settings import SettingsService
from kotonia_desktop.services.views import (
    TurnFailed,
    TurnStarted,
)
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

T = TypeVar("T")
log = logging.getLogger("kotonia.turns")
CHANGE_SECONDS = 2.0
"""So long a turn waits for a change of the memory head (some milliseconds) before it says that it is busy."""


@dataclass(frozen=True, slots=True)
class Send:
    """Say something and have it answered."""

    conversation_id: int
    text: str


@dataclass(frozen=True, slots=True)
class Regenerate:
    """Write another version of a reply, beside the one there is; for a user's message, answer it."""

    message_id: int


@dataclass(frozen=True, slots=True)
class ContinueReply:
    """Go on writing a reply where it ends."""

    message_id: int


TurnRequest = Send | Regenerate | ContinueReply


class TurnRunner:
    """Runs turns, one at a time: the chat context holds one conversation."""

    def __init__(
        self,
        store: StoreThread,
        engine: ChatEngine,
        prompter: Prompter,
        heads: HeadKeeper,
        settings: SettingsService,
        clock: Clock,
    ) -> None:
        self._store = store
        self._engine = engine
        self._notes = NoteWriter(store, prompter, settings)
        self._answers = AnswerWriter(store, engine, prompter, heads, settings, clock)
        self._turn = threading.Lock()
        self._running: int | None = None
        self.on_prompt: Callable[[int, CountedPrompt], None] = lambda _conversation_id, _prompt: None
        """Told of each prompt that is sent, in the turn's thread."""
        self._answers.on_prompt = lambda conversation_id, prompt: self.on_prompt(conversation_id, prompt)

    @property
    def running(self) -> int | None:
        """The conversation whose reply is being written, or None."""
        return self._running

    def stop(self, conversation_id: int) -> None:
        """End the reply that is being written in this conversation. From any thread."""
        if self._running == conversation_id:
            self._answers.stop()

    def finish(self, seconds: float = 5.0) -> None:
        """End the reply that is being written, if any, and wait until it is stored; no turn begins afterwards."""
        running = self._running
        if running is not None:
            self.stop(running)
        self._turn.acquire(timeout=seconds)

    def between(self, act: Callable[[], T], stopped: threading.Event) -> T | None:
        """Run `act` while no turn runs, and answer what it answers; waits for a turn that does. None once stopped."""
        while not stopped.is_set():
            if self._turn.acquire(timeout=0.1):
                try:
                    return act()
                finally:
                    self._turn.release()
        return None

    def cached_tokens(self, conversation_id: int, prompt: CountedPrompt) -> int:
        """How many of the prompt's first tokens the model has read: whole parts, in their order."""
        return self._answers.cached_tokens(conversation_id, prompt)

    def run(self, request: TurnRequest, emit: Emit) -> None:
        """Run a turn to its end. Every outcome is an event; nothing the user should know is raised."""
        unsaved = request.text if isinstance(request, Send) else ""
        if not self._turn.acquire(timeout=CHANGE_SECONDS):
            emit(TurnFailed(EngineBusy(), Changes(), restore_text=unsaved))
            return
        self._answers.ready()
        try:
            self._run(request, emit)
        except KotoniaError as error:
            log.info("turn refused: %s", error.code)
            emit(TurnFailed(error, Changes(), restore_text=unsaved))
        finally:
            self._running = None
            self._turn.release()

    def _run(self, request: TurnRequest, emit: Emit) -> None:
        model = self._engine.model
        if model is None:
            raise NoModel()
        room = model.chat_cells
        if isinstance(request, Send):
            self._running = request.conversation_id
            user, reply = self._begin_send(request, model)
            scene = self._store.run(lambda s: read_scene(s, request.conversation_id, reply.message.ordinal, room))
            added = (reply.message.id,) if user is None else (user.id, reply.message.id)
            changes = Changes(conversation_id=request.conversation_id, messages_added=added, conversations=True)
        else:
            target = self._store.run(lambda s: s.message(request.message_id))
            self._running = target.conversation_id
            user = None
            if isinstance(request, ContinueReply):
                reply, changes = self._begin_continue(target, model)
            else:
                reply, changes = self._begin_alternate(target)
            scene = self._store.run(lambda s: read_scene(s, target.conversation_id, reply.message.ordinal, room))
        emit(TurnStarted(changes, reply.message, user))
        self._answers.answer(scene, reply, model, emit)

    # -- the three beginnings

    def _begin_send(self, request: Send, model: LoadedModel) -> tuple[Message | None, Reply]:
        scene = self._store.run(lambda s: read_scene(s, request.conversation_id, room=model.chat_cells))
        text = request.text.strip()
        if not text:  # nothing new to say: have the last message answered, where that is the user's
            if not scene.messages or scene.messages[-1].role is Role.CHARACTER:
                raise EmptyMessage()
            speaker = scene.card.name
            return None, Reply(self._store.run(lambda s: s.begin_reply(request.conversation_id, speaker)))
        note = self._notes.note_for(scene, text, model)
        conversation, persona, card = scene.conversation, scene.persona, scene.card
        parsed = parse_segments(
            text,
            reply_format=conversation.reply_format,
            markup=conversation.markup,
            speaker=persona.name,
            names=(card.name, persona.name),
        )
        revision = NewRevision(text=text, segments=parsed.segments, format_ok=parsed.format_ok)

        def write(store: Store) -> tuple[Message, Message]:
            sent = store.append_message(conversation.id, Role.USER, persona.name, revision, note=note)
            store.set_composer_draft(conversation.id, "")
            return sent, store.begin_reply(conversation.id, card.name)

        sent, reply = self._store.run(write)
        return sent, Reply(reply)

    def _begin_alternate(self, target: Message) -> tuple[Reply, Changes]:
        def write(store: Store) -> Message:
            conversation = store.conversation(target.conversation_id)
            speaker = store.character(conversation.character_id).name
            if target.role is Role.CHARACTER:
                return store.begin_reply(target.conversation_id, speaker, alternate_of=target.id)
            return store.begin_reply(target.conversation_id, speaker)

        reply = self._store.run(write)
        replaced = target.role is Role.CHARACTER
        return Reply(reply), Changes(
            conversation_id=target.conversation_id,
            messages_added=(reply.id,),
            messages_removed=(target.id,) if replaced else (),
            path_changed=replaced,
            conversations=True,
        )

    def _begin_continue(self, target: Message, model: LoadedModel) -> tuple[Reply, Changes]:
        if target.role is not Role.CHARACTER or not target.text:
            raise NothingToContinue()
        revision = target.revision
        ids = revision.token_ids if revision.tokenizer == model.tokenizer else None
        self._store.run(lambda s: s.save_draft(target.id, target.text, revision.reasoning))
        return Reply(target, before=target.text, before_ids=ids, reasoning=revision.reasoning), Changes(
            conversation_id=target.conversation_id, messages_changed=(target.id,)
        )
