"""Ranked search: what shares most with a text comes first, of the path and nothing else."""

import statistics
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_kit import Chat, new_chat

from kotonia_desktop.domain.messages import NewRevision, Role
from kotonia_desktop.store.recall_text import MOST_WORDS, recall_expression, without_names
from kotonia_desktop.store.store import Store


def texts(chat: Chat, query: str, **wanted: object) -> list[str]:
    return [chat.store.message(hit.message_id).text for hit in chat.store.ranked(chat.id, query, **wanted)]


LINES = {
    "en": ("She painted two lanterns.", "The harbour was frozen.", "We ate walnuts."),
    "ja": ("ぼくは弘前で育ったんだ。", "猫がスタンドを倒した。", "雨が降っていた。"),
    "zh": ("我是在泉州长大的。", "我从小就怕烟花。", "那天下着雨。"),
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Who paints the lantern?", "She painted two lanterns."),
        ("is it FREEZING or frozen", "The harbour was frozen."),
        ("a walnut?", "We ate walnuts."),
        ("育った町はどこ？", "ぼくは弘前で育ったんだ。"),
        ("飼い猫の名前は？", "猫がスタンドを倒した。"),
        ("你在哪里长大？", "我是在泉州长大的。"),
        ("你害怕什么？", "我从小就怕烟花。"),
    ],
)
def test_a_question_finds_the_line_that_answers_it(chat: Chat, query: str, found: str) -> None:
    for line in (line for lines in LINES.values() for line in lines):
        chat.say(line)
    assert texts(chat, query, limit=1) == [found]


def test_the_more_and_the_rarer_the_words_the_higher_the_place(chat: Chat) -> None:
    for line in ("a red door", "a red door", "a red lantern by a door", "a blue boat"):
        chat.say(line)
    hits = chat.store.ranked(chat.id, "the red lantern and the door")
    assert chat.store.message(hits[0].message_id).text == "a red lantern by a door"
    assert [hit.ordinal for hit in hits] == [2, 1, 0]  # of like ones the newest first
    assert hits[0].score > hits[1].score > 0


def test_what_stands_in_every_other_line_is_not_looked_for(chat: Chat) -> None:
    chat.say("Mira and the what of it")
    assert texts(chat, "What is it, Mira?", names=("Mira", "Sam")) == []
    assert len(texts(chat, "What is it, Mira?")) == 1
    assert texts(chat, "。 !? *") == []


def test_names_go_as_whole_words_and_by_their_parts() -> None:
    assert without_names("nell's and prothero, nellie", ("Nell Prothero",)).split() == ["'s", "and", ",", "nellie"]
    assert without_names("米拉在森林里", ("米拉", "森")) == " 在森林里"


def test_only_what_is_on_the_path_and_on_the_record_is_found(chat: Chat) -> None:
    kept = chat.say("lantern one")
    gone = chat.say("lantern two")
    secret = chat.say("lantern three")
    other = new_chat(chat.store, "other")
    other.say("lantern four")
    chat.store.delete_messages([gone.id])
    chat.store.mark_message(secret.id, off_record=True)
    assert [hit.message_id for hit in chat.store.ranked(chat.id, "lantern")] == [kept.id]
    chat.store.mark_message(secret.id, off_record=False)
    assert [hit.message_id for hit in chat.store.ranked(chat.id, "lantern")] == [secret.id, kept.id]


def test_another_branch_and_another_alternate_are_not_found(chat: Chat) -> None:
    first = chat.reply("lantern")
    chat.reply("window", alternate_of=first.id)
    assert chat.store.ranked(chat.id, "lantern") == []
    assert len(chat.store.ranked(chat.id, "window")) == 1


def test_what_the_path_leaves_behind_at_a_fork_is_not_found(chat: Chat) -> None:
    first = chat.say("a lantern")
    chat.say("another lantern")
    chat.store.add_branch(chat.id, first.id, "aside")
    assert [hit.message_id for hit in chat.store.ranked(chat.id, "lantern")] == [first.id]


def test_an_edited_message_is_known_by_its_newest_words(chat: Chat) -> None:
    message = chat.say("lantern")
    chat.store.add_revision(message.id, NewRevision("harbour"))
    assert chat.store.ranked(chat.id, "lantern") == []
    assert [hit.message_id for hit in chat.store.ranked(chat.id, "harbours")] == [message.id]


def test_only_what_is_old_enough_is_found_even_where_newer_lines_fit_better(chat: Chat) -> None:
    chat.say("a lantern somewhere in a long line about a great many other things")
    rows = [(Role.USER, "You", NewRevision("lantern"), False, 0.0)] * 250
    chat.store.append_many(chat.id, rows)
    assert [hit.ordinal for hit in chat.store.ranked(chat.id, "lantern", until=0)] == [0]
    assert len(chat.store.ranked(chat.id, "lantern", until=100, limit=7)) == 7


def test_of_a_long_text_the_end_is_looked_for() -> None:
    expression = recall_expression(" ".join(f"word{n}" for n in range(500)))
    assert expression.count('"') == 2 * MOST_WORDS
    assert '"word499"' in expression
    assert '"word0"' not in expression


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=80), name=st.text(max_size=8))
def test_no_text_is_an_error(chat: Chat, query: str, name: str) -> None:
    chat.store.ranked(chat.id, query, (name,))


def test_a_search_among_twenty_thousand_messages_is_not_felt(store: Store) -> None:
    chat = new_chat(store)
    words = [f"{first}{second}" for first in "灯港川窓手紙冬庭答朝" for second in "銀月雨海山風花雪星空"]
    rows = [
        (Role.USER, "You", NewRevision("の".join(words[(n * 7 + k * 13) % 100] for k in range(12))), False, 0.0)
        for n in range(22_000)
    ]
    store.append_many(chat.id, rows)
    spent = []
    for n in range(5):
        begun = time.perf_counter()
        assert store.ranked(chat.id, "の".join(words[n * 3 : n * 3 + 5]), until=21_000)
        spent.append(time.perf_counter() - begun)
    assert statistics.median(spent) < 0.5  # about 0.04 s; each word here stands in every eighth message
