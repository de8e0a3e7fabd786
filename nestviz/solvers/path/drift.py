"""Recompute what a path updates from event to event, measure the drift, and correct it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.distances import inner, product
from nestviz.solvers.cholesky import solve_transposed, solve_upper
from nestviz.solvers.path import slots as at
from nestviz.solvers.path.setup import Problem
from nestviz.solvers.path.state import SHORTEST, E, L, PathState, refactor, weigh
from nestviz.solvers.path.watch import mark_margin, synchronise, watch

CORRECT_ABOVE = 1e-11
FACTOR_DRIFT = 1e-9


def all_coefficients(state: PathState) -> FloatArray:
    """Return c of every point; the state itself keeps only those of the margin up to date."""
    at_bound = state.bound + state.clock[at.NOW] * state.bound_rate
    return np.where(state.code == L, at_bound, np.where(state.code == E, state.c, 0.0))


def refresh(problem: Problem, state: PathState) -> float:
    """Recompute residuals, rates and, if needed, the factor; return the drift.

    The drift is the largest difference between updated and recomputed residuals, relative to
    ``problem.scale``.
    """
    margin = state.margin[: state.tally[at.MARGIN]]
    synchronise(state)
    q = problem.target + state.clock[at.NOW] * problem.target_rate
    moving = np.where(state.code == L, state.bound_rate, 0.0)
    field = problem.field(moving)
    rho = q - problem.field(all_coefficients(state))
    drift = float(np.abs(state.rho - rho).max(initial=0.0)) / problem.scale
    state.pull[:], state.clock[at.SPREAD] = problem.target_rate - field, inner(field, moving)
    _rebuild_factor(state, margin)
    state.rho[:] = rho
    mark_margin(state)
    watch(state, np.inf)
    return drift


def _rebuild_factor(state: PathState, margin: NDArray[np.int64]) -> None:
    """Recompute ``w``, and the factor too if it no longer fits K_EE."""
    m = len(margin)
    U = state.U[:m, :m]
    misfit = state.K[np.ix_(margin, margin)].sum(axis=1) + state.ridge[margin]
    misfit -= product(U.sum(axis=1)[None], U)[0]
    if m and np.abs(misfit).max() > FACTOR_DRIFT * m * state.K[margin, margin].max():
        refactor(state)
    else:
        weigh(state)


def correct(problem: Problem, state: PathState) -> bool:
    """Move the margin coefficients towards zero residual, as far as their bounds allow.

    Call it after :func:`refresh`. Returns True if there was something to correct, and no residual
    became larger elsewhere. T is then one unit in the last place larger, for a new breakpoint with
    the new coefficients.
    """
    margin, before = state.margin[: state.tally[at.MARGIN]].copy(), violation(state)
    small = max(CORRECT_ABOVE * problem.scale, 4.0 * state.clock[at.ZERO_GAP])
    if np.abs(state.rho[margin]).max(initial=0.0) <= small:
        return False
    old, now = state.c[margin], state.clock[at.NOW]
    state.c[margin] = _corrected(state)
    state.clock[at.NOW] = now + SHORTEST * state.clock[at.LENGTH]
    refresh(problem, state)
    if violation(state) < before:
        return True
    state.c[margin], state.clock[at.NOW] = old, now
    refresh(problem, state)
    return False


def _corrected(state: PathState) -> FloatArray:
    """Return margin coefficients with a residual of zero, or as near as bounds allow."""
    m = int(state.tally[at.MARGIN])
    margin = state.margin[:m]
    step, w = np.empty(m), state.rho[margin]
    solve_transposed(state.U, m, w)
    solve_upper(state.U, m, w, step)
    c = state.c[margin]
    far = state.bound[margin] + state.clock[at.NOW] * state.bound_rate[margin]
    low, high = np.minimum(far, 0.0), np.maximum(far, 0.0)
    reach = np.where(step > 0, high - c, c - low)
    moving = np.abs(step) > 0
    share = min(1.0, float((reach[moving] / np.abs(step[moving])).min(initial=1.0)))
    return np.clip(c + share * step, low, high)


@njit(cache=True, nogil=True)
def violation(state: PathState) -> float:
    """Return the largest residual of the wrong sign."""
    m, n = state.tally[at.MARGIN], state.tally[at.WATCHED]
    worst = 0.0
    for j in range(n):
        worst = max(worst, -state.gap[j])
    for k in range(m):
        worst = max(worst, abs(state.held[state.margin[k]]))
    return worst
