"""What the ledger's rows come to: known, said, contradicted, corrected; and which of them the model is shown.

Pure. A row is stored once with what code made of its line; everything else follows here from later rows that point to
it and from the user's hand. A claim never becomes a fact because it was repeated, and a fact that is contradicted by
what happened is shown with it, as two sides of one matter.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from kotonia_desktop.domain.hand import UNTOUCHED, Hand, Target
from kotonia_desktop.domain.language import pick
from kotonia_desktop.domain.ledger import LedgerRow, LinkKind, NewLink, Note, RowKind, RowOrigin, Standing
from kotonia_desktop.domain.memory import ItemState, Truth
from kotonia_desktop.memory import phrases
from kotonia_desktop.memory.units import content, units


def notes_of(
    rows: Iterable[LedgerRow], links: Iterable[NewLink], hands: Mapping[tuple[Target, int], Hand]
) -> list[Note]:
    """The notes of rows that still stand on the path, oldest first. A row that contradicts or corrects another stands
    with that and not by itself."""
    living = {row.id: row for row in rows if row.state is not ItemState.GONE}
    against: dict[int, tuple[LinkKind, LedgerRow]] = {}
    confirmed: set[int] = set()
    spoken_for: set[int] = set()
    for link in links:
        row, earlier = living.get(link.row_id), living.get(link.earlier_id)
        if row is None or earlier is None or row.state is not ItemState.VALID:
            continue
        if hands.get((Target.ROW, row.id), UNTOUCHED).false or not may_link(row, earlier, link.kind):
            continue
        if link.kind is LinkKind.CONFIRMS:
            confirmed.add(earlier.id)
        else:
            against[earlier.id] = (link.kind, row)  # the newest word on it counts
    for _, row in against.values():
        spoken_for.add(row.id)
    return [
        _note(row, against.get(row.id), row.id in confirmed, hands.get((Target.ROW, row.id), UNTOUCHED))
        for row in living.values()
        if row.id not in spoken_for or row.id in against
    ]


def may_link(row: LedgerRow, earlier: LedgerRow, kind: LinkKind) -> bool:
    """Whether a link between two rows can mean anything: only what happened contradicts or confirms, only the same
    speaker changes a story, only the user corrects what they said of themselves. Whoever found it."""
    if kind in (LinkKind.CONTRADICTS, LinkKind.CONFIRMS):
        return row.truth is Truth.FACT and settles(row)
    same = bool(row.told_by) and row.told_by == earlier.told_by
    if kind is LinkKind.SUPERSEDES:
        return same and row.kind is RowKind.OWN_WORD and earlier.kind is RowKind.OWN_WORD
    return same and row.truth is Truth.CLAIM and earlier.truth is Truth.CLAIM


def settles(row: LedgerRow) -> bool:
    """Whether a row may settle what somebody claimed: narration and acts, the author's notes, a mind's thought about
    itself. A thought about somebody else is a belief."""
    if row.kind is RowKind.THOUGHT:
        return row.subject == row.told_by
    return row.kind in (RowKind.HAPPENED, RowKind.CANON)


def _note(row: LedgerRow, against: tuple[LinkKind, LedgerRow] | None, confirmed: bool, hand: Hand) -> Note:
    other = against[1] if against is not None else None
    if hand.false:
        return Note(row, Standing.FALSE, other, hand)
    if hand.truth is Truth.FACT:
        return Note(row, Standing.KNOWN, None, hand)
    if row.origin is RowOrigin.CARRIED and row.kind in (RowKind.STORY, RowKind.KEPT):
        return Note(row, Standing.CARRIED, None, hand)
    if against is not None:
        kinds = {LinkKind.CONTRADICTS: Standing.SIDES, LinkKind.SUPERSEDES: Standing.CORRECTED}
        return Note(row, kinds.get(against[0], Standing.CHANGED), other, hand)
    if row.truth is Truth.FACT and hand.truth is not Truth.CLAIM:
        return Note(row, Standing.OWN_WORD if row.kind is RowKind.OWN_WORD else Standing.KNOWN, None, hand)
    return Note(row, Standing.CONFIRMED if confirmed else Standing.TOLD, None, hand)


_LEAST_MEASURED = 64
_SHORTEST = 6
"""Tokens of a note, about, at least."""
_RANK = {
    Standing.OWN_WORD: 0,
    Standing.CORRECTED: 0,
    Standing.SIDES: 1,
    Standing.CHANGED: 1,
    Standing.CARRIED: 1,
    Standing.KNOWN: 2,
    Standing.CONFIRMED: 2,
    Standing.TOLD: 3,
}


def shown_notes(
    notes: Sequence[Note],
    char: str,
    size: Callable[[Sequence[Note]], Sequence[int]],
    budget: int,
    recent: Collection[tuple[str, ...]] = (),
    language: str = "en",
) -> list[Note]:
    """The notes that stand in the prompt, oldest first, within `budget` tokens (`size` gives those of each).

    Only what the character may know, what the user left there, and what its message still says. What the user typed or
    edited goes before all. Then come the user's own words, contradictions and what was carried along, then what is
    known, then what was said; within these what stays so (names, ties, promises), what shares words with the newest
    messages (`recent`), and what is newer.
    """
    offered = [
        note
        for note in notes
        if note.standing is not Standing.FALSE
        and not note.hand.hidden
        and note.is_known_to(char)
        and (note.row.state is ItemState.VALID or note.hand.locked)
    ]
    lasting = pick(phrases.LASTING, language)

    def rank(note: Note) -> tuple[int, int, int, int, int]:
        touched = 0 if note.row.origin is RowOrigin.USER or note.hand.acts else 1
        related = len(content(units(note.text)) & set(recent))
        stays = 0 if lasting.search(note.text) else 1
        return touched, _RANK[note.standing], stays, -min(2, related), -note.row.id

    # No more are measured than could stand there: a ledger of years is not counted anew at each fold.
    best = sorted(offered, key=rank)[: max(_LEAST_MEASURED, budget // _SHORTEST)]
    sizes = dict(zip((note.row.id for note in best), size(best), strict=True))
    chosen: list[Note] = []
    left = budget
    for note in best:
        if sizes[note.row.id] <= left:
            chosen.append(note)
            left -= sizes[note.row.id]
    return sorted(chosen, key=lambda note: note.row.id)
