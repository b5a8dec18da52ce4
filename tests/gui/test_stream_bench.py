"""`kotonia bench stream`: every token is painted, and the command says what it cost."""

import json

import pytest
from PySide6.QtWidgets import QApplication

from kotonia_desktop.bench.stream import StreamOptions, stream
from kotonia_desktop.cli.commands import run


def test_every_token_is_painted(qapp: QApplication) -> None:
    result = stream(StreamOptions(messages=21, tokens=9, runs=2), lambda _line: None)
    assert result.results["paints"] >= 9
    assert [len(series.values) for series in result.series] == [2] * len(result.series)
    assert result.results["ms_per_token"] > 0


def test_the_command_ends_with_one_json_line(qapp: QApplication, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "stream", "--messages", "12", "--tokens", "5", "--runs", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["bench"], told["results"]["messages"], told["results"]["tokens"]) == ("stream", 12, 5)
