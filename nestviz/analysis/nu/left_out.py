"""Which points to leave out (eq. 8.38): the combinatorial problem behind ν.

    min_{w, O}  ½ ‖w‖²     subject to  ⟨w, Φ(x_i)⟩ ≥ 1 for i ∉ O,   |O| = νm

For given O it is the hard-margin problem: ‖w‖ is one over the distance d of the origin from the
convex hull of the points kept, d² = min_α αᵀKα with α ≥ 0, Σα = 1. The ν one-class SVM does not
solve it; it pays for slacks instead of counting them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.distances import inner
from nestviz.solvers.box_sum.nu_one_class import solve_nu_one_class

MOST_POINTS = 20
"""More points are refused by the exact search: its time grows exponentially."""
TOLERANCE = 1e-12
BETTER = 1e-9
"""A relative difference of squared distances that counts."""
USED = 1e-9
"""Coefficients above this belong to support vectors."""


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Points that are left out, and the half-space of the others.

    Attributes
    ----------
    rows : ndarray of shape (n_out,)
        The points left out, ascending.
    alpha : ndarray of shape (n_points,)
        Coefficients of w up to its length: not negative, their sum is 1, zero for points left out.
    rho : float
        The set is {x : Σ_i α_i k(x_i, x) ≥ ρ}; it holds all points kept.
    objective : float
        ½ ‖w‖² of (8.38); infinite if the origin lies in the convex hull of the points kept.
    solved : int
        Number of hard-margin problems that were solved.
    """

    rows: IntArray
    alpha: FloatArray
    rho: float
    objective: float
    solved: int

    @property
    def distance(self) -> float:
        """Distance of the hyperplane from the origin, 1/‖w‖."""
        return float(np.sqrt(0.5 / self.objective))


def best_left_out(
    K: ArrayLike, count: int, *, stopped: Callable[[], bool] | None = None
) -> LeftOut:
    """Return the points to leave out for the smallest ‖w‖, exactly.

    Leaving out a point without coefficient changes nothing, so each step of the search leaves out
    one of the support vectors of what is left: a tree with few branches. A branch ends where the
    points that it keeps for good are already nearer to the origin than the best answer.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Kernel matrix of at most 20 points.
    count : int
        How many points to leave out, νm; at least one point is kept.
    stopped : callable, optional
        Return True to stop with the best answer so far.

    Returns
    -------
    LeftOut

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [1.0, 0.2], [0.1, 1.0]])
    >>> best = best_left_out(X @ X.T, 1)
    >>> best.rows, round(best.objective, 6)
    (array([2]), 0.5)
    """
    K = _checked(K, count)
    if len(K) > MOST_POINTS:
        raise ValueError(
            f"{len(K)} points are too many for an exact search, which takes at most {MOST_POINTS}: "
            f"its time grows exponentially. Use a subsample, or `greedy_left_out`."
        )
    # A good first answer ends many branches.
    search = _Search(K, count, greedy_left_out(K, count), stopped or (lambda: False))
    search.visit(np.ones(len(K), dtype=bool), np.zeros(len(K), dtype=bool))
    return _answer(K, search.kept, count, search.solved)


def greedy_left_out(K: ArrayLike, count: int) -> LeftOut:
    """Return points left out one at a time, each time the one whose absence helps most.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Kernel matrix.
    count : int
        How many points to leave out.

    Returns
    -------
    LeftOut
    """
    K = _checked(K, count)
    kept, solved = np.ones(len(K), dtype=bool), 0
    for _ in range(count):
        alpha, _ = _hard_margin(K, kept)
        support = np.flatnonzero(alpha > USED)
        values = [_hard_margin(K, _without(kept, int(row)))[1] for row in support]
        kept = _without(kept, int(support[int(np.argmax(values))]))
        solved += 1 + len(support)
    return _answer(K, kept, count, solved)


def nu_left_out(K: ArrayLike, count: int) -> LeftOut:
    """Return the points that the ν one-class SVM at ν = count/m leaves out.

    These are the points with the lowest values; where fewer than ``count`` are outliers, margin
    points follow, in the order of their rows.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Kernel matrix.
    count : int
        How many points to leave out.

    Returns
    -------
    LeftOut
        With the hard-margin solution of the points kept.
    """
    K = _checked(K, count)
    kept = np.ones(len(K), dtype=bool)
    if count:
        found = solve_nu_one_class(K, np.full(len(K), 1.0 / count), tol=TOLERANCE)
        # Margin points have the same value up to rounding.
        order = np.argsort(np.round(found.field - found.rho, 9), kind="stable")
        kept[order[:count]] = False
    return _answer(K, kept, count, 2)


class _Search:
    """Depth-first search with the best squared distance so far."""

    def __init__(
        self, K: FloatArray, count: int, first: LeftOut, stopped: Callable[[], bool]
    ) -> None:
        self.K, self.count, self.stopped = K, count, stopped
        self.kept = np.ones(len(K), dtype=bool)
        self.kept[first.rows] = False
        self.best, self.solved = _hard_margin(K, self.kept)[1], first.solved + 1

    def visit(self, kept: BoolArray, fixed: BoolArray) -> None:
        """Improve the best answer by leaving out more of the points that are not fixed."""
        if self.stopped():
            return
        alpha, squared = _hard_margin(self.K, kept)
        self.solved += 1
        left = self.count - int((~kept).sum())
        if squared > self.best * (1.0 + BETTER):
            self.best, self.kept = squared, kept
        if not left:
            return
        fixed = fixed.copy()
        for row in np.flatnonzero((alpha > USED) & ~fixed):
            if fixed.any() and not self._promises(fixed):
                return
            self.visit(_without(kept, int(row)), fixed)
            fixed[row] = True

    def _promises(self, fixed: BoolArray) -> bool:
        """Return whether sets with all fixed points can still be better."""
        self.solved += 1
        return _hard_margin(self.K, fixed)[1] > self.best * (1.0 + BETTER)


def _hard_margin(K: FloatArray, kept: BoolArray) -> tuple[FloatArray, float]:
    """Return α on the points kept, and the squared distance of their hull from the origin."""
    rows = np.flatnonzero(kept)
    alpha = np.zeros(len(K))
    found = solve_nu_one_class(K[np.ix_(rows, rows)], np.ones(len(rows)), tol=TOLERANCE)
    alpha[rows] = found.alpha
    return alpha, max(2.0 * found.objective, 0.0)


def _answer(K: FloatArray, kept: BoolArray, count: int, solved: int) -> LeftOut:
    """Return the answer of a choice; if fewer points are out, others without coefficient follow."""
    alpha, squared = _hard_margin(K, kept)
    out = np.flatnonzero(~kept)
    spare = np.flatnonzero(kept & (alpha <= USED))
    # The lowest values first; none of them changes the half-space.
    spare = spare[np.argsort((K @ alpha)[spare], kind="stable")][: count - len(out)]
    rows = np.sort(np.concatenate([out, spare])).astype(np.int64)
    empty = squared <= TOLERANCE * float(K.diagonal().max())
    rho = inner(alpha, K @ alpha)
    return LeftOut(rows, alpha, rho, np.inf if empty else 0.5 / squared, solved)


def _without(kept: BoolArray, row: int) -> BoolArray:
    fewer = kept.copy()
    fewer[row] = False
    return fewer


def _checked(K: ArrayLike, count: int) -> FloatArray:
    K = np.ascontiguousarray(K, dtype=np.float64)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or not np.isfinite(K).all():
        raise ValueError("K must be a square matrix of finite numbers.")
    if not 0 <= count < len(K):
        raise ValueError(
            f"count must be at least 0 and leave one of the {len(K)} points, and it is {count!r}."
        )
    return K
