"""Messages that come with alternates."""

from pathlib import Path

from kotonia_desktop.domain.library import CharacterCard, ProseMarkup, ReplyFormat
from kotonia_desktop.domain.messages import NewRevision, Role
from kotonia_desktop.store.messages import NewMessage
from kotonia_desktop.store.store import Store


def test_alternates_keep_their_order_and_the_chosen_one_is_shown(tmp_path: Path) -> None:
    with Store(tmp_path / "k.db") as store:
        character = store.add_character(CharacterCard(name="Mira"))
        persona = store.add_persona("Sam", "")
        chat = store.add_conversation(character.id, persona.id, "Forge", "en", ReplyFormat.PROSE, ProseMarkup())
        one, two, three = (NewRevision(text) for text in ("one", "two", "three"))
        store.append_many(
            chat.id,
            [
                NewMessage(Role.CHARACTER, "Mira", two, others=(one, three), place=1),
                NewMessage(Role.USER, "Sam", NewRevision("And?")),
            ],
        )
        shown = store.path(chat.id)
        assert [message.text for message in shown] == ["two", "And?"]
        assert (shown[0].alternate_index, shown[0].alternate_count) == (1, 3)
        assert [message.text for message in store.alternates(shown[0].id)] == ["one", "two", "three"]
        assert store.conversations()[0].message_count == 2
        store.select_alternate(store.alternates(shown[0].id)[2].id)
        assert [message.text for message in store.path(chat.id)] == ["three"]
        assert store.undo(chat.id)[0] == "select"
        assert [message.text for message in store.path(chat.id)] == ["two", "And?"]
