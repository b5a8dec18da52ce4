"""Conversations: their rows, the order of their use, composer drafts."""

from sqlmodel import Session, col, func, select

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.library import Conversation, ConversationSummary, ProseMarkup, ReplyFormat
from kotonia_desktop.domain.messages import FormatRate
from kotonia_desktop.store.branches import Branches, find_conversation
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.events import EventKind, EventLog
from kotonia_desktop.store.rows import encode_markup, storable, to_conversation
from kotonia_desktop.store.tables import CharacterRow, ComposerDraftRow, ConversationRow, PersonaRow


class Conversations:
    """Reads and writes conversations."""

    def __init__(self, db: Database, events: EventLog, branches: Branches) -> None:
        self._db = db
        self._events = events
        self._branches = branches

    def add_conversation(
        self,
        character_id: int,
        persona_id: int,
        title: str,
        language: str,
        reply_format: ReplyFormat,
        markup: ProseMarkup,
    ) -> Conversation:
        """A new conversation, empty, the newest in use. Raises `NotFound`."""
        now = self._db.clock.now()
        with self._db.transaction() as session:
            if session.get(CharacterRow, character_id) is None:
                raise NotFound(what="character", key=character_id)
            if session.get(PersonaRow, persona_id) is None:
                raise NotFound(what="persona", key=persona_id)
            row = ConversationRow(
                title=storable(title),
                character_id=character_id,
                persona_id=persona_id,
                reply_format=ReplyFormat(reply_format).value,
                markup=encode_markup(markup),
                language=language,
                created_at=now,
                last_used_at=now,
                use_number=_next_use(session),
            )
            session.add(row)
            session.flush()
            root = self._branches.make(session, row, None, "")
            self._branches.activate(session, row, root.id)
            return to_conversation(row)

    def conversations(self) -> list[ConversationSummary]:
        """The conversations that are not removed, the last used first."""
        with self._db.transaction() as session:
            rows = session.exec(
                select(ConversationRow, CharacterRow.name, CharacterRow.picture)
                .join(CharacterRow)
                .where(~col(ConversationRow.removed))
                .order_by(col(ConversationRow.use_number).desc())
            )
            return [
                ConversationSummary(
                    id=row.id,
                    title=row.title,
                    character_id=row.character_id,
                    character_name=name,
                    picture=picture,
                    language=row.language,
                    message_count=row.message_count,
                    last_used_at=row.last_used_at,
                )
                for row, name, picture in rows
            ]

    def conversation(self, conversation_id: int) -> Conversation:
        """A conversation that is not removed. Raises `NotFound`."""
        with self._db.transaction() as session:
            return to_conversation(find_conversation(session, conversation_id))

    def update_conversation(
        self,
        conversation_id: int,
        *,
        title: str | None = None,
        persona_id: int | None = None,
        reply_format: ReplyFormat | None = None,
        markup: ProseMarkup | None = None,
        language: str | None = None,
    ) -> Conversation:
        """Change what is given. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = find_conversation(session, conversation_id)
            if title is not None:
                row.title = storable(title)
            if persona_id is not None:
                if session.get(PersonaRow, persona_id) is None:
                    raise NotFound(what="persona", key=persona_id)
                row.persona_id = persona_id
            if reply_format is not None:
                row.reply_format = ReplyFormat(reply_format).value
            if markup is not None:
                row.markup = encode_markup(markup)
            if language is not None:
                row.language = language
            session.flush()
            return to_conversation(row)

    def touch_conversation(self, conversation_id: int) -> None:
        """The conversation was used now: it comes first in the list. Raises `NotFound`."""
        with self._db.transaction() as session:
            self.touch(session, find_conversation(session, conversation_id))

    def touch(self, session: Session, row: ConversationRow) -> None:
        """As `touch_conversation`, inside a transaction."""
        row.last_used_at = self._db.clock.now()
        number = _next_use(session)
        if row.use_number != number - 1:
            row.use_number = number

    def remove_conversation(self, conversation_id: int) -> None:
        """Take a conversation off the list and out of the search; nothing of it is deleted. Raises `NotFound`."""
        self._mark(conversation_id, True)

    def restore_conversation(self, conversation_id: int) -> None:
        """Take a removed conversation back. Raises `NotFound`."""
        self._mark(conversation_id, False)

    def _mark(self, conversation_id: int, removed: bool) -> None:
        with self._db.transaction() as session:
            row = session.get(ConversationRow, conversation_id)
            if row is None:
                raise NotFound(what="conversation", key=conversation_id)
            if row.removed is not removed:
                row.removed = removed
                kind = EventKind.REMOVE if removed else EventKind.RESTORE
                self._events.append(session, kind, conversation_id=conversation_id)

    def composer_draft(self, conversation_id: int) -> str:
        """What stands in the composer of a conversation, unsent."""
        with self._db.transaction() as session:
            row = session.get(ComposerDraftRow, conversation_id)
            return row.text if row else ""

    def set_composer_draft(self, conversation_id: int, text: str) -> None:
        """Keep what stands in the composer of a conversation. Raises `NotFound`."""
        with self._db.transaction() as session:
            find_conversation(session, conversation_id)
            session.merge(ComposerDraftRow(conversation_id=conversation_id, text=storable(text)))

    def format_rate(self, conversation_id: int) -> FormatRate:
        """How many of all replies that a model wrote here kept to the reply format. Raises `NotFound`."""
        with self._db.transaction() as session:
            row = find_conversation(session, conversation_id)
            return FormatRate(row.replies_passed, row.replies_total)


def _next_use(session: Session) -> int:
    return int(session.exec(select(func.max(ConversationRow.use_number))).one() or 0) + 1
