"""Who takes part in a conversation, read in one go beside the window."""

from dataclasses import dataclass

from kotonia_desktop.domain.library import Character, Conversation, Persona
from kotonia_desktop.domain.messages import FormatRate
from kotonia_desktop.services.kotonia import Kotonia


@dataclass(frozen=True, slots=True)
class People:
    """A conversation with its character, its persona, what is typed and not sent, and how its replies are."""

    conversation: Conversation
    character: Character
    persona: Persona
    draft: str
    rate: FormatRate

    @property
    def names(self) -> tuple[str, str]:
        """Character and persona."""
        return self.character.name, self.persona.name


def read_people(kotonia: Kotonia, conversation_id: int) -> People:
    """Read them. Blocks. Raises `NotFound`."""
    conversation = kotonia.library.conversation(conversation_id)
    return People(
        conversation,
        kotonia.library.character(conversation.character_id),
        kotonia.library.persona(conversation.persona_id),
        kotonia.chat.composer_draft(conversation_id),
        kotonia.chat.format_rate(conversation_id),
    )
