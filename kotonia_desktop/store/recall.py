"""Ranked search: the messages of a conversation that share most with a text, whoever wrote it.

The index ranks by its words first; where a hit stands on the path, and whether it may be shown, is looked up for the
best of them only. A search so costs what its words cost, not what the conversation's length would.
"""

from collections.abc import Sequence

from sqlalchemy import bindparam, text

from kotonia_desktop.domain.messages import RankedHit
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.recall_text import recall_expression
from kotonia_desktop.store.search import scope_word

# The scope is a word of its own column: it chooses, and weighs nothing.
RANKED = text(
    "SELECT rowid AS id, bm25(message_recall, 0.0, 1.0) AS score FROM message_recall"
    " WHERE message_recall MATCH :match ORDER BY score LIMIT :limit OFFSET :offset"
)
PLACES = text(
    "SELECT p.message_id, p.ordinal FROM path_entry p"
    " CROSS JOIN active_stretch a ON a.branch_id = p.branch_id AND p.ordinal <= a.last_ordinal"
    " CROSS JOIN message_state s ON s.message_id = p.message_id AND s.off_record = 0"
    " WHERE p.message_id IN :ids AND p.hidden = 0 AND p.ordinal <= :until"
).bindparams(bindparam("ids", expanding=True))
_BATCH = 100
_ANY_ORDINAL = 1 << 62


class Recall:
    """Asks the recall index."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def ranked(
        self, conversation_id: int, query: str, names: Sequence[str] = (), until: int | None = None, limit: int = 20
    ) -> list[RankedHit]:
        """The messages of the active path that share most with `query`, best first, of like ones the newest.

        `names` of the two who speak are not searched for. Only messages with an ordinal up to `until` (None: any)
        that are neither deleted nor off the record. [] where the query holds no word worth looking for.
        """
        expression = recall_expression(query, names)
        if not expression:
            return []
        match = f"scope : {scope_word(conversation_id)} AND body : ({expression})"
        offset = 0
        hits: list[RankedHit] = []
        with self._db.transaction() as session:
            connection = session.connection()
            while len(hits) < limit:
                at = {"match": match, "limit": _BATCH, "offset": offset}
                scores = {row.id: -row.score for row in connection.execute(RANKED, at)}
                if scores:
                    where = {"ids": list(scores), "until": _ANY_ORDINAL if until is None else until}
                    places = connection.execute(PLACES, where)
                    hits += (RankedHit(row.message_id, row.ordinal, scores[row.message_id]) for row in places)
                if len(scores) < _BATCH:
                    break
                offset += _BATCH
        return sorted(hits, key=lambda hit: (-hit.score, -hit.ordinal))[:limit]
