"""The header of a model file, and what is said of files that are none."""

import random
from pathlib import Path

import pytest
from tiny_models import TinySpec, build_tiny_model

from kotonia_desktop.domain.errors import (
    ModelDamaged,
    ModelError,
    ModelFileMissing,
    ModelFileUnreadable,
    ModelTruncated,
    ModelUnsupported,
    NotAModel,
)
from kotonia_desktop.engine.gguf_header import read_header


def test_a_header_tells_what_the_app_asks_of_it(tmp_path: Path):
    spec = TinySpec(metadata={"general.sampling.temp": 0.5, "general.sampling.top_k": 20})
    path = build_tiny_model(tmp_path, spec)
    header = read_header(str(path))
    assert header.text("general.name") == "tiny-llama"
    assert header.architecture == "llama"
    assert header.number("llama.context_length") == 131_072
    assert header.real("general.sampling.temp") == 0.5
    assert header.number("general.sampling.top_k") == 20
    assert header.text("tokenizer.chat_template").startswith("{% for message")
    assert header.file_bytes == path.stat().st_size
    assert 0 < header.tensor_bytes < header.file_bytes


def test_the_tokenizers_identity_is_that_of_its_tokens(tmp_path: Path):
    one = read_header(str(build_tiny_model(tmp_path, TinySpec(name="one")))).tokenizer
    two = read_header(str(build_tiny_model(tmp_path, TinySpec(name="two", layers=3)))).tokenizer
    other = read_header(str(build_tiny_model(tmp_path, TinySpec(name="three", spm=True)))).tokenizer
    assert one == two != other


def test_a_file_cut_anywhere_is_truncated_or_no_model(tiny_model: Path, tmp_path: Path):
    data = tiny_model.read_bytes()
    cut = tmp_path / "cut.gguf"
    for length in [1, 3, 4, 7, 23, 24, 100, *range(1000, len(data), len(data) // 9), len(data) - 1]:
        cut.write_bytes(data[:length])
        with pytest.raises(ModelTruncated) as caught:
            read_header(str(cut))
        assert caught.value.values["have"] == length
        assert length < int(caught.value.values["need"]) <= len(data)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "nothing (it is empty)"),
        (b"Hello, this is a text.", "plain text"),
        (b"\n<!DOCTYPE html><html>404</html>", "a web page"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid",
            "a Git LFS pointer (the name of the model, not the model)",
        ),
        (b"PK\x03\x04\x00\x00", "a ZIP archive"),
        (b"GGML\x00\x00\x00\x00", "an older or foreign model format"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "other data"),
    ],
)
def test_a_file_of_another_kind_is_named(tmp_path: Path, content: bytes, found: str):
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(NotAModel) as caught:
        read_header(str(path))
    assert caught.value.values["found"] == found


def test_a_missing_file_is_missing_and_a_folder_is_no_file_to_read(tmp_path: Path):
    with pytest.raises(ModelFileMissing):
        read_header(str(tmp_path / "none.gguf"))
    with pytest.raises(ModelFileUnreadable):
        read_header(str(tmp_path))


def test_a_file_that_may_not_be_read_says_so(tiny_model: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ModelFileUnreadable, match="Permission denied"):
        read_header(str(tiny_model))


def test_another_version_is_unsupported(tiny_model: Path, tmp_path: Path):
    data = bytearray(tiny_model.read_bytes())
    data[4:8] = (4).to_bytes(4, "little")
    path = tmp_path / "v4.gguf"
    path.write_bytes(data)
    with pytest.raises(ModelUnsupported, match="GGUF version 4"):
        read_header(str(path))


def test_a_part_of_a_model_without_its_others_says_which(tmp_path: Path):
    metadata: dict[str, str | float | int] = {"split.count": 3, "split.no": 0}
    path = build_tiny_model(tmp_path, TinySpec(name="big-00001-of-00003", metadata=metadata))
    with pytest.raises(ModelUnsupported, match="part 1 of 3"):
        read_header(str(path))


def test_a_vision_add_on_is_no_model(tmp_path: Path):
    path = build_tiny_model(tmp_path, TinySpec(name="addon"))
    path.write_bytes(
        path.read_bytes().replace(
            b"\x05\x00\x00\x00\x00\x00\x00\x00model", b"\x06\x00\x00\x00\x00\x00\x00\x00mmproj", 1
        )
    )
    with pytest.raises(ModelUnsupported, match="add-on"):
        read_header(str(path))


def test_counts_that_cannot_be_are_damage(tiny_model: Path, tmp_path: Path):
    path = tmp_path / "damaged.gguf"
    for place in (8, 16):
        data = bytearray(tiny_model.read_bytes())
        data[place : place + 8] = (2**62).to_bytes(8, "little")
        path.write_bytes(data)
        with pytest.raises(ModelDamaged, match="claims"):
            read_header(str(path))


def test_random_damage_of_the_header_never_raises_anything_else(tiny_model: Path, tmp_path: Path):
    original = tiny_model.read_bytes()
    header_bytes = len(original) - read_header(str(tiny_model)).tensor_bytes
    choice = random.Random(5)
    path = tmp_path / "fuzzed.gguf"
    refused = 0
    for _ in range(400):
        data = bytearray(original)
        for _ in range(choice.randrange(1, 4)):
            place = choice.randrange(header_bytes)
            data[place] = choice.choice([0, 1, 0x7F, 0x80, 0xFF, choice.randrange(256)])
        path.write_bytes(data)
        try:
            read_header(str(path))
        except ModelError:
            refused += 1
    assert refused > 100
