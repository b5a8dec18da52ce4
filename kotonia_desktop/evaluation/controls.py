"""Controls for the search for old lines: the same texts and questions, with words cut as SQLite does it by itself.

The one place outside the store that speaks SQL: the tables here are thrown away, and the store has no use for them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from sqlcipher3 import dbapi2

from kotonia_desktop.store.recall_text import without_names
from kotonia_desktop.store.search_text import fold


def _trigrams(text: str) -> list[str]:
    return [text[start : start + 3] for start in range(len(text) - 2)]


def _letters(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


CONTROLS: dict[str, Callable[[str], list[str]]] = {"trigram": _trigrams, "unicode61": _letters}
"""By the tokenizer's name: how a question becomes what is looked for."""


@contextmanager
def control_search(
    texts: Sequence[str], names: Sequence[str], limit: int
) -> Iterator[dict[str, Callable[[str], list[int]]]]:
    """For each control a search of `texts`: indexes of the best `limit`, best first."""
    db = dbapi2.connect(":memory:", isolation_level=None)
    try:
        for name in CONTROLS:
            db.execute(f"CREATE VIRTUAL TABLE {name}_index USING fts5(body, tokenize='{name}')")
            rows = [(index, fold(text)) for index, text in enumerate(texts)]
            db.executemany(f"INSERT INTO {name}_index(rowid, body) VALUES (?, ?)", rows)

        def search(name: str, question: str) -> list[int]:
            words = dict.fromkeys(CONTROLS[name](" ".join(without_names(fold(question), names).split())))
            quoted = ['"{}"'.format(word.replace('"', '""')) for word in words if word.strip()]
            if not quoted:
                return []
            sql = f"SELECT rowid FROM {name}_index WHERE {name}_index MATCH ? ORDER BY rank LIMIT ?"
            return [row[0] for row in db.execute(sql, (" OR ".join(quoted), limit))]

        yield {name: partial(search, name) for name in CONTROLS}
    finally:
        db.close()
