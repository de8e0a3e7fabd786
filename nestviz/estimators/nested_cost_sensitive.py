"""The nested cost-sensitive SVM: all cost asymmetries at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.adaptive_levels import (
    first_levels,
    is_adaptive,
    keep_level_certificate,
    solved_adaptively,
    weights_of,
)
from nestviz.estimators.base import Problem, check_nonnegative, rows_at
from nestviz.estimators.checks import checked_number
from nestviz.estimators.cost_sensitive_problem import CostSensitiveEstimator, cost_family
from nestviz.estimators.nesting_certificate import keep_nesting_defect
from nestviz.estimators.two_classes import checked_gamma
from nestviz.families import SetFamily
from nestviz.renamed import renamed
from nestviz.solvers.nested.adaptive import AdaptiveSolution
from nestviz.solvers.nested.problems import CostSensitiveProblem
from nestviz.solvers.nested.solve import solve_cost_sensitive
from nestviz.solvers.records import Callback, Solution

ROUNDING = 1e-13
"""Field values up to this share of their terms are taken for zero: where classes share a point with
equal weights, opposite coefficients cancel and leave rounding, which must not pick a side."""


@renamed(gamma="level")
class NestedCostSensitiveSVM(CostSensitiveEstimator):
    """Nested cost-sensitive SVM: all cost asymmetries at once, sets that never cross.

    ::

        min  Σ_m [ 1/(2λ) Σ_ij α_im α_jm y_i y_j k(x_i, x_j) − Σ_i α_im ]
        subject to  0 ≤ α_im ≤ γ_m or 1 − γ_m,   y_i α_i1 ≤ … ≤ y_i α_iM

    for γ_1 < … < γ_M (Lee & Scott 2010, eqs. 7–11). Between them coefficients are interpolated.
    The positive sets only grow with γ (Proposition 1), because the kernel is not negative.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or the rule "auto" or "median", as in `OneClassSVM`.
    lam : float
        Regularisation λ > 0.
    asymmetries : int, ndarray or "adaptive"
        The number of asymmetries γ, evenly spaced from 0 to 1; or their values, in any order.
        Where 0 or 1 is missing, the family ends at the smallest or the largest value. "adaptive"
        inserts asymmetries between 0 and 1 where interpolated coefficients have the largest duality
        gap, until none exceeds ``level_tol``: see :doc:`/adaptive-levels`.
    level : float
        The asymmetry γ at which `decision_function` and `predict` answer.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`; the kernel must not be negative.
    level_tol, max_levels : float, int
        For adaptive asymmetries, as in `NestedOneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        All sets over γ; nested by construction.
    asymmetries_ : ndarray of shape (n_levels,)
        γ_1 < … < γ_M.
    alpha_ : ndarray of shape (n_levels, n_points)
        Coefficients, row m for γ_m. They satisfy the constraints to the last bit.
    classes_, objective_, kkt_residual_, duality_gap_, n_iter_, converged_, lambda_max_
        As in `CostSensitiveSVM`.
    nesting_defect_, certificate_, level_weights_, level_rounds_, round_gaps_
        As in `NestedOneClassSVM`; the certificate holds for every γ.
    """

    _title = "The nested cost-sensitive SVM"

    def __init__(
        self,
        sigma: float | str = "auto",
        lam: float = 1.0,
        asymmetries: int | ArrayLike | str = 5,
        *,
        level: float = 0.5,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
        level_tol: float = 1e-3,
        max_levels: int = 200,
    ) -> None:
        self.sigma = sigma
        self.lam = lam
        self.asymmetries = asymmetries
        self.level = level
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter
        self.level_tol = level_tol
        self.max_levels = max_levels

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        lam = checked_number("lam", self.lam, above=0.0)
        check_nonnegative(problem.kernel)
        posed = CostSensitiveProblem(
            problem.columns, problem.y, problem.weights, lam, weighted=is_adaptive(self.asymmetries)
        )
        asymmetries, solution, inserted = self._solved(posed, callback)
        self.asymmetries_ = asymmetries
        self.alpha_ = self._keep_verified(problem, solution, lam, asymmetries, weights_of(inserted))
        keep_level_certificate(self, posed, problem.verifying, inserted)
        self.family_ = nested_cost_family(problem, asymmetries, solution.alpha, lam)
        keep_nesting_defect(self, self._title)

    def _solved(
        self, posed: CostSensitiveProblem, callback: Callback | None
    ) -> tuple[FloatArray, Solution, AdaptiveSolution | None]:
        """Return asymmetries, the solution there, and how they were inserted, if they were."""
        if is_adaptive(self.asymmetries):
            first = first_levels(0.0, 1.0)
            self.level_ = _level_within(self.level, first)
            found = solved_adaptively(self, posed, first, callback)
            return found.levels, found.solution, found
        asymmetries = ascending_asymmetries(self.asymmetries)
        self.level_ = _level_within(self.level, asymmetries)
        solution = solve_cost_sensitive(
            *posed[:-1], asymmetries, tol=self.tol, max_iter=self.max_iter, callback=callback
        )
        return asymmetries, solution, None

    def _coefficients(self, levels: FloatArray) -> FloatArray:
        return rows_at(levels, self.asymmetries_, self.alpha_)


def nested_cost_family(
    problem: Problem, asymmetries: FloatArray, alpha: FloatArray, lam: float
) -> SetFamily:
    """Return the sets of nested coefficients ``alpha``, one row for each asymmetry."""
    coefficients = alpha * problem.y / lam
    return cost_family(
        problem,
        levels=asymmetries,
        coefficients=coefficients,
        offsets=np.zeros(asymmetries.size),
        is_nested=True,
        tolerance=ROUNDING * _largest_field(problem, coefficients),
    )


def _largest_field(problem: Problem, coefficients: FloatArray) -> float:
    """Return a bound on the field at the points: the sum of the absolute values of its terms."""
    largest = np.abs(coefficients).max(axis=0, keepdims=True)
    return float(problem.columns.product(largest).max())


def ascending_asymmetries(asymmetries: int | ArrayLike | str) -> FloatArray:
    """Return γ_1 < … < γ_M, from a number of them or from the values themselves."""
    if isinstance(asymmetries, (int, np.integer)) and not isinstance(asymmetries, bool):
        if asymmetries < 2:
            raise ValueError(f"asymmetries must be at least 2 (for 0 and 1), not {asymmetries}.")
        return np.linspace(0.0, 1.0, int(asymmetries))
    given = np.asarray(asymmetries, dtype=np.float64)
    inside = given.size and np.all(np.isfinite(given)) and given.min() >= 0 and given.max() <= 1
    if given.ndim != 1 or not inside:
        raise ValueError("asymmetries must be a whole number, or a list of numbers from 0 to 1.")
    return np.unique(given)


def _level_within(level: Any, asymmetries: FloatArray) -> float:
    number = checked_gamma(level, "level")
    if not asymmetries[0] <= number <= asymmetries[-1]:
        raise ValueError(
            f"level = {number:g} is outside the asymmetries, which reach from {asymmetries[0]:g} "
            f"to {asymmetries[-1]:g}: choose one of that range, or add asymmetries."
        )
    return number
