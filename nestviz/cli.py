"""The command line: ``nestviz app``, ``bench``, ``load``, ``compile``, and ``nestviz.commands``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from nestviz import __version__
from nestviz.extras import MissingPackageError, require
from nestviz.ui.load.options import add_options, positive

COMMANDS = {
    "fit": "fit a family of sets to a file and save the model",
    "rank": "rank the points of a file, the most abnormal first",
    "tree": "cluster the points of a file by the tree of their connected sets",
    "bandwidth": "choose the width of the kernel for a file, and print it",
    "reproduce": "compute published tables and figures anew, and compare",
    "study": "compare methods on own data, as a file describes it",
}
"""Commands with a module of their own in `nestviz.commands`, which is imported when it is used."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    options = _parser().parse_args(arguments)
    if options.command in COMMANDS:
        from nestviz.commands.ending import run_command

        return run_command(_module(options.command).run, options)
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
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="command", parser_class=_Parser
    )

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

    for name, words in COMMANDS.items():
        commands.add_parser(name, help=words).command = name

    bench = commands.add_parser("bench", help="measure speed against peers, in one run")
    bench.add_argument("group", nargs="*", help="which groups of rows (default: all)")
    bench.add_argument("--quick", action="store_true", help="small sizes; ends within a minute")
    bench.add_argument("--json", type=Path, metavar="FILE", help="also keep the rows in FILE")
    return parser


class _Parser(argparse.ArgumentParser):
    """The parser of a command; the options of a module are added when the command is used."""

    command: str | None = None

    def parse_known_args(self, *given: Any, **options: Any) -> Any:
        """Parse arguments, by the options of the command's own module if it has one."""
        if self.command is not None:
            _module(self.command).add_options(self)
            self.command = None
        return super().parse_known_args(*given, **options)

    def error(self, message: str) -> NoReturn:
        """End with one sentence instead of all options."""
        self.exit(2, f"{self.prog}: error: {message}. See {self.prog} --help.\n")


def _module(command: str) -> Any:
    return import_module(f"nestviz.commands.{command}")


def _port(text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a whole number from 1 to 65535, not {text!r}")


if __name__ == "__main__":
    sys.exit(main())
