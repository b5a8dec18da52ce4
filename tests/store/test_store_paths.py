"""Messages are read as the path shows them."""

import pytest
from store_kit import Chat, new_chat

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.messages import (
    FinishReason,
    GenerationStats,
    NewRevision,
    Role,
    Segment,
    SegmentKind,
    StoppedBy,
)
from kotonia_desktop.store.store import Store


def fill(chat: Chat, count: int) -> list[int]:
    rows = [(Role.USER, "You", NewRevision(f"m{index}"), False, float(index)) for index in range(count)]
    return chat.store.append_many(chat.id, rows)


def ordinals(messages) -> list[int]:
    return [message.ordinal for message in messages]


def test_a_message_comes_back_with_everything_it_was_given(chat: Chat) -> None:
    new = NewRevision(
        text="「やあ」 \x00 \U0001f3ee",
        segments=(Segment(SegmentKind.SPEECH, 0, 4, "Mira"), Segment(SegmentKind.NARRATION, 4, 8)),
        reasoning="hm",
        finish=FinishReason.LENGTH,
        stopped_by=StoppedBy.PERSONA,
        cut_text="You: no",
        thinking_cut=True,
        format_ok=False,
        tokenizer="tok",
        token_ids=(0, 1, 2_000_000_000, -1),
        stats=GenerationStats("m", 10, 9, 1, 5, 2, 0.5, 1.5, 7),
    )
    message = chat.store.append_message(chat.id, Role.CHARACTER, "Mira", new, note="lore", is_greeting=True)
    again = chat.store.message(message.id)
    assert again == message
    assert (again.role, again.speaker, again.note, again.is_greeting) == (Role.CHARACTER, "Mira", "lore", True)
    for name in NewRevision.__dataclass_fields__:
        assert getattr(again.revision, name) == getattr(new, name), name


def test_a_lone_surrogate_is_replaced_in_its_place(chat: Chat) -> None:
    assert chat.say("a\ud800b").text == "a\ufffdb"


def test_a_page_holds_the_newest_messages_oldest_first(chat: Chat) -> None:
    fill(chat, 25)
    assert ordinals(chat.store.page(chat.id, limit=10)) == list(range(15, 25))
    assert ordinals(chat.store.page(chat.id, before=15, limit=10)) == list(range(5, 15))
    assert ordinals(chat.store.page(chat.id, before=5, limit=10)) == list(range(5))
    assert chat.store.page(chat.id, before=0, limit=10) == []


def test_a_page_after_a_message_begins_with_the_next(chat: Chat) -> None:
    fill(chat, 25)
    assert ordinals(chat.store.page_after(chat.id, 9, 10)) == list(range(10, 20))
    assert ordinals(chat.store.page_after(chat.id, -1, 3)) == [0, 1, 2]
    assert chat.store.page_after(chat.id, 24, 10) == []


@pytest.mark.parametrize(("ordinal", "first"), [(12, 7), (0, 0), (2, 0), (24, 15), (99, 15)])
def test_a_page_around_a_message_is_full_wherever_the_path_allows_it(chat: Chat, ordinal: int, first: int) -> None:
    fill(chat, 25)
    assert ordinals(chat.store.around(chat.id, ordinal, 10)) == list(range(first, first + 10))


def test_pages_pass_over_deleted_messages_and_keep_ordinals(chat: Chat) -> None:
    ids = fill(chat, 20)
    chat.store.delete_messages(ids[5:15])
    assert ordinals(chat.store.page(chat.id, limit=8)) == [2, 3, 4, 15, 16, 17, 18, 19]
    assert ordinals(chat.store.page_after(chat.id, 3, 3)) == [4, 15, 16]
    assert chat.store.visible_count(chat.id) == 10
    assert chat.say("next").ordinal == 20


def test_pages_run_across_branches(chat: Chat) -> None:
    ids = fill(chat, 10)
    chat.store.add_branch(chat.id, ids[4], "b")
    second = fill(chat, 5)
    chat.store.add_branch(chat.id, second[1], "c")
    chat.say("end")
    path = chat.store.path(chat.id)
    assert [message.id for message in path] == [*ids[:5], *second[:2], path[-1].id]
    assert ordinals(path) == list(range(8))
    for limit in (1, 2, 3, 8, 20):
        assert chat.store.page(chat.id, limit=limit) == path[-limit:]
        for ordinal in range(8):
            assert chat.store.page(chat.id, before=ordinal, limit=limit) == path[:ordinal][-limit:]
            assert chat.store.page_after(chat.id, ordinal, limit) == path[ordinal + 1 :][:limit]
    assert chat.store.path(chat.id, 6) == path[6:]
    assert chat.store.last_message(chat.id) == path[-1]


def test_an_empty_conversation_has_no_last_message(chat: Chat) -> None:
    assert chat.store.last_message(chat.id) is None
    assert chat.store.path(chat.id) == []
    assert chat.store.visible_count(chat.id) == 0


def test_conversations_do_not_see_each_other(store: Store) -> None:
    one, other = new_chat(store), new_chat(store)
    one.say("1")
    other.say("2")
    one.say("3")
    assert (one.texts(), other.texts()) == (["1", "3"], ["2"])
    assert [message.ordinal for message in store.path(one.id)] == [0, 1]


def test_messages_come_in_the_order_asked_for(chat: Chat) -> None:
    ids = fill(chat, 1200)
    wanted = ids[::-1]
    assert [message.id for message in chat.store.messages(wanted)] == wanted


def test_what_is_not_there_is_named(chat: Chat) -> None:
    with pytest.raises(NotFound, match="no message 99"):
        chat.store.message(99)
    with pytest.raises(NotFound, match="no conversation 99"):
        chat.store.page(99)


def test_bulk_and_single_appends_give_the_same_rows(store: Store) -> None:
    one, other = new_chat(store), new_chat(store)
    for index in range(3):
        one.say(f"m{index}")
    other.store.append_many(other.id, [])
    fill(other, 3)
    assert one.texts() == other.texts()
    assert store.visible_count(other.id) == 3
    assert [hit.ordinal for hit in store.search("m1", other.id)] == [1]
    assert other.say("next").ordinal == 3
