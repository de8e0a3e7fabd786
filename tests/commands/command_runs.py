"""Run a command in this process, and read what it wrote."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

from nestviz.cli import main

ROOT = Path(__file__).resolve().parents[2]
MOONS = str(ROOT / "sample_data" / "two-moons.csv")
STATIONS = str(ROOT / "sample_data" / "stations.csv")
SENSORS = str(ROOT / "sample_data" / "sensors.tsv")


class Ran:
    """What a command wrote, and its exit status."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def rows(self):
        return list(csv.DictReader(io.StringIO(self.out)))

    @property
    def json(self):
        return json.loads(self.out, parse_constant=_refuse)

    def column(self, name, kind=float):
        return [kind(row[name]) for row in self.rows]


def _refuse(name):
    raise AssertionError(f"{name} is not JSON")


def run(capfd, *arguments):
    """Run a command in this process; wrong options count as its status, too."""
    capfd.readouterr()
    try:
        status = main([str(argument) for argument in arguments])
    except SystemExit as end:
        status = end.code
    return Ran(status, *capfd.readouterr())


def start(*arguments, **more):
    """Start a command as a process of its own."""
    # A shell may have started the tests without Ctrl-C, which children inherit.
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from nestviz.cli import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def one_sentence(text):
    """Whether a text is one line without a traceback."""
    return text.count("\n") == 1 and text.endswith(".\n") and "Traceback" not in text
