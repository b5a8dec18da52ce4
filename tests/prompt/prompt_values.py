"""Small builders of values that the prompt's tests share."""

from kotonia_desktop.domain.library import CharacterCard, Conversation, Persona
from kotonia_desktop.domain.messages import Message, Revision, Role

CARD = CharacterCard(name="Nell", description="{{char}} keeps a counter. {{user}} visits.", language="en")
PERSONA = Persona(1, "Sam", "A traveller.")
CONVERSATION = Conversation(1, "Counter", 1, 1, 1)


def message(
    ordinal: int, role: Role, text: str, *, ids: tuple[int, ...] | None = None, note: str = "", revision: int = 0
) -> Message:
    speaker = "Sam" if role is Role.USER else "Nell"
    state = Revision(text, id=revision or ordinal + 100, tokenizer="tok" if ids else "", token_ids=ids)
    return Message(ordinal + 1, 1, 1, ordinal, role, speaker, state, note=note)


def dialogue(turns: int) -> list[Message]:
    """A greeting, then `turns` exchanges."""
    messages = [message(0, Role.CHARACTER, "Good evening.")]
    for turn in range(turns):
        messages.append(message(2 * turn + 1, Role.USER, f"Question {turn}?"))
        messages.append(message(2 * turn + 2, Role.CHARACTER, f"Answer {turn}.", ids=(turn, turn + 1)))
    return messages
