"""What the tests of folding share: a conversation past its trigger, writers that fail, a fold that can be killed."""

import sys
import threading
from pathlib import Path

from turn_events import Catch, open_with_model, short_replies, turn

from kotonia_desktop.domain.library import CharacterCard
from kotonia_desktop.domain.memory import WritingStats
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.memory.chronicler import ChroniclerPrompt
from kotonia_desktop.memory.writing import Written
from kotonia_desktop.services.chat import Send
from kotonia_desktop.services.folding import WriterKind
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.memory_views import FoldStatus

WINDOW = 4096


def stage(folder: Path, model: Path, window: int = WINDOW) -> Kotonia:
    """Kotonia with a small window, short replies and chapters that code picks."""
    kotonia = open_with_model(folder, model, window=window)
    short_replies(kotonia, 16)
    kotonia.folding.writer = WriterKind.EXTRACT
    return kotonia


def bare_conversation(kotonia: Kotonia) -> int:
    """A conversation whose character has next to no card."""
    character = kotonia.library.add_character(CharacterCard(name="Mira", description="A smith.", language="en"))
    persona, _ = kotonia.library.save_persona("Sam", "")
    conversation, _ = kotonia.library.create_conversation(character.id, persona.id)
    return conversation.id


def line(number: int) -> str:
    """A line of the user's that says something of its own."""
    things = ("anvil", "lantern", "harbour", "ledger", "copper wire", "orchard", "ferry", "bellows")
    return f"I carried the {things[number % len(things)]} number {number} to the old mill and promised to come back."


def talk(kotonia: Kotonia, conversation_id: int, count: int, start: int = 0) -> Catch:
    caught = Catch()
    for number in range(start, start + count):
        caught = turn(kotonia, Send(conversation_id, line(number)))
        assert caught.failed is None, caught.failed
    return caught


def talk_past_the_trigger(kotonia: Kotonia, conversation_id: int) -> int:
    """Talk until there is something to fold; how many lines were said."""
    for number in range(80):
        if kotonia.folding.due_in(conversation_id) is not None:
            return number
        talk(kotonia, conversation_id, 1, number)
    raise AssertionError("the trigger was never passed")


def work(kotonia: Kotonia, conversation_id: int, *, force: bool = False) -> list[FoldStatus]:
    told: list[FoldStatus] = []
    kotonia.folding.work(conversation_id, told.append, force=force)
    return told


def states(kotonia: Kotonia, conversation_id: int) -> dict[int, str]:
    """What became of each message: verbatim, covered or queued. Raises where one is none or two of them."""
    view = kotonia.folding.view(conversation_id)
    found: dict[int, str] = {}

    def put(first: int, last: int, state: str) -> None:
        for ordinal in range(first, last + 1):
            assert ordinal not in found, (ordinal, found[ordinal], state)
            found[ordinal] = state

    if view.in_view is not None:
        put(*view.in_view, "verbatim")
    for first, last in view.queued:
        put(first, last, "queued")
    shown = view.in_view[0] if view.in_view is not None else 0
    for text in (*view.story, *view.merged):
        if text.chapter.level == 0:  # written ahead, its messages may still be shown
            put(text.chapter.first_ordinal, min(text.chapter.last_ordinal, shown - 1), "covered")
    assert sorted(found) == list(range(len(kotonia.chat.page(conversation_id, limit=10_000).messages)))
    return found


class Copier:
    """A writer that hands a line of the log back as its record."""

    text = ""

    def __call__(self, _conversation_id: int) -> "Copier":
        return self

    def write(self, prompt: ChroniclerPrompt) -> Written:
        row = next(row for row in prompt.items[-1].text.splitlines() if "(tells): I carried" in row)
        self.text = "- " + row.split("(tells): ")[1]
        return Written(self.text, FinishReason.STOP, WritingStats())

    def cancel(self) -> None:
        """It is never slow."""


class Scripted:
    """A writer that always writes the same: the fault that gates are for. It can be made to wait."""

    def __init__(self, text: str, finish: FinishReason = FinishReason.STOP, error: str = "") -> None:
        self.text, self.finish, self.error = text, finish, error
        self.gate = threading.Event()
        self.gate.set()
        self.begun = threading.Event()
        self.cancelled = threading.Event()

    def __call__(self, _conversation_id: int) -> "Scripted":
        return self

    def write(self, _prompt: ChroniclerPrompt) -> Written:
        self.begun.set()
        while not self.gate.wait(0.02):
            if self.cancelled.is_set():
                return Written("", FinishReason.CANCELLED, WritingStats(), "cancelled")
        return Written(self.text, self.finish, WritingStats(seed=3), self.error)

    def cancel(self) -> None:
        self.cancelled.set()


def main(folder: Path, model: Path) -> None:
    """A process that folds without end, to be killed at any instant."""
    with stage(folder, model) as kotonia:
        kotonia.folding.writer = WriterKind.MODEL
        conversation_id = kotonia.library.conversations()[0].id
        print("ready", flush=True)
        kotonia.folding.work(conversation_id, lambda status: print(status.activity, flush=True), force=True)
        print("done", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
