"""Shows what a long apt or pip run is doing, read from its output, and keeps that output in a file.

In a terminal one line changes in place; elsewhere a line comes every 15 seconds. Standard library only.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HEARTBEAT_S = 15.0
"""Seconds between two progress lines where the output is no terminal."""


def say(text: str) -> None:
    """One line for the reader, at once."""
    print(text, flush=True)


def tail(path: Path, lines: int = 30) -> str:
    """The last lines of a log."""
    return "\n".join(path.read_text("utf-8", "replace").splitlines()[-lines:])


def clock(seconds: float) -> str:
    """Minutes and seconds, as `4:07`."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class InstallProgress:
    """What pip (verbose) or apt is doing, read from its output line by line. It only listens; it never fails."""

    _NINJA = re.compile(r"^\s*\[\s*(\d+)/(\d+)\]")
    _MAKE = re.compile(r"^\s*\[\s*(\d+)%\]")
    _COLLECTING = re.compile(r"^\s*Collecting ([A-Za-z0-9_.\-]+)")
    _DOWNLOADING = re.compile(
        r"^\s*Downloading (?:\S*/)?([^/\s]+?)(?:\.tar\.gz|\.whl)?(?:\.metadata)? \(([^)]*[MG]B)\)"
    )
    _BUILDING = re.compile(r"^\s*Building (?:wheel|editable) for ([A-Za-z0-9_.\-]+)")

    _FETCHING = re.compile(r"^Get:\d+ \S+ \S+ \S+ (\S+)")
    _SETTING_UP = re.compile(r"^(Unpacking|Setting up) ([a-z0-9.+\-]+)")

    def __init__(self) -> None:
        self.doing = "starting"
        self.building = ""
        self.compiled = 0
        self.to_compile = 0
        self.compile_started = 0.0

    def read(self, line: str, now: float) -> None:
        """Takes one line of pip's output at a time in seconds of any steady clock."""
        step = self._NINJA.match(line) or self._MAKE.match(line)
        if step:
            whole = int(step.group(2)) if step.re is self._NINJA else 100
            if self.to_compile != whole:
                self.compile_started = now
            self.compiled, self.to_compile = int(step.group(1)), whole
            self.doing = "compiling"
            return
        for pattern, text in (
            (self._COLLECTING, "looking for {}"),
            (self._DOWNLOADING, "downloading {}, {}"),
            (self._BUILDING, "preparing {}"),
            (self._FETCHING, "fetching {}"),
            (self._SETTING_UP, "{} {}"),
        ):
            found = pattern.match(line)
            if found:
                self.doing = text.format(*found.groups())
                if pattern is self._BUILDING:
                    self.building = found.group(1)
                return
        if line.startswith("Installing collected packages"):
            self.doing = "putting the packages in place"

    def describe(self, now: float) -> str:
        """The state in words, with the minutes left where they can be told."""
        if self.doing != "compiling":
            return self.doing
        text = f"compiling {self.building or 'llama.cpp'}: {self.compiled} of {self.to_compile}"
        spent = now - self.compile_started
        if self.compiled * 20 >= self.to_compile and spent > HEARTBEAT_S and self.compiled < self.to_compile:
            left = clock(spent * (self.to_compile - self.compiled) / self.compiled)
            text += f", about {left} left"
        return text


class Ticker:
    """Shows a state while something runs: one line that changes in a terminal, a line every 15 s elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._began = time.monotonic()
        self._shown_at = self._began

    def show(self, state: str) -> None:
        """Called often; writes only when it is due."""
        now = time.monotonic()
        line = f"  {clock(now - self._began)}  {state}"
        if self._live:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write("\r" + line.ljust(width)[:width])
        elif now - self._shown_at >= HEARTBEAT_S:
            self._stream.write(line + "\n")
        else:
            return
        self._shown_at = now
        self._stream.flush()

    def close(self) -> float:
        """Ends the changing line; returns the seconds since the beginning."""
        if self._live:
            self._stream.write("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r")
            self._stream.flush()
        return time.monotonic() - self._began


def run_with_progress(
    command: Sequence[str], log: Path, *, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> int:
    """Runs apt or pip in `folder`, keeps all it says in `log`, shows what it does. Returns its exit status."""
    progress = InstallProgress()
    ticker = Ticker(sys.stdout)
    log.parent.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(
        list(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        cwd=folder,
    ) as process:
        source = process.stdout
        assert source is not None

        def listen() -> None:
            with log.open("wb") as output:
                for raw in source:
                    output.write(raw)
                    output.flush()
                    progress.read(raw.decode("utf-8", "replace"), time.monotonic())

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        try:
            while listener.is_alive():
                listener.join(0.5)
                ticker.show(progress.describe(time.monotonic()))
            return process.wait()
        finally:
            if process.poll() is None:
                process.terminate()
            listener.join()
            ticker.close()
