"""Characters, personas and conversations: what there is, and making, renaming, removing them."""

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.language import language_of
from kotonia_desktop.domain.library import (
    Asset,
    Character,
    CharacterCard,
    Conversation,
    ConversationSummary,
    Persona,
    ReplyFormat,
)
from kotonia_desktop.domain.macros import expand
from kotonia_desktop.domain.messages import Changes, FinishReason, NewRevision, Role
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.interop.starters import starters
from kotonia_desktop.store.messages import NewMessage
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

_DEFAULT_NAMES = {"en": "Sam", "ja": "ハル", "zh": "小林"}


def default_persona_name(language: str) -> str:
    """A name for a user who gives none. A pronoun will not do: cards say "when {{user}} reaches the counter"."""
    return _DEFAULT_NAMES.get(language, _DEFAULT_NAMES["en"])


class LibraryService:
    """The library of one data folder."""

    def __init__(self, store: StoreThread) -> None:
        self._store = store

    def conversations(self) -> list[ConversationSummary]:
        """Every conversation, the one used last first."""
        return self._store.run(lambda s: s.conversations())

    def characters(self) -> list[Character]:
        """Every character."""
        return self._store.run(lambda s: s.characters())

    def character(self, character_id: int) -> Character:
        """One character. Raises `NotFound`."""
        return self._store.run(lambda s: s.character(character_id))

    def personas(self) -> list[Persona]:
        """Every persona."""
        return self._store.run(lambda s: s.personas())

    def persona(self, persona_id: int) -> Persona:
        """One persona. Raises `NotFound`."""
        return self._store.run(lambda s: s.persona(persona_id))

    def picture(self, sha256: str) -> Asset | None:
        """A picture by its hash."""
        return self._store.run(lambda s: s.get_asset(sha256)) if sha256 else None

    def conversation(self, conversation_id: int) -> Conversation:
        """One conversation. Raises `NotFound`."""
        if not 0 < conversation_id < 2**63:  # beyond what the database can hold
            raise NotFound(what="conversation", key=conversation_id)
        return self._store.run(lambda s: s.conversation(conversation_id))

    def create_conversation(
        self, character_id: int, persona_id: int, greeting: int = 0
    ) -> tuple[Conversation, Changes]:
        """Start a conversation with the character's greeting number `greeting`; the others become its alternates."""
        conversation = self._store.run(lambda s: start_conversation(s, character_id, persona_id, greeting))
        return conversation, Changes(conversation_id=conversation.id, conversations=True, path_changed=True)

    def rename_conversation(self, conversation_id: int, title: str) -> Changes:
        """Give a conversation another title; an empty one is left as it was."""
        if title.strip():
            self._store.run(lambda s: s.update_conversation(conversation_id, title=title.strip()))
        return Changes(conversation_id=conversation_id, conversations=True)

    def remove_conversation(self, conversation_id: int) -> Changes:
        """Take a conversation off the list; `restore_conversation` brings it back."""
        self._store.run(lambda s: s.remove_conversation(conversation_id))
        return Changes(conversation_id=conversation_id, conversations=True)

    def restore_conversation(self, conversation_id: int) -> Changes:
        """Bring a removed conversation back."""
        self._store.run(lambda s: s.restore_conversation(conversation_id))
        return Changes(conversation_id=conversation_id, conversations=True)

    def add_character(self, card: CharacterCard) -> Character:
        """Put a character without a picture into the library."""
        return self._store.run(lambda s: s.add_character(card))

    def remove_character(self, character_id: int) -> Changes:
        """Take a character off the list; its conversations stay."""
        self._store.run(lambda s: s.remove_character(character_id))
        return Changes(characters=True)

    def restore_character(self, character_id: int) -> Changes:
        """Bring a removed character back."""
        self._store.run(lambda s: s.restore_character(character_id))
        return Changes(characters=True)

    def save_persona(self, name: str, description: str, persona_id: int | None = None) -> tuple[Persona, Changes]:
        """Make a persona, or change the one named."""

        def write(store: Store) -> Persona:
            if persona_id is None:
                return store.add_persona(name.strip() or default_persona_name("en"), description.strip())
            return store.update_persona(persona_id, name.strip(), description.strip())

        return self._store.run(write), Changes(personas=True)

    def set_conversation_options(
        self, conversation_id: int, *, reply_format: ReplyFormat | None = None, persona_id: int | None = None
    ) -> Changes:
        """Change how a conversation is written or whom the user plays in it. The prompt is read anew once."""

        def write(store: Store) -> None:
            if reply_format is not None:
                store.update_conversation(conversation_id, reply_format=reply_format)
            if persona_id is not None:
                store.update_conversation(conversation_id, persona_id=persona_id)

        self._store.run(write)
        return Changes(conversation_id=conversation_id, conversations=True)

    def ensure_starters(self) -> Changes:
        """Put the three starter characters into the library, once; one that was removed stays removed."""

        def write(store: Store) -> bool:
            if store.get_setting("library.starters"):
                return False
            for starter in starters():
                picture = store.put_asset(starter.picture, "image/png")
                store.add_character(starter.card, picture, starter.language)
            store.set_setting("library.starters", True)
            return True

        return Changes(characters=self._store.run(write))


def start_conversation(
    store: Store, character_id: int, persona_id: int, greeting: int = 0, title: str = ""
) -> Conversation:
    """Make a conversation in `store` with all greetings of its character as alternates of the first message."""
    character = store.character(character_id)
    persona = store.persona(persona_id)
    card = character.card
    language = card.language or language_of("\n".join((*card.greetings, card.description)))
    conversation = store.add_conversation(
        character_id, persona_id, title or card.name, language, ReplyFormat.PROSE, card.markup
    )
    greetings = [g for g in (expand(text, card.name, persona.name).strip() for text in card.greetings) if g]
    revisions = [_greeting(text, card, persona, conversation) for text in greetings]
    if revisions:
        place = greeting if 0 <= greeting < len(revisions) else 0
        others = tuple(revision for number, revision in enumerate(revisions) if number != place)
        first = NewMessage(Role.CHARACTER, card.name, revisions[place], True, store.now(), others, place)
        store.append_many(conversation.id, [first])
    return store.conversation(conversation.id)


def _greeting(text: str, card: CharacterCard, persona: Persona, conversation: Conversation) -> NewRevision:
    parsed = parse_segments(
        text,
        reply_format=conversation.reply_format,
        markup=conversation.markup,
        speaker=card.name,
        names=(card.name, persona.name),
    )
    return NewRevision(text, parsed.segments, finish=FinishReason.STOP, format_ok=parsed.format_ok)
