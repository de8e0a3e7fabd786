"""The record of a solution path: breakpoints, margin coefficients, events, residuals.

A point inside the margin is at its upper bound, a point beyond it at zero. So a path stores, for
each step, only the coefficients of the margin set at its end, and the events that change the sets:
Σ_j |E_j| numbers instead of a table of breakpoints × points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.solvers.path.state import E, L, R

EVENT = np.dtype(
    [
        ("breakpoint", np.int32),
        ("point", np.int32),
        ("from_set", np.int8),
        ("to_set", np.int8),
    ]
)
"""One event: a point changes its set at a breakpoint."""


class PathSolution(NamedTuple):
    """A piecewise-linear solution path, exact at every level between its ends.

    Attributes
    ----------
    breakpoints : ndarray of shape (n_breakpoints,)
        Levels, strictly monotone: descending λ for the one-class path, ascending γ for the cost
        path. Points that tie share a breakpoint. Where the path changes between optimal
        coefficient vectors of the same field, two breakpoints are one unit in the last place apart.
    start : ndarray of shape (n_points,)
        Coefficients α ≥ 0 at the first breakpoint.
    start_sets : ndarray of shape (n_points,)
        Set of each point (codes 0 = L, 1 = E, 2 = R) before the first event.
    upper_base, upper_slope : ndarray of shape (n_points,)
        The upper bound of α_i at level θ is ``upper_base[i] + upper_slope[i] * θ``.
    indptr, indices, values : ndarray
        Step j leads from breakpoint j to j + 1. Its margin set is
        ``indices[indptr[j]:indptr[j + 1]]``, and ``values`` holds the coefficients of these points
        at breakpoint j + 1.
    events : structured array of dtype ``EVENT``
        Net changes of the sets, in order: a point appears at most once per breakpoint.
    residuals : ndarray of shape (n_breakpoints,)
        Largest violation of the optimality conditions at each breakpoint, relative to λ_0 (one
        class) or λ (costs): |ρ_i| on the margin, ρ_i of the wrong sign elsewhere, plus the drift
        of updated against recomputed residuals, plus the shift of targets that separates ties.
        Between breakpoints residuals are no larger than at both ends.
    converged : bool
        False if a callback or the limit on events stopped the path. The coefficients are then exact
        up to the last breakpoint, and feasible beyond it.
    """

    breakpoints: FloatArray
    start: FloatArray
    start_sets: NDArray[np.int8]
    upper_base: FloatArray
    upper_slope: FloatArray
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: FloatArray
    events: NDArray[np.void]
    residuals: FloatArray
    converged: bool

    def coefficients(self, levels: ArrayLike) -> FloatArray:
        """Return coefficients α at any levels, one row per level, by one pass along the path.

        Beyond the ends of the path they are those of the nearer end, clipped to the bounds at that
        level.
        """
        return self._evaluate(levels)[0]

    def sets(self, levels: ArrayLike) -> NDArray[np.int8]:
        """Return set codes (0 = L, 1 = E, 2 = R) at any levels, one row per level.

        At a breakpoint these are the sets of the step that ends there.
        """
        return self._evaluate(levels)[1]

    def _evaluate(self, levels: ArrayLike) -> tuple[FloatArray, NDArray[np.int8]]:
        theta = np.atleast_1d(np.asarray(levels, dtype=np.float64))
        if theta.ndim != 1 or np.isnan(theta).any():
            raise ValueError("levels must be a number or a list of numbers without NaN.")
        order, step, fraction = self._locate(theta)
        alpha = np.empty((theta.size, self.start.size))
        sets = np.empty(alpha.shape, dtype=np.int8)
        _replay(self, event_columns(self.events), theta, order, step, fraction, alpha, sets)
        return alpha, sets

    def _locate(self, theta: FloatArray) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatArray]:
        """Return the order of the levels along the path, the step of each, and the fraction of it.

        Step −1 is at or before the first breakpoint.
        """
        nodes = self.breakpoints
        forward = 1.0 if nodes[-1] > nodes[0] else -1.0
        step = np.searchsorted(forward * nodes, forward * theta, side="left") - 1
        step = np.minimum(step, nodes.size - 2)
        fraction = np.zeros(theta.size)
        on = step >= 0
        left, right = nodes[step[on]], nodes[step[on] + 1]
        fraction[on] = np.minimum((theta[on] - left) / (right - left), 1.0)
        return np.argsort(step, kind="stable"), step, fraction


def event_columns(events: NDArray[np.void]) -> NDArray[np.int32]:
    """Return events as an integer matrix, for compiled code."""
    return np.stack([events[name].astype(np.int32) for name in EVENT.names or ()], axis=1)


@njit(cache=True, nogil=True)
def _apply_events(
    path: PathSolution,
    events: NDArray[np.int32],
    first: int,
    step: int,
    alpha: FloatArray,
    code: NDArray[np.int8],
) -> int:
    """Apply the events of breakpoint ``step``; a point that enters E starts from its bound."""
    level = path.breakpoints[step]
    k = first
    while k < len(events) and events[k, 0] == step:
        i = events[k, 1]
        if code[i] == L:
            alpha[i] = path.upper_base[i] + path.upper_slope[i] * level
        elif code[i] == R:
            alpha[i] = 0.0
        code[i] = events[k, 3]
        k += 1
    return k


@njit(cache=True, nogil=True)
def _write_row(
    path: PathSolution,
    step: int,
    level: float,
    fraction: float,
    alpha: FloatArray,
    code: NDArray[np.int8],
    row: FloatArray,
) -> None:
    """Write the coefficients at one level inside a step."""
    for i in range(len(alpha)):
        upper = max(path.upper_base[i] + path.upper_slope[i] * level, 0.0)
        row[i] = upper if code[i] == L else 0.0
        if code[i] == E:
            row[i] = min(alpha[i], upper)
    if step < 0:
        return
    for k in range(path.indptr[step], path.indptr[step + 1]):
        i = path.indices[k]
        upper = max(path.upper_base[i] + path.upper_slope[i] * level, 0.0)
        mixed = (1.0 - fraction) * alpha[i] + fraction * path.values[k]
        row[i] = min(max(mixed, 0.0), upper)


@njit(cache=True, nogil=True)
def _replay(
    path: PathSolution,
    events: NDArray[np.int32],
    levels: FloatArray,
    order: NDArray[np.int64],
    steps: NDArray[np.int64],
    fractions: FloatArray,
    alpha_out: FloatArray,
    sets_out: NDArray[np.int8],
) -> None:
    """Read the record once and write a row at every requested level."""
    alpha, code = path.start.copy(), path.start_sets.copy()
    asked, event = 0, 0
    for step in range(-1, len(path.breakpoints) - 1):
        if step >= 0:
            event = _apply_events(path, events, event, step, alpha, code)
        while asked < len(order) and steps[order[asked]] == step:
            q = order[asked]
            _write_row(path, step, levels[q], fractions[q], alpha, code, alpha_out[q])
            sets_out[q] = code
            asked += 1
        if asked == len(order):
            return
        if step >= 0:
            for k in range(path.indptr[step], path.indptr[step + 1]):
                alpha[path.indices[k]] = path.values[k]
