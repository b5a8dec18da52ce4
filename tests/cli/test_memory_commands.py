"""`kotonia replay`, `memory` and `fold` as real processes on a tiny model."""

import json
from pathlib import Path

import pytest
from test_commands import kotonia

from kotonia_desktop.cli.commands import parser

WORDS = ("anvil", "lantern", "harbour", "ledger", "wire", "orchard", "ferry", "bellows")


@pytest.fixture
def story(tmp_path: Path) -> Path:
    """A dialogue that outgrows a small window; a run of two lines of the user's stands in it."""
    turns = []
    for number in range(90):
        speaker, role = ("Ann", "user") if number % 2 == 0 else ("Bo", "char")
        text = f"I put the {WORDS[number % 8]} number {number} where we agreed, and I promise to look after it."
        turns.append({"spk": speaker, "role": role, "kind": "say", "text": text})
    turns.insert(1, {"spk": "Ann", "role": "user", "kind": "say", "text": "And one more thing."})
    file = tmp_path / "story.json"
    file.write_text(json.dumps({"id": "story", "lang": "en", "user": "Ann", "turns": turns}))
    return file


def rows_of(text: str) -> tuple[list[dict[str, object]], dict[str, float]]:
    parsed = [json.loads(line) for line in text.splitlines()]
    return parsed[:-1], parsed[-1]["summary"]


def replay(tmp_path: Path, model: Path, story: Path, *more: str) -> tuple[list[dict[str, object]], dict[str, float]]:
    done = kotonia(tmp_path / "data", "replay", str(story), "--model", str(model), "--window", "4096", "--json", *more)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Conversation ")
    return rows_of(done.stdout)


def test_a_replay_folds_and_reads_nothing_twice(tmp_path: Path, tiny_model: Path, story: Path) -> None:
    rows, summary = replay(tmp_path, tiny_model, story, "--writer", "extract")
    assert len(rows) == summary["turns"] == 91
    assert summary["folds"] >= 3
    assert summary["forced_cuts"] == summary["queued_after"] == 0
    assert summary["reuse_min"] == 1.0
    assert all(row["reread"] == 0 for row in rows[1:] if not row["swap"])
    assert any(row["folded"] for row in rows)
    assert all(row["prompt"] < 4096 for row in rows)
    shown = kotonia(tmp_path / "data", "memory", "1")
    assert "Chapter 1 · " in shown.stdout
    assert "quoted, not yet retold" in shown.stdout
    assert "In view, word for word: #" in shown.stdout
    view = json.loads(kotonia(tmp_path / "data", "memory", "1", "--json").stdout)
    chapters = [text["chapter"] for text in (*view["story"], *view["merged"]) if text["chapter"]["level"] == 0]
    assert len(chapters) == summary["folds"]
    assert all(item["ordinals"] for chapter in chapters for item in chapter["items"])
    assert len(view["log"]["folds"]) == summary["folds"] + summary["merges"]


def test_counting_alone_folds_at_the_same_places(tmp_path: Path, tiny_model: Path, story: Path) -> None:
    real, _ = replay(tmp_path / "a", tiny_model, story, "--writer", "first-sentence")
    counted, summary = replay(tmp_path / "b", tiny_model, story, "--writer", "first-sentence", "--account")
    assert [(r["prompt"], r["folded"]) for r in counted] == [(r["prompt"], r["folded"]) for r in real]
    assert summary["reuse_min"] == 1.0
    assert summary["by_first_sentence"] >= 3


def test_without_background_what_leaves_is_shown_and_folded_afterwards(
    tmp_path: Path, tiny_model: Path, story: Path
) -> None:
    rows, summary = replay(tmp_path, tiny_model, story, "--writer", "extract", "--idle", "none", "--turns", "80")
    assert len(rows) == 80
    assert summary["forced_cuts"] >= 1
    assert rows[-1]["queued"] == summary["queued_at_end"] > 0
    assert summary["queued_after"] == 0
    assert summary["folds"] >= 1
    shown = kotonia(tmp_path / "data", "memory", "1").stdout
    assert "left without a chapter" in shown
    assert "Out of sight" not in shown


def test_fold_writes_now_what_the_trigger_did_not_ask_for(tmp_path: Path, tiny_model: Path, story: Path) -> None:
    data = tmp_path / "data"
    replay(tmp_path, tiny_model, story, "--writer", "extract", "--turns", "30", "--account")
    assert "Nothing has been forgotten" in kotonia(data, "memory", "1").stdout
    done = kotonia(data, "fold", "1", "--model", str(tiny_model), "--window", "4096")
    assert done.returncode == 0, done.stderr
    assert "Writing chapter 1 of #1-#" in done.stdout
    assert "Chapter 1 · " in kotonia(data, "memory", "1").stdout


@pytest.mark.parametrize("idle", ["-1", "soon"])
def test_a_time_that_is_none_is_refused(tmp_path: Path, tiny_model: Path, story: Path, idle: str) -> None:
    done = kotonia(tmp_path / "data", "replay", str(story), "--model", str(tiny_model), "--idle", idle)
    assert done.returncode == 2


def test_a_card_cannot_be_told_again(tmp_path: Path, tiny_model: Path) -> None:
    card = tmp_path / "card.json"
    card.write_text(json.dumps({"spec": "chara_card_v2", "data": {"name": "Mira", "description": "A smith."}}))
    done = kotonia(tmp_path / "data", "replay", str(card), "--model", str(tiny_model))
    assert done.returncode == 2
    assert "card" in done.stderr
    assert kotonia(tmp_path / "data", "memory", "7").returncode != 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay", "x.json", "--idle", "nan"],
        ["replay", "x.json", "--idle", "inf"],
        ["replay", "x.json", "--idle", "-1"],
        ["replay", "x.json", "--turns", "-1"],
        ["bench", "tune", "--model", "x.gguf", "--seconds", "-5"],
        ["bench", "tune", "--model", "x.gguf", "--seconds", "nan"],
        ["bench", "decode", "--model", "x.gguf", "--runs", "0"],
        ["bench", "reuse", "x.json", "--model", "x.gguf", "--turns", "-2"],
        ["eval", "lies", "x.json", "--model", "x.gguf", "--planted", "0"],
    ],
)
def test_numbers_that_mean_nothing_are_refused_with_a_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(arguments)
    assert ended.value.code == 2
    assert "argument --" in capsys.readouterr().err
