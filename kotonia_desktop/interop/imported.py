"""What an import brings back: plain values, nothing stored yet. Notes are codes with values, for the import report.

Codes of notes. All: `recoded`, `characters_cleaned`, `odd_numbers`, `duplicate_keys`, `bytes_behind_data`.
PNG: `bad_checksum`, `file_cut_off`, `too_many_chunks`, `bytes_behind_picture`, `second_card_ignored`, `two_versions`,
`version_unread`, `base64_repaired`, `raw_json`. Pictures: `picture_refused`, `picture_damaged`, `first_frame_only`.
Cards: `missing_spec`, `no_data_block`, `newer_spec`, `empty_name`, `name_shortened`, `wrong_type`,
`alternate_greetings_string`, `greetings_dropped`, `tags_dropped`, `book_at_top`, `lore_repaired`, `lore_dropped`,
`lore_decorators_ignored`, `lore_regex_not_used`, `depth_prompt_not_used`, `scripts_not_used`, `assets_not_used`,
`group_greetings_not_used`.
Chats: `header_missing`, `lines_unread`, `lines_too_long`, `recoded_lines`, `several_objects_in_a_line`,
`zero_bytes_skipped`, `system_lines_skipped`, `empty_lines_skipped`, `very_long_messages`, `bad_dates`,
`alternates_repaired`, `alternates_dropped`, `attachments_not_used`, `no_messages`, `turns_unread`, `no_user_line`.
"""

from dataclasses import dataclass, field

from kotonia_desktop.domain.library import CharacterCard
from kotonia_desktop.domain.messages import Role, SegmentKind

Note = tuple[str, dict[str, str | int]]


@dataclass(slots=True)
class Notes:
    """The notes of one import, each code with the same values once."""

    found: list[Note] = field(default_factory=list)

    def add(self, code: str, **values: str | int) -> None:
        """Note something that was repaired, left out or capped."""
        if (code, values) not in self.found:
            self.found.append((code, values))


@dataclass(frozen=True, slots=True)
class CardImport:
    """A character card as it was read. `picture` is a PNG of at most 512 pixels, or None."""

    card: CharacterCard
    picture: bytes | None = None
    mime: str = "image/png"
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """A message as it was read. `alternates` holds all its versions (its own at `selected`), or nothing.

    `created_at` is in seconds since 1970, 0.0 where the file has no date that can be read.
    `kind` says what the whole text is where the file says so (a dialogue); None where its marks decide.
    """

    role: Role
    speaker: str
    text: str
    alternates: tuple[str, ...] = ()
    selected: int = 0
    created_at: float = 0.0
    is_greeting: bool = False
    kind: SegmentKind | None = None


@dataclass(frozen=True, slots=True)
class ChatImport:
    """A conversation as it was read. Names are "" where the file gives none. `kind`: `chat` or `dialogue`."""

    title: str
    user_name: str
    character_name: str
    messages: tuple[ImportedMessage, ...]
    notes: tuple[Note, ...] = ()
    kind: str = "chat"


Imported = CardImport | ChatImport
