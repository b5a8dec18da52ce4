"""How the cells of the two contexts are chosen."""

from pathlib import Path

import numpy as np
import pytest

from kotonia_desktop.domain.errors import NotEnoughMemory
from kotonia_desktop.domain.models import LoadOptions, WindowReason
from kotonia_desktop.engine import window_fit
from kotonia_desktop.engine.gguf_header import GgufHeader, Value
from kotonia_desktop.engine.llama import Context, Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.shape import Q8_0, Shape, shapes
from kotonia_desktop.engine.window_fit import (
    CellCost,
    Cells,
    cell_cost,
    fit_cells,
    spare_bytes,
    trained_window,
    wished_cells,
)

GIB = 2**30
CHEAP = CellCost(each=1, fixed=0)


def header(architecture: str = "llama", **values: Value) -> GgufHeader:
    keyed = {f"{architecture}.{key.replace('__', '.')}": value for key, value in values.items()}
    return GgufHeader("p", 3, 0, {"general.architecture": architecture, **keyed}, 0, 0, "t")


def test_a_model_of_any_training_gets_five_eighths_for_the_chat():
    assert wished_cells(LoadOptions("p"), 131_072) == Cells(40_960, 24_576)
    assert wished_cells(LoadOptions("p"), 32_768) == Cells(32_768, 19_712)
    assert wished_cells(LoadOptions("p"), 8_192) == Cells(8_192, 5_120)


def test_a_window_that_is_given_is_the_chats():
    assert wished_cells(LoadOptions("p", window=8192), 131_072) == Cells(8192, 4915)
    assert wished_cells(LoadOptions("p", window=8192), 4096) == Cells(4096, 2457)
    assert wished_cells(LoadOptions("p", chat_cells=1000), 131_072).chat == 1000


def test_cells_shrink_until_they_fit_the_free_memory():
    cost = CellCost(each=100_000, fixed=0)
    wished = fit_cells(LoadOptions("p"), 131_072, cost, 0, 32 * GIB, 32 * GIB)
    fitted = fit_cells(LoadOptions("p"), 131_072, cost, 2 * GIB, 8 * GIB, 8 * GIB)
    assert wished == Cells(40_960, 24_576)
    assert cost.of(fitted) + 2 * GIB <= 5 * GIB
    assert cost.of(fitted) + 2 * GIB > 4 * GIB
    assert fitted.chat > fitted.memory


def test_a_model_that_cannot_fit_is_refused_with_its_numbers():
    with pytest.raises(NotEnoughMemory) as caught:
        fit_cells(LoadOptions("p"), 131_072, CHEAP, 9 * GIB, 8 * GIB, 8 * GIB)
    assert caught.value.values == {"need_mb": 9 * 1024, "free_mb": 8 * 1024}


def test_a_window_that_was_asked_for_is_not_made_smaller():
    cost = CellCost(each=100_000, fixed=0)
    with pytest.raises(NotEnoughMemory):
        fit_cells(LoadOptions("p", window=65_536), 131_072, cost, 0, 4 * GIB, 8 * GIB)
    assert fit_cells(LoadOptions("p", window=20_000), 131_072, cost, 0, 4 * GIB, 8 * GIB).chat == 20_000


@pytest.mark.parametrize(("total", "spare"), [(8, 3), (16, 5), (32, 8), (64, 8)])
def test_the_system_is_left_its_share(total: int, spare: int):
    assert spare_bytes(total * GIB) == spare * GIB


def test_a_cell_costs_keys_values_and_the_compute_buffer():
    values = header(block_count=28, embedding_length=1536, attention__head_count=12, attention__head_count_kv=2)
    # 28 layers x 2 heads x 128 x 2 (K, V) x 2 bytes, and 12 heads x 64 x 4 bytes
    assert cell_cost(values, 4, Shape()).each == 28 * 2 * 256 * 2 + 12 * 64 * 4


def test_keys_and_values_in_eight_bits_and_flash_attention_cost_less():
    values = header(block_count=28, embedding_length=1536, attention__head_count=12, attention__head_count_kv=2)
    half_keys = cell_cost(values, 4, Shape(key=Q8_0)).each
    assert half_keys == 28 * 2 * int(128 * 34 / 32 + 128 * 2) + 12 * 64 * 4
    assert cell_cost(values, 4, Shape(key=Q8_0, value=Q8_0, flash=True)).each == 28 * 2 * int(256 * 34 / 32)


def test_smaller_keys_are_taken_only_where_they_hold_a_larger_window(monkeypatch: pytest.MonkeyPatch):
    values = header(block_count=28, embedding_length=1536, attention__head_count=12, attention__head_count_kv=2)
    candidates = shapes(on_gpu=False, kv_type="", flash=None, threads=1)
    found = {}
    for gib in (32, 8, 4):
        monkeypatch.setattr(
            window_fit, "machine_memory", lambda gib=gib: (gib * GIB, 8 * GIB if gib < 8 else gib * GIB)
        )
        found[gib] = window_fit.choose_fit(LoadOptions("p"), values, 131_072, candidates, 4)
    assert (found[32].cells.chat, found[32].shape.key, found[32].reason) == (40_960, "f16", WindowReason.MOST)
    assert (found[8].cells.chat, found[8].shape.key, found[8].reason) == (40_960, "f16", WindowReason.MOST)
    assert (found[4].shape.key, found[4].reason) == ("q8_0", WindowReason.MEMORY)
    f16 = shapes(on_gpu=False, kv_type="f16", flash=None, threads=1)
    assert window_fit.choose_fit(LoadOptions("p"), values, 131_072, f16, 4).cells.chat < found[4].cells.chat
    assert window_fit.choose_fit(LoadOptions("p"), values, 8192, candidates, 4).reason is WindowReason.TRAINED
    asked = window_fit.choose_fit(LoadOptions("p", window=4096), values, 8192, candidates, 4)
    assert (asked.cells.chat, asked.reason) == (4096, WindowReason.ASKED)


def named(architecture: str, name: str, billions: float, trained: int) -> GgufHeader:
    values: dict[str, Value] = {
        "general.architecture": architecture,
        "general.name": name,
        f"{architecture}.context_length": trained,
    }
    return GgufHeader("p", 3, 0, values, 0, 0, "t", parameters=int(billions * 1e9))


@pytest.mark.parametrize(
    ("model", "window", "factor"),
    [
        (("qwen2", "Qwen2.5 7B Instruct", 7.6, 32_768), 65_536, 2),
        (("qwen2", "Qwen2.5 7B Instruct", 7.6, 32_768), 100_000, 4),
        (("qwen2", "Qwen2.5 7B Instruct", 7.6, 32_768), 10**6, 4),
        (("qwen2", "Qwen2.5 7B Instruct", 7.6, 32_768), 32_768, 0),
        (("qwen2", "Qwen2.5 7B Instruct", 7.6, 32_768), 0, 0),
        (("qwen2", "Qwen2.5 1.5B Instruct", 1.5, 32_768), 65_536, 0),  # nobody says so of the small ones
        (("qwen2", "Qwen2 7B Instruct", 7.6, 32_768), 65_536, 0),
        (("qwen3", "Qwen3 8B", 8.2, 40_960), 65_536, 2),
        (("llama", "Llama 3 8B", 8.0, 8192), 16_384, 0),
    ],
)
def test_a_window_is_stretched_only_where_the_makers_say_so(
    model: tuple[str, str, float, int], window: int, factor: int
) -> None:
    assert window_fit.yarn_factor(named(*model), window) == factor


def test_a_stretched_context_reads_otherwise(tiny_model: Path) -> None:
    start_library()
    model = Model(str(tiny_model))
    logits = []
    for yarn in (0, 2, 4):
        context = Context(model, 512, 1, Shape(yarn=yarn))
        context.decode(list(range(20, 80)), 0, 0, True)
        logits.append(context.logits().copy())
        context.free()
    assert np.abs(logits[0] - logits[1]).max() > 1e-3
    assert np.abs(logits[1] - logits[2]).max() > 1e-3
    model.free()


def test_what_was_asked_for_is_kept_to():
    def tried(**values: object) -> list[str]:
        return [
            str(shape) for shape in shapes(**{"on_gpu": False, "kv_type": "", "flash": None, "threads": 1, **values})
        ]

    assert tried() == ["flash=0 k=f16 v=f16 step=64", "flash=0 k=q8_0 v=f16 step=64"]
    assert tried(on_gpu=True) == ["flash=1 k=f16 v=f16 step=512", "flash=1 k=q8_0 v=q8_0 step=512"]
    assert tried(kv_type="q8_0") == ["flash=1 k=q8_0 v=q8_0 step=64"]
    assert tried(kv_type="q8_0", flash=False) == ["flash=0 k=q8_0 v=f16 step=64"]
    assert tried(kv_type="f16", flash=True) == ["flash=1 k=f16 v=f16 step=64"]


def test_sliding_layers_cost_windows_instead_of_cells():
    shape = {"block_count": 6, "embedding_length": 640, "attention__head_count": 4, "attention__head_count_kv": 1}
    sizes = {"attention__key_length": 256, "attention__value_length": 256, "attention__sliding_window": 512}
    sliding, full = (
        cell_cost(header("gemma3", **shape, **sizes), 4, Shape()),
        cell_cost(header("llama", **shape, **sizes), 4, Shape()),
    )
    assert full.each - sliding.each == 5 * 512 * 2
    assert sliding.fixed > full.fixed


def test_numbers_of_a_header_are_clamped():
    assert trained_window(header(context_length=4_294_967_280)) == 2**24
    assert trained_window(header(context_length=1)) == 256
    assert cell_cost(header(block_count=2**31, attention__head_count=0), 4, Shape()).each > 0
