"""Any sequence of turns, edits, deletions, branches, folds by good and bad writers, acts of the user and restarts:
every message is in exactly one place, the head is within its share, no sentence is cut, no model ever made a fact.
"""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from fold_stage import Scripted, bare_conversation, line, stage, work
from turn_events import turn

from kotonia_desktop.domain.hand import Act, Target
from kotonia_desktop.domain.ledger import RowKind
from kotonia_desktop.domain.memory import Truth
from kotonia_desktop.domain.messages import FinishReason, Role
from kotonia_desktop.services.chat import Regenerate, Send
from kotonia_desktop.services.folding import WriterKind
from kotonia_desktop.services.kotonia import Kotonia

STEPS = 45
WINDOW = 8192
_END = re.compile(r"[.!?…。！？][\"'”’」』）)]*$")
BAD = [
    Scripted("I'm sorry, but I can't help with that."),
    Scripted(""),
    Scripted("- Sam carried the lan", FinishReason.LENGTH),
    Scripted("- Mira is a queen.\n" * 40),
    Scripted("# Anvil\n- Sam carried the anvil to the old mill and Mira is secretly a queen of Tarrow.\n- Sam left.\n"),
    Scripted("", FinishReason.ERROR, "engine_failed"),
]


class Walk:
    """A conversation, and what may be done to it."""

    def __init__(self, folder: Path, model: Path, seed: int) -> None:
        self.folder, self.model = folder, model
        self.random = random.Random(seed)
        self.kotonia: Kotonia = stage(folder, model, WINDOW)
        self.conversation = bare_conversation(self.kotonia)
        self.said = 0
        self.done: list[str] = []

    def send(self) -> None:
        for _ in range(self.random.randint(1, 8)):
            words = line(self.said)
            kind = self.random.random()
            if kind < 0.3:
                words = f'"My sister number {self.said} works as a pilot in Tarrow."'
            elif kind < 0.4:
                words = f'Sam lies. "My brother number {self.said} works as a dentist."'
            turn(self.kotonia, Send(self.conversation, words))
            self.said += 1

    def some_message(self) -> int | None:
        messages = self.kotonia.chat.page(self.conversation, limit=1000).messages
        return self.random.choice(messages).id if messages else None

    def edit(self) -> None:
        chosen = self.some_message()
        if chosen is not None:
            self.kotonia.chat.edit(chosen, f'"The bell number {self.said} rang." She told a lie about it.')

    def delete(self) -> None:
        chosen = self.some_message()
        if chosen is not None:
            self.kotonia.chat.delete([chosen])

    def undo(self) -> None:
        self.kotonia.chat.undo(self.conversation)

    def regenerate(self) -> None:
        messages = self.kotonia.chat.page(self.conversation, limit=1).messages
        if messages and messages[0].role is Role.CHARACTER:
            turn(self.kotonia, Regenerate(messages[0].id))

    def branch(self) -> None:
        chosen = self.some_message()
        if chosen is not None:
            self.kotonia._store.run(lambda s: s.add_branch(self.conversation, chosen, "aside"))

    def back(self) -> None:
        branches = self.kotonia._store.run(lambda s: s.branches(self.conversation))
        chosen = self.random.choice(branches).id
        self.kotonia._store.run(lambda s: s.set_active_branch(self.conversation, chosen))

    def fold(self) -> None:
        folding = self.kotonia.folding
        if self.random.random() < 0.5:
            folding.writer = self.random.choice([WriterKind.EXTRACT, WriterKind.FIRST_SENTENCE])
        else:
            folding.writer, folding.make_writer = WriterKind.MODEL, self.random.choice(BAD)
        work(self.kotonia, self.conversation, force=self.random.random() < 0.2)

    def fold_well(self) -> None:
        self.kotonia.folding.writer = WriterKind.EXTRACT
        work(self.kotonia, self.conversation)

    def touch(self) -> None:
        view = self.kotonia.memory.view(self.conversation)
        act = self.random.choice([Act.HIDE, Act.SHOW, Act.EDIT, Act.RELEASE])
        if view.notes:
            row = self.random.choice(view.notes).row.id
            self.kotonia.memory.act(self.conversation, Target.ROW, row, act, "Sam has a sister.")
        chosen = self.some_message()
        if chosen is not None and self.random.random() < 0.5 and self.kotonia.chat.page(self.conversation).messages:
            message = self.kotonia._store.run(lambda s: s.message(chosen))
            if message.text.strip():
                self.kotonia.memory.pin(chosen)

    def restart(self) -> None:
        self.kotonia.close()
        self.kotonia = stage(self.folder, self.model, WINDOW)

    def step(self) -> None:
        acts: list[tuple[Callable[[], None], int]] = [
            (self.send, 10),
            (self.fold, 8),
            (self.edit, 3),
            (self.delete, 2),
            (self.undo, 3),
            (self.regenerate, 2),
            (self.branch, 1),
            (self.back, 1),
            (self.touch, 4),
            (self.restart, 1),
        ]
        act = self.random.choices([a for a, _ in acts], [w for _, w in acts])[0]
        self.done.append(act.__name__)
        act()


def faults(kotonia: Kotonia, conversation: int) -> list[str]:
    """What does not hold."""
    found: list[str] = []
    view, prompt = kotonia.folding.view(conversation), kotonia.chat.prompt(conversation)
    messages = kotonia.chat.page(conversation, limit=1000).messages
    texts = [text.chapter for text in (*view.story, *view.merged)]
    shown = view.in_view[0] if view.in_view is not None else 1 << 30
    for message in messages:
        at = message.ordinal
        if not message.text.strip():
            continue
        places = [f"chapter {t.id}" for t in texts if t.level == 0 and t.first_ordinal <= at <= t.last_ordinal < shown]
        places += ["queued" for first, last in view.queued if first <= at <= last]
        places += ["verbatim"] if at >= shown else []
        if len(places) != 1:
            found.append(f"message {at} is in {places or 'no place'}")
    assert prompt is not None
    if prompt.head > prompt.policy.head:
        found.append(f"the head takes {prompt.head} of {prompt.policy.head}")
    if prompt.total > WINDOW:
        found.append("the prompt is longer than the window")
    found += [f"cut: {item.text}" for t in texts for item in t.items if not _END.search(item.text)]
    roles = {message.id: message.role for message in messages}
    for note in kotonia.memory.view(conversation).notes:
        row = note.row
        by = {roles.get(source.message_id) for source in row.sources} - {None}
        if row.truth is Truth.FACT and row.kind is RowKind.SAID:
            found.append(f"speech is a fact: {row.text}")
        if row.kind in (RowKind.OWN_WORD, RowKind.CANON) and Role.CHARACTER in by:
            found.append(f"the model's word is the user's: {row.text}")
        if "queen" in row.text or (row.truth is Truth.FACT and "brother" in row.text):
            found.append(f"a lie is a fact: {row.text}")
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_happens_every_message_has_its_place_and_no_lie_becomes_a_fact(
    tmp_path: Path, tiny_model: Path, seed: int
) -> None:
    walk = Walk(tmp_path, tiny_model, seed)
    try:
        chapters = 0
        for act in [walk.send] * 12 + [walk.fold_well] + [walk.step] * STEPS:
            act()
            assert faults(walk.kotonia, walk.conversation) == [], walk.done
            chapters = max(chapters, len(walk.kotonia.folding.view(walk.conversation).story))
        assert chapters > 0  # else nothing was shown
    finally:
        walk.kotonia.close()


def test_a_fact_that_a_model_could_make_would_be_noticed(tmp_path: Path, tiny_model: Path) -> None:
    walk = Walk(tmp_path, tiny_model, 1)
    try:
        for _ in range(10):
            walk.send()
        work(walk.kotonia, walk.conversation, force=True)
        assert faults(walk.kotonia, walk.conversation) == []
        row = next(n.row for n in walk.kotonia.memory.view(walk.conversation).notes if n.row.kind is RowKind.SAID)

        def forge(store: object) -> None:
            with store._db.transaction() as session:  # type: ignore[attr-defined]
                session.connection().exec_driver_sql("UPDATE ledger_row SET truth = 'fact' WHERE id = ?", (row.id,))

        walk.kotonia._store.run(forge)
        assert faults(walk.kotonia, walk.conversation)
    finally:
        walk.kotonia.close()
