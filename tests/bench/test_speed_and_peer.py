"""The measurements on a tiny model, small: their keys and what can be counted. How long anything took is no test."""

import importlib.util
import json
import math
import os
import time
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kotonia_desktop.bench import cache, peer, preempt, speed
from kotonia_desktop.bench.measuring import Result, Seconds, Series, ratio, timed
from kotonia_desktop.bench.peer import Peer, PeerAnswer
from kotonia_desktop.bench.subject import Subject
from kotonia_desktop.cli.commands import run
from kotonia_desktop.domain.errors import KotoniaError, SettingInvalid
from kotonia_desktop.engine.llama_library import features_of
from kotonia_desktop.engine.snapshots import digest_of_model
from kotonia_desktop.engine.tuning import recall

PEER_RATIOS = {"ratio_to_peer", "ratio_to_peer_cpu", "ratio_to_peer_defaults", "ratio_to_peer_defaults_cpu"}


def silent(_line: str) -> None:
    return None


def last_line(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return dict(json.loads(capsys.readouterr().out.splitlines()[-1]))


class StandIn:
    """Takes the peer's place: notes how it was started and asked, and answers with round figures."""

    made: list["StandIn"]
    build = "stand-in"
    processor = "CPU : SSE3 = 1 | NEVER = 1 | AVX512 = 0 | "

    def __init__(self, model: Path, window: int, threads: int, step: int, *, same: bool) -> None:
        self.same, self.window, self.threads, self.step = same, window, threads, step
        self.asked: list[list[int]] = []
        StandIn.made.append(self)

    def complete(self, ids: list[int], tokens: int, *, cache: bool = True) -> PeerAnswer:
        known = max((common(before, ids) for before in self.asked), default=0)
        self.asked.append(list(ids))
        return PeerAnswer(Seconds(0.5, 0.25), Seconds(1.5, 1.25), len(ids) - known, known, tokens, 0.5, 1.0)

    def __enter__(self) -> "StandIn":
        return self

    def __exit__(self, *_: object) -> None:
        return None


def common(one: list[int], other: list[int]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@pytest.fixture
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> list[StandIn]:
    StandIn.made = []
    monkeypatch.setattr(speed, "Peer", StandIn)
    return StandIn.made


@pytest.mark.parametrize("bench", ["decode", "prefill", "turn", "grammar"])
def test_the_command_ends_with_one_json_line(
    bench: str, babbling_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(["bench", bench, "--model", str(babbling_model), "--depth", "96", "--tokens", "24", "--runs", "2"])
    assert done == 0
    assert not any(text.startswith("{") for text in capsys.readouterr().out.splitlines())
    done = run(
        ["bench", bench, "--model", str(babbling_model), "--depth", "96", "--tokens", "24", "--runs", "1", "--json"]
    )
    assert done == 0
    told = last_line(capsys)
    assert set(told) == {"bench", "model", "results"}
    assert (told["bench"], told["model"]) == (bench, babbling_model.name)
    assert all(math.isfinite(value) and value >= 0 for value in told["results"].values())
    assert not PEER_RATIOS & set(told["results"])
    assert ("ratio_to_free" in told["results"]) is (bench == "grammar")


@pytest.mark.parametrize("bench", ["decode", "prefill", "turn"])
def test_beside_a_peer_both_arms_have_a_ratio_and_read_the_same_ids(
    bench: str, babbling_model: Path, stand_ins: list[StandIn]
) -> None:
    measure = {"decode": speed.decode, "prefill": speed.prefill, "turn": speed.turn}[bench]
    result = measure(speed.SpeedOptions(babbling_model, depth=96, tokens=24, runs=2, peer=True), silent)
    assert set(result.results) >= PEER_RATIOS
    ours = {"decode": "ours_tokens_per_second", "prefill": "ours_tokens_per_second", "turn": "ours_first_token_ms"}
    theirs = ours[bench].replace("ours", "peer")
    # Ours over theirs, whatever the unit.
    expected = result.results[ours[bench]] / result.results[theirs]  # type: ignore[operator]
    assert result.results["ratio_to_peer"] == pytest.approx(expected, rel=0.01, abs=1e-4)  # rounded
    assert result.results["same_processor_features"] is False
    assert any("only theirs ['NEVER'" in note for note in result.notes)
    same, defaults = stand_ins
    assert (same.same, defaults.same) == (True, False)
    assert same.asked == defaults.asked
    assert {len(ids) >= 96 for ids in same.asked} == {True}
    assert max(len(ids) for ids in same.asked) + 24 <= same.window


def test_a_turn_reads_exactly_its_tokens_on_both_sides(babbling_model: Path, stand_ins: list[StandIn]) -> None:
    result = speed.turn(speed.SpeedOptions(babbling_model, depth=96, tokens=24, runs=3, peer=True), silent)
    assert "tokens read in a turn: [24]" in result.notes


def test_the_peers_first_token_is_no_decode(babbling_model: Path, stand_ins: list[StandIn]) -> None:
    result = speed.decode(speed.SpeedOptions(babbling_model, depth=96, tokens=24, runs=1, peer=True), silent)
    # The stand-in writes 24 tokens in a second, from its first token on.
    assert result.results["peer_tokens_per_second"] == 23.0
    assert result.results["peer_tokens_per_cpu_second"] == 23.0


def test_a_depth_is_read_from_its_first_token_in_every_run(babbling_model: Path, stand_ins: list[StandIn]) -> None:
    speed.prefill(speed.SpeedOptions(babbling_model, depth=96, runs=3, peer=True), silent)
    asked = stand_ins[0].asked
    assert all(common(one, other) < 24 for one, other in pairwise(asked))


def test_a_missing_peer_is_bad_input_that_says_what_to_install(
    babbling_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        peer.importlib.util, "find_spec", lambda name, *rest: None if name == "xllamacpp" else find(name, *rest)
    )
    with pytest.raises(SettingInvalid):
        Peer(babbling_model, 512, 1, 64, same=True)
    code = run(["bench", "decode", "--model", str(babbling_model), "--depth", "32", "--runs", "1", "--peer"])
    assert code == 2
    assert "kotonia-desktop[bench]" in capsys.readouterr().err


@pytest.mark.parametrize("bench", ["decode", "preempt", "fold", "restore"])
def test_a_model_that_is_none_is_said_as_in_the_window(
    bench: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "none.gguf"
    assert run(["bench", bench, "--model", str(missing), "--runs", "1"]) in (1, 2)
    assert "none.gguf" in capsys.readouterr().err
    with pytest.raises(KotoniaError):
        Subject(missing, 512)


def test_preempt_counts_arrivals_and_knows_that_chapters_came_out_the_same(babbling_model: Path) -> None:
    options = preempt.PreemptOptions(babbling_model, arrivals=3, depth=64, chapter=300, written=12, runs=2)
    result = preempt.preempt(options, silent)
    assert set(result.results) >= {"extra_steps", "extra_ms", "throughput_cost", "control_extra_ms", "same_text"}
    assert result.results["same_text"] is True
    assert result.results["chapters_completed"] >= 1
    busy = next(series for series in result.series if series.name == "busy first token ms")
    assert len(busy.values) == 3
    assert [len(series.values) for series in result.series if "steps" in series.name] == [2, 2]


def test_fold_and_restore_have_their_figures(babbling_model: Path) -> None:
    folded = cache.fold(cache.CacheOptions(babbling_model, live=200, new=120, turn=16, runs=2), silent)
    assert folded.results["ratio_to_ordinary"] > 0
    again = cache.restore(cache.CacheOptions(babbling_model, live=200, runs=2, settings=("f16",)), silent)
    assert again.results["bit_equal"] is True
    assert again.results["f16_bytes"] > 0


def test_medians_ratios_and_the_processors_time() -> None:
    ours, theirs = Series("ours", "ms", [1.0, 9.0, 3.0]), Series("theirs", "ms", [6.0])
    assert (ours.median, ratio(ours, theirs)) == (3.0, 0.5)
    assert str(ours) == "ours: 3 ms [1 - 9], n=3"
    assert math.isnan(Series("none", "ms").median)
    result = Result("turn", "m.gguf")
    result.add(Series("first token ms", "ms", [2.0]))
    assert result.as_json() == {"bench": "turn", "model": "m.gguf", "results": {"first_token_ms": 2.0}}


def test_a_builds_features_are_those_that_are_on() -> None:
    assert features_of("CPU : AVX = 1 | AVX512 = 0 | ARM = 1 | CUDA : ARCHS = 500,610 | X = 10 | ") == {"AVX", "ARM"}


def test_only_the_processors_time_of_the_process_asked_about_counts() -> None:
    _, seconds = timed(os.getpid(), lambda: time.sleep(0.2))
    assert seconds.wall >= 0.2
    assert 0 < seconds.cpu < 0.2  # never 0: it is divided by


def test_the_peer_is_started_with_our_settings_or_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []

    class Server:
        listening_address = "http://127.0.0.1:1"

        def __init__(self, params: Any) -> None:
            started.append(params)

    def params() -> Any:
        space = SimpleNamespace
        return space(model=space(path=""), cpuparams=space(n_threads=-1), cpuparams_batch=space(n_threads=-1))

    package = SimpleNamespace(
        CommonParams=params,
        Server=Server,
        BUILD_INFO="b1",
        get_system_info=lambda: "CPU : AVX2 = 1 | ",
        llama_flash_attn_type=SimpleNamespace(LLAMA_FLASH_ATTN_TYPE_DISABLED="off"),
    )
    from kotonia_desktop.bench import peer_child

    values = {"model": "m.gguf", "window": 512, "threads": 1, "step": 64}
    peer_child.start(package, {**values, "same": True})
    peer_child.start(package, {**values, "same": False})
    same, defaults = (dict(vars(one)) for one in started)
    for one in (same, defaults):
        assert one.pop("n_ctx") == 512
        assert one.pop("model").path == "m.gguf"
        assert (one.pop("cpuparams").n_threads, one.pop("cpuparams_batch").n_threads) == (1, 1)
        assert one.pop("warmup") is False
    assert same == {"n_parallel": 1, "n_batch": 64, "n_ubatch": 64, "flash_attn_type": "off", "fit_params": False}
    assert defaults == {}


def test_what_tuning_finds_is_kept_for_the_app(
    babbling_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--data-dir", str(tmp_path), "bench", "tune", "--model", str(babbling_model), "--json"]) == 0
    told = last_line(capsys)["results"]
    found = recall(tmp_path / "tuning.json", digest_of_model(babbling_model))
    assert found is not None
    assert (told["flash"], told["step"], told["threads"]) == (found.flash, found.step, found.threads)
    assert told["tried"] >= 4
    assert run(["--data-dir", str(tmp_path), "bench", "tune", "--model", str(tmp_path / "no.gguf")]) == 2
