"""The ladder of writing a text of memory: the model writes; once more where that does not count, with another random
seed and a shorter range; then code picks whole lines, which always counts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.memory import NewAttempt, NewChapter, NewItem, Rejection, WritingStats, WrittenBy
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.memory.chronicler import (
    LONGEST_TITLE,
    PROMPT_VERSION,
    ChroniclerPrompt,
    Draft,
    WritingTask,
    parse_draft,
)
from kotonia_desktop.memory.chronicler import chronicler_prompt as prompt_of
from kotonia_desktop.memory.extract import extract_text, first_sentences
from kotonia_desktop.memory.gates import judge
from kotonia_desktop.memory.phrases import POOR_TITLE
from kotonia_desktop.memory.titles import title_of
from kotonia_desktop.memory.units import content, units

__all__ = ["Outcome", "TextWriter", "WritingTask", "Written", "extract_text", "first_sentences", "write_text"]

ATTEMPTS = 2
_TITLE_UNITS = 16
Count = Callable[[Sequence[str]], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Written:
    """What came of a request. `error` is a code where the writer could not write at all ("cancelled" among them)."""

    text: str
    finish: FinishReason
    stats: WritingStats
    error: str = ""


class TextWriter(Protocol):
    """Whatever writes: the engine, or a stand-in that measures."""

    def write(self, prompt: ChroniclerPrompt) -> Written:
        """Write one text. Never raises for what the engine did."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task. `chapter` is None where the writer could not write (`error`). It stands for the first
    `lines` of the task's lines: a second attempt takes a shorter range."""

    chapter: NewChapter | None
    attempts: tuple[NewAttempt, ...]
    lines: int
    error: str = ""


def write_text(
    task: WritingTask, writer: TextWriter, count: Count, *, attempted: Callable[[NewAttempt], None]
) -> Outcome:
    """Write the text of a task. `attempted` is told of each attempt as soon as it is judged."""
    attempts: list[NewAttempt] = []
    asked = task
    for number in range(1, ATTEMPTS + 1):
        written = writer.write(prompt_of(asked, number))
        name = f"{'part' if task.level else 'chapter'}, attempt {number}"
        if written.error:
            stats = replace(written.stats, detail=written.error)
            attempts.append(NewAttempt(name, written.text, written.finish, Rejection.ERROR, stats))
            attempted(attempts[-1])
            return Outcome(None, tuple(attempts), 0, written.error)
        draft = parse_draft(written.text)
        verdict = judge(draft, written.finish, asked, count)
        stats = replace(written.stats, detail=verdict.detail)
        attempts.append(NewAttempt(name, written.text, written.finish, verdict.rejected, stats))
        attempted(attempts[-1])
        if verdict.rejected is None:
            items = fit_items(verdict.items, asked, count)
            return Outcome(_chapter(asked, draft, items), tuple(attempts), len(asked.lines))
        asked = task.shorter()
    chapter = replace(extract_text(task, count), prompt_version=PROMPT_VERSION)
    return Outcome(chapter, tuple(attempts), len(task.lines))


def _chapter(task: WritingTask, draft: Draft, items: Sequence[NewItem]) -> NewChapter:
    title = draft.title.strip(' .。-–—:："“”「」')
    poor = POOR_TITLE.search(title) is not None or not content(units(title))
    poor = poor or len(title) >= pick(LONGEST_TITLE, task.language)
    if not title or poor or len(units(title)) > _TITLE_UNITS:
        title = title_of([item.text for item in items], task.language, (task.char, task.user))
    return NewChapter(
        title=title,
        written_by=WrittenBy.MODEL,
        language=task.language,
        items=tuple(items),
        level=task.level,
        prompt_version=PROMPT_VERSION,
    )


def fit_items(items: Sequence[NewItem], task: WritingTask, count: Count) -> list[NewItem]:
    """The items that the budget holds: while they are too long, the one that says least for its length goes, whole.

    One always stays. What an item says is measured by the words and characters it is about, new ones counting.
    """
    kept = list(items)
    sizes = dict(zip(map(id, kept), count([item.text for item in kept]), strict=True))
    about = {id(item): content(units(item.text)) for item in kept}

    def worth(item: NewItem) -> float:
        others = set().union(*(about[id(other)] for other in kept if other is not item))
        return len(about[id(item)] - others) / max(1, sizes[id(item)])

    while len(kept) > 1 and sum(sizes[id(item)] for item in kept) > task.budget:
        kept.remove(min(kept, key=worth))
    return kept
