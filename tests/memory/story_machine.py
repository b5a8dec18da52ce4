"""A whole conversation as a state machine over the policy: messages come, a writer works or fails, chapters move in.

The machine writes down where every message is when it moves, and `check` compares that with what the policy's numbers
say, after every step. The functions under test can be replaced by wrong ones, for the control.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from kotonia_desktop.domain.ports import PromptItem, PromptRole
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.memory.merging import Stacked, fit_texts, next_merge
from kotonia_desktop.memory.plan import Line, Pending, PlannedRange, Situation, boundary_to_apply, next_range
from kotonia_desktop.memory.policy import FoldPolicy
from kotonia_desktop.prompt.build import PromptPart, cut_to_fit

OPENER = 8


@dataclass(slots=True)
class Text:
    """A chapter or part of the machine. `sentences` are their sizes."""

    id: int
    level: int
    first: int
    last: int
    sentences: list[int]
    applied: bool = False
    made_of: tuple[int, ...] = ()


@dataclass(slots=True)
class Message:
    tokens: int
    is_user: bool
    ends_chapter: bool = False
    off_record: bool = False


@dataclass(slots=True)
class Story:
    """The machine. `limit` is the range of its model, `window` what no prompt may pass."""

    budgets: FoldPolicy
    window: int
    fixed: int
    limit: int
    plan: Callable[..., PlannedRange | None] = next_range
    apply: Callable[..., int | None] = boundary_to_apply
    shorten: Callable[..., int] = cut_to_fit
    choose: Callable[..., tuple[int, ...] | None] = next_merge
    fit: Callable[..., list[list[int]]] = fit_texts
    messages: list[Message] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    merged: set[int] = field(default_factory=set)
    queue: set[int] = field(default_factory=set)
    """Messages that left the prompt without a chapter and were not yet stood for by one."""
    cuts: int = 0
    until: int = -1
    head: int = 0
    sent: int = 0
    refused: int = 0

    # -- what it looks like

    def covered(self) -> int:
        return max((text.last for text in self.texts if text.level == 0), default=-1)

    def tokens(self, ordinal: int) -> int:
        message = self.messages[ordinal]
        return 0 if message.off_record else message.tokens

    def verbatim(self) -> int:
        return sum(self.tokens(n) for n in range(self.until + 1, len(self.messages)))

    def situation(self) -> Situation:
        first = self.covered() + 1
        lines = tuple(
            Line(
                n,
                self.tokens(n) if n > self.until else 0,
                self.tokens(n),
                self.messages[n].is_user,
                0.8 if n % 11 == 0 else 0.0,
                self.messages[n].ends_chapter,
            )
            for n in range(first, len(self.messages))
        )
        pending = tuple(
            Pending(
                t.first,
                t.last,
                sum(self.tokens(n) for n in range(max(t.first, self.until + 1), t.last + 1)),
                sum(t.sentences),
            )
            for t in self.texts
            if t.level == 0 and not t.applied
        )
        return Situation(self.fixed + OPENER, self.head, None if self.until < 0 else self.until, pending, lines)

    # -- what happens

    def say(self, message: Message) -> None:
        """A message comes and is sent, or refused where it cannot be sent even alone."""
        if self.fixed + OPENER + message.tokens > self.window - 16:
            self.refused += 1
            return
        self.messages.append(message)
        if self.total() > min(self.budgets.ceiling, self.window - 16):
            self.bring_in(finished=False)
            self.cut()
        self.sent = self.total()

    def total(self) -> int:
        return self.fixed + OPENER + self.head + self.verbatim()

    def cut(self) -> None:
        ordinals = [n for n in range(self.until + 1, len(self.messages)) if not self.messages[n].off_record]
        parts = [
            PromptPart(
                SectionKind.MESSAGES,
                PromptItem(PromptRole.USER if self.messages[n].is_user else PromptRole.ASSISTANT, "x"),
                ("message", n, n),
                n,
            )
            for n in ordinals
        ]
        overhead = self.fixed + OPENER + self.head
        ceiling = min(self.budgets.ceiling, self.window - 16)
        sizes = [self.tokens(n) for n in ordinals]
        gone = self.shorten(parts, sizes, overhead, ceiling, self.budgets.after_cut, self.budgets.floor)
        if gone:
            self.cuts += 1
            self.queue |= set(range(self.until + 1, ordinals[gone - 1] + 1))
            self.until = ordinals[gone - 1]
            self.check_cut(sizes, overhead, ceiling)
        # A newest message that leaves no room for all of the head: the head yields.
        self.head = min(self.head, max(0, self.window - 16 - self.fixed - OPENER - self.verbatim()))

    def bring_in(self, *, finished: bool, forced: bool = False) -> bool:
        before = self.verbatim()
        until = self.apply(self.situation(), self.budgets, finished=finished, forced=forced)
        if until is None:
            return False
        assert until >= self.until, "the boundary went back"
        self.until = until
        for text in self.texts:
            text.applied = text.applied or text.last <= until
            if text.applied:
                self.queue -= set(range(text.first, text.last + 1))
        shown = self.up_to(until)
        stood_for = [n for t in shown for n in range(t.first, t.last + 1)]
        # A chapter that was written ahead may reach over the edge of what is out of sight: its messages wait.
        gone = [n for n in range(until + 1) if n not in self.queue]
        assert stood_for == gone, "the head stands for other messages than those that left"
        kept = self.fit([t.sentences for t in shown], self.budgets.texts)
        self.head = sum(t.sentences[i] for t, indexes in zip(shown, kept, strict=True) for i in indexes)
        assert self.head <= self.budgets.texts
        after = self.verbatim()
        assert after >= min(self.budgets.floor, before), "less than the floor is left"
        return True

    def up_to(self, until: int) -> list[Text]:
        """The texts for the messages up to `until`: parts that reach further are taken apart again."""
        roots = [t for t in self.texts if t.id not in self.merged]
        found: list[Text] = []
        while roots:
            text = roots.pop()
            if text.last <= until:
                found.append(text)
            else:
                roots += [self.texts[number] for number in text.made_of]
        return sorted(found, key=lambda t: t.first)

    def rest(self, writes: Callable[[], list[int] | None], steps: int, *, forced: bool = False) -> bool:
        """The writer works for `steps`; `writes` gives a text's sentences, None where it fails. True: all is done."""
        for _ in range(steps):
            planned = self.planned(forced=forced)
            if planned is None:
                stacked = [Stacked(t.id, t.level, sum(t.sentences)) for t in self.texts if t.id not in self.merged]
                merge = self.choose(stacked, self.budgets.texts)
                if merge is None:
                    if not self.bring_in(finished=True, forced=forced):
                        return True
                    continue
                self.merge(merge, writes())
                continue
            sentences = writes()
            if sentences is None:
                return False
            self.write(planned, sentences)
        return False

    def planned(self, *, forced: bool = False) -> PlannedRange | None:
        """What is to be written next."""
        planned = self.plan(self.situation(), self.budgets, self.limit, forced=forced)
        if planned is not None:
            self.check_range(planned)
        return planned

    def write(self, planned: PlannedRange, sentences: list[int]) -> None:
        """A chapter is finished."""
        self.texts.append(Text(len(self.texts), 0, planned.first, planned.last, sentences))

    def merge(self, ids: tuple[int, ...], sentences: list[int] | None) -> None:
        four = [self.texts[number] for number in ids]
        assert len(four) == 4
        level = [t for t in self.texts if t.level == four[0].level and t.id not in self.merged]
        assert ids == tuple(t.id for t in sorted(level, key=lambda t: t.first)[:4]), "not the oldest four"
        assert len({text.level for text in four}) == 1
        assert not self.merged & set(ids), "a text was merged twice"
        self.merged |= set(ids)
        size = sum(sum(text.sentences) for text in four)
        written = sentences if sentences is not None and sum(sentences) < size else [max(1, size // 4)]
        self.texts.append(
            Text(
                len(self.texts),
                four[0].level + 1,
                four[0].first,
                four[-1].last,
                written,
                applied=all(text.applied for text in four),
                made_of=ids,
            )
        )

    # -- what must hold

    def check_cut(self, sizes: list[int], overhead: int, ceiling: int) -> None:
        """After a forced cut; `sizes` are those of the messages that were there before it."""
        left = [sum(sizes[place:]) for place in range(len(sizes))]
        assert overhead + left[0] > ceiling, "a cut without need"
        assert self.verbatim() == left[-1] or overhead + self.verbatim() <= ceiling, "a cut left too much"
        within = [size for size in left if overhead + size <= ceiling]
        if any(size >= self.budgets.floor for size in within):
            assert self.verbatim() >= self.budgets.floor, "a cut left less than the floor without need"
        elif within:
            assert self.verbatim() == max(within), "a cut left less than it had to"

    def check_range(self, planned: PlannedRange) -> None:
        first, last = planned.first, planned.last
        assert first == self.covered() + 1, "not the oldest range"
        assert first <= last < len(self.messages), "an empty range, or one of messages that are not there"
        inside = range(first, last + 1)
        assert not any(self.messages[n].ends_chapter for n in inside[:-1]), "a range spans a mark"
        assert len(inside) == 1 or sum(self.tokens(n) for n in inside) <= self.limit, "a range is over its limit"

    def check(self) -> None:
        if self.messages:
            assert self.sent <= self.window - 16, "a prompt was over the window"
        chapters = sorted((t for t in self.texts if t.level == 0), key=lambda t: t.first)
        edge = -1
        for chapter in chapters:
            assert chapter.first == edge + 1, "chapters overlap or leave a gap"
            edge = chapter.last
        stood_for = {n for t in chapters if t.applied for n in range(t.first, t.last + 1)}
        for n in range(len(self.messages)):
            states = [n > self.until, n in stood_for, n in self.queue]
            assert sum(states) == 1, "a message is in no state, or in two"
        roots = sorted((t for t in self.texts if t.id not in self.merged), key=lambda t: t.first)
        reached = [n for t in roots for n in range(t.first, t.last + 1)]
        assert reached == list(range(edge + 1)), "a message's chapter is in no text that is still there"
        assert all(t.last <= self.until for t in self.texts if t.applied), "a chapter stands beside its messages"

    def queued(self) -> int:
        return max(0, self.until - self.covered())
