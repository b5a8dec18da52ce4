"""The sections of a prompt, as the memory inspector names them."""

from enum import StrEnum


class SectionKind(StrEnum):
    """The sections of a prompt, in their order."""

    RULES = "rules"
    CHARACTER = "character"
    PERSONA = "persona"
    LORE = "lore"
    EXAMPLES = "examples"
    MEMORY = "memory"
    OPENER = "opener"
    MESSAGES = "messages"
    NOTE = "note"
    REPLY = "reply"
