#!/usr/bin/env python3
"""Sets Kotonia up in this checkout and starts it, tests it or freezes it: one command, only a Python 3.11 needed.

    python3 packaging/setup.py run [-- arguments of kotonia]
    python3 packaging/setup.py test [-- arguments of pytest]
    python3 packaging/setup.py package [-- arguments of packaging/smoke.py]

It installs the system packages that Qt and the compiler need (as root on Debian and its kin; elsewhere it names them),
makes `.venv`, installs the project into it, fetches the starter model, and hands over. A second run skips what is done.
Standard library only. The syntax stays readable for Python 3.8, so that an old Python gets a sentence and no traceback.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from install_progress import clock, run_with_progress, say, tail
from system_packages import SetupFailed, compiler_found, install_system_packages

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
MINIMUM = (3, 11)
ROOM_MB = 2500
"""Disk space that a first set-up needs: 0.5 GB of environment, the compiler's files, pip's cache."""


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> None:
    """Raises `SetupFailed` for a Python that is too old, and names newer ones that are on the PATH."""
    if version >= MINIMUM:
        return
    newer = [name for name in ("python3.14", "python3.13", "python3.12", "python3.11") if shutil.which(name)]
    advice = (
        f"Try: {newer[-1]} packaging/setup.py run"
        if newer
        else "Install Python 3.11 or newer (python.org), then run this again."
    )
    raise SetupFailed(f"Kotonia needs Python 3.11 or newer; this is Python {'.'.join(map(str, version))}. {advice}")


class Environment:
    """The virtual environment of a checkout and the note in it that says what was installed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.stamp = self.folder / "kotonia-setup.json"
        self.log = self.folder / "kotonia-setup.log"
        self._programs = self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self._programs / ("python.exe" if os.name == "nt" else "python")

    @property
    def kotonia(self) -> Path:
        """The installed command."""
        return self._programs / ("kotonia.exe" if os.name == "nt" else "kotonia")

    def fingerprint(self) -> str:
        """What an installation depends on: the project file, where the checkout lies, the Python."""
        digest = hashlib.sha256()
        digest.update((self.root / "pyproject.toml").read_bytes())
        digest.update(f"{self.root} {sys.version}".encode("utf-8", "replace"))
        return digest.hexdigest()

    def installed_extras(self) -> set[str] | None:
        """Extras of the last complete installation; None if there is none or it was made from other files."""
        try:
            note = json.loads(self.stamp.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        current = isinstance(note, dict) and note.get("fingerprint") == self.fingerprint() and self.kotonia.exists()
        return set(note["extras"]) if current else None

    def ensure(self, extras: set[str]) -> None:
        """Makes the environment and installs the project with these extras, unless that was done before."""
        done = self.installed_extras()
        if done is not None and extras <= done:
            return
        if not self._works():
            say(f"Making the virtual environment {self.folder} ...")
            made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(self.folder)], check=False)
            if made.returncode:
                raise SetupFailed(f"The virtual environment could not be made in {self.folder}.")
        wanted = sorted(extras | (done or set()))
        self._install(wanted)
        self.stamp.write_text(json.dumps({"fingerprint": self.fingerprint(), "extras": wanted}), "utf-8")

    def _works(self) -> bool:
        if not self.python.exists():
            return False
        probe = f"import pip, sys; sys.exit(sys.version_info[:2] != {tuple(sys.version_info[:2])})"
        return subprocess.run([str(self.python), "-c", probe], stderr=subprocess.DEVNULL, check=False).returncode == 0

    def _install(self, extras: Sequence[str]) -> None:
        free_mb = shutil.disk_usage(str(self.root)).free // 1_000_000
        if free_mb < ROOM_MB:
            say(f"Only {free_mb} MB are free on this disk; a first set-up needs about {ROOM_MB} MB.")
        say("Installing Kotonia and what it needs.")
        say("The first time, llama.cpp (the part that runs models) is compiled for this computer: that takes")
        say("5 to 10 minutes on 2 cores, less on more. pip keeps the result, so later times are quick.")
        project = "." + (f"[{','.join(extras)}]" if extras else "")
        command = [
            str(self.python),
            "-m",
            "pip",
            "install",
            "--verbose",
            "--disable-pip-version-check",
            "--editable",
            project,
        ]
        if not compiler_found():
            command.append("--only-binary=llama-cpp-python")
        began = time.monotonic()
        if run_with_progress(command, self.log, folder=self.root):
            say(tail(self.log))
            reason = f"The installation failed; the lines above are the end of {self.log}."
            if not compiler_found():
                reason += " There is no C++ compiler: install build-essential or its counterpart, then run this again."
            raise SetupFailed(reason)
        say(f"Installed in {clock(time.monotonic() - began)}.")


# ---------------------------------------------------------------- the commands


def data_dir_option(arguments: Sequence[str]) -> list[str]:
    """The `--data-dir` among the arguments for kotonia: the starter model must lie where it will be looked for."""
    for index, argument in enumerate(arguments):
        if argument == "--data-dir" and index + 1 < len(arguments):
            return ["--data-dir", arguments[index + 1]]
        if argument.startswith("--data-dir="):
            return ["--data-dir", argument.split("=", 1)[1]]
    return []


def hand_over(command: Sequence[str], environment: dict[str, str]) -> int:
    """Goes on as another program, which gets the terminal and its signals. Windows has no exec: this one waits."""
    sys.stdout.flush()
    if os.name == "nt":
        return subprocess.run(list(command), env=environment, check=False).returncode
    os.execve(command[0], list(command), environment)


def run(arguments: Sequence[str]) -> int:
    """Sets up, fetches the starter model, starts the app. A starter that cannot be had is said, and the app starts."""
    environment = Environment(ROOT)
    environment.ensure(set())
    fetch = [str(environment.python), "-m", "kotonia_desktop.services.starter", *data_dir_option(arguments)]
    if subprocess.run(fetch, check=False).returncode:
        say("Kotonia starts without it; a GGUF file of your own can be chosen in the window.")
    return hand_over([str(environment.kotonia), *arguments], dict(os.environ))


def test(arguments: Sequence[str]) -> int:
    """Sets up with the tools for testing and runs the tests, without opening windows on the screen."""
    environment = Environment(ROOT)
    environment.ensure({"test"})
    variables = dict(os.environ)
    variables.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.chdir(str(ROOT))
    return hand_over([str(environment.python), "-m", "pytest", *arguments], variables)


def package(arguments: Sequence[str]) -> int:
    """Sets up with the tools for freezing, freezes the app into `packaging/dist/kotonia`, and tries it there."""
    environment = Environment(ROOT)
    environment.ensure({"build"})
    built = subprocess.run([str(environment.python), str(ROOT / "packaging" / "build.py")], check=False)
    if built.returncode:
        return built.returncode
    smoke = [str(environment.python), str(ROOT / "packaging" / "smoke.py"), *arguments]
    return hand_over(smoke, dict(os.environ))


def main(argv: Sequence[str]) -> int:
    """Runs one of the commands; returns the exit status."""
    cut = list(argv).index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser(
        prog="packaging/setup.py", description="Sets Kotonia up, then starts, tests or freezes it."
    )
    parser.add_argument(
        "command", choices=list(COMMANDS), help="run: start the app; test: run the tests; package: freeze it"
    )
    parser.epilog = "What follows a -- is passed on to kotonia, to pytest, or to packaging/smoke.py."
    chosen = parser.parse_args(argv[:cut])
    arguments = argv[cut + 1 :]
    try:
        check_python()
        install_system_packages(freeze=chosen.command == "package", log=ROOT / "packaging" / "build" / "apt.log")
        return COMMANDS[chosen.command](arguments)
    except SetupFailed as failure:
        say(str(failure))
        return 1
    except KeyboardInterrupt:
        say("Stopped. Run the same command again to go on.")
        return 130


COMMANDS = {"run": run, "test": test, "package": package}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
