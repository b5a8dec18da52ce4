"""The command line as a user meets it: real processes, a tiny model, a data folder of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kotonia_desktop.services.kotonia import Kotonia


def kotonia(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kotonia_desktop", "--data-dir", str(folder), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONUTF8": "1", **env},
        check=False,
    )


@pytest.fixture
def dialogue(tmp_path: Path) -> Path:
    file = tmp_path / "talk.json"
    turns = [
        {"i": 0, "sess": 1, "spk": "Ann", "role": "user", "kind": "say", "text": "Is the train late?"},
        {"i": 1, "sess": 1, "spk": "Bo", "role": "char", "kind": "say", "text": "It is always late."},
        {"i": 2, "sess": 1, "spk": "Bo", "role": "char", "kind": "narr", "text": "The clock strikes nine."},
    ]
    file.write_text(
        json.dumps({"id": "talk", "set": "ours", "lang": "en", "cast": ["Ann", "Bo"], "user": "Ann", "turns": turns})
    )
    return file


def test_chat_says_each_line_and_prints_the_replies(tmp_path: Path, tiny_model: Path) -> None:
    done = kotonia(
        tmp_path / "data", "chat", "--model", str(tiny_model), "--max-tokens", "16", "--say", "Hello.", "--say", "And?"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Nell Prothero:") == 3  # the greeting and two replies
    assert "tokens" in done.stderr
    with Kotonia(tmp_path / "data") as opened:
        conversation = opened.library.conversations()[0]
        assert [m.text for m in opened.chat.page(conversation.id).messages][1::2] == ["Hello.", "And?"]


def test_the_terminal_takes_over_where_there_is_no_display(tmp_path: Path, tiny_model: Path) -> None:
    with Kotonia(tmp_path) as opened:
        opened.settings.set("model.path", str(tiny_model))
    bare = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    done = kotonia(tmp_path, **bare)
    assert done.returncode == 0, done.stderr
    assert "no display" in done.stderr
    assert "Nell Prothero:" in done.stdout


def test_import_and_prompt_show_what_the_model_would_see(tmp_path: Path, tiny_model: Path, dialogue: Path) -> None:
    data = tmp_path / "data"
    done = kotonia(data, "import", str(dialogue))
    assert done.returncode == 0, done.stderr
    assert "3 messages" in done.stdout
    shown = kotonia(data, "prompt", "1", "--json", "--model", str(tiny_model))
    view = json.loads(shown.stdout)
    assert view["counted"] is True
    assert sum(section["tokens"] for section in view["sections"]) <= view["total"] <= view["window"]
    assert "Is the train late?" in view["sections"][-1]["text"]
    plain = kotonia(data, "prompt", "1", "--model", str(tiny_model))
    assert "It is always late." in plain.stdout


def test_doctor_finds_a_sound_installation(tmp_path: Path) -> None:
    done = kotonia(tmp_path, "doctor")
    assert done.returncode == 0, done.stdout
    assert "BAD" not in done.stdout


def test_doctor_says_how_a_model_runs_and_why_its_window_is_no_larger(tmp_path: Path, tiny_model: Path) -> None:
    said = kotonia(tmp_path, "chat", "--model", str(tiny_model), "--say", "Hello.", "--max-tokens", "16")
    assert said.returncode == 0, said.stderr
    done = kotonia(tmp_path, "doctor")
    assert done.returncode == 0, done.stdout
    assert "40,960 tokens for the story, 24,576 for memory work (most)" in done.stdout
    assert "measured here" in done.stdout


def test_each_broken_model_file_has_its_own_sentence_and_exit_code(tmp_path: Path, tiny_model: Path) -> None:
    half = tmp_path / "half.gguf"
    half.write_bytes(tiny_model.read_bytes()[: tiny_model.stat().st_size // 2])
    text = tmp_path / "text.gguf"
    text.write_text("This is no model at all, only a text that was given the wrong name.\n")
    answers = {}
    for name, file in (("half", half), ("text", text), ("missing", tmp_path / "none.gguf")):
        done = kotonia(tmp_path / "data", "chat", "--model", str(file), "--say", "Hello.")
        assert done.returncode == 2, (name, done.stderr)
        answers[name] = done.stderr.strip().splitlines()[-1]
    assert "cut off" in answers["half"]
    assert "is not a GGUF model" in answers["text"]
    assert "does not exist" in answers["missing"]
    assert len(set(answers.values())) == 3


def test_a_folder_in_use_is_named_and_left_alone(tmp_path: Path) -> None:
    with Kotonia(tmp_path):
        done = kotonia(tmp_path, "import", str(tmp_path / "x.json"))
    assert done.returncode == 1
    assert "--data-dir" in done.stderr
    assert str(tmp_path) in done.stderr


def test_an_unknown_conversation_is_bad_input(tmp_path: Path) -> None:
    done = kotonia(tmp_path, "prompt", "99")
    assert done.returncode == 2
    assert "99" in done.stderr


def test_an_option_of_one_chat_is_not_kept(tmp_path: Path, tiny_model: Path) -> None:
    kotonia(tmp_path, "chat", "--model", str(tiny_model), "--max-tokens", "16", "--say", "Hello.")
    with Kotonia(tmp_path) as opened:
        assert opened.settings.get("reply.max_tokens") == 400


@pytest.mark.parametrize(
    "arguments",
    [
        ("chat", "--max-tokens", "0", "--say", "Hello."),
        ("chat", "--window", "10", "--say", "Hello."),
        ("chat", "--window", "-5", "--say", "Hello."),
        ("chat", "--character", "nobody", "--say", "Hello."),
        ("chat", "--conversation", "99999999999999999999999", "--say", "Hello."),
        ("chat", "--say", "   "),
        ("import", "."),
        ("prompt", "999999999999999999999"),
    ],
)
def test_bad_input_is_said_in_a_sentence_and_ends_with_2(
    tmp_path: Path, tiny_model: Path, arguments: tuple[str, ...]
) -> None:
    extra = ("--model", str(tiny_model)) if arguments[0] == "chat" else ()
    done = kotonia(tmp_path, arguments[0], *extra, *arguments[1:])
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr


def test_undoing_a_new_version_shows_the_first_again(tmp_path: Path, tiny_model: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kotonia_desktop", "--data-dir", str(tmp_path), "chat", "--model", str(tiny_model)],
        input="Hello.\n/again\n/undo\n/nonsense\n/quit\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "The other version is shown again." in done.stderr
    with Kotonia(tmp_path) as opened:
        messages = opened.chat.page(opened.library.conversations()[0].id).messages
        assert len(messages) == 3
        assert (messages[-1].alternate_index, messages[-1].alternate_count) == (0, 2)
