"""The whole path of the one-class SVM over its level λ."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray, joined
from nestviz.distances import product
from nestviz.solvers.checks import check_points
from nestviz.solvers.columns import StoredMatrix
from nestviz.solvers.path.follow import Trace, follow
from nestviz.solvers.path.records import PathSolution
from nestviz.solvers.path.setup import Problem, check_kernel, largest_field
from nestviz.solvers.path.state import EPS, E, L, R
from nestviz.solvers.records import Callback


def one_class_path(
    K: ArrayLike,
    upper: ArrayLike,
    *,
    callback: Callback | None = None,
    max_events: int | None = None,
) -> PathSolution:
    """Solve the one-class SVM dual for every level λ.

    For each λ > 0

        min_α  1/(2λ) αᵀKα − Σ_i α_i   subject to 0 ≤ α_i ≤ u_i,

    from λ_0 = max_i (Ku)_i, above which α = u, down to the level at which no point is left inside
    the margin. From there to λ = 0 all coefficients are proportional to λ.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Symmetric positive semidefinite kernel matrix.
    upper : ndarray of shape (n_points,)
        Upper bounds u_i ≥ 0: 1/N each, or weights divided by N. A point with bound 0 is ignored.
    callback : callable, optional
        Called between runs of events with a ``Progress``; return True to stop.
    max_events : int, optional
        Largest number of events; by default far more than a path needs.

    Returns
    -------
    PathSolution
        Breakpoints in descending λ, from λ_0 to 0.

    Examples
    --------
    Two points at similarity 1/2: both coefficients stay at their bound down to λ_0 = 3/4.

    >>> path = one_class_path([[1.0, 0.5], [0.5, 1.0]], [0.5, 0.5])
    >>> path.breakpoints
    array([0.75, 0.  ])
    >>> path.coefficients(0.375)
    array([[0.25, 0.25]])

    References
    ----------
    Lee & Scott, The one class support vector machine solution path, 2007; eq. 5 of Lee & Scott,
    Nested support vector machines, 2010.
    """
    kernel = check_kernel(K)
    (u,) = check_points(StoredMatrix(kernel), upper=upper)
    used = np.flatnonzero(u > 0)
    if used.size < u.size:
        kernel = np.ascontiguousarray(kernel[np.ix_(used, used)])
    trace = descend(kernel, u[used], 0.0, callback=callback, max_events=max_events)
    return spread(_close(trace), used, u.size)


def descend(
    K: FloatArray,
    upper: FloatArray,
    level: float,
    *,
    callback: Callback | None = None,
    max_events: int | None = None,
) -> Trace:
    """Follow the path from λ_0 down to ``level``, or to its last event if that is 0."""
    top = float(product(upper[None], K).max(initial=0.0))
    # Fields that cancel to rounding (a linear kernel on centred data) have no path.
    if top <= EPS * len(upper) * largest_field(K, upper):
        top = 0.0
    length = top if top > 0 else 1.0
    problem = Problem(
        K=K,
        y=np.ones(len(upper)),
        target=np.full(len(upper), top),
        target_rate=np.full(len(upper), -1.0),
        bound=upper,
        bound_rate=np.zeros(len(upper)),
        level=top,
        direction=-1.0,
        end=max(top - level, 0.0),
        length=length,
        scale=min(length, level) if level > 0 else length,
    )
    return follow(
        problem,
        np.full(len(upper), L, np.int8),
        upper,
        until_left_empty=level == 0.0,
        callback=callback,
        max_events=max_events,
    )


def _close(trace: Trace) -> PathSolution:
    """Add the last step, on which the margin coefficients go to zero with λ."""
    path = trace.solution
    if not path.converged or path.breakpoints[-1] <= 0.0:
        return path
    margin = np.flatnonzero(trace.code == E).astype(np.int32)
    return path._replace(
        breakpoints=np.append(path.breakpoints, 0.0),
        indptr=np.append(path.indptr, path.indptr[-1] + margin.size),
        indices=joined([path.indices, margin]),
        values=joined([path.values, np.zeros(margin.size)]),
        residuals=np.append(path.residuals, 0.0),
    )


def spread(path: PathSolution, used: NDArray[np.intp], N: int) -> PathSolution:
    """Return the path of ``N`` points, of which only ``used`` were part of the problem."""
    if used.size == N:
        return path

    def widen(values: NDArray[Any], fill: float) -> NDArray[Any]:
        wide = np.full(N, fill, values.dtype)
        wide[used] = values
        return wide

    events = path.events.copy()
    events["point"] = used[events["point"]]
    return path._replace(
        start=widen(path.start, 0.0),
        start_sets=widen(path.start_sets, R),
        upper_base=widen(path.upper_base, 0.0),
        upper_slope=widen(path.upper_slope, 0.0),
        indices=used[path.indices].astype(np.int32),
        events=events,
    )
