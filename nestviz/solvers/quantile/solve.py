"""The q-OCSVM of Glazer, Lindenbaum & Markovitch (2013): one direction, an offset per quantile.

    min  1/(2q) Σ_jp Σ_is η_ji η_ps k(x_i, x_s)     s.t.  Σ_i η_ji = 1,   0 ≤ η_ji ≤ u_i/ν_j

with ν_j = 1 − α_j for quantiles α_1 < … < α_q; u_i = 1/n in the paper's (5). There are qN
variables, but a linear function of the sums Σ_j η_ji is minimised by sorting: most goes to the
points of lowest field. So a sort of the field gives a start and the exact primal–dual gap, and
steps between pairs (:mod:`nestviz.solvers.quantile.smo`) cost as much as in a one-class SVM.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.box_sum.nu_one_class import MAX_ITER, TOLERANCE, feasible
from nestviz.solvers.checks import check_points, check_tolerance
from nestviz.solvers.columns import Columns, as_columns, field_of
from nestviz.solvers.descent import Judgement, descend
from nestviz.solvers.quantile.certificate import (
    QuantileCertificate,
    certify,
    errors,
    shared_field,
    upper_bounds,
)
from nestviz.solvers.quantile.newton import newton_step
from nestviz.solvers.quantile.smo import SNAP, pair_steps
from nestviz.solvers.records import Callback

#: Problems up to this size are worked on whole.
WHOLE = 1000
#: Points of the smaller problem that a larger one starts from, and its tolerance.
SAMPLE, SAMPLE_TOLERANCE = 500, 1e-3
#: Turns of all quantiles within a round, and the part of the first turn's gain that ends it.
TURNS, SLOW_TURN = 20, 0.05
#: A round that leaves more than this part of the gap is followed by one with Newton steps, which
#: alternate with turns so many times.
SLOW_ROUND, CYCLES = 0.5, 3
#: Violators of a working set besides points between their bounds; most of either.
FEWEST_VIOLATORS = 500
LARGEST_SET = 1500
#: Rounds without a lower objective after which only rounding is left to improve.
PATIENCE = 10


class QuantileSolution(NamedTuple):
    """Coefficients with their certificate.

    Attributes
    ----------
    eta : ndarray of shape (n_quantiles, n_points)
        Dual coefficients, one row for each quantile: within their bounds exactly, sums up to
        rounding.
    rho : ndarray of shape (n_quantiles,)
        The offsets ρ_j, not increasing.
    field : ndarray of shape (n_points,)
        f = 1/q Σ_ji η_ji k(x_i, ·) at all points, recomputed from the final coefficients.
    objective : float
        The dual objective (5).
    kkt_residual, duality_gap : float
        Certificate, recomputed from the coefficients.
    n_iter : int
        Rounds.
    converged : bool
        Whether ``duality_gap`` is within the tolerance and ``kkt_residual`` within its square root.
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
    """Solve the dual (5) and find the offsets (7).

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Symmetric positive semi-definite kernel matrix, or a provider of its rows.
    weights : ndarray of shape (n_points,)
        Weights of the points, equal in the paper; only their proportions count.
    quantiles : ndarray of shape (n_quantiles,)
        The quantiles α_j, ascending, each above 0 and below 1.
    tol : float
        Relative primal–dual gap to reach; the KKT residual has to reach its square root.
    max_iter : int
        Largest number of rounds.
    callback : callable, optional
        Called with a :class:`~nestviz.solvers.records.Progress` before each round; return True to
        stop with the feasible coefficients reached so far.

    Returns
    -------
    QuantileSolution

    Examples
    --------
    Four distant points, half of them outside the set:

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
    rounds = QuantileRounds(columns, weights, alpha, tol)
    n_iter = descend(rounds, max_iter=max_iter, patience=PATIENCE, callback=callback, fresh=True)
    objective, residual, gap, rho = rounds.certificate
    return QuantileSolution(
        rounds.eta, rho, rounds.F, objective, residual, gap, n_iter, rounds.converged
    )


def checked_quantiles(quantiles: ArrayLike) -> FloatArray:
    """Return quantiles as an array: at least one, above 0, below 1, ascending."""
    alpha = np.ascontiguousarray(quantiles, dtype=np.float64)
    if alpha.ndim != 1 or len(alpha) == 0:
        raise ValueError("quantiles must be a list of at least one number.")
    if not (np.all(alpha > 0) and np.all(alpha < 1) and np.all(np.diff(alpha) > 0)):
        raise ValueError(
            "quantiles must be above 0 and below 1, each larger than the one before it."
        )
    return alpha


class QuantileRounds:
    """A problem with its current coefficients η and their field F."""

    certificate: QuantileCertificate

    def __init__(self, columns: Columns, weights: FloatArray, alpha: FloatArray, tol: float):
        self.columns, self.alpha, self.tol = columns, alpha, tol
        self.bounds, self.u = upper_bounds(weights, alpha), weights / weights.sum()
        self.eta = starting_point(columns, weights, alpha)
        self.F, self.before = shared_field(columns, self.eta), np.inf

    def judge(self) -> Judgement:
        """Certify the current coefficients."""
        state = self.certificate = certify(
            self.eta, self.F, self.u, self.alpha, self.bounds, self.columns.diagonal
        )
        return Judgement(state.objective, state.duality_gap, self.converged)

    @property
    def converged(self) -> bool:
        """Whether the gap is within the tolerance and the residual within its square root."""
        state = self.certificate
        return state.duality_gap <= self.tol and state.kkt_residual <= self.tol**0.5

    def refresh(self, stopped: bool) -> None:
        """Restore the sums and recompute the field."""
        self.eta = settled(self.eta, self.bounds)
        self.F = shared_field(self.columns, self.eta)

    def improve(self) -> None:
        """Lower the objective over a working set until turns gain little."""
        eta, F, gap = self.eta, self.F, self.certificate.duality_gap
        points = working_set(eta, F, self.bounds, self.certificate.rho)
        whole = len(points) == len(F)
        mine = eta if whole else np.ascontiguousarray(eta[:, points])
        field = F if whole else F[points]
        limit = self.bounds if whole else np.ascontiguousarray(self.bounds[:, points])
        K = self.columns.block(points)
        slow = gap > SLOW_ROUND * self.before
        self.before = gap
        refine(K, self.columns.diagonal[points], mine, field, limit, slow)
        if not whole:
            change = (mine - eta[:, points]).sum(axis=0) / len(eta)
            eta[:, points] = mine
            moved = np.flatnonzero(change)
            F += self.columns.product_of(points[moved], change[None, moved])[0]


def refine(
    K: FloatArray,
    diagonal: FloatArray,
    eta: FloatArray,
    F: FloatArray,
    bounds: FloatArray,
    slow: bool,
) -> None:
    """Lower the objective in place: by turns until they gain little, after Newton steps if slow."""
    for _ in range(CYCLES):
        settled = slow and newton_step(K, eta, F, bounds)
        first = pair_steps(K, diagonal, eta, F, bounds)
        for _ in range(TURNS - 1):
            if pair_steps(K, diagonal, eta, F, bounds) <= SLOW_TURN * first:
                break
        if not settled:
            break


def starting_point(columns: Columns, weights: FloatArray, alpha: FloatArray) -> FloatArray:
    """Return coefficients at their bounds where a first field is lowest.

    The field is that of equal shares in a small problem, and that of the solution for a sample of
    the points in a large one.
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
    """Return the feasible coefficients of least Σ_ji η_ji F_i: the lowest F are filled first."""
    order = np.argsort(F, kind="stable")
    sorted_bounds = bounds[:, order]
    before = np.cumsum(sorted_bounds, axis=1) - sorted_bounds
    eta = np.empty_like(bounds)
    eta[:, order] = np.clip(1.0 - before, 0.0, sorted_bounds)
    return settled(eta, bounds)


def settled(eta: FloatArray, bounds: FloatArray) -> FloatArray:
    """Return coefficients whose rows add up to one, none a rounding error off its bound."""
    rows = zip(eta, bounds, strict=True)
    return np.array([feasible(row, bound, 1.0) for row, bound in rows])


def working_set(eta: FloatArray, F: FloatArray, bounds: FloatArray, rho: FloatArray) -> IndexArray:
    """Return points between their bounds for some quantile and the worst of the others, sorted.

    There are as many that should grow as that should shrink, and for every quantile the two of
    lowest and highest field, so that every quantile has a feasible pair.
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
