"""`kotonia replay`, `memory`, `fold`: a dialogue told again, what is remembered of a conversation, folding it now."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from kotonia_desktop.bench.replay import Idle, ReplayOptions, ReplayRow, as_json, replay
from kotonia_desktop.cli.numbers import at_least, seconds
from kotonia_desktop.cli.remember import print_remembered
from kotonia_desktop.domain.errors import NoModel
from kotonia_desktop.domain.memory import Fold, Item, ItemState, WrittenBy
from kotonia_desktop.services.folding import WriterKind
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.memory_views import ChapterView, FoldActivity, FoldStatus, MemoryLog, MemoryView

_HEADER = "  turn    #  role      prompt  reused     new  again  head  queued  front ms  behind ms"
_KINDS = {WrittenBy.EXTRACT: "quoted, not yet retold", WrittenBy.FIRST_SENTENCE: "first sentences"}


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add this module's commands to the command line."""
    again = commands.add_parser("replay", help="tell a dialogue again through prompt, cache and folding")
    again.add_argument("file", type=Path, help="a dialogue (JSON) or a SillyTavern chat (JSONL)")
    again.add_argument("--model", type=Path, help="GGUF file (default: the one used last)")
    again.add_argument(
        "--window", type=at_least(512), default=8192, help="tokens of the story's window (default: 8192)"
    )
    again.add_argument("--turns", type=at_least(0), default=0, help="most messages that are told (default: all)")
    again.add_argument(
        "--account",
        action="store_true",
        help="decode nothing of the chat; without --writer model only the vocabulary is loaded",
    )
    again.add_argument(
        "--idle",
        type=_idle,
        default=Idle.ALL,
        help="time for the background between two messages: all, none or seconds (default: all)",
    )
    again.add_argument(
        "--writer",
        type=WriterKind,
        choices=[kind for kind in WriterKind if kind is not WriterKind.AUTO],
        default=None,
        help="who writes chapters (default: model; with --account: extract)",
    )
    again.add_argument("--json", action="store_true", help="one JSON object a message, the summary last")
    show = commands.add_parser("memory", help="show what is remembered of a conversation")
    show.add_argument("conversation", type=int)
    show.add_argument("--json", action="store_true", help="one JSON object")
    fold = commands.add_parser("fold", help="write chapters of a conversation now")
    fold.add_argument("conversation", type=int)
    fold.add_argument("--model", type=Path, help="GGUF file (default: the one used last)")
    fold.add_argument("--window", type=at_least(512), help="tokens the model sees at once")
    fold.add_argument("--due", action="store_true", help="only what is due: what is out of sight, or over the trigger")


def _idle(text: str) -> Idle | float:
    if text in (Idle.ALL, Idle.NONE):
        return Idle(text)
    return seconds()(text)


def run_replay(kotonia: Kotonia, options: argparse.Namespace) -> int:
    """`kotonia replay`."""
    model = options.model or kotonia.models.preferred_path()
    if model is None:
        raise NoModel()
    writer = options.writer or (WriterKind.EXTRACT if options.account else WriterKind.MODEL)
    how = ReplayOptions(model, options.window, options.turns, options.account, options.idle, writer)

    def began(conversation_id: int) -> None:
        print(f"Conversation {conversation_id}.", file=sys.stderr if options.json else sys.stdout, flush=True)
        if not options.json:
            print(_HEADER)

    def tell(row: ReplayRow) -> None:
        print(json.dumps(as_json(row), ensure_ascii=False) if options.json else _row_text(row), flush=True)

    result = replay(kotonia, options.file, how, began=began, tell=tell)
    summary = {"conversation": result.conversation_id, **result.summary()}
    if options.json:
        print(json.dumps({"summary": summary}))
        return 0
    if result.queued_at_end is not None:
        first, last = result.queued_at_end
        print(f"Out of sight without a chapter after the last message: #{first + 1}-#{last + 1}; folded afterwards.")
    print(json.dumps({"summary": summary}))
    return 0


def _row_text(row: ReplayRow) -> str:
    notes = " ".join(note for note, on in (("folded", row.folded), ("cut", row.cut), ("busy", row.busy)) if on)
    text = (
        f"{row.turn:6d} {row.ordinal + 1:4d}  {row.role:9s} {row.prompt:6d} {row.reused:7d} {row.new:7d}"
        f" {row.reread:6d} {row.head:5d} {row.queued:7d} {row.front_ms:9.1f} {row.background_ms:10.1f}  {notes}"
    )
    return text.rstrip()


def run_memory(kotonia: Kotonia, options: argparse.Namespace) -> int:
    """`kotonia memory`."""
    kotonia.library.conversation(options.conversation)
    view = kotonia.folding.view(options.conversation)
    log = kotonia.folding.log(options.conversation)
    remembered = kotonia.memory.view(options.conversation)
    if options.json:
        beside = {**asdict(remembered), "in_head": sorted(remembered.in_head)}
        print(json.dumps({**asdict(view), "remembered": beside, "log": asdict(log)}, ensure_ascii=False))
        return 0
    _print_view(view, log)
    print_remembered(remembered)
    return 0


def _print_view(view: MemoryView, log: MemoryLog) -> None:
    if not view.story and not view.queued:
        print("Nothing has been forgotten. Everything so far is still in view.")
    for text in view.story:
        _print_text(text, "")
        for part in view.merged:
            if part.chapter.merged_into == text.chapter.id:
                _print_text(part, "    ")
    for first, last in view.queued:
        print(f"Out of sight until a chapter is written: #{first + 1}-#{last + 1}")
    if view.in_view is not None:
        print(f"In view, word for word: #{view.in_view[0] + 1}-#{view.in_view[1] + 1}")
    if log.folds or log.cuts:
        print("\nLog, newest first:")
    for fold in log.folds:
        _print_fold(fold)
    for cut in log.cuts:
        print(f"messages up to #{(cut.until or 0) + 1} left without a chapter")


def _print_text(text: ChapterView, indent: str) -> None:
    chapter = text.chapter
    name = "Part" if chapter.level else "Chapter"
    where = f"#{chapter.first_ordinal + 1}-#{chapter.last_ordinal + 1}"
    by = _KINDS.get(chapter.written_by) or f"written by {chapter.model}"
    print(
        f"{indent}{name} {text.number} · {chapter.title} · {where} · {by}{'' if chapter.in_head else ' · not in use'}"
    )
    for item in chapter.items:
        print(f"{indent}    {item.text}  [{_sources(item)}]")


def _sources(item: Item) -> str:
    places = ", ".join(f"#{ordinal + 1}" for ordinal in item.ordinals)
    return places if item.state is ItemState.VALID else f"{places}; {item.state.value} since"


def _print_fold(fold: Fold) -> None:
    seconds = "" if fold.finished_at is None else f", {fold.finished_at - fold.started_at:.1f} s"
    print(
        f"{fold.kind.value} #{fold.first_ordinal + 1}-#{fold.last_ordinal + 1}: {fold.state.value}"
        f" ({fold.reason.value}), {fold.tokens_before} -> {fold.tokens_after} tokens{seconds}"
        f"{', ' + fold.error if fold.error else ''}"
    )
    for attempt in fold.attempts:
        if attempt.rejected is not None:
            detail = f" ({attempt.stats.detail})" if attempt.stats.detail else ""
            print(f"    rejected: {attempt.rejected.value}{detail}")
            for line in attempt.text.splitlines():
                print(f"        | {line}")


def run_fold(kotonia: Kotonia, options: argparse.Namespace) -> int:
    """`kotonia fold`."""
    kotonia.library.conversation(options.conversation)
    model = options.model or kotonia.models.preferred_path()
    if model is None:
        raise NoModel()
    kotonia.models.load(model, window=options.window)
    kotonia.folding.work(options.conversation, _tell_status, force=not options.due)
    status = kotonia.folding.status(options.conversation)
    if status.activity is FoldActivity.FAILED:
        print(status.error, file=sys.stderr)
        return 1
    return 0


def _tell_status(status: FoldStatus) -> None:
    if status.activity in (FoldActivity.WRITING, FoldActivity.MERGING):
        what = "chapter" if status.activity is FoldActivity.WRITING else "part"
        again = "" if status.attempt <= 1 else f", attempt {status.attempt}"
        print(f"Writing {what} {status.number} of #{status.first + 1}-#{status.last + 1}{again}", flush=True)
    elif status.activity is FoldActivity.APPLYING:
        print("Moving what is written into the memory.", flush=True)
