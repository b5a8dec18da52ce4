"""The engine's process: reads requests from stdin, answers on what was stdout, and ends with its parent.

No Qt and no store here. Whatever native code prints goes to stderr, so the stream of answers stays whole.
"""

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from kotonia_desktop.engine.wire import read_frame

_OOM_SCORE = "800"
"""When memory runs out the system ends this process before the window."""


def main() -> int:
    """Serve until stdin ends."""
    answers = _take_stdout()
    _prepare_process()
    from kotonia_desktop.engine.server import Server

    server = Server(answers)
    requests = sys.stdin.buffer
    while (message := read_frame(requests)) is not None:
        server.handle(message)
    # The parent has gone, or wants us gone. llama.cpp may be in the middle of a decode on another thread, and a tidy
    # end would free what it works on.
    os._exit(0)


def _take_stdout() -> BinaryIO:
    """Keep the pipe for answers and let everything else that writes to stdout write to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return answers


def _prepare_process() -> None:
    os.environ["GGML_NO_BACKTRACE"] = "1"
    with contextlib.suppress(ValueError):  # not the main thread, as in a test
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is for the app, which then ends us
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold the conversation
    if sys.platform == "linux":
        _die_with_parent()
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(_OOM_SCORE)


def _die_with_parent() -> None:
    """Let the kernel end us when the thread that started us ends; the app keeps that thread for as long as we live."""
    import ctypes

    pr_set_pdeathsig = 1
    ctypes.CDLL(None, use_errno=True).prctl(pr_set_pdeathsig, signal.SIGKILL)
