"""Hold the drift of a walk: recompute what it carries along, measure the error, take it away."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.solvers.path.factor import solve_transposed, solve_upper
from nestviz.solvers.path.setup import Problem
from nestviz.solvers.path.state import (
    LENGTH,
    MARGIN,
    NOW,
    SHORTEST,
    SPREAD,
    WATCHED,
    ZERO_GAP,
    E,
    L,
    Walk,
    refactor,
    weigh,
)
from nestviz.solvers.path.watch import mark_margin, synchronise, watch

CORRECT_ABOVE = 1e-11
FACTOR_DRIFT = 1e-9


def all_coefficients(walk: Walk) -> FloatArray:
    """c of every point; a walk itself keeps only those of the margin up to date."""
    at_bound = walk.bound + walk.clock[NOW] * walk.bound_rate
    return np.where(walk.code == L, at_bound, np.where(walk.code == E, walk.c, 0.0))


def refresh(problem: Problem, walk: Walk) -> float:
    """Recompute residuals, rates and, if need be, the factor; return the drift that was found.

    The drift is the largest difference between the residuals carried along and those recomputed
    from the coefficients, relative to ``problem.scale``.
    """
    margin = walk.margin[: walk.tally[MARGIN]]
    synchronise(walk)
    q = problem.target + walk.clock[NOW] * problem.target_rate
    moving = np.where(walk.code == L, walk.bound_rate, 0.0)
    field = problem.K @ moving if moving.any() else moving
    rho = q - problem.K @ all_coefficients(walk)
    drift = float(np.abs(walk.rho - rho).max(initial=0.0)) / problem.scale
    walk.pull[:], walk.clock[SPREAD] = problem.target_rate - field, field @ moving
    _rebuild_factor(walk, margin)
    walk.rho[:] = rho
    mark_margin(walk)
    watch(walk, np.inf)
    return drift


def _rebuild_factor(walk: Walk, margin: NDArray[np.int64]) -> None:
    """``w`` from scratch, and the factor too if it no longer fits K_EE."""
    m = len(margin)
    U = walk.U[:m, :m]
    misfit = walk.K[np.ix_(margin, margin)].sum(axis=1) + walk.ridge[margin]
    misfit -= U.T @ U.sum(axis=1)
    if m and np.abs(misfit).max() > FACTOR_DRIFT * m * walk.K[margin, margin].max():
        refactor(walk)
    else:
        weigh(walk)


def correct(problem: Problem, walk: Walk) -> bool:
    """Move the margin coefficients towards zero residual, as far as their bounds allow.

    To be called on a fresh walk. True if there was something to correct and it could be done
    without a larger residual elsewhere. The walk is then one unit in the last place further, where
    the new coefficients are to be kept.
    """
    margin, before = walk.margin[: walk.tally[MARGIN]].copy(), violation(walk)
    small = max(CORRECT_ABOVE * problem.scale, 4.0 * walk.clock[ZERO_GAP])
    if np.abs(walk.rho[margin]).max(initial=0.0) <= small:
        return False
    old, now = walk.c[margin], walk.clock[NOW]
    walk.c[margin] = _corrected(walk)
    walk.clock[NOW] = now + SHORTEST * walk.clock[LENGTH]
    refresh(problem, walk)
    if violation(walk) < before:
        return True
    walk.c[margin], walk.clock[NOW] = old, now
    refresh(problem, walk)
    return False


def _corrected(walk: Walk) -> FloatArray:
    """Margin coefficients with a residual of zero, or as near to them as bounds allow."""
    m = int(walk.tally[MARGIN])
    margin = walk.margin[:m]
    step, w = np.empty(m), walk.rho[margin]
    solve_transposed(walk.U, m, w)
    solve_upper(walk.U, m, w, step)
    c = walk.c[margin]
    far = walk.bound[margin] + walk.clock[NOW] * walk.bound_rate[margin]
    low, high = np.minimum(far, 0.0), np.maximum(far, 0.0)
    room = np.where(step > 0, high - c, c - low)
    moving = np.abs(step) > 0
    share = min(1.0, float((room[moving] / np.abs(step[moving])).min(initial=1.0)))
    return np.clip(c + share * step, low, high)


@njit(cache=True, nogil=True)
def violation(walk: Walk) -> float:
    """The largest residual of the wrong sign."""
    m, n = walk.tally[MARGIN], walk.tally[WATCHED]
    worst = 0.0
    for j in range(n):
        worst = max(worst, -walk.gap[j])
    for k in range(m):
        worst = max(worst, abs(walk.held[walk.margin[k]]))
    return worst
