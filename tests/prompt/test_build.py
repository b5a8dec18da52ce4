from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from prompt_values import CARD, CONVERSATION, PERSONA, dialogue, message

from kotonia_desktop.domain.library import Lorebook, LoreEntry
from kotonia_desktop.domain.messages import Message, Role
from kotonia_desktop.domain.ports import PromptRole
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.prompt.build import PromptPart, cut_places, cut_to_fit, message_parts, system_parts


def parts_of(messages: list[Message], tokenizer: str = "tok") -> list[PromptPart]:
    return message_parts(messages, CARD, PERSONA, CONVERSATION, tokenizer)


def test_the_system_part_names_both_players_and_has_no_macros_left() -> None:
    text = "\n".join(part.item.text for part in system_parts(CARD, PERSONA, CONVERSATION))
    assert "Nell keeps a counter. Sam visits." in text
    assert "A traveller." in text
    assert "{{" not in text


def test_a_cards_system_prompt_takes_the_rules_place_and_may_hold_them() -> None:
    card = replace(CARD, system_prompt="Be {{char}}. {{original}}")
    rules = system_parts(card, PERSONA, CONVERSATION)[0].item.text
    assert rules.startswith("Be Nell. You write Nell")


def test_constant_lore_stands_in_the_system_part_in_its_order() -> None:
    entries = (
        LoreEntry((), "second", constant=True, insertion_order=2),
        LoreEntry((), "first", constant=True, insertion_order=1),
    )
    card = replace(CARD, lorebook=Lorebook(entries=entries))
    lore = next(p for p in system_parts(card, PERSONA, CONVERSATION) if p.kind is SectionKind.LORE)
    assert lore.item.text == "first\nsecond"


def test_a_greeting_answers_a_fixed_opener_line() -> None:
    parts = parts_of(dialogue(1))
    assert [part.kind for part in parts[:2]] == [SectionKind.OPENER, SectionKind.MESSAGES]
    assert parts[0].item.role is PromptRole.USER


def test_sampled_ids_are_used_for_their_own_tokenizer_only() -> None:
    assert parts_of(dialogue(1))[-1].item.ids == (0, 1)
    assert parts_of(dialogue(1), "another")[-1].item.ids is None


def test_another_speakers_reply_is_named_and_is_not_taken_by_its_ids() -> None:
    foreign = replace(message(0, Role.CHARACTER, "Tickets!", ids=(1,)), speaker="The guard")
    item = parts_of([foreign])[-1].item
    assert (item.text, item.ids) == ("The guard: Tickets!", None)


def test_a_note_stands_before_its_message_for_good() -> None:
    noted = message(1, Role.USER, "What is tag 0417?", note="A green suitcase.")
    parts = parts_of([noted, message(2, Role.CHARACTER, "Gone.")])
    assert [part.kind for part in parts] == [SectionKind.NOTE, SectionKind.MESSAGES, SectionKind.MESSAGES]
    assert "A green suitcase." in parts[0].item.text


@given(st.integers(1, 30), st.data())
def test_the_prompt_grows_at_its_end_only(turns: int, data: st.DataObject) -> None:
    messages = dialogue(turns)
    split = data.draw(st.integers(1, len(messages)))
    before, after = parts_of(messages[:split]), parts_of(messages)
    assert after[: len(before)] == before
    assert [p.key for p in after[: len(before)]] == [p.key for p in before]


def test_an_edit_changes_the_key_of_its_message_alone() -> None:
    messages = dialogue(3)
    edited = [
        replace(m, revision=replace(m.revision, id=999, text="Changed.")) if m.ordinal == 2 else m for m in messages
    ]
    keys, changed = [p.key for p in parts_of(messages)], [p.key for p in parts_of(edited)]
    assert [i for i, (a, b) in enumerate(zip(keys, changed, strict=True)) if a != b] == [3]


@given(st.integers(1, 40), st.integers(1, 60), st.integers(0, 300), st.integers(50, 2000), st.integers(0, 400))
def test_a_cut_leaves_whole_messages_and_always_the_newest(
    turns: int, size: int, overhead: int, ceiling: int, floor: int
) -> None:
    parts = parts_of(dialogue(turns)[:-1])
    tokens = [size] * len(parts)
    gone = cut_to_fit(parts, tokens, overhead, ceiling, ceiling * 2 // 3, floor)
    places = cut_places(parts)
    assert gone in places
    left = overhead + sum(tokens[gone:])
    assert left <= ceiling or gone == places[-1]
    assert (gone == 0) == (overhead + sum(tokens) <= ceiling or gone == places[-1] == 0)


def test_a_cut_prefers_the_beginning_of_a_users_message() -> None:
    parts = parts_of(dialogue(10))
    gone = cut_to_fit(parts, [10] * len(parts), 0, 150, 100, 30)
    assert parts[gone].item.role is PromptRole.USER
    assert 10 * (len(parts) - gone) <= 100


def test_a_long_run_without_a_users_line_is_cut_inside() -> None:
    story = [message(n, Role.CHARACTER, f"Line {n}.") for n in range(40)]
    parts = parts_of([*story, message(40, Role.USER, "And then?")])
    gone = cut_to_fit(parts, [10] * len(parts), 0, 300, 200, 100)
    assert parts[gone].item.role is PromptRole.ASSISTANT
    assert len(parts) - gone == 20


def test_a_note_is_never_cut_from_its_message() -> None:
    noted = [message(n, Role.USER, f"Line {n}.", note="Lore.") for n in range(20)]
    parts = parts_of(noted)
    gone = cut_to_fit(parts, [10] * len(parts), 0, 205, 195)
    assert parts[gone].kind is SectionKind.NOTE
