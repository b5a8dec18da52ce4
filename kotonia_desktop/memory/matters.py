"""Open matters: when one is open, dormant or closed, and what code alone takes for one.

A list of open matters that a model writes anew keeps what is settled for ever. So none is ever written anew: a matter
is a row with events, and its state is what its events come to.
"""

import re
from collections.abc import Collection, Sequence

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.threads import Thread, ThreadEvent, ThreadEventKind, ThreadState
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.units import content, units
from kotonia_desktop.memory.weighing import Candidate, candidates_of

MOST_OPENED = 2
"""So many matters one chapter may open."""
DORMANT_AFTER = 8
"""A matter of which nothing was heard for so many chapters leaves the prompt."""
_SAME = 0.5
_MATTER = {
    "en": re.compile(
        r"\b(?:promise|swear|owe|pay (?:it|you|him|her|them) back|must find|(?:am|are|is|['’]m|['’]re) looking for"
        r"|where (?:has|have) \w|has gone missing|is missing|(?:exam|wedding|trial|duel|verdict) is"
        r"|waiting for (?:news|word))",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"約束する|約束した|誓う|誓って|探さ(?:なくちゃ|ないと|なきゃ|なければ)|探している|どこへ行った|返さないと|返さなきゃ|返さなければ|借りがある"
        r"|試験が|発表を待|知らせを待"
    ),
    "zh": re.compile(r"我?答应你|我发誓|约好了|得(?:把|去找|还)|找回来|到哪里去了|还欠|得还|考级|考试快|等(?:着)?消息"),
}
"""Somebody binds themselves, owes, misses, looks for or awaits something."""


def state_of(thread: Thread, chapter_ends: Sequence[int]) -> ThreadState:
    """Where a matter stands. `chapter_ends` are the last ordinals of the path's chapters: a matter is dormant once
    `DORMANT_AFTER` of them lie behind its last event."""
    closed = False
    heard: int | None = None
    for event in thread.events:
        if event.kind is ThreadEventKind.CLOSED:
            closed = True
        elif event.kind in (ThreadEventKind.REOPENED, ThreadEventKind.OPENED):
            closed = False
        if event.ordinal is not None:
            heard = event.ordinal if heard is None else max(heard, event.ordinal)
    if closed:
        return ThreadState.CLOSED
    behind = 0 if heard is None else sum(end > heard for end in chapter_ends)
    return ThreadState.DORMANT if behind >= DORMANT_AFTER else ThreadState.OPEN


def doubt_of(thread: Thread) -> ThreadEvent | None:
    """The doubt that the user has not decided yet: it was asked about after everything else."""
    last = thread.events[-1] if thread.events else None
    return last if last is not None and last.kind is ThreadEventKind.DOUBTED else None


def closing_of(thread: Thread) -> ThreadEvent | None:
    """The event that closed a matter, where it is closed."""
    for event in reversed(thread.events):
        if event.kind is ThreadEventKind.CLOSED:
            return event
        if event.kind is ThreadEventKind.REOPENED:
            return None
    return None


def may_touch(title: str, about: Collection[tuple[str, ...]]) -> bool:
    """Whether a range whose words are `about` may have to do with a matter at all: it shares a word with its title."""
    return bool(content(units(title)) & set(about))


def is_known(title: str, threads: Sequence[Thread]) -> bool:
    """Whether there is a matter already that says the same."""
    mine = content(units(title))
    for thread in threads:
        theirs = content(units(thread.title))
        if mine and len(mine & theirs) > _SAME * min(len(mine), len(theirs) or 1):
            return True
    return False


def matters_of(
    task: WritingTask, threads: Sequence[Thread], picked: Collection[int] = ()
) -> list[tuple[Candidate, str]]:
    """Sentences of a range that open a matter, with their titles, at most `MOST_OPENED`: somebody binds themselves,
    owes, misses, looks for something. `picked` are the ids of messages that a model takes for one: its word comes
    second."""
    pattern = pick(_MATTER, task.language)
    found: list[tuple[float, Candidate]] = []
    for candidate in candidates_of(task):
        says = pattern.search(candidate.evidence.text) is not None
        named = candidate.evidence.sources[0].message_id in picked
        if candidate.about and (says or named):
            found.append((candidate.weight + (6.0 if says else 0.0) + (2.0 if named else 0.0), candidate))
    chosen: list[tuple[Candidate, str]] = []
    for _, candidate in sorted(found, key=lambda entry: -entry[0]):
        title = candidate.text
        if is_known(title, threads) or candidate.says_the_same([other for other, _ in chosen]):
            continue
        chosen.append((candidate, title))
        if len(chosen) == MOST_OPENED:
            break
    return chosen
