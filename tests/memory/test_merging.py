"""Four texts become one, once; what the head has no room for leaves sentence by sentence."""

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.memory.merging import CROWD, MERGED, Stacked, fit_texts, next_merge

Choose = Callable[[Sequence[Stacked], int], tuple[int, ...] | None]
Fit = Callable[[Sequence[Sequence[int]], int], list[list[int]]]


def stack(*levels: int, tokens: int = 100) -> list[Stacked]:
    return [Stacked(number, level, tokens) for number, level in enumerate(levels)]


def test_eight_texts_of_a_level_are_merged_although_there_is_room() -> None:
    assert next_merge(stack(*[0] * 7), 10_000) is None
    assert next_merge(stack(*[0] * 8), 10_000) == (0, 1, 2, 3)


def test_four_are_enough_where_the_texts_take_more_than_their_share() -> None:
    assert next_merge(stack(*[0] * 4), 399) == (0, 1, 2, 3)
    assert next_merge(stack(*[0] * 4), 400) is None
    assert next_merge(stack(1, 1, 1, 1, 0, 0), 599) == (0, 1, 2, 3)
    assert next_merge(stack(1, 1, 1, 0, 0, 0), 1) is None


def test_the_lowest_level_is_merged_first() -> None:
    assert next_merge(stack(1, 1, 1, 1, 0, 0, 0, 0), 1) == (4, 5, 6, 7)


def merge_faults(choose: Choose, texts: list[Stacked], share: int) -> set[str]:
    """All that is wrong with what `choose` would merge of these texts, by name; nothing where all is right."""
    chosen = choose(texts, share)
    tight = sum(text.tokens for text in texts) > share
    levels: dict[int, list[int]] = {}
    for text in texts:
        levels.setdefault(text.level, []).append(text.id)
    ready = [level for level, ids in levels.items() if len(ids) >= (MERGED if tight else CROWD)]
    if chosen is None:
        return {"not merged"} if ready else set()
    found = set[str]()
    if len(chosen) != 4:
        found.add("not four")
    of = {text.level for text in texts if text.id in chosen}
    if len(of) != 1:
        return found | {"mixed levels"}
    (level,) = of
    if not ready:
        found.add("merged without need")
    elif level != min(ready):
        found.add("not the lowest level")
    # One after the other and nothing older: what is merged is one stretch of the story, at the beginning of its level.
    if list(chosen) != levels[level][: len(chosen)]:
        found.add("not the oldest")
    return found


def story_faults(choose: Choose, sizes: Sequence[int], share: int) -> set[str]:
    """The faults of `choose` while a story gets a chapter of each of these sizes, everything merged as it says."""
    texts: list[Stacked] = []
    found = set[str]()
    merged: set[int] = set()
    number = 0
    for size in sizes:
        texts.append(Stacked(number, 0, size))
        number += 1
        while found <= {"not merged"}:  # with another fault there is no saying what a merge of these would be
            found |= merge_faults(choose, texts, share)
            chosen = choose(texts, share)
            if chosen is None:
                break
            if merged & set(chosen):
                found.add("merged twice")
            merged |= set(chosen)
            gone = [text for text in texts if text.id in chosen]
            place = texts.index(gone[0])
            texts = [text for text in texts if text.id not in chosen]
            tokens = sum(text.tokens for text in gone) // len(gone)
            texts.insert(place, Stacked(number, gone[0].level + 1, tokens))
            number += 1
        if [text.level for text in texts] != sorted((text.level for text in texts), reverse=True):
            found.add("out of order")
    counts = [sum(text.level == level for text in texts) for level in {text.level for text in texts}]
    if any(n >= 8 for n in counts):
        found.add("too many")
    if sum(text.tokens for text in texts) > share and any(n >= 4 for n in counts):
        found.add("too much")
    return found


SIZES = st.lists(st.integers(20, 200), min_size=1, max_size=150)


@given(SIZES, st.integers(200, 5000))
def test_texts_stay_few_and_none_is_merged_twice(sizes: list[int], share: int) -> None:
    assert story_faults(next_merge, sizes, share) == set()


@given(st.lists(st.builds(lambda level, tokens: (level, tokens), st.integers(0, 3), st.integers(1, 100)), max_size=40))
def test_whatever_lies_there_the_oldest_four_of_the_lowest_level_are_merged(given_texts: list[tuple[int, int]]) -> None:
    texts = [Stacked(number, level, tokens) for number, (level, tokens) in enumerate(given_texts)]
    for share in (0, 500, 5000):
        assert merge_faults(next_merge, texts, share) == set()


def by_level(texts: Sequence[Stacked], share: int) -> list[Stacked]:
    """The texts of the level that is to be merged."""
    four = next_merge(texts, share) or ()
    return [text for text in texts if text.level in {other.level for other in texts if other.id in four}]


def only_three(texts: Sequence[Stacked], share: int) -> tuple[int, ...] | None:
    four = next_merge(texts, share)
    return four and four[:3]


def the_newest_four(texts: Sequence[Stacked], share: int) -> tuple[int, ...] | None:
    return tuple(text.id for text in by_level(texts, share)[-4:]) or None


def every_other(texts: Sequence[Stacked], share: int) -> tuple[int, ...] | None:
    four = tuple(text.id for text in by_level(texts, share)[::2][:4])
    return four if len(four) == 4 else next_merge(texts, share)


def never(_texts: Sequence[Stacked], _share: int) -> tuple[int, ...] | None:
    return None


def mixed(texts: Sequence[Stacked], share: int) -> tuple[int, ...] | None:
    return next_merge(texts, share) and tuple(text.id for text in texts[:4])


def eager(texts: Sequence[Stacked], _share: int) -> tuple[int, ...] | None:
    return next_merge(texts, 0)


def the_highest_first(texts: Sequence[Stacked], share: int) -> tuple[int, ...] | None:
    turned = [Stacked(text.id, -text.level, text.tokens) for text in texts]
    return next_merge(turned, share)


WRONG_MERGES: list[tuple[Choose, str]] = [
    (only_three, "not four"),
    (the_newest_four, "not the oldest"),
    (every_other, "not the oldest"),
    (never, "not merged"),
    (mixed, "mixed levels"),
    (eager, "merged without need"),
    (the_highest_first, "not the lowest level"),
]


@pytest.mark.parametrize(("wrong", "fault"), WRONG_MERGES, ids=lambda value: getattr(value, "__name__", None))
def test_the_check_notices_a_wrong_merge(wrong: Choose, fault: str) -> None:
    chance = random.Random(3)
    seen = set[str]()
    for _ in range(60):
        sizes = [chance.randint(20, 200) for _ in range(chance.randint(1, 120))]
        share = chance.randint(200, 5000)
        assert story_faults(next_merge, sizes, share) == set()
        seen |= story_faults(wrong, sizes, share)
        levels = [chance.choice([0, 0, 0, 1, 1, 2]) for _ in range(chance.randint(0, 30))]
        seen |= merge_faults(wrong, stack(*levels), share)
    assert fault in seen


@pytest.mark.parametrize("wrong", [never, only_three, the_newest_four, mixed])
def test_the_check_notices_a_wrong_merge_by_the_story_alone(wrong: Choose) -> None:
    assert story_faults(wrong, [100] * 60, 600)
    assert not story_faults(next_merge, [100] * 60, 600)


def fit_faults(fit: Fit, texts: list[list[int]], budget: int) -> set[str]:
    """All that is wrong with what `fit` keeps of these texts, by name; nothing where all is right."""
    kept = fit(texts, budget)
    if len(kept) != len(texts) or any(indexes != list(range(len(indexes))) for indexes in kept):
        return {"not the first sentences"}
    left = [len(indexes) for indexes in kept]
    if any(n > len(sizes) for n, sizes in zip(left, texts, strict=True)):
        return {"not the first sentences"}
    found = set[str]()
    taken = [sum(sizes[:n]) for n, sizes in zip(left, texts, strict=True)]
    if sum(taken) > budget:
        found.add("over the budget")
    shorter = [n for n, sizes in enumerate(texts) if left[n] < len(sizes)]
    if not shorter:
        return found
    # Which sentence went last: where texts are gone, the newest of these; else that of the text which was the shortest
    # when it gave, for the longest gives first. With that sentence back it must be too much.
    before = {n: taken[n] + texts[n][left[n]] for n in shorter}
    gone = [n for n in shorter if not left[n]]
    last = gone[-1] if gone else min(shorter, key=lambda n: (before[n], -n))
    if sum(taken) + texts[last][left[last]] <= budget:
        found.add("not all that fits")
    several = [n for n, indexes in enumerate(kept) if len(indexes) > 1]
    if gone:
        if several:
            found.add("a text gone while another has several")
        if any(left[n] for n in range(gone[-1])):
            found.add("not the oldest text")
    elif any((before[n], -n) < (taken[m], -m) for n in shorter for m in several if n != m):
        found.add("not the longest")
    return found


@given(st.lists(st.lists(st.integers(1, 50), max_size=8), max_size=12), st.integers(0, 600))
def test_what_is_kept_fits_is_as_much_as_fits_and_keeps_its_order(texts: list[list[int]], budget: int) -> None:
    assert fit_faults(fit_texts, texts, budget) == set()


def empties_all(texts: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    return fit_texts(texts, budget) if sum(map(sum, texts)) <= budget else [[] for _ in texts]


def five_over(texts: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    return fit_texts(texts, budget + 5)


def the_newest_sentences(texts: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    kept = fit_texts([sizes[::-1] for sizes in texts], budget)
    return [[len(sizes) - 1 - i for i in reversed(indexes)] for sizes, indexes in zip(texts, kept, strict=True)]


def one_too_many(texts: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    kept = fit_texts(texts, budget)
    taken = sum(texts[n][i] for n, indexes in enumerate(kept) for i in indexes)
    return kept if sum(map(sum, texts)) <= budget else fit_texts(texts, taken - 1)


def one_too_many_though_all_fits(texts: Sequence[Sequence[int]], _budget: int) -> list[list[int]]:
    return fit_texts(texts, sum(map(sum, texts)) - 1)


def from_the_newest_text(texts: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    return fit_texts(texts[::-1], budget)[::-1]


def whole_texts_first(texts: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    kept = [list(range(len(sizes))) for sizes in texts]
    for number in range(len(texts)):
        if sum(texts[n][i] for n, indexes in enumerate(kept) for i in indexes) > budget:
            kept[number] = []
    return kept


def the_oldest_text_first(texts: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    kept = [list(range(len(sizes))) for sizes in texts]
    for indexes in kept:
        while len(indexes) > 1 and sum(texts[n][i] for n, some in enumerate(kept) for i in some) > budget:
            indexes.pop()
    return kept


WRONG_FITS: list[tuple[Fit, str]] = [
    (empties_all, "not all that fits"),
    (five_over, "over the budget"),
    (the_newest_sentences, "not the first sentences"),
    (one_too_many, "not all that fits"),
    (one_too_many_though_all_fits, "not all that fits"),
    (from_the_newest_text, "not the oldest text"),
    (whole_texts_first, "a text gone while another has several"),
    (the_oldest_text_first, "not the longest"),
]


@pytest.mark.parametrize(("wrong", "fault"), WRONG_FITS, ids=lambda value: getattr(value, "__name__", None))
def test_the_check_notices_a_wrong_fit(wrong: Fit, fault: str) -> None:
    chance = random.Random(5)
    seen = set[str]()
    for _ in range(300):
        texts = [[chance.randint(1, 50) for _ in range(chance.randint(0, 8))] for _ in range(chance.randint(0, 12))]
        budget = chance.randint(0, 600)
        assert fit_faults(fit_texts, texts, budget) == set()
        seen |= fit_faults(wrong, texts, budget)
    assert fault in seen


def test_the_longest_text_gives_first() -> None:
    assert fit_texts([[10, 10], [10, 10, 10]], 40) == [[0, 1], [0, 1]]
    assert fit_texts([[10, 10], [10, 10]], 20) == [[0], [0]]
    assert fit_texts([[10], [10]], 10) == [[], [0]]
