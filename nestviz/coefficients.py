"""Coefficients of a family at the breakpoints of a solution path, without a dense table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray, IndexArray
from nestviz.compiled import njit
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
        _carry(self.path, event_columns(self.path.events), weighted, fields)
        # Recomputed, so that a path which ends without coefficients ends with a field of zero.
        fields[-1] = self.path.coefficients(self.path.breakpoints[-1:])[0] @ weighted
        return fields[:: self._direction]

    __matmul__ = product

    def __abs__(self) -> PathRows:
        """Return absolute coefficients; α is never negative, the scale may be."""
        return replace(self, scale=np.abs(self.scale))

    @property
    def _direction(self) -> int:
        return 1 if self.path.breakpoints[-1] > self.path.breakpoints[0] else -1


@njit(cache=True, nogil=True)
def _carry(
    path: PathSolution, events: NDArray[np.int32], G: FloatArray, fields: FloatArray
) -> None:
    """Write Σ_i α_i G_i at every breakpoint, in the order of the path.

    ``field`` is the sum so far, ``drive`` its derivative due to points at their upper bounds (set
    L), which move with the bounds.
    """
    alpha, code = path.start.copy(), path.start_sets.copy()
    field, drive = np.zeros(G.shape[1]), np.zeros(G.shape[1])
    for i in range(len(alpha)):
        if alpha[i] != 0.0:
            _add(field, alpha[i], G[i])
        if code[i] == L and path.upper_slope[i] != 0.0:
            _add(drive, path.upper_slope[i], G[i])
    fields[0] = field
    k = 0
    for step in range(len(path.breakpoints) - 1):
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
