"""Writes turns without end and says what was acknowledged: the process that crash tests kill.

`python store_writer.py FILE CONVERSATION [early]`; `early`: all in one transaction that never ends. Prints one line for
each acknowledged write, after it returned: `turn USER_ID REPLY_ID`, `draft REPLY_ID LENGTH`, `done REPLY_ID LENGTH`.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kotonia_desktop.domain.messages import GenerationStats, Message, NewRevision, Role
from kotonia_desktop.store.store import Store
from kotonia_desktop.store.worker import StoreThread

Run = Callable[[Callable[[Store], Any]], Any]


def text_of(length: int) -> str:
    """The text of a reply of a length: what is kept can be checked against it."""
    return ("The lantern swings over 港の水. " * (length // 20 + 1))[:length]


def acknowledge(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def write(run: Run, conversation: int) -> None:
    """Turns without end; each `run` is one transaction."""
    number = 0
    while True:
        number += 1
        regenerate = number % 4 == 0

        def begin(s: Store, regenerate: bool = regenerate) -> tuple[int, Message]:
            if regenerate:
                last = s.last_message(conversation)
                return last.id, s.begin_reply(conversation, "Mira", alternate_of=last.id)
            sent = s.append_message(conversation, Role.USER, "You", NewRevision(text_of(30)))
            return sent.id, s.begin_reply(conversation, "Mira")

        sent, reply = run(begin)
        acknowledge("turn", sent, reply.id)
        for length in range(25, 25 * (number % 5 + 1), 25):
            run(lambda s, n=length, r=reply: s.save_draft(r.id, text_of(n), ""))
            acknowledge("draft", reply.id, length)
        length = 25 * (number % 5 + 1)
        revision = NewRevision(text_of(length), stats=GenerationStats())
        run(lambda s, r=reply, v=revision: s.finish_reply(r.id, v))
        acknowledge("done", reply.id, length)


def main() -> None:
    path, conversation = Path(sys.argv[1]), int(sys.argv[2])
    with StoreThread(path) as store:
        if sys.argv[3:] == ["early"]:
            store.run(lambda s: write(lambda act: act(s), conversation))
        else:
            write(store.run, conversation)


if __name__ == "__main__":
    main()
