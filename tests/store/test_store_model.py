"""The store beside a plain model of it: any order of appends, edits, alternates, choices, deletions, undos, branches,
crashes and restarts gives what the model gives.

The model knows no ranges: each branch is the whole list of its places, shared by reference with the branches it left.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from store_kit import Chat, TickingClock, new_chat
from store_replay import derived, replayed

from kotonia_desktop.domain.messages import NewRevision
from kotonia_desktop.store.store import Store


@dataclass(eq=False)
class Place:
    """A place in a path: it shows one of its alternates."""

    shown: int
    owner: int


@dataclass
class Model:
    """What the store should hold of one conversation."""

    active: int
    branches: dict[int, list[Place]]
    texts: dict[int, list[str]] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    families: list[list[int]] = field(default_factory=list)
    used: list[int] = field(default_factory=list)
    undo: list[tuple[str, Callable[[], None]]] = field(default_factory=list)

    @property
    def path(self) -> list[Place]:
        return self.branches[self.active]

    def visible(self) -> list[tuple[int, int, str]]:
        """(message, ordinal, text) of what the path shows."""
        return [
            (place.shown, ordinal, self.texts[place.shown][-1])
            for ordinal, place in enumerate(self.path)
            if place.shown not in self.removed
        ]

    def is_tip(self, place: Place) -> bool:
        behind = self.path[self.path.index(place) + 1 :]
        return (
            place.owner == self.active
            and all(p.shown in self.removed for p in behind)
            and sum(place in path for path in self.branches.values()) == 1
        )

    def activate(self, branch: int) -> None:
        self.active = branch
        self.used.append(branch)

    def select(self, message: int, prefer: int | None = None) -> bool:
        """Show `message`; true where that needs a branch, which the caller then makes with `fork`."""
        holding = [b for b, path in self.branches.items() if any(p.shown == message for p in path)]
        if self.active in holding:
            return False
        if holding:
            self.activate(prefer if prefer in holding else max(holding, key=lambda b: _last(self.used, b)))
            return False
        place = self.path[self.ordinal_of(message)]
        if self.is_tip(place):
            place.shown = message
            return False
        return True

    def ordinal_of(self, message: int) -> int:
        family = next(f for f in self.families if message in f)
        return next(i for i, place in enumerate(self.path) if place.shown in family)

    def fork(self, branch: int, ordinal: int, message: int) -> None:
        self.branches[branch] = [*self.path[:ordinal], Place(message, branch)]
        self.activate(branch)


def _last(used: list[int], branch: int) -> int:
    return len(used) - used[::-1].index(branch)


class StoreMachine(RuleBasedStateMachine):
    """Does the same to both."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = TickingClock()
        self.store = Store(Path(self.folder.name) / "kotonia.db", self.clock)
        self.chat = new_chat(self.store)
        other = new_chat(self.store)
        other.say("a stranger")
        root = self.branch()
        self.model = Model(root, {root: []}, used=[root])
        self.words = 0

    def branch(self) -> int:
        return self.store.conversation(self.chat.id).active_branch_id

    def word(self) -> str:
        self.words += 1
        return f"word{self.words}x"

    def pick(self, data: st.DataObject) -> tuple[int, int]:
        """(message, ordinal) of something visible."""
        message, ordinal, _ = data.draw(st.sampled_from(self.model.visible()))
        return message, ordinal

    def anything_visible(self) -> bool:
        return bool(self.model.visible())

    def born(self, message: int, text: str, family: list[int] | None = None) -> None:
        self.model.texts[message] = [text]
        if family is None:
            self.model.families.append([message])
        else:
            family.append(message)

    @rule()
    def append(self) -> None:
        text = self.word()
        message = self.chat.say(text)
        self.born(message.id, text)
        self.model.path.append(Place(message.id, self.model.active))

    @rule(count=st.integers(1, 5))
    def reply_or_import(self, count: int) -> None:
        if count == 1:
            text = self.word()
            ids, texts = [self.chat.reply(text).id], [text]
        else:
            texts = [self.word() for _ in range(count)]
            rows = [("user", "You", NewRevision(text), False, 1.0) for text in texts]
            ids = self.store.append_many(self.chat.id, rows)
        for message, text in zip(ids, texts, strict=True):
            self.born(message, text)
            self.model.path.append(Place(message, self.model.active))

    @precondition(anything_visible)
    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        message, _ = self.pick(data)
        text = self.word()
        self.store.add_revision(message, NewRevision(text))
        self.model.texts[message].append(text)
        self.model.undo.append(("edit", lambda: self.model.texts[message].pop() and None))

    @precondition(anything_visible)
    @rule(data=st.data(), ends=st.sampled_from(["finish", "finish", "discard", "crash", "crash empty"]))
    def alternate(self, data: st.DataObject, ends: str) -> None:
        former, ordinal = self.pick(data)
        text = self.word()
        branch = self.model.active
        draft = self.store.begin_reply(self.chat.id, "Mira", alternate_of=former)
        if ends == "finish":
            self.store.finish_reply(draft.id, NewRevision(text))
        elif ends == "discard":
            self.store.discard_reply(draft.id)
        else:
            self.store.save_draft(draft.id, text if ends == "crash" else "", "")
            self.reopen()
        if ends in ("discard", "crash empty"):
            if not self.model.is_tip(self.model.path[ordinal]):
                self.model.used.append(self.model.active)
            return
        self.born(draft.id, text, next(f for f in self.model.families if former in f))
        if self.model.is_tip(self.model.path[ordinal]):
            self.model.path[ordinal].shown = draft.id
        else:
            self.model.fork(self.branch(), ordinal, draft.id)
        if ends == "finish":
            self.model.undo.append(("select", lambda: self.unselect(former, branch)))

    @precondition(anything_visible)
    @rule(data=st.data())
    def select(self, data: st.DataObject) -> None:
        message, ordinal = self.pick(data)
        family = next(f for f in self.model.families if message in f)
        target = data.draw(st.sampled_from([m for m in family if m not in self.model.removed]))
        branch = self.model.active
        self.store.select_alternate(target)
        if self.model.select(target):
            self.model.fork(self.branch(), ordinal, target)
        if target != message:
            self.model.undo.append(("select", lambda: self.unselect(message, branch)))

    def unselect(self, message: int, branch: int) -> None:
        if message in self.model.removed:
            self.model.activate(branch)
            return
        family = next(f for f in self.model.families if message in f)
        shown = any(place.shown == message for path in self.model.branches.values() for place in path)
        if not shown and not any(place.shown in family for place in self.model.path):
            self.model.activate(branch)
        if self.model.select(message, branch):
            self.model.fork(self.branch(), self.model.ordinal_of(message), message)

    @precondition(anything_visible)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        ids = data.draw(st.lists(st.sampled_from([m for m, _, _ in self.model.visible()]), min_size=1, max_size=3))
        self.store.delete_messages(ids)
        self.model.removed |= set(ids)
        self.model.undo.append(("delete", lambda: self.model.removed.difference_update(ids)))

    @rule()
    def undo(self) -> None:
        label, _ = self.store.undo(self.chat.id)
        if self.model.undo:
            expected, act = self.model.undo.pop()
            assert label == expected
            act()
        else:
            assert label == ""

    @precondition(anything_visible)
    @rule(data=st.data())
    def add_branch(self, data: st.DataObject) -> None:
        message, ordinal = self.pick(data)
        branch = self.store.add_branch(self.chat.id, message, "b")
        self.model.branches[branch.id] = self.model.path[: ordinal + 1]
        self.model.activate(branch.id)

    @rule(data=st.data())
    def set_active_branch(self, data: st.DataObject) -> None:
        branch = data.draw(st.sampled_from(sorted(self.model.branches)))
        self.store.set_active_branch(self.chat.id, branch)
        if branch != self.model.active:
            self.model.activate(branch)

    @rule()
    def discard(self) -> None:
        self.store.discard_reply(self.store.begin_reply(self.chat.id, "Mira").id)

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = Store(Path(self.folder.name) / "kotonia.db", self.clock)
        self.chat = Chat(self.store, self.chat.id)
        self.store.recover_drafts()

    @invariant()
    def the_path_is_the_models(self) -> None:
        expected = self.model.visible()
        path = self.store.path(self.chat.id)
        assert [(m.id, m.ordinal, m.text) for m in path] == expected
        assert self.store.visible_count(self.chat.id) == len(expected)
        assert self.branch() == self.model.active
        assert {branch.id for branch in self.store.branches(self.chat.id)} == set(self.model.branches)
        for message in path:
            family = next(f for f in self.model.families if message.id in f)
            family = [m for m in family if m not in self.model.removed]
            assert (message.alternate_count, message.alternate_index) == (len(family), family.index(message.id))
            assert message.revision_count == len(self.model.texts[message.id])

    @rule(data=st.data(), limit=st.integers(1, 4))
    def pages_and_search_agree(self, data: st.DataObject, limit: int) -> None:
        expected = [m for m, _, _ in self.model.visible()]
        ordinals = [o for _, o, _ in self.model.visible()]
        at = data.draw(st.integers(0, len(self.model.path)))
        older = [m for m, o in zip(expected, ordinals, strict=True) if o < at]
        newer = [m for m, o in zip(expected, ordinals, strict=True) if o > at]
        assert [m.id for m in self.store.page(self.chat.id, at, limit)] == older[-limit:]
        assert [m.id for m in self.store.page_after(self.chat.id, at, limit)] == newer[:limit]
        for message, texts in self.model.texts.items():
            for text in texts:
                hits = [hit.message_id for hit in self.store.search(text)]
                assert hits == ([message] if message in expected and text == texts[-1] else [])

    def teardown(self) -> None:
        assert derived(self.store) == replayed(self.store)
        assert self.store.damaged_messages() == []
        self.store.close()
        self.folder.cleanup()


StoreMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=30, deadline=None)
test_the_store_does_what_its_model_does = StoreMachine.TestCase
