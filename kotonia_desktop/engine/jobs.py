"""The work on a loaded model, as generators that yield after each decode step: replies, and reading ahead.

A job that is resumed finds its sequence as it left it. It looks at `cancelled` after each step, so the scheduler never
has to throw into it.
"""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from kotonia_desktop.domain.errors import BrokenLogits, EngineFailed, MessageTooLong
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import ReasoningMode
from kotonia_desktop.domain.ports import Finished, GenerateEvent, GenerateRequest, PromptProgress, PromptRead
from kotonia_desktop.engine.endings import LANDING_SHARE, is_sentence_end, runs_in_circles
from kotonia_desktop.engine.grammar import DeadEnd, GrammarChain, check_grammar
from kotonia_desktop.engine.llama import LlamaError, Model
from kotonia_desktop.engine.prompt_ids import PromptEncoder, completion_stops
from kotonia_desktop.engine.sampling import SamplerChain, Samplers, are_finite, choose_seed
from kotonia_desktop.engine.sequences import BrokenOff, CachedSequence, OutOfCells
from kotonia_desktop.engine.streaming import ReplyStream

FREE_THINKING: Final = 4096
"""Tokens a model may think where it may think freely: a block that never closes must end somewhere."""
_LOGITS_CHECK: Final = 64

Emit = Callable[[GenerateEvent], None]


@dataclass(slots=True)
class Control:
    """How others speak to a running job."""

    cancelled: bool = False
    interrupted: bool = False
    """Ended because the model is taken away."""


def read_prompt(
    sequence: CachedSequence, ids: Sequence[int], logits: bool, control: Control, system: int = 0
) -> Iterator[tuple[int, int]]:
    """Bring `ids` into the sequence, reading what is not there; yields (read, reused) after each step.

    `system` is how many of the ids are the part that other conversations begin with too.
    """
    while not control.cancelled:
        reused = sequence.rewind(ids)
        read = reused
        ends = [len(ids)]
        if sequence.needs_checkpoints:
            # One token before the end: a new reply to the same prompt starts there, with one token to read.
            ends = [place for place in (system, len(ids) - 1) if reused < place < len(ids)] + ends
        try:
            for number, end in enumerate(ends):
                if number:
                    sequence.take_checkpoint()
                for done in sequence.read(ids[read:end], logits and end == len(ids)):
                    yield min(read + done, end), reused
                read = end
        except BrokenOff:
            yield 0, 0
            continue
        return


@dataclass(slots=True)
class _Clock:
    started: float = field(default_factory=time.monotonic)
    prompt: float = 0.0

    def prompt_ended(self) -> None:
        self.prompt = time.monotonic() - self.started

    @property
    def reply(self) -> float:
        return time.monotonic() - self.started - self.prompt if self.prompt else 0.0


class ReplyJob:
    """Writes one reply. `run` is the generator; its last event is `Finished`, whatever happens."""

    def __init__(
        self,
        model: Model,
        encoder: PromptEncoder,
        samplers: Samplers,
        sequence: CachedSequence,
        request: GenerateRequest,
        control: Control,
    ) -> None:
        """Encode the prompt. Raises `MessageTooLong` where it leaves no room for a token of a reply, `EngineFailed` for
        a grammar that is none or that a continued reply did not follow."""
        self._model = model
        self._encoder = encoder
        self._samplers = samplers
        self.sequence = sequence
        self._request = request
        self._control = control
        continued = bool(request.prefix_ids or request.prefix_text)
        encoded = encoder.encode(request.items, request.reasoning, continued)
        prefix = request.prefix_ids
        if prefix is None:
            prefix = encoder.text_ids(encoded.lead + request.prefix_text) if continued else ()
        self._prefix = prefix
        # Without the space that a template puts before a reply: a grammar is the text's alone.
        self._followed = encoder.text_ids(request.prefix_text) if request.prefix_ids is None else prefix
        if request.grammar:
            check_grammar(model, request.grammar, self._followed)
        self._ids = [*encoded.ids, *self._prefix]
        self._system = encoded.system
        over = len(self._ids) + 1 - sequence.cells
        if over > 0:
            raise MessageTooLong(tokens=len(self._ids), window=sequence.cells, over=over)
        grammar = encoder.grammar(request.reasoning)
        self._end_tokens, strings = encoder.ends(request.reasoning)
        stops = [*request.sampling.stop, *strings, *(completion_stops(request.items) if grammar is None else ())]
        if request.grammar:
            stops = []  # only the grammar's end is one
        tags = (grammar.think_open, grammar.think_close) if grammar else ("<think>", "</think>")
        self._closing = grammar.closed_think if grammar else "\n</think>\n\n"
        thinking = encoder.may_think(request.reasoning) and not continued
        self._stream = ReplyStream(stops, tags, thinking, continued, exact=bool(request.grammar))
        self._seed = choose_seed(request.sampling.seed)
        self._sampled: list[int] = []
        self._chains: list[SamplerChain] = []
        self._chain_thinks = False
        self._prompt_tokens = len(self._ids)
        self._reused = 0
        self._clock = _Clock()
        self._landed = False

    def run(self, emit: Emit) -> Iterator[None]:
        """Write the reply; yields after each decode step."""
        reason, error = FinishReason.ERROR, EngineFailed.code
        try:
            reason, error = (yield from self._write(emit)), ""
            self.sequence.take_checkpoint()
        except OutOfCells:
            reason, error = FinishReason.WINDOW, ""
        except BrokenLogits as broken:
            error = broken.code
        except DeadEnd:
            reason, error = FinishReason.LENGTH, ""  # it did not come to its end, and the engine is well
        except LlamaError:
            reason = FinishReason.ERROR  # said by `error`; its text is for nobody's log
        finally:
            for chain in self._chains:
                chain.free()
            self._finish(emit, reason, error)

    def _write(self, emit: Emit) -> Generator[None, None, FinishReason]:
        if self._control.cancelled:
            return FinishReason.CANCELLED
        self.sequence.claim(self._ids, self._request.conversation)
        if self._control.cancelled:  # while a state was put back: no token may be drawn from what was read before
            return FinishReason.CANCELLED
        begun = self.sequence.context.decode_seconds
        for read, reused in read_prompt(self.sequence, self._ids, True, self._control, self._system):
            self._reused = reused
            emit(PromptProgress(read, self._prompt_tokens, reused))
            yield
            if self._control.cancelled:
                return FinishReason.CANCELLED
            if self._is_over_time(begun):
                return FinishReason.LENGTH
        self._clock.prompt_ended()
        while True:
            written = len(self._sampled)
            found = self._next_token(self._chain(), emit)
            if found is not None and (len(self._sampled) == written or self._stream.stop_string):
                return found
            # The last token of a reply is read too: the next turn then has nothing of it to read again.
            yield from self._read(self._sampled[-1:])
            if self._control.cancelled:
                return FinishReason.CANCELLED
            if found is not None:
                return found
            if self._is_over_time(begun):
                return FinishReason.LENGTH
            if self._has_thought_enough():
                yield from self._close_thinking(emit)

    def _is_over_time(self, begun: float) -> bool:
        most = self._request.seconds
        return most > 0 and self.sequence.context.decode_seconds - begun > most

    def _chain(self) -> SamplerChain:
        """The chain for what is written now: the think block's or the reply's."""
        if not self._chains or self._chain_thinks is not self._stream.thinking:
            self._chain_thinks = self._stream.thinking
            self._chains.append(self._new_chain())
        return self._chains[-1]

    def _new_chain(self) -> SamplerChain:
        sampling = self._request.sampling
        if self._stream.thinking:
            return self._samplers.think_chain(sampling, self._seed)
        samplers = self._samplers.of_reply(sampling, self._seed, self._request.dry_breakers)
        grammar = self._request.grammar
        chain = GrammarChain(samplers, self._model, grammar, self._followed) if grammar else SamplerChain(samplers)
        chain.remember([*self._request.penalty_ids, *self._prefix])
        return chain

    def _next_token(self, chain: SamplerChain, emit: Emit) -> FinishReason | None:
        """Draw a token and take its text. A reason means that the reply ends here."""
        if len(self._sampled) % _LOGITS_CHECK == 0 and not are_finite(self.sequence.context):
            raise BrokenLogits
        token = chain.draw(self.sequence.context)
        if self._is_end(token):
            return FinishReason.STOP
        data = self._model.piece(token, special=True)
        if self._may_land():
            text = self._request.prefix_text + self._stream.all_text
            if is_sentence_end(text, data.decode("utf-8", "ignore")):
                self._landed = True
                return FinishReason.STOP
        self._sampled.append(token)
        for piece in self._stream.feed(token, data):
            emit(piece)
        if self._stream.stop_string:
            return FinishReason.STOP
        if runs_in_circles(self._sampled):
            # A text that had to follow a grammar did not come to its end by itself.
            return FinishReason.LENGTH if self._request.grammar else FinishReason.STOP
        if self._stream.tokens >= self._request.sampling.max_tokens or self._stream.reasoning_tokens >= FREE_THINKING:
            return FinishReason.LENGTH
        return None

    def _is_end(self, token: int) -> bool:
        if self._model.is_end(token):
            return True
        if self._request.grammar:
            return False
        if self._stream.thinking or not self._model.is_control(token):
            return False
        # A control token is a turn that begins; but some models' think tags are control tokens as well.
        return token in self._end_tokens or not self._stream.may_open_think(self._model.piece(token, special=True))

    def _may_land(self) -> bool:
        sampling = self._request.sampling
        wished = self._stream.tokens >= LANDING_SHARE * sampling.max_tokens
        return sampling.soft_landing and wished and not self._stream.thinking and not self._request.grammar

    def _has_thought_enough(self) -> bool:
        if not self._stream.thinking:
            return False
        mode = self._request.reasoning
        budget = {ReasoningMode.OFF: 0, ReasoningMode.SHORT: self._request.reasoning_budget}.get(mode, FREE_THINKING)
        return self._stream.reasoning_tokens >= budget

    def _close_thinking(self, emit: Emit) -> Iterator[None]:
        """Write the block's end for the model."""
        for piece in self._stream.end_thinking():
            emit(piece)
        yield from self._read(self._encoder.mark_ids(self._closing))

    def _read(self, tokens: Sequence[int]) -> Iterator[None]:
        self._ids += tokens
        try:
            for _ in self.sequence.read(tokens, True):
                yield
                if self._control.cancelled:
                    return
        except BrokenOff:
            for _ in read_prompt(self.sequence, self._ids, True, self._control, self._system):
                yield
                if self._control.cancelled:
                    return

    def _finish(self, emit: Emit, reason: FinishReason, error: str) -> None:
        for piece in self._stream.finish():
            emit(piece)
        ids, sizes = self._stream.tokens_of_text(self._encoder.text_ids)
        emit(
            Finished(
                reason=FinishReason.INTERRUPTED if self._control.interrupted else reason,
                text=self._stream.text,
                reasoning=self._stream.reasoning.strip(),
                ids=ids,
                id_bytes=sizes,
                prompt_tokens=self._prompt_tokens,
                reused_tokens=self._reused,
                reply_tokens=len(ids),
                reasoning_tokens=self._stream.reasoning_tokens,
                prompt_seconds=self._clock.prompt or time.monotonic() - self._clock.started,
                reply_seconds=self._clock.reply,
                seed=self._seed,
                stop_string=self._stream.stop_string,
                thinking_cut=self._stream.thinking,
                error=error,
                landed=self._landed,
            )
        )


def read_only(
    sequence: CachedSequence,
    ids: Sequence[int],
    conversation: str,
    control: Control,
    done: Callable[[PromptRead | EngineFailed | None], None],
    system: int = 0,
) -> Iterator[None]:
    """Read a prompt as a reply to it would, and write nothing. `done` is told what it cost, whatever happens: None
    where it was ended early (a reply was asked for), the error where it cannot be read."""
    started = time.monotonic()
    first: int | None = None
    result: PromptRead | EngineFailed | None = EngineFailed(detail="the prompt cannot be read")
    try:
        if not control.cancelled:  # one that is ended before it began may run in the middle of a reply
            sequence.claim(ids, conversation)
        for _, reused in read_prompt(sequence, ids, False, control, system):
            first = reused if first is None else first
            yield
            if control.cancelled:
                break
        # One that is ended before its first step has read nothing.
        result = None if control.cancelled else PromptRead(len(ids), first or 0, time.monotonic() - started)
    except (LlamaError, OutOfCells):
        return  # `done` says it
    finally:
        done(result)


def read_ahead(
    sequence: CachedSequence, ids: Sequence[int], conversation: str, control: Control, system: int = 0
) -> Iterator[None]:
    """Read the beginning of a prompt before it is asked for; what was read stays when it is ended."""
    if control.cancelled:  # it may run in the middle of a reply: what that one reads must stay
        return
    sequence.claim(ids, conversation)
    try:
        for _ in read_prompt(sequence, ids[: sequence.cells - 1], False, control, system):
            yield
            if control.cancelled:
                return
    except (LlamaError, OutOfCells):
        return  # nobody waits for it; the request that follows reads for itself and says what is wrong
