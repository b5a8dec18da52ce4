"""Settings, pictures, characters, personas, conversations and what belongs to them."""

import hashlib

import pytest
from store_kit import Chat, TickingClock, new_chat

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.library import (
    Asset,
    CharacterCard,
    Lorebook,
    LoreEntry,
    ProseMarkup,
    ReplyFormat,
)
from kotonia_desktop.domain.messages import NewRevision, Role
from kotonia_desktop.store.store import Store

CARD = CharacterCard(
    name="ミラ",
    description="{{char}} keeps the light.",
    greetings=("やあ。", "Hello."),
    tags=("sea",),
    lorebook=Lorebook(
        "book", (LoreEntry(("灯台", "light"), "It is old.", secondary_keys=("sea",), constant=True),), 7, 99
    ),
    language="ja",
    markup=ProseMarkup("", "「」", "（）"),
    spoiler_heading="Secret",
    original={"spec": "chara_card_v2", "data": {"extensions": {"x": [1, 2.5, None, "\ud83d\ude00"]}}},
)


def test_settings_are_json_values(store: Store) -> None:
    values = {"a": 1, "b": [True, None, "日本"], "c": {"d": 0.5}}
    for key, value in values.items():
        store.set_setting(key, value)
    store.set_setting("a", 2)
    assert store.get_setting("b") == values["b"]
    assert store.get_setting("missing") is None
    assert store.all_settings() == values | {"a": 2}


def test_a_picture_is_kept_once_under_its_hash(store: Store) -> None:
    data = bytes(range(256))
    sha = store.put_asset(data, "image/png")
    assert sha == hashlib.sha256(data).hexdigest() == store.put_asset(data, "image/png")
    assert store.get_asset(sha) == Asset(sha, "image/png", data)
    assert store.get_asset("0" * 64) is None


def test_a_card_comes_back_as_it_was(store: Store) -> None:
    character = store.add_character(CARD, "a" * 64, "ja")
    again = store.character(character.id)
    assert again == character
    assert (again.picture, again.starter, again.name) == ("a" * 64, "ja", "ミラ")
    assert again.card.lorebook == CARD.lorebook
    assert again.card.greetings == CARD.greetings
    assert again.card.markup == CARD.markup


def test_a_removed_character_leaves_the_list_but_its_conversations_still_know_it(store: Store) -> None:
    chat = new_chat(store)
    character = store.characters()[0]
    store.remove_character(character.id)
    assert store.characters() == []
    assert store.character(store.conversation(chat.id).character_id) == character
    store.restore_character(character.id)
    assert store.characters() == [character]


def test_personas_can_be_changed(store: Store) -> None:
    persona = store.add_persona("You", "tall")
    changed = store.update_persona(persona.id, "Wanderer", "small")
    assert store.personas() == [changed] == [store.persona(persona.id)]
    assert (changed.name, changed.description) == ("Wanderer", "small")


def test_a_conversation_comes_back_as_it_was_made_and_changed(store: Store) -> None:
    character = store.add_character(CARD)
    persona, other = store.add_persona("You", ""), store.add_persona("Else", "")
    markup = ProseMarkup("**", "", "（）")
    made = store.add_conversation(character.id, persona.id, "灯台", "ja", ReplyFormat.SCRIPT, markup)
    assert store.conversation(made.id) == made
    assert (made.title, made.language, made.reply_format, made.markup) == ("灯台", "ja", ReplyFormat.SCRIPT, markup)
    changed = store.update_conversation(
        made.id, title="sea", persona_id=other.id, reply_format=ReplyFormat.PROSE, markup=ProseMarkup(), language="en"
    )
    assert store.conversation(made.id) == changed
    assert (changed.title, changed.persona_id, changed.language) == ("sea", other.id, "en")
    assert (changed.reply_format, changed.markup) == (ReplyFormat.PROSE, ProseMarkup())
    assert store.update_conversation(made.id) == changed


def test_the_last_used_conversation_comes_first_even_when_the_clock_goes_back(
    store: Store, clock: TickingClock
) -> None:
    first, second, third = (new_chat(store, title) for title in ("1", "2", "3"))
    clock.seconds = 0.0
    first.say("hello")
    assert [c.title for c in store.conversations()] == ["1", "3", "2"]
    store.touch_conversation(second.id)
    assert [c.title for c in store.conversations()] == ["2", "1", "3"]
    third.store.begin_reply(third.id, "Mira")
    assert [c.title for c in store.conversations()] == ["3", "2", "1"]


def test_the_list_shows_character_picture_and_length(store: Store) -> None:
    character = store.add_character(CARD, "b" * 64)
    persona = store.add_persona("You", "")
    made = store.add_conversation(character.id, persona.id, "灯台", "ja", ReplyFormat.PROSE, ProseMarkup())
    store.append_message(made.id, Role.USER, "You", NewRevision("hello"))
    (row,) = store.conversations()
    assert (row.character_name, row.picture, row.message_count, row.language) == ("ミラ", "b" * 64, 1, "ja")


def test_a_removed_conversation_can_be_restored(chat: Chat) -> None:
    chat.say("hello")
    chat.store.remove_conversation(chat.id)
    assert chat.store.conversations() == []
    with pytest.raises(NotFound):
        chat.store.conversation(chat.id)
    chat.store.restore_conversation(chat.id)
    assert chat.texts() == ["hello"]


def test_the_composer_keeps_its_text_for_each_conversation(store: Store) -> None:
    one, other = new_chat(store), new_chat(store)
    store.set_composer_draft(one.id, "half a sen")
    assert (store.composer_draft(one.id), store.composer_draft(other.id)) == ("half a sen", "")
    store.set_composer_draft(one.id, "")
    assert store.composer_draft(one.id) == ""


def test_the_newest_cut_holds_on_paths_that_go_through_it(chat: Chat) -> None:
    ids = [chat.say(str(index)).id for index in range(10)]
    trunk = chat.store.conversation(chat.id).active_branch_id
    assert chat.store.head(chat.id).until is None
    chat.store.set_head(chat.id, 3, (), "ceiling")
    chat.store.set_head(chat.id, 6, (), "ceiling")
    assert chat.store.head(chat.id).until == 6
    chat.store.add_branch(chat.id, ids[4], "")
    chat.say("x")
    chat.say("y")
    assert chat.store.head(chat.id).until == 3
    chat.store.set_head(chat.id, 5, (), "ceiling")
    assert chat.store.head(chat.id).until == 5
    chat.store.set_active_branch(chat.id, trunk)
    assert chat.store.head(chat.id).until == 6
    chat.store.set_head(chat.id, None, (), "window")
    assert chat.store.head(chat.id).until is None


@pytest.mark.parametrize(
    ("act", "values"),
    [
        ("character", (9,)),
        ("persona", (9,)),
        ("conversation", (9,)),
        ("remove_character", (9,)),
        ("restore_conversation", (9,)),
        ("update_persona", (9, "a", "b")),
        ("touch_conversation", (9,)),
        ("set_composer_draft", (9, "")),
        ("add_conversation", (9, 9, "t", "en", ReplyFormat.PROSE, ProseMarkup())),
        ("undo", (9,)),
        ("append_many", (9, [(Role.USER, "You", NewRevision("x"), False, 0.0)])),
    ],
)
def test_what_is_not_there_is_refused(store: Store, act: str, values: tuple[object, ...]) -> None:
    with pytest.raises(NotFound):
        getattr(store, act)(*values)
