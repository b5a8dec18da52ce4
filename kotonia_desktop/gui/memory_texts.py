"""The words of memory: what the chronicler does, how a text was written, why one was rejected, what a fold came to."""

from datetime import datetime

from kotonia_desktop.domain.errors import error_from_wire
from kotonia_desktop.domain.memory import (
    Attempt,
    Chapter,
    Fold,
    FoldKind,
    FoldReason,
    FoldState,
    HeadState,
    Item,
    ItemState,
    Rejection,
    WrittenBy,
)
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.models import LoadedModel, WindowReason
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
    FoldReason.REBUILD: QT_TRANSLATE_NOOP("Memory", "it was to be written anew"),
    FoldReason.MERGE: QT_TRANSLATE_NOOP("Memory", "four chapters became one part"),
}
_KINDS = {
    FoldKind.CHAPTER: QT_TRANSLATE_NOOP("Memory", "Chapter"),
    FoldKind.PART: QT_TRANSLATE_NOOP("Memory", "Part"),
    FoldKind.REBUILD: QT_TRANSLATE_NOOP("Memory", "New version"),
}
_ENDS = {
    FinishReason.STOP: QT_TRANSLATE_NOOP("Memory", "ended by the model"),
    FinishReason.LENGTH: QT_TRANSLATE_NOOP("Memory", "ended by its length"),
    FinishReason.WINDOW: QT_TRANSLATE_NOOP("Memory", "ended by the window"),
    FinishReason.CANCELLED: QT_TRANSLATE_NOOP("Memory", "given up"),
    FinishReason.INTERRUPTED: QT_TRANSLATE_NOOP("Memory", "interrupted"),
    FinishReason.ERROR: QT_TRANSLATE_NOOP("Memory", "ended by an error"),
}

_NEXT = {
    FoldActivity.WRITING: QT_TRANSLATE_NOOP("Memory", "Chapters are being written now."),
    FoldActivity.WAITING: QT_TRANSLATE_NOOP("Memory", "It is written in the next quiet moment."),
    FoldActivity.APPLYING: QT_TRANSLATE_NOOP("Memory", "Chapters are being written now."),
    FoldActivity.NOTING: QT_TRANSLATE_NOOP("Memory", "Chapters are being written now."),
    FoldActivity.NO_MODEL: QT_TRANSLATE_NOOP("Memory", "It is written once a model is loaded."),
    FoldActivity.FAILED: QT_TRANSLATE_NOOP("Memory", "The last attempt failed. It is tried again after the next turn."),
}


_WINDOWS = {
    WindowReason.ASKED: QT_TRANSLATE_NOOP("Memory", "The window is the one that was asked for."),
    WindowReason.TRAINED: QT_TRANSLATE_NOOP("Memory", "The window is all that the model was trained for."),
    WindowReason.MOST: QT_TRANSLATE_NOOP("Memory", "A larger window would take more time and memory for little."),
    WindowReason.MEMORY: QT_TRANSLATE_NOOP("Memory", "A larger window does not fit into this computer's memory."),
}


def window_line(model: LoadedModel) -> str:
    """Why the window is as large as it is."""
    return translate("Memory", _WINDOWS[model.window_reason])


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
    if activity is FoldActivity.NOTING:
        return translate("Memory", "noting facts and loose ends…")
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
    if item.state is ItemState.VALID:
        return ""
    where = ", ".join(f"#{ordinal + 1}" for ordinal in item.ordinals)
    if item.state is ItemState.GONE:
        return translate("Memory", "{where} is gone; the model is not shown this").format(where=where)
    if len(item.ordinals) > 1:
        return translate("Memory", "One of {where} was changed after this was written").format(where=where)
    return translate("Memory", "{where} was changed after this was written").format(where=where)


def queued_line(first: int, last: int) -> str:
    """Messages that are out of sight, and what will happen."""
    count = last - first + 1
    words = translate(
        "Memory", "%n messages ({where}) do not fit and are out of sight until a chapter is written.", "", count
    )
    return words.format(where=span(first, last))


def queued_next(status: FoldStatus | None) -> str:
    """What the chronicler does about messages that are out of sight; "" where that is not known."""
    return translate("Memory", _NEXT[status.activity]) if status is not None and status.activity in _NEXT else ""


def moment(timestamp: float, *, whole: bool = False) -> str:
    """A moment in the log: of today the time, else the day too, else the year too; `whole` is all to the second."""
    then, now = datetime.fromtimestamp(timestamp), datetime.now()
    if whole:
        return f"{then:%Y-%m-%d %H:%M:%S}"
    if then.date() == now.date():
        return f"{then:%H:%M}"
    return f"{then:%m-%d %H:%M}" if then.year == now.year else f"{then:%Y-%m-%d}"


def entry_span(entry: Fold | HeadState) -> str:
    """The messages that an entry of the log is about."""
    if isinstance(entry, Fold):
        return span(entry.first_ordinal, entry.last_ordinal)
    return f"#{(entry.until if entry.until is not None else -1) + 1}"


def entry_line(entry: Fold | HeadState) -> str:
    """An entry of the log in one line: when, what, about which messages, how it stands."""
    if isinstance(entry, Fold):
        what = translate("Memory", _KINDS[entry.kind])
        state = translate("Memory", _STATES[entry.state])
        return f"{moment(entry.started_at)} · {what} {entry_span(entry)} · {state}"
    words = translate("Memory", "Out of sight up to {where}").format(where=entry_span(entry))
    return f"{moment(entry.created_at)} · {words}"


def entry_figures(entry: Fold | HeadState) -> str:
    """What a fold came to and cost, and why it was begun; why messages left."""
    if isinstance(entry, HeadState):
        return translate("Memory", "they left before there was a chapter of them")
    parts = []
    if entry.tokens_after:
        before, after = f"{entry.tokens_before:,}", f"{entry.tokens_after:,}"
        parts.append(translate("Memory", "{before} → {after} tokens").format(before=before, after=after))
    if entry.finished_at is not None:
        parts.append(translate("Memory", "{seconds} s").format(seconds=f"{entry.finished_at - entry.started_at:.1f}"))
    if entry.attempts:
        count = len(entry.attempts)
        parts.append(translate("Memory", "%n attempts", "", count))
    parts.append(entry.model or translate("Memory", _REASONS[entry.reason]))
    return " · ".join(parts)


def entry_details(entry: Fold | HeadState) -> list[str]:
    """All that is known of an entry but its attempts, a line for each thing."""
    if isinstance(entry, HeadState):
        return [moment(entry.created_at, whole=True), entry_figures(entry)]
    begun = translate("Memory", "Begun {when}: {why}").format(
        when=moment(entry.started_at, whole=True), why=translate("Memory", _REASONS[entry.reason])
    )
    lines = [entry.title, translate("Memory", _STATES[entry.state]), begun]
    if entry.error:
        lines.append(texts.short_error_text(error_from_wire(entry.error, {"detail": entry.error})))
    if not entry.attempts and entry.state in (FoldState.WRITTEN, FoldState.APPLIED):
        lines.append(translate("Memory", "No model was asked: whole lines were picked."))
    if entry.attempts:
        asked = translate("Memory", "{model} was asked, in wording {version}")
        lines.append(asked.format(model=entry.model or "?", version=entry.prompt_version or "?"))
    return [line for line in lines if line]


def attempt_verdict(attempt: Attempt) -> str:
    """What became of an attempt, and why."""
    if attempt.rejected is None:
        return "✓ " + translate("Memory", "Attempt {number}: kept").format(number=attempt.number)
    why = translate("Memory", _REJECTIONS[attempt.rejected])
    words = translate("Memory", "Attempt {number}: not kept, {why}").format(number=attempt.number, why=why)
    return "✕ " + words


def attempt_figures(attempt: Attempt) -> str:
    """How an attempt ended, what was seen in it, how it was asked for, what it cost."""
    stats = attempt.stats
    parts = [translate("Memory", _ENDS[attempt.finish]), stats.detail]
    if stats.prompt_tokens:
        count = stats.prompt_tokens - stats.reused_tokens
        read = translate("Memory", "%n tokens read", "", count)
        seconds = translate("Memory", "{seconds} s").format(seconds=f"{stats.prompt_seconds:.1f}")
        parts.append(f"{read}, {seconds}")
    if stats.reply_tokens:
        count = stats.reply_tokens
        written = translate("Memory", "%n tokens written", "", count)
        seconds = translate("Memory", "{seconds} s").format(seconds=f"{stats.reply_seconds:.1f}")
        parts.append(f"{written}, {seconds}")
    parts.append(stats.settings)
    if stats.prompt_tokens:
        parts.append(translate("Memory", "random seed {seed}").format(seed=stats.seed))
    return " · ".join(part for part in parts if part)


def no_fold_reason(status: FoldStatus | None) -> str:
    """Why no chapter can be written now; "" where one can, or nothing is known yet."""
    if status is None:
        return ""
    if status.activity is FoldActivity.NO_MODEL:
        return translate("Memory", "No model is loaded.")
    if status.activity in (FoldActivity.WRITING, FoldActivity.MERGING, FoldActivity.NOTING, FoldActivity.APPLYING):
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
