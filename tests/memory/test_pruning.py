"""The pruning loop ends within its budget, whatever the summariser does."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.domain.errors import EngineFailed, MessageTooLong
from kotonia_desktop.domain.ports import PromptItem, PromptRole
from kotonia_desktop.memory.pruning import NEWEST, Pruned, prune


def count(items: Sequence[PromptItem]) -> int:
    """A word is a token, a line's marks are two."""
    return sum(len(item.text.split()) + 2 for item in items)


def line(words: int, name: str) -> PromptItem:
    return PromptItem(PromptRole.USER, " ".join([name] * words))


def story(sizes: Sequence[int], system: int | None) -> list[PromptItem]:
    head = [] if system is None else [PromptItem(PromptRole.SYSTEM, " ".join(["rule"] * system))]
    return head + [line(size, f"w{number}") for number, size in enumerate(sizes)]


def fails(_items: Sequence[PromptItem], _most: int) -> str:
    raise EngineFailed(detail="no")


SUMMARISERS: dict[str, Callable[[Sequence[PromptItem], int], str]] = {
    "short": lambda items, most: " ".join(["s"] * min(most, len(items))),
    "full": lambda items, most: " ".join(["s"] * most),
    "too long": lambda items, most: " ".join(["s"] * (count(items) * 3)),
    "nothing": lambda items, most: "  ",
    "fails": fails,
}


def check(given_lines: list[PromptItem], budget: int, done: Pruned) -> None:
    assert done.tokens == count(done.items) <= budget
    assert done.items[-1] == given_lines[-1]
    if given_lines[0].role is PromptRole.SYSTEM:
        assert done.items[0] == given_lines[0]
    kept = [place for place, item in enumerate(given_lines) if item in done.items]
    assert sorted({*done.summarised, *done.dropped, *kept}) == list(range(len(given_lines)))
    assert not set(done.summarised) & set(done.dropped)


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=40),
    st.one_of(st.none(), st.integers(0, 30)),
    st.integers(0, 400),
    st.sampled_from(sorted(SUMMARISERS)),
)
def test_it_ends_within_the_budget_or_says_why_not(
    sizes: list[int], system: int | None, budget: int, name: str
) -> None:
    lines = story(sizes, system)
    calls: list[int] = []

    def summarise(items: Sequence[PromptItem], most: int) -> str:
        calls.append(most)
        return SUMMARISERS[name](items, most)

    least = count([*lines[: len(lines) - len(sizes)], lines[-1]])
    if least > budget and count(lines) > budget:
        with pytest.raises(MessageTooLong) as caught:
            prune(lines, budget, count, summarise)
        assert caught.value.values["over"] == least - budget
        assert calls == []
        return
    done = prune(lines, budget, count, summarise)
    check(lines, budget, done)
    assert len(calls) <= 1
    assert all(most == budget // 4 for most in calls)


def test_the_check_notices_a_loop_that_keeps_too_much() -> None:
    lines = story([30, 30, 30, 30, 30, 30], 5)
    with pytest.raises(AssertionError):
        check(lines, 100, Pruned(tuple(lines), count(lines)))


def test_a_prompt_within_its_budget_is_left_alone() -> None:
    lines = story([3, 3], 2)
    assert prune(lines, 100, count, fails) == Pruned(tuple(lines), count(lines))


def test_the_middle_becomes_one_summary_behind_the_system_line() -> None:
    lines = story([20] * 8, 5)
    done = prune(lines, 130, count, SUMMARISERS["short"])
    assert done.items[0] == lines[0]
    assert done.items[1].text == done.summary
    assert list(done.items[2:]) == lines[-NEWEST:]
    assert done.summarised == (1, 2, 3, 4)
    assert done.dropped == ()


def test_a_summary_that_helps_nothing_is_not_taken_and_the_oldest_go() -> None:
    lines = story([20] * 8, 5)
    done = prune(lines, 130, count, SUMMARISERS["too long"])
    assert done.summary == ""
    assert done.dropped == (1, 2, 3)


def test_where_not_even_the_newest_four_fit_the_oldest_of_them_go_too() -> None:
    lines = story([50, 50, 50, 50, 50], None)
    done = prune(lines, 60, count, SUMMARISERS["short"])
    assert list(done.items) == lines[-1:]
    assert done.dropped == (0, 1, 2, 3)
