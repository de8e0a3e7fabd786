"""What the estimators of several quantiles share: one set per quantile, answers at one of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.base import checked_number
from nestviz.estimators.nu_problem import rounding, shortfall
from nestviz.estimators.one_class_problem import OneClassEstimator, Problem
from nestviz.families import SetFamily
from nestviz.solvers.box_sum.nu_one_class import NuSolution
from nestviz.solvers.quantile.solve import checked_quantiles
from nestviz.solvers.records import Callback, Progress

USUAL_LEVEL = 0.9
"""The quantile at which `predict` answers by default, if the sets reach that far."""


class QuantileEstimator(OneClassEstimator):
    """An estimator with one set per quantile: parameters sigma, quantiles, level and the kernel's.

    After ``fit``: ``family_`` over the quantile, ``quantiles_``, ``rho_``, and ``level_``.
    """

    quantiles: int | ArrayLike
    level: float | None
    tol: float
    max_iter: int

    def __init__(
        self,
        sigma: float | str = "median",
        quantiles: int | ArrayLike = 19,
        *,
        level: float | None = None,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.quantiles = quantiles
        self.level = level
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """The function whose level set is the set at ``level_``: larger is more normal."""
        return self.decision_function(X) + self.offset_

    @property
    def offset_(self) -> float:
        """The offset at ``level_``: ``decision_function = score_samples - offset_``."""
        return float(np.interp(self.level_, self.quantiles_, self.rho_))

    def _choose_levels(self) -> None:
        """Set ``quantiles_`` and ``level_`` from the parameters."""
        self.quantiles_ = ascending_quantiles(self.quantiles)
        low, high = float(self.quantiles_[0]), float(self.quantiles_[-1])
        if self.level is None:
            self.level_ = min(max(USUAL_LEVEL, low), high)
            return
        self.level_ = checked_number("level", self.level)
        if not low <= self.level_ <= high:
            raise ValueError(
                f"level must be within the quantiles, from {low:g} to {high:g}, not {self.level!r}."
            )

    def _quantile_family(
        self, problem: Problem, coefficients: FloatArray, *, is_nested: bool
    ) -> SetFamily:
        """Sets over the quantile; coefficients and offset are interpolated between them."""
        return self._one_class_family(
            problem,
            levels=self.quantiles_,
            coefficients=coefficients,
            offsets=self.rho_,
            orientation=1,
            domain=(float(self.quantiles_[0]), float(self.quantiles_[-1])),
            tail=0.0,
            open_below=False,
            is_nested=is_nested,
            level_name="quantile",
        )

    def _shared_out(self, problem: Problem, alpha: FloatArray, bounds: FloatArray) -> FloatArray:
        """Coefficients of the points as given, within their bounds to the last bit."""
        limit = bounds[:, problem.merged.inverse] * problem.merged.share
        return np.minimum(problem.merged.split(alpha), limit)

    def _keep_certificates(self, solutions: list[NuSolution]) -> None:
        """The certificate of several solves: the sum of objectives and rounds, the worst errors."""
        self.objectives_ = np.array([solution.objective for solution in solutions])
        self.objective_ = float(self.objectives_.sum())
        self.kkt_residual_ = max(solution.kkt_residual for solution in solutions)
        self.duality_gap_ = max(solution.duality_gap for solution in solutions)
        self.n_iter_ = sum(solution.n_iter for solution in solutions)
        self.converged_ = all(solution.converged for solution in solutions)


def offsets_in_use(problem: Problem, solutions: list[NuSolution], bounds: FloatArray) -> FloatArray:
    """ρ of several solves, each lower by what keeps its margin points inside."""
    rho = [
        solution.rho
        - shortfall(solution.alpha, bound, solution.field, solution.rho)
        - rounding(problem) * float(solution.alpha.sum())
        for solution, bound in zip(solutions, bounds, strict=True)
    ]
    return np.array(rho)


def ascending_quantiles(quantiles: int | ArrayLike) -> FloatArray:
    """Quantiles from how many there are, evenly spaced, or from themselves in any order."""
    if isinstance(quantiles, (int, np.integer)) and not isinstance(quantiles, bool):
        if quantiles < 1:
            raise ValueError(f"quantiles must be at least 1, not {quantiles}.")
        return np.arange(1, quantiles + 1) / (quantiles + 1.0)
    given = np.asarray(quantiles, dtype=np.float64)
    if given.ndim != 1 or not given.size or not np.all(np.isfinite(given)):
        raise ValueError("quantiles must be a whole number, or a list of numbers between 0 and 1.")
    return checked_quantiles(np.unique(given))


class Relay:
    """One callback for several solves: rounds are counted on, and a stop holds for the rest."""

    def __init__(self, callback: Callback | None) -> None:
        self._callback = callback
        self._before = 0
        self._last = 0
        self._stopped = False

    def __call__(self, progress: Progress) -> bool:
        """Pass on the progress of the solve under way."""
        if self._callback is not None and not self._stopped:
            self._last = progress.iteration
            rounds = self._before + progress.iteration
            self._stopped = bool(self._callback(progress._replace(iteration=rounds)))
        return self._stopped

    def next(self) -> None:
        """The solve under way is done."""
        self._before, self._last = self._before + self._last, 0
