"""Counting steps instead of seconds: a machine's load changes the clock, never the number of calls."""

import sys
from collections.abc import Callable

import pytest


@pytest.fixture
def count_steps():
    """A function that runs another one and returns how many calls of functions it made."""

    def count(work: Callable[[], object]) -> int:
        calls = 0

        def on_event(frame, event, argument):
            nonlocal calls
            calls += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(on_event)
        try:
            work()
        finally:
            sys.setprofile(before)
        return calls

    return count
