"""Turns on a real engine with a tiny model and a real database."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_models import THINKING, TinySpec, build_tiny_model
from turn_events import Catch, begin, open_with_model, short_replies, texts, turn

from kotonia_desktop.domain.errors import MessageTooLong, NoModel, NothingToContinue
from kotonia_desktop.domain.messages import FinishReason, Role, StoppedBy
from kotonia_desktop.services.chat import ContinueReply, Regenerate, Send
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.views import TurnEvent, TurnText


@pytest.fixture
def kotonia(tmp_path: Path, tiny_model: Path) -> Iterator[Kotonia]:
    with open_with_model(tmp_path, tiny_model) as opened:
        short_replies(opened)
        yield opened


def test_a_sent_message_is_answered_and_both_are_kept(kotonia: Kotonia) -> None:
    conversation = begin(kotonia)
    caught = turn(kotonia, Send(conversation.id, "Hello there."))
    page = kotonia.chat.page(conversation.id)
    assert [m.role for m in page.messages] == [Role.CHARACTER, Role.USER, Role.CHARACTER]
    assert page.messages[1].text == "Hello there."
    assert page.messages[2].text == caught.message.text != ""
    assert caught.message.revision.stats is not None
    assert caught.message.revision.stats.reply_tokens > 0


def test_the_greetings_of_a_card_are_alternates_of_the_first_message(kotonia: Kotonia) -> None:
    conversation = begin(kotonia)
    first = kotonia.chat.page(conversation.id).messages[0]
    assert (first.alternate_index, first.alternate_count, first.is_greeting) == (0, 3, True)
    kotonia.chat.select_alternate(first.id, 1)
    second = kotonia.chat.page(conversation.id).messages[0]
    assert second.alternate_index == 1
    assert second.text != first.text


def test_a_turn_reads_only_its_own_tokens(kotonia: Kotonia) -> None:
    conversation = begin(kotonia)
    turn(kotonia, Send(conversation.id, "One."))
    for text in ("Two.", "Three, and a longer line this time.", "四つめ。", "第五句。"):
        stats = turn(kotonia, Send(conversation.id, text)).message.revision.stats
        assert stats is not None
        assert stats.reused_tokens > 0
        assert stats.reread_tokens == 0


def test_a_changed_beginning_is_read_again_and_said(kotonia: Kotonia) -> None:
    conversation = begin(kotonia)
    turn(kotonia, Send(conversation.id, "One."))
    turn(kotonia, Send(conversation.id, "Two."))
    greeting = kotonia.chat.page(conversation.id).messages[0]
    kotonia.chat.edit(greeting.id, "Another greeting altogether.")
    stats = turn(kotonia, Send(conversation.id, "Three.")).message.revision.stats
    assert stats is not None
    assert stats.reread_tokens > 0


def test_a_reply_at_its_limit_says_so_and_can_be_continued(endless: Kotonia) -> None:
    kotonia = endless
    conversation = begin(kotonia)
    kotonia.settings.set("reply.max_tokens", 16)
    cut = turn(kotonia, Send(conversation.id, "Hello.")).message
    assert cut.revision.finish is FinishReason.LENGTH
    longer = turn(kotonia, ContinueReply(cut.id)).message
    assert longer.revision.stats is not None
    assert longer.revision.stats.reread_tokens == 0
    assert longer.id == cut.id
    assert longer.text.startswith(cut.text.rstrip())
    assert longer.revision_count == 2
    assert len(kotonia.chat.page(conversation.id).messages) == 3


def test_a_reply_at_the_windows_end_says_so(tmp_path: Path, babbling_model: Path) -> None:
    with open_with_model(tmp_path, babbling_model, window=1024) as kotonia:
        kotonia.settings.set("reply.max_tokens", 4000)
        kotonia.settings.set("reply.soft_landing", False)
        conversation = begin_bare(kotonia)
        cut = turn(kotonia, Send(conversation, "Hello.")).message
        assert cut.revision.finish is FinishReason.WINDOW
        # It can be gone on with: older turns leave the window, the reply's own beginning stays.
        turn(kotonia, ContinueReply(cut.id))


def test_another_version_stands_beside_the_first_and_both_can_be_shown(kotonia: Kotonia) -> None:
    conversation = begin(kotonia)
    first = turn(kotonia, Send(conversation.id, "Hello.")).message
    kotonia.settings.set("sampling.temperature", 1.5)
    second = turn(kotonia, Regenerate(first.id)).message
    assert (second.alternate_index, second.alternate_count) == (1, 2)
    assert second.ordinal == first.ordinal
    kotonia.chat.select_alternate(second.id, -1)
    assert kotonia.chat.page(conversation.id).messages[-1].id == first.id
    kotonia.chat.select_alternate(first.id, 1)
    assert kotonia.chat.page(conversation.id).messages[-1].id == second.id


def test_an_edit_a_deletion_and_their_undo(kotonia: Kotonia) -> None:
    conversation = begin(kotonia)
    turn(kotonia, Send(conversation.id, "Hello."))
    before = texts(kotonia, conversation.id)
    user = kotonia.chat.page(conversation.id).messages[1]
    kotonia.chat.edit(user.id, "Good evening.")
    assert texts(kotonia, conversation.id)[1] == "Good evening."
    kotonia.chat.delete([user.id])
    assert len(texts(kotonia, conversation.id)) == 2
    assert kotonia.chat.undo(conversation.id).label == "delete"
    assert kotonia.chat.undo(conversation.id).label == "edit"
    assert texts(kotonia, conversation.id) == before


def test_a_message_longer_than_the_window_is_refused_with_both_numbers(kotonia: Kotonia) -> None:
    conversation = begin(kotonia)
    caught = turn(kotonia, Send(conversation.id, "very " * 6000))
    assert isinstance(caught.error, MessageTooLong)
    model = kotonia.models.status().model
    assert model is not None
    assert caught.error.values["window"] == model.chat_cells
    assert int(caught.error.values["tokens"]) > model.chat_cells
    assert caught.failed is not None
    assert caught.failed.restore_text == "very " * 6000
    assert len(texts(kotonia, conversation.id)) == 1


def test_a_conversation_that_outgrows_the_window_says_what_left(tmp_path: Path, tiny_model: Path) -> None:
    with open_with_model(tmp_path, tiny_model, window=1024) as kotonia:
        short_replies(kotonia, 16)
        conversation = begin_bare(kotonia)
        shown = None
        for number in range(40):
            caught = turn(kotonia, Send(conversation, f"{number} " + "word " * 20))
            assert caught.finished is not None, caught.failed
            shown = caught.finished.out_of_sight
        assert shown is not None
        view = kotonia.chat.prompt_view(conversation)
        assert view.out_of_sight == shown
        assert view.total <= view.window
        assert len(kotonia.chat.page(conversation).messages) == 80


def begin_bare(kotonia: Kotonia) -> int:
    """A conversation whose character has next to no card."""
    from kotonia_desktop.domain.library import CharacterCard

    character = kotonia.library.add_character(CharacterCard(name="Mira", description="A smith.", language="en"))
    persona, _ = kotonia.library.save_persona("Sam", "")
    conversation, _ = kotonia.library.create_conversation(character.id, persona.id)
    return conversation.id


@pytest.fixture
def endless(tmp_path: Path, babbling_model: Path) -> Iterator[Kotonia]:
    """A model that only stops when it is stopped."""
    with open_with_model(tmp_path / "endless", babbling_model) as opened:
        opened.settings.set("reply.max_tokens", 4000)
        opened.settings.set("reply.soft_landing", False)
        yield opened


def test_stopping_ends_the_reply_and_keeps_what_came(endless: Kotonia) -> None:
    kotonia = endless
    conversation = begin(kotonia)
    catch = Catch()

    def stop_at_the_first_words(event: TurnEvent) -> None:
        catch(event)
        if isinstance(event, TurnText) and event.text:
            kotonia.chat.stop(conversation.id)

    kotonia.chat.run(Send(conversation.id, "Hello."), stop_at_the_first_words)
    assert catch.message.revision.finish is FinishReason.CANCELLED
    kept = kotonia.chat.page(conversation.id).messages[-1]
    assert kept.text == catch.message.text != ""


def test_a_dead_engine_loses_no_text_and_the_next_message_works(endless: Kotonia) -> None:
    kotonia = endless
    conversation = begin(kotonia)
    catch = Catch()

    def kill_at_the_first_words(event: TurnEvent) -> None:
        catch(event)
        pid = kotonia.models.engine_pid
        if isinstance(event, TurnText) and event.text and pid is not None and len(catch.texts) == 1:
            os.kill(pid, signal.SIGKILL)

    kotonia.chat.run(Send(conversation.id, "Hello."), kill_at_the_first_words)
    assert catch.failed is not None
    assert catch.error.code == "engine_stopped"
    kept = kotonia.chat.page(conversation.id).messages[-1]
    assert kept.revision.finish is FinishReason.INTERRUPTED
    assert kept.text.startswith(catch.texts[0].strip())
    kotonia.settings.set("reply.max_tokens", 16)
    assert turn(kotonia, Send(conversation.id, "Are you there?")).message.text


def test_closing_in_the_middle_of_a_reply_keeps_what_came(tmp_path: Path, babbling_model: Path) -> None:
    kotonia = open_with_model(tmp_path, babbling_model)
    kotonia.settings.set("reply.max_tokens", 4000)
    conversation = begin(kotonia)
    catch = Catch()
    begun = threading.Event()

    def tell(event: TurnEvent) -> None:
        catch(event)
        if isinstance(event, TurnText) and event.text:
            begun.set()

    talking = threading.Thread(target=kotonia.chat.run, args=(Send(conversation.id, "Hello."), tell))
    talking.start()
    assert begun.wait(30)
    kotonia.close()
    talking.join(30)
    with Kotonia(tmp_path) as reopened:
        assert reopened.recovered == []
        assert reopened.chat.page(conversation.id).messages[-1].revision.finish is FinishReason.CANCELLED


def test_without_a_model_nothing_is_lost(tmp_path: Path) -> None:
    with Kotonia(tmp_path) as kotonia:
        conversation = begin(kotonia)
        caught = turn(kotonia, Send(conversation.id, "Hello."))
        assert isinstance(caught.error, NoModel)
        assert caught.failed is not None
        assert caught.failed.restore_text == "Hello."
        assert len(texts(kotonia, conversation.id)) == 1


def test_there_is_nothing_to_continue_in_a_users_message(kotonia: Kotonia) -> None:
    conversation = begin(kotonia)
    turn(kotonia, Send(conversation.id, "Hello."))
    user = kotonia.chat.page(conversation.id).messages[1]
    assert isinstance(turn(kotonia, ContinueReply(user.id)).error, NothingToContinue)


def test_everything_is_there_after_a_restart(tmp_path: Path, tiny_model: Path) -> None:
    with open_with_model(tmp_path, tiny_model) as kotonia:
        short_replies(kotonia)
        conversation = begin(kotonia)
        turn(kotonia, Send(conversation.id, "Hello."))
        kotonia.chat.save_composer_draft(conversation.id, "half a thou")
        before = kotonia.chat.page(conversation.id).messages
    with Kotonia(tmp_path) as kotonia:
        assert kotonia.chat.page(conversation.id).messages == before
        assert kotonia.chat.composer_draft(conversation.id) == "half a thou"
        assert kotonia.settings.get("reply.max_tokens") == 24


def test_lore_that_fires_is_frozen_into_its_turn(kotonia: Kotonia) -> None:
    conversation = begin(kotonia)
    turn(kotonia, Send(conversation.id, "Tag 0417, please."))
    assert "brass corners" in kotonia.chat.page(conversation.id).messages[1].note
    turn(kotonia, Send(conversation.id, "Tag 0417, again?"))
    assert "brass corners" not in kotonia.chat.page(conversation.id).messages[3].note
    shown = "".join(section.text for section in kotonia.chat.prompt_view(conversation.id).sections)
    assert shown.count("brass corners") == 1


def test_a_reply_is_cut_before_it_plays_the_persona_and_the_cut_is_kept(tmp_path: Path) -> None:
    model = build_tiny_model(tmp_path, TinySpec(name="tiny-bold", reply="Sam:I go"))
    with open_with_model(tmp_path / "data", model) as kotonia:
        short_replies(kotonia)
        conversation = begin(kotonia)
        cut = turn(kotonia, Send(conversation.id, "Hello.")).message
        assert (cut.text, cut.revision.stopped_by) == ("", StoppedBy.PERSONA)
        assert cut.revision.cut_text.startswith("Sam:")
        kotonia.chat.edit(cut.id, "Nell waits.\n")
        longer = turn(kotonia, ContinueReply(cut.id)).message
        assert longer.text == "Nell waits."
        assert longer.revision.cut_text.startswith("Sam:")
        kotonia.settings.set("chat.persona_guard", False)
        assert turn(kotonia, Regenerate(cut.id)).message.text.startswith("Sam:I")


def test_a_model_that_thinks_first_keeps_its_thinking_out_of_the_story(tmp_path: Path) -> None:
    model = build_tiny_model(tmp_path, TinySpec(name="tiny-thinking", template=THINKING, chain=False))
    with open_with_model(tmp_path / "data", model) as kotonia:
        short_replies(kotonia, 64)
        kotonia.settings.set("sampling.temperature", 1.0)
        kotonia.settings.set("model.reasoning", "short")
        kotonia.settings.set("model.reasoning_budget", 20)
        conversation = begin(kotonia)
        thought = turn(kotonia, Send(conversation.id, "Hello.")).message
        assert thought.revision.reasoning
        assert thought.text
        assert thought.revision.stats is not None
        assert 0 < thought.revision.stats.reasoning_tokens <= 24
        shown = "".join(section.text for section in kotonia.chat.prompt_view(conversation.id).sections)
        assert thought.revision.reasoning not in shown
        assert thought.text.strip() in shown


def test_of_a_long_history_only_what_may_fit_is_read(tmp_path: Path, tiny_model: Path) -> None:
    file = tmp_path / "long.jsonl"
    lines = [{"user_name": "Sam", "character_name": "Mira"}]
    lines += [{"name": "Sam", "is_user": True, "mes": f"Question {n}, a line of some length."} for n in range(3000)]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    with open_with_model(tmp_path / "data", tiny_model, window=1024) as kotonia:
        short_replies(kotonia, 16)
        conversation_id = kotonia.importing.import_file(file).conversation_id
        assert conversation_id is not None
        prompt = kotonia.chat.prompt(conversation_id)
        assert prompt is not None
        assert prompt.parts[-1].item.text.startswith("Question 2999")
        caught = turn(kotonia, Send(conversation_id, "And now?"))
        assert caught.finished is not None
        assert caught.finished.out_of_sight is not None
        first, last = caught.finished.out_of_sight
        assert first == 0
        assert 2900 < last < 3000
        stats = turn(kotonia, Send(conversation_id, "And then?")).message.revision.stats
        assert stats is not None
        assert stats.reread_tokens == 0
