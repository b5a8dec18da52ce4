"""Heights of the rows of a long list: estimated first, measured when a row is needed, summed in logarithmic time."""

from array import array
from collections.abc import Callable, Iterable


class RowHeights:
    """Heights in pixels with their prefix sums (a Fenwick tree)."""

    def __init__(self, estimates: Iterable[int] = ()) -> None:
        self._heights = array("l", estimates)
        self._measured = bytearray(len(self._heights))
        self._tree = array("l")
        self._build()

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, row: int) -> int:
        return self._heights[row]

    @property
    def total(self) -> int:
        """The height of all rows."""
        return self.top(len(self._heights))

    def top(self, row: int) -> int:
        """Where row `row` begins: the height of all rows before it."""
        total = 0
        while row > 0:
            total += self._tree[row]
            row -= row & -row
        return total

    def row_at(self, y: int) -> tuple[int, int]:
        """The row at height `y` and how far into it that is; the first or last row where `y` lies outside."""
        count = len(self._heights)
        if not count or y <= 0:
            return 0, 0
        row, rest = 0, y
        step = 1 << count.bit_length()
        while step:
            after = row + step
            if after <= count and self._tree[after] <= rest:
                row = after
                rest -= self._tree[after]
            step >>= 1
        return (row, rest) if row < count else (count - 1, self._heights[count - 1])

    def measure(self, row: int, height: Callable[[int], int]) -> int:
        """The height of `row`, measured by `height(row)` unless that is known."""
        if not self._measured[row]:
            self._set(row, height(row))
            self._measured[row] = 1
        return self._heights[row]

    def forget(self, row: int) -> None:
        """Have `row` measured again when it is next needed."""
        self._measured[row] = 0

    def insert(self, row: int, estimates: Iterable[int]) -> int:
        """Put rows in before `row`; returns how many."""
        new = array("l", estimates)
        self._heights[row:row] = new
        self._measured[row:row] = bytes(len(new))
        self._build()
        return len(new)

    def remove(self, row: int, count: int) -> None:
        """Take `count` rows out, from `row` on."""
        del self._heights[row : row + count]
        del self._measured[row : row + count]
        self._build()

    def _set(self, row: int, height: int) -> None:
        change = height - self._heights[row]
        self._heights[row] = height
        at = row + 1
        while change and at < len(self._tree):
            self._tree[at] += change
            at += at & -at

    def _build(self) -> None:
        count = len(self._heights)
        tree = array("l", [0]) + self._heights
        for at in range(1, count + 1):
            parent = at + (at & -at)
            if parent <= count:
                tree[parent] += tree[at]
        self._tree = tree
