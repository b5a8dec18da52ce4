"""Four texts become one, once; what the head has no room for leaves sentence by sentence."""

from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.memory.merging import Stacked, fit_texts, next_merge


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


@given(st.integers(1, 400), st.integers(200, 5000))
def test_texts_stay_few_and_none_is_merged_twice(chapters: int, share: int) -> None:
    texts: list[Stacked] = []
    merged: set[int] = set()
    for number in range(chapters):
        texts.append(Stacked(number, 0, 100))
        while (four := next_merge(texts, share)) is not None:
            assert not merged & set(four)
            merged |= set(four)
            (level,) = {text.level for text in texts if text.id in four}
            place = min(index for index, text in enumerate(texts) if text.id in four)
            texts = [text for text in texts if text.id not in four]
            texts.insert(place, Stacked(10_000 + len(merged), level + 1, 100))
    levels = {text.level for text in texts}
    assert all(sum(text.level == level for text in texts) < 8 for level in levels)
    assert sum(text.tokens for text in texts) <= share or all(
        sum(text.level == level for text in texts) < 4 for level in levels
    )


@given(st.lists(st.lists(st.integers(1, 50), max_size=8), max_size=12), st.integers(0, 600))
def test_what_is_kept_fits_and_keeps_its_order(texts: list[list[int]], budget: int) -> None:
    kept = fit_texts(texts, budget)
    assert sum(texts[n][i] for n, indexes in enumerate(kept) for i in indexes) <= budget
    for sizes, indexes in zip(texts, kept, strict=True):
        assert indexes == list(range(len(indexes)))  # whole sentences, from the first on
        assert len(indexes) <= len(sizes)
    if sum(map(sum, texts)) <= budget:
        assert kept == [list(range(len(sizes))) for sizes in texts]
    # No text is gone while another has more than one sentence.
    if any(sizes and not indexes for sizes, indexes in zip(texts, kept, strict=True)):
        assert all(len(indexes) <= 1 for indexes in kept)


def test_the_longest_text_gives_first() -> None:
    assert fit_texts([[10, 10], [10, 10, 10]], 40) == [[0, 1], [0, 1]]
    assert fit_texts([[10, 10], [10, 10]], 20) == [[0], [0]]
    assert fit_texts([[10], [10]], 10) == [[], [0]]
