"""A clock that tests set, and short ways to fill a store."""

from dataclasses import dataclass

from kotonia_desktop.domain.library import CharacterCard, ProseMarkup, ReplyFormat
from kotonia_desktop.domain.messages import GenerationStats, Message, NewRevision, Role
from kotonia_desktop.store.store import Store


class TickingClock:
    """Goes on by a second at each look; `seconds` sets it."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def now(self) -> float:
        self.seconds += 1
        return self.seconds

    def monotonic(self) -> float:
        return self.now()


@dataclass
class Chat:
    """A conversation in a store."""

    store: Store
    id: int

    def say(self, text: str) -> Message:
        return self.store.append_message(self.id, Role.USER, "You", NewRevision(text))

    def reply(self, text: str, alternate_of: int | None = None, **fields: object) -> Message:
        draft = self.store.begin_reply(self.id, "Mira", alternate_of=alternate_of)
        return self.store.finish_reply(draft.id, NewRevision(text, **{"stats": GenerationStats(), **fields}))

    def texts(self) -> list[str]:
        return [message.text for message in self.store.path(self.id)]

    def branch_count(self) -> int:
        return len(self.store.branches(self.id))


def new_chat(store: Store, title: str = "Tea") -> Chat:
    characters = store.characters()
    character = characters[0] if characters else store.add_character(CharacterCard(name="Mira"))
    personas = store.personas()
    persona = personas[0] if personas else store.add_persona("You", "")
    made = store.add_conversation(character.id, persona.id, title, "en", ReplyFormat.PROSE, ProseMarkup())
    return Chat(store, made.id)
