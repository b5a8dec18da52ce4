"""How large the two contexts of a model may be: what it was trained for, and what this machine's memory holds.

Cells are tokens. Bytes are estimated from the file's header: keys and values for each cell, and without flash
attention a compute buffer of heads x step x cells x 4 bytes (`shape.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import psutil

from kotonia_desktop.domain.errors import NotEnoughMemory
from kotonia_desktop.domain.models import LoadOptions, WindowReason
from kotonia_desktop.engine.gguf_header import GgufHeader
from kotonia_desktop.engine.shape import Shape

MOST_CELLS: Final = 65_536
_ROUND: Final = 256
_LEAST_CELLS: Final = 512
_GIB: Final = 2**30
_FIXED: Final = 150 * 2**20
"""Bytes of everything that does not grow with the cells."""
_LARGEST_TRAINED: Final = 2**24
_MOST_HEADS: Final = 4096

_YARN_TRAINED: Final = (32_768, 40_960)
"""What Qwen writes into the files: 40,960 is 32,768 and room for a reply."""
_YARN_MOST: Final = 4
_YARN_MODELS: Final = {"qwen2": ("qwen2.5", 7_000_000_000), "qwen3": ("qwen3", 4_000_000_000)}
"""By architecture: what the name must hold, and from how many parameters on."""

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


def yarn_factor(header: GgufHeader, window: int) -> int:
    """How many times YaRN must stretch what a model was trained for to hold `window` tokens; 0 where it need not, or
    where its makers do not say that it may.

    They do of Qwen2.5 from 7 billion parameters on and of Qwen3 from 4 billion on: trained for 32,768 tokens, good for
    four times as many (their model cards). It makes short texts a little worse, so it is for windows that were asked
    for.
    """
    trained = trained_window(header)
    if window <= trained or trained not in _YARN_TRAINED:
        return 0
    name = f"{header.text('general.name')} {header.text('general.basename')}".casefold()
    word, least = _YARN_MODELS.get(header.architecture, ("", 0))
    if not least or word not in name or header.parameters < least:
        return 0
    return next((factor for factor in (2, _YARN_MOST) if window <= trained * factor), _YARN_MOST)


@dataclass(frozen=True, slots=True)
class Fit:
    """The cells of the two contexts, how they are built, and why there are no more."""

    cells: Cells
    shape: Shape
    reason: WindowReason


def cell_cost(header: GgufHeader, sequences: int, shape: Shape) -> CellCost:
    """What a cell costs. Sliding layers hold a few windows only, whatever the cells."""
    key = header.architecture
    layers = min(max(header.number(f"{key}.block_count", 1), 1), 1000)
    heads = min(max(header.numbers(f"{key}.attention.head_count") or (1,)), _MOST_HEADS)
    kv_heads = header.numbers(f"{key}.attention.head_count_kv") or (heads,)
    head = header.number(f"{key}.embedding_length", 1) // max(heads, 1)
    keys = abs(header.number(f"{key}.attention.key_length", head)) * shape.key_bytes
    values = abs(header.number(f"{key}.attention.value_length", head)) * shape.value_bytes
    each_head = int(keys + values)
    per_layer = [min(max(kv_heads[index % len(kv_heads)], 0), _MOST_HEADS) * each_head for index in range(layers)]
    window = header.number(f"{key}.attention.sliding_window")
    pattern = header.number(f"{key}.attention.sliding_window_pattern", _SLIDING_PATTERN.get(key, 1))
    sliding = [window > 0 and pattern > 1 and (index + 1) % pattern != 0 for index in range(layers)]
    full = sum(size for size, slides in zip(per_layer, sliding, strict=True) if not slides)
    held = sum(size for size, slides in zip(per_layer, sliding, strict=True) if slides)
    buffer = 0 if shape.flash else max(heads, 1) * shape.step * 4
    return CellCost(full + buffer, held * (window * sequences + shape.step) + _FIXED)


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


def rope_limit(header: GgufHeader) -> int:
    """The cells above which llama.cpp turns positions by a model's long factors instead of its short ones (LongRoPE:
    Phi 3 and 4 mini, MiniCPM); 0 for a model that has no such factors. What was read on one side means something else
    on the other. What says so are the tensors: files of Phi name no type of scaling."""
    key = header.architecture
    if not header.long_rope and header.text(f"{key}.rope.scaling.type") != "longrope":
        return 0
    limit = header.number(f"{key}.rope.scaling.original_context_length", trained_window(header))
    return limit // _ROUND * _ROUND  # llama.cpp rounds the cells up before it compares


def on_one_side(cells: Cells, limit: int) -> Cells:
    """The cells with both contexts on one side of `limit` (0: there is none): states go from one to the other."""
    return Cells(cells.chat, limit + 1) if 0 < limit < cells.chat and cells.memory <= limit else cells


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


def choose_fit(
    options: LoadOptions,
    header: GgufHeader,
    trained: int,
    candidates: Sequence[Shape],
    sequences: int,
    cells: Cells | None = None,
) -> Fit:
    """The first of the shapes that holds the wished cells, else the one that holds most. `cells` repeats the sizes of
    an earlier load: then only the shape is chosen. Raises as `fit_cells`."""
    free, total = machine_memory()
    wished = cells or wished_cells(options, trained)
    best: Fit | None = None
    for number, shape in enumerate(candidates):
        cost = cell_cost(header, sequences, shape)
        if cells is not None:
            if number == len(candidates) - 1 or cost.of(cells) + header.tensor_bytes <= free:
                return Fit(cells, shape, _reason(options, trained, wished))
            continue
        try:
            fitted = fit_cells(options, trained, cost, header.tensor_bytes, free, total)
        except NotEnoughMemory:
            if number == len(candidates) - 1 and best is None:
                raise
            continue
        if fitted == wished:
            return Fit(wished, shape, _reason(options, trained, wished))
        if best is None or fitted.chat > best.cells.chat:
            best = Fit(fitted, shape, WindowReason.MEMORY)
    assert best is not None  # the last shape fits or raises
    return best


def _reason(options: LoadOptions, trained: int, cells: Cells) -> WindowReason:
    if cells.chat == trained:
        return WindowReason.TRAINED
    return WindowReason.ASKED if options.window or options.chat_cells else WindowReason.MOST


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
