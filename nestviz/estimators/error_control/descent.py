"""Coordinate descent over a table of error rates that is computed on demand.

Davenport (2007), section 3.1.2: the first lines go through the middle, ν₊ = 1/2 and ν₋ = 1/2; from
the best cell on them, lines orthogonal to the last one are searched in turn until none of them has
a better cell. In three dimensions σ is one more axis, with a line of its own through the middle.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from nestviz.estimators.error_control.rate_tables import ErrorOracle
from nestviz.estimators.error_control.smoothing import Cell, Window, smoothed_at
from nestviz.solvers.records import Callback, Progress

Path = NDArray[np.intp]
Key = Callable[[Cell, float, float], tuple[float, ...]]


class Descent:
    """Line searches over the cells of an oracle.

    A cell is judged by its smoothed rates, for which its neighbours are computed too: the descent
    is the same as if the whole table had been computed and smoothed first.

    Parameters
    ----------
    oracle : ErrorOracle
        Rates of single cells.
    steps : Window
        The smoothing.
    key : callable
        (cell, P_F, P_M) → what to compare; the least is best.
    callback : callable, optional
        Called after each line with a `Progress`; a true return value stops.

    Attributes
    ----------
    rates : dict
        Smoothed (P_F, P_M) of every cell that was judged.
    paths : list of (k, 3) arrays
        The cells at which line searches ended, one array for each descent.
    stopped : bool
        Whether the callback ended the search.
    """

    def __init__(
        self, oracle: ErrorOracle, steps: Window, key: Key, callback: Callback | None
    ) -> None:
        self.rates: dict[Cell, tuple[float, float]] = {}
        self.paths: list[Path] = []
        self.stopped = False
        self._oracle, self._steps, self._key, self._callback = oracle, steps, key, callback
        self._shape = (len(oracle.sigmas), len(oracle.nu_plus), len(oracle.nu_minus))

    def run(self, start: Cell, axes: tuple[int, ...], begins: float, ends: float) -> None:
        """Descend along the axes; ``begins`` and ``ends`` are shares of the whole work."""
        path: list[Cell] = []
        best, last = start, -1
        for count, axis in enumerate(axes, start=1):
            found = self._line(start, axis, best)
            if last < 0 or found != best:
                best, last = found, axis
            if self._report(begins + (ends - begins) * count / (2 * len(axes))):
                break
        path.append(best)
        waiting = [axis for axis in axes if axis != last]
        while waiting and not self.stopped:
            axis = waiting.pop(0)
            found = self._line(best, axis, best)
            if found != best:
                best = found
                path.append(best)
                waiting = [other for other in (*waiting, *axes) if other != axis]
                waiting = list(dict.fromkeys(waiting))
            self._report(begins + (ends - begins) * (0.5 if waiting else 1.0))
        self.paths.append(np.array(path, dtype=np.intp))

    def best(self) -> Cell:
        """Return the best cell judged so far."""
        judged = [cell for cell, pair in self.rates.items() if np.isfinite(pair).all()]
        if not judged:
            raise ValueError(
                "The search found no setting that is feasible, so there is nothing to choose from. "
                "Give it values of nu in (0, 1]."
            )
        return min(judged, key=self._rank)

    def _line(self, through: Cell, axis: int, best: Cell) -> Cell:
        """Return the best cell of a line and of the best one so far."""
        for index in self._order(axis):
            cell = _moved(through, axis, index)
            if cell not in self.rates:
                self.rates[cell] = smoothed_at(cell, self._steps, self._shape, self._oracle.at)
            if self._better(cell, best):
                best = cell
        return best

    def _order(self, axis: int) -> list[int]:
        """Return the indices of an axis, ν decreasing: each solve is a start for the next."""
        values = (self._oracle.sigmas, self._oracle.nu_plus, self._oracle.nu_minus)[axis]
        return [int(index) for index in np.argsort(-values, kind="stable")]

    def _better(self, cell: Cell, than: Cell) -> bool:
        if not np.isfinite(self.rates[cell]).all():
            return False
        known = than in self.rates and bool(np.isfinite(self.rates[than]).all())
        return not known or self._rank(cell) < self._rank(than)

    def _rank(self, cell: Cell) -> tuple[float, ...]:
        return self._key(cell, *self.rates[cell])

    def _report(self, share: float) -> bool:
        progress = Progress(len(self.rates), share=share)
        if self._callback is not None and self._callback(progress) and share < 1.0:
            self.stopped = True
        return self.stopped


def _moved(cell: Cell, axis: int, index: int) -> Cell:
    s, a, b = (index if k == axis else old for k, old in enumerate(cell))
    return s, a, b
