"""Kills a process while it writes, again and again, and looks at what it left.

`python store_kills.py KILLS` runs it by hand, with as many kills as wanted.
"""

import random
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from store_kit import TickingClock, new_chat
from store_replay import derived, replayed
from store_writer import text_of

from kotonia_desktop.domain.errors import NotFound
from kotonia_desktop.domain.messages import FinishReason, Role
from kotonia_desktop.store.store import Store

WRITER = Path(__file__).parent / "store_writer.py"


@dataclass
class Tally:
    """What a run of kills found."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    half: int = 0
    damaged: int = 0
    recovered: int = 0


def run_kills(path: Path, kills: int, seed: int, *, early: bool = False) -> Tally:
    """Kill a writer `kills` times, up to 0.2 s after its first acknowledged write.

    `early`: it acknowledges what it has not committed, as a store must not.
    """
    chance = random.Random(seed)
    tally = Tally()
    with Store(path, TickingClock()) as store:
        conversation = new_chat(store).id
    for _ in range(kills):
        acknowledged = _kill_a_writer(path, conversation, chance.random() * 0.2, early)
        tally.kills += 1
        tally.acknowledged += len(acknowledged)
        _look(path, conversation, acknowledged, tally)
    return tally


def _kill_a_writer(path: Path, conversation: int, seconds: float, early: bool) -> list[list[str]]:
    process = subprocess.Popen(
        [sys.executable, str(WRITER), str(path), str(conversation), *(["early"] if early else [])],
        stdout=subprocess.PIPE,
        text=True,
    )
    first = process.stdout.readline()
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    rest = process.stdout.read()
    process.wait()
    timer.join()
    process.stdout.close()
    return [line.split() for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")]


def _look(path: Path, conversation: int, acknowledged: list[list[str]], tally: Tally) -> None:
    with Store(path, TickingClock()) as store:
        # A turn is written whole: the user's message never stands without the row of its reply.
        roles = [message.role for message in store.path(conversation)]
        tally.half += any(one is other for one, other in pairwise(roles)) or roles[-1:] == [Role.USER]
        recovered = store.recover_drafts()
        tally.recovered += len(recovered)
        for kind, message_id, number in acknowledged:
            try:
                message = store.message(int(message_id))
                if kind == "turn":
                    store.message(int(number))
                    continue
            except NotFound:
                tally.lost += 1
                continue
            tally.lost += len(message.text) < int(number) or message.text != text_of(len(message.text))
            tally.lost += kind == "done" and message.revision.finish is not FinishReason.STOP
        path_now = store.path(conversation)
        tally.half += any(message.is_draft for message in path_now)
        tally.damaged += bool(store.damaged_messages()) or derived(store) != replayed(store)
        if path_now and path_now[-1].role is Role.USER:  # its reply had no word yet: the next run sends anew
            store.delete_messages([path_now[-1].id])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(run_kills(Path(folder) / "kotonia.db", int(sys.argv[1]), seed=5))
