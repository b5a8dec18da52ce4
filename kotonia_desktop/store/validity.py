"""Whether a message is still what something was made from: on the active path, on the record, in the revision read.

The only rule of staleness. `JOINS` finds what is needed for the messages of alias `s` (columns `message_id` and
`revision_id`) in the conversation `:conversation`; `COLUMNS` are what the functions below read.
"""

from collections.abc import Sequence
from typing import Any

from kotonia_desktop.domain.memory import ItemState, Source

COLUMNS = """
    s.message_id, s.revision_id, m.ordinal, st.revision_id AS shown, st.off_record, p.hidden, a.branch_id AS on_path
"""
JOINS = """
    LEFT JOIN message m ON m.id = s.message_id LEFT JOIN message_state st ON st.message_id = s.message_id
    LEFT JOIN path_entry p ON p.message_id = s.message_id
    LEFT JOIN active_stretch a ON a.branch_id = p.branch_id AND p.ordinal <= a.last_ordinal
        AND a.conversation_id = m.conversation_id
"""


def state_of(rows: Sequence[Any]) -> ItemState:
    """The state of what was made from the messages of these rows. What was made of none (the user typed it, a file
    brought it) is valid everywhere; a row that names no revision was made of any."""
    sources = [row for row in rows if row.message_id is not None]
    gone = [row for row in sources if row.on_path is None or row.hidden or row.off_record]
    if sources and len(gone) == len(sources):
        return ItemState.GONE
    if gone or any(row.revision_id is not None and row.shown != row.revision_id for row in sources):
        return ItemState.CHANGED
    return ItemState.VALID


def sources_of(rows: Sequence[Any]) -> tuple[Source, ...]:
    """The messages of these rows."""
    return tuple(Source(row.message_id, row.revision_id) for row in rows if row.message_id is not None)


def ordinals_of(rows: Sequence[Any]) -> tuple[int, ...]:
    """Their places on the path."""
    return tuple(row.ordinal for row in rows if row.message_id is not None)
