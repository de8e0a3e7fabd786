"""The cost-sensitive SVM at one cost asymmetry."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.base import Problem
from nestviz.estimators.checks import checked_number
from nestviz.estimators.cost_sensitive_problem import CostSensitiveEstimator, cost_family
from nestviz.estimators.two_classes import checked_gamma
from nestviz.solvers.nested.solve import solve_cost_sensitive
from nestviz.solvers.records import Callback


class CostSensitiveSVM(CostSensitiveEstimator):
    """Cost-sensitive SVM at one cost asymmetry γ, without intercept (Lee & Scott 2010, eq. 2).

    ::

        min_α  1/(2λ) Σ_ij α_i α_j y_i y_j k(x_i, x_j) − Σ_i α_i
        subject to  0 ≤ α_i ≤ γ  (y_i = +1),   0 ≤ α_i ≤ 1 − γ  (y_i = −1)

    and the positive set is {x : (1/λ) Σ_i α_i y_i k(x_i, x) ≥ 0}.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or the rule "auto" or "median", as in `OneClassSVM`.
    lam : float
        Regularisation λ > 0. From ``lambda_max_`` on, nothing changes any more.
    gamma : float
        Cost asymmetry in [0, 1]: a miss costs γ, a false alarm 1 − γ. It is not the ``gamma`` of
        scikit-learn, which is the inverse width of the kernel.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The two classes; the second one is +1.
    family_ : SetFamily
        A family of this one set.
    level_ : float
        γ.
    alpha_, objective_, kkt_residual_, duality_gap_, n_iter_, converged_, lambda_max_
        As in `OneClassSVM`.
    """

    _title = "The cost-sensitive SVM"

    def __init__(
        self,
        sigma: float | str = "auto",
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

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        lam, gamma = checked_number("lam", self.lam, above=0.0), checked_gamma(self.gamma)
        coefficients = self._solved(problem, lam, gamma, callback)
        self.level_ = gamma
        self.family_ = cost_family(
            problem,
            levels=np.array([gamma]),
            coefficients=coefficients[None],
            offsets=np.zeros(1),
            is_nested=True,
        )

    def _solved(
        self, problem: Problem, lam: float, gamma: float, callback: Callback | None
    ) -> FloatArray:
        """Solve at one asymmetry; keep the certificate and return y·α/λ of the distinct points."""
        asymmetries = np.array([gamma])
        solution = solve_cost_sensitive(
            problem.columns, problem.y, problem.weights, lam, asymmetries,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        self.alpha_ = self._keep_verified(problem, solution, lam, asymmetries)
        signed: FloatArray = solution.alpha[0] * problem.y / lam
        return signed
