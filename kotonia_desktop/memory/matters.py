"""Open matters: when one is open, dormant or closed, and what code alone takes for one.

A list of open matters that a model writes anew keeps what is settled for ever. So none is ever written anew: a matter
is a row with events, and its state is what its events come to.
"""

import re
from collections.abc import Collection, Sequence

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.threads import Thread, ThreadEvent, ThreadEventKind, ThreadState
from kotonia_desktop.memory import phrases
from kotonia_desktop.memory.chronicler import WritingTask
from kotonia_desktop.memory.units import content, units
from kotonia_desktop.memory.weighing import Candidate, candidates_of

MOST_OPENED = 2
"""So many matters one chapter may open."""
DORMANT_AFTER = 8
"""A matter of which nothing was heard for so many chapters leaves the prompt."""
_SAME = 0.5
CLOSES = 1.0
"""Nats by which a later line must be likelier to settle a matter than its controls do."""
DOUBTS = 0.4
"""From here on the user is asked."""
HINT = 1.0
"""What the words of something done with count for, in nats."""
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


_SETTLES = {
    "en": re.compile(
        r"\b(?:found|paid|passed|won|returned|gave .{1,30} back|got .{1,30} back"
        r"|kept (?:my|his|her|the) (?:word|promise)|as promised|at last|finally|settled|is over|was over|is done"
        r"|arrived|came back|married|solved)\b",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"見つか(?:った|って|り)|見つけた|返した|返して(?:もら|き)|払った|合格|済んだ|済ませた|終わった|果たし|約束どおり|約束通り"
        r"|とうとう|やっと|ようやく|解決|届いた|戻ってきた"
    ),
    "zh": re.compile(
        r"找到了|还给了|还清|还上了|通过了?|照约定|如约|终于|完成了|了结|解决了|结束了|兑现|送到了|回来了|办完"
    ),
}
"""Something is done with."""
_NOT = {
    "en": re.compile(r"\b(?:not|never|haven['’]t|hasn['’]t|didn['’]t|isn['’]t|yet to|nowhere)\b", re.IGNORECASE),
    "ja": re.compile(r"ない|なかった|ません|まだ"),
    "zh": re.compile(r"没|未|还不|不曾"),
}
_QUESTION_MARK = re.compile(r"[?？]")


def says_settled(sentence: str, language: str) -> bool:
    """Whether a sentence has the words of something that is done with: no proof, but a hint that a model lacks."""
    if _QUESTION_MARK.search(sentence) or pick(_NOT, language).search(sentence):
        return False
    return pick(_SETTLES, language).search(sentence) is not None


def decide(asked: float | None, controls: Sequence[float], hint: bool) -> ThreadEventKind:
    """What a later line does to a matter. `asked` and `controls` are how likely the model takes the line, and lines
    that settle nothing, for its end (log odds, nats); None where no model was asked: then nothing is closed."""
    if asked is None:
        return ThreadEventKind.DOUBTED if hint else ThreadEventKind.TOUCHED
    margin = asked - sum(controls) / len(controls) if controls else asked
    if margin > 0.0 and margin + (HINT if hint else 0.0) >= CLOSES:
        return ThreadEventKind.CLOSED
    return ThreadEventKind.DOUBTED if hint or margin >= DOUBTS else ThreadEventKind.TOUCHED


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


def closest(title: str, candidates: Sequence[Candidate], language: str) -> Candidate | None:
    """Of the sentences that share a word with a matter's title, the one that speaks of it most as of something done;
    None where none shares a word."""
    wanted = content(units(title))

    def nearness(candidate: Candidate) -> tuple[bool, int, int]:
        settles = says_settled(candidate.evidence.text, language)
        return settles, len(candidate.about & wanted), candidate.place

    sharing = [candidate for candidate in candidates if candidate.about & wanted]
    return max(sharing, key=nearness, default=None)


def is_known(title: str, threads: Sequence[Thread]) -> bool:
    """Whether there is a matter already that says the same."""
    mine = content(units(title))
    for thread in threads:
        theirs = content(units(thread.title))
        if mine and len(mine & theirs) > _SAME * min(len(mine), len(theirs) or 1):
            return True
    return False


def matters_of(
    task: WritingTask, threads: Sequence[Thread], picked: Collection[int] = (), *, trusted: bool = False
) -> list[tuple[Candidate, str]]:
    """Sentences of a range that open a matter, with their titles, at most `MOST_OPENED`: somebody binds themselves,
    owes, misses, looks for something. `picked` are the ids of messages that a model takes for one: its word comes
    second, and opens one by itself only where it is `trusted`."""
    pattern = pick(_MATTER, task.language)
    found: list[tuple[float, Candidate]] = []
    for candidate in candidates_of(task):
        says = pattern.search(candidate.evidence.text) is not None
        named = candidate.evidence.sources[0].message_id in picked
        introduces = phrases.INTRODUCES.search(candidate.evidence.text) is not None
        if candidate.about and (says or (named and trusted)) and not introduces:
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
