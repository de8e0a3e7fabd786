"""Options that commands share."""

from __future__ import annotations

import argparse
from pathlib import Path

from nestviz.ui.load.options import positive


def add_engine_options(parser: argparse.ArgumentParser, output: str) -> None:
    """Add what says where cells are computed and stored."""
    parser.add_argument(
        "--jobs", type=positive, metavar="N",
        help="processes on this machine (default: one for each core)",
    )  # fmt: skip
    parser.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="compute on the workers of a Dask scheduler instead, such as tcp://10.0.0.1:8786",
    )  # fmt: skip
    parser.add_argument(
        "--output", type=Path, metavar="DIR",
        help=f"folder of results and report; a command that was stopped goes on there ({output})",
    )  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
