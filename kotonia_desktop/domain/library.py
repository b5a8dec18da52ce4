"""The library: characters with their cards, personas, conversations, lore.

`CharacterCard` is what every card format is read into. The original file's JSON is kept verbatim beside it, so that
keys we do not know survive an export.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ReplyFormat(StrEnum):
    """How replies are written."""

    PROSE = "prose"
    """Narration, speech and thoughts in the conversation's own markup (`ProseMarkup`)."""
    SCRIPT = "script"
    """One line a segment: `Name: speech`, `(Name) thought`, `* action`, bare narration."""


@dataclass(frozen=True, slots=True)
class ProseMarkup:
    """What marks mean in a conversation's prose. Each is "" (plain text), or the pair of marks, opener first.

    Known pairs: `""`, `“”`, `「」`, `『』`, `**` (one asterisk on each side), `（）`, `()`, `__`.
    Exactly one of narration and speech is usually plain.
    """

    narration: str = ""
    speech: str = '""'
    thought: str = "**"


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """An entry of a lorebook: text that comes in when one of its keys is met (or always, when `constant`)."""

    keys: tuple[str, ...]
    content: str
    name: str = ""
    secondary_keys: tuple[str, ...] = ()
    selective: bool = False
    constant: bool = False
    enabled: bool = True
    insertion_order: int = 100
    priority: int = 10
    case_sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Lorebook:
    """A card's lorebook. `scan_depth` counts messages, `token_budget` tokens (0: the app's own limit)."""

    name: str = ""
    entries: tuple[LoreEntry, ...] = ()
    scan_depth: int = 4
    token_budget: int = 0


@dataclass(frozen=True, slots=True)
class CharacterCard:
    """A character as its card tells it. Texts hold `{{char}}` and `{{user}}` unexpanded."""

    name: str
    description: str = ""
    personality: str = ""
    scenario: str = ""
    greetings: tuple[str, ...] = ()
    """First message, then the alternate greetings."""
    examples: str = ""
    system_prompt: str = ""
    post_history: str = ""
    creator_notes: str = ""
    tags: tuple[str, ...] = ()
    creator: str = ""
    version: str = ""
    nickname: str = ""
    lorebook: Lorebook = field(default_factory=Lorebook)
    language: str = ""
    """`ja`, `zh` or `en`, guessed from the texts where the card does not say."""
    markup: ProseMarkup = field(default_factory=ProseMarkup)
    """Said by the card, or guessed from its greetings and examples."""
    spoiler_heading: str = ""
    """The heading of the paragraph of the description that the reader should not be shown."""
    original: dict[str, Any] = field(default_factory=dict)
    """The card's JSON as it was read."""


@dataclass(frozen=True, slots=True)
class Character:
    """A character of the library. `picture` is the hash of its picture asset, or ""."""

    id: int
    card: CharacterCard
    picture: str = ""
    starter: str = ""
    """The language of the starter this is, or ""."""
    created_at: float = 0.0

    @property
    def name(self) -> str:
        """The name the card gives."""
        return self.card.name


@dataclass(frozen=True, slots=True)
class Persona:
    """Whom the user plays."""

    id: int
    name: str
    description: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Asset:
    """A picture by the SHA-256 of its bytes."""

    sha256: str
    mime: str
    data: bytes


class SendKey(StrEnum):
    """Which key sends in the composer; the other forms a new line. Asked once."""

    ENTER = "enter"
    CTRL_ENTER = "ctrl_enter"


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation: who plays whom, and how it is written."""

    id: int
    title: str
    character_id: int
    persona_id: int
    active_branch_id: int
    reply_format: ReplyFormat = ReplyFormat.PROSE
    markup: ProseMarkup = field(default_factory=ProseMarkup)
    language: str = "en"
    created_at: float = 0.0
    last_used_at: float = 0.0


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """A row of the list at the left."""

    id: int
    title: str
    character_id: int
    character_name: str
    picture: str
    language: str
    message_count: int
    last_used_at: float


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch: it follows `parent_id` up to and including message `fork_message_id`, then its own messages."""

    id: int
    conversation_id: int
    parent_id: int | None
    fork_ordinal: int | None
    fork_message_id: int | None
    name: str = ""
