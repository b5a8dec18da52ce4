"""Brings foreign files into the library: cards, SillyTavern chats, dialogues. All or nothing.

The file is parsed in a worker process that never sees the database; only plain values come back.
"""

from pathlib import Path

from kotonia_desktop.domain.errors import ImportFailed
from kotonia_desktop.domain.language import language_of
from kotonia_desktop.domain.library import CharacterCard, Conversation, ProseMarkup, ReplyFormat
from kotonia_desktop.domain.macros import expand
from kotonia_desktop.domain.markup import guess_markup
from kotonia_desktop.domain.messages import Changes, NewRevision, Role, Segment, SegmentKind
from kotonia_desktop.domain.segments import parse_segments
from kotonia_desktop.interop.imported import CardImport, ChatImport, ImportedMessage
from kotonia_desktop.interop.worker import import_file
from kotonia_desktop.services.library import default_persona_name, start_conversation
from kotonia_desktop.services.views import ImportReport
from kotonia_desktop.store.messages import NewMessage
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

_SAMPLE = 40
"""Messages of a chat that its language and its markup are guessed from."""


class ImportService:
    """Imports files into one data folder."""

    def __init__(self, store: StoreThread) -> None:
        self._store = store

    def import_file(self, path: Path | str, persona_id: int | None = None) -> ImportReport:
        """Read a file and add what it holds. A card becomes a character, a chat a conversation with its character.

        Raises `ImportFailed`, `ImportTooLarge` or `ImportTimedOut`; then nothing was added.
        """
        path = Path(path)
        if path.exists() and not path.is_file():
            raise ImportFailed(name=path.name, detail="it is no file")
        found = import_file(path)
        if isinstance(found, CardImport):
            return self._store.run(lambda s: s.atomically(lambda: _add_card(s, found)))
        return self._store.run(lambda s: s.atomically(lambda: _add_chat(s, found, path.stem, persona_id)))

    def open_chat(self, path: Path | str, title: str) -> tuple[Conversation, list[NewMessage]]:
        """Read a chat or dialogue, and begin an empty conversation for its messages, which are not added.

        `title` is what the conversation is called, with `{name}` for the file's own. Raises as `import_file`, and
        `ImportFailed` for a card.
        """
        path = Path(path)
        found = import_file(path)
        if isinstance(found, CardImport):
            raise ImportFailed(name=path.name, detail="it is a card, not a chat")

        def write(store: Store) -> tuple[Conversation, list[NewMessage]]:
            conversation, rows, _ = _start_chat(store, found, path.stem, None)
            store.update_conversation(conversation.id, title=title.format(name=conversation.title))
            return conversation, rows

        return self._store.run(write)

    def start_imported(self, character_id: int, persona_id: int) -> Conversation:
        """Begin a conversation with an imported character."""
        return self._store.run(lambda s: start_conversation(s, character_id, persona_id))


def _add_card(store: Store, found: CardImport) -> ImportReport:
    picture = store.put_asset(found.picture, found.mime) if found.picture else ""
    character = store.add_character(found.card, picture)
    return ImportReport("card", character.name, character.id, None, 0, Changes(characters=True), tuple(found.notes))


def _add_chat(store: Store, found: ChatImport, name: str, persona_id: int | None) -> ImportReport:
    conversation, rows, new_character = _start_chat(store, found, name, persona_id)
    store.append_many(conversation.id, rows)
    changes = Changes(conversation_id=conversation.id, conversations=True, characters=new_character, personas=True)
    return ImportReport(
        found.kind,
        conversation.title,
        conversation.character_id,
        conversation.id,
        len(rows),
        changes,
        tuple(found.notes),
    )


def _start_chat(
    store: Store, found: ChatImport, name: str, persona_id: int | None
) -> tuple[Conversation, list[NewMessage], bool]:
    """An empty conversation with a chat's people, the rows of its messages, and whether its character is new."""
    sample = [message.text for message in found.messages[:_SAMPLE]]
    language = language_of("\n".join(sample))
    markup = guess_markup([m.text for m in found.messages[:_SAMPLE] if m.role is Role.CHARACTER], language)
    character_name = found.character_name or name
    known = [c for c in store.characters() if c.name == character_name]
    if known:
        character = known[-1]
    else:
        card = CharacterCard(name=character_name, language=language, markup=markup)
        character = store.add_character(card)
    if persona_id is None:
        user = found.user_name or default_persona_name(language)
        same = [p for p in store.personas() if p.name == user]
        persona = same[0] if same else store.add_persona(user, "")
    else:
        persona = store.persona(persona_id)
    conversation = store.add_conversation(
        character.id, persona.id, found.title or name, language, ReplyFormat.PROSE, markup
    )
    names = (character.name, persona.name)
    return conversation, [_row(message, names, markup) for message in found.messages], not known


def _row(message: ImportedMessage, names: tuple[str, str], markup: ProseMarkup) -> NewMessage:
    texts = message.alternates or (message.text,)
    place = message.selected if message.alternates else 0
    others = tuple(_revision(text, message, names, markup) for n, text in enumerate(texts) if n != place)
    shown = _revision(texts[place], message, names, markup)
    return NewMessage(message.role, message.speaker, shown, message.is_greeting, message.created_at, others, place)


def _revision(text: str, message: ImportedMessage, names: tuple[str, str], markup: ProseMarkup) -> NewRevision:
    text = expand(text, *names)
    if message.kind is None:
        parsed = parse_segments(
            text, reply_format=ReplyFormat.PROSE, markup=markup, speaker=message.speaker, names=names
        )
        return NewRevision(text, parsed.segments, format_ok=parsed.format_ok)
    # the file says what the whole text is
    speaker = message.speaker if message.kind in (SegmentKind.SPEECH, SegmentKind.THOUGHT) else ""
    return NewRevision(text, (Segment(message.kind, 0, len(text), speaker),))
