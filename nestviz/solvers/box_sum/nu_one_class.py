"""The ν form of the one-class SVM, and every other problem in a box with one fixed sum.

    min  ½ αᵀKα − qᵀα     s.t.  Σ_i α_i = s,   0 ≤ α_i ≤ u_i

With q = 0, s = 1 and u_i = 1/(νm) this is (8.13)–(8.15) of Schölkopf & Smola (2002); with q_i half
of k(x_i, x_i) it is half of the soft ball (8.18)–(8.19); with q_i the mean kernel value between x_i
and other points it is, up to a constant, the separation from their mean (8.49)–(8.51).

It is the problem of :mod:`nestviz.solvers.box_sum.records` with one group. Large problems start
from the solution for a sample of the points, so that only rows of K at points that matter are
needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.distances import inner
from nestviz.solvers.box_sum.newton import newton_step
from nestviz.solvers.box_sum.nu_certificate import VANISHING, NuCertificate, certify_nu, nu_box
from nestviz.solvers.box_sum.records import PairProblem, settle
from nestviz.solvers.box_sum.smo import distance
from nestviz.solvers.box_sum.solve import WHOLE, PairRounds, fill, part_of, repaired
from nestviz.solvers.checks import check_points, check_tolerance
from nestviz.solvers.columns import Columns, StoredMatrix, as_columns, field_of
from nestviz.solvers.descent import Judgement, descend
from nestviz.solvers.records import Callback
from nestviz.solvers.verification import verified

#: Relative primal–dual gap at which a solve ends.
TOLERANCE = 1e-6
#: Largest number of rounds.
MAX_ITER = 1000
#: A sum that is off by this part of itself is left as it is.
ROUNDING = 1e-13
#: Points of the smaller problem that a larger one starts from, and its tolerance.
SAMPLE = 200
SAMPLE_TOLERANCE = 1e-3
#: Margin points agree in the end to this part of the range of the gradient, whatever the
#: tolerance on the gap, or to this part of Σ α_i k(x_i, x_i), which is rounding.
SPREAD = 1e-6
RESOLUTION = 1e-14
#: With at most this many margin points a solve ends with a Newton step.
MOST_POLISHED = 500
#: Rounds without a lower objective after which only rounding is left to improve.
PATIENCE = 10


class NuSolution(NamedTuple):
    """Coefficients with their certificate.

    Attributes
    ----------
    alpha : ndarray of shape (n_points,)
        Dual coefficients: within their bounds exactly, their sum up to rounding.
    rho : float
        The offset ρ, see :class:`~nestviz.solvers.box_sum.nu_certificate.NuCertificate`.
    field : ndarray of shape (n_points,)
        Kα, recomputed from the final coefficients.
    objective : float
        ½ αᵀKα − qᵀα.
    kkt_residual, duality_gap : float
        Certificate, recomputed from the coefficients.
    n_iter : int
        Rounds.
    converged : bool
        Whether ``duality_gap`` is within the tolerance and ``kkt_residual`` within its square root.
    """

    alpha: FloatArray
    rho: float
    field: FloatArray
    objective: float
    kkt_residual: float
    duality_gap: float
    n_iter: int
    converged: bool


class NuRounds(PairRounds):
    """Rounds of a problem with one group, whose margin points have to agree at the end."""

    nu_certificate: NuCertificate

    def judge(self) -> Judgement:
        """Certify the current coefficients."""
        problem, alpha, diagonal = self.problem, self.c, self.columns.diagonal
        self.nu_certificate, self.gaps = certify_nu(problem, diagonal, alpha, self.F)
        state = self.nu_certificate
        self.unit, size = abs(state.objective), inner(alpha, diagonal)
        # A set depends on which points are above ρ. With a wide kernel all values are nearly the
        # same, and a gap that is small against their sum says nothing about the difference. Where
        # the objective vanishes there is no set.
        self.spread = np.inf
        if self.unit > VANISHING * size:
            width = float(np.ptp((self.F - problem.s)[problem.high > 0]))
            self.spread = max(SPREAD * width, RESOLUTION * size)
        done = self.converged and distance(problem, alpha, self.F) <= self.spread
        return Judgement(state.objective, state.duality_gap, done)

    @property
    def converged(self) -> bool:
        """Whether the gap is within the tolerance and the residual within its square root."""
        state = self.nu_certificate
        return state.duality_gap <= self.tol and state.kkt_residual <= self.tol**0.5

    def refresh(self, stopped: bool) -> None:
        """Take one more Newton step, restore the sum and recompute the field."""
        if not stopped:
            self.polish()
        self.c = feasible(self.c, self.problem.high, float(self.problem.total[0]))
        super().refresh(stopped)

    def polish(self) -> None:
        """Take one Newton step on the margin points.

        A tolerance on the objective leaves them apart by about its square root. One more step,
        cheap against those before it, brings them together, and ρ to nearly full accuracy.
        """
        free = np.flatnonzero((self.c > 0) & (self.c < self.problem.high))
        if not 2 <= len(free) <= MOST_POLISHED:
            return
        part, mine = part_of(self.problem, free), self.c[free]
        newton_step(self.columns.block(free), part, mine, self.F[free], MOST_POLISHED)
        # If a point met a bound, points outside this part might have to move as well.
        if np.all((mine > 0) & (mine < part.high)):
            self.c[free] = mine


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
    K : ndarray of shape (n_points, n_points) or Columns
        Symmetric positive semi-definite kernel matrix, or a provider of its rows.
    upper : ndarray of shape (n_points,)
        Upper bounds u; 1/(νm) each in the chapter. They must add up to ``total`` at least.
    total : float
        The sum s of the coefficients, positive.
    linear : ndarray of shape (n_points,), optional
        The linear term q, zero by default.
    start : ndarray of shape (n_points,), optional
        Coefficients to start from, for example those of a neighbouring ν. They need not be
        feasible.
    tol : float
        Relative primal–dual gap to reach; the KKT residual has to reach its square root. The
        distance of the margin points from ρ does not depend on it.
    max_iter : int
        Largest number of rounds.
    callback : callable, optional
        Called with a :class:`~nestviz.solvers.records.Progress` before each round; return True to
        stop with the feasible coefficients reached so far.

    Returns
    -------
    NuSolution

    Raises
    ------
    ValueError
        If an argument is not as described, or the bounds add up to less than ``total``.

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
    problem = nu_box(upper, linear, total)
    _check_total(total, upper)
    if start is None:
        share, begin = first_share(columns, problem), np.zeros(len(upper))
    else:
        share = begin = np.clip(np.asarray(start, dtype=np.float64), 0.0, upper)
    alpha = repaired(problem, begin, field_of(columns, share) - problem.s)
    settle(problem, alpha)
    rounds = NuRounds(columns, problem, alpha, field_of(columns, alpha), tol)
    n_iter = descend(rounds, max_iter=max_iter, patience=PATIENCE, callback=callback, fresh=True)
    objective, residual, gap, rho = rounds.nu_certificate
    return NuSolution(rounds.c, rho, rounds.F, objective, residual, gap, n_iter, rounds.converged)


def verified_nu(
    columns: Columns,
    solution: NuSolution,
    upper: FloatArray,
    *,
    linear: FloatArray | None = None,
    tol: float,
) -> NuSolution:
    """Return the solution with field, ρ and certificate from another source of K."""
    F = field_of(columns, solution.alpha)
    problem = nu_box(upper, linear, float(solution.alpha.sum()))
    state, _ = certify_nu(problem, columns.diagonal, solution.alpha, F)
    return verified(solution._replace(field=F, rho=state.rho), state, tol)


def first_share(columns: Columns, problem: PairProblem) -> FloatArray:
    """Return coefficients whose gradient shows which points will have one.

    Equal shares in a small problem, the solution for a sample of the points in a large one.
    """
    upper, total = problem.high, float(problem.total[0])
    rows = np.flatnonzero(upper > 0)
    if len(rows) <= WHOLE:
        return upper * (total / upper.sum())
    rows = rows[np.linspace(0, len(rows) - 1, SAMPLE).astype(np.intp)]
    bounds = upper[rows] * (upper.sum() / upper[rows].sum())
    share = np.zeros(len(upper))
    share[rows] = solve_nu_one_class(
        StoredMatrix(columns.block(rows)), bounds,
        total=total, linear=problem.s[rows], tol=SAMPLE_TOLERANCE,
    ).alpha  # fmt: skip
    return share


def feasible(alpha: FloatArray, upper: FloatArray, total: float) -> FloatArray:
    """Return coefficients near ``alpha`` within their bounds, exactly, and with the sum.

    A coefficient within rounding of a bound is moved onto it. What the sum then lacks, or has too
    much, goes to as few points as possible, those farthest from their bounds first: shared by all,
    it would take every point off its bound.
    """
    alpha = np.where(alpha >= upper - ROUNDING * total, upper, alpha)
    alpha[alpha <= ROUNDING * total] = 0.0
    if abs(total - float(alpha.sum())) > ROUNDING * total:
        order = np.argsort(-np.minimum(alpha, upper - alpha), kind="stable")
        fill(nu_box(upper, None, total), alpha, order, total)
    return alpha


def _check_total(total: float, upper: FloatArray) -> None:
    if not (np.isfinite(total) and total > 0):
        raise ValueError(f"total must be a positive number, got {total}.")
    if upper.sum() < total * (1.0 - 1e-12):
        raise ValueError(
            f"The upper bounds add up to {upper.sum():g}, less than the total {total:g} that the "
            f"coefficients must have: no coefficients satisfy both. Raise the bounds (a smaller ν)."
        )
