"""Whether what the file holds is what was written. SQLite has no checksums of its own: most flipped bits in a text
pass its check, so every revision carries a hash of its texts."""

from sqlalchemy import text

from kotonia_desktop.domain.errors import DataDamaged
from kotonia_desktop.store.connection import Database
from kotonia_desktop.store.rows import hash_texts

# As blobs: a text that is no longer UTF-8 could not be read as one.
_TEXTS = text(
    "SELECT message_id, CAST(text AS BLOB) AS text, CAST(reasoning AS BLOB) AS reasoning,"
    " CAST(cut_text AS BLOB) AS cut_text, hash FROM revision ORDER BY id"
)


class Integrity:
    """Checks the whole file. Reads all of it: about a second for 200 MB."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def damaged_messages(self) -> list[int]:
        """Messages of which a text is no longer what was written. Raises `DataDamaged` for structural damage."""
        with self._db.transaction() as session:
            connection = session.connection()
            verdict = connection.execute(text("PRAGMA integrity_check(1)")).scalar_one()
            if verdict != "ok":
                raise DataDamaged(path=str(self._db.path), detail="its pages contradict each other")
            return [
                row.message_id
                for row in connection.execute(_TEXTS)
                if hash_texts(row.text, row.reasoning, row.cut_text) != row.hash
            ]
