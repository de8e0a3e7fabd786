"""The whole path of the cost-sensitive SVM over its cost asymmetry γ."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.solvers.path.follow import Callback, follow
from nestviz.solvers.path.one_class import descend, spread
from nestviz.solvers.path.records import PathSolution
from nestviz.solvers.path.setup import Problem, check_kernel, check_weights
from nestviz.solvers.path.state import L, R


def cost_path(
    K: ArrayLike,
    y: ArrayLike,
    lam: float,
    weights: ArrayLike | None = None,
    *,
    callback: Callback | None = None,
    max_events: int | None = None,
) -> PathSolution:
    """All solutions of the cost-sensitive SVM dual, for every cost asymmetry γ in [0, 1].

    For each γ

        min_α  1/(2λ) Σ_ij α_i α_j y_i y_j K_ij − Σ_i α_i
        subject to 0 ≤ α_i ≤ w_i γ (y_i = +1),  0 ≤ α_i ≤ w_i (1 − γ) (y_i = −1).

    At γ = 0 only negative points count, and theirs is a one-class problem: its own path, followed
    down to λ, is the exact start.

    Parameters
    ----------
    K : (N, N) array
        Symmetric positive semidefinite kernel matrix.
    y : (N,) array
        Classes, +1 or −1. One of them may be missing.
    lam : float
        The regularisation λ > 0.
    weights : (N,) array, optional
        Weights w_i ≥ 0; 1 each by default. A point of weight 0 takes no part.
    callback : callable, optional
        Called between runs of events with a ``PathProgress``; True ends the path there.
    max_events : int, optional
        Events after which to give up; by default far more than a path needs.

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
    sign = _check_classes(y, N)
    w = np.ones(N) if weights is None else check_weights(weights, N, "weights")
    if not (np.isfinite(lam) and lam > 0):
        raise ValueError(f"lam must be a positive number; got {lam}.")
    used = np.flatnonzero(w > 0)
    if used.size < N:
        kernel, sign, w = np.ascontiguousarray(kernel[np.ix_(used, used)]), sign[used], w[used]
    problem = cost_problem(kernel, sign, w, float(lam))
    code, c, ready = start_path(problem, callback, max_events)
    # Stopped before γ = 0 was solved: no event is left to take, and the start is all there is.
    left = max_events if ready else 0
    trace = follow(problem, code, c, callback=callback, max_events=left)
    return spread(trace.solution, used, N)


def _check_classes(y: ArrayLike, N: int) -> FloatArray:
    sign = np.array(y, dtype=np.float64)
    if sign.shape != (N,) or not np.isin(sign, (-1.0, 1.0)).all():
        raise ValueError(f"y must hold +1 or -1 for each of the {N} points.")
    return sign


def cost_problem(K: FloatArray, y: FloatArray, w: FloatArray, lam: float) -> Problem:
    """T is γ itself; the signed bounds −w(1 − γ) and wγ move at the same rate w."""
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
    """Sets and signed coefficients at γ = 0, and whether they are optimal."""
    y, lam = problem.y, problem.scale
    negative = np.flatnonzero(y < 0)
    code, c, ready = np.full(len(y), L, np.int8), np.zeros(len(y)), True
    if negative.size:
        K = problem.K[negative].take(negative, axis=1)
        weights = problem.bound_rate[negative]
        still = None if callback is None else _at_start(callback)
        trace = descend(K, weights, lam, callback=still, max_events=max_events)
        code[negative], c[negative] = trace.code, -trace.c
        ready = trace.solution.converged
    field = problem.K @ c
    code[(y > 0) & (field > lam)] = R
    return code, c, ready


def _at_start(callback: Callback) -> Callback:
    """The callback while γ = 0 is being solved: it hears of events, not of the λ they happen at."""
    return lambda progress: callback(progress._replace(level=0.0, travelled=0.0))
