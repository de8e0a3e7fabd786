"""The q-OCSVM of Glazer, Lindenbaum & Markovitch (2013): one direction, an offset per quantile.

    min  1/(2q) Σ_jp Σ_is η_ji η_ps k(x_i, x_s)     s.t.  Σ_i η_ji = 1,   0 ≤ η_ji ≤ u_i/ν_j

with ν_j = 1 − α_j for quantiles α_1 < … < α_q; u_i = 1/n in the paper's (5). A general solver sees
qN variables. But the feasible sums a_i = Σ_j η_ji fill a polytope over which a linear function is
minimised by sorting: give most to the points of lowest field. So a sort of the field gives a start
and the exact primal–dual gap, and steps between pairs (:mod:`nestviz.solvers.quantile.smo`) do
the rest, at the cost of an ordinary one-class SVM.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.box_sum.nu_certificate import field_of
from nestviz.solvers.box_sum.nu_one_class import MAX_ITER, ROUNDING, TOLERANCE
from nestviz.solvers.checks import check_points, check_tolerance
from nestviz.solvers.columns import Columns, as_columns
from nestviz.solvers.quantile.certificate import (
    QuantileCertificate,
    certify,
    errors,
    shared_field,
    upper_bounds,
)
from nestviz.solvers.quantile.newton import newton_step
from nestviz.solvers.quantile.smo import SNAP, pair_steps
from nestviz.solvers.records import Callback, Progress

#: Problems up to this size are worked on whole.
WHOLE = 1000
#: Points of the smaller problem that a larger one begins from, and its accuracy.
SAMPLE = 500
SAMPLE_TOLERANCE = 1e-3
#: Turns of all quantiles within a round, and the part of the first turn's gain that ends it.
TURNS = 20
SLOW = 0.05
#: Pairs crawl when a round leaves more than this part of the gap; then Newton steps help.
CRAWL = 0.5
#: Violators that a working set has room for besides points between their bounds; most of either.
FEWEST_VIOLATORS = 500
LARGEST_SET = 1500
#: Rounds without a lower objective after which rounding is all that is left to improve.
PATIENCE = 10


class QuantileSolution(NamedTuple):
    """Coefficients with their certificate.

    Attributes
    ----------
    eta : array (q, N)
        Dual coefficients, one row for each quantile: within their bounds exactly, sums up to
        rounding.
    rho : array (q,)
        The offsets ρ_j, not increasing.
    field : array (N,)
        f = 1/q Σ_ji η_ji k(x_i, ·) at all points, computed afresh from the final coefficients.
    objective : float
        The dual objective (5).
    kkt_residual, duality_gap : float
        Certificate, recomputed from the coefficients.
    n_iter : int
        Rounds.
    converged : bool
        Whether ``duality_gap`` is within the tolerance asked for and ``kkt_residual`` within its
        square root.
    """

    eta: FloatArray
    rho: FloatArray
    field: FloatArray
    objective: float
    kkt_residual: float
    duality_gap: float
    n_iter: int
    converged: bool


def solve_quantiles(
    K: FloatArray | Columns,
    weights: FloatArray,
    quantiles: ArrayLike,
    *,
    tol: float = TOLERANCE,
    max_iter: int = MAX_ITER,
    callback: Callback | None = None,
) -> QuantileSolution:
    """Solve (5), and find the offsets (7).

    Parameters
    ----------
    K : array (N, N) or Columns
        Symmetric positive semi-definite kernel matrix, or a provider of its rows.
    weights : array (N,)
        Weights of the points, equal in the paper; only their proportions count.
    quantiles : array (q,)
        The quantiles α_j, ascending, each above 0 and below 1.
    tol : float
        Relative primal–dual gap to reach; the KKT residual has to reach its square root.
    max_iter : int
        Most rounds.
    callback : callable, optional
        Called with a :class:`~nestviz.solvers.records.Progress` between rounds; return True to
        stop with the feasible coefficients reached so far.

    Returns
    -------
    QuantileSolution

    Examples
    --------
    Far points that are all alike, and half of them to be left out:

    >>> import numpy as np
    >>> solution = solve_quantiles(np.eye(4), np.ones(4), [0.5])
    >>> solution.eta, solution.rho
    (array([[0.25, 0.25, 0.25, 0.25]]), array([0.25]))
    """
    check_tolerance(tol, max_iter)
    columns = as_columns(K)
    (weights,) = check_points(columns, weights=weights)
    if not weights.max(initial=0.0) > 0:
        raise ValueError("weights must not all be zero: at least one point has to count.")
    alpha = checked_quantiles(quantiles)
    eta = starting_point(columns, weights, alpha)
    return _descend(columns, weights, alpha, eta, tol, max_iter, callback)


def checked_quantiles(quantiles: ArrayLike) -> FloatArray:
    """Quantiles: at least one, above 0, below 1, ascending."""
    alpha = np.ascontiguousarray(quantiles, dtype=np.float64)
    if alpha.ndim != 1 or len(alpha) == 0:
        raise ValueError("quantiles must be a list of at least one number.")
    if not (np.all(alpha > 0) and np.all(alpha < 1) and np.all(np.diff(alpha) > 0)):
        raise ValueError(
            "quantiles must be above 0 and below 1, each larger than the one before it."
        )
    return alpha


def _descend(
    columns: Columns,
    weights: FloatArray,
    alpha: FloatArray,
    eta: FloatArray,
    tol: float,
    max_iter: int,
    callback: Callback | None,
) -> QuantileSolution:
    """Rounds until the certificate is within ``tol``, judged on a field computed afresh."""
    bounds, u = upper_bounds(weights, alpha), weights / weights.sum()
    F, fresh, iteration, stop = shared_field(columns, eta), True, 0, False
    lowest, idle, before = np.inf, 0, np.inf
    while True:
        state = certify(eta, F, u, alpha, bounds, columns.diagonal)
        if not fresh or iteration == 0:
            if callback is not None:
                stop = callback(Progress(iteration, state.objective, state.duality_gap))
            lowest, idle = (state.objective, 0) if state.objective < lowest else (lowest, idle + 1)
        done = _within(state, tol)
        if stop or done or iteration >= max_iter or idle >= PATIENCE:
            if fresh:
                certificate = (state.objective, state.kkt_residual, state.duality_gap)
                return QuantileSolution(eta, state.rho, F, *certificate, iteration, done)
            eta = settled(eta, bounds)
            F, fresh = shared_field(columns, eta), True
            continue
        points = working_set(eta, F, bounds, state.rho)
        improve(columns, eta, F, bounds, points, state.duality_gap > CRAWL * before)
        fresh, iteration, before = False, iteration + 1, state.duality_gap


def starting_point(columns: Columns, weights: FloatArray, alpha: FloatArray) -> FloatArray:
    """Coefficients at their bounds where a first field is lowest.

    The field is the density estimate of equal shares in a small problem, and that of the solution
    for a part of the points in a large one.
    """
    share = weights / weights.sum()
    rows = np.flatnonzero(weights > 0)
    if len(rows) > WHOLE:
        rows = rows[np.linspace(0, len(rows) - 1, SAMPLE).astype(np.intp)]
        small = solve_quantiles(columns.block(rows), weights[rows], alpha, tol=SAMPLE_TOLERANCE)
        share = np.zeros(len(weights))
        share[rows] = small.eta.sum(axis=0) / len(alpha)
    return filled(field_of(columns, share), upper_bounds(weights, alpha))


def filled(F: FloatArray, bounds: FloatArray) -> FloatArray:
    """The feasible coefficients of least Σ_ji η_ji F_i: bounds are filled from the lowest F on."""
    order = np.argsort(F, kind="stable")
    sorted_bounds = bounds[:, order]
    before = np.cumsum(sorted_bounds, axis=1) - sorted_bounds
    eta = np.empty_like(bounds)
    eta[:, order] = np.clip(1.0 - before, 0.0, sorted_bounds)
    return settled(eta, bounds)


def settled(eta: FloatArray, bounds: FloatArray) -> FloatArray:
    """Coefficients whose rows add up to one, with nothing left a rounding error off a bound."""
    eta = np.where(eta <= SNAP * bounds, 0.0, eta)
    eta = np.where(eta >= (1.0 - SNAP) * bounds, bounds, eta)
    for row, bound in zip(eta, bounds, strict=True):
        missing = 1.0 - float(row.sum())
        room = bound - row if missing > 0 else row
        # Rounding is put right by those with most room: shared by all, it would take every point
        # off its bound.
        for i in np.argsort(-room, kind="stable"):
            if abs(missing) <= ROUNDING:
                break
            before = row[i]
            row[i] = min(max(before + missing, 0.0), bound[i])
            missing -= row[i] - before
    return eta


def working_set(eta: FloatArray, F: FloatArray, bounds: FloatArray, rho: FloatArray) -> IndexArray:
    """Points between their bounds for some quantile and the worst of the others, in order.

    Of those that should grow and those that should shrink as many each, and for every quantile the
    two that most want to exchange: nobody then waits for a partner that is not there.
    """
    if len(F) <= WHOLE:
        return np.arange(len(F))
    grows, gives = eta < (1.0 - SNAP) * bounds, eta > SNAP * bounds
    gaps, _ = errors(eta, F, bounds, rho)
    free = np.flatnonzero((grows & gives).any(axis=0))
    if len(free) > LARGEST_SET:
        free = free[np.argsort(-gaps[:, free].sum(axis=0), kind="stable")[:LARGEST_SET]]
    count = min(max(FEWEST_VIOLATORS, len(free)), LARGEST_SET) // 2
    worst = [np.argsort(-side, kind="stable")[:count] for side in gaps]
    lowest = np.where(grows, F, np.inf).argmin(axis=1)
    highest = np.where(gives, F, -np.inf).argmax(axis=1)
    return np.unique(np.concatenate([free, *worst, lowest, highest]))


def improve(
    columns: Columns,
    eta: FloatArray,
    F: FloatArray,
    bounds: FloatArray,
    points: IndexArray,
    newton: bool,
) -> None:
    """Lower the objective over ``points`` alone, in place, until turns gain little."""
    K, diagonal = columns.block(points), columns.diagonal[points]
    whole = len(points) == len(F)
    mine = eta if whole else np.ascontiguousarray(eta[:, points])
    field = F if whole else F[points]
    limit = bounds if whole else np.ascontiguousarray(bounds[:, points])
    if newton:
        newton_step(K, mine, field, limit)
    first = pair_steps(K, diagonal, mine, field, limit)
    for _ in range(TURNS - 1):
        if pair_steps(K, diagonal, mine, field, limit) <= SLOW * first:
            break
    if whole:
        return
    change = (mine - eta[:, points]).sum(axis=0) / len(eta)
    eta[:, points] = mine
    moved = np.flatnonzero(change)
    F += columns.product_of(points[moved], np.ascontiguousarray(change[None, moved]))[0]


def _within(state: QuantileCertificate, tol: float) -> bool:
    return state.duality_gap <= tol and state.kkt_residual <= tol**0.5
