"""Numbers of the command line: in range, or a sentence that says what is wrong."""

import argparse
import math
from collections.abc import Callable

LONGEST = 1_000_000.0
"""Seconds: about twelve days."""


def at_least(least: int) -> Callable[[str], int]:
    """A whole number of at least `least`."""

    def number(text: str) -> int:
        value = int(text)  # argparse says what is wrong with it
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    return number


def seconds(least: float = 0.0) -> Callable[[str], float]:
    """Seconds from `least` to `LONGEST`."""

    def number(text: str) -> float:
        value = float(text)
        if not math.isfinite(value) or not least <= value <= LONGEST:
            raise argparse.ArgumentTypeError(f"{text} is no time between {least:g} and {LONGEST:g} seconds")
        return value

    return number
