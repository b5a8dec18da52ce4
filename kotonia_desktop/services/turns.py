"""One turn: the user's message is saved, the reply streams and is saved while it streams, and its end is told.

Blocks the thread it runs in. At most half a second of a reply is not in the store at any time; whatever ends a reply
(stop, window, a dead engine) is stored with it.
"""

import logging
import random
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace

from kotonia_desktop.domain.errors import (
    EngineBusy,
    EngineFailed,
    EngineStopped,
    KotoniaError,
    NoModel,
    NothingToContinue,
    error_from_wire,
)
from kotonia_desktop.domain.messages import (
    Changes,
    FinishReason,
    GenerationStats,
    Message,
    NewRevision,
    Role,
    StoppedBy,
)
from kotonia_desktop.domain.models import LoadedModel, Sampling
from kotonia_desktop.domain.persona_guard import PersonaGuard
from kotonia_desktop.domain.ports import (
    ChatEngine,
    Clock,
    Finished,
    GenerateJob,
    GenerateRequest,
    PromptProgress,
    TextPiece,
)
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.prompt.build import Key
from kotonia_desktop.prompt.reuse import SeenParts, kept_ids
from kotonia_desktop.services.prompting import (
    CountedPrompt,
    Prompter,
    Scene,
    first_out_of_sight,
    read_scene,
    recent_reply_ids,
)
from kotonia_desktop.services.settings import SettingsService
from kotonia_desktop.services.views import (
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnReading,
    TurnStarted,
    TurnText,
)
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

DRAFT_SECONDS = 0.5
"""How often a streaming reply is saved: at most this much of it can be lost."""

# DRY must not count a phrase across these: the ends of lines and quotes in the languages shipped.
DRY_BREAKERS = ("\n", ":", '"', "*", "「", "」", "『", "』", "“", "”", "（", "）", "。", "！", "？", "…", "—", "：")

log = logging.getLogger("kotonia.turns")
Emit = Callable[[TurnEvent], None]


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


@dataclass(slots=True)
class _Reply:
    """A reply in the making: what was there before, what has come."""

    message: Message
    before: str = ""
    before_ids: tuple[int, ...] | None = ()
    text: str = ""
    reasoning: str = ""


class TurnRunner:
    """Runs turns, one at a time: the chat context holds one conversation."""

    def __init__(
        self, store: StoreThread, engine: ChatEngine, prompter: Prompter, settings: SettingsService, clock: Clock
    ) -> None:
        self._store = store
        self._engine = engine
        self._prompter = prompter
        self._settings = settings
        self._clock = clock
        self._turn = threading.Lock()
        self._job: GenerateJob | None = None
        self._stop = threading.Event()
        self._running: int | None = None
        self._seen: dict[int, tuple[str, SeenParts]] = {}

    @property
    def running(self) -> int | None:
        """The conversation whose reply is being written, or None."""
        return self._running

    def stop(self, conversation_id: int) -> None:
        """End the reply that is being written in this conversation. From any thread."""
        if self._running == conversation_id:
            self._stop.set()
            if self._job is not None:
                self._job.cancel()

    def finish(self, seconds: float = 5.0) -> None:
        """End the reply that is being written, if any, and wait until it is stored; no turn begins afterwards."""
        running = self._running
        if running is not None:
            self.stop(running)
        self._turn.acquire(timeout=seconds)

    def cached_tokens(self, conversation_id: int, prompt: CountedPrompt) -> int:
        """How many of the prompt's first tokens the model has read: whole parts, in their order."""
        known = self._seen.get(conversation_id)
        return known[1].cached(prompt.keys, prompt.tokens) if known else 0

    def run(self, request: TurnRequest, emit: Emit) -> None:
        """Run a turn to its end. Every outcome is an event; nothing the user should know is raised."""
        unsaved = request.text if isinstance(request, Send) else ""
        if not self._turn.acquire(blocking=False):
            emit(TurnFailed(EngineBusy(), Changes(), restore_text=unsaved))
            return
        self._stop.clear()
        try:
            self._run(request, emit)
        except KotoniaError as error:
            log.info("turn refused: %s", error.code)
            emit(TurnFailed(error, Changes(), restore_text=unsaved))
        finally:
            self._job = None
            self._running = None
            self._turn.release()

    def _run(self, request: TurnRequest, emit: Emit) -> None:
        model = self._engine.model
        if model is None:
            raise NoModel()
        if isinstance(request, Send):
            self._running = request.conversation_id
            user, reply = self._begin_send(request, model)
            scene = self._store.run(lambda s: read_scene(s, request.conversation_id, reply.message.ordinal))
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
            scene = self._store.run(lambda s: read_scene(s, target.conversation_id, reply.message.ordinal))
        emit(TurnStarted(changes, reply.message, user))
        self._answer(scene, reply, model, emit)

    # -- the three beginnings

    def _begin_send(self, request: Send, model: LoadedModel) -> tuple[Message | None, _Reply]:
        scene = self._store.run(lambda s: read_scene(s, request.conversation_id))
        text = request.text.strip()
        if not text:  # nothing new to say: have the last message answered, where that is the user's
            if not scene.messages or scene.messages[-1].role is Role.CHARACTER:
                raise NothingToContinue()
            speaker = scene.card.name
            return None, _Reply(self._store.run(lambda s: s.begin_reply(request.conversation_id, speaker)))
        note = self._prompter.note_for(scene, text, model)
        self._prompter.check_fits(scene, text, note, model)
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
        return sent, _Reply(reply)

    def _begin_alternate(self, target: Message) -> tuple[_Reply, Changes]:
        def write(store: Store) -> Message:
            conversation = store.conversation(target.conversation_id)
            speaker = store.character(conversation.character_id).name
            if target.role is Role.CHARACTER:
                return store.begin_reply(target.conversation_id, speaker, alternate_of=target.id)
            return store.begin_reply(target.conversation_id, speaker)

        reply = self._store.run(write)
        replaced = target.role is Role.CHARACTER
        return _Reply(reply), Changes(
            conversation_id=target.conversation_id,
            messages_added=(reply.id,),
            messages_removed=(target.id,) if replaced else (),
            path_changed=replaced,
            conversations=True,
        )

    def _begin_continue(self, target: Message, model: LoadedModel) -> tuple[_Reply, Changes]:
        if target.role is not Role.CHARACTER or not target.text:
            raise NothingToContinue()
        revision = target.revision
        ids = revision.token_ids if revision.tokenizer == model.tokenizer else None
        self._store.run(lambda s: s.save_draft(target.id, target.text, revision.reasoning))
        return _Reply(target, before=target.text, before_ids=ids, reasoning=revision.reasoning), Changes(
            conversation_id=target.conversation_id, messages_changed=(target.id,)
        )

    # -- the answer

    def _answer(self, scene: Scene, reply: _Reply, model: LoadedModel, emit: Emit) -> None:
        conversation_id = scene.conversation.id
        try:
            prompt = self._prompter.prompt(scene, model)
            if prompt.out_until != scene.out_until and prompt.out_until is not None:
                until = prompt.out_until
                self._store.run(lambda s: s.set_out_of_sight(conversation_id, until, "ceiling"))
            sampling = self._settings.sampling(model.sampling)
            if sampling.seed < 0:
                sampling = replace(sampling, seed=random.randrange(2**31))
            job = self._engine.generate(self._request(scene, reply, prompt, sampling, model))
        except KotoniaError as error:
            self._drop(reply, error, emit)
            return
        self._job = job
        if self._stop.is_set():
            job.cancel()
        names = (scene.persona.name,) if self._settings.flag("chat.persona_guard") else ()
        guard = PersonaGuard(names, scene.conversation.reply_format, preceding=reply.before)
        finished, raw = self._follow(job, reply, guard, emit)
        if finished.reason in (FinishReason.ERROR, FinishReason.INTERRUPTED) and not reply.text and not reply.before:
            self._drop(reply, _engine_error(finished), emit)
            return
        try:
            self._keep(scene, reply, prompt, finished, raw, guard, model, emit)
        except KotoniaError as error:
            emit(TurnFailed(error, Changes(conversation_id=conversation_id, messages_changed=(reply.message.id,))))

    def _request(
        self, scene: Scene, reply: _Reply, prompt: CountedPrompt, sampling: Sampling, model: LoadedModel
    ) -> GenerateRequest:
        reach = max(sampling.repeat_last, sampling.dry_last)
        return GenerateRequest(
            items=prompt.items,
            sampling=sampling,
            reasoning=self._settings.reasoning(),
            reasoning_budget=int(self._settings.number("model.reasoning_budget")),
            prefix_text=reply.before,
            prefix_ids=reply.before_ids or None,
            penalty_ids=recent_reply_ids(scene.messages, model.tokenizer, reach),
            dry_breakers=(*DRY_BREAKERS, scene.card.name, scene.persona.name),
            conversation=str(scene.conversation.id),
        )

    def _follow(self, job: GenerateJob, reply: _Reply, guard: PersonaGuard, emit: Emit) -> tuple[Finished, str]:
        """Read the job to its end, saving as it comes. Returns how it ended and the whole new text, uncut."""
        message_id = reply.message.id
        saved_at = self._clock.monotonic()
        saving: Future[None] | None = None
        raw = ""
        finished: Finished | None = None
        for event in job:
            if isinstance(event, PromptProgress):
                emit(TurnReading(message_id, event.read, event.total, event.reused))
                continue
            if isinstance(event, Finished):
                finished = event
                break
            if isinstance(event, TextPiece) and event.reasoning:
                reply.reasoning += event.text
            elif guard.cut_at is None:
                raw += event.text
                shown = guard.feed(event.text)
                reply.text += shown if reply.text or reply.before else shown.lstrip()
                if guard.cut_at is not None:
                    job.cancel()
            else:
                guard.feed(event.text)
                raw += event.text
            emit(TurnText(message_id, reply.before + reply.text, reply.reasoning))
            now = self._clock.monotonic()
            if now - saved_at >= DRAFT_SECONDS and (saving is None or saving.done()):
                if saving is not None:
                    saving.result()
                saved_at = now
                saving = self._store.submit(_draft_writer(message_id, reply.before + reply.text, reply.reasoning))
        if guard.cut_at is None:
            tail = guard.flush()
            reply.text += tail if reply.text or reply.before else tail.lstrip()
        if finished is None:
            raise EngineFailed(detail="the reply ended without an end")
        return finished, raw

    def _keep(
        self,
        scene: Scene,
        reply: _Reply,
        prompt: CountedPrompt,
        finished: Finished,
        raw: str,
        guard: PersonaGuard,
        model: LoadedModel,
        emit: Emit,
    ) -> None:
        cut = guard.cut_at is not None
        reason = FinishReason.STOP if cut else finished.reason
        text = reply.before + reply.text
        if reason is FinishReason.STOP:
            text = text.rstrip()
        kept = finished.text if guard.cut_at is None else raw[: guard.cut_at - len(reply.before)]
        ids: tuple[int, ...] | None = finished.ids
        if cut or finished.stop_string:
            ids = kept_ids(finished.ids, finished.id_bytes, kept)
        all_ids = None if ids is None or reply.before_ids is None else reply.before_ids + ids
        conversation, names = scene.conversation, (scene.card.name, scene.persona.name)
        parsed = parse_segments(
            text,
            reply_format=conversation.reply_format,
            markup=conversation.markup,
            speaker=scene.card.name,
            names=names,
        )
        seen = self._books(scene, model)
        stats = GenerationStats(
            model=model.name,
            prompt_tokens=finished.prompt_tokens,
            reused_tokens=finished.reused_tokens,
            reread_tokens=seen.reread(
                prompt.keys, prompt.tokens, prompt.opener, finished.prompt_tokens, finished.reused_tokens
            ),
            reply_tokens=finished.reply_tokens,
            reasoning_tokens=finished.reasoning_tokens,
            prompt_seconds=finished.prompt_seconds,
            reply_seconds=finished.reply_seconds,
            seed=finished.seed,
        )
        revision = NewRevision(
            text=text,
            segments=parsed.segments,
            reasoning=reply.reasoning.strip(),
            finish=reason,
            stopped_by=_stopped_by(cut, finished),
            cut_text=guard.cut_text if cut else "",
            thinking_cut=finished.thinking_cut,
            format_ok=parsed.format_ok,
            tokenizer=model.tokenizer if all_ids is not None else "",
            token_ids=all_ids,
            stats=stats,
        )
        message_id, conversation_id = reply.message.id, conversation.id

        def write(store: Store) -> Message:
            done = store.finish_reply(message_id, revision)
            store.touch_conversation(conversation_id)
            return done

        message = self._store.run(write)
        rate = self._store.run(lambda s: s.format_rate(conversation_id))
        key: Key = ("message", message.id, message.revision.id)
        seen.add(prompt.keys, key, self._closing_marks(scene, message, prompt, model, all_ids))
        changes = Changes(conversation_id=conversation_id, messages_changed=(message_id,), conversations=True)
        if finished.reason in (FinishReason.ERROR, FinishReason.INTERRUPTED):
            emit(TurnFailed(_engine_error(finished), changes, message))
        else:
            emit(TurnFinished(changes, message, rate, first_out_of_sight(prompt.out_until)))

    def _books(self, scene: Scene, model: LoadedModel) -> SeenParts:
        """The books of this conversation; new ones where another model was loaded since or another was talked to."""
        conversation_id = scene.conversation.id
        identity = f"{model.path}|{model.tokenizer}|{model.chat_cells}"
        known = self._seen.get(conversation_id)
        if known is None or known[0] != identity:
            known = (identity, SeenParts())
            self._seen = {conversation_id: known}
        return known[1]

    def _closing_marks(
        self, scene: Scene, message: Message, prompt: CountedPrompt, model: LoadedModel, ids: tuple[int, ...] | None
    ) -> int:
        """Tokens that the next prompt adds behind this reply to close its turn: read then for the first time."""
        if ids is None:
            return 0
        after = self._prompter.prompt(replace(scene, messages=(*scene.messages, message)), model)
        return (
            max(0, after.total - prompt.total - len(ids) - prompt.opener) if after.out_until == prompt.out_until else 0
        )

    def _drop(self, reply: _Reply, error: KotoniaError, emit: Emit) -> None:
        """The reply came to nothing: take its empty row off the path again."""
        message = reply.message
        conversation_id = message.conversation_id
        log.info("reply dropped: %s", error.code)
        self._store.run(lambda s: s.discard_reply(message.id))
        if reply.before:
            emit(TurnFailed(error, Changes(conversation_id=conversation_id, messages_changed=(message.id,)), message))
            return
        emit(
            TurnFailed(
                error, Changes(conversation_id=conversation_id, messages_removed=(message.id,), path_changed=True)
            )
        )


def _draft_writer(message_id: int, text: str, reasoning: str) -> Callable[[Store], None]:
    def write(store: Store) -> None:
        store.save_draft(message_id, text, reasoning)

    return write


def _stopped_by(cut: bool, finished: Finished) -> StoppedBy:
    if cut:
        return StoppedBy.PERSONA
    if finished.stop_string:
        return StoppedBy.STOP_STRING
    return StoppedBy.LANDED if finished.landed else StoppedBy.NOTHING


def _engine_error(finished: Finished) -> KotoniaError:
    if finished.reason is FinishReason.INTERRUPTED:
        return EngineStopped(detail=finished.error or "it ended while it wrote")
    return error_from_wire(finished.error or "engine_failed", {"detail": finished.error})
