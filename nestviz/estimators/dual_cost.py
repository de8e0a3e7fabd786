"""The 2C-SVM: the cost-sensitive SVM with an offset."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nestviz.estimators.base import Problem
from nestviz.estimators.checks import checked_number
from nestviz.estimators.dual_problem import InterceptEstimator
from nestviz.estimators.two_classes import checked_gamma
from nestviz.renamed import renamed
from nestviz.solvers.box_sum.dual_parameters import to_nu_pair
from nestviz.solvers.box_sum.dual_svm import dual_cost_certificate, solve_dual_cost
from nestviz.solvers.records import Callback
from nestviz.solvers.verification import verified


@renamed(order=("C", "gamma", "sigma"))
class DualCostSVM(InterceptEstimator):
    """2C-SVM: the cost-sensitive SVM with an intercept (Davenport 2007, section 2.2).

    ::

        min_α  ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j) − Σ_i α_i
        subject to  0 ≤ α_i ≤ C γ  (y_i = +1),   0 ≤ α_i ≤ C (1 − γ)  (y_i = −1),
                    Σ_i α_i y_i = 0

    and a point is called positive where Σ_i α_i y_i k(x_i, x) + b ≥ 0.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or the rule "auto" or "median", as in `OneClassSVM`.
    C : float
        Cost of margin errors, positive: the larger, the closer the fit.
    gamma : float
        Cost asymmetry in [0, 1]: a miss costs γ, a false alarm 1 − γ. At the ends one of the two
        costs nothing, and every point is called the other class. It is not the ``gamma`` of
        scikit-learn.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The two classes; the second one is +1.
    family_ : SetFamily
        The sets for every intercept, which grow with it; the level is the intercept.
    level_, intercept_ : float
        The intercept b, which is added: ``decision_function`` is the kernel sum + b.
    margin_ : float
        1.
    alpha_ : ndarray of shape (1, n_points)
        Coefficients.
    objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        As in `OneClassSVM`.
    n_plus_, n_minus_ : float
        Points of each class, by weight.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1, -1, 1, 1])
    >>> DualCostSVM(C=10.0, sigma=1.0).fit(X, y).predict([[0.4], [2.6]])
    array([-1,  1])
    """

    _title = "The 2C-SVM"

    def __init__(
        self,
        *,
        sigma: float | str = "auto",
        C: float = 1.0,
        gamma: float = 0.5,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.C = C
        self.gamma = gamma
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        C, gamma = checked_number("C", self.C, above=0.0), checked_gamma(self.gamma)
        solution = solve_dual_cost(
            problem.columns, problem.y, problem.weights, C, gamma,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        certificate = dual_cost_certificate(
            problem.verifying, solution.alpha, problem.y, problem.weights, C, gamma
        )
        self._keep(problem, verified(solution, certificate, self.tol, gap_alone=True))

    def to_nu(self) -> tuple[float, float]:
        """Return the parameters of the 2ν-SVM with the same solution (Theorem 1).

        α/(C n) solves it; ν is the sum of the coefficients over C n.

        Returns
        -------
        nu_plus, nu_minus : float
            ν₊ and ν₋.
        """
        check_is_fitted(self)
        n = self.n_plus_ + self.n_minus_
        nu = float(np.sum(self.alpha_)) / (self.C * n)
        return to_nu_pair(nu, self.gamma, self.n_plus_, self.n_minus_)
