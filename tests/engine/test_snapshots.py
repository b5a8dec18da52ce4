"""Snapshots: what was read comes back after a restart bit for bit, and what differs is as if it were not there."""

import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from cache_stage import CLOSE, Pair, difference, pair, random_ids, read
from tiny_models import SPECS, TinySpec, build_tiny_model

from kotonia_desktop.engine.llama import Model
from kotonia_desktop.engine.llama_library import start_library
from kotonia_desktop.engine.shape import Q8_0, Shape
from kotonia_desktop.engine.snapshot_manifest import forget_snapshots
from kotonia_desktop.engine.snapshots import SnapshotStore, digest_of_model

SYSTEM = random_ids(1, 300)
STORY = SYSTEM + random_ids(2, 800)
TURN = random_ids(4, 40)


@pytest.fixture(scope="module", params=sorted(SPECS))
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    start_library()
    loaded = Model(str(build_tiny_model(tmp_path_factory.mktemp(request.param), request.param)))
    yield loaded
    loaded.free()


def save_story(model: Model, folder: Path, owner: str = "c", ids: list[int] = STORY) -> np.ndarray:
    """Leave a snapshot of a story, and the logits that the next turn had."""
    with pair(model, folder) as first:
        read(first.chat, ids, owner, len(SYSTEM))
        first.keeper.park()
        first.keeper.flush()
        assert first.store is not None
        assert first.store.counts["saved"] == 1
        read(first.chat, ids + TURN, owner)
        return first.chat.context.logits().copy()


def counts(made: Pair) -> dict[str, int]:
    return made.keeper.report().counts


def test_a_conversation_comes_back_bit_for_bit(model: Model, tmp_path: Path) -> None:
    before = save_story(model, tmp_path)
    with pair(model, tmp_path) as again:
        assert read(again.chat, STORY + TURN, "c") == len(STORY)
        after = again.chat.context.logits()
        # The cells of a sliding window lie in another order afterwards, and sums of floats know their order.
        assert np.array_equal(after, before) or (model.window_slides and np.abs(after - before).max() < CLOSE)
        assert counts(again)["restored"] == 1


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    start_library()
    loaded = Model(str(build_tiny_model(tmp_path_factory.mktemp("wide"), TinySpec(name="wide", heads=2))))
    yield loaded
    loaded.free()


def test_so_does_one_with_keys_and_values_in_eight_bits_and_only_in_its_own_kind(wide: Model, tmp_path: Path) -> None:
    small = Shape(flash=True, key=Q8_0, value=Q8_0, step=16)
    with pair(wide, tmp_path, shape=small) as first:
        read(first.chat, STORY, "c")
        first.keeper.park()
        first.keeper.flush()
        read(first.chat, STORY + TURN, "c")
        before = first.chat.context.logits().copy()
    with pair(wide, tmp_path, shape=small) as again:
        assert read(again.chat, STORY + TURN, "c") == len(STORY)
        assert np.array_equal(again.chat.context.logits(), before)
    with pair(wide, tmp_path) as other:
        assert read(other.chat, STORY + TURN, "c") == 0
        assert counts(other)["ignored_identity"] >= 1


def test_a_regenerated_reply_and_an_edit_after_a_restore_have_the_right_logits(model: Model, tmp_path: Path) -> None:
    save_story(model, tmp_path)
    for keep in (len(STORY) - 1, len(STORY) - 30, 700, 310):
        with pair(model, tmp_path) as again:
            edited = STORY[:keep] + random_ids(keep, 30)
            read(again.chat, edited, "c", len(SYSTEM))
            assert difference(again.chat, edited) < CLOSE


def test_switching_between_conversations_reads_nothing_twice(model: Model, tmp_path: Path) -> None:
    other = SYSTEM + random_ids(9, 700)
    with pair(model, tmp_path) as made:
        read(made.chat, STORY, "c", len(SYSTEM))
        assert read(made.chat, other, "d", len(SYSTEM)) == len(SYSTEM)  # one character, one system part
        assert read(made.chat, STORY + TURN, "c", len(SYSTEM)) >= len(STORY) - 1
        assert difference(made.chat, STORY + TURN) < CLOSE
        assert read(made.chat, other + TURN, "d", len(SYSTEM)) >= len(other) - 1
        assert difference(made.chat, other + TURN) < CLOSE


def test_another_conversation_of_the_same_character_starts_behind_the_system_part(model: Model, tmp_path: Path) -> None:
    save_story(model, tmp_path)
    with pair(model, tmp_path) as again:
        new = SYSTEM + random_ids(11, 60)
        assert read(again.chat, new, "new", len(SYSTEM)) == len(SYSTEM)
        assert difference(again.chat, new) < CLOSE


def cut(data: Path) -> None:
    data.write_bytes(data.read_bytes()[:-1000])


def flip(data: Path) -> None:
    raw = bytearray(data.read_bytes())
    raw[len(raw) * 2 // 3] ^= 1
    data.write_bytes(raw)


def flip_an_id(data: Path) -> None:
    raw = bytearray(data.read_bytes())
    raw[40] ^= 1
    data.write_bytes(raw)


def lose(data: Path) -> None:
    data.unlink()


def empty(data: Path) -> None:
    data.write_bytes(b"")


def rewrite(file: Path, **values: object) -> None:
    manifest = next(file.parent.glob("*.json"))
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | values))


def other_identity(data: Path) -> None:
    rewrite(data, identity="another model")


def other_version(data: Path) -> None:
    rewrite(data, version=999)


def outside_the_folder(data: Path) -> None:
    rewrite(data, data="../" + data.name)


def wild_numbers(data: Path) -> None:
    rewrite(data, tokens=-5, checkpoints=[[1, -1]])


def no_json(data: Path) -> None:
    next(data.parent.glob("*.json")).write_bytes(b"\xff\x00{")


def a_list(data: Path) -> None:
    next(data.parent.glob("*.json")).write_text("[1, 2]")


@pytest.mark.parametrize("model", ["gemma3", "llama"], indirect=True)
@pytest.mark.parametrize(
    "damage",
    [
        *(cut, flip, flip_an_id, lose, empty, other_identity, other_version),
        *(outside_the_folder, wild_numbers, no_json, a_list),
    ],
)
def test_a_snapshot_that_differs_is_ignored_and_counted(
    model: Model, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    save_story(model, tmp_path)
    damage(next(tmp_path.glob("*.kv")))
    with pair(model, tmp_path) as again:
        assert read(again.chat, STORY + TURN, "c") == 0
        assert difference(again.chat, STORY + TURN) < CLOSE
        ignored = [name for name in counts(again) if name.startswith("ignored_")]
        assert ignored
        assert "restored" not in counts(again)


@pytest.mark.parametrize("model", ["llama"], indirect=True)
def test_a_snapshot_of_another_model_with_the_same_name_is_not_put_back(model: Model, tmp_path: Path) -> None:
    """The state of another conversation under this one's manifest: the checksum tells them apart."""
    save_story(model, tmp_path / "a")
    save_story(model, tmp_path / "b", ids=random_ids(50, len(STORY)))
    foreign = next((tmp_path / "b").glob("*.kv")).read_bytes()
    next((tmp_path / "a").glob("*.kv")).write_bytes(foreign)
    with pair(model, tmp_path / "a") as again:
        assert read(again.chat, STORY + TURN, "c") == 0
        assert counts(again)["ignored_damaged"] >= 1


@pytest.mark.parametrize("model", ["llama"], indirect=True)
def test_the_least_used_go_when_the_folder_is_full(model: Model, tmp_path: Path) -> None:
    save_story(model, tmp_path)
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    with pair(model, tmp_path, most=size * 5 // 2) as made:
        for number, owner in enumerate(("d", "e", "f")):
            read(made.chat, random_ids(20 + number, len(STORY)), owner)
            made.keeper.park()
            made.keeper.flush()
            if owner == "d":  # used again, so `d` is not the next to go
                for path in tmp_path.glob("*.json"):
                    os.utime(path, (1e9, 1e9) if '"owner": "c"' in path.read_text() else None)
        owners = {json.loads(path.read_text())["owner"] for path in tmp_path.glob("*.json")}
        assert "c" not in owners
        assert "f" in owners
        assert len(owners) == 2
        assert counts(made)["evicted"] == 2
        assert len(list(tmp_path.glob("*.kv"))) == 2


@pytest.mark.parametrize("model", ["llama"], indirect=True)
def test_a_save_that_was_interrupted_leaves_nothing_that_is_read(model: Model, tmp_path: Path) -> None:
    save_story(model, tmp_path)
    (tmp_path / "half.kv.part").write_bytes(b"half")
    (tmp_path / "nobodys.kv").write_bytes(b"no manifest names it")
    with pair(model, tmp_path) as again:
        assert {path.suffix for path in tmp_path.iterdir()} == {".kv", ".json"}
        assert len(list(tmp_path.iterdir())) == 2
        assert read(again.chat, STORY + TURN, "c") == len(STORY)


@pytest.mark.parametrize("model", ["llama"], indirect=True)
def test_a_newer_snapshot_takes_the_older_ones_place_and_a_conversation_can_be_forgotten(
    model: Model, tmp_path: Path
) -> None:
    save_story(model, tmp_path)
    save_story(model, tmp_path, ids=STORY + random_ids(12, 200))
    save_story(model, tmp_path, owner="d")
    assert len(list(tmp_path.glob("*.kv"))) == 2
    assert forget_snapshots(tmp_path, "c") == 1
    assert len(list(tmp_path.iterdir())) == 2
    assert forget_snapshots(tmp_path) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a user's folders are private there by themselves")
@pytest.mark.parametrize("model", ["llama"], indirect=True)
def test_snapshots_are_for_the_users_account_alone(model: Model, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    save_story(model, folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("model", ["llama"], indirect=True)
def test_a_folder_that_cannot_be_written_costs_nothing_but_the_snapshot(model: Model, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"not a folder")
    with pair(model, blocked) as made:
        read(made.chat, STORY, "c")
        made.keeper.park()
        made.keeper.flush()
        assert counts(made)["not_saved"] == 1
        assert read(made.chat, STORY + TURN, "c") >= len(STORY) - 1


@pytest.mark.parametrize("model", ["llama"], indirect=True)
def test_a_save_that_fails_for_whatever_reason_stops_no_later_one(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pair(model, tmp_path) as made:
        assert made.store is not None

        def fails(_owner: str, _state: object) -> bool:
            raise MemoryError

        with monkeypatch.context() as fault:
            fault.setattr(made.store, "save", fails)
            read(made.chat, STORY, "c")
            made.keeper.park()
            made.keeper.flush()
        assert counts(made)["not_saved"] == 1
        read(made.chat, SYSTEM + random_ids(9, 700), "d")
        made.keeper.park()
        made.keeper.flush()
        assert counts(made)["saved"] == 1


def test_a_model_is_known_by_its_contents(tmp_path: Path) -> None:
    first = build_tiny_model(tmp_path, "llama")
    copy = tmp_path / "copy.gguf"
    copy.write_bytes(first.read_bytes())
    assert digest_of_model(first) == digest_of_model(copy)
    raw = bytearray(copy.read_bytes())
    raw[len(raw) // 2] ^= 1
    copy.write_bytes(raw)
    assert digest_of_model(first) != digest_of_model(copy)
    assert SnapshotStore(tmp_path / "s", digest_of_model(first), 1).bytes_on_disk() == 0
