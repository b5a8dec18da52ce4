"""Takes memory along into a new conversation: a copy of what the user chooses, each line with where it is from.

Notes belong to a persona: what was said to one is not told to another.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kotonia_desktop.domain.hand import Act, Target
from kotonia_desktop.domain.ledger import LedgerRow, NewLink, NewRow, Note, RowKind, RowOrigin
from kotonia_desktop.domain.library import Conversation
from kotonia_desktop.domain.memory import Chapter, Truth
from kotonia_desktop.domain.messages import Changes
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.prompt.head import kept_words
from kotonia_desktop.services.head_lines import Remembered, living_items, read_remembered
from kotonia_desktop.services.heads import HeadKeeper
from kotonia_desktop.services.library import start_conversation
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread


@dataclass(frozen=True, slots=True)
class Luggage:
    """What goes along: the story so far, notes about the user's persona, notes about everybody else, kept lines."""

    story: bool = True
    about_me: bool = True
    about_them: bool = True
    kept: bool = True


class CarryService:
    """Starts conversations that know of others. Methods block; from any thread but the window's."""

    def __init__(self, store: StoreThread, engine: ChatEngine, heads: HeadKeeper) -> None:
        self._store = store
        self._engine = engine
        self._heads = heads

    def carry(
        self, conversation_id: int, luggage: Luggage, persona_id: int | None = None
    ) -> tuple[Conversation, int, Changes]:
        """A new conversation with the same character that takes `luggage` along; how many lines that were. With
        another persona nothing goes along that the old one told, was told, or is named in. Raises `NotFound`."""

        def write(store: Store) -> tuple[Conversation, int]:
            old = store.conversation(conversation_id)
            persona = store.persona(old.persona_id)
            made = start_conversation(store, old.character_id, persona_id or old.persona_id, 0)
            remembered = read_remembered(store, conversation_id)
            me = persona.name
            rows, links = _notes(remembered, luggage, me, old.title)
            if luggage.story:
                rows += _story(remembered, store.unmerged(conversation_id), old)
            if luggage.kept:
                rows += _kept(remembered, old)
            if made.persona_id != old.persona_id:
                rows = [row for row in rows if not _concerns(row, me)]
                links = []
            ids = store.add_rows(made.id, [replace(row, sources=()) for row in rows])
            store.link_rows([replace(x, row_id=ids[x.row_id], earlier_id=ids[x.earlier_id]) for x in links])
            for row_id in ids[:1]:
                store.add_act(made.id, Target.ROW, row_id, Act.SHOW)  # the head is made with them
            return made, len(ids)

        made, count = self._store.run(write)
        model = self._engine.model
        if count and model is not None:
            self._heads.apply_due(made.id, model, finished=True)
        return made, count, Changes(conversation_id=made.id, conversations=True, path_changed=True, memory=True)


def _notes(remembered: Remembered, luggage: Luggage, me: str, title: str) -> tuple[list[NewRow], list[NewLink]]:
    """Rows of notes, and links between them by their places in the list."""
    rows: list[NewRow] = []
    links: list[NewLink] = []
    places: dict[int, int] = {}
    by_id = {(link.row_id, link.earlier_id): link for link in remembered.links}
    for note in remembered.notes:
        mine = me in (note.row.subject, note.row.told_by)
        if not (luggage.about_me if mine else luggage.about_them) or note.hand.leaves:
            continue
        for row in (note.row, note.other):
            if row is not None and row.id not in places:
                places[row.id] = len(rows)
                rows.append(_copy(row, note if row is note.row else None, title))
        link = by_id.get((note.other.id, note.row.id)) if note.other is not None else None
        if link is not None:
            links.append(replace(link, row_id=places[link.row_id], earlier_id=places[link.earlier_id]))
    return rows, links


def _copy(row: LedgerRow, note: Note | None, title: str) -> NewRow:
    """A row as the user left it, with where it is from."""
    truth = row.truth if note is None or note.hand.truth is None else note.hand.truth
    return NewRow(
        subject=row.subject,
        text=row.text if note is None else note.text,
        truth=truth,
        kind=row.kind,
        told_by=row.told_by,
        told_to=row.told_to,
        quote=row.quote,
        known_to=row.known_to,
        origin=RowOrigin.CARRIED,
        receipt=row.receipt or _receipt(title, row.ordinals),
    )


def _story(remembered: Remembered, texts: Sequence[Chapter], old: Conversation) -> list[NewRow]:
    return [
        NewRow(
            subject=item.speaker,
            text=item.text,
            truth=item.truth,
            kind=RowKind.STORY,
            told_by=item.speaker,
            quote=item.text,
            origin=RowOrigin.CARRIED,
            receipt=_receipt(old.title, item.ordinals),
        )
        for text in texts
        for item in living_items(text, remembered, old.language)
    ]


def _kept(remembered: Remembered, old: Conversation) -> list[NewRow]:
    return [
        NewRow(
            subject=pin.speaker,
            text=kept_words(pin.speaker, pin.text, old.language),
            truth=Truth.CLAIM,
            kind=RowKind.KEPT,
            told_by=pin.speaker,
            quote=pin.text,
            origin=RowOrigin.CARRIED,
            receipt=_receipt(old.title, () if pin.ordinal is None else (pin.ordinal,)),
        )
        for pin in remembered.pins
        if not remembered.hand(Target.PIN, pin.id).leaves
    ]


def _concerns(row: NewRow, me: str) -> bool:
    """Whether a persona told it, was told it, alone knows it, or is named in it."""
    return me in (row.subject, row.told_by, row.told_to) or me in row.known_to or me in row.text


def _receipt(title: str, ordinals: Sequence[int]) -> str:
    if not ordinals:
        return title
    first, last = min(ordinals) + 1, max(ordinals) + 1
    return f"{title} #{first}" if first == last else f"{title} #{first}-#{last}"
