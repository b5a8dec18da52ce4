"""The command line: the same services without the window.

`kotonia` opens the app; `kotonia chat`, `import`, `prompt`, `memory`, `fold`, `carry`, `replay`, `bench`, `eval` and
`doctor` work without a display. Errors print the text the window would show; the exit code is 2 for bad input, 1 for
everything else that went wrong.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from kotonia_desktop import __version__
from kotonia_desktop.cli import bench, evaluation, memory, remember
from kotonia_desktop.cli.chat import chat
from kotonia_desktop.domain.errors import KotoniaError
from kotonia_desktop.paths import default_data_dir
from kotonia_desktop.services.doctor import examine
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import PromptView


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
    bench.add_parsers(commands)
    evaluation.add_parsers(commands)
    memory.add_parsers(commands)
    remember.add_parsers(commands)
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
            return bench.run(options, data_dir)
        if options.command == "eval":
            return evaluation.run(options)
        with Kotonia(data_dir) as kotonia:
            if options.command == "import":
                return _import(kotonia, options.file)
            if options.command == "prompt":
                return _prompt(kotonia, options.conversation, options.model, options.json)
            if options.command == "replay":
                return memory.run_replay(kotonia, options)
            if options.command == "carry":
                return remember.run_carry(kotonia, options)
            if options.command == "memory":
                return memory.run_memory(kotonia, options)
            if options.command == "fold":
                return memory.run_fold(kotonia, options)
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
