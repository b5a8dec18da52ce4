"""Random use of an engine's cache for as long as one likes: sends, edits, branches, folds, switches, cancels, restarts.

At random points the logits are compared with those of a cold reading; after every step the cells are counted. Run as
`python tests/engine/random_use.py MINUTES [KIND]` for an hour of it; the tests do it for seconds.
"""

# ruff: noqa: E402

import gc
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import psutil

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]  # to be run by itself

from cache_stage import CLOSE, Pair, difference, noise, random_ids
from tiny_models import SPECS, build_tiny_model

from kotonia_desktop.engine.jobs import Control, read_prompt
from kotonia_desktop.engine.llama import Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.sequences import CachedSequence, OutOfCells

CELLS = 1536
MOST = 1300
"""Tokens of a conversation before it is folded by force."""
WRONG = 0.1
"""No two ways to read one text differ by so much."""
CHARACTERS = [random_ids(number, 60 + 50 * number) for number in range(3)]


class Conversation:
    """What was said, as ids. `system` of them are the character's."""

    def __init__(self, name: str, character: int, ids: list[int]) -> None:
        self.name = name
        self.character = character
        self.ids = ids

    @property
    def system(self) -> int:
        return len(CHARACTERS[self.character])


class RandomUse:
    """Owns an engine. `step` does one thing; whatever is wrong is an AssertionError."""

    def __init__(self, model: Model, folder: Path, number: int) -> None:
        self.model = model
        self.folder = folder
        self.chance = random.Random(number)
        self.pair = Pair(model, folder, CELLS, 40 * 2**20)
        self.made = 0
        self.conversations: list[Conversation] = []
        self.did: Counter[str] = Counter()
        self.reused = self.read_tokens = 0
        self._begin()
        self.open = self.conversations[0]
        acts = {"send": 10, "edit": 3, "branch": 2, "fold": 3, "switch": 3, "cancel": 3, "chapter": 3, "again": 3}
        self._acts: dict[str, tuple[Callable[[], None], int]] = {
            **{name: (getattr(self, f"_{name}"), weight) for name, weight in acts.items()},
            "restart": (self._restart, 1),
            "begin": (self._begin, 1),
        }

    def step(self) -> None:
        names = list(self._acts)
        name = self.chance.choices(names, [self._acts[name][1] for name in names])[0]
        self._acts[name][0]()
        self.did[name] += 1
        self.check()

    def _some(self, most: int) -> list[int]:
        self.made += 1
        return random_ids(10_000 + self.made, self.chance.randrange(1, most))

    # -- what one does

    def _read(self, conversation: Conversation, steps: int | None = None) -> bool:
        """Read a conversation as a reply's job does; False where it was cancelled after `steps`."""
        chat, ids = self.pair.chat, conversation.ids
        chat.claim(ids, conversation.name)
        control = Control()
        reused = 0
        for number, (_, kept) in enumerate(read_prompt(chat, ids, True, control, conversation.system), 1):
            reused = kept
            if number == steps:
                return False
            chat.context.aborting = chat.survives_abort and self.chance.random() < 0.05
        chat.context.aborting = False
        assert chat.ids == ids
        self.reused += reused
        self.read_tokens += len(ids)
        if self.chance.random() < 0.15:
            self._compare(chat, ids)
        return True

    def _compare(self, sequence: CachedSequence, ids: list[int]) -> None:
        """With a cold reading. Sums of floats know the steps and the order of cells: of some thousand texts one differs
        by more than usual, and then cold readings in other steps differ as well."""
        self.did["compared"] += 1
        found = difference(sequence, ids)
        if found >= 5 * CLOSE:
            usual = noise(self.model, ids)
            assert found < min(10 * usual, WRONG), f"logits differ by {found}, cold readings by {usual}"

    def _reply(self, conversation: Conversation) -> None:
        """Some tokens one by one, as a reply is written."""
        reply = self._some(20)
        for token in reply:
            for _ in self.pair.chat.read([token], True):
                pass
        conversation.ids += reply
        self.pair.chat.take_checkpoint()
        assert self.pair.chat.ids == conversation.ids

    def _send(self) -> None:
        if len(self.open.ids) > MOST - 100:
            self._fold()
        self.open.ids += self._some(60)
        self._read(self.open)
        self._reply(self.open)

    def _again(self) -> None:
        """Another version of the last reply."""
        keep = max(self.open.system + 1, len(self.open.ids) - self.chance.randrange(1, 20))
        del self.open.ids[keep:]
        self._read(self.open)
        self._reply(self.open)

    def _edit(self) -> None:
        place = self.chance.randrange(self.open.system, len(self.open.ids))
        length = self.chance.randrange(1, 30)
        self.open.ids[place : place + length] = self._some(30)
        self._read(self.open)

    def _branch(self) -> None:
        place = self.chance.randrange(self.open.system + 1, len(self.open.ids) + 1)
        self._add(Conversation(f"c{self.made}", self.open.character, self.open.ids[:place]))
        self.open = self.conversations[-1]
        self._send()

    def _begin(self) -> None:
        character = self.chance.randrange(len(CHARACTERS))
        self._add(Conversation(f"c{self.made}", character, CHARACTERS[character] + self._some(40)))

    def _add(self, conversation: Conversation) -> None:
        self.conversations.append(conversation)
        if len(self.conversations) > 6:
            gone = next(c for c in self.conversations if c is not getattr(self, "open", None))
            self.conversations.remove(gone)

    def _switch(self) -> None:
        self.open = self.chance.choice(self.conversations)
        if self.chance.random() < 0.5:
            self._read(self.open)
        else:
            self._send()

    def _cancel(self) -> None:
        self.open.ids += self._some(100)
        self._read(self.open, steps=self.chance.randrange(1, 5))
        del self.open.ids[MOST:]

    def _fold(self) -> None:
        """A new head, staged in slices with turns between, then moved over; at times it is given up."""
        old = self.open.ids
        keep = self.chance.randrange(1, max(2, min(300, len(old) - self.open.system)))
        new = CHARACTERS[self.open.character] + self._some(80) + old[-keep:]
        stage = self.pair.stage
        stage.claim(new, self.open.name)
        try:
            for _ in read_prompt(stage, new, False, Control(), self.open.system):
                if self.chance.random() < 0.1 and len(self.open.ids) < MOST - 200:
                    before = len(self.open.ids)
                    self._send_plain()
                    new = new + self.open.ids[before:]
        except OutOfCells:
            self.did["no cells"] += 1
        if self.chance.random() < 0.15:
            if len(old) > MOST - 100:
                self.open.ids = new
            return  # overtaken
        self.open.ids = new
        if self.chance.random() < 0.7:
            self.pair.keeper.swap(new, self.open.name)
        self._read(self.open)

    def _send_plain(self) -> None:
        self.open.ids += self._some(30)
        self._read(self.open)

    def _chapter(self) -> None:
        """The chronicler reads, asks on forks, and goes on."""
        chronicler, fork = self.pair.chronicler, self.pair.fork
        ids = self._some(400)
        chronicler.claim(ids, "memory")
        chronicler.busy = True
        try:
            for _ in read_prompt(chronicler, ids, True, Control()):
                chronicler.context.aborting = chronicler.survives_abort and self.chance.random() < 0.05
            chronicler.context.aborting = False
            for _ in range(self.chance.randrange(0, 3)):
                fork.fork(chronicler)
                more = self._some(40)
                for _ in fork.read(more, True):
                    pass
                if self.chance.random() < 0.3:
                    self._compare(fork, ids + more)
        except OutOfCells:
            self.did["no cells"] += 1
        finally:
            chronicler.busy = False
        if self.chance.random() < 0.5:
            fork.clear()

    def _restart(self) -> None:
        self.pair.keeper.park()
        self.pair.close()
        self.pair = Pair(self.model, self.folder, CELLS, 40 * 2**20)
        self._read(self.open)

    # -- what must hold

    def check(self) -> None:
        pair = self.pair
        for context, sequences in zip(
            pair.contexts, ([pair.chat], [pair.chronicler, pair.stage, pair.fork]), strict=True
        ):
            used = {sequence.number: sequence for sequence in sequences}
            for number in range(context.sequences):
                self._check_sequence(context.last_position(number), used.get(number))
            assert sum(sequence.own_cells for sequence in sequences) <= CELLS, "more tokens than cells"

    @staticmethod
    def _check_sequence(last: int, sequence: CachedSequence | None) -> None:
        wanted = -1 if sequence is None else len(sequence.ids) - 1
        assert last == wanted, f"cells up to {last} are held, {wanted} are listed"

    def close(self) -> None:
        self.pair.close()


def run(kind: str, seconds: float, number: int) -> RandomUse:
    """Use an engine of a kind of model for so long; what was done. Raises `AssertionError`."""
    start_library()
    with tempfile.TemporaryDirectory() as folder:
        model = Model(str(build_tiny_model(Path(folder), kind)))
        use = RandomUse(model, Path(folder) / "snapshots", number)
        started = time.monotonic()
        process = psutil.Process()
        settled = 0
        steps = 0
        while time.monotonic() - started < seconds:
            use.step()
            steps += 1
            if not settled and time.monotonic() - started > seconds / 3:
                gc.collect()
                settled = process.memory_info().rss
        gc.collect()
        grown = (process.memory_info().rss - settled) / 2**20
        use.close()
        model.free()
        use.did["steps"] = steps
        assert grown < 64, f"memory grew by {grown:.0f} MiB"
        return use


if __name__ == "__main__":
    minutes = float(sys.argv[1])
    kinds = sys.argv[2:] or sorted(SPECS)
    for chosen in kinds:
        begun = time.time_ns() % 2**32
        done = run(chosen, minutes * 60 / len(kinds), begun)
        print(chosen, "number", begun, dict(done.did), f"reused {done.reused} of {done.read_tokens} tokens", flush=True)
