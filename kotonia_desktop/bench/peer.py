"""Talks to the peer: llama.cpp's server in a child process. Needs the extra `bench`."""

import importlib.util
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kotonia_desktop.bench.measuring import Seconds, processor_seconds, spent
from kotonia_desktop.domain.errors import SettingInvalid

_START_SECONDS = 300
SAMPLERS = {"temperature": 0.8, "top_k": 60, "top_p": 1.0, "min_p": 0.06, "samplers": ["top_k", "min_p", "temperature"]}


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """What the peer did: seconds until its first token came, seconds of all, what it read, and its own figures."""

    first: Seconds
    whole: Seconds
    prompt_tokens: int
    reused_tokens: int
    written_tokens: int
    prompt_seconds: float
    written_seconds: float


class Peer:
    """Owns the process: use it in a `with`."""

    def __init__(self, model: Path, window: int, threads: int, step: int, *, same: bool) -> None:
        """Start it. Raises `SettingInvalid` where its package is not installed, or it does not come up."""
        if importlib.util.find_spec("xllamacpp") is None:
            raise SettingInvalid(
                name="--peer", value="on", detail="it needs the package xllamacpp: pip install 'kotonia-desktop[bench]'"
            )
        values = {"model": str(model), "window": window, "threads": threads, "step": step, "same": same}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "kotonia_desktop.bench.peer_child", json.dumps(values)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SettingInvalid(name="--peer", value="on", detail="the peer did not start with this model")
        started: dict[str, str] = json.loads(line)
        self._address = started["address"]
        self.build = started["build"]
        """Which llama.cpp it is, as far as it says."""
        self.processor = started["processor"]
        """What of the processor its build uses, in llama.cpp's words."""
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{self._address}/health", timeout=10) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.2)
        raise SettingInvalid(name="--peer", value="on", detail="the peer loads no model")

    def complete(self, ids: Sequence[int], tokens: int, *, cache: bool = True) -> PeerAnswer:
        """Read `ids` and write `tokens`. Raises `OSError` where it answers no more."""
        body = {
            "prompt": list(ids),
            "n_predict": tokens,
            "stream": True,
            "cache_prompt": cache,
            "ignore_eos": True,
            "seed": 1,
            **SAMPLERS,
        }
        data = json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self._address}/completion", data, headers={"Content-Type": "application/json"}
        )
        pid = self._process.pid
        cpu, started = processor_seconds(pid), time.perf_counter()
        first: Seconds | None = None
        last: dict[str, Any] = {}
        with urllib.request.urlopen(request, timeout=3600) as lines:
            for line in lines:
                if line.startswith(b"data: ") and line.strip() != b"data: [DONE]":
                    if first is None:
                        first = spent(pid, cpu, started)
                    last = json.loads(line[6:])
        whole = spent(pid, cpu, started)
        timings = last["timings"]
        return PeerAnswer(
            first=first or whole,
            whole=whole,
            prompt_tokens=int(timings["prompt_n"]),
            reused_tokens=int(timings.get("cache_n", 0)),
            written_tokens=int(timings["predicted_n"]),
            prompt_seconds=float(timings["prompt_ms"]) / 1000,
            written_seconds=float(timings["predicted_ms"]) / 1000,
        )

    def close(self) -> None:
        """End it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
