"""The options of ``nestviz load``; imports nothing of the app."""

from __future__ import annotations

import argparse
import math
from pathlib import Path


def add_options(load: argparse.ArgumentParser) -> None:
    """Add the options to the parser of the command."""
    load.description = (
        "Simulated browsers on a server of their own: each opens a page and changes its settings. "
        "Prints the time from each request until the page is complete."
    )
    load.add_argument(
        "--sessions", type=positive, nargs="*", default=[10, 25, 50], metavar="N",
        help="browsers at once; several numbers are measured one after the other (10 25 50)",
    )  # fmt: skip
    load.add_argument("--seconds", type=_time, default=30.0, help="how long they act (30)")
    load.add_argument(
        "--think", type=_time, default=5.0, help="mean seconds between actions, exponential (5)"
    )
    load.add_argument(
        "--uncached", type=_share, default=0.2, help="share of settings that nobody has seen (0.2)"
    )
    load.add_argument(
        "--live", type=_share, default=0.1, help="share of requests while a knob moves (0.1)"
    )
    load.add_argument(
        "--burst", type=positive, default=0, metavar="N",
        help="instead of that, N actions that all browsers begin at the same moment",
    )  # fmt: skip
    load.add_argument(
        "--come-and-go", type=positive, default=0, metavar="N",
        help="also let N sessions with own data come and go, and print the server's memory",
    )  # fmt: skip
    load.add_argument("--seed", type=int, default=0, help="seed of choices and pauses (0)")
    load.add_argument("--json", type=Path, metavar="FILE", help="also keep the rows in FILE")
    load.add_argument("--csv", type=Path, metavar="FILE", help="the same as a table")


def positive(text: str) -> int:
    """Read a positive whole number."""
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"a positive whole number is needed, not {text!r}")


def _time(text: str) -> float:
    found = _number(text)
    if 0.0 < found < math.inf:
        return found
    raise argparse.ArgumentTypeError(f"a time is a positive number of seconds, not {text!r}")


def _share(text: str) -> float:
    found = _number(text)
    if 0.0 <= found <= 1.0:
        return found
    raise argparse.ArgumentTypeError(f"a share is a number from 0 to 1, not {text!r}")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
