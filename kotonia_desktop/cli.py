"""The command line: the same services without the window.

`kotonia` opens the app; `kotonia chat`, `import`, `prompt` and `doctor` work without a display. Errors print the text
the window would show; the exit code is 2 for bad input, 1 for everything else that went wrong.
"""

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType

from kotonia_desktop import __version__
from kotonia_desktop.bench.reuse import TurnRow, measure, summary
from kotonia_desktop.domain.errors import KotoniaError, NotFound
from kotonia_desktop.domain.library import Character, Conversation
from kotonia_desktop.domain.messages import FinishReason, Message, StoppedBy
from kotonia_desktop.paths import default_data_dir
from kotonia_desktop.services.chat import ContinueReply, Regenerate, Send, TurnRequest
from kotonia_desktop.services.doctor import examine
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.library import default_persona_name
from kotonia_desktop.services.views import (
    PromptView,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnReading,
    TurnText,
)

_ENDS = {
    FinishReason.LENGTH: "reached its length; /continue goes on",
    FinishReason.WINDOW: "reached the end of the model's window",
    FinishReason.CANCELLED: "stopped; /continue goes on",
    FinishReason.INTERRUPTED: "interrupted; /continue goes on",
    FinishReason.ERROR: "ended by an error",
}
_UNDONE = {
    "": "There is nothing to take back.",
    "delete": "The deleted messages are back.",
    "edit": "The text is as it was before.",
    "select": "The other version is shown again.",
}
_HELP = "/again writes another version, /continue goes on, /undo takes the last change back, /quit ends (or Ctrl+D)."


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    top = argparse.ArgumentParser(prog="kotonia", description="Private character chat on a local model.")
    top.add_argument("--version", action="version", version=f"kotonia {__version__}")
    top.add_argument("--data-dir", type=Path, default=None, help="work on another data folder")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    chat = commands.add_parser("chat", help="talk to a character in the terminal")
    chat.add_argument("--model", type=Path, help="GGUF file (default: the one used last, else the starter model)")
    chat.add_argument("--window", type=int, help="tokens the model sees at once")
    chat.add_argument("--character", help="name of a character, or en, ja, zh for a starter (default: en)")
    chat.add_argument("--conversation", type=int, help="go on with this conversation")
    chat.add_argument("--max-tokens", type=int, help="most tokens of a reply")
    chat.add_argument("--say", action="append", help="send this and print the reply; may be given again")
    bring = commands.add_parser(
        "import", help="import a card (PNG, JSON), a SillyTavern chat (JSONL), a dialogue (JSON)"
    )
    bring.add_argument("file", type=Path)
    show = commands.add_parser("prompt", help="show what the model sees of a conversation")
    show.add_argument("conversation", type=int)
    show.add_argument("--json", action="store_true", help="one JSON object")
    show.add_argument("--model", type=Path, help="count with this model (default: the one used last)")
    bench = commands.add_parser("bench", help="measure this machine").add_subparsers(dest="bench", required=True)
    reuse = bench.add_parser("reuse", help="what each turn of a dialogue reads again")
    reuse.add_argument("file", type=Path, nargs="+", help="dialogues or chats; their user lines are sent")
    reuse.add_argument("--model", type=Path, required=True)
    reuse.add_argument("--turns", type=int, default=60)
    reuse.add_argument("--window", type=int, default=8192)
    reuse.add_argument("--reply-tokens", type=int, default=16)
    reuse.add_argument("--language", default="en", choices=("en", "ja", "zh"), help="which starter answers")
    reuse.add_argument("--break-prefix", action="store_true", help="the control: change the greeting before each turn")
    reuse.add_argument("--json", action="store_true", help="one JSON object a line, the summary last")
    commands.add_parser("doctor", help="look the installation over")
    return top


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """What the window is opened with."""

    data_dir: Path
    smoke: bool = False


def split_window_options(arguments: Sequence[str]) -> tuple[WindowOptions, list[str]]:
    """The window's options, and the arguments where they name a command or ask for help (else an empty list)."""
    window = argparse.ArgumentParser(add_help=False)
    window.add_argument("--data-dir", type=Path, default=None)
    window.add_argument("--smoke", action="store_true")
    options, rest = window.parse_known_args(arguments)
    return WindowOptions(options.data_dir or default_data_dir(), options.smoke), list(arguments) if rest else []


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code."""
    options = parser().parse_args(arguments)
    data_dir = options.data_dir or default_data_dir()
    try:
        if options.command == "doctor":
            return _doctor(data_dir)
        if options.command == "bench":
            return _bench_reuse(options)
        with Kotonia(data_dir) as kotonia:
            if options.command == "import":
                return _import(kotonia, options.file)
            if options.command == "prompt":
                return _prompt(kotonia, options.conversation, options.model, options.json)
            return chat(kotonia, options)
    except KotoniaError as error:
        print(error, file=sys.stderr)
        return 2 if error.bad_input else 1
    except KeyboardInterrupt:
        return 130


def _doctor(data_dir: Path) -> int:
    findings = examine(data_dir)
    for finding in findings:
        print(f"{'ok ' if finding.ok else 'BAD'} {finding.name}: {finding.detail}")
        if not finding.ok and finding.advice:
            print(f"    {finding.advice}")
    return 0 if all(finding.ok for finding in findings) else 1


def _bench_reuse(options: argparse.Namespace) -> int:
    def tell(row: TurnRow) -> None:
        if options.json:
            print(json.dumps({**asdict(row), "reuse": row.reuse}), flush=True)
        else:
            print(
                f"turn {row.turn}: prompt {row.prompt}, reused {row.reused}, read again {row.reread} {row.exception}",
                flush=True,
            )

    rows = measure(
        options.file,
        options.model,
        options.turns,
        window=options.window,
        reply_tokens=options.reply_tokens,
        language=options.language,
        break_prefix=options.break_prefix,
        tell=tell,
    )
    print(json.dumps({"summary": summary(rows)}))
    return 0


def _import(kotonia: Kotonia, file: Path) -> int:
    report = kotonia.importing.import_file(file)
    print(f"Imported the {report.kind} {report.name}: {report.messages} messages.")
    if report.conversation_id is not None:
        print(f"Conversation {report.conversation_id}.")
    for code, values in report.notes:
        told = ", ".join(f"{key} {value}" for key, value in values.items())
        print(f"  note: {code.replace('_', ' ')}{': ' + told if told else ''}")
    return 0


def _prompt(kotonia: Kotonia, conversation_id: int, model: Path | None, as_json: bool) -> int:
    kotonia.library.conversation(conversation_id)
    path = model or kotonia.models.preferred_path()
    if path is not None:
        kotonia.models.load(path)
    view = kotonia.chat.prompt_view(conversation_id)
    if as_json:
        print(json.dumps({**asdict(view), "room_used": view.room_used}, ensure_ascii=False))
        return 0
    for section in view.sections:
        place = (
            "" if section.first_ordinal is None else f" #{section.first_ordinal + 1}-#{(section.last_ordinal or 0) + 1}"
        )
        print(f"--- {section.kind.value}{place} · {section.tokens} tokens")
        print(section.text)
    print(_total(view))
    return 0


def _total(view: PromptView) -> str:
    if not view.counted:
        return "--- no model is loaded: nothing was counted"
    out = (
        "" if view.out_of_sight is None else f"; out of sight: #{view.out_of_sight[0] + 1}-#{view.out_of_sight[1] + 1}"
    )
    return f"--- {view.total} of {view.room} tokens, {view.room_used:.0%} of the room{out}"


# -- chat


def chat(kotonia: Kotonia, options: argparse.Namespace) -> int:
    """Talk in the terminal: with `--say` each text once, else line by line until /quit."""
    if options.max_tokens is not None:
        kotonia.settings.override("reply.max_tokens", options.max_tokens)
    kotonia.library.ensure_starters()
    conversation = _conversation(kotonia, options.conversation, options.character)
    _load_model(kotonia, options.model, options.window)
    name = kotonia.library.character(conversation.character_id).name
    _warn_language(kotonia, conversation)
    page = kotonia.chat.page(conversation.id, limit=1 if not options.say else 2)
    for message in page.messages:
        print(f"{message.speaker}: {message.text}\n")
    if options.say:
        codes = [_turn(kotonia, Send(conversation.id, text), name) for text in options.say]
        return max(codes)
    print(_HELP, file=sys.stderr)
    return _loop(kotonia, conversation, name)


def _load_model(kotonia: Kotonia, model: Path | None, window: int | None) -> None:
    path = model or kotonia.models.preferred_path()
    if path is None:
        path = kotonia.models.fetch_starter(lambda line: print(line, file=sys.stderr))
    loaded = kotonia.models.load(path, _show_progress if sys.stderr.isatty() else None, window)
    print(f"{loaded.name}: {loaded.chat_cells} tokens for the story.", file=sys.stderr)
    if loaded.template.reason:
        print(
            f"Turns: {loaded.template.name} (the file's own template: {loaded.template.reason.replace('_', ' ')}).",
            file=sys.stderr,
        )


def _show_progress(share: float) -> None:
    print(f"\rLoading the model: {share:4.0%}", end="" if share < 1 else "\n", file=sys.stderr, flush=True)


def _warn_language(kotonia: Kotonia, conversation: Conversation) -> None:
    model = kotonia.models.status().model
    if model is None or kotonia.models.speaks(model, conversation.language):
        return
    names = ", ".join(suggestion.name for suggestion in kotonia.models.catalogue(conversation.language)[:3])
    print(
        f"{model.name} cannot write this character's language. Models that can: {names} (see models.md).",
        file=sys.stderr,
    )


def _conversation(kotonia: Kotonia, conversation_id: int | None, character: str | None) -> Conversation:
    if conversation_id is not None:
        return kotonia.library.conversation(conversation_id)
    chosen = _character(kotonia, character or "en")
    known = [c for c in kotonia.library.conversations() if c.character_id == chosen.id]
    if known and character is None:
        return kotonia.library.conversation(known[0].id)
    personas = kotonia.library.personas()
    if personas:
        persona = personas[0]
    else:
        persona, _ = kotonia.library.save_persona(default_persona_name(chosen.card.language), "")
    conversation, _ = kotonia.library.create_conversation(chosen.id, persona.id)
    return conversation


def _character(kotonia: Kotonia, wanted: str) -> Character:
    characters = kotonia.library.characters()
    for character in characters:
        if wanted.casefold() in (character.name.casefold(), character.starter):
            return character
    raise NotFound(what="character", key=wanted)


def _loop(kotonia: Kotonia, conversation: Conversation, name: str) -> int:
    code = 0
    while True:
        try:
            line = input("> ").strip()
        except EOFError:
            return code
        if line == "/quit":
            return code
        if line == "/undo":
            print(_UNDONE[kotonia.chat.undo(conversation.id).label], file=sys.stderr)
            continue
        if line.startswith("/") and line not in ("/again", "/continue"):
            print(_HELP, file=sys.stderr)
            continue
        request = _command(kotonia, conversation, line)
        if request is not None:
            code = _turn(kotonia, request, name)


def _command(kotonia: Kotonia, conversation: Conversation, line: str) -> TurnRequest | None:
    if line not in ("/again", "/continue"):
        return Send(conversation.id, line) if line else None
    last = kotonia.chat.page(conversation.id, limit=1).messages
    if not last:
        return None
    return Regenerate(last[-1].id) if line == "/again" else ContinueReply(last[-1].id)


class _Printer:
    """Prints a reply while it streams."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._shown = 0
        self.code = 0

    def __call__(self, event: TurnEvent) -> None:
        if isinstance(event, TurnText):
            if not self._shown and event.text:
                print(f"{self._name}: ", end="")
            print(event.text[self._shown :], end="", flush=True)
            self._shown = max(self._shown, len(event.text))
        elif isinstance(event, TurnReading):
            if sys.stderr.isatty() and event.read < event.total:
                print(f"\rreading {event.read} of {event.total}", end="\r", file=sys.stderr, flush=True)
        elif isinstance(event, TurnFinished):
            print(event.message.text[self._shown :])
            print(_end_line(event.message), file=sys.stderr)
            if event.out_of_sight is not None:
                first, last = event.out_of_sight
                print(f"#{first + 1}-#{last + 1} no longer fit and are out of sight.", file=sys.stderr)
        elif isinstance(event, TurnFailed):
            print()
            print(event.error, file=sys.stderr)
            self.code = 2 if event.error.bad_input else 1


def _end_line(message: Message) -> str:
    revision = message.revision
    parts = []
    if revision.thinking_cut:
        parts.append("stopped while thinking")
    elif revision.finish in _ENDS:
        parts.append(_ENDS[revision.finish])
    elif revision.stopped_by is StoppedBy.PERSONA:
        parts.append("stopped before it spoke for you")
    stats = revision.stats
    if stats is not None:
        speed = stats.reply_tokens / stats.reply_seconds if stats.reply_seconds else 0.0
        parts.append(f"{stats.reply_tokens} tokens, {speed:.1f}/s, {stats.reread_tokens} read again")
    return f"[{'; '.join(parts)}]"


def _turn(kotonia: Kotonia, request: TurnRequest, name: str) -> int:
    printer = _Printer(name)

    def stop(_signal: int, _frame: FrameType | None) -> None:
        running = kotonia.chat.running
        if running is not None:
            kotonia.chat.stop(running)

    before = signal.signal(signal.SIGINT, stop)  # Ctrl+C ends the reply, not the chat
    try:
        kotonia.chat.run(request, printer)
    finally:
        signal.signal(signal.SIGINT, before)
    return printer.code
