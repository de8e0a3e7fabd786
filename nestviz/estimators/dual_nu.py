"""The 2ν-SVM: one bound on the margin errors of each class."""

from __future__ import annotations

import warnings

from sklearn.utils.validation import check_is_fitted

from nestviz.estimators.base import Problem
from nestviz.estimators.checks import checked_number
from nestviz.estimators.dual_problem import InterceptEstimator
from nestviz.renamed import renamed
from nestviz.solvers.box_sum.dual_parameters import check_nu, to_nu_gamma
from nestviz.solvers.box_sum.dual_svm import dual_nu_certificate, solve_dual_nu
from nestviz.solvers.records import Callback
from nestviz.solvers.verification import verified


@renamed(order=("nu_plus", "nu_minus", "sigma"))
class DualNuSVM(InterceptEstimator):
    """2ν-SVM: a bound on the margin errors of each class (Davenport 2007, sections 2.2 and 2.3).

    ::

        min_α  ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j)
        subject to  0 ≤ α_i ≤ γ/n  (y_i = +1),   0 ≤ α_i ≤ (1 − γ)/n  (y_i = −1),
                    Σ_i α_i y_i = 0,   Σ_i α_i ≥ ν

    with γ = ν₋n₋/(ν₊n₊ + ν₋n₋) and ν = 2γν₊n₊/n, and a point is called positive where
    Σ_i α_i y_i k(x_i, x) + b ≥ 0.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or the rule "auto" or "median", as in `OneClassSVM`.
    nu_plus : float
        ν₊ in (0, 1]: at most this share of the positive points are margin errors, at least this
        share are support vectors, if the optimal objective is not zero (Proposition 3).
    nu_minus : float
        ν₋ in (0, 1], the same for the negative points.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`.

    Attributes
    ----------
    margin_ : float
        ρ.
    nu_, gamma_ : float
        ν and γ.
    is_trivial_ : bool
        Whether the objective is zero (Theorem 3, ν ≤ ν_*): the classes cannot be separated with so
        few margin errors, and every point is called negative.
    classes_, family_, level_, intercept_, alpha_, n_plus_, n_minus_
        As in `DualCostSVM`.
    objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        As in `OneClassSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1, -1, 1, 1])
    >>> DualNuSVM(sigma=1.0, nu_plus=0.5, nu_minus=0.5).fit(X, y).predict([[0.4], [2.6]])
    array([-1,  1])
    """

    _title = "The 2ν-SVM"

    def __init__(
        self,
        *,
        sigma: float | str = "auto",
        nu_plus: float = 0.5,
        nu_minus: float = 0.5,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.nu_plus = nu_plus
        self.nu_minus = nu_minus
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        plus = check_nu("nu_plus", checked_number("nu_plus", self.nu_plus))
        minus = check_nu("nu_minus", checked_number("nu_minus", self.nu_minus))
        solution = solve_dual_nu(
            problem.columns, problem.y, problem.weights, plus, minus,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        self.nu_, self.gamma_ = to_nu_gamma(plus, minus, self.n_plus_, self.n_minus_)
        self.is_trivial_ = solution.is_trivial
        certificate = dual_nu_certificate(
            problem.verifying, solution.alpha, problem.y, problem.weights, plus, minus
        )
        self._keep(problem, verified(solution, certificate, self.tol, gap_alone=True))
        if self.is_trivial_:
            warnings.warn(
                f"The 2ν-SVM is trivial: with ν₊ = {plus:g} and ν₋ = {minus:g} the classes have "
                f"weighted means in common, so no direction separates them, and every point is "
                f"called negative. Take larger values, or a narrower kernel.",
                UserWarning,
                stacklevel=3,
            )

    def to_cost(self) -> tuple[float, float]:
        """Return the parameters of the 2C-SVM with the same solution (Theorem 2).

        C n α solves it, with C = 1/(ρ n).

        Returns
        -------
        C, gamma : float
            C and γ.
        """
        check_is_fitted(self)
        if self.is_trivial_:
            raise ValueError(
                "A trivial 2ν-SVM has margin zero, and no 2C-SVM has the same solution. Take "
                "larger values of nu_plus and nu_minus."
            )
        return 1.0 / (self.margin_ * (self.n_plus_ + self.n_minus_)), self.gamma_
