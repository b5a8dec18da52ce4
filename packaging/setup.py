#!/usr/bin/env python3
"""Sets Kotonia up in this checkout and starts it, or runs its tests: one command, nothing but a Python 3.11 needed.

    python3 packaging/setup.py run [-- arguments of kotonia]
    python3 packaging/setup.py test [-- arguments of pytest]

It installs the system packages that Qt and the compiler need (as root on Debian and its kin; elsewhere it names them),
makes `.venv`, installs the project into it, fetches the starter model, and hands over. A second run skips what is done.
Standard library only. The syntax stays readable for Python 3.8, so that an old Python gets a sentence and no traceback.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
MINIMUM = (3, 11)
HEARTBEAT_S = 15.0
"""Seconds between two progress lines where the output is no terminal."""
ROOM_MB = 2500
"""Disk space that a first set-up needs: 0.5 GB of environment, the compiler's files, pip's cache."""


class SetupFailed(Exception):
    """The set-up cannot go on; the text says why and what to do."""


# ---------------------------------------------------------------- what the system must have


class Need(NamedTuple):
    """A system package, under the names it has in different releases, and the library that shows that it is there."""

    packages: tuple[str, ...]
    library: str = ""
    """Name to load; empty: only dpkg can tell."""
    required: bool = True
    """Without it nothing of Qt can be imported; the others are needed for a window on X only."""


QT_NEEDS = (
    Need(("libgl1",), "libGL.so.1"),
    Need(("libegl1",), "libEGL.so.1"),
    Need(("libglib2.0-0t64", "libglib2.0-0"), "libglib-2.0.so.0"),
    Need(("libdbus-1-3",), "libdbus-1.so.3"),
    Need(("libfontconfig1",), "libfontconfig.so.1"),
    Need(("libxkbcommon0",), "libxkbcommon.so.0"),
    Need(("libxcb-cursor0",), "libxcb-cursor.so.0", required=False),
    Need(("libxcb-icccm4",), "libxcb-icccm.so.4", required=False),
    Need(("libxcb-keysyms1",), "libxcb-keysyms.so.1", required=False),
    Need(("libxcb-shape0",), "libxcb-shape.so.0", required=False),
    Need(("libxcb-xkb1",), "libxcb-xkb.so.1", required=False),
    Need(("libxkbcommon-x11-0",), "libxkbcommon-x11.so.0", required=False),
)

CJK_FONTS = ("fonts-wqy-microhei", "fonts-vlgothic")
"""The two smallest that cover Japanese and Chinese together (3.8 MB)."""
_CJK_FONT_NAMES = re.compile(
    r"^fonts-(noto-cjk|wqy-|vlgothic|ipa|takao|droid-fallback|arphic|motoya|mplus|sawarabi|unfonts|nanum|babelstone-han)"
)


def installed_packages() -> set[str]:
    """Names of the Debian packages that are installed; empty where there is no dpkg."""
    if not shutil.which("dpkg-query"):
        return set()
    listing = subprocess.run(
        ["dpkg-query", "--show", "--showformat", "${db:Status-Abbrev} ${Package}\n"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    ).stdout.decode("utf-8", "replace")
    return {line.split()[-1] for line in listing.splitlines() if line.startswith("ii")}


def library_loads(name: str) -> bool:
    """Whether the system's loader finds a shared library, wherever it came from."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def compiler_found() -> bool:
    """Whether there is a C++ compiler. On Windows cmake finds Visual Studio by itself, so the answer is yes."""
    if os.name == "nt":
        return True
    if sys.platform == "darwin":  # /usr/bin/c++ exists there even without the tools, and opens a dialog
        return (
            subprocess.run(
                ["xcode-select", "-p"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
            ).returncode
            == 0
        )
    return any(shutil.which(name) for name in (os.environ.get("CXX", ""), "c++", "g++", "clang++") if name)


def venv_possible() -> bool:
    """Whether this Python can make a virtual environment with pip in it (Debian packs ensurepip apart)."""
    return importlib.util.find_spec("ensurepip") is not None and importlib.util.find_spec("venv") is not None


def cjk_font_found(installed: set[str]) -> bool:
    """Whether a font for Japanese and Chinese is there: by package, else by what fontconfig lists."""
    if any(_CJK_FONT_NAMES.match(name) for name in installed):
        return True
    if not shutil.which("fc-list"):
        return False
    for language in ("ja", "zh-cn"):
        found = subprocess.run(
            ["fc-list", ":lang=" + language], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        )
        if not found.stdout.strip():
            return False
    return True


def missing_needs(installed: set[str]) -> list[Need]:
    """What is neither installed as a package nor loadable. Fonts and the compiler's tools are needs as well."""
    missing = []
    if not venv_possible():
        missing.append(Need((f"python{sys.version_info[0]}.{sys.version_info[1]}-venv", "python3-venv")))
    if not compiler_found():
        missing.append(Need(("build-essential",)))
    missing += [
        need for need in QT_NEEDS if not installed.intersection(need.packages) and not library_loads(need.library)
    ]
    if not cjk_font_found(installed):
        missing += [Need((font,), required=False) for font in CJK_FONTS]
    return missing


def package_known(name: str) -> bool:
    """Whether apt has something to install under this name."""
    policy = subprocess.run(
        ["apt-cache", "policy", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    candidate = re.search(rb"^  Candidate: (\S+)", policy.stdout, re.MULTILINE)
    return candidate is not None and candidate.group(1) != b"(none)"


def install_system_packages() -> None:
    """Installs what is missing where this may be done, else names the command. Stops only without a way to go on."""
    if sys.platform != "linux":
        if not compiler_found():
            raise SetupFailed("A C++ compiler is missing. Install it with: xcode-select --install")
        return
    missing = missing_needs(installed_packages())
    if not missing:
        return
    if not shutil.which("apt-get"):
        say("Kotonia needs packages that, on Debian, are called: " + " ".join(need.packages[-1] for need in missing))
        say("Please install their counterparts on this system.")
    elif os.geteuid() != 0:
        say("Kotonia needs system packages. Please run:")
        say("  sudo apt-get install " + " ".join(need.packages[-1] for need in missing))
    else:
        _apt_install(missing)
    left = [need for need in missing_needs(installed_packages()) if need.required]
    if not venv_possible():
        raise SetupFailed("This Python cannot make a virtual environment: install python3-venv, then run this again.")
    libraries = [need for need in left if need.library]
    if libraries:
        raise SetupFailed(
            "Qt cannot run without "
            + ", ".join(need.library for need in libraries)
            + ". Install it, then run this again."
        )


def _apt_install(missing: Sequence[Need]) -> None:
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    log = ROOT / "setup-apt.log"
    say("Installing system packages (apt) ...")
    with log.open("wb") as output:
        updated = subprocess.run(
            ["apt-get", "update"], env=environment, stdout=output, stderr=subprocess.STDOUT, check=False
        )
        if updated.returncode:
            say("  apt-get update failed; going on with the lists that are there.")
        names = []
        for need in missing:
            known = next((name for name in need.packages if package_known(name)), None)
            if known:
                names.append(known)
            else:
                say("  apt does not know " + " or ".join(need.packages) + ".")
        command = ["apt-get", "install", "--yes", "--no-install-recommends", *names]
        say("  " + " ".join(names))
        output.flush()
        failed = (
            bool(names)
            and subprocess.run(
                command, env=environment, stdout=output, stderr=subprocess.STDOUT, check=False
            ).returncode
        )
    if failed:
        say(_tail(log))
        say("apt-get could not install them; the whole output is in " + str(log))
    else:
        log.unlink()


# ---------------------------------------------------------------- progress


def say(text: str) -> None:
    """One line for the reader, at once."""
    print(text, flush=True)


def _tail(path: Path, lines: int = 30) -> str:
    return "\n".join(path.read_text("utf-8", "replace").splitlines()[-lines:])


def clock(seconds: float) -> str:
    """Minutes and seconds, as `4:07`."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class InstallProgress:
    """What pip is doing, read from its verbose output line by line. It only listens; it never fails."""

    _NINJA = re.compile(r"^\s*\[\s*(\d+)/(\d+)\]")
    _MAKE = re.compile(r"^\s*\[\s*(\d+)%\]")
    _COLLECTING = re.compile(r"^\s*Collecting ([A-Za-z0-9_.\-]+)")
    _DOWNLOADING = re.compile(
        r"^\s*Downloading (?:\S*/)?([^/\s]+?)(?:\.tar\.gz|\.whl)?(?:\.metadata)? \(([^)]*[MG]B)\)"
    )
    _BUILDING = re.compile(r"^\s*Building (?:wheel|editable) for ([A-Za-z0-9_.\-]+)")

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


def run_with_progress(command: Sequence[str], log: Path, environment: dict[str, str] | None = None) -> int:
    """Runs pip, keeps all it says in `log`, shows what it does. Returns its exit status."""
    progress = InstallProgress()
    ticker = Ticker(sys.stdout)
    log.parent.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        list(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, cwd=str(ROOT)
    )
    assert process.stdout is not None
    source = process.stdout

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
            process.wait()
        ticker.close()


# ---------------------------------------------------------------- the environment


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
        """What an installation depends on: the project file, this script, where the checkout lies, the Python."""
        digest = hashlib.sha256()
        for part in (self.root / "pyproject.toml", Path(__file__)):
            digest.update(part.read_bytes())
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
        say("The first time, llama.cpp (the part that runs models) is compiled for this machine:")
        say("5 to 10 minutes on 2 cores, less on more. Everything is kept for the next time.")
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
        if run_with_progress(command, self.log):
            say(_tail(self.log))
            reason = f"The installation failed; the lines above are the end of {self.log}."
            if not compiler_found():
                reason += " There is no C++ compiler: install build-essential or its counterpart, then run this again."
            raise SetupFailed(reason)
        say(f"Installed in {clock(time.monotonic() - began)}.")


# ---------------------------------------------------------------- the two commands


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


def main(argv: Sequence[str]) -> int:
    """Runs one of the two commands; returns the exit status."""
    cut = list(argv).index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser(
        prog="packaging/setup.py", description="Sets Kotonia up and starts it, or runs its tests."
    )
    parser.add_argument("command", choices=["run", "test"], help="run: start the app; test: run the tests")
    parser.epilog = "What follows a -- is passed on to kotonia or to pytest."
    chosen = parser.parse_args(argv[:cut])
    arguments = argv[cut + 1 :]
    try:
        check_python()
        install_system_packages()
        return run(arguments) if chosen.command == "run" else test(arguments)
    except SetupFailed as failure:
        say(str(failure))
        return 1
    except KeyboardInterrupt:
        say("Stopped. Run the same command again to go on.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
