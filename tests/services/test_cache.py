"""No turn pays for memory, and nothing is read twice: not after a fold, a switch, a restart, another load."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from fold_stage import bare_conversation, line, stage, talk, talk_past_the_trigger, work

from kotonia_desktop.domain.library import CharacterCard
from kotonia_desktop.domain.messages import GenerationStats
from kotonia_desktop.domain.ports import PromptItem, PromptRead
from kotonia_desktop.services.kotonia import Kotonia

OWN = 120
"""Tokens of a line with its marks, at most."""


def read_again(kotonia: Kotonia, conversation_id: int, number: int) -> int:
    """Tokens that a turn reads beside its own line."""
    stats = talk(kotonia, conversation_id, 1, number).message.revision.stats
    assert isinstance(stats, GenerationStats)
    return stats.prompt_tokens - stats.reused_tokens


def test_a_turn_that_comes_before_the_new_beginning_is_read_goes_through_on_the_old_one(
    tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stage(tmp_path, tiny_model) as kotonia:
        conversation = bare_conversation(kotonia)
        said = talk_past_the_trigger(kotonia, conversation)
        engine = kotonia._engine
        begun, goes_on = threading.Event(), threading.Event()
        staged = engine.stage

        def slow(items: tuple[PromptItem, ...], name: str) -> PromptRead | None:
            begun.set()
            assert goes_on.wait(30)
            return staged(items, name)

        monkeypatch.setattr(engine, "stage", slow)
        chronicler = threading.Thread(target=work, args=(kotonia, conversation))
        chronicler.start()
        assert begun.wait(30)
        before = kotonia.chat.prompt(conversation)
        assert before is not None
        for number in range(3):
            assert read_again(kotonia, conversation, said + number) < OWN
        during = kotonia.chat.prompt(conversation)
        assert during is not None
        assert during.head == before.head == 0
        goes_on.set()
        chronicler.join(30)
        after = kotonia.chat.prompt(conversation)
        assert after is not None
        assert after.head > 0
        assert read_again(kotonia, conversation, said + 3) < OWN  # what was said meanwhile is staged too
        report = engine.cache()
        assert report is not None
        assert report.counts["swaps"] == 1


def test_without_staging_the_turn_after_a_fold_reads_the_new_beginning(tmp_path: Path, tiny_model: Path) -> None:
    """The control."""
    with stage(tmp_path, tiny_model) as kotonia:
        conversation = bare_conversation(kotonia)
        said = talk_past_the_trigger(kotonia, conversation)
        kotonia.folding.reads_ahead = False
        work(kotonia, conversation)
        assert read_again(kotonia, conversation, said) > 5 * OWN


def test_a_fold_of_a_conversation_that_is_not_open_leaves_the_open_one_its_cells(
    tmp_path: Path, tiny_model: Path
) -> None:
    with stage(tmp_path, tiny_model) as kotonia:
        folded = bare_conversation(kotonia)
        said = talk_past_the_trigger(kotonia, folded)
        other = bare_conversation(kotonia)
        talk(kotonia, other, 6)
        work(kotonia, folded)
        assert read_again(kotonia, other, 7) < OWN
        assert read_again(kotonia, folded, said) < OWN  # what was staged is taken when it is opened


def test_a_conversation_is_not_read_again_after_a_restart(tmp_path: Path, tiny_model: Path) -> None:
    with stage(tmp_path, tiny_model) as kotonia:
        conversation = bare_conversation(kotonia)
        talk(kotonia, conversation, 12)
    with stage(tmp_path, tiny_model) as kotonia:
        assert read_again(kotonia, conversation, 12) < OWN
        kotonia.models.load(tiny_model, window=4096)
        kotonia.chat.opened(conversation)
        assert read_again(kotonia, conversation, 13) < 2 * OWN + 16
    assert list((tmp_path / "snapshots").glob("*.kv"))


def test_without_room_for_snapshots_it_is_and_what_was_kept_is_gone(tmp_path: Path, tiny_model: Path) -> None:
    """The control."""
    with stage(tmp_path, tiny_model) as kotonia:
        conversation = bare_conversation(kotonia)
        talk(kotonia, conversation, 12)
    with stage(tmp_path, tiny_model) as kotonia:
        kotonia.settings.set("model.snapshot_mb", 0)
        kotonia.models.load(tiny_model, window=4096)
        assert read_again(kotonia, conversation, 12) > 5 * OWN
    assert list((tmp_path / "snapshots").iterdir()) == []


def test_two_conversations_of_one_character_share_its_card(tmp_path: Path, tiny_model: Path) -> None:
    with stage(tmp_path, tiny_model) as kotonia:
        card = CharacterCard(name="Mira", description=" ".join(line(n) for n in range(30)), language="en")
        character = kotonia.library.add_character(card)
        persona, _ = kotonia.library.save_persona("Sam", "")
        first, second = (kotonia.library.create_conversation(character.id, persona.id)[0].id for _ in range(2))
        assert read_again(kotonia, first, 0) > 5 * OWN
        assert read_again(kotonia, second, 1) < OWN
        assert read_again(kotonia, first, 2) < 2 * OWN


@pytest.mark.parametrize("end", ["close", "load"])
def test_an_end_or_another_model_while_a_beginning_is_read_waits_for_nothing(
    tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    with stage(tmp_path, tiny_model) as kotonia:
        conversation = bare_conversation(kotonia)
        said = talk_past_the_trigger(kotonia, conversation)
        engine = kotonia._engine
        begun, staged = threading.Event(), engine.stage
        told: list[PromptRead | None] = []

        def endless(items: tuple[PromptItem, ...], name: str) -> PromptRead | None:
            begun.set()
            while len(told) < 2000 and (not told or told[-1] is not None):  # far longer than the end may take
                other = replace(items[0], text=f"{len(told)} {items[0].text}")
                told.append(staged((other, *items[1:]), name))
            return told[-1]

        monkeypatch.setattr(engine, "stage", endless)
        chronicler = threading.Thread(target=work, args=(kotonia, conversation))
        chronicler.start()
        assert begun.wait(30)
        if end == "load":
            kotonia.models.load(tiny_model, window=4096)
        else:
            kotonia.folding.close()
        chronicler.join(20)
        assert not chronicler.is_alive()
        assert told[-1] is None
        monkeypatch.undo()
        assert read_again(kotonia, conversation, said) < 10_000  # and the chat goes on
