"""Solve the nested SVMs of Lee & Scott (2010), and with one level the plain ones."""

from __future__ import annotations

from nestviz.arrays import FloatArray
from nestviz.solvers.checks import (
    check_asymmetries,
    check_lam,
    check_levels,
    check_points,
    check_tolerance,
)
from nestviz.solvers.columns import Columns, as_columns
from nestviz.solvers.nested.convergence import within
from nestviz.solvers.nested.decomposition import Descent, Start, solve_chains
from nestviz.solvers.nested.problems import CostSensitiveProblem, NestedProblem, OneClassProblem
from nestviz.solvers.records import Callback, Solution

#: Relative primal–dual gap at which a solve ends.
TOLERANCE = 1e-6
#: Largest number of rounds.
MAX_ITER = 1000


def solve_one_class(
    K: FloatArray | Columns,
    upper: FloatArray,
    levels: FloatArray,
    *,
    tol: float = TOLERANCE,
    max_iter: int = MAX_ITER,
    callback: Callback | None = None,
) -> Solution:
    """Solve the nested one-class SVM (12)–(14); with one level the one-class SVM (5).

        min  Σ_m [ 1/(2λ_m) α_mᵀ K α_m − Σ_i α_im ]
        s.t. 0 ≤ α_im ≤ u_i,   α_i1/λ_1 ≤ … ≤ α_iM/λ_M

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Symmetric positive semi-definite kernel matrix, or a provider of its rows.
    upper : ndarray of shape (n_points,)
        Upper bounds u, 1/N each in the paper; sample weights scale them.
    levels : ndarray of shape (n_levels,)
        Levels λ, positive and not increasing.
    tol : float
        Relative primal–dual gap to reach; the KKT residual has to reach its square root.
    max_iter : int
        Largest number of rounds.
    callback : callable, optional
        Called with a :class:`~nestviz.solvers.records.Progress` before each round; return True to
        stop with the feasible coefficients reached so far.

    Returns
    -------
    Solution

    Examples
    --------
    Two distant points at a level below and a level above 1/2, their common density:

    >>> import numpy as np
    >>> solution = solve_one_class(np.eye(2), np.array([0.5, 0.5]), np.array([1.0, 0.25]))
    >>> solution.alpha
    array([[0.5 , 0.5 ],
           [0.25, 0.25]])
    """
    check_tolerance(tol, max_iter)
    columns = as_columns(K)
    (upper,) = check_points(columns, upper=upper)
    levels = check_levels(levels)
    problem = OneClassProblem(columns, upper)
    return as_solution(solve_at(problem, levels, tol, max_iter, callback), tol)


def solve_cost_sensitive(
    K: FloatArray | Columns,
    y: FloatArray,
    weights: FloatArray,
    lam: float,
    asymmetries: FloatArray,
    *,
    tol: float = TOLERANCE,
    max_iter: int = MAX_ITER,
    callback: Callback | None = None,
) -> Solution:
    """Solve the nested cost-sensitive SVM (7)–(9); with one asymmetry the plain one (2).

        min  Σ_m [ 1/(2λ) Σ_ij α_im α_jm y_i y_j K_ij − Σ_i α_im ]
        s.t. 0 ≤ α_im ≤ w_i (1{y_i < 0} + y_i γ_m),   y_i α_i1 ≤ … ≤ y_i α_iM

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Symmetric positive semi-definite kernel matrix, or a provider of its rows.
    y : ndarray of shape (n_points,)
        Classes, −1 or +1; one of them may be missing.
    weights : ndarray of shape (n_points,)
        Weights w that scale the upper bounds, 1 each in the paper.
    lam : float
        Regularisation λ.
    asymmetries : ndarray of shape (n_levels,)
        Cost asymmetries γ in [0, 1], not decreasing.
    tol : float
        Relative primal–dual gap to reach; the KKT residual has to reach its square root.
    max_iter : int
        Largest number of rounds.
    callback : callable, optional
        Called with a :class:`~nestviz.solvers.records.Progress` before each round; return True to
        stop with the feasible coefficients reached so far.

    Returns
    -------
    Solution

    Examples
    --------
    >>> import numpy as np
    >>> y, w = np.array([1.0, -1.0]), np.ones(2)
    >>> solve_cost_sensitive(np.eye(2), y, w, 2.0, np.array([0.0, 0.5, 1.0])).alpha
    array([[0. , 1. ],
           [0.5, 0.5],
           [1. , 0. ]])
    """
    check_tolerance(tol, max_iter)
    columns = as_columns(K)
    y, weights = check_points(columns, y=y, weights=weights)
    lam, asymmetries = check_lam(lam), check_asymmetries(asymmetries)
    problem = CostSensitiveProblem(columns, y, weights, lam)
    return as_solution(solve_at(problem, asymmetries, tol, max_iter, callback), tol)


def solve_at(
    problem: NestedProblem,
    levels: FloatArray,
    tol: float,
    max_iter: int,
    callback: Callback | None = None,
    *,
    polished: bool = True,
    start: Start | None = None,
) -> Descent:
    """Solve a problem at some levels, from feasible coefficients if a ``start`` is given."""

    def settle(b: FloatArray) -> tuple[FloatArray, FloatArray]:
        alpha = problem.settled(b, levels)
        return alpha, problem.variables(alpha, levels)

    return solve_chains(
        problem.columns, problem.chains(levels), settle,
        tol=tol, max_iter=max_iter, callback=callback, polished=polished, start=start,
    )  # fmt: skip


def as_solution(end: Descent, tol: float) -> Solution:
    """Return the solution of a solve, and whether it is within its tolerance."""
    return Solution(end.alpha, *end.certificate, end.n_iter, within(end.certificate, tol))
