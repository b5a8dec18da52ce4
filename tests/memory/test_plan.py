"""The fold policy over whole conversations: nothing over the window, nothing under the floor, nothing lost, an end."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from story_machine import Message, Story

from kotonia_desktop.domain.memory import FoldReason
from kotonia_desktop.memory.merging import Stacked, fit_texts, next_merge
from kotonia_desktop.memory.plan import Line, Pending, PlannedRange, Situation, boundary_to_apply, next_range
from kotonia_desktop.memory.policy import FoldPolicy, model_items, model_range, policy
from kotonia_desktop.prompt.build import PromptPart, cut_to_fit


def run(chance: random.Random, **replaced: Callable[..., object]) -> Story:
    """One conversation, as chance will have it; checked after every step."""
    window = chance.choice([512, 1024, 4096, 8192, 40_960, 131_072, int(2 ** chance.uniform(9, 17))])
    fixed = chance.randrange(0, window // 2)
    budgets = policy(window, window * 8 // 5, fixed=fixed)
    limit = max(1, min(chance.choice([50, 400, 800, 7000]), budgets.chapter_range))
    story = Story(budgets, window, fixed, limit, **replaced)
    typical = max(2, budgets.trigger // chance.choice([8, 30, 80]))
    users = chance.choice([0.0, 0.5, 1.0])
    writer = _Writer(story, chance)
    for _ in range(chance.randrange(1, 120)):
        size = typical if chance.random() < 0.95 else chance.randrange(0, window * 2)
        story.say(
            Message(
                chance.randrange(0, size + 1),
                chance.random() < users,
                ends_chapter=chance.random() < 0.03,
                off_record=chance.random() < 0.05,
            )
        )
        story.check()
        if len(story.messages) > story.covered() + 1 and chance.random() < 0.05:
            later = chance.randrange(story.covered() + 1, len(story.messages))
            story.messages[later].ends_chapter = True
        writer.work()
        story.check()
    return story


class _Writer:
    """Writes between turns: at once, now and then, or some turns late; at times it fails or writes too much."""

    def __init__(self, story: Story, chance: random.Random) -> None:
        self._story = story
        self._chance = chance
        self._diligence = chance.choice([0.0, 0.3, 1.0])
        self._lateness = chance.choice([0, 0, 12])
        self._longest = story.budgets.text * chance.choice([1, 2, 6])
        self._planned: PlannedRange | None = None
        self._turns = 0

    def work(self) -> None:
        if self._lateness:
            self._work_late()
        elif self._chance.random() < self._diligence:
            self._story.rest(self._write, self._chance.randrange(1, 6), forced=self._chance.random() < 0.05)

    def _work_late(self) -> None:
        """What was planned some turns ago is finished now, whatever has come since."""
        story = self._story
        if self._planned is not None:
            self._turns -= 1
            if self._turns > 0:
                return
            sentences = self._write()
            if sentences is not None:
                story.write(self._planned, sentences)
            self._planned = None
        self._planned = story.planned()
        self._turns = self._chance.randrange(1, self._lateness)
        story.bring_in(finished=self._planned is None)

    def _write(self) -> list[int] | None:
        if self._chance.random() < 0.2:
            return None
        return [self._chance.randrange(1, self._longest) for _ in range(self._chance.randrange(1, 4))]


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_any_conversation_keeps_to_the_policy(number: int) -> None:
    story = run(random.Random(number))
    chapters = len(story.texts)
    most = 4 * len(story.messages) + 20
    assert story.rest(lambda: [story.budgets.text // 2], most), "folding does not come to an end"
    story.check()
    assert story.queued() == 0, "what was out of sight stays without a chapter"
    assert not story.queue, "what was out of sight stays without a chapter in the head"
    assert len(story.texts) >= chapters
    # Over the trigger only where the floor (or the system part) leaves nothing to fold.
    if story.total() > story.budgets.trigger:
        assert story.planned() is None


def test_the_conversations_reach_what_they_are_to_test() -> None:
    stories = [run(random.Random(number)) for number in range(60)]
    assert sum(story.cuts for story in stories) > 20
    assert sum(story.refused for story in stories) > 20
    assert sum(text.level for story in stories for text in story.texts) > 20
    assert sum(bool(story.queue) for story in stories) > 5


def ignores_the_floor(situation: Situation, budgets: FoldPolicy, *, finished: bool, forced: bool = False) -> int | None:
    return boundary_to_apply(situation, replace(budgets, floor=0, headroom=budgets.trigger), finished=finished)


def starts_in_the_middle(situation: Situation, budgets: FoldPolicy, limit: int, *, forced: bool) -> PlannedRange | None:
    planned = next_range(situation, budgets, limit, forced=forced)
    return replace(planned, first=planned.first + 1) if planned and planned.first < planned.last else planned


def forgets_the_limit(situation: Situation, budgets: FoldPolicy, limit: int, *, forced: bool) -> PlannedRange | None:
    return next_range(situation, budgets, limit * 50, forced=forced)


def takes_all_to_the_end(situation: Situation, budgets: FoldPolicy, *, finished: bool, forced: bool = False) -> int:
    return situation.lines[-1].ordinal if situation.lines else 0


def takes_one_message_more(
    situation: Situation, budgets: FoldPolicy, *, finished: bool, forced: bool = False
) -> int | None:
    until = boundary_to_apply(situation, budgets, finished=finished, forced=forced)
    return until if until is None or situation.verbatim < budgets.floor * 2 else until + 1


def cuts_without_a_floor(parts: Sequence[PromptPart], tokens: Sequence[int], *numbers: int) -> int:
    return cut_to_fit(parts, tokens, *numbers[:3], 0)


def cuts_all_but_the_newest(parts: Sequence[PromptPart], tokens: Sequence[int], *numbers: int) -> int:
    return len(parts) - 1 if cut_to_fit(parts, tokens, *numbers) else 0


def never_cuts(_parts: Sequence[PromptPart], _tokens: Sequence[int], *_numbers: int) -> int:
    return 0


def merges_three(texts: Sequence[Stacked], share: int) -> tuple[int, ...] | None:
    ids = next_merge(texts, share)
    return ids[:3] if ids else None


def merges_the_newest(texts: Sequence[Stacked], share: int) -> tuple[int, ...] | None:
    ids = next_merge(texts, share)
    return ids and tuple(t.id for t in texts if t.level == next(o.level for o in texts if o.id == ids[0]))[-4:]


def fits_too_much(texts: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    return fit_texts(texts, budget * 2)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("apply", ignores_the_floor),
        ("plan", starts_in_the_middle),
        ("plan", forgets_the_limit),
        ("apply", takes_all_to_the_end),
        ("apply", takes_one_message_more),
        ("shorten", cuts_without_a_floor),
        ("shorten", cuts_all_but_the_newest),
        ("shorten", never_cuts),
        ("choose", merges_three),
        ("choose", merges_the_newest),
        ("fit", fits_too_much),
    ],
)
def test_the_checks_notice_a_wrong_policy(name: str, wrong: Callable[..., object]) -> None:
    def is_noticed(number: int) -> bool:
        try:
            run(random.Random(number), **{name: wrong})
        except AssertionError:
            return True
        return False

    assert any(is_noticed(number) for number in range(150))


BUDGETS = policy(65_536, 65_536, rate=1000, seconds=30)


def lines(count: int, tokens: int, **marks: dict[int, bool]) -> tuple[Line, ...]:
    return tuple(
        Line(n, tokens, tokens, n % 2 == 0, ends_chapter=marks.get("ends", {}).get(n, False)) for n in range(count)
    )


def test_nothing_is_due_below_the_trigger_unless_it_is_asked_for() -> None:
    situation = Situation(1000, 0, None, (), lines(200, 100))
    assert situation.total == 21_000
    assert next_range(situation, BUDGETS, 7000) is None
    forced = next_range(situation, BUDGETS, 7000, forced=True)
    assert forced == PlannedRange(0, 69, FoldReason.NOW)


def test_above_the_trigger_ranges_are_planned_until_the_headroom_is_there() -> None:
    situation = Situation(1000, 0, None, (), lines(295, 100))
    first = next_range(situation, BUDGETS, 7000)
    assert first is not None
    assert first.reason is FoldReason.TRIGGER
    assert first.first == 0
    assert first.last % 2 == 1  # a turn begins behind it
    pending = Pending(0, first.last, (first.last + 1) * 100, 700)
    rest = replace(situation, pending=(pending,), lines=situation.lines[first.last + 1 :])
    second = next_range(rest, BUDGETS, 7000)
    assert second is not None
    assert second.first == first.last + 1


def test_a_range_ends_at_a_scene_break_near_its_end() -> None:
    made = list(lines(120, 100))
    made[55] = replace(made[55], break_before=0.8)
    made[10] = replace(made[10], break_before=1.0)  # too early
    planned = next_range(Situation(1000, 0, 119, (), tuple(made)), BUDGETS, 7000)
    assert planned == PlannedRange(0, 54, FoldReason.QUEUE)


def test_a_mark_of_the_users_ends_a_range_and_is_written_ahead() -> None:
    situation = Situation(100, 0, None, (), lines(6, 100, ends={3: True}))
    assert next_range(situation, BUDGETS, 7000) == PlannedRange(0, 3, FoldReason.MARK)
    written = replace(situation, pending=(Pending(0, 3, 400, 60),), lines=situation.lines[4:])
    assert next_range(written, BUDGETS, 7000) is None
    assert boundary_to_apply(written, BUDGETS, finished=True) is None  # there is room: the messages stay


def test_what_is_out_of_sight_comes_first_and_comes_in_when_all_of_it_is_written() -> None:
    situation = Situation(100, 0, 9, (), lines(20, 100))
    planned = next_range(situation, BUDGETS, 500)
    assert planned is not None
    assert (planned.first, planned.reason) == (0, FoldReason.QUEUE)
    half = replace(situation, pending=(Pending(0, 4, 0, 60),), lines=situation.lines[5:])
    assert boundary_to_apply(half, BUDGETS, finished=False) is None
    whole = replace(situation, pending=(Pending(0, 9, 0, 60),), lines=situation.lines[10:])
    assert boundary_to_apply(whole, BUDGETS, finished=True) == 9


def test_at_the_ceiling_whatever_is_written_comes_in() -> None:
    pending = (Pending(0, 99, 10_000, 700), Pending(100, 149, 5_000, 700))
    situation = Situation(1000, 0, None, pending, lines(210, 100))
    assert situation.total > BUDGETS.ceiling
    assert boundary_to_apply(situation, BUDGETS, finished=False) == 149
    assert boundary_to_apply(replace(situation, lines=situation.lines[:150]), BUDGETS, finished=False) is None


def test_the_wait_shrinks_to_nothing_half_way_to_the_ceiling() -> None:
    assert BUDGETS.wait(30_000, 30) == 30
    assert BUDGETS.wait(31_250, 30) == 15
    assert BUDGETS.wait(32_500, 30) == 0
    assert BUDGETS.wait(40_000, 30) == 0
    assert BUDGETS.wait(1_000, 30) == 30


def test_small_models_get_short_ranges_and_few_sentences() -> None:
    ranges = [model_range(int(size * 1e9), BUDGETS) for size in (0.1, 1.5, 4, 8, 12, 30)]
    assert ranges == [800, 800, 1100, 2250, 3500, 7000]
    assert model_range(int(70e9), policy(8192, 13_107)) == policy(8192, 13_107).chapter_range
    assert [model_items(int(size * 1e9)) for size in (1.5, 8, 30)] == [(3, 6), (5, 9), (8, 12)]
