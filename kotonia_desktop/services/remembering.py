"""What is remembered beside the texts, for people: facts, open matters, kept lines, where the story stands; and the
user's hand on all of it.

Nothing is overwritten: an act is stored, what an item shows follows from its acts, and taking one back is another. The
prompt changes when the new beginning has been read in the background; until then the newest message's note says what is
no longer so (`errata`).
"""

from kotonia_desktop.domain.errors import BadMemoryAct, NotFound
from kotonia_desktop.domain.hand import Act, Target
from kotonia_desktop.domain.ledger import NewRow, RowKind, RowOrigin
from kotonia_desktop.domain.memory import Truth
from kotonia_desktop.domain.messages import Changes
from kotonia_desktop.domain.pins import NewPin, PinnedBy
from kotonia_desktop.domain.ports import ChatEngine
from kotonia_desktop.domain.scene import NowField, NowLine
from kotonia_desktop.domain.threads import NewThreadEvent, ThreadEventKind
from kotonia_desktop.memory.matters import closing_of, doubt_of, state_of
from kotonia_desktop.services.head_lines import Remembered, read_remembered
from kotonia_desktop.services.memory_views import PinView, RememberedView, ThreadView
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

LONGEST_WORDS = 2_000
"""Characters of what a user may type for one item."""
_TRUTH_ACTS = (Act.NOT_TRUE, Act.ONLY_SAID, Act.TRUE, Act.AS_FOUND)


class RememberService:
    """Shows and changes what is remembered. Methods block; each may be called from any thread but the window's."""

    def __init__(self, store: StoreThread, engine: ChatEngine) -> None:
        self._store = store
        self._engine = engine

    def view(self, conversation_id: int) -> RememberedView:
        """All that is remembered of the active path beside its texts. Raises `NotFound`."""

        def read(store: Store) -> tuple[Remembered, list[NowLine], frozenset[tuple[str, int]], str, str]:
            conversation = store.conversation(conversation_id)
            persona = store.persona(conversation.persona_id).name
            shown = frozenset((line.kind.value, line.id) for line in store.head(conversation_id).lines)
            now = store.now_lines(conversation_id)
            return read_remembered(store, conversation_id), now, shown, conversation.language, persona

        remembered, now, shown, language, persona = self._store.run(read)
        touched = {number: hand for (kind, number), hand in (remembered.hands or {}).items() if kind is Target.ITEM}
        in_head = frozenset(number for kind, number in shown if kind not in ("thread", "pin", "item"))
        return RememberedView(
            conversation_id=conversation_id,
            notes=tuple(remembered.notes),
            threads=tuple(
                ThreadView(
                    thread,
                    state_of(thread, remembered.chapter_ends),
                    doubt_of(thread),
                    closing_of(thread),
                    remembered.hand(Target.THREAD, thread.id),
                    ("thread", thread.id) in shown,
                )
                for thread in remembered.threads
            ),
            pins=tuple(
                PinView(pin, remembered.hand(Target.PIN, pin.id), ("pin", pin.id) in shown) for pin in remembered.pins
            ),
            now=tuple(now),
            in_head=in_head,
            item_hands=touched,
            language=language,
            persona=persona,
        )

    def act(self, conversation_id: int, target: Target, target_id: int, act: Act, text: str = "") -> Changes:
        """Do something to an item: `EDIT` (with `text`), `RELEASE`, `HIDE`, `SHOW`; to facts and sentences also
        `NOT_TRUE`, `ONLY_SAID`, `TRUE`, `AS_FOUND`. Raises `BadMemoryAct` where that means nothing, `NotFound`."""
        words = " ".join(text.split())
        if act is Act.EDIT and not 0 < len(words) <= LONGEST_WORDS:
            raise BadMemoryAct(detail="an item needs words" if not words else f"more than {LONGEST_WORDS} characters")
        if target in (Target.MESSAGE, Target.TEXT):
            raise BadMemoryAct(detail=f"a {target.value} is changed where it stands")
        if act in _TRUTH_ACTS and target not in (Target.ITEM, Target.ROW):
            raise BadMemoryAct(detail=f"{act.value} says nothing of a {target.value}")
        if act is Act.EDIT and target is Target.PIN:
            raise BadMemoryAct(detail="a kept line stays as it was said")

        def write(store: Store) -> None:
            _check(store, conversation_id, target, target_id)
            store.add_act(conversation_id, target, target_id, act, words if act is Act.EDIT else "")

        self._store.run(write)
        return _changed(conversation_id)

    def add_fact(self, conversation_id: int, text: str, subject: str = "") -> Changes:
        """A fact in the user's own words, out of character: it holds. Raises `BadMemoryAct`, `NotFound`."""
        words = " ".join(text.split())
        if not 0 < len(words) <= LONGEST_WORDS:
            raise BadMemoryAct(detail="a fact needs words")
        row = NewRow(subject, words, Truth.FACT, RowKind.CANON, origin=RowOrigin.USER, quote=words)

        def write(store: Store) -> None:
            (row_id,) = store.add_rows(conversation_id, [row])
            store.add_act(conversation_id, Target.ROW, row_id, Act.SHOW)

        self._store.run(write)
        return _changed(conversation_id)

    # -- kept lines

    def pin(self, message_id: int, start: int | None = None, end: int | None = None) -> Changes:
        """Keep a message, or characters `start` to `end` (exclusive) of it, word for word. Raises `BadMemoryAct` where
        there is nothing, `NotFound`."""

        def write(store: Store) -> int:
            message = store.message(message_id)
            first = 0 if start is None else max(0, start)
            last = len(message.text) if end is None else min(len(message.text), end)
            if not message.text[first:last].strip():
                raise BadMemoryAct(detail="there are no words to keep")
            pin = NewPin(message_id, message.revision.id, first, last, PinnedBy.USER)
            pin_id = store.add_pin(message.conversation_id, pin)
            store.add_act(message.conversation_id, Target.PIN, pin_id, Act.SHOW)
            return message.conversation_id

        return _changed(self._store.run(write))

    def unpin(self, pin_id: int) -> Changes:
        """Keep a line no longer. Raises `NotFound`."""

        def write(store: Store) -> int:
            conversation_id = store.remove_pin(pin_id)
            store.add_act(conversation_id, Target.PIN, pin_id, Act.HIDE)
            return conversation_id

        return _changed(self._store.run(write))

    # -- open matters

    def open_matter(self, message_id: int, title: str = "") -> Changes:
        """A matter that a message opens, by the user's word. Raises `BadMemoryAct` without words, `NotFound`."""

        def write(store: Store) -> int:
            message = store.message(message_id)
            words = " ".join((title or message.text).split())[:LONGEST_WORDS]
            if not words:
                raise BadMemoryAct(detail="a matter needs words")
            event = NewThreadEvent(ThreadEventKind.OPENED, message_id, None, words, by_user=True)
            thread_id = store.open_thread(message.conversation_id, words, event)
            store.add_act(message.conversation_id, Target.THREAD, thread_id, Act.SHOW)
            return message.conversation_id

        return _changed(self._store.run(write))

    def settle(self, thread_id: int, *, settled: bool, message_id: int | None = None) -> Changes:
        """Say that a matter is settled, or that it is not (any more). `message_id` shows it; without one the newest
        message stands for it, so that it counts on this path alone. Raises `NotFound`."""

        def write(store: Store) -> int:
            kind = ThreadEventKind.CLOSED if settled else ThreadEventKind.REOPENED
            anchor = message_id
            conversation_id = store.conversation_of_thread(thread_id)
            if anchor is None:
                newest = store.last_message(conversation_id)
                anchor = None if newest is None else newest.id
            store.add_thread_event(thread_id, NewThreadEvent(kind, anchor, None, by_user=True))
            store.add_act(conversation_id, Target.THREAD, thread_id, Act.SHOW)
            return conversation_id

        return _changed(self._store.run(write))

    # -- where the story stands

    def set_now(self, conversation_id: int, field: NowField, text: str) -> Changes:
        """Type a line of where the story stands; nothing but the user changes it until it is cleared (""). Raises
        `NotFound`."""
        words = " ".join(text.split())[:LONGEST_WORDS]
        line = NowLine(field, words, locked=bool(words))
        self._store.run(lambda s: s.set_now(conversation_id, [line]))
        return _changed(conversation_id)


def _changed(conversation_id: int) -> Changes:
    return Changes(conversation_id=conversation_id, memory=True)


def _check(store: Store, conversation_id: int, target: Target, target_id: int) -> None:
    """Raise `NotFound` where a conversation has no such item."""
    if target is Target.ITEM:
        known = any(item.id == target_id for text in store.chapters(conversation_id) for item in text.items)
    elif target is Target.ROW:
        known = any(row.id == target_id for row in store.ledger(conversation_id))
    elif target is Target.THREAD:
        known = any(thread.id == target_id for thread in store.threads(conversation_id))
    else:
        known = any(pin.id == target_id for pin in store.pins(conversation_id))
    if not known:
        raise NotFound(what=target.value, key=target_id)
