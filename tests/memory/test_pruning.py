"""The pruning loop ends within its budget, whatever the summariser does, and keeps what it can."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotonia_desktop.domain.errors import CardTooLong, EngineFailed, KotoniaError, MessageTooLong
from kotonia_desktop.domain.ports import PromptItem, PromptRole
from kotonia_desktop.memory.pruning import NEWEST, Count, Pruned, Summarise, prune

MARKS = 2


def count(items: Sequence[PromptItem]) -> int:
    """A word is a token, a line's marks are two."""
    return sum(len(item.text.split()) + MARKS for item in items)


def line(words: int, name: str) -> PromptItem:
    return PromptItem(PromptRole.USER, " ".join([name] * words))


def story(sizes: Sequence[int], system: int | None) -> list[PromptItem]:
    head = [] if system is None else [PromptItem(PromptRole.SYSTEM, " ".join(["rule"] * system))]
    return head + [line(size, f"w{number}") for number, size in enumerate(sizes)]


def fails(_items: Sequence[PromptItem], _most: int) -> str:
    raise EngineFailed(detail="no")


SUMMARISERS: dict[str, Summarise] = {
    "short": lambda items, most: " ".join(["s"] * min(most, len(items))),
    "full": lambda items, most: " ".join(["s"] * most),
    "one over": lambda items, most: " ".join(["s"] * (most + 1)),
    "too long": lambda items, most: " ".join(["s"] * (count(items) * 3)),
    "nothing": lambda items, most: "  ",
    "fails": fails,
}
Prune = Callable[[Sequence[PromptItem], int, Count, Summarise], Pruned]


def faults(prune: Prune, lines: list[PromptItem], budget: int, summarise: Summarise) -> set[str]:
    """All that is wrong with what `prune` does with these lines, by name; nothing where all is right."""
    calls: list[int] = []
    answers: list[str] = []

    def asked(items: Sequence[PromptItem], most: int) -> str:
        calls.append(most)
        answers.append("")
        answers[-1] = summarise(items, most)
        return answers[-1]

    system = [item for item in lines[:1] if item.role is PromptRole.SYSTEM]
    rest = lines[len(system) :]
    error: type[KotoniaError] | None = None
    if system and count(system) > budget:
        error = CardTooLong
    elif rest and count([*system, rest[-1]]) > budget:
        error = MessageTooLong
    try:
        done = prune(lines, budget, count, asked)
    except KotoniaError as caught:
        return set() if type(caught) is error and not calls else {"a wrong error"}
    if error is not None:
        return {"no error"}

    found = set[str]()
    over = count(lines) > budget
    helps = over and len(rest) > NEWEST and budget >= 4 and count([*system, *rest[-NEWEST:]]) <= budget
    if len(calls) > 1:
        found.add("asked twice")
    elif bool(calls) != helps:
        found.add("asked in vain" if calls else "not asked")
    if any(most != budget // 4 for most in calls):
        found.add("another cap")
    if done.tokens != count(done.items) or done.tokens > budget:
        found.add("over the budget")
    if len(done.summary.split()) > budget // 4:
        found.add("summary over the cap")
    if list(done.items[: len(system)]) != system:
        found.add("no system line")
    lost = (*done.summarised, *done.dropped)
    left = [item for place, item in enumerate(lines) if place >= len(system) and place not in lost]
    stand_in = [PromptItem(PromptRole.USER, done.summary)] if done.summary else []
    if list(done.items) != [*system, *stand_in, *left] or len(set(lost)) != len(lost):
        found.add("not what it says")
    if sorted(lost) != list(range(len(system), len(system) + len(lost))) or not (left or not rest):
        found.add("not the oldest")
    if done.summarised and (done.dropped or not done.summary or left != rest[-NEWEST:]):
        found.add("a wrong summary")
    # Nothing went that need not have: with the last line that was dropped it would be over the budget.
    if done.dropped and count([*system, lines[max(done.dropped)], *left]) <= budget:
        found.add("dropped too much")
    if not over and lost:
        found.add("dropped too much")
    if helps and 0 < len(answers[-1].split() if answers else ()) <= budget // 4:
        taken = [*system, PromptItem(PromptRole.USER, answers[-1]), *rest[-NEWEST:]]
        if count(taken) <= budget and list(done.items) != taken:
            found.add("a good summary refused")
    return found


@given(
    st.lists(st.integers(0, 60), max_size=40),
    st.one_of(st.none(), st.integers(0, 30)),
    st.integers(0, 400),
    st.sampled_from(sorted(SUMMARISERS)),
)
def test_it_ends_within_the_budget_or_says_why_not(
    sizes: list[int], system: int | None, budget: int, name: str
) -> None:
    assert faults(prune, story(sizes, system), budget, SUMMARISERS[name]) == set()


def head(lines: Sequence[PromptItem]) -> int:
    return int(lines[0].role is PromptRole.SYSTEM)


def only_the_newest(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    done = prune(lines, budget, count, summarise)
    if not done.dropped:
        return done
    items = (*lines[: head(lines)], lines[-1])
    return Pruned(items, count(items), dropped=tuple(range(head(lines), len(lines) - 1)))


def one_line_too_few(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    done = prune(lines, budget, count, summarise)
    at = head(lines)
    if not done.dropped or len(done.items) < at + 2:
        return done
    items = (*done.items[:at], *done.items[at + 1 :])
    return replace(done, items=items, tokens=count(items), dropped=(*done.dropped, done.dropped[-1] + 1))


def one_line_too_many(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    done = prune(lines, budget, count, summarise)
    if not done.dropped:
        return done
    *dropped, last = done.dropped
    items = (*done.items[: head(lines)], lines[last], *done.items[head(lines) :])
    return replace(done, items=items, tokens=count(items), dropped=tuple(dropped))


def no_system_line(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    done = prune(lines, budget, count, summarise)
    items = done.items[head(lines) :] if done.dropped else done.items
    return replace(done, items=items, tokens=count(items))


def hides_what_it_dropped(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    return replace(prune(lines, budget, count, summarise), dropped=())


def asks_twice(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    def twice(items: Sequence[PromptItem], most: int) -> str:
        return summarise(items, most) and summarise(items, most)

    return prune(lines, budget, count, twice)


def asks_always(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    calls: list[int] = []

    def noted(items: Sequence[PromptItem], most: int) -> str:
        calls.append(most)
        return summarise(items, most)

    done = prune(lines, budget, count, noted)
    if done.dropped and not calls and budget >= 4:
        summarise(lines, budget // 4)
    return done


def never_asks(lines: Sequence[PromptItem], budget: int, count: Count, _summarise: Summarise) -> Pruned:
    return prune(lines, budget, count, SUMMARISERS["nothing"])


def knows_no_cap(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    at = head(lines)
    if len(lines) - at > NEWEST and count(lines) > budget >= count([*lines[:at], *lines[-NEWEST:]]):
        text = summarise(lines[at:-NEWEST], budget // 4).strip()
        items = (*lines[:at], PromptItem(PromptRole.USER, text), *lines[-NEWEST:])
        if text and count(items) <= budget:
            return Pruned(items, count(items), summarised=tuple(range(at, len(lines) - NEWEST)), summary=text)
    return prune(lines, budget, count, lambda _items, _most: "")


def counts_the_marks(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    def strict(items: Sequence[PromptItem], most: int) -> str:
        text = summarise(items, most)
        return text if count([PromptItem(PromptRole.USER, text)]) <= most else ""

    return prune(lines, budget, count, strict)


def says_nothing_of_a_card(lines: Sequence[PromptItem], budget: int, count: Count, summarise: Summarise) -> Pruned:
    try:
        return prune(lines, budget, count, summarise)
    except CardTooLong:
        return Pruned(tuple(lines), count(lines))


def samples() -> Iterator[tuple[list[PromptItem], int, Summarise]]:
    """Random prompts, mostly longer than their budgets; the same in every run."""
    chance = random.Random(7)
    for _ in range(600):
        sizes = [chance.randint(0, 40) for _ in range(chance.randint(1, 20))]
        system = chance.choice([None, chance.randint(0, 30)])
        yield story(sizes, system), chance.randint(0, 250), SUMMARISERS[chance.choice(sorted(SUMMARISERS))]


WRONG: list[tuple[Prune, str]] = [
    (only_the_newest, "dropped too much"),
    (one_line_too_few, "dropped too much"),
    (one_line_too_many, "over the budget"),
    (no_system_line, "no system line"),
    (hides_what_it_dropped, "not what it says"),
    (asks_twice, "asked twice"),
    (asks_always, "asked in vain"),
    (never_asks, "not asked"),
    (knows_no_cap, "summary over the cap"),
    (counts_the_marks, "a good summary refused"),
    (says_nothing_of_a_card, "no error"),
]


@pytest.mark.parametrize(("wrong", "fault"), WRONG, ids=lambda value: getattr(value, "__name__", None))
def test_the_check_notices_a_wrong_loop(wrong: Prune, fault: str) -> None:
    assert not any(faults(prune, *sample) for sample in samples())
    assert any(fault in faults(wrong, *sample) for sample in samples())


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


@pytest.mark.parametrize(("words", "taken"), [(40, True), (41, False), (55, False)])
def test_a_summary_takes_a_quarter_of_the_budget_without_its_marks(words: int, taken: bool) -> None:
    lines = story([20] * 8, 5)
    done = prune(lines, 160, count, lambda _items, _most: " ".join(["s"] * words))
    assert bool(done.summary) is taken
    assert done.summarised == ((1, 2, 3, 4) if taken else ())
    assert done.dropped == (() if taken else (1, 2))


def test_a_summary_that_is_shorter_but_not_short_enough_leaves_the_lines_that_fit() -> None:
    lines = story([30, 30, 6, 20, 20, 20, 20], 2)
    done = prune(lines, 100, count, SUMMARISERS["full"])  # 4 + 88 + 27 would be over 100; 4 + 8 + 88 is not
    assert done.summary == ""
    assert done.dropped == (1, 2)


def test_where_not_even_the_newest_four_fit_the_oldest_of_them_go_too_and_nobody_is_asked() -> None:
    calls: list[int] = []

    def summarise(items: Sequence[PromptItem], most: int) -> str:
        calls.append(len(items))
        return "s"

    lines = story([50, 50, 50, 50, 50], None)
    done = prune(lines, 60, count, summarise)
    assert list(done.items) == lines[-1:]
    assert done.dropped == (0, 1, 2, 3)
    assert calls == []
    prune(lines, 4 * 52 + 3, count, summarise)  # the control: here the four fit, with three tokens to spare
    assert calls == [1]


@pytest.mark.parametrize("sizes", [[], [3], [3, 3, 3, 3, 3, 3]])
def test_a_system_line_that_is_over_the_budget_by_itself_is_the_cards_error(sizes: list[int]) -> None:
    with pytest.raises(CardTooLong) as caught:
        prune(story(sizes, 20), 21, count, fails)
    assert caught.value.values == {"tokens": 22, "window": 21}
    if sizes:
        with pytest.raises(MessageTooLong):
            prune(story(sizes, 20), 22, count, fails)
    else:
        assert prune(story(sizes, 20), 22, count, fails).tokens == 22


def test_the_newest_line_alone_over_the_budget_says_by_how_much() -> None:
    with pytest.raises(MessageTooLong) as caught:
        prune(story([2, 30], 5), 30, count, fails)
    assert caught.value.values == {"tokens": 39, "window": 30, "over": 9}
