"""The answer of a turn: the prompt goes to the model, the reply is saved while it streams, its end is told and kept.

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
    EngineFailed,
    EngineStopped,
    KotoniaError,
    error_from_wire,
)
from kotonia_desktop.domain.messages import (
    Changes,
    FinishReason,
    GenerationStats,
    Message,
    NewRevision,
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
from kotonia_desktop.services.heads import HeadKeeper
from kotonia_desktop.services.prompting import (
    CountedPrompt,
    Prompter,
    Scene,
    recent_reply_ids,
)
from kotonia_desktop.services.settings import SettingsService
from kotonia_desktop.services.views import (
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnReading,
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


@dataclass(slots=True)
class Reply:
    """A reply in the making: what was there before, what has come."""

    message: Message
    before: str = ""
    before_ids: tuple[int, ...] | None = ()
    text: str = ""
    reasoning: str = ""


class AnswerWriter:
    """Writes answers, one at a time, and keeps the books on what the model has read."""

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
        self._prompter = prompter
        self._heads = heads
        self.on_prompt: Callable[[int, CountedPrompt], None] = lambda _conversation_id, _prompt: None
        self._settings = settings
        self._clock = clock
        self._job: GenerateJob | None = None
        self._stop = threading.Event()
        self._seen: dict[int, tuple[LoadedModel | None, SeenParts]] = {}

    def stop(self) -> None:
        """End the answer that is being written, or the next one at once. From any thread."""
        self._stop.set()
        job = self._job
        if job is not None:
            job.cancel()

    def ready(self) -> None:
        """A new turn begins: forget that the last one was stopped."""
        self._job = None
        self._stop.clear()

    def cached_tokens(self, conversation_id: int, prompt: CountedPrompt) -> int:
        """How many of the prompt's first tokens the model has read: whole parts, in their order."""
        known = self._seen.get(conversation_id)
        model = self._engine.model
        return known[1].cached(prompt.keys, prompt.tokens) if known and model and known[0] == model else 0

    def answer(self, scene: Scene, reply: Reply, model: LoadedModel, emit: Emit) -> None:
        """Have `reply` written and stored; every outcome is an event."""
        conversation_id = scene.conversation.id
        try:
            scene, prompt = self._heads.for_turn(scene, reply.message.ordinal, model)
            self.on_prompt(conversation_id, prompt)
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
        self, scene: Scene, reply: Reply, prompt: CountedPrompt, sampling: Sampling, model: LoadedModel
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

    def _follow(self, job: GenerateJob, reply: Reply, guard: PersonaGuard, emit: Emit) -> tuple[Finished, str]:
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
        reply: Reply,
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
        seen = self._books(scene)
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
            emit(TurnFinished(changes, message, rate, prompt.queued))

    def _books(self, scene: Scene) -> SeenParts:
        """The books of this conversation; new ones where the model was loaded anew or another one was talked to.

        Asked for after the reply: an engine that had died was started again by the turn itself.
        """
        conversation_id = scene.conversation.id
        model = self._engine.model
        known = self._seen.get(conversation_id)
        if known is None or model is None or known[0] != model:
            known = (model, SeenParts())
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

    def _drop(self, reply: Reply, error: KotoniaError, emit: Emit) -> None:
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
        return EngineStopped(detail="it ended while it wrote")
    return error_from_wire(finished.error or "engine_failed", {"detail": finished.error})
