"""What stands in the memory head beside the texts: facts and claims, open matters, kept lines, within their budgets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from kotonia_desktop.domain.hand import UNTOUCHED, Hand, Target, hands
from kotonia_desktop.domain.ledger import LedgerRow, NewLink, Note, RowOrigin, Standing
from kotonia_desktop.domain.memory import Chapter, HeadLine, Item, ItemState, LineKind, Truth
from kotonia_desktop.domain.pins import Pin, PinnedBy
from kotonia_desktop.domain.threads import Thread, ThreadState
from kotonia_desktop.memory.ledger import notes_of, shown_notes
from kotonia_desktop.memory.matters import state_of
from kotonia_desktop.memory.policy import FoldPolicy
from kotonia_desktop.memory.units import content, units
from kotonia_desktop.prompt.head import kept_words, only_said, two_words
from kotonia_desktop.services.prompting import Scene
from kotonia_desktop.store.store import Store

MOST_THREADS = 8
MOST_PINS = 6
_RECENT = 10
"""So many of the newest messages decide which facts are near."""
Count = Callable[[Sequence[str]], Sequence[int]]
Hands = Mapping[tuple[Target, int], Hand]

_KINDS = {
    Standing.KNOWN: LineKind.KNOWN,
    Standing.OWN_WORD: LineKind.OWN_WORD,
    Standing.CORRECTED: LineKind.OWN_WORD,
    Standing.CONFIRMED: LineKind.KNOWN,
    Standing.TOLD: LineKind.TOLD,
    Standing.SIDES: LineKind.SIDES,
    Standing.CHANGED: LineKind.CHANGED,
    Standing.CARRIED: LineKind.CARRIED,
}


@dataclass(frozen=True, slots=True)
class Remembered:
    """All that is remembered of a path beside its texts, as it is stored."""

    rows: tuple[LedgerRow, ...] = ()
    links: tuple[NewLink, ...] = ()
    threads: tuple[Thread, ...] = ()
    pins: tuple[Pin, ...] = ()
    hands: Hands | None = None
    hand_seen: int = 0
    chapter_ends: tuple[int, ...] = ()

    def hand(self, target: Target, target_id: int) -> Hand:
        """What the user did to an item."""
        return (self.hands or {}).get((target, target_id), UNTOUCHED)

    @property
    def notes(self) -> list[Note]:
        """The ledger's rows as what they come to."""
        return notes_of(self.rows, self.links, self.hands or {})


def read_remembered(store: Store, conversation_id: int, newest: int | None = None) -> Remembered:
    """Read it; of the ledger's rows the `newest` so many (None: all). Raises `NotFound`."""
    acts = store.acts(conversation_id)
    return Remembered(
        rows=tuple(store.ledger(conversation_id, newest)),
        links=tuple(store.ledger_links(conversation_id)),
        threads=tuple(store.threads(conversation_id)),
        pins=tuple(store.pins(conversation_id)),
        hands=hands(acts),
        hand_seen=acts[-1].id if acts else 0,
        chapter_ends=tuple(store.chapter_ends(conversation_id)),
    )


def living_items(text: Chapter, remembered: Remembered, language: str) -> list[Item]:
    """The sentences of a text that may be shown, in the user's words where they changed them. One whose messages are
    gone is not; an edited message's stays, marked, until it is written anew."""
    found = []
    for item in text.items:
        hand = remembered.hand(Target.ITEM, item.id)
        if hand.leaves or (item.state is ItemState.GONE and not hand.locked):
            continue
        words = item.text if hand.text is None else hand.text
        if hand.truth is Truth.CLAIM and item.truth is Truth.FACT:
            words = only_said(words, language)
        found.append(replace(item, text=words) if words != item.text else item)
    return found


def head_lines(
    remembered: Remembered, scene: Scene, until: int | None, budgets: FoldPolicy, count: Count
) -> tuple[HeadLine, ...]:
    """The lines for a head that stands for the messages up to ordinal `until`. What is still in view word for word
    needs none."""
    language = scene.conversation.language
    notes = remembered.notes
    carried = [note for note in notes if note.standing is Standing.CARRIED]
    others = [note for note in notes if note.standing is not Standing.CARRIED]
    return (
        *_facts(carried, scene, until, budgets.texts // 2, count),
        *_facts(others, scene, until, budgets.facts, count),
        *_matters(remembered, until, budgets.matters, count),
        *_kept(remembered, until, budgets.kept, count, language),
    )


def note_line(note: Note, language: str) -> HeadLine:
    """A note as it stands in the head."""
    words = note.text
    if note.other is not None and note.standing in (Standing.SIDES, Standing.CHANGED):
        words = two_words(words, note.other.text, language, changed=note.standing is Standing.CHANGED)
    elif note.other is not None and note.standing is Standing.CORRECTED:
        words = note.other.text
    return HeadLine(_KINDS[note.standing], note.row.id, words)


def _facts(notes: Sequence[Note], scene: Scene, until: int | None, budget: int, count: Count) -> list[HeadLine]:
    language = scene.conversation.language
    notes = [
        note
        for note in notes
        if note.row.origin in (RowOrigin.CARRIED, RowOrigin.USER) or _is_out(note.row.ordinals, until)
    ]
    recent = content(units(" ".join(message.text for message in scene.messages[-_RECENT:])))

    def sizes(wanted: Sequence[Note]) -> Sequence[int]:
        return count([note_line(note, language).text for note in wanted])

    return [note_line(note, language) for note in shown_notes(notes, scene.card.name, sizes, budget, recent, language)]


def _matters(remembered: Remembered, until: int | None, budget: int, count: Count) -> list[HeadLine]:
    """The open ones, the newest first to get room."""
    lines = []
    for thread in remembered.threads:
        hand = remembered.hand(Target.THREAD, thread.id)
        opened = [event.ordinal for event in thread.events if event.ordinal is not None]
        if hand.leaves or state_of(thread, remembered.chapter_ends) is not ThreadState.OPEN:
            continue
        if _is_out(opened[:1], until):
            lines.append(HeadLine(LineKind.THREAD, thread.id, thread.title if hand.text is None else hand.text))
    return _newest_that_fit(lines[-MOST_THREADS:], budget, count)


def _kept(remembered: Remembered, until: int | None, budget: int, count: Count, language: str) -> list[HeadLine]:
    """The user's own pins first."""
    pins = [
        pin
        for pin in remembered.pins
        if pin.state is ItemState.VALID
        and not remembered.hand(Target.PIN, pin.id).leaves
        and pin.ordinal is not None
        and _is_out((pin.ordinal,), until)
    ]
    pins.sort(key=lambda pin: (pin.by is PinnedBy.USER, pin.id))
    lines = [HeadLine(LineKind.PIN, pin.id, kept_words(pin.speaker, pin.text, language)) for pin in pins[-MOST_PINS:]]
    kept = _newest_that_fit(lines, budget, count)
    order = {pin.id: pin.ordinal or 0 for pin in pins}
    return sorted(kept, key=lambda line: order[line.id])


def _newest_that_fit(lines: Sequence[HeadLine], budget: int, count: Count) -> list[HeadLine]:
    kept: list[HeadLine] = []
    left = budget
    for line, size in reversed(list(zip(lines, count([line.text for line in lines]), strict=True))):
        if size <= left:
            kept.append(line)
            left -= size
    return kept[::-1]


def _is_out(ordinals: Sequence[int], until: int | None) -> bool:
    return until is not None and bool(ordinals) and max(ordinals) <= until
