"""The import's own process: real files through a real child, and children that hang, crash or lie."""

import json
import os
import subprocess
import sys

import psutil
import pytest

from kotonia_desktop.domain.errors import ImportFailed, ImportTimedOut, ImportTooLarge
from kotonia_desktop.domain.messages import Role, SegmentKind
from kotonia_desktop.interop import limits, worker
from kotonia_desktop.interop.cards import read_card
from kotonia_desktop.interop.chats import read_chat
from kotonia_desktop.interop.dialogues import read_dialogue
from kotonia_desktop.interop.imported import CardImport, ChatImport
from kotonia_desktop.interop.worker import import_file


@pytest.fixture(autouse=True)
def _no_child_is_left_behind():
    before = set(psutil.Process().children())
    yield
    assert set(psutil.Process().children()) <= before


def chat_bytes(count):
    lines = [{"user_name": "Ren", "character_name": "Mirelle"}]
    for i in range(count):
        text, user = f"line {i} 灯", bool(i % 2)
        name = "Ren" if user else "Mirelle"
        lines.append({"name": name, "is_user": user, "mes": text, "swipes": ["a", text], "swipe_id": 1})
    return "\n".join(json.dumps(line) for line in lines).encode()


def test_a_card_comes_back_as_it_would_be_read_here(files, tmp_path):
    book = {"entries": [{"keys": ["lamp"], "content": "Oil.", "constant": True}]}
    data = files.card_png(character_book=book, tags=["sea"], alternate_greetings=["x"])
    (tmp_path / "card.png").write_bytes(data)
    found = import_file(tmp_path / "card.png")
    assert isinstance(found, CardImport)
    assert found == read_card(data, "card.png")


def test_a_chat_of_many_batches_comes_back_whole_and_in_order(tmp_path):
    data = chat_bytes(2 * limits.WORKER_BATCH + 1)
    (tmp_path / "chat.jsonl").write_bytes(data)
    found = import_file(tmp_path / "chat.jsonl")
    assert isinstance(found, ChatImport)
    assert found == read_chat(data, "chat.jsonl")
    assert found.messages[1].role is Role.USER


def test_a_dialogue_comes_back_with_what_its_lines_are(tmp_path):
    data = json.dumps({"id": "d", "user": None, "turns": [{"spk": "x", "kind": "say", "text": "Hello."}]}).encode()
    (tmp_path / "d.json").write_bytes(data)
    found = import_file(tmp_path / "d.json")
    assert found == read_dialogue(data, "d.json")
    assert found.messages[0].kind is SegmentKind.SPEECH


def test_the_workers_refusal_is_raised_here(tmp_path):
    (tmp_path / "page.png").write_bytes(b"<html>")
    with pytest.raises(ImportFailed, match=r"page\.png could not be imported: it is a web page"):
        import_file(tmp_path / "page.png")


def test_a_bomb_is_refused_by_the_worker(files, tmp_path):
    (tmp_path / "bomb.png").write_bytes(files.png(files.ztxt(b"A" * 40_000_000)))
    with pytest.raises(ImportTooLarge):
        import_file(tmp_path / "bomb.png")


@pytest.mark.parametrize("name", ["missing.png", "."])
def test_what_cannot_be_opened_is_refused(tmp_path, name):
    with pytest.raises(ImportFailed, match="cannot be read"):
        import_file(tmp_path / name)


def test_a_file_over_the_limit_is_not_read(tmp_path):
    with (tmp_path / "big.png").open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.truncate(limits.CARD_FILE + 1)
    with pytest.raises(ImportTooLarge, match="32 MB"):
        import_file(tmp_path / "big.png")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a file that never answers, a named pipe")
def test_a_file_that_never_answers_is_given_up(tmp_path):
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(ImportTimedOut):
        import_file(tmp_path / "pipe.png", silence=0.3)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import os; os.abort()", "ended early"),
        ("import sys; sys.exit(3)", r"ended early \(code 3\)"),
        ("print('no json')", "makes no sense"),
        ("print('[1]')", "makes no sense"),
        ('print(\'{"card": {"name": 5}}\')', "makes no sense"),
        ("print('{\"messages\": [[1]]}')", "makes no sense"),
        ('print(\'{"error": "no_model", "values": {}}\')', "makes no sense"),
        ('print(\'{"chat": {"title": 1}, "notes": []}\')', "makes no sense"),
    ],
)
def test_a_child_that_crashes_or_lies_is_an_error_and_no_more(monkeypatch, tmp_path, program, said):
    monkeypatch.setattr(worker, "_command", lambda: [sys.executable, "-c", program])
    with pytest.raises(ImportFailed, match=said):
        import_file(tmp_path / "card.png")


def test_a_child_that_floods_its_answer_is_ended(monkeypatch, tmp_path):
    flood = "import sys\nwhile True: sys.stdout.write('{\"messages\": []}\\n' * 1000)\n"
    lie = "print('nonsense')\n"
    monkeypatch.setattr(worker, "_command", lambda: [sys.executable, "-c", lie + flood])
    with pytest.raises(ImportFailed, match="makes no sense"):
        import_file(tmp_path / "card.png")


def test_a_program_beside_the_file_is_not_run(files, tmp_path, monkeypatch):
    (tmp_path / "card.png").write_bytes(files.card_png())
    for name in ("json", "kotonia_desktop", "struct"):
        (tmp_path / f"{name}.py").write_text("open('KOTONIA_PWNED', 'w')")
    monkeypatch.chdir(tmp_path)
    assert import_file(tmp_path / "card.png").card.name == "Mirelle"
    assert not (tmp_path / "KOTONIA_PWNED").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the memory limit is Linux's")
@pytest.mark.parametrize(("megabytes", "fits"), [(100, True), (600, False)])
def test_the_workers_memory_is_limited(megabytes, fits):
    program = f"from kotonia_desktop.interop import worker; worker._limit_memory(); bytearray({megabytes} << 20)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ended.returncode == 0) is fits
    assert fits or b"MemoryError" in ended.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the memory limit is Linux's")
def test_a_file_that_needs_too_much_memory_is_refused(monkeypatch, tmp_path):
    program = (
        "from pathlib import Path; from kotonia_desktop.interop import limits, worker;"
        "pages = int(Path('/proc/self/statm').read_text().split()[0]);"
        "limits.WORKER_MEMORY = pages * 4096 + (60 << 20); worker.child_main()"
    )
    monkeypatch.setattr(worker, "_command", lambda: [sys.executable, "-c", program])
    (tmp_path / "card.json").write_text('{"name": "x", "a": [' + "[]," * 1_700_000 + "[]]}")
    with pytest.raises(ImportTooLarge, match="memory"):
        import_file(tmp_path / "card.json")


def test_the_worker_loads_neither_the_window_nor_the_engine_nor_the_database():
    program = (
        "import sys, kotonia_desktop.__main__, kotonia_desktop.interop.worker;"
        "print([m for m in ('PySide6', 'llama_cpp', 'sqlmodel', 'sqlcipher3', 'numpy') if m in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert ended.stdout.strip() == "[]"
