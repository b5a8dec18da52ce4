"""The short-lived process that renders a foreign chat template: two seconds, little memory, then it is gone.

The engine starts it when it begins to load a model, so that Python's own start is over when the template is known.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import kotonia_desktop
from kotonia_desktop.engine.turn_grammar import TakenGrammar

SECONDS: Final = 2.0
TEMPLATE_LIMIT: Final = 256 * 1024
"""Bytes of a template that is looked at at all."""
_MEMORY_LIMIT = 512 * 2**20
_OUTPUT_LIMIT = 2**20

NO_CONSOLE: Final[int] = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""Windows would open a console window for a child of a program that has none."""


def main() -> int:
    """Read `{"source", "bos", "eos"}` from stdin, write what came of it to stdout."""
    _limit_resources()
    asked = json.loads(sys.stdin.buffer.read())
    from kotonia_desktop.engine.template_render import probe_template

    taken = probe_template(str(asked["source"]), str(asked["bos"]), str(asked["eos"]))
    sys.stdout.write(json.dumps(taken.to_wire()))
    sys.stdout.flush()
    return 0


def _limit_resources() -> None:
    if sys.platform == "win32":  # there the time limit alone holds
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, _MEMORY_LIMIT))


def own_command(mode: str) -> list[str]:
    """The command that starts this program in one of its modes, from source or frozen."""
    if getattr(sys, "frozen", False):
        return [sys.executable, mode]
    return [sys.executable, "-P", "-m", "kotonia_desktop", mode]


def own_environment() -> dict[str, str]:
    """The environment of such a process. It finds this package where it lies and never looks into the folder the app
    happens to be started in: a file there named like a library would be run."""
    packages = str(Path(kotonia_desktop.__file__).resolve().parent.parent)
    return {**os.environ, "PYTHONPATH": packages, "GGML_NO_BACKTRACE": "1"}


class TemplateProcess:
    """Owns one such process. `ask` may be called once; `close` ends it in any case."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            own_command("--engine-template"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=NO_CONSOLE,
            env=own_environment(),
        )

    def ask(self, source: str, bos: str, eos: str) -> TakenGrammar:
        """What came of a template; a process that hangs, dies or writes too much is `too_slow`."""
        data = json.dumps({"source": source, "bos": bos, "eos": eos}).encode()
        try:
            answer, _ = self._process.communicate(data, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return TakenGrammar(reason="too_slow")
        if self._process.returncode or len(answer) > _OUTPUT_LIMIT:
            return TakenGrammar(reason="too_slow")
        return TakenGrammar.from_wire(json.loads(answer))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()
