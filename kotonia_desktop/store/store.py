"""The store: everything the app keeps, as one flat set of methods, each one transaction.

A composition root: what the methods do stands in `library`, `conversations`, `branches`, `paths`, `messages`,
`alternates`, `recovery`, `search`, `recall`, `heads`, `folds`, `chapters`, `ledger`, `threads`, `pins`, `hands` and
`integrity`. It lives in one thread (see `worker`).
"""

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from kotonia_desktop.domain.ports import Clock, SystemClock
from kotonia_desktop.store.alternates import Alternates
from kotonia_desktop.store.branches import Branches
from kotonia_desktop.store.chapters import Chapters
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.conversations import Conversations
from kotonia_desktop.store.events import EventLog
from kotonia_desktop.store.folds import Folds
from kotonia_desktop.store.hands import Hands
from kotonia_desktop.store.heads import Heads
from kotonia_desktop.store.integrity import Integrity
from kotonia_desktop.store.ledger import Ledger
from kotonia_desktop.store.library import Library
from kotonia_desktop.store.marks import Marks
from kotonia_desktop.store.messages import Messages
from kotonia_desktop.store.paths import Paths
from kotonia_desktop.store.pins import Pins
from kotonia_desktop.store.recall import Recall
from kotonia_desktop.store.rechecks import Rechecks
from kotonia_desktop.store.recovery import Recovery
from kotonia_desktop.store.search import SearchIndex
from kotonia_desktop.store.threads import Threads

T = TypeVar("T")


class Store:
    """The data file, open. Every method raises a `StoreError` where the file cannot be read or written."""

    def __init__(self, path: Path, clock: Clock | None = None) -> None:
        """Open the data file, made or migrated where needed. Raises as `Database` does."""
        self._db = Database(path, clock or SystemClock())
        events = EventLog(self._db.clock)
        branches = Branches(self._db, events)
        paths = Paths(self._db, branches)
        library = Library(self._db, events)
        conversations = Conversations(self._db, events, branches)
        search = SearchIndex(self._db)
        messages = Messages(self._db, events, branches, conversations, paths, search)
        alternates = Alternates(self._db, events, branches, paths, messages, search)
        heads = Heads(self._db, branches)
        folds = Folds(self._db, branches)
        chapters = Chapters(self._db, branches, heads)
        ledger = Ledger(self._db)
        threads = Threads(self._db)
        pins = Pins(self._db)
        hands = Hands(self._db)
        rechecks = Rechecks(self._db)

        self.get_setting = library.get_setting
        self.set_setting = library.set_setting
        self.all_settings = library.all_settings
        self.put_asset = library.put_asset
        self.get_asset = library.get_asset
        self.add_character = library.add_character
        self.characters = library.characters
        self.character = library.character
        self.remove_character = library.remove_character
        self.restore_character = library.restore_character
        self.add_persona = library.add_persona
        self.personas = library.personas
        self.persona = library.persona
        self.update_persona = library.update_persona

        self.add_conversation = conversations.add_conversation
        self.conversations = conversations.conversations
        self.conversation = conversations.conversation
        self.update_conversation = conversations.update_conversation
        self.touch_conversation = conversations.touch_conversation
        self.remove_conversation = conversations.remove_conversation
        self.restore_conversation = conversations.restore_conversation
        self.composer_draft = conversations.composer_draft
        self.set_composer_draft = conversations.set_composer_draft
        self.format_rate = conversations.format_rate

        self.branches = branches.branches
        self.add_branch = branches.add_branch
        self.set_active_branch = branches.set_active_branch

        self.append_message = messages.append_message
        self.append_many = messages.append_many
        self.begin_reply = messages.begin_reply
        self.save_draft = messages.save_draft
        self.finish_reply = messages.finish_reply
        self.discard_reply = messages.discard_reply
        self.recover_drafts = Recovery(self._db, paths, messages).recover_drafts
        self.add_revision = messages.add_revision
        self.set_note = messages.set_note

        self.alternates = paths.alternates
        self.select_alternate = alternates.select_alternate
        self.delete_messages = alternates.delete_messages
        self.undo = alternates.undo

        self.message = paths.message
        self.messages = paths.messages
        self.visible_count = paths.visible_count
        self.page = paths.page
        self.page_after = paths.page_after
        self.around = paths.around
        self.path = paths.path
        self.last_message = paths.last_message
        self.search = search.search
        self.ranked = Recall(self._db).ranked
        self.mark_message = Marks(self._db, events, paths).mark_message

        self.head = heads.head
        self.set_head = heads.set_head
        self.forced_cuts = heads.forced_cuts
        self.begin_fold = folds.begin_fold
        self.add_attempt = folds.add_attempt
        self.fail_fold = folds.fail_fold
        self.apply_folds = folds.apply_folds
        self.next_to_note = folds.next_to_note
        self.set_noted = folds.set_noted
        self.recover_folds = folds.recover_folds
        self.folds = folds.folds
        self.store_chapter = chapters.store_chapter
        self.rename_chapter = chapters.rename_chapter
        self.waiting_version = chapters.waiting_version
        self.take_version = chapters.take_version
        self.chapters = chapters.chapters
        self.unmerged = chapters.unmerged
        self.covered_until = chapters.covered_until
        self.count_chapters = chapters.count_chapters
        self.items = chapters.items
        self.chapter_ends = chapters.chapter_ends
        self.add_rows = ledger.add_rows
        self.link_rows = ledger.link_rows
        self.ledger = ledger.ledger
        self.ledger_rows = ledger.ledger_rows
        self.ledger_links = ledger.ledger_links
        self.open_thread = threads.open_thread
        self.add_thread_event = threads.add_thread_event
        self.conversation_of_thread = threads.conversation_of_thread
        self.threads = threads.threads
        self.add_pin = pins.add_pin
        self.remove_pin = pins.remove_pin
        self.pins = pins.pins
        self.add_act = hands.add_act
        self.acts = hands.acts
        self.last_act = hands.last_act
        self.made_from = rechecks.made_from
        self.confirm = rechecks.confirm
        self.set_now = hands.set_now
        self.now_lines = hands.now_lines
        self.damaged_messages = Integrity(self._db).damaged_messages

    def now(self) -> float:
        """The store's clock: seconds since 1970, as rows are dated."""
        return self._db.clock.now()

    def atomically(self, act: Callable[[], T]) -> T:
        """Run `act`; all it writes is written at once, or nothing of it where it raises."""
        with self._db.transaction():
            return act()

    def close(self) -> None:
        """Give the file free."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
