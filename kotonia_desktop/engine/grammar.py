"""Replies that follow a grammar: a token is drawn as always, then checked, and drawn again only where it is refused.

Applying a grammar to a whole vocabulary costs 29 ms a token with 151,000 of them; a check of one token costs nothing
(measured). llama.cpp ends the process where a grammar is given a token it does not allow, so none is, unchecked.
"""

import codecs
import ctypes
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kotonia_desktop.domain.errors import EngineFailed
from kotonia_desktop.engine.llama import Context, LlamaError, Model
from kotonia_desktop.engine.llama_library import lib
from kotonia_desktop.engine.sampling import SamplerChain

_CANDIDATE: Final = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""`llama_token_data`."""
_LIKELIEST: Final = 512
"""So many tokens are looked at before the whole vocabulary."""


class DeadEnd(LlamaError):
    """A text has come to where its grammar allows no token of the model's: it cannot be ended as it should."""


def check_grammar(model: Model, grammar: str, written: Sequence[int] = ()) -> None:
    """Raise `EngineFailed` where `grammar` is no GBNF with the rule `root`, or `written` does not begin such a text."""
    _Grammar(model, grammar, written).free()


class _Grammar:
    """A grammar and how far a text has come in it. Owns llama.cpp's part of it; call `free`."""

    def __init__(self, model: Model, grammar: str, written: Sequence[int]) -> None:
        self._model = model
        self._broken = b""
        """The bytes of a character that is not whole yet."""
        self._pointer: Any = lib.llama_sampler_init_grammar(model.vocab, grammar.encode(), b"root")
        if not self._pointer:
            raise EngineFailed(detail="the grammar of the text is not valid")
        for token in written:
            try:
                if model.is_end(token):
                    raise LlamaError("the text has ended")
                self.accept(token)
            except LlamaError as error:
                self.free()
                raise EngineFailed(detail="the beginning of the text does not follow its grammar") from error

    def allows(self, token: int) -> bool:
        """Whether the text may go on with a token."""
        one = np.zeros(1, dtype=_CANDIDATE)
        one["id"] = token
        return self._is_text(token) and bool(self._apply(one)[0])

    def allowed(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """Those of `ids` that the text may go on with."""
        candidates = np.zeros(len(ids), dtype=_CANDIDATE)
        candidates["id"] = ids
        kept = ids[self._apply(candidates)]
        return kept[[self._is_text(int(token)) for token in kept]] if len(kept) else kept

    def _apply(self, candidates: NDArray[np.void]) -> NDArray[np.bool_]:
        """Which of the candidates llama.cpp's grammar takes."""
        array = _array_of(candidates)
        lib.llama_sampler_apply(self._pointer, ctypes.byref(array))
        taken: NDArray[np.bool_] = np.isfinite(candidates["logit"])
        return taken

    def _is_text(self, token: int) -> bool:
        """False for what llama.cpp's grammar takes for text and is none: the name of a control token, bytes that make
        no character (a class such as `[^a]` takes any bytes), an end inside a character."""
        if self._model.is_end(token):
            return not self._broken
        return not self._model.is_control(token) and self._break_after(token) is not None

    def _break_after(self, token: int) -> bytes | None:
        """The bytes of an incomplete character behind a token, None where its bytes are no UTF-8 here."""
        data = self._broken + self._model.piece(token, special=True)
        try:
            return data[codecs.utf_8_decode(data, "strict", False)[1] :]  # not final: an incomplete end is no error
        except UnicodeDecodeError:
            return None

    def accept(self, token: int) -> None:
        """Go on with a token. Raises `LlamaError` for one that is not allowed: llama.cpp would end the process."""
        if not self._pointer or not self.allows(token):
            raise LlamaError("the grammar does not allow this token")
        lib.llama_sampler_accept(self._pointer, token)
        if not self._model.is_end(token):
            self._broken = self._break_after(token) or b""

    def free(self) -> None:
        """Give it back."""
        if self._pointer:
            lib.llama_sampler_free(self._pointer)
            self._pointer = None


class GrammarChain(SamplerChain):
    """A chain whose tokens follow a grammar. Owns both; call `free`."""

    def __init__(self, samplers: Sequence[Any], model: Model, grammar: str, written: Sequence[int] = ()) -> None:
        """`grammar` is GBNF with the rule `root`, `written` the ids a text begins with. Raises as `check_grammar`."""
        super().__init__(samplers)
        self._grammar: _Grammar | None = None  # so that `free` may follow a failure
        try:
            self._grammar = _Grammar(model, grammar, written)
        except EngineFailed:
            self.free()
            raise
        self._ids = np.arange(model.vocab_size, dtype=np.int32)
        self._candidates: NDArray[np.void] = np.empty(model.vocab_size, dtype=_CANDIDATE)

    def draw(self, context: Context) -> int:
        """The next token, from the logits of the context's last decode; it is remembered."""
        if self._grammar is None:
            raise LlamaError("the grammar was given back")
        logits = context.logits()
        token = self._choose(logits, self._ids)
        if not self._grammar.allows(token):
            token = self._choose(logits, self._allowed(self._grammar, logits))
        self._grammar.accept(token)
        lib.llama_sampler_accept(self.pointer, token)
        return token

    def _allowed(self, grammar: _Grammar, logits: NDArray[np.float32]) -> NDArray[np.int32]:
        """Those of the likeliest tokens that the grammar allows; of all where it allows none of those."""
        if len(logits) > _LIKELIEST:
            likeliest = np.argpartition(logits, -_LIKELIEST)[-_LIKELIEST:].astype(np.int32)
            found = grammar.allowed(likeliest)
            if len(found):
                return found
        found = grammar.allowed(self._ids)  # takes up to half a second
        if not len(found):
            raise DeadEnd("the grammar allows no token")
        return found

    def _choose(self, logits: NDArray[np.float32], ids: NDArray[np.int32]) -> int:
        """Draw one of `ids`; nothing is remembered."""
        candidates = self._candidates[: len(ids)]
        candidates["id"] = ids
        candidates["logit"] = logits[ids]
        candidates["p"] = 0.0
        array = _array_of(candidates)
        lib.llama_sampler_apply(self.pointer, ctypes.byref(array))
        if not 0 <= array.selected < array.size:
            raise LlamaError("the sampler chose no token")
        return int(array.data[array.selected].id)

    def free(self) -> None:
        """Give both back."""
        super().free()
        if self._grammar is not None:
            self._grammar.free()
            self._grammar = None


def _array_of(candidates: NDArray[np.void]) -> Any:  # noqa: ANN401  (a structure of ctypes)
    """llama.cpp's view of candidates; valid as long as they are."""
    return lib.llama_token_data_array(
        data=candidates.ctypes.data_as(lib.llama_token_data_p), size=len(candidates), selected=-1, sorted=False
    )
