"""One cost-sensitive SVM whose offset is moved instead of its costs."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.distances import product
from nestviz.estimators.base import Problem
from nestviz.estimators.checks import checked_number
from nestviz.estimators.cost_sensitive import CostSensitiveSVM
from nestviz.estimators.cost_sensitive_problem import cost_family
from nestviz.estimators.two_classes import checked_gamma
from nestviz.kernels import Kernel
from nestviz.solvers.records import Callback

STEPS = 20
"""Steps of the offset on each side of the asymmetry that is solved for."""


class OffsetCostSensitiveSVM(CostSensitiveSVM):
    """Cost-sensitive SVM solved at one asymmetry γ_0; other sets come from moving its offset.

    ::

        G_γ = {x : f(x) ≥ r(γ)},   f(x) = (1/λ) Σ_i α_i y_i k(x_i, x)

    with the coefficients of `CostSensitiveSVM` at γ_0. All sets are level sets of one function, so
    they are nested for any kernel. It is the simplest way to trade misses for false alarms, and the
    baseline for methods that are solved at every γ.

    The offset r is a map from asymmetries to thresholds, a choice and not a solution. It is
    piecewise linear with r(γ_0) = 0, the SVM itself. From there to either end, equal steps of γ
    move equal numbers of training points: r runs through 20 quantiles of f over the points called
    +1 (γ < γ_0) or −1 (γ > γ_0). In the last half step it goes on to a bound of ``|f|``, so that
    the set is empty at γ = 0 and everything at γ = 1. ROC curve and AUC do not depend on the map.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or the rule "auto" or "median", as in `OneClassSVM`.
    lam : float
        Regularisation λ > 0.
    gamma : float
        The asymmetry γ_0 that is solved for, between 0 and 1.
    level : float, optional
        The asymmetry at which `decision_function` and `predict` answer; by default ``gamma``.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        The sets over γ in [0, 1].
    level_ : float
        The asymmetry in use.
    classes_, alpha_, objective_, kkt_residual_, duality_gap_, n_iter_, converged_, lambda_max_
        As in `CostSensitiveSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [0.5], [1.0], [1.5]]), np.array([-1, -1, 1, 1])
    >>> model = OffsetCostSensitiveSVM(0.5, lam=0.1).fit(X, y)
    >>> [int(model.family_.contains(X, gamma).sum()) for gamma in (0.0, 0.5, 1.0)]
    [0, 2, 4]
    """

    _title = "The cost-sensitive SVM with moved offset"

    def __init__(
        self,
        sigma: float | str = "auto",
        lam: float = 1.0,
        gamma: float = 0.5,
        *,
        level: float | None = None,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        super().__init__(
            sigma, lam, gamma, kernel=kernel, degree=degree, tol=tol, max_iter=max_iter
        )
        self.level = level

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        lam, gamma = checked_number("lam", self.lam, above=0.0), checked_gamma(self.gamma)
        if not 0.0 < gamma < 1.0:
            raise ValueError(f"gamma must be between 0 and 1, not {self.gamma!r}.")
        level = gamma if self.level is None else checked_gamma(self.level, "level")
        coefficients = self._solved(problem, lam, gamma, callback)
        f = product(coefficients[None], problem.columns.block(np.arange(len(problem.centres))))[0]
        bound = _bound(coefficients, problem.kernel, problem.columns.diagonal, f)
        levels, offsets = _offsets(gamma, f, problem.weights, bound)
        self.level_ = level
        self.family_ = cost_family(
            problem,
            levels=levels,
            coefficients=np.tile(coefficients, (levels.size, 1)),
            offsets=offsets,
            is_nested=True,
        )


def _bound(c: FloatArray, kernel: Kernel, diagonal: FloatArray, f: FloatArray) -> float:
    """Return a number above |f| at the points, and everywhere for a kernel that is largest there.

    Terms of a kernel that is never negative have the signs of their coefficients.
    """
    sums = np.maximum(c, 0.0).sum(), np.maximum(-c, 0.0).sum()
    largest = max(sums) if kernel.nonnegative else sum(sums)
    reached = float(np.abs(f).max(initial=0.0))
    return max(2.0 * reached, float(largest * diagonal.max(initial=0.0)), np.finfo(float).tiny)


def _offsets(
    gamma: float, f: FloatArray, weights: FloatArray, bound: float
) -> tuple[FloatArray, FloatArray]:
    """Return asymmetries, ascending, and the offset at each; ``f`` and weights of the points."""
    steps = np.arange(STEPS) / STEPS
    inside = f >= 0.0
    high = _quantiles(f[inside], weights[inside], 1.0 - steps)
    low = _quantiles(f[~inside], weights[~inside], steps)
    # The way from an end to γ_0: half a step from the bound to the first point, then even steps.
    half = 0.5 / STEPS
    way = half + (1.0 - half) * steps
    levels = np.concatenate([[0.0], gamma * way, [gamma], 1.0 - (1.0 - gamma) * way[::-1], [1.0]])
    return levels, np.concatenate([[bound], high, [0.0], low[::-1], [-bound]])


def _quantiles(values: FloatArray, weights: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the smallest values that some shares of the weight do not exceed; 0 without any."""
    order = np.argsort(values, kind="stable")
    order = order[weights[order] > 0]
    if not order.size:
        return np.zeros(shares.size)
    below = np.cumsum(weights[order])
    at = np.searchsorted(below, shares * below[-1] * (1.0 - 1e-12))
    return values[order][np.minimum(at, order.size - 1)]
