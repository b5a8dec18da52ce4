"""Old lines in the notes of new messages: a real engine on a tiny model, a real database, a story that outgrew both."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fold_stage import Copier, bare_conversation, stage, talk_past_the_trigger, work
from turn_events import open_with_model, short_replies, turn

from kotonia_desktop.domain.errors import MessageTooLong
from kotonia_desktop.domain.library import CharacterCard, Lorebook, LoreEntry
from kotonia_desktop.domain.messages import Message, NewRevision, Role
from kotonia_desktop.memory.chronicler import ChroniclerPrompt
from kotonia_desktop.memory.recollection import MOST_TOKENS, holds_recollection
from kotonia_desktop.memory.writing import Written
from kotonia_desktop.services.chat import Send
from kotonia_desktop.services.folding import WriterKind
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.prompting import Scene, read_scene

OLD = {10: "Here, I brought you a brass compass.", 400: "The otter stole our dumplings."}
IN_VIEW = 2990
SECRET = "The glass marble is under the stairs."


@pytest.fixture
def kotonia(tmp_path: Path, tiny_model: Path) -> Iterator[Kotonia]:
    with open_with_model(tmp_path, tiny_model, window=8192) as opened:
        short_replies(opened, 16)
        yield opened


def long_story(kotonia: Kotonia, extra: dict[int, str] | None = None) -> int:
    """Three thousand lines, of which the model sees the newest; some of them worth asking for."""
    book = Lorebook(entries=(LoreEntry(("compass",), "The old king made compasses."),))
    card = CharacterCard(name="Mira", description="A smith.", language="en", lorebook=book)
    character = kotonia.library.add_character(card)
    persona, _ = kotonia.library.save_persona("Sam", "")
    conversation, _ = kotonia.library.create_conversation(character.id, persona.id)
    told = OLD | (extra or {})
    rows = [
        (
            Role.CHARACTER if n % 2 else Role.USER,
            "Mira" if n % 2 else "Sam",
            NewRevision(told.get(n, f"Line {n} of some length.")),
            False,
            0.0,
        )
        for n in range(3000)
    ]
    kotonia._store.run(lambda s: s.append_many(conversation.id, rows))
    assert turn(kotonia, Send(conversation.id, "Hello.")).failed is None  # what has no room leaves with the first turn
    return conversation.id


def say(kotonia: Kotonia, conversation_id: int, text: str) -> str:
    """Send a line; the note it got."""
    caught = turn(kotonia, Send(conversation_id, text))
    assert caught.failed is None, caught.failed
    return newest(kotonia, conversation_id).note


def newest(kotonia: Kotonia, conversation_id: int) -> Message:
    return kotonia.chat.page(conversation_id).messages[-2]


def scene_of(kotonia: Kotonia, conversation_id: int) -> Scene:
    return kotonia._store.run(lambda s: read_scene(s, conversation_id, room=cells(kotonia)))


def cells(kotonia: Kotonia) -> int:
    model = kotonia.models.status().model
    assert model is not None
    return model.chat_cells


def shown(kotonia: Kotonia, conversation_id: int) -> str:
    return "\n".join(section.text for section in kotonia.chat.prompt_view(conversation_id).sections)


def test_what_the_user_asks_for_comes_back_and_stays_with_its_turn(kotonia: Kotonia) -> None:
    conversation = long_story(kotonia)
    note = say(kotonia, conversation, "Do you remember what the otter did?")
    assert holds_recollection(note)
    assert "#401 Sam (says): The otter stole our dumplings." in note or f" {OLD[400]}" in note
    assert kotonia.chat._prompter.count_text(note) <= MOST_TOKENS
    for number in range(3):
        say(kotonia, conversation, f"Nothing, {number}.")
    assert shown(kotonia, conversation).count(OLD[400]) == 1
    assert not holds_recollection(say(kotonia, conversation, "Do you remember what the otter did?"))


def test_a_turn_with_old_lines_reads_only_what_is_new(kotonia: Kotonia) -> None:
    conversation = long_story(kotonia)
    caught = turn(kotonia, Send(conversation, "Do you remember what the otter did?"))
    assert holds_recollection(newest(kotonia, conversation).note)
    after = turn(kotonia, Send(conversation, "Nothing."))
    for stats in (caught.message.revision.stats, after.message.revision.stats):
        assert stats is not None
        assert stats.reread_tokens == 0
        assert stats.reused_tokens > 0


def test_unasked_lines_come_back_in_one_turn_of_four_and_asked_ones_always(kotonia: Kotonia) -> None:
    conversation = long_story(kotonia, {20: "My sister is a beekeeper in Ghent.", 30: "A kestrel nests in the tower."})
    assert holds_recollection(say(kotonia, conversation, "Where did the otter go?"))
    assert not holds_recollection(say(kotonia, conversation, "Is the beekeeper at home?"))
    assert holds_recollection(say(kotonia, conversation, "Do you remember the kestrel?"))
    for text in ("One.", "Two.", "Three."):
        say(kotonia, conversation, text)
    assert holds_recollection(say(kotonia, conversation, "How far is Ghent?"))


def test_an_ordinary_line_brings_nothing_back(kotonia: Kotonia) -> None:
    conversation = long_story(kotonia)
    for text in ("I see. Shall we go on?", "Another line of some length, isn't it?", "Yes."):
        assert say(kotonia, conversation, text) == ""


def test_lore_comes_first_then_the_old_lines(kotonia: Kotonia) -> None:
    note = say(kotonia, long_story(kotonia), "Do you remember the compass?")
    assert note.index("The old king made compasses.") < note.index("word for word") < note.index(OLD[10])


def test_what_is_still_shown_is_not_brought_back(kotonia: Kotonia) -> None:
    conversation = long_story(kotonia, {IN_VIEW: "A magpie took the ring."})
    scene = scene_of(kotonia, conversation)
    assert scene.out_until is not None
    assert 400 < scene.out_until < IN_VIEW
    assert "magpie" not in say(kotonia, conversation, "Do you remember the magpie?")
    assert "magpie" in shown(kotonia, conversation)


def test_neighbours_that_are_still_shown_stay_where_they_are(kotonia: Kotonia) -> None:
    conversation = long_story(kotonia)
    edge = scene_of(kotonia, conversation).out_until
    assert edge is not None
    conversation = long_story(kotonia, {edge: "A magpie took the ring."})
    note = kotonia.chat._turns._notes.recollection(
        scene_of(kotonia, conversation), "Do you remember the magpie?", kotonia.models.status().model
    )
    assert f"#{edge + 1} " in note
    assert f"#{edge + 2} " not in note


def test_what_is_off_the_record_is_not_brought_back(kotonia: Kotonia) -> None:
    conversation = long_story(kotonia, {50: SECRET})
    secret = kotonia.chat.around(conversation, 50, 2).messages
    message = next(m for m in secret if m.text == SECRET)
    kotonia.chat.mark(message.id, off_record=True)
    assert SECRET not in say(kotonia, conversation, "Do you remember the marble?")
    kotonia.chat.mark(message.id, off_record=False)
    assert SECRET in say(kotonia, conversation, "Do you remember the marble?")


def test_the_setting_switches_it_off(kotonia: Kotonia) -> None:
    conversation = long_story(kotonia)
    kotonia.settings.set("memory.recall", False)
    assert say(kotonia, conversation, "Do you remember what the otter did?") == ""
    kotonia.settings.set("memory.recall", True)
    assert holds_recollection(say(kotonia, conversation, "Do you remember what the otter did?"))


def test_where_the_message_leaves_no_room_the_old_lines_go_and_the_lore_stays(kotonia: Kotonia) -> None:
    conversation = long_story(kotonia)
    prompter, notes, model = kotonia.chat._prompter, kotonia.chat._turns._notes, kotonia.models.status().model
    assert model is not None
    scene = scene_of(kotonia, conversation)
    asked = "Do you remember the compass? "
    lore = prompter.lore_for(scene, asked)
    assert lore
    length = 0
    while True:  # the longest text that can be sent with the lore alone
        try:
            prompter.check_fits(scene, asked + "一" * (length + 100), lore, model)
        except MessageTooLong:
            break
        length += 100
    assert length > 1000
    text = asked + "一" * length
    assert notes.recollection(scene, text, model)
    assert notes.note_for(scene, text, model) == lore
    assert holds_recollection(notes.note_for(scene, asked, model))
    with pytest.raises(MessageTooLong):
        notes.note_for(scene, text + "一" * 100, model)
    caught = turn(kotonia, Send(conversation, text))
    assert caught.failed is None
    assert newest(kotonia, conversation).note == lore


class Recorder(Copier):
    """A writer that keeps what it was given to read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, _conversation_id: int) -> "Recorder":
        return self

    def write(self, prompt: ChroniclerPrompt) -> Written:
        self.read += [item.text for item in prompt.items]
        return super().write(prompt)


def test_the_chronicler_does_not_read_notes(tmp_path: Path, tiny_model: Path) -> None:
    with stage(tmp_path, tiny_model) as kotonia:
        conversation = bare_conversation(kotonia)
        talk_past_the_trigger(kotonia, conversation)
        for message in kotonia.chat.page(conversation, limit=1000).messages:
            if message.role is Role.USER:
                kotonia._store.run(lambda s, m=message: s.set_note(m.id, f"NOTED {m.ordinal}"))
        assert "NOTED" in shown(kotonia, conversation)
        recorder = Recorder()
        kotonia.folding.writer = WriterKind.MODEL
        kotonia.folding.make_writer = recorder
        work(kotonia, conversation)
        assert any("I carried the" in text for text in recorder.read)
        assert not any("NOTED" in text for text in recorder.read)
