"""Alternates, deleting, undoing, branches: what the path shows, and that the events tell the same."""

import inspect
import sys

import pytest
from store_kit import Chat, TickingClock, new_chat
from store_replay import derived, replayed

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.messages import NewRevision, Role
from kotonia_desktop.store.store import Store


@pytest.fixture(autouse=True)
def events_tell_the_same(store: Store):
    """After every test: the derived tables are what the events make of the rows."""
    yield
    assert derived(store) == replayed(store)


def test_regenerating_at_the_end_stays_on_the_branch(chat: Chat) -> None:
    chat.say("hello")
    first = chat.reply("one")
    second = chat.reply("two", alternate_of=first.id)
    third = chat.reply("three", alternate_of=second.id)
    assert chat.texts() == ["hello", "three"]
    assert {m.ordinal for m in (first, second, third)} == {1}
    assert [m.id for m in chat.store.alternates(second.id)] == [first.id, second.id, third.id]
    assert (third.alternate_index, third.alternate_count) == (2, 3)
    assert chat.branch_count() == 1
    assert chat.store.visible_count(chat.id) == 2


def test_choosing_an_alternate_at_the_end_stays_on_the_branch(chat: Chat) -> None:
    first = chat.reply("one")
    chat.reply("two", alternate_of=first.id)
    shown = chat.store.select_alternate(first.id)
    assert (shown.id, shown.alternate_index, shown.alternate_count) == (first.id, 0, 2)
    assert chat.texts() == ["one"]
    assert chat.branch_count() == 1


def test_regenerating_in_the_middle_keeps_what_followed_on_its_branch(chat: Chat) -> None:
    chat.say("hello")
    first = chat.reply("one")
    chat.say("more")
    second = chat.reply("two", alternate_of=first.id)
    assert chat.texts() == ["hello", "two"]
    assert (second.ordinal, chat.branch_count(), chat.store.visible_count(chat.id)) == (1, 2, 2)
    chat.store.select_alternate(first.id)
    assert chat.texts() == ["hello", "one", "more"]
    assert chat.branch_count() == 2


def test_going_back_and_forth_in_the_middle_makes_no_further_branches(chat: Chat) -> None:
    first = chat.reply("one")
    chat.say("a")
    second = chat.reply("two", alternate_of=first.id)
    chat.say("b")
    for _ in range(3):
        chat.store.select_alternate(first.id)
        assert chat.texts() == ["one", "a"]
        chat.store.select_alternate(second.id)
        assert chat.texts() == ["two", "b"]
    assert chat.branch_count() == 2


def test_an_alternate_that_no_branch_shows_gets_one_in_mid_history(chat: Chat) -> None:
    first = chat.reply("one")
    chat.reply("two", alternate_of=first.id)
    chat.say("after two")
    chat.store.select_alternate(first.id)
    assert chat.texts() == ["one"]
    assert chat.branch_count() == 2


def test_of_several_branches_with_an_alternate_the_last_used_is_shown(chat: Chat) -> None:
    first = chat.reply("one")
    chat.say("a")
    chat.store.add_branch(chat.id, first.id, "aside")
    chat.say("b")
    chat.reply("two", alternate_of=first.id)
    chat.store.select_alternate(first.id)
    assert chat.texts() == ["one", "b"]


def test_regenerating_where_another_branch_leaves_makes_a_branch(chat: Chat) -> None:
    first = chat.reply("one")
    trunk = chat.store.conversation(chat.id).active_branch_id
    chat.store.add_branch(chat.id, first.id, "aside")
    chat.say("aside")
    aside = chat.store.conversation(chat.id).active_branch_id
    chat.store.set_active_branch(chat.id, trunk)
    chat.reply("two", alternate_of=first.id)
    assert chat.texts() == ["two"]
    chat.store.set_active_branch(chat.id, aside)
    assert chat.texts() == ["one", "aside"]


def test_the_very_first_message_has_alternates_too(chat: Chat) -> None:
    first = chat.reply("one")
    chat.say("a")
    second = chat.reply("two", alternate_of=first.id)
    assert (second.ordinal, chat.texts()) == (0, ["two"])
    chat.store.select_alternate(first.id)
    assert chat.texts() == ["one", "a"]


def test_a_branch_follows_the_path_up_to_its_fork(chat: Chat) -> None:
    chat.say("a")
    fork = chat.reply("b")
    chat.say("c")
    branch = chat.store.add_branch(chat.id, fork.id, "other way")
    assert (branch.name, branch.fork_ordinal, branch.fork_message_id) == ("other way", 1, fork.id)
    assert chat.texts() == ["a", "b"]
    assert chat.say("d").ordinal == 2
    assert chat.store.visible_count(chat.id) == 3
    chat.store.set_active_branch(chat.id, branch.parent_id)
    assert chat.texts() == ["a", "b", "c"]


def test_a_branch_hangs_on_the_branch_that_owns_its_fork(chat: Chat) -> None:
    fork = chat.say("a")
    first = chat.store.add_branch(chat.id, fork.id, "1")
    second = chat.store.add_branch(chat.id, fork.id, "2")
    assert first.parent_id == second.parent_id


def test_branches_of_other_conversations_are_out_of_reach(store: Store, chat: Chat) -> None:
    other = new_chat(store)
    message = other.say("x")
    with pytest.raises(NotFound):
        store.add_branch(chat.id, message.id, "")
    with pytest.raises(NotFound):
        store.set_active_branch(chat.id, store.conversation(other.id).active_branch_id)


def test_deleted_messages_leave_the_path_and_an_undo_brings_all_of_them_back(chat: Chat) -> None:
    ids = [chat.say(text).id for text in "abcd"]
    chat.store.delete_messages(ids[1:3])
    assert chat.texts() == ["a", "d"]
    assert chat.store.visible_count(chat.id) == 2
    assert chat.store.undo(chat.id) == ("delete", ids[1:3])
    assert chat.texts() == list("abcd")
    assert chat.store.visible_count(chat.id) == 4
    assert chat.store.undo(chat.id) == ("", [])


def test_steps_are_undone_last_first_across_a_restart(path, clock: TickingClock) -> None:
    with Store(path.with_name("other.db"), clock) as store:
        chat = new_chat(store)
        user = chat.say("helo")
        first = chat.reply("one")
        chat.reply("two", alternate_of=first.id)
        store.add_revision(user.id, NewRevision("hello"))
        store.select_alternate(first.id)
        store.delete_messages([user.id])
    with Store(path.with_name("other.db"), clock) as store:
        chat = Chat(store, chat.id)
        assert chat.texts() == ["one"]
        assert store.undo(chat.id)[0] == "delete"
        assert chat.texts() == ["hello", "one"]
        assert store.undo(chat.id)[0] == "select"
        assert chat.texts() == ["hello", "two"]
        assert store.undo(chat.id) == ("edit", [user.id])
        assert chat.texts() == ["helo", "two"]
        assert store.message(user.id).revision_count == 1
        assert store.undo(chat.id)[0] == "select"  # the alternate that was written goes behind the first again
        assert chat.texts() == ["helo", "one"]
        assert store.undo(chat.id) == ("", [])


def test_an_undone_edit_shows_the_same_revision_again_and_is_found_by_its_text(chat: Chat) -> None:
    before = chat.say("lantern")
    chat.store.add_revision(before.id, NewRevision("harbour"))
    chat.store.undo(chat.id)
    assert chat.store.message(before.id) == before
    assert len(chat.store.search("lantern")) == 1
    assert chat.store.search("harbour") == []


def test_an_undone_choice_in_the_middle_goes_back_to_the_branch_it_came_from(chat: Chat) -> None:
    first = chat.reply("one")
    chat.say("a")
    second = chat.reply("two", alternate_of=first.id)
    chat.say("b")
    chat.store.select_alternate(first.id)
    assert chat.store.undo(chat.id) == ("select", [second.id])
    assert chat.texts() == ["two", "b"]


def test_a_choice_at_the_end_that_was_written_on_is_undone_without_moving_what_was_written(chat: Chat) -> None:
    first = chat.reply("one")
    chat.reply("two", alternate_of=first.id)
    chat.store.select_alternate(first.id)
    chat.say("answer to one")
    chat.store.undo(chat.id)
    assert chat.texts() == ["two"]
    chat.store.select_alternate(first.id)
    assert chat.texts() == ["one", "answer to one"]


def test_an_undone_choice_on_a_branch_that_was_left_goes_back_to_that_branch(chat: Chat) -> None:
    start = chat.say("start")
    first = chat.reply("one")
    second = chat.reply("two", alternate_of=first.id)
    chat.store.select_alternate(first.id)
    chat.store.add_branch(chat.id, start.id, "aside")
    chat.say("something else")
    assert chat.store.undo(chat.id) == ("select", [second.id])
    assert chat.texts() == ["start", "two"]


def test_an_undone_choice_whose_former_is_gone_stays_where_it_is(chat: Chat) -> None:
    first = chat.reply("one")
    chat.say("more")
    draft = chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    chat.store.select_alternate(first.id)
    chat.store.discard_reply(draft.id)
    assert chat.store.undo(chat.id)[0] == "select"
    assert chat.texts() == ["one", "more"]
    assert chat.branch_count() == 1


def test_choosing_what_is_shown_changes_nothing(chat: Chat) -> None:
    first = chat.reply("one")
    chat.store.select_alternate(first.id)
    assert chat.store.undo(chat.id) == ("", [])


def test_regenerating_the_last_visible_message_needs_no_branch_although_deleted_ones_follow(chat: Chat) -> None:
    first = chat.reply("one")
    later = chat.say("a")
    chat.store.delete_messages([later.id])
    chat.reply("two", alternate_of=first.id)
    assert (chat.texts(), chat.branch_count()) == (["two"], 1)
    assert chat.store.undo(chat.id)[0] == "select"
    assert chat.store.undo(chat.id)[0] == "delete"
    assert chat.texts() == ["one", "a"]


def test_a_deleted_alternate_cannot_be_chosen_and_is_not_counted(chat: Chat) -> None:
    first = chat.reply("one")
    second = chat.reply("two", alternate_of=first.id)
    chat.store.delete_messages([first.id])
    shown = chat.store.message(second.id)
    assert (shown.alternate_index, shown.alternate_count) == (0, 1)
    with pytest.raises(NotFound):
        chat.store.select_alternate(first.id)
    chat.store.undo(chat.id)
    assert chat.store.message(second.id).alternate_count == 2


def test_a_sibling_takes_the_place_of_a_deleted_alternate(chat: Chat) -> None:
    first = chat.reply("one")
    second = chat.reply("two", alternate_of=first.id)
    chat.store.delete_messages([second.id])
    assert (chat.texts(), chat.store.visible_count(chat.id)) == ([], 0)
    chat.store.select_alternate(first.id)
    assert (chat.texts(), chat.store.visible_count(chat.id)) == (["one"], 1)


def test_deleting_twice_is_one_step(chat: Chat) -> None:
    message = chat.say("a")
    chat.store.delete_messages([message.id, message.id])
    chat.store.delete_messages([message.id])
    chat.store.undo(chat.id)
    assert chat.texts() == ["a"]
    assert chat.store.undo(chat.id) == ("", [])


def test_what_is_deleted_behind_a_fork_does_not_count_on_the_branch(chat: Chat) -> None:
    ids = [chat.say(text).id for text in "abcd"]
    chat.store.delete_messages([ids[0], ids[3]])
    chat.store.add_branch(chat.id, ids[1], "")
    assert chat.texts() == ["b"]
    assert chat.store.visible_count(chat.id) == 1


def test_a_branch_that_was_taken_back_leaves_nothing_to_the_next_of_its_number(chat: Chat) -> None:
    ids = [chat.say(text).id for text in "abc"]
    numbers = []

    def work() -> None:
        numbers.append(chat.store.add_branch(chat.id, ids[0], "").id)
        assert chat.texts() == ["a"]
        raise KeyError

    with pytest.raises(KeyError):
        chat.store.atomically(work)
    assert chat.texts() == ["a", "b", "c"]
    assert chat.store.add_branch(chat.id, ids[1], "").id == numbers[0]
    assert chat.texts() == ["a", "b"]


def test_a_message_that_branches_share_is_deleted_from_all_of_them(chat: Chat) -> None:
    shared = chat.say("a")
    fork = chat.say("b")
    trunk = chat.store.conversation(chat.id).active_branch_id
    chat.store.add_branch(chat.id, fork.id, "")
    chat.store.delete_messages([shared.id])
    assert chat.texts() == ["b"]
    chat.store.set_active_branch(chat.id, trunk)
    assert chat.texts() == ["b"]
    assert chat.store.visible_count(chat.id) == 1


def test_alternates_of_a_greeting_are_greetings(chat: Chat) -> None:
    first = chat.store.append_message(chat.id, Role.CHARACTER, "Mira", NewRevision("hi"), is_greeting=True)
    assert chat.reply("hello", alternate_of=first.id).is_greeting


def test_a_reply_that_fails_on_a_branch_that_was_left_meanwhile_takes_that_branch_with_it(chat: Chat) -> None:
    first = chat.reply("one")
    chat.say("more")
    trunk = chat.store.conversation(chat.id).active_branch_id
    draft = chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    chat.store.set_active_branch(chat.id, trunk)
    chat.store.discard_reply(draft.id)
    assert chat.store.conversation(chat.id).active_branch_id == trunk
    assert (chat.texts(), chat.branch_count()) == (["one", "more"], 1)
    assert chat.store.visible_count(chat.id) == 2


def test_a_failed_alternate_gives_the_place_back_although_deleted_messages_follow(chat: Chat) -> None:
    first = chat.reply("one")
    chat.store.delete_messages([chat.say("more").id])
    draft = chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    chat.store.discard_reply(draft.id)
    assert chat.texts() == ["one"]


def test_a_failed_alternate_does_not_bring_back_what_was_deleted_meanwhile(chat: Chat) -> None:
    first = chat.reply("one")
    draft = chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    chat.store.delete_messages([first.id])
    chat.store.discard_reply(draft.id)
    assert (chat.texts(), chat.store.visible_count(chat.id)) == ([], 0)


def test_a_failed_alternate_whose_former_got_a_branch_of_its_own_is_hidden(chat: Chat) -> None:
    first = chat.reply("one")
    trunk = chat.store.conversation(chat.id).active_branch_id
    draft = chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    after = chat.say("more")
    chat.store.select_alternate(first.id)
    chat.store.delete_messages([after.id])
    chat.store.discard_reply(draft.id)
    assert chat.texts() == ["one"]
    chat.store.set_active_branch(chat.id, trunk)
    assert (chat.texts(), chat.store.visible_count(chat.id)) == ([], 0)


def test_a_failed_reply_leaves_no_gap_where_deleted_messages_follow(chat: Chat) -> None:
    draft = chat.store.begin_reply(chat.id, "Mira")
    chat.store.delete_messages([chat.say("more").id])
    chat.store.discard_reply(draft.id)
    assert chat.say("next").ordinal == 2
    assert chat.store.visible_count(chat.id) == 1


def test_a_reply_that_fails_elsewhere_does_not_move_the_reader(chat: Chat) -> None:
    first = chat.reply("one")
    chat.say("more")
    aside = chat.store.add_branch(chat.id, first.id, "aside")
    chat.say("aside")
    trunk = chat.store.branches(chat.id)[0]
    chat.store.set_active_branch(chat.id, trunk.id)
    draft = chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    chat.store.set_active_branch(chat.id, aside.id)
    chat.store.discard_reply(draft.id)
    assert chat.texts() == ["one", "aside"]


def test_two_alternates_that_fail_one_out_of_the_other_lead_back_to_what_stands(chat: Chat) -> None:
    start = chat.reply("start")
    first = chat.reply("one")
    chat.say("more")
    outer = chat.store.begin_reply(chat.id, "Mira", alternate_of=first.id)
    inner = chat.store.begin_reply(chat.id, "Mira", alternate_of=start.id)
    chat.store.discard_reply(outer.id)
    chat.store.discard_reply(inner.id)
    assert chat.texts() == ["start", "one", "more"]
    assert chat.branch_count() == 1


def test_an_undone_choice_prefers_the_branch_it_came_from_to_one_used_since(chat: Chat) -> None:
    first = chat.reply("one")
    chat.say("a")
    second = chat.reply("two", alternate_of=first.id)
    chat.say("b")
    came_from = chat.store.conversation(chat.id).active_branch_id
    later = chat.store.add_branch(chat.id, second.id, "later")
    chat.store.set_active_branch(chat.id, came_from)
    chat.store.select_alternate(first.id)
    chosen = chat.store.conversation(chat.id).active_branch_id
    chat.store.set_active_branch(chat.id, later.id)
    chat.store.set_active_branch(chat.id, chosen)
    chat.store.undo(chat.id)
    assert chat.texts() == ["two", "b"]


def test_a_chain_of_branches_deeper_than_the_stack_is_one_path(chat: Chat) -> None:
    def grow() -> None:
        for index in range(300):
            chat.store.add_branch(chat.id, chat.say(str(index)).id, "")

    chat.store.atomically(grow)
    for forget in chat.store._db.on_rollback:
        forget()
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 150)
    try:
        assert chat.texts() == [str(index) for index in range(300)]
    finally:
        sys.setrecursionlimit(usual)
