"""The minimax probability machine: a bound on both errors from means and covariances alone."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.base import Problem
from nestviz.estimators.dual_problem import InterceptEstimator
from nestviz.estimators.moments import coefficients_of, feature_space, moments, not_negative
from nestviz.kernels import Kernel, PolynomialKernel
from nestviz.solvers.minimax_machine import solve_machine
from nestviz.solvers.records import Callback


class MinimaxProbabilityMachine(InterceptEstimator):
    """Hyperplane with the least worst-case error (Lanckriet et al. 2002).

    Of all distributions with the mean and covariance of a class the worst is considered, and the
    larger of the two worst-case errors is made as small as possible. With κ the largest value for
    which both means are κ standard deviations from the boundary, both classes are right with
    probability at least α = κ²/(1 + κ²), whatever their shape.

    Means and covariances are estimates. If the true mean may lie ν standard deviations from its
    estimate, and the true covariance matrix within ρ of its own in the Frobenius norm, the boundary
    is that for Σ + ρ·1, and the bound that for κ − ν.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or the rule "auto" or "median", as in `OneClassSVM`.
    kernel : {"gaussian", "linear", "polynomial", "precomputed"}
        The kernel.
    degree : int
        Degree of the polynomial kernel.
    covariance_uncertainty : float or (float, float)
        ρ, for both classes or for the positive and the negative one. Not negative, in units of
        squared lengths of the feature space: a Gaussian kernel has k(x, x) = 1. With 0, a direction
        along which the means differ and neither class varies separates them with certainty, as far
        as the estimates go; with a narrow Gaussian kernel there is one.
    mean_uncertainty : float
        ν, not negative. It lowers the bound, not the boundary.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The two classes; the second one is +1.
    accuracy_bound_ : float
        The worst-case α: 0 where nothing can be promised, 1 for an infinite κ.
    kappa_ : float
        κ, before ν is taken off; infinite if ``is_certain_``.
    is_certain_ : bool
        Whether the means differ along a direction in which neither class varies. The boundary is
        then half way between them. A warning says so.
    family_, level_, intercept_
        As in `DualCostSVM`: the sets for every intercept, and the intercept of the fit.
    alpha_ : ndarray of shape (1, n_points)
        Coefficients of the normal vector; they may have any sign.
    objective_ : float
        √(aᵀΣ₊a) + √(aᵀΣ₋a) with aᵀ(m₊ − m₋) = 1: 1/κ, and 0 for an infinite κ.
    duality_gap_, kkt_residual_ : float
        Relative distance of the objective from a lower bound.
    n_iter_, converged_
        Steps of the root finding; whether the gap is at most 1e-6.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-1.0], [1.0], [5.0], [7.0]])
    >>> machine = MinimaxProbabilityMachine(kernel="linear", covariance_uncertainty=0.0)
    >>> round(float(machine.fit(X, [0, 0, 1, 1]).accuracy_bound_), 12)
    0.9
    """

    _title = "The minimax probability machine"

    def __init__(
        self,
        sigma: float | str = "auto",
        *,
        kernel: str = "gaussian",
        degree: int = 2,
        covariance_uncertainty: float | tuple[float, float] = 0.01,
        mean_uncertainty: float = 0.0,
    ) -> None:
        self.sigma = sigma
        self.kernel = kernel
        self.degree = degree
        self.covariance_uncertainty = covariance_uncertainty
        self.mean_uncertainty = mean_uncertainty

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        rho = _pair(self.covariance_uncertainty)
        nu = not_negative("mean_uncertainty", self.mean_uncertainty)
        basis, lengths = feature_space(problem.kernel, problem.merged.X)
        features = basis * lengths
        means, covariances = [], []
        for sign, uncertainty in zip((1.0, -1.0), rho, strict=True):
            own = problem.y == sign
            mean, covariance = moments(features[own], problem.weights[own])
            means.append(mean)
            covariances.append(covariance + uncertainty * np.eye(len(mean)))
        end = solve_machine(means[0], means[1], covariances[0], covariances[1])
        coefficients = coefficients_of(end.normal, basis, lengths)
        self.alpha_ = problem.merged.split(coefficients)[None]
        self._keep_shifted_sets(problem, coefficients, end.offset)
        self.kappa_, self.objective_ = end.kappa, end.objective
        self.duality_gap_ = self.kkt_residual_ = end.duality_gap
        self.n_iter_, self.converged_ = end.n_iter, end.duality_gap <= 1e-6
        self.is_certain_ = bool(np.isinf(end.kappa))
        sure = max(end.kappa - nu, 0.0) ** 2
        self.accuracy_bound_ = 1.0 if self.is_certain_ else sure / (1.0 + sure)
        if self.is_certain_:
            warnings.warn(
                "The means differ along a direction in which neither class varies: κ is infinite "
                "and the accuracy bound is 1. It holds for the estimated means and covariances; a "
                "covariance_uncertainty above 0 allows for their errors.",
                UserWarning,
                stacklevel=3,
            )

    def _make_kernel(self, points: FloatArray) -> Kernel:
        if self.kernel == "linear":
            return PolynomialKernel(1, offset=0.0)
        return super()._make_kernel(points)


def _pair(value: Any) -> tuple[float, float]:
    both = (value, value) if np.ndim(value) == 0 else tuple(value)
    if len(both) != 2:
        raise ValueError("covariance_uncertainty must be one number, or one for each class.")
    plus, minus = (not_negative("covariance_uncertainty", number) for number in both)
    return plus, minus
