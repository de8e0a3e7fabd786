"""Numbers given as options."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from nestviz.ui.load.options import positive

__all__ = ["at_least", "margin", "number", "positive", "share", "whole"]


def number(text: str) -> float:
    """Read a positive number."""
    found = _number(text)
    if 0.0 < found < math.inf:
        return found
    raise argparse.ArgumentTypeError(f"a positive number is needed, not {text!r}")


def share(text: str) -> float:
    """Read a share from 0 up to, but not including, 1."""
    found = _number(text)
    if 0.0 <= found < 1.0:
        return found
    raise argparse.ArgumentTypeError(f"a share is a number from 0 to below 1, not {text!r}")


def margin(text: str) -> float:
    """Read a number from 0 up."""
    found = _number(text)
    if 0.0 <= found < math.inf:
        return found
    raise argparse.ArgumentTypeError(f"a margin is a number from 0 up, not {text!r}")


def whole(text: str) -> int:
    """Read a whole number from 0 up."""
    if text.isascii() and text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"a whole number from 0 up is needed, not {text!r}")


def at_least(least: int) -> Callable[[str], int]:
    """Return the reader of whole numbers from a smallest one up."""

    def read(text: str) -> int:
        if text.isascii() and text.isdecimal() and int(text) >= least:
            return int(text)
        raise argparse.ArgumentTypeError(f"a whole number from {least} up is needed, not {text!r}")

    return read


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
