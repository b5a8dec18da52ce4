"""`kotonia chat`: a conversation in the terminal, through the same services as the window."""

import argparse
import signal
import sys
from pathlib import Path
from types import FrameType

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.library import Character, Conversation
from kotonia_desktop.domain.messages import FinishReason, Message, StoppedBy
from kotonia_desktop.services.chat import ContinueReply, Regenerate, Send, TurnRequest
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.library import default_persona_name
from kotonia_desktop.services.views import TurnEvent, TurnFailed, TurnFinished, TurnReading, TurnText

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
