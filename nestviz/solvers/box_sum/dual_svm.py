"""The 2C-SVM and the 2ν-SVM of Davenport (2007), sections 2.2 to 2.4, with offset.

Both are solved in signed coefficients c = yα, see :mod:`nestviz.solvers.box_sum.records`. In units
of ν/2 the coefficients of a class of the 2ν-SVM add up to one. So it finds the nearest points of
two *reduced hulls*: weighted means of each class with no weight above 1/(ν₊ n₊), or 1/(ν₋ n₋).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.box_sum.dual_parameters import (
    check_nu,
    class_shares,
    class_weights,
    to_nu_gamma,
)
from nestviz.solvers.box_sum.records import PairCertificate, PairProblem, certify, settle
from nestviz.solvers.box_sum.solve import PairSolution, repaired, solve_pairs
from nestviz.solvers.checks import check_points, check_tolerance
from nestviz.solvers.columns import Columns, as_columns, field_of
from nestviz.solvers.records import Callback

#: Relative primal–dual gap at which a solve ends.
TOLERANCE = 1e-6
#: Largest number of rounds.
MAX_ITER = 1000


class DualSolution(NamedTuple):
    """Coefficients with offset, margin and certificate.

    Attributes
    ----------
    alpha : ndarray of shape (n_points,)
        Dual coefficients as the thesis scales them.
    offset : float
        b: the classifier is the sign of Σ_i α_i y_i k(x_i, x) + b.
    margin : float
        ρ: 1 for the 2C-SVM.
    objective : float
        Dual objective as the thesis writes it, a minimum.
    kkt_residual : float
        Mean violation of the optimality conditions in units of the margin, weighted by the bounds.
    duality_gap : float
        Primal minus dual value, relative to the dual value.
    n_iter : int
        Rounds.
    converged : bool
        Whether ``duality_gap`` is within the tolerance.
    is_trivial : bool
        Whether w = 0: the reduced hulls intersect (Theorem 3, ν ≤ ν_*).
    """

    alpha: FloatArray
    offset: float
    margin: float
    objective: float
    kkt_residual: float
    duality_gap: float
    n_iter: int
    converged: bool
    is_trivial: bool


def cost_problem(y: FloatArray, weights: FloatArray, C: float, gamma: float) -> PairProblem:
    """Return (D_2C): bounds C γ and C (1 − γ) times the weights, one sum that is zero."""
    bound = C * weights * np.where(y > 0, gamma, 1.0 - gamma)
    low, high = np.where(y > 0, 0.0, -bound), np.where(y > 0, bound, 0.0)
    return PairProblem(y, low, high, np.zeros(len(y), dtype=np.intp), np.zeros(1))


def nu_problem(y: FloatArray, weights: FloatArray, nu_plus: float, nu_minus: float) -> PairProblem:
    """Return (D_2ν) in units of ν/2: class +1 is group 0 and sums to 1, the other to −1."""
    positive = y > 0
    share = class_shares(y, weights)
    bound = share / np.where(positive, nu_plus, nu_minus)
    low, high = np.where(positive, 0.0, -bound), np.where(positive, bound, 0.0)
    group = np.where(positive, 0, 1).astype(np.intp)
    return PairProblem(np.zeros(len(y)), low, high, group, np.array([1.0, -1.0]))


def offset_and_margin(solution: PairSolution) -> tuple[float, float]:
    """Return (b, ρ) from the multipliers of the sums, in the units of the solution.

    A free point has gradient ρ − b if it is positive and −ρ − b if negative.
    """
    mu = solution.multipliers
    if len(mu) == 1:
        return -float(mu[0]), 1.0
    if solution.certificate.vanished:
        return 0.0, 0.0
    return -0.5 * float(mu[0] + mu[1]), 0.5 * float(mu[0] - mu[1])


def solve_dual_cost(
    K: FloatArray | Columns,
    y: FloatArray,
    weights: FloatArray,
    C: float,
    gamma: float,
    *,
    start: FloatArray | None = None,
    tol: float = TOLERANCE,
    max_iter: int = MAX_ITER,
    callback: Callback | None = None,
) -> DualSolution:
    """Solve the 2C-SVM (D_2C).

        min  ½ Σ_ij α_i α_j y_i y_j K_ij − Σ_i α_i
        s.t. 0 ≤ α_i ≤ C γ w_i (y_i = +1) or C (1 − γ) w_i (y_i = −1),   Σ_i α_i y_i = 0

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Symmetric positive semi-definite kernel matrix, or a provider of its rows.
    y : ndarray of shape (n_points,)
        Classes, −1 and +1.
    weights : ndarray of shape (n_points,)
        Weights w that scale the upper bounds, 1 each in the thesis.
    C : float
        Cost of margin errors, positive.
    gamma : float
        Cost asymmetry in [0, 1].
    start : ndarray of shape (n_points,), optional
        Coefficients of a similar problem to start from.
    tol : float
        Relative primal–dual gap to reach.
    max_iter : int
        Largest number of rounds.
    callback : callable, optional
        Called with a :class:`~nestviz.solvers.records.Progress` before each round; return True to
        stop with the feasible coefficients reached so far.

    Returns
    -------
    DualSolution

    Examples
    --------
    >>> import numpy as np
    >>> solve_dual_cost(np.eye(2), np.array([1.0, -1.0]), np.ones(2), 10.0, 0.5).alpha
    array([1., 1.])
    """
    check_tolerance(tol, max_iter)
    columns = as_columns(K)
    y, weights = check_points(columns, y=y, weights=weights)
    class_weights(y, weights)
    problem = cost_problem(y, weights, C, gamma)
    begin = np.zeros(len(y)) if start is None else _near(columns, problem, y * start)
    end = solve_pairs(columns, problem, begin, tol=tol, max_iter=max_iter, callback=callback)
    return _scaled(end, 1.0)


def solve_dual_nu(
    K: FloatArray | Columns,
    y: FloatArray,
    weights: FloatArray,
    nu_plus: float,
    nu_minus: float,
    *,
    start: FloatArray | None = None,
    tol: float = TOLERANCE,
    max_iter: int = MAX_ITER,
    callback: Callback | None = None,
) -> DualSolution:
    """Solve the 2ν-SVM (D_2ν), with ν and γ from ν₊ and ν₋ by section 2.3::

        min  ½ Σ_ij α_i α_j y_i y_j K_ij
        s.t. 0 ≤ α_i ≤ γ w_i/n (y_i = +1) or (1 − γ) w_i/n (y_i = −1),
             Σ_i α_i y_i = 0,   Σ_i α_i = ν

    In the thesis the last sum may exceed ν; by its Proposition 2 equality is no restriction.

    Parameters
    ----------
    K, y, weights
        As in :func:`solve_dual_cost`; n is the sum of the weights.
    nu_plus, nu_minus : float
        In (0, 1]: upper bounds of the fraction of margin errors of each class, lower bounds of its
        fraction of support vectors, if the optimal objective is not zero (Proposition 3).
    start : ndarray of shape (n_points,), optional
        Coefficients of a similar problem to start from, in any positive multiple.
    tol, max_iter, callback
        As in :func:`solve_dual_cost`.

    Returns
    -------
    DualSolution

    Examples
    --------
    >>> import numpy as np
    >>> solution = solve_dual_nu(np.eye(2), np.array([1.0, -1.0]), np.ones(2), 1.0, 1.0)
    >>> solution.alpha, solution.margin
    (array([0.25, 0.25]), 0.25)
    """
    check_tolerance(tol, max_iter)
    columns = as_columns(K)
    y, weights = check_points(columns, y=y, weights=weights)
    check_nu("nu_plus", nu_plus)
    check_nu("nu_minus", nu_minus)
    plus, minus = class_weights(y, weights)
    problem = nu_problem(y, weights, nu_plus, nu_minus)
    if start is None:
        # Points at their bounds, those nearest the other class: few are left to move, while from
        # equal shares nearly all would have to.
        gradient = field_of(columns, y * class_shares(y, weights))
        begin = repaired(problem, np.zeros(len(y)), gradient)
    else:
        begin = _near(columns, problem, _in_shares(y, start))
    end = solve_pairs(columns, problem, begin, tol=tol, max_iter=max_iter, callback=callback)
    nu, _ = to_nu_gamma(nu_plus, nu_minus, plus, minus)
    return _scaled(end, 0.5 * nu)


def dual_cost_certificate(
    K: FloatArray | Columns,
    alpha: FloatArray,
    y: FloatArray,
    weights: FloatArray,
    C: float,
    gamma: float,
) -> DualSolution:
    """Certify feasible coefficients of (D_2C).

    Parameters
    ----------
    K, y, weights, C, gamma
        As in :func:`solve_dual_cost`.
    alpha : ndarray of shape (n_points,)
        Coefficients.

    Returns
    -------
    DualSolution
    """
    return _certified(as_columns(K), cost_problem(y, weights, C, gamma), y, alpha, 1.0)


def dual_nu_certificate(
    K: FloatArray | Columns,
    alpha: FloatArray,
    y: FloatArray,
    weights: FloatArray,
    nu_plus: float,
    nu_minus: float,
) -> DualSolution:
    """Certify feasible coefficients of (D_2ν).

    Parameters
    ----------
    K, y, weights, nu_plus, nu_minus
        As in :func:`solve_dual_nu`.
    alpha : ndarray of shape (n_points,)
        Coefficients.

    Returns
    -------
    DualSolution
    """
    nu, _ = to_nu_gamma(nu_plus, nu_minus, *class_weights(y, weights))
    problem = nu_problem(y, weights, nu_plus, nu_minus)
    return _certified(as_columns(K), problem, y, alpha, 0.5 * nu)


def _near(columns: Columns, problem: PairProblem, c: FloatArray) -> FloatArray:
    """Return feasible coefficients near those of a similar problem."""
    return repaired(problem, c, columns.product(c[None])[0] - problem.s)


def _in_shares(y: FloatArray, alpha: FloatArray) -> FloatArray:
    """Return signed coefficients that sum to +1 and −1."""
    plus, minus = class_weights(y, np.asarray(alpha, dtype=np.float64))
    return y * alpha / np.where(y > 0, plus, minus)


def _certified(
    columns: Columns, problem: PairProblem, y: FloatArray, alpha: FloatArray, unit: float
) -> DualSolution:
    c = y * alpha / unit
    # Scaling may have moved a coefficient off its bound by rounding, and it would count as free.
    settle(problem, c)
    F = columns.product(c[None])[0]
    state, mu, _ = certify(problem, columns.diagonal, c, F)
    return _scaled(PairSolution(c, F, mu, state, 0, False), unit)


def _scaled(end: PairSolution, unit: float) -> DualSolution:
    """Return the solution in the scale of the thesis; ``unit`` is that of the coefficients."""
    offset, margin = offset_and_margin(end)
    state = end.certificate
    return DualSolution(
        alpha=np.abs(end.c) * unit,
        offset=offset * unit,
        margin=margin * unit,
        objective=state.objective * unit**2,
        kkt_residual=_in_margins(state, margin),
        duality_gap=state.relative_gap,
        n_iter=end.n_iter,
        converged=end.converged,
        is_trivial=state.vanished,
    )


def _in_margins(state: PairCertificate, margin: float) -> float:
    """Return the mean violation in units of the margin."""
    if state.vanished or state.violation == 0.0:
        return 0.0
    return state.violation / margin if margin > 0 else float("inf")
