"""The memory head: one exchange at the head of the history, the same words as long as the same texts stand in it."""

import pytest
from prompt_values import CARD, CONVERSATION, PERSONA, message

from kotonia_desktop.domain.messages import Role
from kotonia_desktop.domain.ports import PromptRole
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.prompt.build import message_parts
from kotonia_desktop.prompt.head import HeadText, head_parts, head_text

TEXTS = (HeadText(1, ("Mira left.", "Sam stayed.")), HeadText(0, ("The lamp went out.",)))


@pytest.mark.parametrize(
    ("language", "part", "chapter"),
    [("en", "Long before", "Before"), ("ja", "ずっと前", "前"), ("zh", "很久以前", "此前")],
)
def test_the_head_is_prose_in_brackets_and_a_neutral_word(language: str, part: str, chapter: str) -> None:
    user, answer = head_parts(TEXTS, language, "Mira", "Sam")
    assert (user.item.role, answer.item.role) == (PromptRole.USER, PromptRole.ASSISTANT)
    assert {user.kind, answer.kind} == {SectionKind.MEMORY}
    rows = user.item.text.splitlines()
    assert len(rows) == 3
    assert all(row[0] in "[［" and row[-1] in "]］" for row in rows)
    assert rows[1][1:].startswith(part)
    assert rows[2][1:].startswith(chapter)
    assert not any(row.lstrip("[［").startswith(("-", "*", "1")) for row in rows)  # a list would teach lists
    assert len(answer.item.text) < 15


def test_the_same_texts_are_the_same_part_and_others_are_not() -> None:
    keys = [part.key for part in head_parts(TEXTS, "en", "Mira", "Sam")]
    assert keys == [part.key for part in head_parts(TEXTS, "en", "Mira", "Sam")]
    assert keys[0] != head_parts(TEXTS[:1], "en", "Mira", "Sam")[0].key


def test_without_a_sentence_there_is_no_head() -> None:
    assert head_parts((), "en", "Mira", "Sam") == []
    assert head_text((HeadText(0, ()),), "en") == ""


def test_behind_a_head_a_greeting_needs_no_opener() -> None:
    greeting = [message(0, Role.CHARACTER, "Hello.")]
    with_opener = message_parts(greeting, CARD, PERSONA, CONVERSATION, "")
    behind_head = message_parts(greeting, CARD, PERSONA, CONVERSATION, "", after_head=True)
    assert [part.kind for part in with_opener] == [SectionKind.OPENER, SectionKind.MESSAGES]
    assert [part.kind for part in behind_head] == [SectionKind.MESSAGES]
