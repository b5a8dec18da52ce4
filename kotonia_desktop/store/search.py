"""The search indexes: FTS5 without a copy of the texts, over the newest revision of every message. One is for what a
user types, one (`recall`) for old lines that a new one calls for.

What a search may show is decided when it is asked: messages on the active path of a conversation that is not removed.
"""

from collections.abc import Sequence

from sqlalchemy import text
from sqlmodel import Session

from kotonia_desktop.domain.messages import SearchHit
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.search_text import find_excerpt, index_words, match_expression

# The words of the index are reached first, then one row each of the path, its branch and its conversation.
SEARCH = text(
    """
    SELECT m.id, m.conversation_id, c.title, p.ordinal, m.speaker, r.text FROM message_search f
    CROSS JOIN path_entry p ON p.message_id = f.rowid AND p.hidden = 0
    CROSS JOIN active_stretch a ON a.branch_id = p.branch_id AND p.ordinal <= a.last_ordinal
    CROSS JOIN conversation c ON c.id = a.conversation_id AND c.removed = 0
    CROSS JOIN message m ON m.id = p.message_id
    CROSS JOIN message_state s ON s.message_id = m.id
    CROSS JOIN revision r ON r.id = s.revision_id
    WHERE message_search MATCH :match ORDER BY f.rowid DESC LIMIT :limit
    """
)
_TABLES = ("message_search", "message_recall")
_REMOVE = tuple(text(f"DELETE FROM {table} WHERE rowid = :id") for table in _TABLES)
_INSERT = tuple(text(f"INSERT INTO {table}(rowid, scope, body) VALUES (:id, :scope, :body)") for table in _TABLES)


class SearchIndex:
    """Keeps the search indexes, and asks the one for what a user types."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, session: Session, conversation_id: int, message_id: int, shown: str) -> None:
        """Index a message's text in place of what was indexed of it before."""
        connection = session.connection()
        entry = _entry(conversation_id, message_id, shown)
        for remove, insert in zip(_REMOVE, _INSERT, strict=True):
            connection.execute(remove, {"id": message_id})
            connection.execute(insert, entry)

    def add_many(self, session: Session, conversation_id: int, texts: Sequence[tuple[int, str]]) -> None:
        """Index messages (id, text) that were not indexed before."""
        entries = [_entry(conversation_id, *item) for item in texts]
        for insert in _INSERT:
            session.connection().execute(insert, entries)

    def search(self, query: str, conversation_id: int | None = None, limit: int = 50) -> list[SearchHit]:
        """Messages that contain every part of `query`, newest first; [] where it has no letter or digit."""
        expression = match_expression(query)
        if not expression:
            return []
        match = f"body : ({expression})"
        if conversation_id is not None:
            match = f"scope : {scope_word(conversation_id)} AND {match}"
        with self._db.transaction() as session:
            rows = session.connection().execute(SEARCH, {"match": match, "limit": limit}).all()
        return [
            SearchHit(row.id, row.conversation_id, row.title, row.ordinal, row.speaker, *find_excerpt(row.text, query))
            for row in rows
        ]


def scope_word(conversation_id: int) -> str:
    """The word by which the index knows a conversation."""
    return f"c{conversation_id}"


def _entry(conversation_id: int, message_id: int, shown: str) -> dict[str, int | str]:
    return {"id": message_id, "scope": scope_word(conversation_id), "body": index_words(shown)}
