"""The command line: ``nestviz app``, ``bench``, ``load`` and ``compile``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from nestviz import __version__
from nestviz.extras import MissingPackageError, require
from nestviz.ui.load.options import add_options, positive


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    options = _parser().parse_args(arguments)
    run = {"app": _app, "bench": _bench, "compile": _compile, "load": _load}[options.command]
    try:
        return run(options)
    except MissingPackageError as missing:
        print(missing, file=sys.stderr)
        return 1


def _app(options: argparse.Namespace) -> int:
    require("streamlit", "app", "The pages of the app")
    from nestviz.ui.launch import launch
    from nestviz.ui.live.headers import origins_of_environment, read_origin

    try:
        embed_in = [*origins_of_environment(), *map(read_origin, options.embed_in)]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return launch(
        port=options.port,
        address=options.address,
        headless=options.headless,
        sessions=options.sessions,
        embed_in=embed_in,
    )


def _compile(options: argparse.Namespace) -> int:
    from nestviz.ui.compile_ahead import compile_all

    compiled = compile_all()
    print(f"{compiled} kernels compiled; all others were compiled before.")
    return 0


def _bench(options: argparse.Namespace) -> int:
    from nestviz.studies.bench.run import run

    return run(options.group, quick=options.quick, json_file=options.json)


def _load(options: argparse.Namespace) -> int:
    require("streamlit", "app", "The pages of the app")
    from nestviz.ui.load.command import run

    return run(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nestviz",
        description="Families of SVM decision sets: whole solution paths, and sets that nest.",
    )
    parser.add_argument("--version", action="version", version=f"nestviz {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")

    app = commands.add_parser("app", help="start the interactive app and print its address")
    app.add_argument("--port", type=_port, help="port to listen on (default: 8501, or a free one)")
    app.add_argument(
        "--address",
        default="127.0.0.1",
        help="address to listen on (default: this machine only; 0.0.0.0 opens it to the network)",
    )
    app.add_argument("--headless", action="store_true", help="do not open a browser window")
    app.add_argument(
        "--sessions",
        type=positive,
        help="largest number of open sessions; further ones see that the server is full (default: "
        "25 for each core, or one for each 40 MB of memory if that is fewer)",
    )
    add_options(commands.add_parser("load", help="measure how many sessions this machine serves"))

    app.add_argument(
        "--embed-in",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="site that may show the app in a frame, such as https://lms.example.edu (repeatable; "
        "also the variable NESTVIZ_EMBED_IN)",
    )

    commands.add_parser("compile", help="compile all kernels now, so that no fit waits for it")

    bench = commands.add_parser("bench", help="measure speed against peers, in one run")
    bench.add_argument("group", nargs="*", help="which groups of rows (default: all)")
    bench.add_argument("--quick", action="store_true", help="small sizes; ends within a minute")
    bench.add_argument("--json", type=Path, metavar="FILE", help="also keep the rows in FILE")
    return parser


def _port(text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a whole number from 1 to 65535, not {text!r}")


if __name__ == "__main__":
    sys.exit(main())
