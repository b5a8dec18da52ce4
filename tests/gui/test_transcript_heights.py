"""Sums of row heights, against a plain list."""

from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.gui.transcript.heights import RowHeights

HEIGHTS = st.lists(st.integers(1, 2000), min_size=1, max_size=60)


@given(HEIGHTS, st.data())
def test_sums_stay_right_through_any_changes(first: list[int], data: st.DataObject) -> None:
    plain, heights = list(first), RowHeights(first)
    for _ in range(data.draw(st.integers(0, 12))):
        act = data.draw(st.sampled_from(("measure", "insert", "remove")))
        if act == "insert":
            row = data.draw(st.integers(0, len(plain)))
            new = data.draw(HEIGHTS)
            assert heights.insert(row, new) == len(new)
            plain[row:row] = new
        elif act == "remove" and plain:
            row = data.draw(st.integers(0, len(plain) - 1))
            count = data.draw(st.integers(1, len(plain) - row))
            heights.remove(row, count)
            del plain[row : row + count]
        elif plain:
            row, height = data.draw(st.integers(0, len(plain) - 1)), data.draw(st.integers(1, 3000))
            heights.forget(row)
            assert heights.measure(row, lambda _row, height=height: height) == height
            plain[row] = height
        assert len(heights) == len(plain)
        assert heights.total == sum(plain)
        assert [heights.top(row) for row in range(len(plain))] == [sum(plain[:row]) for row in range(len(plain))]


@given(HEIGHTS, st.data())
def test_the_row_at_a_height_is_the_one_that_covers_it(plain: list[int], data: st.DataObject) -> None:
    heights = RowHeights(plain)
    y = data.draw(st.integers(0, sum(plain) - 1))
    row, offset = heights.row_at(y)
    assert sum(plain[:row]) + offset == y
    assert 0 <= offset < plain[row]


def test_a_row_is_measured_once_until_it_is_forgotten() -> None:
    heights = RowHeights([10, 10])
    calls = []

    def measured(row: int) -> int:
        calls.append(row)
        return 25

    assert heights.measure(1, measured) == 25
    assert heights.measure(1, measured) == 25
    assert calls == [1]
    heights.forget(1)
    heights.measure(1, measured)
    assert calls == [1, 1]
    assert heights.row_at(10**9) == (1, 25)
