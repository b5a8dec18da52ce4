"""Staging: the next prefix is built beside the chat and moved over; no logits differ by it, and cells are shared."""

from collections.abc import Iterator

import pytest
from cache_stage import CELLS, CLOSE, Pair, difference, pair, random_ids, read
from tiny_models import SPECS, build_tiny_model

from kotonia_desktop.engine.llama import Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.sequences import OutOfCells

SYSTEM = random_ids(1, 100)
OLD = SYSTEM + random_ids(2, 900)
NEW = SYSTEM + random_ids(3, 60) + OLD[-300:]
TURN = random_ids(4, 40)


@pytest.fixture(scope="module", params=sorted(SPECS))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    start_library()
    loaded = Model(str(build_tiny_model(tmp_path_factory.mktemp(request.param), request.param)))
    yield loaded
    loaded.free()


@pytest.fixture
def both(model: Model) -> Iterator[Pair]:
    with pair(model) as made:
        yield made


def test_after_a_swap_a_turn_reads_only_itself_and_its_logits_are_those_of_a_cold_reading(both: Pair) -> None:
    read(both.chat, OLD, "c", len(SYSTEM))
    read(both.stage, NEW, "c", len(SYSTEM))
    assert both.keeper.swap(NEW, "c")
    assert both.stage.ids == []
    assert read(both.chat, NEW + TURN, "c") == len(NEW)
    assert difference(both.chat, NEW + TURN) < CLOSE


def test_the_chat_goes_on_on_the_old_prefix_while_the_next_is_built(both: Pair) -> None:
    read(both.chat, OLD, "c")
    read(both.stage, NEW[:200], "c")
    assert read(both.chat, OLD + TURN, "c") >= len(OLD) - 1
    assert difference(both.chat, OLD + TURN) < CLOSE
    read(both.stage, NEW, "c")  # goes on where it was
    assert both.keeper.swap(NEW + TURN, "c")
    assert read(both.chat, NEW + TURN, "c") == len(NEW)
    assert difference(both.chat, NEW + TURN) < CLOSE


def test_a_turn_that_comes_with_the_new_prefix_takes_what_is_staged_by_itself(both: Pair) -> None:
    read(both.chat, OLD, "c")
    read(both.stage, NEW, "c")
    assert read(both.chat, NEW + TURN, "c") == len(NEW)
    assert difference(both.chat, NEW + TURN) < CLOSE
    assert both.keeper.report().counts["swaps"] == 1


def test_what_is_staged_for_another_conversation_or_serves_no_better_stays(both: Pair) -> None:
    read(both.chat, OLD, "c")
    read(both.stage, NEW, "d")
    assert not both.keeper.swap(NEW, "c")
    assert not both.keeper.swap(NEW, "d")  # another conversation is open
    assert both.stage.ids == NEW
    read(both.chat, OLD + TURN, "c")
    assert difference(both.chat, OLD + TURN) < CLOSE
    assert read(both.chat, NEW + TURN, "d") == len(NEW)  # now it is opened
    assert difference(both.chat, NEW + TURN) < CLOSE


def test_a_state_listed_with_other_ids_gives_other_logits(both: Pair) -> None:
    """The control: were a wrong state taken for a prefix, the comparison would see it."""
    read(both.stage, NEW, "c")
    state = both.stage.save()
    wrong = SYSTEM + random_ids(30, 60) + OLD[-300:]
    state.ids[:] = wrong
    assert both.chat.adopt(state)
    both.chat.owner = "c"
    read(both.chat, wrong + TURN, "c")
    assert difference(both.chat, wrong + TURN) > 10 * CLOSE


def test_an_edit_after_a_swap_goes_back_to_the_right_state(both: Pair) -> None:
    read(both.chat, OLD, "c")
    read(both.stage, NEW, "c", len(SYSTEM))
    both.keeper.swap(NEW, "c")
    read(both.chat, NEW + TURN, "c")
    for keep in (len(NEW) - 5, 250, 120, 30):
        edited = NEW[:keep] + random_ids(keep, 50)
        read(both.chat, edited, "c")
        assert difference(both.chat, edited) < CLOSE


def test_a_fork_goes_its_own_way_and_leaves_its_source_as_it_was(both: Pair) -> None:
    start, own, more = random_ids(5, 300), random_ids(6, 200), random_ids(7, 50)
    read(both.chronicler, start, "c")
    both.fork.fork(both.chronicler)
    list(both.fork.read(own, True))
    assert difference(both.fork, start + own) < CLOSE
    list(both.chronicler.read(more, True))
    assert difference(both.chronicler, start + more) < CLOSE


@pytest.mark.parametrize("model", ["llama", "lfm2"], indirect=True)
def test_forks_give_their_cells_first_then_what_is_staged_then_the_chronicler(model: Model) -> None:
    with pair(model, cells=1024) as made:
        read(made.chronicler, random_ids(5, 300), "c")
        made.fork.fork(made.chronicler)
        assert made.fork.own_cells == 0  # the same cells
        list(made.fork.read(random_ids(6, 200), True))
        assert made.fork.own_cells == 200
        made.stage.claim(NEW[:400], "c")
        list(made.stage.read(NEW[:400], False))
        assert made.fork.ids  # there was room
        list(made.stage.read(random_ids(7, 200), False))
        assert (made.fork.ids, len(made.chronicler.ids), len(made.stage.ids)) == ([], 300, 600)
        list(made.chronicler.read(random_ids(8, 200), True))
        assert (made.stage.ids, len(made.chronicler.ids)) == ([], 500)
        counts = made.keeper.report().counts
        assert (counts["freed_fork"], counts["freed_stage"]) == (500, 600)
        made.chronicler.busy = True  # a job is at work on it
        with pytest.raises(OutOfCells):
            list(made.stage.read(random_ids(9, 600), False))
        assert len(made.chronicler.ids) == 500
        made.chronicler.busy = False
        list(made.stage.read(random_ids(9, 600), False))
        assert made.chronicler.ids == []


def test_the_open_conversation_gives_nothing(both: Pair) -> None:
    read(both.chat, OLD, "c")
    both.chat.neighbours = []
    with pytest.raises(OutOfCells):
        list(both.chat.read(random_ids(3, CELLS), True))
    assert both.chat.ids == OLD
