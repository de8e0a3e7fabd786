"""Coefficients of a family at the breakpoints of a solution path, without a dense table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import SLICE, FloatArray, IndexArray
from nestviz.compiled import njit
from nestviz.distances import product
from nestviz.solvers.path.records import PathSolution, event_columns
from nestviz.solvers.path.state import L, R


@dataclass(frozen=True, eq=False)
class PathRows:
    """The rows ``scale · α`` along a solution path, in ascending order of the level.

    ``take``, ``@`` and ``abs`` work as for an array of shape (n_breakpoints, n_centres).
    A dense table of thousands of breakpoints and points would take gigabytes. Between two
    breakpoints only margin coefficients change, so products are updated from one breakpoint to the
    next by their rows of G.
    """

    path: PathSolution
    scale: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        """Return (breakpoints, centres)."""
        return self.path.breakpoints.size, self.path.start.size

    @property
    def levels(self) -> FloatArray:
        """Return the breakpoints, ascending."""
        return self.path.breakpoints[:: self._direction]

    def take(self, index: IndexArray, axis: int = 0) -> FloatArray:
        """Return some rows as a dense array."""
        return self.path.coefficients(self.levels[np.asarray(index)]) * self.scale

    def at(self, levels: ArrayLike) -> FloatArray:
        """Return rows at any levels."""
        return self.path.coefficients(levels) * self.scale

    def product(self, G: FloatArray) -> FloatArray:
        """Return all rows times G (centres × points)."""
        fields = np.empty((self.shape[0], G.shape[1]))
        unscaled = bool(np.all(self.scale == 1.0))
        weighted = np.ascontiguousarray(G if unscaled else G * self.scale[:, None])
        _carry_all(self.path, weighted, fields)
        # Recomputed, so that a path which ends without coefficients ends with a field of zero.
        fields[-1:] = product(self.path.coefficients(self.path.breakpoints[-1:]), weighted)
        return fields[:: self._direction]

    def __matmul__(self, G: FloatArray) -> FloatArray:
        """Return all rows times G."""
        return self.product(G)

    def __abs__(self) -> PathRows:
        """Return absolute coefficients; α is never negative, the scale may be."""
        return replace(self, scale=np.abs(self.scale))

    @property
    def _direction(self) -> int:
        return 1 if self.path.breakpoints[-1] > self.path.breakpoints[0] else -1


class _Carried(NamedTuple):
    """What is carried along a path: coefficients, sets, the sum so far, and its derivative.

    The derivative is that due to points at their upper bounds (set L), which move with the bounds.
    """

    alpha: FloatArray
    code: NDArray[np.int8]
    field: FloatArray
    drive: FloatArray


def _carry_all(path: PathSolution, G: FloatArray, fields: FloatArray) -> None:
    """Write Σ_i α_i G_i at every breakpoint, in the order of the path."""
    field = product(path.start[None], G)[0]
    drive = product(np.where(path.start_sets == L, path.upper_slope, 0.0)[None], G)[0]
    now = _Carried(path.start.copy(), path.start_sets.copy(), field, drive)
    fields[0], events, step, last = field, event_columns(path.events), 0, len(fields) - 1
    while step < last:
        # As many steps as fit a slice: their margin points and events each add a row of G.
        rows = path.indptr[step + 1 :] - path.indptr[step] + np.arange(1, last - step + 1)
        count = max(1, int(np.searchsorted(rows * (G.shape[1] + 8), SLICE, side="right")))
        k = int(np.searchsorted(events[:, 0], step))
        _carry(path, events, G, fields, now, step, min(step + count, last), k)
        step += count


@njit(cache=True, nogil=True)
def _carry(
    path: PathSolution,
    events: NDArray[np.int32],
    G: FloatArray,
    fields: FloatArray,
    now: _Carried,
    first: int,
    last: int,
    k: int,
) -> None:
    """Write the sums after the breakpoints from ``first`` to ``last``; ``k`` is the next event."""
    alpha, code, field, drive = now
    for step in range(first, last):
        level = path.breakpoints[step]
        while k < len(events) and events[k, 0] == step:
            i, after = events[k, 1], events[k, 3]
            slope = path.upper_slope[i]
            if code[i] == L:
                alpha[i] = path.upper_base[i] + slope * level
            elif code[i] == R:
                alpha[i] = 0.0
            if slope != 0.0 and (code[i] == L) != (after == L):
                _add(drive, slope if after == L else -slope, G[i])
            code[i] = after
            k += 1
        _add(field, path.breakpoints[step + 1] - level, drive)
        for e in range(path.indptr[step], path.indptr[step + 1]):
            i = path.indices[e]
            if path.values[e] != alpha[i]:
                _add(field, path.values[e] - alpha[i], G[i])
                alpha[i] = path.values[e]
        fields[step + 1] = field


@njit(cache=True, nogil=True)
def _add(target: FloatArray, factor: float, row: FloatArray) -> None:
    for j in range(len(target)):
        target[j] += factor * row[j]
