"""Folding through the services: a real engine on a tiny model, a real database; only bad writers are made up."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fold_stage import (
    Copier,
    Scripted,
    bare_conversation,
    line,
    stage,
    states,
    talk,
    talk_past_the_trigger,
    work,
)
from turn_events import turn

from kotonia_desktop.domain.memory import FoldReason, FoldState, ItemState, Rejection, WrittenBy
from kotonia_desktop.domain.messages import FinishReason
from kotonia_desktop.domain.ports import PromptRole
from kotonia_desktop.domain.sections import SectionKind
from kotonia_desktop.services.chat import Send
from kotonia_desktop.services.folding import WriterKind
from kotonia_desktop.services.kotonia import Kotonia
from kotonia_desktop.services.memory_views import FoldActivity, FoldStatus

SCRIPT = Path(__file__).with_name("fold_stage.py")


@pytest.fixture
def kotonia(tmp_path: Path, tiny_model: Path) -> Iterator[Kotonia]:
    with stage(tmp_path, tiny_model) as opened:
        yield opened


def test_past_the_trigger_old_messages_become_chapters_at_the_head_of_the_history(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    said = talk_past_the_trigger(kotonia, conversation)
    before = kotonia.chat.prompt(conversation)
    assert before is not None
    assert before.total > before.policy.trigger
    told = work(kotonia, conversation)
    assert [status.activity for status in told][-2:] == [FoldActivity.APPLYING, FoldActivity.UP_TO_DATE]
    prompt = kotonia.chat.prompt(conversation)
    assert prompt is not None
    assert prompt.total <= prompt.policy.trigger - prompt.policy.headroom * 3 // 4
    kinds = [part.kind for part in prompt.parts]
    place = kinds.index(SectionKind.MEMORY)
    assert [part.item.role for part in prompt.parts[place : place + 2]] == [PromptRole.USER, PromptRole.ASSISTANT]
    assert set(kinds[:place]) <= {SectionKind.RULES, SectionKind.CHARACTER}  # never in the system part
    assert set(kinds[place + 2 :]) == {SectionKind.MESSAGES}
    found = states(kotonia, conversation)
    assert set(found.values()) == {"covered", "verbatim"}
    assert len(found) == 2 * said
    view = kotonia.folding.view(conversation)
    assert "Sam wrote: “I carried the " in view.head_text
    assert view.head_text == prompt.parts[place].item.text


def test_the_turn_after_a_fold_reads_only_what_is_new(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    said = talk_past_the_trigger(kotonia, conversation)
    work(kotonia, conversation)
    stats = talk(kotonia, conversation, 1, said).message.revision.stats
    assert stats is not None
    assert stats.reused_tokens > 0
    assert stats.prompt_tokens - stats.reused_tokens < 120  # the line itself and its marks, not the new beginning


def test_texts_keep_their_sources_and_say_when_those_change(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    talk_past_the_trigger(kotonia, conversation)
    work(kotonia, conversation)
    item = kotonia.folding.view(conversation).story[0].chapter.items[0]
    (source,) = item.sources
    message = kotonia.chat.message(source.message_id)
    assert any(sentence in message.text for sentence in (item.text, item.text.split("“")[-1].strip("”")))
    assert item.ordinals == (message.ordinal,)
    kotonia.chat.edit(message.id, "Nothing of the sort.")
    assert kotonia.folding.view(conversation).story[0].chapter.items[0].state is ItemState.CHANGED
    kotonia.chat.undo(conversation)
    assert kotonia.folding.view(conversation).story[0].chapter.items[0].state is ItemState.VALID
    kotonia.chat.delete([message.id])
    assert kotonia.folding.view(conversation).story[0].chapter.items[0].state is ItemState.GONE


def test_without_a_pause_messages_leave_are_shown_queued_and_are_folded_later(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    queued = None
    for number in range(60):
        caught = talk(kotonia, conversation, 1, number)
        assert caught.finished is not None
        queued = caught.finished.out_of_sight
        states(kotonia, conversation)
        if queued is not None and queued[1] > 20:
            break
    assert queued is not None
    found = states(kotonia, conversation)
    assert [ordinal for ordinal, state in found.items() if state == "queued"] == list(range(queued[0], queued[1] + 1))
    assert kotonia.folding.status(conversation).queued == queued[1] - queued[0] + 1
    work(kotonia, conversation)
    found = states(kotonia, conversation)
    assert all(found[ordinal] == "covered" for ordinal in range(queued[1] + 1))
    reasons = {fold.reason for fold in kotonia.folding.log(conversation).folds}
    assert FoldReason.QUEUE in reasons


def test_reaching_the_ceiling_brings_in_what_is_written(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    said = talk_past_the_trigger(kotonia, conversation)
    first = kotonia.chat.page(conversation, limit=1000).messages[3]
    kotonia.chat.mark(first.id, ends_chapter=True)
    kotonia.folding.work(conversation, lambda _status: None, changed=lambda _changes: kotonia.folding.stop())
    (text,) = kotonia.folding.view(conversation).story
    assert text.chapter.state is FoldState.WRITTEN
    assert (text.chapter.first_ordinal, text.chapter.last_ordinal) == (0, 3)
    for number in range(said, said + 20):
        talk(kotonia, conversation, 1, number)
        if kotonia.folding.view(conversation).story[0].chapter.state is FoldState.APPLIED:
            break
    else:
        raise AssertionError("the chapter never came in")
    states(kotonia, conversation)


REFUSAL = "I'm sorry, but I can't help with that."
BAD = {
    "refusal": (Scripted(REFUSAL), Rejection.REFUSAL),
    "nothing": (Scripted(""), Rejection.EMPTY),
    "loop": (Scripted("\n".join(["- Sam carried the lantern to the mill."] * 5)), Rejection.LOOP),
    "cut": (Scripted("- Sam carried the lan", FinishReason.LENGTH), Rejection.CUT),
    "language": (Scripted("- サムは水車小屋へランタンを運んだ。\n- サムは約束した。"), Rejection.LANGUAGE),
    "continuation": (Scripted('- Mira: "Come in."\n- I look at you and wait.'), Rejection.CONTINUATION),
    "copy": (Copier(), Rejection.COPY),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_what_a_bad_writer_writes_is_logged_and_never_kept(kotonia: Kotonia, name: str) -> None:
    writer, rejection = BAD[name]
    conversation = bare_conversation(kotonia)
    talk_past_the_trigger(kotonia, conversation)
    kotonia.folding.writer, kotonia.folding.make_writer = WriterKind.MODEL, writer
    work(kotonia, conversation)
    view = kotonia.folding.view(conversation)
    assert view.story
    assert all(text.chapter.written_by is WrittenBy.EXTRACT for text in view.story)
    sentences = {item.text for text in view.story for item in text.chapter.items}
    if rejection is not Rejection.COPY:  # the story's own lines are what code picks, with who said them
        assert not sentences & set(writer.text.replace("- ", "").splitlines())
    for fold in kotonia.folding.log(conversation).folds:
        assert [attempt.rejected for attempt in fold.attempts] == [rejection, rejection]
        assert all(attempt.text and attempt.text == writer.text for attempt in fold.attempts) or name in (
            "copy",
            "nothing",
        )
        assert fold.state is FoldState.APPLIED
    states(kotonia, conversation)


def test_a_turn_does_not_wait_for_a_writer(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    said = talk_past_the_trigger(kotonia, conversation)
    writer = Scripted(REFUSAL)
    writer.gate.clear()
    kotonia.folding.writer, kotonia.folding.make_writer = WriterKind.MODEL, writer
    folding = threading.Thread(target=work, args=(kotonia, conversation))
    folding.start()
    try:
        assert writer.begun.wait(10)
        caught = turn(kotonia, Send(conversation, line(said)))  # would hang here if it waited
        assert caught.finished is not None
        assert kotonia.folding.status(conversation).activity is FoldActivity.WRITING
        assert set(states(kotonia, conversation).values()) <= {"verbatim", "queued"}
    finally:
        writer.gate.set()
        folding.join()
    assert kotonia.folding.view(conversation).story


def test_a_writer_that_is_too_slow_is_overtaken_by_quoted_lines(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    said = talk_past_the_trigger(kotonia, conversation)
    writer = Scripted(REFUSAL)
    writer.gate.clear()
    kotonia.folding.writer, kotonia.folding.make_writer = WriterKind.MODEL, writer
    folding = threading.Thread(target=work, args=(kotonia, conversation))
    folding.start()
    assert writer.begun.wait(10)
    for number in range(said, said + 20):
        talk(kotonia, conversation, 1, number)
        if writer.cancelled.is_set():
            break
    folding.join(20)
    assert not folding.is_alive()
    assert kotonia.folding.view(conversation).story[0].chapter.written_by is WrittenBy.EXTRACT


def test_an_engine_that_fails_leaves_the_range_and_it_is_folded_later(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    talk_past_the_trigger(kotonia, conversation)
    kotonia.folding.writer = WriterKind.MODEL
    usual = kotonia.folding.make_writer
    kotonia.folding.make_writer = Scripted("half a", FinishReason.ERROR, "engine_failed")
    told = work(kotonia, conversation)
    assert told[-1].activity is FoldActivity.FAILED
    assert told[-1].error is not None
    assert kotonia.folding.view(conversation).story == ()
    (fold,) = kotonia.folding.log(conversation).folds
    assert (fold.state, fold.error) == (FoldState.FAILED, "engine_failed")
    assert [attempt.text for attempt in fold.attempts] == ["half a"]
    kotonia.folding.make_writer = usual
    work(kotonia, conversation)
    assert kotonia.folding.view(conversation).story
    assert kotonia.folding.status(conversation).activity is FoldActivity.UP_TO_DATE


def test_the_model_itself_writes_or_is_rejected_with_its_text(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    talk_past_the_trigger(kotonia, conversation)
    kotonia.folding.writer = WriterKind.MODEL
    work(kotonia, conversation)
    folds = kotonia.folding.log(conversation).folds
    assert folds
    for fold in folds:
        assert fold.attempts
        assert all(attempt.text.startswith("# ") for attempt in fold.attempts)  # the grammar held
        assert all(attempt.stats.settings and attempt.stats.reply_tokens for attempt in fold.attempts)
    assert kotonia.folding.view(conversation).story


def test_folding_now_goes_down_to_the_floor(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    talk(kotonia, conversation, 20)
    assert kotonia.folding.due_in(conversation) is None
    work(kotonia, conversation, force=True)
    prompt = kotonia.chat.prompt(conversation)
    assert prompt is not None
    assert kotonia.folding.view(conversation).story
    verbatim = sum(n for part, n in zip(prompt.parts, prompt.tokens, strict=True) if part.ordinal is not None)
    assert verbatim >= prompt.policy.floor
    assert [fold.reason for fold in kotonia.folding.log(conversation).folds][-1] is FoldReason.NOW


def test_a_chapter_ends_where_the_user_says(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    talk(kotonia, conversation, 4)
    messages = kotonia.chat.page(conversation).messages
    assert kotonia.folding.due_in(conversation) is None
    changes = kotonia.chat.mark(messages[4].id, ends_chapter=True)
    assert changes.messages_changed == (messages[4].id,)
    assert kotonia.folding.due_in(conversation) is not None
    work(kotonia, conversation)
    (text,) = kotonia.folding.view(conversation).story
    assert (text.chapter.first_ordinal, text.chapter.last_ordinal) == (0, messages[4].ordinal)
    assert text.chapter.state is FoldState.WRITTEN  # there is room: its messages stay in view
    assert states_without_pending(kotonia, conversation) == {"verbatim"}


def states_without_pending(kotonia: Kotonia, conversation_id: int) -> set[str]:
    return set(states(kotonia, conversation_id).values())


def test_what_is_off_the_record_is_in_no_prompt_and_in_no_chapter(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    talk(kotonia, conversation, 3)
    secret = kotonia.chat.page(conversation).messages[2]
    kotonia.chat.mark(secret.id, off_record=True)
    prompt = kotonia.chat.prompt(conversation)
    assert prompt is not None
    assert all(secret.text not in part.item.text for part in prompt.parts)
    assert kotonia.chat.message(secret.id).text == secret.text
    for number in range(3, 60):
        if kotonia.folding.due_in(conversation) is not None:
            break
        talk(kotonia, conversation, 1, number)
    work(kotonia, conversation)
    view = kotonia.folding.view(conversation)
    assert view.story[0].chapter.first_ordinal == 0
    assert view.story[0].chapter.last_ordinal > secret.ordinal
    ids = {s.message_id for text in view.story for item in text.chapter.items for s in item.sources}
    assert secret.id not in ids
    kotonia.chat.mark(secret.id, off_record=False)
    assert kotonia.chat.message(secret.id).off_record is False


@pytest.mark.parametrize("window", [2048, 2816])
def test_many_chapters_become_parts_and_the_head_stays_within_its_share(
    tmp_path: Path, tiny_model: Path, window: int
) -> None:
    with stage(tmp_path, tiny_model, window=window) as kotonia:
        conversation = bare_conversation(kotonia)
        for number in range(120):
            talk(kotonia, conversation, 1, number)
            if kotonia.folding.due_in(conversation) is not None:
                work(kotonia, conversation)
            prompt = kotonia.chat.prompt(conversation)
            assert prompt is not None
            assert prompt.total <= prompt.policy.trigger  # also where a part was made before its chapters came in
            assert prompt.head <= prompt.policy.head
        assert kotonia.folding.log(conversation).cuts == ()
        view = kotonia.folding.view(conversation)
        parts = [text for text in view.story if text.chapter.level > 0]
        assert parts
        assert all(len(text.chapter.parts) == 4 for text in parts)
        merged = {text.chapter.id for text in view.merged}
        assert all(part in merged for text in parts for part in text.chapter.parts)
        assert set(states(kotonia, conversation).values()) == {"covered", "verbatim"}


def test_a_title_can_be_changed_and_nothing_else(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    talk_past_the_trigger(kotonia, conversation)
    work(kotonia, conversation)
    before = kotonia.folding.view(conversation)
    changes = kotonia.folding.rename(before.story[0].chapter.id, "  The   old mill ")
    assert changes.memory
    after = kotonia.folding.view(conversation)
    assert after.story[0].chapter.title == "The old mill"
    assert after.story[0].chapter.items == before.story[0].chapter.items
    assert after.head_text == before.head_text


def test_another_branch_has_the_memory_of_what_it_shares(kotonia: Kotonia) -> None:
    conversation = bare_conversation(kotonia)
    talk_past_the_trigger(kotonia, conversation)
    work(kotonia, conversation)
    view = kotonia.folding.view(conversation)
    first = view.story[0].chapter
    inside = kotonia.chat.page(conversation, limit=1000).messages[first.last_ordinal - 2]
    kotonia.chat.delete_from(kotonia.chat.page(conversation, limit=1000).messages[-1].id)
    assert kotonia.folding.view(conversation).story == view.story
    kotonia.chat.delete_from(inside.id)
    kotonia.chat.undo(conversation)
    assert len(kotonia.folding.view(conversation).story) == len(view.story)


def test_a_kill_during_a_fold_leaves_nothing_half_written(tmp_path: Path, tiny_model: Path) -> None:
    with stage(tmp_path, tiny_model) as kotonia:
        conversation = bare_conversation(kotonia)
        for number in range(40):  # so much that some chapters are to be written
            talk(kotonia, conversation, 1, number)
    dice = random.Random(11)
    for _ in range(4):
        with subprocess.Popen(
            [sys.executable, str(SCRIPT), str(tmp_path), str(tiny_model)], stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            child.stdout.readline()
            time.sleep(dice.random() * 0.6)
            child.kill()
        with Kotonia(tmp_path) as kotonia:
            for fold in kotonia.folding.log(conversation).folds:
                assert fold.state is not FoldState.WRITING
                assert (fold.chapter_id is not None) == (fold.state in (FoldState.WRITTEN, FoldState.APPLIED))
            for text in kotonia.folding.view(conversation).story:
                assert text.chapter.items
                assert all(item.text and item.sources for item in text.chapter.items)
            states(kotonia, conversation)
    with stage(tmp_path, tiny_model) as kotonia:
        work(kotonia, conversation)
        assert "queued" not in states(kotonia, conversation).values()
        assert kotonia.folding.status(conversation).activity is FoldActivity.UP_TO_DATE


def test_a_message_that_no_model_could_read_is_quoted(tmp_path: Path, tiny_model: Path) -> None:
    with stage(tmp_path, tiny_model) as kotonia:
        conversation = bare_conversation(kotonia)
        talk(kotonia, conversation, 4)
        long = " ".join(f"Then I carried crate number {number} down to the ferry." for number in range(400))
        first = kotonia.chat.page(conversation).messages[0]
        kotonia.chat.edit(first.id, long)  # as an import may bring it: longer than every window
        talk(kotonia, conversation, 2, 4)
        assert states(kotonia, conversation)[0] == "queued"
        kotonia.folding.writer = WriterKind.MODEL
        told = work(kotonia, conversation)
        assert told[-1].activity is FoldActivity.UP_TO_DATE
        assert states(kotonia, conversation)[0] == "covered"
        text = kotonia.folding.view(conversation).story[0].chapter
        assert (text.first_ordinal, text.last_ordinal) == (0, 0)
        assert text.written_by is WrittenBy.EXTRACT
        (fold,) = [f for f in kotonia.folding.log(conversation).folds if f.first_ordinal == 0]
        assert [attempt.rejected for attempt in fold.attempts] == [Rejection.ERROR]


def test_an_engine_that_dies_while_it_writes_loses_nothing(tmp_path: Path, babbling_model: Path) -> None:
    with stage(tmp_path, babbling_model) as kotonia:
        conversation = bare_conversation(kotonia)
        talk_past_the_trigger(kotonia, conversation)
        kotonia.folding.writer = WriterKind.MODEL
        before = states(kotonia, conversation)

        def kill_the_engine(status: FoldStatus) -> None:
            pid = kotonia.models.engine_pid
            if status.activity is FoldActivity.WRITING and pid is not None and not killed:
                killed.append(pid)
                threading.Timer(0.05, os.kill, (pid, signal.SIGKILL)).start()

        killed: list[int] = []
        kotonia.folding.work(conversation, kill_the_engine)
        assert killed
        assert set(states(kotonia, conversation)) == set(before)
        work(kotonia, conversation)
        assert kotonia.folding.view(conversation).story
        assert kotonia.folding.status(conversation).activity is FoldActivity.UP_TO_DATE
