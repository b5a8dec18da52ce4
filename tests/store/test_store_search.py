"""Search finds what is on the path, in every script, whatever is typed."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_kit import Chat, new_chat

from kotonia_desktop.domain.messages import NewRevision
from kotonia_desktop.store.search_text import find_excerpt, index_words, match_expression
from kotonia_desktop.store.store import Store

TEXTS = {
    "ja": "灯台の光が見えた。ﾊﾝｶｸの文字、人々。",
    "zh": "她把灯笼挂在窗边，说道：“今晚会下雪。”",
    "ko": "등대의 불빛이 보였다.",
    "en": "The lighthouse-keeper's lamp didn't go out in Tōkyō; 42 ships passed.",
    "mix": "Miraは東京towerへ行った。",
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("灯台", "ja"),
        ("光", "ja"),
        ("見えた", "ja"),
        ("ハンカク", "ja"),
        ("人々", "ja"),
        ("々", "ja"),
        ("灯笼", "zh"),
        ("今晚会下雪", "zh"),
        ("雪", "zh"),
        ("등대", "ko"),
        ("LIGHTHOUSE", "en"),
        ("light", "en"),
        ("didn't", "en"),
        ("keeper's lamp", "en"),
        ("lamp keeper", "en"),
        ("42", "en"),
        ("ｔｏｗｅｒ", "mix"),
        ("東京", "mix"),
        ("京tower", "mix"),
        ("mira 東京", "mix"),
    ],
)
def test_a_query_finds_its_message_and_no_other(chat: Chat, query: str, found: str) -> None:
    ids = {chat.say(text).id: name for name, text in TEXTS.items()}
    assert [ids[hit.message_id] for hit in chat.store.search(query)] == [found]


@pytest.mark.parametrize("query", ["台灯", "雪下", "ight", "lamp 雪", "towe r", "lamp keeper x", "京東"])
def test_what_is_not_there_is_not_found(chat: Chat, query: str) -> None:
    for text in TEXTS.values():
        chat.say(text)
    assert chat.store.search(query) == []


@pytest.mark.parametrize("query", ["", " ", "*", '"', "()", "。", "***", "-", "^", "+", "\x00", "\ud800", '""'])
def test_a_query_without_a_letter_finds_nothing_and_harms_no_other_word(chat: Chat, query: str) -> None:
    chat.say("some words")
    assert chat.store.search(query) == []
    assert len(chat.store.search(f"some {query} words")) == 1
    assert len(chat.store.search(f"some{query}")) == 1


@pytest.mark.parametrize(
    "query", ["AND", "OR", "NOT", "NEAR(some words)", "body:", "scope:c1", "some OR", '"word some', "x*"]
)
def test_words_that_mean_something_to_the_index_are_plain_words(chat: Chat, query: str) -> None:
    chat.say("some words")
    assert chat.store.search(query) == []
    message = chat.say(f"then {query} was said")
    assert [hit.message_id for hit in chat.store.search(query)] == [message.id]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(min_size=1, max_size=60), data=st.data())
def test_any_word_of_any_message_finds_it(chat: Chat, text: str, data: st.DataObject) -> None:
    message = chat.say(text)
    words = index_words(message.text).split()
    if words:
        word = data.draw(st.sampled_from(words))
        hits = chat.store.search(word, limit=1000)
        assert message.id in [hit.message_id for hit in hits]
    chat.store.search(text)  # whatever it is, it is no error


def test_the_newest_message_comes_first_and_the_limit_holds(chat: Chat) -> None:
    ids = [chat.say(f"lantern {index}").id for index in range(5)]
    assert [hit.message_id for hit in chat.store.search("lantern", limit=3)] == ids[:1:-1]


def test_a_search_may_stay_within_a_conversation(store: Store) -> None:
    one, other = new_chat(store, "one"), new_chat(store, "other")
    here = one.say("lantern")
    there = other.say("lantern")
    assert {hit.message_id for hit in store.search("lantern")} == {here.id, there.id}
    (hit,) = store.search("lantern", other.id)
    assert (hit.message_id, hit.conversation_title, hit.speaker, hit.ordinal) == (there.id, "other", "You", 0)


def test_only_the_newest_revision_is_found(chat: Chat) -> None:
    message = chat.say("lantern")
    chat.store.add_revision(message.id, NewRevision("harbour"))
    assert chat.store.search("lantern") == []
    assert len(chat.store.search("harbour")) == 1


def test_the_think_block_is_not_searched(chat: Chat) -> None:
    chat.reply("harbour", reasoning="lantern")
    assert chat.store.search("lantern") == []


def test_deleted_messages_and_removed_conversations_are_not_found(chat: Chat) -> None:
    message = chat.say("lantern")
    chat.store.delete_messages([message.id])
    assert chat.store.search("lantern") == []
    chat.store.undo(chat.id)
    assert len(chat.store.search("lantern")) == 1
    chat.store.remove_conversation(chat.id)
    assert chat.store.search("lantern") == []
    chat.store.restore_conversation(chat.id)
    assert len(chat.store.search("lantern")) == 1


def test_what_lies_off_the_active_path_is_not_found(chat: Chat) -> None:
    first = chat.reply("lantern")
    chat.say("harbour")
    chat.reply("window", alternate_of=first.id)
    assert chat.store.search("lantern") == []
    assert chat.store.search("harbour") == []
    chat.store.select_alternate(first.id)
    assert len(chat.store.search("harbour")) == 1
    assert chat.store.search("window") == []


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("灯台", "灯台"),
        ("ハンカク", "ﾊﾝｶｸ"),
        ("ｌａｍｐ", "lamp"),
        ("keeper's", "keeper's"),
        ("didn't", "didn't"),
        ("TŌKYŌ", "Tōkyō"),
    ],
)
def test_the_excerpt_marks_the_match_in_the_text_as_it_was_written(query: str, marked: str) -> None:
    text = "".join(TEXTS.values())
    excerpt, start, end = find_excerpt(text, query)
    assert excerpt[start:end] == marked
    assert excerpt in text


def test_an_excerpt_of_a_long_text_lies_around_the_match() -> None:
    text = "a " * 500 + "lantern" + " b" * 500
    excerpt, start, end = find_excerpt(text, "lantern")
    assert excerpt[start:end] == "lantern"
    assert 0 < start <= 30
    assert len(excerpt) == 120


def test_an_excerpt_does_not_mark_the_middle_of_a_word() -> None:
    text = "slantern, then a lantern"
    excerpt, start, end = find_excerpt(text, "lantern")
    assert (excerpt[start:end], excerpt[:start]) == ("lantern", "then a ")


def test_a_word_at_the_end_may_go_on_and_others_may_not() -> None:
    assert match_expression("red lant") == '"red" "lant" *'
    assert match_expression("東京都") == '"東京 京都"'
    assert match_expression("都") == '"都" *'
