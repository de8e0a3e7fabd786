"""What a command says on standard error: notes, warnings and progress."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import Any, TextIO

from nestviz.data.errors import quoted

STEPS = 10
"""Reports of progress in a log: one for each tenth."""
LONGEST = 2_000
"""Characters of a message."""
CLEAR = "\r\x1b[K"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of what is said."""
    group = parser.add_argument_group("messages, on standard error")
    how = group.add_mutually_exclusive_group()
    how.add_argument(
        "-v", "--verbose", action="store_true",
        help="say how the file was read, and report progress also where there is no terminal",
    )  # fmt: skip
    how.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")


@dataclass(frozen=True)
class Console:
    """Standard error, and how much is written to it.

    Attributes
    ----------
    stream : text file
        Where messages go.
    quiet, verbose : bool
        Say nothing but errors; say everything.
    """

    stream: TextIO
    quiet: bool = False
    verbose: bool = False

    @classmethod
    def of(cls, options: argparse.Namespace) -> Console:
        """Return the console of a command's options."""
        quiet, verbose = (getattr(options, name, False) for name in ("quiet", "verbose"))
        return cls(sys.stderr, quiet, verbose)

    @property
    def terminal(self) -> bool:
        """Whether somebody is looking."""
        return self.stream.isatty()

    def error(self, sentence: str) -> None:
        """Say what went wrong."""
        self._line(sentence)

    def say(self, sentence: str) -> None:
        """Say something that matters for the result."""
        if not self.quiet:
            self._line(sentence)

    def warn(self, sentence: str) -> None:
        """Say that a result may not be what was meant."""
        self.say(f"Warning: {sentence}")

    def note(self, sentence: str) -> None:
        """Say a detail."""
        if self.verbose:
            self._line(sentence)

    def progress(self, title: str) -> Progress:
        """Return a callback of long work; see `nestviz.ui.compute.tasks.Report`."""
        return Progress(self, title)

    def _line(self, sentence: str) -> None:
        start = CLEAR if self.terminal else ""
        # Names from files must not steer a terminal, nor break the line.
        self.stream.write(f"{start}{quoted(sentence, LONGEST)}\n")
        self.stream.flush()

    def draw(self, text: str) -> None:
        """Show a line that the next one replaces."""
        self.stream.write(f"{CLEAR}{text}")
        self.stream.flush()


class Progress:
    """Progress of one piece of work: a line that changes on a terminal, a few lines in a log."""

    def __init__(self, console: Console, title: str) -> None:
        self.console, self.title = console, title
        self._step, self._drawn = -1, False

    def __call__(self, done: float, text: str = "", partial: Any = None) -> bool:
        """Report the share that is done; return False, to go on."""
        console = self.console
        if console.quiet:
            return False
        words = f"{self.title}: {done:.0%}{f', {text}' if text else ''}"
        if console.terminal:
            console.draw(words)
            self._drawn = True
        elif console.verbose and int(done * STEPS) > self._step:
            self._step = int(done * STEPS)
            console.note(words)
        return False

    def __enter__(self) -> Progress:
        self(0.0)
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self.console.draw("")
