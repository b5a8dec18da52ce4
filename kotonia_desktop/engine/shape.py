"""How contexts are built: flash attention, the types of keys and values, tokens of a step, threads. One choice.

Values in 8 bits need flash attention (llama.cpp refuses them without), keys do not. Without flash attention the compute
buffer is heads x step x cells x 4 bytes (measured: 1,680 MiB for 12 heads, 512, 65,536). On a CPU flash attention works
on tiles of 64 rows: a step of fewer tokens is slow with it (a turn of 60 tokens 4.5 times, a token 1.8 times, measured
at 2,000 tokens of depth), and a step of 64 or more 10 % faster. So a CPU does without, a graphics card with it.
"""

from dataclasses import dataclass, replace
from typing import Final

F16: Final = "f16"
Q8_0: Final = "q8_0"
KV_TYPES: Final = {F16: 1, Q8_0: 8}
"""Numbers of ggml's types (`ggml.h`)."""
_BYTES: Final = {F16: 2.0, Q8_0: 34 / 32}
"""Bytes of one number; q8_0 holds 32 of them with a scale of two bytes."""
STEP: Final = 64
"""Tokens of one decode step on a CPU: a short turn is fast without flash attention, and nobody waits long for one."""
GPU_STEP: Final = 512


@dataclass(frozen=True, slots=True)
class Shape:
    """How both contexts of a model are built. `key` and `value` are names of `KV_TYPES`; `step` is in tokens."""

    flash: bool = False
    key: str = F16
    value: str = F16
    step: int = STEP
    threads: int = 1
    yarn: int = 0
    """How many times the trained window is stretched by YaRN (Peng et al. 2023); 0: not at all."""

    @property
    def key_bytes(self) -> float:
        """Bytes of one number of a key."""
        return _BYTES[self.key]

    @property
    def value_bytes(self) -> float:
        """Bytes of one number of a value."""
        return _BYTES[self.value]

    def __str__(self) -> str:
        stretched = f" yarn={self.yarn}" if self.yarn else ""
        return f"flash={int(self.flash)} k={self.key} v={self.value} step={self.step}{stretched}"


def shapes(
    *, on_gpu: bool, kv_type: str, flash: bool | None, threads: int, step: int = 0, yarn: int = 0
) -> list[Shape]:
    """The shapes to try, the best first: those with smaller keys and values are for where the better do not fit.

    `kv_type` and `flash` keep to what was asked for ("" and None: choose). On a CPU only keys become smaller by
    themselves: values would need flash attention there, which makes every turn slow.
    """
    flashes = on_gpu if flash is None else flash
    base = Shape(flash=flashes, step=step or (GPU_STEP if on_gpu else STEP), threads=threads, yarn=yarn)
    small_keys = replace(base, key=Q8_0)
    small = replace(base, key=Q8_0, value=Q8_0, flash=True)
    if kv_type == F16:
        return [base]
    if kv_type == Q8_0:
        return [small] if flash in (None, True) else [small_keys]
    return [base, small] if base.flash else [base, small_keys]
