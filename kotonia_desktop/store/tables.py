"""The tables as classes. They must match the migrations (a test compares them); only the migrations make tables.

Three kinds: rows that never change (message, revision, event, note, cut), rows that a user changes (setting, persona,
conversation), and what is derived from events and kept in the same transaction, so that a page or a turn costs
O(log n): message_state, path_entry, active_stretch, undo_step, and the counters and `removed` marks.
"""

from sqlmodel import Field, SQLModel


class SettingRow(SQLModel, table=True):
    """A setting; `value` is JSON."""

    __tablename__ = "setting"
    key: str = Field(primary_key=True)
    value: str


class AssetRow(SQLModel, table=True):
    """A picture by the SHA-256 of its bytes."""

    __tablename__ = "asset"
    sha256: str = Field(primary_key=True)
    mime: str
    data: bytes
    created_at: float


class CharacterRow(SQLModel, table=True):
    """A character. `card` is the card as JSON, `original` the JSON of the file it came from."""

    __tablename__ = "character"
    id: int = Field(default=None, primary_key=True)
    name: str
    card: str
    original: str
    picture: str
    starter: str
    created_at: float
    removed: bool = False


class PersonaRow(SQLModel, table=True):
    """Whom the user plays."""

    __tablename__ = "persona"
    id: int = Field(default=None, primary_key=True)
    name: str
    description: str
    picture: str
    created_at: float


class ConversationRow(SQLModel, table=True):
    """A conversation. `use_number` orders by use (clocks go back); the counters are derived."""

    __tablename__ = "conversation"
    id: int = Field(default=None, primary_key=True)
    title: str
    character_id: int = Field(foreign_key="character.id")
    persona_id: int = Field(foreign_key="persona.id")
    active_branch_id: int | None = Field(default=None, foreign_key="branch.id")
    reply_format: str
    markup: str
    language: str
    created_at: float
    last_used_at: float
    use_number: int
    message_count: int = 0
    replies_passed: int = 0
    replies_total: int = 0
    removed: bool = False


class ComposerDraftRow(SQLModel, table=True):
    """What stands in the composer of a conversation, unsent."""

    __tablename__ = "composer_draft"
    conversation_id: int = Field(primary_key=True, foreign_key="conversation.id")
    text: str


class BranchRow(SQLModel, table=True):
    """A branch: `parent_id` up to `fork_ordinal`, then its own. The parent is the branch that owns the fork's entry,
    so that chains stay short. `use_number` says which was active last; `removed` marks a branch without messages."""

    __tablename__ = "branch"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    parent_id: int | None = Field(default=None, foreign_key="branch.id")
    fork_ordinal: int | None = None
    fork_message_id: int | None = Field(default=None, foreign_key="message.id")
    name: str = ""
    created_at: float
    use_number: int
    removed: bool = False


class MessageRow(SQLModel, table=True):
    """A message as it was born; never changed. `sibling_of` is the first of its alternates, None for the first."""

    __tablename__ = "message"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    branch_id: int = Field(foreign_key="branch.id")
    ordinal: int
    role: str
    speaker: str
    sibling_of: int | None = Field(default=None, foreign_key="message.id")
    is_greeting: bool = False
    created_at: float

    @property
    def root(self) -> int:
        """The first of its alternates: what all of them have in common."""
        return self.sibling_of or self.id


class RevisionRow(SQLModel, table=True):
    """One state of a message's text; never changed. Coding of the columns: `rows`."""

    __tablename__ = "revision"
    id: int = Field(default=None, primary_key=True)
    message_id: int = Field(foreign_key="message.id")
    text: str
    segments: str
    reasoning: str
    finish: str
    stopped_by: str
    cut_text: str
    thinking_cut: bool
    format_ok: bool
    tokenizer: str
    token_ids: bytes | None
    stats: str | None
    created_at: float
    hash: bytes


class MessageStateRow(SQLModel, table=True):
    """Derived: which revision is shown (None: only a draft), which number it has, whether the message is deleted, and
    the user's marks: kept from the model, a chapter ends behind it."""

    __tablename__ = "message_state"
    message_id: int = Field(primary_key=True, foreign_key="message.id")
    revision_id: int | None = Field(default=None, foreign_key="revision.id")
    revision_count: int = 0
    removed: bool = False
    off_record: bool = False
    ends_chapter: bool = False


class DraftRow(SQLModel, table=True):
    """A reply while it is written, or a revision that continues one."""

    __tablename__ = "draft"
    message_id: int = Field(primary_key=True, foreign_key="message.id")
    text: str
    reasoning: str
    updated_at: float


class NoteRow(SQLModel, table=True):
    """What stood in front of a user message when the model saw it; never changed."""

    __tablename__ = "note"
    message_id: int = Field(primary_key=True, foreign_key="message.id")
    text: str


class EventRow(SQLModel, table=True):
    """What happened; never changed, and the truth behind all that is derived. `step` groups what is undone as one."""

    __tablename__ = "event"
    id: int = Field(default=None, primary_key=True)
    step: int
    kind: str
    conversation_id: int | None = Field(default=None, foreign_key="conversation.id")
    character_id: int | None = Field(default=None, foreign_key="character.id")
    message_id: int | None = Field(default=None, foreign_key="message.id")
    branch_id: int | None = Field(default=None, foreign_key="branch.id")
    data: str = "{}"
    created_at: float


class UndoStepRow(SQLModel, table=True):
    """Derived: the steps of a conversation that can still be undone; the highest is the last."""

    __tablename__ = "undo_step"
    conversation_id: int = Field(primary_key=True, foreign_key="conversation.id")
    step: int = Field(primary_key=True)


class PathEntryRow(SQLModel, table=True):
    """Derived: which message a branch shows at an ordinal. `hidden` repeats `message_state.removed`."""

    __tablename__ = "path_entry"
    branch_id: int = Field(primary_key=True, foreign_key="branch.id")
    ordinal: int = Field(primary_key=True)
    message_id: int = Field(foreign_key="message.id", unique=True)
    hidden: bool = False


class ActiveStretchRow(SQLModel, table=True):
    """Derived: the branches of each conversation's active path, and up to which ordinal each lies on it."""

    __tablename__ = "active_stretch"
    branch_id: int = Field(primary_key=True, foreign_key="branch.id")
    conversation_id: int = Field(foreign_key="conversation.id")
    last_ordinal: int


class CutRow(SQLModel, table=True):
    """The prompt's beginning: up to which ordinal messages are not shown verbatim (None: all are), and the `items` of
    memory (a JSON list of ids) that stand at its head, with the words of everything there (`lines`). Acts of the user's
    up to `hand_seen` are in it. Counts on paths that hold its entry."""

    __tablename__ = "cut"
    id: int = Field(default=None, primary_key=True)
    conversation_id: int = Field(foreign_key="conversation.id")
    branch_id: int = Field(foreign_key="branch.id")
    ordinal: int | None
    reason: str
    created_at: float
    items: str = "[]"
    lines: str = "[]"
    hand_seen: int = 0
