"""The ν form of the one-class SVM, and every other problem in a box with a fixed sum.

    min  ½ αᵀKα − qᵀα     s.t.  Σ_i α_i = s,   0 ≤ α_i ≤ u_i

With q = 0, s = 1 and u_i = 1/(νm) this is (8.13)–(8.15) of Schölkopf & Smola (2002); with q_i half
of k(x_i, x_i) it is half of the soft ball (8.18)–(8.19); with q_i the mean kernel value between x_i
and other points it is, up to a constant, the separation from their mean (8.49)–(8.51).

Each round picks a working set, the margin points and those that violate most, and
improves it with everything compact in memory. Large problems begin from the solution for a part of
the points, so only the rows of K at points that matter are ever needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.box_sum.nu_certificate import VANISHING, NuCertificate, certify, field_of
from nestviz.solvers.box_sum.nu_rounds import WHOLE, improve, polish, working_set
from nestviz.solvers.box_sum.nu_steps import extremes
from nestviz.solvers.checks import check_points, check_tolerance
from nestviz.solvers.columns import Columns, as_columns
from nestviz.solvers.records import Callback, Progress
from nestviz.solvers.verification import verified

#: Relative primal–dual gap at which a solve ends.
TOLERANCE = 1e-6
#: A sum that is off by this part of itself is left as it is.
ROUNDING = 1e-13
#: What is off by more than this was not rounding.
ACCUMULATED = 1e-10
#: Rounds after which it ends in any case.
MAX_ITER = 1000
#: Points of the smaller problem that a larger one begins from, and its accuracy.
SAMPLE = 200
SAMPLE_TOLERANCE = 1e-3
#: Margin points agree in the end to this part of the range of the gradient, whatever the
#: tolerance on the gap, or to this part of Σ α_i k(x_i, x_i): rounding.
SPREAD = 1e-6
RESOLUTION = 1e-14
#: A working set is left when its violation has shrunk to this part.
SHRINK = 0.05
#: Rounds without a lower objective after which rounding is all that is left to improve.
PATIENCE = 10


class NuSolution(NamedTuple):
    """Coefficients with their certificate.

    Attributes
    ----------
    alpha : array (N,)
        Dual coefficients: within their bounds exactly, their sum up to rounding.
    rho : float
        The offset ρ, see :class:`~nestviz.solvers.box_sum.nu_certificate.NuCertificate`.
    field : array (N,)
        Kα at all points, computed afresh from the final coefficients.
    objective : float
        ½ αᵀKα − qᵀα.
    kkt_residual, duality_gap : float
        Certificate, recomputed from the coefficients.
    n_iter : int
        Rounds.
    converged : bool
        Whether ``duality_gap`` is within the tolerance asked for and ``kkt_residual`` within its
        square root.
    """

    alpha: FloatArray
    rho: float
    field: FloatArray
    objective: float
    kkt_residual: float
    duality_gap: float
    n_iter: int
    converged: bool


def solve_nu_one_class(
    K: FloatArray | Columns,
    upper: FloatArray,
    *,
    total: float = 1.0,
    linear: FloatArray | None = None,
    start: FloatArray | None = None,
    tol: float = TOLERANCE,
    max_iter: int = MAX_ITER,
    callback: Callback | None = None,
) -> NuSolution:
    """Solve the problem above by sequential minimal optimisation with Newton steps.

    Parameters
    ----------
    K : array (N, N) or Columns
        Symmetric positive semi-definite kernel matrix, or a provider of its rows.
    upper : array (N,)
        Upper bounds u; 1/(νm) each in the chapter. They must add up to ``total`` at least.
    total : float
        The sum s of the coefficients, positive.
    linear : array (N,), optional
        The linear term q, zero by default.
    start : array (N,), optional
        Coefficients to begin from, for example those of a neighbouring ν. They need not be
        feasible.
    tol : float
        Relative primal–dual gap to reach; the KKT residual has to reach its square root. How near
        the margin points come to ρ does not depend on it.
    max_iter : int
        Most rounds.
    callback : callable, optional
        Called with a :class:`~nestviz.solvers.records.Progress` between rounds; return True to
        stop with the feasible coefficients reached so far.

    Returns
    -------
    NuSolution

    Examples
    --------
    >>> import numpy as np
    >>> K = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> solution = solve_nu_one_class(K, np.ones(3))
    >>> solution.alpha.round(6), round(solution.rho, 6)
    (array([0.285714, 0.285714, 0.428571]), 0.428571)
    """
    check_tolerance(tol, max_iter)
    columns = as_columns(K)
    (upper,) = check_points(columns, upper=upper)
    q = _checked_linear(linear, len(upper))
    _check_total(total, upper)
    if start is None:
        alpha = starting_point(columns, upper, q, total)
    else:
        alpha = feasible(np.asarray(start, dtype=np.float64), upper, total)
    return _descend(columns, upper, q, total, alpha, tol, max_iter, callback)


def _descend(
    columns: Columns,
    upper: FloatArray,
    q: FloatArray,
    total: float,
    alpha: FloatArray,
    tol: float,
    max_iter: int,
    callback: Callback | None,
) -> NuSolution:
    """Rounds until the certificate is within ``tol``, judged on a field computed afresh."""
    F, fresh, iteration, stop = field_of(columns, alpha), True, 0, False
    lowest, idle, least = np.inf, 0, np.inf
    while True:
        state = certify(alpha, F, q, upper, columns.diagonal)
        if not fresh or iteration == 0:
            if callback is not None:
                stop = callback(Progress(iteration, state.objective, state.duality_gap))
            lowest, idle = (state.objective, 0) if state.objective < lowest else (lowest, idle + 1)
        done = _within(state, tol)
        violation = extremes(alpha, F - q, upper)[1]
        spread = _spread(state, float(alpha @ columns.diagonal), F - q, upper)
        if stop or (done and violation <= spread) or iteration >= max_iter or idle >= PATIENCE:
            if fresh:
                return NuSolution(alpha, state.rho, F, *state[:3], iteration, done)
            if done:
                polish(columns, alpha, F - q, upper)
            alpha = feasible(alpha, upper, total)
            F, fresh = field_of(columns, alpha), True
            continue
        # The gap is at most about the sum of the coefficients times the violation. Where that is
        # not enough, because bounds far above the coefficients count too, less is asked for.
        least = min(least, tol * abs(state.objective) / total, spread)
        least = SHRINK * violation if violation <= least else least
        points = working_set(alpha, F - q, upper)
        improve(columns, alpha, F, q, upper, points, max(least, SHRINK * violation))
        fresh, iteration = False, iteration + 1


def verified_nu(
    columns: Columns,
    solution: NuSolution,
    upper: FloatArray,
    *,
    linear: FloatArray | None = None,
    tol: float,
) -> NuSolution:
    """The solution with the field, ρ and the certificate that another source of K gives.

    Parameters
    ----------
    columns : Columns
        For example those of :mod:`nestviz.solvers.verification`.
    solution : NuSolution
        Of a solve with these bounds, linear term and tolerance.
    """
    q = _checked_linear(linear, len(upper))
    F = field_of(columns, solution.alpha)
    state = certify(solution.alpha, F, q, upper, columns.diagonal)
    return verified(solution._replace(field=F, rho=state.rho), state, tol)


def starting_point(columns: Columns, upper: FloatArray, q: FloatArray, total: float) -> FloatArray:
    """Coefficients at their bounds where the gradient is lowest: most of them will stay there.

    The gradient is that of equal shares in a small problem, and that of the solution for a part of
    the points in a large one.
    """
    rows = np.flatnonzero(upper > 0)
    if len(rows) <= WHOLE:
        share = upper * (total / upper.sum())
    else:
        rows = rows[np.linspace(0, len(rows) - 1, SAMPLE).astype(np.intp)]
        part = upper[rows] * (upper.sum() / upper[rows].sum())
        small, linear = columns.block(rows), q[rows]
        share = np.zeros(len(upper))
        share[rows] = solve_nu_one_class(
            small, part, total=total, linear=linear, tol=SAMPLE_TOLERANCE
        ).alpha
    order = np.argsort(field_of(columns, share) - q, kind="stable")
    before = np.concatenate([[0.0], np.cumsum(upper[order])[:-1]])
    alpha = np.zeros(len(upper))
    alpha[order] = np.clip(total - before, 0.0, upper[order])
    return feasible(alpha, upper, total)


def feasible(alpha: FloatArray, upper: FloatArray, total: float) -> FloatArray:
    """Coefficients near ``alpha`` within their bounds, exactly, and with the sum, up to rounding.

    A point within rounding of a bound is put on it. What is missing is taken from the room of the
    margin points, or else of all points alike; what is too much from their stock.
    """
    alpha = np.where(alpha >= upper - ROUNDING * total, upper, alpha)
    alpha[alpha <= ROUNDING * total] = 0.0
    missing = total - float(alpha.sum())
    # Sharing out a rounding error would take points off their bounds.
    if abs(missing) <= ROUNDING * total:
        return alpha
    if abs(missing) <= ACCUMULATED * total:
        return _topped_up(alpha, upper, missing)
    free = (alpha > 0) & (alpha < upper)
    for who in (free, np.ones(len(alpha), dtype=bool)):
        room = float((upper - alpha)[who].sum()) if missing > 0 else float(alpha[who].sum())
        if abs(missing) <= room and room > 0:
            part = missing / room
            moved = alpha + part * (upper - alpha) if missing > 0 else alpha + part * alpha
            return np.clip(np.where(who, moved, alpha), 0.0, upper)
    return upper.copy()


def _topped_up(alpha: FloatArray, upper: FloatArray, missing: float) -> FloatArray:
    """What rounding errors of many points add up to, put right by as few points as can."""
    room = upper - alpha if missing > 0 else alpha
    alpha = alpha.copy()
    for i in np.argsort(-room, kind="stable"):
        before = alpha[i]
        alpha[i] = min(max(before + missing, 0.0), upper[i])
        missing -= alpha[i] - before
        if missing == 0:
            break
    return alpha


def _spread(state: NuCertificate, unit: float, G: FloatArray, upper: FloatArray) -> float:
    """How far apart margin points may be at the end, in units of the gradient.

    A set is told by which points are above ρ and which below. With a wide kernel all values are
    nearly the same, and a gap that is small against their sum says nothing about the difference.
    Where the objective vanishes there is no set to be told.
    """
    if abs(state.objective) <= VANISHING * unit:
        return np.inf
    return max(SPREAD * float(np.ptp(G[upper > 0])), RESOLUTION * unit)


def _within(state: NuCertificate, tol: float) -> bool:
    return state.duality_gap <= tol and state.kkt_residual <= tol**0.5


def _checked_linear(linear: FloatArray | None, n: int) -> FloatArray:
    if linear is None:
        return np.zeros(n)
    q = np.ascontiguousarray(linear, dtype=np.float64)
    if q.shape != (n,) or not np.all(np.isfinite(q)):
        raise ValueError(f"linear must hold one finite number for each of the {n} points of K.")
    return q


def _check_total(total: float, upper: FloatArray) -> None:
    if not (np.isfinite(total) and total > 0):
        raise ValueError(f"total must be a positive number, got {total}.")
    if upper.sum() < total * (1.0 - 1e-12):
        raise ValueError(
            f"The upper bounds add up to {upper.sum():g}, less than the total {total:g} that the "
            f"coefficients must have: no coefficients satisfy both. Raise the bounds (a smaller ν)."
        )
