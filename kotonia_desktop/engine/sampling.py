"""The sampler chain in llama.cpp: penalties, DRY, top-k, top-p, min-p, XTC, temperature, then the draw.

Penalties and DRY are told the character's own reply tokens only. The prompt is never shown to them: it holds the names
and numbers that a reply is there to repeat.
"""

import ctypes
import secrets
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from kotonia_desktop.domain.models import Sampling
from kotonia_desktop.engine.llama import Context, LlamaError, Model
from kotonia_desktop.engine.llama_library import lib

_DEFAULT_BREAKERS: Final = ("\n", ":", '"', "*", "。", "「", "」")
_MIN_KEEP: Final = 1


def choose_seed(wanted: int) -> int:
    """The seed of a draw: the wanted one, or a new one where it is negative."""
    return wanted if wanted >= 0 else secrets.randbits(31)


def are_finite(context: Context) -> bool:
    """False where the last logits hold something that is no number: a damaged model, which would babble one token."""
    return bool(np.isfinite(context.logits()).all())


class SamplerChain:
    """Owns a chain of llama.cpp's samplers; call `free`."""

    def __init__(self, samplers: Sequence[Any]) -> None:
        """The samplers, in their order; they are the chain's from now on."""
        self.pointer: Any = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        for sampler in samplers:
            lib.llama_sampler_chain_add(self.pointer, sampler)

    def remember(self, tokens: Sequence[int]) -> None:
        """Let penalties and DRY know tokens that were written before."""
        for token in tokens:
            lib.llama_sampler_accept(self.pointer, token)

    def draw(self, context: Context) -> int:
        """The next token, from the logits of the context's last decode; it is remembered. Raises `LlamaError` where
        there are none, or the chain was given back."""
        context.check_logits()
        if not self.pointer:
            raise LlamaError("the sampler was given back")
        return int(lib.llama_sampler_sample(self.pointer, context.pointer, -1))

    def free(self) -> None:
        """Give the chain back."""
        if self.pointer:
            lib.llama_sampler_free(self.pointer)
            self.pointer = None


class Samplers:
    """Makes chains for a model. Owns a DRY sampler to copy: making one takes 50 to 90 ms with a large vocabulary."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._dry: Any = None
        self._dry_key: tuple[object, ...] = ()

    def reply_chain(self, sampling: Sampling, seed: int, breakers: Sequence[str] = ()) -> SamplerChain:
        """The chain of a reply."""
        return SamplerChain(self.of_reply(sampling, seed, breakers))

    def of_reply(self, sampling: Sampling, seed: int, breakers: Sequence[str] = ()) -> list[Any]:
        """The samplers of a reply, for a chain to own."""
        return [*self._penalties(sampling), *self._dry_copies(sampling, breakers), *_draw(sampling, seed)]

    def think_chain(self, sampling: Sampling, seed: int) -> SamplerChain:
        """The chain of a think block: it sees no penalties, which are there for the style of replies."""
        return SamplerChain(_draw(sampling, seed))

    def _penalties(self, sampling: Sampling) -> list[Any]:
        if sampling.repeat_penalty == 1 and not sampling.presence_penalty and not sampling.frequency_penalty:
            return []
        return [
            lib.llama_sampler_init_penalties(
                self._model.vocab_size,
                sampling.repeat_last,
                max(0.01, sampling.repeat_penalty),
                sampling.frequency_penalty,
                sampling.presence_penalty,
            )
        ]

    def _dry_copies(self, sampling: Sampling, breakers: Sequence[str]) -> list[Any]:
        if sampling.dry_multiplier <= 0:
            return []
        texts = [text.encode() for text in (breakers or _DEFAULT_BREAKERS)]
        values = (sampling.dry_multiplier, sampling.dry_base, sampling.dry_allowed_length, sampling.dry_last)
        key = (*values, *texts)
        if key != self._dry_key:
            self.free()
            array = (ctypes.c_char_p * len(texts))(*texts)
            self._dry = lib.llama_sampler_init_dry(self._model.vocab, *values, array, len(texts))
            self._dry_key = key
        return [lib.llama_sampler_clone(self._dry)]

    def free(self) -> None:
        """Give the sampler to copy back."""
        if self._dry:
            lib.llama_sampler_free(self._dry)
        self._dry, self._dry_key = None, ()


def _draw(sampling: Sampling, seed: int) -> list[Any]:
    if sampling.temperature <= 0:
        return [lib.llama_sampler_init_greedy()]
    chosen = seed & 0xFFFFFFFF
    chain = []
    if sampling.top_k > 0:
        chain.append(lib.llama_sampler_init_top_k(sampling.top_k))
    if sampling.top_p < 1:
        chain.append(lib.llama_sampler_init_top_p(sampling.top_p, _MIN_KEEP))
    if sampling.min_p > 0:
        chain.append(lib.llama_sampler_init_min_p(sampling.min_p, _MIN_KEEP))
    if sampling.xtc_probability > 0:
        chain.append(lib.llama_sampler_init_xtc(sampling.xtc_probability, sampling.xtc_threshold, _MIN_KEEP, chosen))
    chain.append(lib.llama_sampler_init_temp(sampling.temperature))
    chain.append(lib.llama_sampler_init_dist(chosen))
    return chain
