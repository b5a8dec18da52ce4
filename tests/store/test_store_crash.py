"""What was acknowledged is there after kill -9, wherever it hits."""

from pathlib import Path

from store_kills import run_kills


def test_no_kill_loses_what_was_acknowledged_or_leaves_half_a_turn(path: Path) -> None:
    tally = run_kills(path, kills=6, seed=1)
    assert tally.kills == 6
    assert tally.acknowledged > 6
    assert (tally.lost, tally.half, tally.damaged) == (0, 0, 0), tally


def test_a_writer_that_speaks_before_it_commits_would_be_noticed(path: Path) -> None:
    tally = run_kills(path, kills=1, seed=2, early=True)
    assert tally.lost == tally.acknowledged > 0
