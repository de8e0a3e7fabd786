"""Show how far a study has come: a line that changes on a terminal, a few lines in a log."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TextIO

from nestviz.studies.engine.drive import Tally

SHARE = 0.1
"""Share of the cells after which a log gets another line,"""
SECONDS = 30.0
"""or time, whichever is first."""
REDRAW = 0.2
"""Seconds between two changes of the line on a terminal."""
_ERASED = "\r\x1b[K"


class Line:
    """Write progress to a stream.

    Parameters
    ----------
    name : str
        Name of the study, in front of the line.
    stream : text stream
        Where to write, such as ``sys.stderr``.
    clock : callable
        Returns the time in seconds.
    """

    def __init__(
        self, name: str, stream: TextIO, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name, self._stream, self._clock = name, stream, clock
        self._changes = stream.isatty()
        self._step, self._last, self._share = 0, -math.inf, -math.inf
        self._first: tuple[float, int] | None = None
        self._open = False

    def __call__(self, tally: Tally) -> None:
        """Write the state, unless it was written a moment ago."""
        now = self._clock()
        if tally.step != self._step:
            self._step, self._last, self._share = tally.step, -math.inf, -math.inf
            self._first = None
        if tally.step_found == tally.step_cells:
            return
        # Counted from the first cell that ends: before, processes start and compile.
        if self._first is None and tally.step_done > tally.step_found:
            self._first = now, tally.step_done
        share = tally.step_done / tally.step_cells
        ended = tally.step_done == tally.step_cells
        if self._changes:
            due = ended or now - self._last >= REDRAW
        else:
            due = ended or share >= self._share + SHARE or now - self._last >= SECONDS
        if due:
            self._last, self._share = now, share
            begin, done = self._first or (now, tally.step_done)
            self._write(f"{self._name}: {state(tally, now - begin, tally.step_done - done)}")

    def end(self) -> None:
        """End the line, so that what follows begins a new one."""
        if self._open:
            self._stream.write("\n")
            self._stream.flush()
            self._open = False

    def _write(self, line: str) -> None:
        self._stream.write(f"{_ERASED}{line}" if self._changes else f"{line}\n")
        self._stream.flush()
        self._open = self._changes


def state(tally: Tally, seconds: float, cells: int) -> str:
    """Describe a step of a plan of which so many cells took so many seconds, with the time left.

    Examples
    --------
    >>> state(Tally(step=1, step_cells=40, step_done=20), 60.0, 10)
    '20 of 40 cells, about 2 min left'
    """
    counted = f"{tally.step_done} of {tally.step_cells} cells"
    if tally.step > 1:
        counted += f" of step {tally.step}"
    left = tally.step_cells - tally.step_done
    if not cells or not left:
        return counted
    return f"{counted}, about {duration(seconds / cells * left)} left"


def duration(seconds: float) -> str:
    """Return a time in words, rounded.

    Examples
    --------
    >>> duration(7.2), duration(200.0), duration(9000.0)
    ('8 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
