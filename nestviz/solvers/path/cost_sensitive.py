"""The whole path of the cost-sensitive SVM over its cost asymmetry γ."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.solvers.checks import check_lam, check_points
from nestviz.solvers.columns import StoredMatrix, submatrix
from nestviz.solvers.path.follow import follow
from nestviz.solvers.path.one_class import descend, spread
from nestviz.solvers.path.records import PathSolution
from nestviz.solvers.path.setup import Problem, check_kernel
from nestviz.solvers.path.state import L, R
from nestviz.solvers.records import Callback


def cost_path(
    K: ArrayLike,
    y: ArrayLike,
    lam: float,
    weights: ArrayLike | None = None,
    *,
    callback: Callback | None = None,
    max_events: int | None = None,
) -> PathSolution:
    """Solve the cost-sensitive SVM dual for every cost asymmetry γ in [0, 1].

    For each γ

        min_α  1/(2λ) Σ_ij α_i α_j y_i y_j K_ij − Σ_i α_i
        subject to 0 ≤ α_i ≤ w_i γ (y_i = +1),  0 ≤ α_i ≤ w_i (1 − γ) (y_i = −1).

    At γ = 0 only negative points count. That is a one-class problem, whose path down to λ gives the
    exact start.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Symmetric positive semidefinite kernel matrix.
    y : ndarray of shape (n_points,)
        Classes, +1 or −1. One of them may be missing.
    lam : float
        The regularisation λ > 0.
    weights : ndarray of shape (n_points,), optional
        Weights w_i ≥ 0; 1 each by default. A point of weight 0 is ignored.
    callback : callable, optional
        Called between runs of events with a ``Progress``; return True to stop.
    max_events : int, optional
        Largest number of events; by default far more than a path needs.

    Returns
    -------
    PathSolution
        Breakpoints in ascending γ, from 0 to 1.

    Examples
    --------
    >>> path = cost_path([[1.0, 0.5], [0.5, 1.0]], [1, -1], lam=2.0)
    >>> path.coefficients([0.0, 0.25, 1.0])
    array([[0.  , 1.  ],
           [0.25, 0.75],
           [1.  , 0.  ]])

    References
    ----------
    Bach, Heckerman & Horvitz, Considering cost asymmetry in learning classifiers, 2006; eq. 2 of
    Lee & Scott, Nested support vector machines, 2010.
    """
    kernel = check_kernel(K)
    N = len(kernel)
    weights = np.ones(N) if weights is None else weights
    sign, w = check_points(StoredMatrix(kernel), y=y, weights=weights)
    lam = check_lam(lam)
    used = np.flatnonzero(w > 0)
    if used.size < N:
        kernel, sign, w = np.ascontiguousarray(kernel[np.ix_(used, used)]), sign[used], w[used]
    problem = cost_problem(kernel, sign, w, lam)
    code, c, ready = start_path(problem, callback, max_events)
    # Stopped before γ = 0 was solved: the start is all there is.
    left = max_events if ready else 0
    trace = follow(problem, code, c, callback=callback, max_events=left)
    return spread(trace.solution, used, N)


def cost_problem(K: FloatArray, y: FloatArray, w: FloatArray, lam: float) -> Problem:
    """Return the problem: T is γ, and the signed bounds −w(1 − γ) and wγ have the same rate w."""
    return Problem(
        K=K,
        y=y,
        target=lam * y,
        target_rate=np.zeros(len(y)),
        bound=np.where(y > 0, 0.0, -w),
        bound_rate=w,
        level=0.0,
        direction=1.0,
        end=1.0,
        length=1.0,
        scale=lam,
    )


def start_path(
    problem: Problem, callback: Callback | None, max_events: int | None
) -> tuple[NDArray[np.int8], FloatArray, bool]:
    """Return sets and signed coefficients at γ = 0, and whether they are optimal."""
    y, lam = problem.y, problem.scale
    negative = np.flatnonzero(y < 0)
    code, c, ready = np.full(len(y), L, np.int8), np.zeros(len(y)), True
    if negative.size:
        K = submatrix(problem.K, negative)
        weights = problem.bound_rate[negative]
        still = None if callback is None else _at_start(callback)
        trace = descend(K, weights, lam, callback=still, max_events=max_events)
        code[negative], c[negative] = trace.code, -trace.c
        ready = trace.solution.converged
    field = problem.field(c)
    code[(y > 0) & (field > lam)] = R
    return code, c, ready


def _at_start(callback: Callback) -> Callback:
    """Return the callback for the solve at γ = 0: events are counted, and γ stays 0."""
    return lambda progress: callback(progress._replace(level=0.0, share=0.0))
