"""How large the two contexts of a model may be: what it was trained for, and what this machine's memory holds.

Cells are tokens. Bytes are estimated from the file's header: f16 keys and values for each cell, and without flash
attention a compute buffer of heads x step x cells x 4 bytes (measured: 1,680 MiB for 12 heads, 512, 65,536).
"""

from dataclasses import dataclass
from typing import Final

import psutil

from kotonia_desktop.domain.errors import NotEnoughMemory
from kotonia_desktop.domain.models import LoadOptions
from kotonia_desktop.engine.gguf_header import GgufHeader

MOST_CELLS: Final = 65_536
STEP: Final = 64
"""Tokens of one decode step on a CPU: a short turn is fast without flash attention, and nobody waits long for one."""
GPU_STEP: Final = 512
_ROUND: Final = 256
_LEAST_CELLS: Final = 512
_F16: Final = 2
_GIB: Final = 2**30
_FIXED: Final = 150 * 2**20
"""Bytes of everything that does not grow with the cells."""
_LARGEST_TRAINED: Final = 2**24
_MOST_HEADS: Final = 4096

_SLIDING_PATTERN: Final = {"gemma2": 2, "gemma3": 6, "gemma3n": 5, "gpt-oss": 2, "cohere2": 4}
"""Every how many layers one sees all, where the file does not say."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of the two contexts."""

    chat: int
    memory: int


@dataclass(frozen=True, slots=True)
class CellCost:
    """Bytes by cells: `each` for every cell of a context, `fixed` for a context of any size."""

    each: int
    fixed: int

    def of(self, cells: Cells) -> int:
        """Bytes of both contexts."""
        return self.each * (cells.chat + cells.memory) + 2 * self.fixed


def trained_window(header: GgufHeader) -> int:
    """Tokens the model was trained for; a number from a file, so it is clamped."""
    value = header.number(f"{header.architecture}.context_length", 4096)
    return min(max(value, _ROUND), _LARGEST_TRAINED)


def cell_cost(header: GgufHeader, sequences: int) -> CellCost:
    """What a cell costs. Sliding layers hold a few windows only, whatever the cells."""
    key = header.architecture
    layers = min(max(header.number(f"{key}.block_count", 1), 1), 1000)
    heads = min(max(header.numbers(f"{key}.attention.head_count") or (1,)), _MOST_HEADS)
    kv_heads = header.numbers(f"{key}.attention.head_count_kv") or (heads,)
    head = header.number(f"{key}.embedding_length", 1) // max(heads, 1)
    width = header.number(f"{key}.attention.key_length", head) + header.number(f"{key}.attention.value_length", head)
    per_layer = [
        min(max(kv_heads[index % len(kv_heads)], 0), _MOST_HEADS) * abs(width) * _F16 for index in range(layers)
    ]
    window = header.number(f"{key}.attention.sliding_window")
    pattern = header.number(f"{key}.attention.sliding_window_pattern", _SLIDING_PATTERN.get(key, 1))
    sliding = [window > 0 and pattern > 1 and (index + 1) % pattern != 0 for index in range(layers)]
    full = sum(size for size, slides in zip(per_layer, sliding, strict=True) if not slides)
    held = sum(size for size, slides in zip(per_layer, sliding, strict=True) if slides)
    buffer = max(heads, 1) * STEP * 4
    return CellCost(full + buffer, held * (window * sequences + STEP) + _FIXED)


def spare_bytes(total: int) -> int:
    """What the system is left of `total` bytes of memory: 3, 5 and 8 GiB of 8, 16 and 32 GiB."""
    return int(min(8 * _GIB, max(1 * _GIB, 3 * _GIB + (total - 8 * _GIB) / 4 if total >= 8 * _GIB else total * 3 / 8)))


def wished_cells(options: LoadOptions, trained: int) -> Cells:
    """The cells before memory is asked. A window that was given is the chat's; the memory context gets 3/5 of it."""
    if options.window:
        chat = min(options.chat_cells or options.window, trained)
        return Cells(chat, max(chat * 3 // 5, min(chat, _LEAST_CELLS)))
    whole = min(MOST_CELLS, -(-trained * 8 // 5 // _ROUND) * _ROUND)
    chat = min(options.chat_cells or whole * 5 // 8, trained)
    return Cells(chat, max(whole - chat, min(chat, _LEAST_CELLS)))


def fit_cells(options: LoadOptions, trained: int, cost: CellCost, weights: int, free: int, total: int) -> Cells:
    """The wished cells, or the largest that fit. Bytes: `weights` of the file, `free` and `total` of the machine.

    Raises `NotEnoughMemory` where not even a small window fits, or not the one that was asked for.
    """
    wished = wished_cells(options, trained)
    room = free - spare_bytes(total) - weights
    chosen = wished
    while cost.of(chosen) > room:
        smaller = smaller_cells(chosen)
        if options.window or smaller == chosen:
            # What was asked for may use the system's share; only what cannot fit at all is refused.
            if cost.of(chosen) + weights > free:
                need = cost.of(chosen) + weights
                raise NotEnoughMemory(need_mb=need // 2**20, free_mb=free // 2**20)
            return chosen
        chosen = smaller
    return chosen


def smaller_cells(cells: Cells) -> Cells:
    """A step down; the same cells where they are as few as they may be."""
    return Cells(_smaller(cells.chat), _smaller(cells.memory))


def _smaller(cells: int) -> int:
    return max(min(cells, _LEAST_CELLS), cells * 7 // 8 // _ROUND * _ROUND)


def machine_memory() -> tuple[int, int]:
    """Free and total bytes of this machine's memory."""
    memory = psutil.virtual_memory()
    return memory.available, memory.total


def default_threads() -> int:
    """All physical cores but one, which the window needs."""
    return max(1, (psutil.cpu_count(logical=False) or 2) - 1)
