"""Freezes the app into `packaging/dist/kotonia` with PyInstaller and looks the result over.

    .venv/bin/python packaging/build.py

Needs the `build` extra. The llama.cpp that is frozen is the one installed: a wheel compiled with its default settings
runs only on processors like the one it was compiled on, so a copy for others needs a portable one (see README.md).
"""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIST = HERE / "dist"
WORK = HERE / "build"
APP = DIST / "kotonia"


class BuildFailed(Exception):
    """The frozen app is not fit for use; the text says what is wrong with it."""


def freeze() -> None:
    """Runs PyInstaller with our spec; its whole output is in `packaging/build/pyinstaller.log`."""
    WORK.mkdir(exist_ok=True)
    log = WORK / "pyinstaller.log"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(DIST), "--workpath", str(WORK), str(HERE / "kotonia.spec")]
    with log.open("wb") as output:
        ended = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, cwd=HERE.parent, check=False)
    text = log.read_text("utf-8", "replace")
    if ended.returncode:
        raise BuildFailed(text[-4000:] + f"\nPyInstaller failed; its output is in {log}")
    for line in text.splitlines():
        # Not worth a word: libraries of Windows, and those of the GTK theme, which the spec leaves out.
        if "WARNING" in line and "required via ctypes" not in line and "libqgtk3" not in line:
            print(line.partition("WARNING: ")[2])


def check_libraries(app: Path) -> list[str]:
    """Libraries of llama.cpp that would not find each other on another machine: their RUNPATH must be $ORIGIN alone."""
    folder = app / "_internal" / "llama_cpp" / "lib"
    if sys.platform != "linux" or shutil.which("readelf") is None:
        return []
    names = {library.name for library in folder.iterdir()}
    wrong = []
    for name in sorted(names):
        dynamic = subprocess.run(
            ["readelf", "-d", str(folder / name)], capture_output=True, text=True, check=True
        ).stdout
        needed = set(re.findall(r"\(NEEDED\)[^\[]*\[([^\]]*)\]", dynamic))
        searched = ":".join(re.findall(r"\((?:RUNPATH|RPATH)\)[^\[]*\[([^\]]*)\]", dynamic))
        if needed & names and searched.rstrip("/.") != "$ORIGIN":
            wrong.append(f"{name} looks for its neighbours in '{searched}' instead of $ORIGIN")
    return wrong


def size_mb(folder: Path) -> float:
    """Megabytes of the files below a folder, symlinks counted as nothing."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def main() -> int:
    """Freezes and checks; returns the exit status."""
    began = time.monotonic()
    try:
        freeze()
        if wrong := check_libraries(APP):
            raise BuildFailed("\n".join(wrong))
    except BuildFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    print(f"{APP}: {size_mb(APP):.0f} MB, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
