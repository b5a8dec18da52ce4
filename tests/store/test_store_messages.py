"""Appending, the life of a reply, revisions, notes, what a crash left."""

import pytest
from store_kit import Chat, TickingClock, new_chat

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.messages import FinishReason, FormatRate, NewRevision, Role, SegmentKind
from kotonia_desktop.store.store import Store


def test_a_reply_is_on_the_path_from_its_beginning(chat: Chat) -> None:
    chat.say("hello")
    draft = chat.store.begin_reply(chat.id, "Mira")
    assert (draft.is_draft, draft.text, draft.ordinal, draft.role) == (True, "", 1, Role.CHARACTER)
    chat.store.save_draft(draft.id, "Good", "hm")
    shown = chat.store.last_message(chat.id)
    assert (shown.id, shown.is_draft, shown.text, shown.revision.reasoning) == (draft.id, True, "Good", "hm")
    assert chat.store.visible_count(chat.id) == 2


def test_the_end_of_a_reply_puts_the_revision_in_place_of_the_draft(chat: Chat) -> None:
    draft = chat.store.begin_reply(chat.id, "Mira")
    chat.store.save_draft(draft.id, "Good", "")
    done = chat.store.finish_reply(draft.id, NewRevision("Good day.", finish=FinishReason.LENGTH))
    assert (done.id, done.is_draft, done.text, done.revision_count) == (draft.id, False, "Good day.", 1)
    assert done.revision.finish is FinishReason.LENGTH


def test_a_reply_that_came_to_nothing_leaves_no_trace_on_the_path(chat: Chat) -> None:
    chat.say("hello")
    draft = chat.store.begin_reply(chat.id, "Mira")
    chat.store.discard_reply(draft.id)
    assert chat.texts() == ["hello"]
    assert chat.store.visible_count(chat.id) == 1
    assert chat.say("again").ordinal == 1


def test_a_discarded_reply_can_still_be_looked_at(chat: Chat) -> None:
    draft = chat.store.begin_reply(chat.id, "Mira")
    chat.store.discard_reply(draft.id)
    gone = chat.store.message(draft.id)
    assert (gone.text, gone.is_draft, gone.revision_count) == ("", False, 0)


def test_discarding_twice_changes_nothing(chat: Chat) -> None:
    draft = chat.store.begin_reply(chat.id, "Mira")
    chat.store.discard_reply(draft.id)
    after = chat.say("next")
    chat.store.discard_reply(draft.id)
    assert [message.id for message in chat.store.path(chat.id)] == [after.id]


def test_a_discarded_reply_that_others_stand_behind_is_hidden(chat: Chat) -> None:
    draft = chat.store.begin_reply(chat.id, "Mira")
    after = chat.say("next")
    chat.store.discard_reply(draft.id)
    assert [(message.id, message.ordinal) for message in chat.store.path(chat.id)] == [(after.id, 1)]
    assert chat.store.visible_count(chat.id) == 1


def test_a_failed_alternate_gives_the_place_back_to_the_former(chat: Chat) -> None:
    chat.say("hello")
    first = chat.reply("one")
    draft = chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    chat.store.discard_reply(draft.id)
    assert chat.texts() == ["hello", "one"]
    assert chat.store.message(first.id).alternate_count == 1
    assert chat.branch_count() == 1


def test_a_failed_alternate_in_the_middle_gives_the_branch_back(chat: Chat) -> None:
    first = chat.reply("one")
    chat.say("more")
    branch = chat.store.conversation(chat.id).active_branch_id
    draft = chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    assert chat.store.conversation(chat.id).active_branch_id != branch
    chat.store.discard_reply(draft.id)
    assert chat.store.conversation(chat.id).active_branch_id == branch
    assert chat.texts() == ["one", "more"]
    assert chat.branch_count() == 1


def test_an_edit_shows_the_new_text_and_keeps_what_follows(chat: Chat) -> None:
    user = chat.say("helo")
    chat.reply("one")
    edited = chat.store.add_revision(user.id, NewRevision("hello"))
    assert (edited.id, edited.text, edited.revision_count) == (user.id, "hello", 2)
    assert chat.texts() == ["hello", "one"]


def test_a_continuation_is_drafted_on_the_message_and_becomes_its_next_revision(chat: Chat) -> None:
    reply = chat.reply("Once", finish=FinishReason.LENGTH)
    chat.store.save_draft(reply.id, "Once upon", "")
    assert chat.store.last_message(chat.id).text == "Once upon"
    done = chat.store.finish_reply(reply.id, NewRevision("Once upon a time."))
    assert (done.text, done.revision_count, done.is_draft) == ("Once upon a time.", 2, False)
    assert chat.store.undo(chat.id) == ("edit", [reply.id])
    assert chat.texts() == ["Once"]


def test_a_continuation_that_failed_or_brought_nothing_leaves_the_message_as_it_was(chat: Chat) -> None:
    reply = chat.reply("Once", finish=FinishReason.LENGTH)
    chat.store.save_draft(reply.id, "Once upon", "")
    chat.store.discard_reply(reply.id)
    assert chat.store.message(reply.id) == reply
    chat.store.save_draft(reply.id, "Once", "")
    assert chat.store.finish_reply(reply.id, NewRevision("Once", finish=FinishReason.LENGTH)) == reply


def test_a_draft_is_recovered_as_an_interrupted_reply_with_its_segments(path, clock: TickingClock) -> None:
    with Store(path, clock) as store:
        chat = new_chat(store)
        chat.say("hello")
        draft = store.begin_reply(chat.id, "Mira")
        store.save_draft(draft.id, '"Good day." She sm', "hm")
    with Store(path, clock) as store:
        recovered = store.recover_drafts()
        assert [message.id for message in recovered] == [draft.id]
        shown = store.last_message(chat.id)
        assert shown == recovered[0]
        assert (shown.is_draft, shown.text, shown.revision.finish) == (False, '"Good day." She sm', "interrupted")
        assert shown.revision.segments[0].kind is SegmentKind.SPEECH
        assert shown.revision.reasoning == "hm"
        assert store.recover_drafts() == []


def test_an_empty_draft_is_discarded_when_it_is_recovered(chat: Chat) -> None:
    chat.say("hello")
    first = chat.reply("one")
    chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    assert chat.store.recover_drafts() == []
    assert chat.texts() == ["hello", "one"]


def test_a_draft_of_thoughts_alone_says_that_the_thinking_was_cut(chat: Chat) -> None:
    draft = chat.store.begin_reply(chat.id, "Mira")
    chat.store.save_draft(draft.id, "", "let me think")
    (recovered,) = chat.store.recover_drafts()
    assert recovered.revision.thinking_cut
    assert recovered.text == ""


def test_a_continuation_is_recovered_as_a_revision(chat: Chat) -> None:
    reply = chat.reply("Once", finish=FinishReason.LENGTH)
    chat.store.save_draft(reply.id, "Once upon", "")
    (recovered,) = chat.store.recover_drafts()
    assert (recovered.text, recovered.revision_count) == ("Once upon", 2)


def test_a_continuation_that_had_not_begun_is_no_revision(chat: Chat) -> None:
    reply = chat.reply("Once", finish=FinishReason.LENGTH)
    chat.store.save_draft(reply.id, "Once", "")
    assert chat.store.recover_drafts() == []
    assert chat.store.message(reply.id) == reply


def test_a_note_is_frozen_once_it_stands(chat: Chat) -> None:
    message = chat.say("hello")
    assert chat.store.set_note(message.id, "lore") == "lore"
    assert chat.store.set_note(message.id, "other") == "lore"
    assert chat.store.message(message.id).note == "lore"


def test_the_format_rate_counts_replies_of_a_model(chat: Chat) -> None:
    chat.say("hello")
    assert chat.store.format_rate(chat.id) == FormatRate(0, 0)
    first = chat.reply("one")
    chat.reply("two", alternate_of=first.id, format_ok=False)
    greeting = chat.store.begin_reply(chat.id, "Mira")
    chat.store.finish_reply(greeting.id, NewRevision("written by hand"))
    assert chat.store.format_rate(chat.id) == FormatRate(1, 2)


def test_a_continuation_counts_instead_of_what_it_continues(chat: Chat) -> None:
    reply = chat.reply("one", format_ok=False)
    chat.store.save_draft(reply.id, "one two", "")
    chat.store.finish_reply(reply.id, NewRevision("one two", stats=reply.revision.stats, format_ok=True))
    assert chat.store.format_rate(chat.id) == FormatRate(1, 1)


@pytest.mark.parametrize("act", ["save_draft", "finish_reply", "discard_reply", "add_revision", "set_note"])
def test_writing_to_a_message_that_is_not_there_is_refused(chat: Chat, act: str) -> None:
    more = {
        "save_draft": ("text", ""),
        "finish_reply": (NewRevision("x"),),
        "add_revision": (NewRevision("x"),),
        "set_note": ("x",),
        "discard_reply": (),
    }[act]
    with pytest.raises(NotFound):
        getattr(chat.store, act)(99, *more)


def test_a_unit_of_work_is_written_whole_or_not_at_all(chat: Chat) -> None:
    def work() -> None:
        chat.say("one")
        chat.reply("two")
        raise KeyError

    with pytest.raises(KeyError):
        chat.store.atomically(work)
    assert chat.texts() == []
    assert chat.store.search("one") == []
    assert chat.say("three").ordinal == 0
