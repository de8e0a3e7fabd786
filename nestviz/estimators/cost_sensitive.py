"""The cost-sensitive SVM at one cost asymmetry."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.estimators.base import (
    checked_number,
    warn_if_stopped,
)
from nestviz.estimators.cost_sensitive_problem import CostSensitiveEstimator, checked_gamma
from nestviz.solvers.nested.solve import solve_cost_sensitive


class CostSensitiveSVM(CostSensitiveEstimator):
    """The cost-sensitive SVM at one cost asymmetry γ, without offset (Lee & Scott 2010, eq. 2).

    ::

        min_α  1/(2λ) Σ_ij α_i α_j y_i y_j k(x_i, x_j) − Σ_i α_i
        subject to  0 ≤ α_i ≤ γ  (y_i = +1),   0 ≤ α_i ≤ 1 − γ  (y_i = −1)

    and the positive set is {x : (1/λ) Σ_i α_i y_i k(x_i, x) ≥ 0}.

    Parameters
    ----------
    sigma : float or "median"
        Width of the Gaussian kernel.
    lam : float
        Regularisation λ > 0. From ``lambda_max_`` on, nothing changes any more.
    gamma : float
        Cost asymmetry in [0, 1]: the cost of missing a positive point is γ, that of a false alarm
        is 1 − γ.
    kernel, degree, tol, max_iter
        As in `OneClassSVM`.

    Attributes
    ----------
    classes_ : array
        The two classes; the second one is +1.
    family_, alpha_, objective_, kkt_residual_, duality_gap_, n_iter_, converged_, lambda_max_
        As in `OneClassSVM`.
    """

    def __init__(
        self,
        sigma: float | str = "median",
        lam: float = 1.0,
        gamma: float = 0.5,
        *,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.lam = lam
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
    ) -> CostSensitiveSVM:
        """Solve at ``gamma``; weights scale the upper bounds."""
        lam, gamma = checked_number("lam", self.lam, above=0.0), checked_gamma(self.gamma)
        problem = self._problem(X, y, sample_weight)
        asymmetries = np.array([gamma])
        solution = solve_cost_sensitive(
            problem.columns, problem.y, problem.weights, lam, asymmetries,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        self._keep_verified(problem, solution, lam, asymmetries)
        self.alpha_ = self._of_all_points(problem, solution.alpha, asymmetries)
        self.level_ = gamma
        self.family_ = self._cost_family(
            problem,
            levels=asymmetries,
            coefficients=solution.alpha * problem.y / lam,
            offsets=np.zeros(1),
            is_nested=True,
        )
        warn_if_stopped(self.converged_, "The cost-sensitive SVM")
        return self
