"""`kotonia memory` beside the story: facts, open matters, kept lines, where the story stands; and `kotonia carry`."""

import argparse

from kotonia_desktop.domain.ledger import Note, Standing
from kotonia_desktop.services.carrying import Luggage
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.memory_views import RememberedView

_WORDS = {
    Standing.KNOWN: "known",
    Standing.OWN_WORD: "your word",
    Standing.TOLD: "told",
    Standing.CONFIRMED: "told, confirmed",
    Standing.SIDES: "two sides",
    Standing.CHANGED: "changed",
    Standing.CORRECTED: "your word, corrected",
    Standing.CARRIED: "carried",
    Standing.FALSE: "not true",
}


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    carry = commands.add_parser("carry", help="start a new conversation that takes memory along")
    carry.add_argument("conversation", type=int)
    carry.add_argument("--persona", type=int, help="another persona: what concerns the old one stays behind")
    for part in ("story", "about-me", "about-them", "kept"):
        carry.add_argument(f"--no-{part}", action="store_true", help=f"leave {part.replace('-', ' ')} behind")


def run_carry(kotonia: Kotonia, options: argparse.Namespace) -> int:
    """`kotonia carry`."""
    luggage = Luggage(
        story=not options.no_story,
        about_me=not options.no_about_me,
        about_them=not options.no_about_them,
        kept=not options.no_kept,
    )
    made, count, _ = kotonia.carrying.carry(options.conversation, luggage, options.persona)
    print(f"Conversation {made.id} takes {count} lines of conversation {options.conversation} along.")
    return 0


def print_remembered(view: RememberedView) -> None:
    """Facts, matters, kept lines and where the story stands, as lines."""
    if view.now:
        print(
            "\nNow: "
            + "; ".join(f"{line.field.value}: {line.text}{' (yours)' if line.locked else ''}" for line in view.now)
        )
    if view.notes:
        print("\nFacts and claims:")
    for note in view.notes:
        print(f"    {_WORDS[note.standing]}: {note.text}{_against(note)}  [{_where(note)}]")
    if view.threads:
        print("\nOpen matters:")
    for thread in view.threads:
        doubt = f"; may be settled: {thread.doubt.text}" if thread.doubt is not None else ""
        print(f"    {thread.state.value}: {thread.thread.title}{doubt}")
    if view.pins:
        print("\nKept word for word:")
    for kept in view.pins:
        print(f"    {kept.pin.speaker}: {kept.pin.text}  [#{(kept.pin.ordinal or 0) + 1}, by the {kept.pin.by.value}]")


def _against(note: Note) -> str:
    if note.other is None:
        return ""
    words = {Standing.SIDES: "in fact", Standing.CHANGED: "then", Standing.CORRECTED: "now"}
    return f" | {words.get(note.standing, 'later')}: {note.other.text}"


def _where(note: Note) -> str:
    places = ", ".join(f"#{ordinal + 1}" for ordinal in note.row.ordinals)
    return places or note.row.receipt or note.row.origin.value
