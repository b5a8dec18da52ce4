"""Runs the frozen app as a stranger's machine would: without this checkout, a Python, or an environment to lean on.

    .venv/bin/python packaging/smoke.py [--app packaging/dist/kotonia] [--model FILE.gguf] [--keep]

The app is copied to a folder that cannot be written, with Japanese and a space in its name; so are the home folder and
the model named. Each command runs with an empty environment from the root folder and, where root may, as user nobody.
Without `--model` the starter model is fetched. Any failed check ends with status 1.
"""

import argparse
import base64
import json
import os
import re
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
NOBODY = 65534
LIMIT_S = 600
"""A command that takes longer hangs, even on a machine that is busy with other work."""
QUESTION = "Good evening. Is anyone here?"


class SmokeFailed(Exception):
    """A check of the frozen app failed; the text says which and what it printed."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The folders the frozen app runs in, and as whom."""

    executable: Path
    home: Path
    data: Path
    model: Path
    user: int | None

    def run(self, label: str, *arguments: str, status: int = 0, gui: bool = False) -> subprocess.CompletedProcess[str]:
        """Runs the app and insists on its exit status. Raises `SmokeFailed` with all it printed."""
        variables = {"HOME": str(self.home)}
        if gui:
            variables["QT_QPA_PLATFORM"] = "offscreen"
        if sys.platform == "win32":
            variables |= {
                name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "LOCALAPPDATA") if name in os.environ
            }
        began = time.monotonic()
        try:
            done = subprocess.run(
                [str(self.executable), *arguments],
                env=variables,
                cwd=self.executable.anchor,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=LIMIT_S,
                check=False,
                user=self.user,
                group=self.user,
                extra_groups=None if self.user is None else [],
            )
        except subprocess.TimeoutExpired as late:
            raise SmokeFailed(f"{label}: no end after {LIMIT_S} s\n{late.stdout!r}\n{late.stderr!r}") from late
        if done.returncode != status:
            printed = f"--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}"
            raise SmokeFailed(f"{label}: status {done.returncode} instead of {status}\n{printed}")
        print(f"ok  {label}: {time.monotonic() - began:.1f} s", flush=True)
        return done


def prepare(app: Path, model: Path, room: Path) -> Stage:
    """Copies the app and the model below `room` and takes the write bits of the app away."""
    home = room / "ホーム フォルダ"
    installed = room / "インストール 先" / "kotonia"
    home.mkdir(parents=True)
    shutil.copytree(app, installed, symlinks=True)
    named = home / "モデル 135m.gguf"
    shutil.copyfile(model, named)
    for path in [installed, *installed.rglob("*")]:
        if not path.is_symlink():
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)
    user = NOBODY if sys.platform != "win32" and os.geteuid() == 0 else None
    if user is not None:
        room.chmod(0o755)
        for path in [home, named]:
            os.chown(path, user, user)
    return Stage(
        installed / ("kotonia.exe" if sys.platform == "win32" else "kotonia"), home, home / "データ", named, user
    )


def card_png(name: str, greeting: str) -> bytes:
    """A character card (V2) in the smallest PNG: two by two pixels, the card in a `chara` text chunk."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    fields = {
        "name": name,
        "description": f"{name} keeps the lamp.",
        "personality": "",
        "scenario": "",
        "mes_example": "",
    }
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**fields, "first_mes": greeting}}
    text = base64.b64encode(json.dumps(card).encode())
    pixels = zlib.compress(b"\0" + b"\x80\x60\x40" * 2 + b"\0" + b"\x40\x60\x80" * 2)
    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    parts = [chunk(b"IHDR", header), chunk(b"tEXt", b"chara\0" + text), chunk(b"IDAT", pixels), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def processes_below(folder: Path) -> list[str]:
    """Command lines of running processes whose program lies in a folder; known on Linux only."""
    found = []
    for entry in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
        try:
            program = os.readlink(entry / "exe")
            words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if program.startswith(str(folder)):
            found.append(words)
    return found


def check_chat(stage: Stage) -> None:
    """A message gets a reply, which is stored and stands in the next prompt."""
    where = ("--data-dir", str(stage.data))
    said = stage.run(
        "chat",
        *where,
        "chat",
        "--model",
        str(stage.model),
        "--character",
        "en",
        "--max-tokens",
        "24",
        "--say",
        QUESTION,
    )
    counted = re.search(r"(\d+) tokens", said.stderr.rpartition("[")[2])
    if counted is None or int(counted.group(1)) < 1:
        raise SmokeFailed(f"chat: no reply\n--- stdout\n{said.stdout}\n--- stderr\n{said.stderr}")
    print(f"    {said.stdout.strip().splitlines()[-1]}")
    shown = stage.run("prompt", *where, "prompt", "1", "--json").stdout
    texts = "\n".join(section["text"] for section in json.loads(shown)["sections"])
    if QUESTION not in texts:
        raise SmokeFailed(f"prompt: the message is not in it\n{texts}")


def check_template(stage: Stage) -> None:
    """The model's own chat template is in use: it was rendered in a child of the engine, frozen as well."""
    said = stage.run("doctor, with the model", "--data-dir", str(stage.data), "doctor").stdout
    if "turns: file" not in said:
        raise SmokeFailed(f"doctor: the model's chat template is not in use\n{said}")


def check_import(stage: Stage) -> None:
    """A card from a PNG goes through the import's own process."""
    card = stage.home / "カード.png"
    card.write_bytes(card_png("Wick", "The lamp is lit."))
    card.chmod(0o644)
    said = stage.run("import", "--data-dir", str(stage.data), "import", str(card))
    if "Wick" not in said.stdout:
        raise SmokeFailed(f"import: it does not name the card\n{said.stdout}\n{said.stderr}")


def check_refusal(stage: Stage) -> None:
    """The control: a file that is no model must fail, or the checks above prove nothing."""
    lie = stage.home / "嘘 model.gguf"
    lie.write_text("This is no model.\n", "utf-8")
    lie.chmod(0o644)
    said = stage.run(
        "not a model", "--data-dir", str(stage.data), "chat", "--model", str(lie), "--say", QUESTION, status=2
    )
    if "GGUF" not in said.stderr:
        raise SmokeFailed(f"not a model: another error than expected\n{said.stderr}")


def check_all(stage: Stage) -> None:
    """Every check, in the order in which a new user would meet them."""
    version = stage.run("version", "--version").stdout.strip()
    print(f"    {version}")
    stage.run("doctor", "--data-dir", str(stage.data), "doctor")
    stage.run("window", "--data-dir", str(stage.data), "--smoke", gui=True)
    check_chat(stage)
    check_template(stage)
    check_import(stage)
    check_refusal(stage)
    install = stage.executable.parent
    deadline = time.monotonic() + 10
    while left := processes_below(install):
        if time.monotonic() > deadline:
            raise SmokeFailed("processes are left behind:\n" + "\n".join(left))
        time.sleep(0.1)
    print("ok  no process left behind")


def find_model(given: Path | None) -> Path:
    """The model to chat with: the one named, else the starter model, fetched once beside the build."""
    if given is not None:
        return given
    from kotonia_desktop.services.starter import fetch_starter

    return fetch_starter(HERE / "build" / "starter", lambda line: print(line, flush=True))


def main(arguments: Sequence[str] | None = None) -> int:
    """Stages the frozen app and runs every check; returns the exit status."""
    parser = argparse.ArgumentParser(description="Check the frozen app in a clean environment.")
    parser.add_argument("--app", type=Path, default=HERE / "dist" / "kotonia", help="folder that PyInstaller made")
    parser.add_argument(
        "--model", type=Path, help="GGUF file to chat with, with a template in it; default: the starter"
    )
    parser.add_argument("--keep", action="store_true", help="leave the folders for a look")
    options = parser.parse_args(arguments)
    room = Path(tempfile.mkdtemp(prefix="kotonia smoke "))
    try:
        stage = prepare(options.app, find_model(options.model), room)
        check_all(stage)
    except SmokeFailed as failure:
        print(f"FAILED  {failure}", file=sys.stderr)
        return 1
    finally:
        if options.keep:
            print(f"kept: {room}")
        else:
            _remove(room)
    print("The frozen app works.")
    return 0


def _remove(room: Path) -> None:
    for folder, names, _ in os.walk(room):
        for name in [folder, *(os.path.join(folder, below) for below in names)]:
            if not os.path.islink(name):
                os.chmod(name, 0o700)
    shutil.rmtree(room)


if __name__ == "__main__":
    sys.exit(main())
