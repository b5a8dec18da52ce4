"""Replies that follow a grammar: a token is drawn as always, then checked, and drawn again only where it is refused.

Applying a grammar to a whole vocabulary costs 29 ms a token with 151,000 of them; a check of one token costs nothing
(measured). llama.cpp ends the process where a grammar is given a token it does not allow, so none is, unchecked.
"""

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
_MOST_TRIES: Final = 64
_LIKELIEST: Final = 512
"""So many tokens are tried before the whole vocabulary."""


def check_grammar(model: Model, grammar: str) -> None:
    """Raise `EngineFailed` where `grammar` is no GBNF with the rule `root`."""
    lib.llama_sampler_free(_make(model, grammar))


def _make(model: Model, grammar: str) -> Any:  # noqa: ANN401  (a pointer of ctypes)
    pointer = lib.llama_sampler_init_grammar(model.vocab, grammar.encode(), b"root")
    if not pointer:
        raise EngineFailed(detail="the grammar of the text is not valid")
    return pointer


class GrammarChain(SamplerChain):
    """A chain whose tokens follow a grammar. Owns both; call `free`."""

    def __init__(self, samplers: Sequence[Any], model: Model, grammar: str) -> None:
        """`grammar` is GBNF with the rule `root`. Raises `EngineFailed` where it is none."""
        super().__init__(samplers)
        self._model = model
        self._grammar: Any = _make(model, grammar)
        self._ids = np.arange(model.vocab_size, dtype=np.int32)
        self._candidates: NDArray[np.void] = np.empty(model.vocab_size, dtype=_CANDIDATE)

    def draw(self, context: Context) -> int:
        """The next token, from the logits of the context's last decode; it is remembered."""
        logits = context.logits()
        token = self._choose(logits, self._ids)
        if not self._allows(token):
            token = self._choose_allowed(logits)
        lib.llama_sampler_accept(self._grammar, token)
        lib.llama_sampler_accept(self.pointer, token)
        return token

    def _choose_allowed(self, logits: NDArray[np.float32]) -> int:
        """Draw among the likeliest tokens that the grammar allows; among all where it allows none of those."""
        likeliest = np.argpartition(logits, -_LIKELIEST)[-_LIKELIEST:] if len(logits) > _LIKELIEST else self._ids
        for ids in (likeliest.astype(np.int32), self._ids):  # the whole vocabulary takes up to half a second
            banned: list[int] = []
            for _ in range(_MOST_TRIES):
                token = self._choose(logits, ids, banned, grammar=True)
                if token < 0:
                    break
                if self._allows(token):
                    return token
                banned.append(token)  # a control token whose name the grammar takes for text
        raise LlamaError("the grammar allows no token")

    def _choose(
        self, logits: NDArray[np.float32], ids: NDArray[np.int32], banned: Sequence[int] = (), grammar: bool = False
    ) -> int:
        """A token of `ids`, -1 where the grammar allows none of them."""
        candidates = self._candidates[: len(ids)]
        candidates["id"] = ids
        candidates["logit"] = logits[ids]
        candidates["p"] = 0.0
        if banned:
            candidates["logit"][np.isin(ids, banned)] = -np.inf
        array = lib.llama_token_data_array(
            data=candidates.ctypes.data_as(lib.llama_token_data_p), size=len(candidates), selected=-1, sorted=False
        )
        if grammar:
            lib.llama_sampler_apply(self._grammar, ctypes.byref(array))
            if not np.isfinite(candidates["logit"]).any():
                return -1
        lib.llama_sampler_apply(self.pointer, ctypes.byref(array))
        if not 0 <= array.selected < array.size:
            raise LlamaError("the sampler chose no token")
        return int(array.data[array.selected].id)

    def _allows(self, token: int) -> bool:
        """Whether the grammar goes on with a token. Of the control tokens only the end's are text to nobody."""
        if self._model.is_control(token) and not self._model.is_end(token):
            return False
        single: Any = (lib.llama_token_data * 1)()
        single[0].id, single[0].logit, single[0].p = token, 1.0, 0.0
        array = lib.llama_token_data_array(
            data=ctypes.cast(single, lib.llama_token_data_p), size=1, selected=-1, sorted=False
        )
        lib.llama_sampler_apply(self._grammar, ctypes.byref(array))
        return bool(single[0].logit > -np.inf)

    def free(self) -> None:
        """Give both back."""
        super().free()
        if self._grammar:
            lib.llama_sampler_free(self._grammar)
            self._grammar = None
