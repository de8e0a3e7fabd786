"""The nested cost-sensitive SVM: all cost asymmetries at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.base import (
    check_nonnegative,
    checked_number,
    rows_at,
    warn_if_stopped,
)
from nestviz.estimators.cost_sensitive_problem import (
    CostSensitiveEstimator,
    Problem,
    checked_gamma,
)
from nestviz.estimators.nesting_certificate import keep_nesting_defect
from nestviz.solvers.nested.solve import solve_cost_sensitive

ROUNDING = 1e-13
"""Field values up to this share of their terms are taken for zero: where classes share a point with
equal weights, opposite coefficients cancel and leave rounding, which must not pick a side."""


class NestedCostSensitiveSVM(CostSensitiveEstimator):
    """The nested cost-sensitive SVM: all cost asymmetries at once, sets that never cross.

    ::

        min  Σ_m [ 1/(2λ) Σ_ij α_im α_jm y_i y_j k(x_i, x_j) − Σ_i α_im ]
        subject to  0 ≤ α_im ≤ γ_m or 1 − γ_m,   y_i α_i1 ≤ … ≤ y_i α_iM

    for γ_1 < … < γ_M (Lee & Scott 2010, eqs. 7–11). Between them coefficients are interpolated;
    the positive sets only grow with γ (Proposition 1), because the kernel is not negative.

    Parameters
    ----------
    sigma : float or "median"
        Width of the Gaussian kernel.
    lam : float
        Regularisation λ > 0.
    asymmetries : int or array
        How many, evenly spaced from 0 to 1; or the values themselves, in any order. Where 0 or 1
        are missing, the family reaches from the smallest to the largest one only.
    gamma : float
        The asymmetry at which `decision_function` and `predict` answer.
    kernel, degree, tol, max_iter
        As in `OneClassSVM`; the kernel must not be negative.

    Attributes
    ----------
    family_ : SetFamily
        All sets over γ; nested by construction.
    asymmetries_ : (M,) array
        γ_1 < … < γ_M.
    alpha_ : (M, N) array
        Coefficients, row m for γ_m. They satisfy the constraints to the last bit.
    classes_, objective_, kkt_residual_, duality_gap_, n_iter_, converged_, lambda_max_
        As in `CostSensitiveSVM`.
    nesting_defect_ : float
        As in `NestedOneClassSVM`.
    """

    def __init__(
        self,
        sigma: float | str = "median",
        lam: float = 1.0,
        asymmetries: int | ArrayLike = 5,
        *,
        gamma: float = 0.5,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.lam = lam
        self.asymmetries = asymmetries
        self.gamma = gamma
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> NestedCostSensitiveSVM:
        """Solve for all asymmetries together; weights scale the upper bounds."""
        lam = checked_number("lam", self.lam, above=0.0)
        asymmetries = ascending_asymmetries(self.asymmetries)
        self.level_ = _level_within(self.gamma, asymmetries)
        problem = self._problem(X, y, sample_weight)
        check_nonnegative(problem.kernel)
        solution = solve_cost_sensitive(
            problem.columns, problem.y, problem.weights, lam, asymmetries,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        self.asymmetries_ = asymmetries
        self._keep_verified(problem, solution, lam, asymmetries)
        self.alpha_ = self._of_all_points(problem, solution.alpha, asymmetries)
        coefficients = solution.alpha * problem.y / lam
        self.family_ = self._cost_family(
            problem,
            levels=asymmetries,
            coefficients=coefficients,
            offsets=np.zeros(asymmetries.size),
            is_nested=True,
            tolerance=ROUNDING * _largest_field(problem, coefficients),
        )
        warn_if_stopped(self.converged_, "The nested cost-sensitive SVM")
        keep_nesting_defect(self, "The nested cost-sensitive SVM")
        return self

    def coefficients(self, asymmetries: ArrayLike) -> FloatArray:
        """Return α of the points as given, one row per asymmetry."""
        return rows_at(asymmetries, self.asymmetries_, self.alpha_)


def _largest_field(problem: Problem, coefficients: FloatArray) -> float:
    """How large a field at the points could be if none of its terms had another's sign."""
    largest = np.abs(coefficients).max(axis=0, keepdims=True)
    return float(problem.columns.product(largest).max())


def ascending_asymmetries(asymmetries: int | ArrayLike) -> FloatArray:
    """γ_1 < … < γ_M, from a number of them or from the values themselves."""
    if isinstance(asymmetries, (int, np.integer)) and not isinstance(asymmetries, bool):
        if asymmetries < 2:
            raise ValueError(f"asymmetries must be at least 2 (for 0 and 1), not {asymmetries}.")
        return np.linspace(0.0, 1.0, int(asymmetries))
    given = np.asarray(asymmetries, dtype=np.float64)
    inside = given.size and np.all(np.isfinite(given)) and given.min() >= 0 and given.max() <= 1
    if given.ndim != 1 or not inside:
        raise ValueError("asymmetries must be a whole number, or a list of numbers from 0 to 1.")
    return np.unique(given)


def _level_within(gamma: Any, asymmetries: FloatArray) -> float:
    level = checked_gamma(gamma)
    if not asymmetries[0] <= level <= asymmetries[-1]:
        raise ValueError(
            f"gamma = {level:g} is outside the asymmetries, which reach from {asymmetries[0]:g} to "
            f"{asymmetries[-1]:g}: choose one of that range, or add asymmetries."
        )
    return level
