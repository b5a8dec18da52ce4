"""How the cells of the two contexts are chosen."""

import pytest

from kotonia_desktop.domain.errors import NotEnoughMemory
from kotonia_desktop.domain.models import LoadOptions
from kotonia_desktop.engine.gguf_header import GgufHeader, Value
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
    assert cell_cost(values, 4).each == 28 * 2 * 256 * 2 + 12 * 64 * 4


def test_sliding_layers_cost_windows_instead_of_cells():
    shape = {"block_count": 6, "embedding_length": 640, "attention__head_count": 4, "attention__head_count_kv": 1}
    sizes = {"attention__key_length": 256, "attention__value_length": 256, "attention__sliding_window": 512}
    sliding, full = cell_cost(header("gemma3", **shape, **sizes), 4), cell_cost(header("llama", **shape, **sizes), 4)
    assert full.each - sliding.each == 5 * 512 * 2
    assert sliding.fixed > full.fixed


def test_numbers_of_a_header_are_clamped():
    assert trained_window(header(context_length=4_294_967_280)) == 2**24
    assert trained_window(header(context_length=1)) == 256
    assert cell_cost(header(block_count=2**31, attention__head_count=0), 4).each > 0
