"""The words of memory: what the chronicler does, how a text was written, why one was rejected, what a fold came to."""

from datetime import datetime

from kotonia_desktop.domain.memory import (
    Chapter,
    Fold,
    FoldKind,
    FoldReason,
    FoldState,
    Item,
    ItemState,
    Rejection,
    WrittenBy,
)
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.gui import texts
from kotonia_desktop.gui.sources import QT_TRANSLATE_NOOP
from kotonia_desktop.gui.texts import translate
from kotonia_desktop.services.memory_views import ChapterView, FoldActivity, FoldStatus

_REJECTIONS = {
    Rejection.EMPTY: QT_TRANSLATE_NOOP("Memory", "nothing was written"),
    Rejection.CUT: QT_TRANSLATE_NOOP("Memory", "it was cut off"),
    Rejection.REFUSAL: QT_TRANSLATE_NOOP("Memory", "the model declined"),
    Rejection.CONTINUATION: QT_TRANSLATE_NOOP("Memory", "it went on with the story"),
    Rejection.COPY: QT_TRANSLATE_NOOP("Memory", "it was copied from the messages"),
    Rejection.LOOP: QT_TRANSLATE_NOOP("Memory", "it repeated itself"),
    Rejection.LANGUAGE: QT_TRANSLATE_NOOP("Memory", "it was in another language"),
    Rejection.UNSUPPORTED: QT_TRANSLATE_NOOP("Memory", "nothing of it stands in the messages"),
    Rejection.LONGER: QT_TRANSLATE_NOOP("Memory", "it was longer than what it stands for"),
    Rejection.ERROR: QT_TRANSLATE_NOOP("Memory", "the engine could not write it"),
}
_STATES = {
    FoldState.WRITING: QT_TRANSLATE_NOOP("Memory", "being written"),
    FoldState.WRITTEN: QT_TRANSLATE_NOOP("Memory", "written, not in use yet"),
    FoldState.APPLIED: QT_TRANSLATE_NOOP("Memory", "in use"),
    FoldState.FAILED: QT_TRANSLATE_NOOP("Memory", "not written; it will be tried again"),
    FoldState.INTERRUPTED: QT_TRANSLATE_NOOP("Memory", "interrupted; it will be written later"),
}
_REASONS = {
    FoldReason.TRIGGER: QT_TRANSLATE_NOOP("Memory", "the room filled up"),
    FoldReason.QUEUE: QT_TRANSLATE_NOOP("Memory", "the messages were out of sight"),
    FoldReason.MARK: QT_TRANSLATE_NOOP("Memory", "you ended the chapter there"),
    FoldReason.NOW: QT_TRANSLATE_NOOP("Memory", "you asked for it"),
    FoldReason.MERGE: QT_TRANSLATE_NOOP("Memory", "four chapters became one part"),
}
_ENDS = {
    FinishReason.STOP: QT_TRANSLATE_NOOP("Memory", "ended by the model"),
    FinishReason.LENGTH: QT_TRANSLATE_NOOP("Memory", "ended by its length"),
    FinishReason.WINDOW: QT_TRANSLATE_NOOP("Memory", "ended by the window"),
    FinishReason.CANCELLED: QT_TRANSLATE_NOOP("Memory", "given up"),
    FinishReason.INTERRUPTED: QT_TRANSLATE_NOOP("Memory", "interrupted"),
    FinishReason.ERROR: QT_TRANSLATE_NOOP("Memory", "ended by an error"),
}


def span(first: int, last: int) -> str:
    """A range of messages, as the reader counts them."""
    return f"#{first + 1}" if first == last else f"#{first + 1}–#{last + 1}"


def state_line(status: FoldStatus | None) -> str:
    """What the chronicler is doing, in a few words."""
    if status is None:
        return ""
    activity = status.activity
    if activity is FoldActivity.WRITING:
        return translate("Memory", "writing chapter {number}…").format(number=status.number)
    if activity is FoldActivity.MERGING:
        return translate("Memory", "merging four chapters into a part…")
    if activity is FoldActivity.APPLYING:
        return translate("Memory", "the chapters are moving into the memory…")
    if activity is FoldActivity.NO_MODEL:
        return translate("Memory", "no model is loaded")
    if activity is FoldActivity.FAILED:
        return translate("Memory", "a chapter could not be written; it will be tried again")
    count = status.to_write
    if activity is FoldActivity.WAITING and count:
        return translate("Memory", "%n chapters to write, waiting for a quiet moment", "", count)
    if activity is FoldActivity.WAITING:
        return translate("Memory", "chapters are ready, waiting for a quiet moment")
    if status.newest is None:
        return translate("Memory", "up to date")
    return translate("Memory", "up to date · #{newest}").format(newest=status.newest + 1)


def chapter_name(view: ChapterView) -> str:
    """`Chapter 3` or `Part 1`."""
    if view.chapter.level:
        return translate("Memory", "Part {number}").format(number=view.number)
    return translate("Memory", "Chapter {number}").format(number=view.number)


def chapter_line(view: ChapterView) -> str:
    """Name and title."""
    name, title = chapter_name(view), view.chapter.title
    return f"{name} · {title}" if title else name


def divider_line(view: ChapterView) -> str:
    """What stands over the first of a chapter's messages."""
    chapter = view.chapter
    where = span(chapter.first_ordinal, chapter.last_ordinal)
    return translate("Memory", "{chapter} — stands for {where}").format(chapter=chapter_line(view), where=where)


def written_line(chapter: Chapter, fold: Fold | None) -> str:
    """How a text was written: by whom, in how many seconds, after how many that did not count."""
    if chapter.written_by is WrittenBy.MODEL:
        parts = [translate("Memory", "Written by {model}").format(model=chapter.model or "?")]
    elif chapter.written_by is WrittenBy.EXTRACT:
        parts = [translate("Memory", "Quoted, not yet retold")]
    else:
        parts = [translate("Memory", "First sentences")]
    if fold is not None:
        if fold.finished_at is not None and fold.finished_at - fold.started_at >= 0.5:
            seconds = round(fold.finished_at - fold.started_at)
            parts.append(translate("Memory", "{seconds} s").format(seconds=seconds))
        rejected = sum(attempt.rejected is not None for attempt in fold.attempts)
        if rejected:
            parts.append(translate("Memory", "%n attempts were not kept", "", rejected))
        parts.append(translate("Memory", _REASONS[fold.reason]))
    return " · ".join(parts)


def item_note(item: Item) -> str:
    """What became of the messages that an item was made from; "" where they are as they were."""
    if item.state is ItemState.VALID or not item.ordinals:
        return ""
    where = span(item.ordinals[0], item.ordinals[-1])
    if item.state is ItemState.CHANGED:
        return translate("Memory", "{where} was changed after this was written").format(where=where)
    return translate("Memory", "{where} is gone; the model is not shown this").format(where=where)


def queued_line(first: int, last: int) -> str:
    """Messages that are out of sight, and what will happen."""
    count = last - first + 1
    words = translate(
        "Memory", "%n messages ({where}) do not fit and are out of sight until a chapter is written.", "", count
    )
    return words.format(where=span(first, last))


def fold_line(fold: Fold) -> str:
    """A fold in one line: when, what, about which messages, how it stands."""
    when = datetime.fromtimestamp(fold.started_at).strftime("%H:%M:%S")
    what = translate("Memory", "Chapter") if fold.kind is FoldKind.CHAPTER else translate("Memory", "Part")
    state = translate("Memory", _STATES[fold.state])
    return f"{when} · {what} {span(fold.first_ordinal, fold.last_ordinal)} · {state}"


def fold_figures(fold: Fold) -> str:
    """What a fold cost and why it was begun."""
    parts = [translate("Memory", _REASONS[fold.reason])]
    if fold.tokens_after:
        parts.append(
            translate("Memory", "{before} → {after} tokens").format(before=fold.tokens_before, after=fold.tokens_after)
        )
    if fold.finished_at is not None:
        parts.append(translate("Memory", "{seconds} s").format(seconds=f"{fold.finished_at - fold.started_at:.1f}"))
    if fold.attempts:
        count = len(fold.attempts)
        parts.append(translate("Memory", "%n attempts", "", count))
    if fold.model:
        parts.append(fold.model)
    return " · ".join(parts)


def attempt_line(rejected: Rejection | None, finish: FinishReason, settings: str, detail: str) -> str:
    """What became of an attempt, and how it was asked for."""
    if rejected is None:
        verdict = translate("Memory", "Kept")
    else:
        verdict = translate("Memory", "Not kept: {why}").format(why=translate("Memory", _REJECTIONS[rejected]))
    parts = [verdict, translate("Memory", _ENDS[finish]), detail, settings]
    return " · ".join(part for part in parts if part)


def cut_line(ordinal: int, created_at: float) -> str:
    """When messages left without a chapter."""
    when = datetime.fromtimestamp(created_at).strftime("%H:%M:%S")
    return translate("Memory", "{when} · Messages up to #{last} left without a chapter").format(
        when=when, last=ordinal + 1
    )


def no_fold_reason(status: FoldStatus | None) -> str:
    """Why no chapter can be written now; "" where one can."""
    if status is None or status.activity is FoldActivity.NO_MODEL:
        return translate("Memory", "No model is loaded.")
    if status.activity in (FoldActivity.WRITING, FoldActivity.MERGING, FoldActivity.APPLYING):
        return translate("Memory", "A chapter is being written.")
    return ""


def landed_line(view: ChapterView) -> str:
    """What a screen reader hears once when a chapter has come."""
    count = view.chapter.last_ordinal - view.chapter.first_ordinal + 1
    words = translate("Memory", "{chapter} now stands for %n messages.", "", count)
    return words.format(chapter=chapter_line(view))


def error_line(status: FoldStatus) -> str:
    """Why the last chapter failed, "" where none did."""
    return texts.short_error_text(status.error) if status.error is not None else ""
