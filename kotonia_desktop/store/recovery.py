"""What a crash left unfinished: drafts become revisions that say so."""

from sqlmodel import Session, col, select

from kotonia_desktop.domain.library import ReplyFormat
from kotonia_desktop.domain.messages import FinishReason, Message, NewRevision
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.events import EventKind
from kotonia_desktop.store.messages import Messages, drop_draft, find_message, shown_revision
from kotonia_desktop.store.paths import Paths
from kotonia_desktop.store.rows import decode_markup
from kotonia_desktop.store.tables import CharacterRow, ConversationRow, DraftRow, MessageRow, PersonaRow


class Recovery:
    """Ends what the last run of the app could not."""

    def __init__(self, db: Database, paths: Paths, messages: Messages) -> None:
        self._db = db
        self._paths = paths
        self._messages = messages

    def recover_drafts(self) -> list[Message]:
        """Call once after opening: what a crash left unfinished becomes a revision that says `interrupted`.

        A draft without a word is discarded. Returns the messages that were kept, oldest first.
        """
        kept: list[int] = []
        with self._db.transaction() as session:
            for draft in session.exec(select(DraftRow).order_by(col(DraftRow.message_id))).all():
                row = find_message(session, draft.message_id)
                shown = shown_revision(session, row.id)
                if not (draft.text or draft.reasoning) or (shown is not None and shown.text == draft.text):
                    self._messages.discard_reply(row.id)
                    continue
                self._messages.show_revision(session, row, _interrupted(session, row, draft), EventKind.CONTINUE)
                drop_draft(session, row.id)
                kept.append(row.id)
            return self._paths.messages(kept)


def _interrupted(session: Session, row: MessageRow, draft: DraftRow) -> NewRevision:
    """The revision of a reply that a crash cut off."""
    conversation = session.get_one(ConversationRow, row.conversation_id)
    names = (
        session.get_one(CharacterRow, conversation.character_id).name,
        session.get_one(PersonaRow, conversation.persona_id).name,
    )
    markup = decode_markup(conversation.markup)
    parsed = parse_segments(
        draft.text, reply_format=ReplyFormat(conversation.reply_format), markup=markup, speaker=row.speaker, names=names
    )
    return NewRevision(
        text=draft.text,
        segments=parsed.segments,
        reasoning=draft.reasoning,
        finish=FinishReason.INTERRUPTED,
        thinking_cut=not draft.text,
        format_ok=parsed.format_ok,
    )
