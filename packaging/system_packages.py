"""The system packages that Kotonia needs: which are missing, and installing them where that may be done.

As root on Debian and its kin apt installs them; elsewhere they are named. Whether something is missing is decided by
trying it, so that a library or a compiler from another source counts. Standard library only.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from install_progress import run_with_progress, say, tail

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class SetupFailed(Exception):
    """The set-up cannot go on; the text says why and what to do."""


class Need(NamedTuple):
    """A system package, under the names it has in different releases, and the library that shows that it is there."""

    packages: tuple[str, ...]
    library: str = ""
    """What to load to see that it is there, whoever brought it."""
    required: bool = True
    """Nothing works without it; the others are for a window on X, and for its text."""
    program: str = ""
    """What to look for on the PATH to see that it is there."""

    def met(self, installed: set[str]) -> bool:
        """Whether it is installed as a package, or there in another way."""
        if installed.intersection(self.packages):
            return True
        return bool(self.library and library_loads(self.library)) or bool(self.program and shutil.which(self.program))


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

_LIBPYTHON = f"libpython{sys.version_info[0]}.{sys.version_info[1]}"
FREEZE_NEEDS = (
    Need((_LIBPYTHON,), _LIBPYTHON + ".so.1.0"),  # Debian's own python has it built in; a frozen app needs it as a file
    Need(("binutils",), program="objdump"),
)

FONTS = ("fonts-wqy-microhei", "fonts-vlgothic", "fonts-open-sans")
"""For a system without Japanese and Chinese: the two smallest fonts that cover both together, and one for Latin beside
them, whose own Latin letters are all of one width (4.4 MB in all)."""
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


def missing_needs(installed: set[str], freeze: bool) -> list[Need]:
    """What is not there, compiler and fonts included; with `freeze` also what freezing the app takes."""
    missing = []
    if not venv_possible():
        missing.append(Need((f"python{sys.version_info[0]}.{sys.version_info[1]}-venv", "python3-venv")))
    if not compiler_found():
        missing.append(Need(("build-essential",)))
    missing += [need for need in (*QT_NEEDS, *(FREEZE_NEEDS if freeze else ())) if not need.met(installed)]
    if not cjk_font_found(installed):
        missing += [Need((font,), required=False) for font in FONTS]
    return missing


def package_known(name: str) -> bool:
    """Whether apt has something to install under this name."""
    policy = subprocess.run(
        ["apt-cache", "policy", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    candidate = re.search(rb"^  Candidate: (\S+)", policy.stdout, re.MULTILINE)
    return candidate is not None and candidate.group(1) != b"(none)"


def install_system_packages(freeze: bool, log: Path) -> None:
    """Installs what is missing where this may be done, else names the command. Stops only without a way to go on.

    `freeze`: for `package`. `log` takes apt's output. Raises `SetupFailed` for what Kotonia cannot do without.
    """
    if sys.platform != "linux":
        if not compiler_found():
            raise SetupFailed("A C++ compiler is missing. Install it with: xcode-select --install")
        return
    missing = missing_needs(installed_packages(), freeze)
    if not missing:
        return
    if not shutil.which("apt-get"):
        say("Kotonia needs packages that, on Debian, are called: " + " ".join(need.packages[-1] for need in missing))
        say("Please install their counterparts on this system.")
    elif os.geteuid() != 0:
        say("Kotonia needs system packages. Please run:")
        say("  sudo apt-get install " + " ".join(need.packages[-1] for need in missing))
    else:
        _apt_install(missing, log)
    left = [need for need in missing_needs(installed_packages(), freeze) if need.required]
    if not venv_possible():
        raise SetupFailed("This Python cannot make a virtual environment: install python3-venv, then run this again.")
    lacking = [need.library or need.program for need in left if need.library or need.program]
    if lacking:
        raise SetupFailed(f"Kotonia cannot do without {', '.join(lacking)}. Install it, then run this again.")


def _apt_install(missing: Sequence[Need], log: Path) -> None:
    """Lets apt install them. What it cannot install is said; whether that matters is for the caller to find out."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    say("Installing system packages (apt) ...")
    if run_with_progress(["apt-get", "update"], log, environment=environment):
        say("  apt-get update failed; going on with the lists that are there.")
    names = []
    for need in missing:
        known = next((name for name in need.packages if package_known(name)), None)
        if known:
            names.append(known)
        else:
            say(f"  apt does not know {' or '.join(need.packages)}.")
    say(f"  {' '.join(names)}")
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *names]
    if names and run_with_progress(command, log, environment=environment):
        say(tail(log))
        say(f"apt-get could not install them; its whole output is in {log}")
