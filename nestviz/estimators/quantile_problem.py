"""What the estimators of several quantiles share: one set per quantile, answers at one of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.base import Problem, rows_at
from nestviz.estimators.checks import checked_number
from nestviz.estimators.nu_problem import rounding, shortfall
from nestviz.estimators.one_class_problem import OneClassEstimator, one_class_family
from nestviz.families import SetFamily
from nestviz.solvers.box_sum.nu_one_class import NuSolution
from nestviz.solvers.quantile.solve import checked_quantiles
from nestviz.solvers.records import Callback, Progress

USUAL_LEVEL = 0.9
"""The quantile at which `predict` answers by default, if the sets reach that far."""


class QuantileEstimator(OneClassEstimator):
    """An estimator with one set per quantile."""

    def __init__(
        self,
        sigma: float | str = "auto",
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

    @property
    def offset_(self) -> float:
        """The threshold at ``level_``: ``decision_function = score_samples - offset_``."""
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
        """Return sets over the quantile; coefficients and offset are interpolated between them."""
        return one_class_family(
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
        """Return coefficients of all points, within their bounds to the last bit."""
        return np.minimum(problem.merged.split(alpha), problem.merged.split(bounds))

    def _coefficients(self, levels: FloatArray) -> FloatArray:
        return rows_at(levels, self.quantiles_, self.alpha_)

    def _keep_certificates(self, solutions: list[NuSolution]) -> None:
        """Keep the sum of objectives and rounds of several solves, and their worst errors."""
        self.objectives_ = np.array([solution.objective for solution in solutions])
        self.objective_ = float(self.objectives_.sum())
        self.kkt_residual_ = max(solution.kkt_residual for solution in solutions)
        self.duality_gap_ = max(solution.duality_gap for solution in solutions)
        self.n_iter_ = sum(solution.n_iter for solution in solutions)
        self.converged_ = all(solution.converged for solution in solutions)


def offsets_in_use(problem: Problem, solutions: list[NuSolution], bounds: FloatArray) -> FloatArray:
    """Return ρ of several solves, each lowered so that its margin points are inside."""
    rho = [
        solution.rho
        - shortfall(solution.alpha, bound, solution.field, solution.rho)
        - rounding(problem) * float(solution.alpha.sum())
        for solution, bound in zip(solutions, bounds, strict=True)
    ]
    return np.array(rho)


def ascending_quantiles(quantiles: int | ArrayLike) -> FloatArray:
    """Return quantiles, from a number of them, evenly spaced, or from their values."""
    if isinstance(quantiles, (int, np.integer)) and not isinstance(quantiles, bool):
        if quantiles < 1:
            raise ValueError(f"quantiles must be at least 1, not {quantiles}.")
        return np.arange(1, quantiles + 1) / (quantiles + 1.0)
    given = np.asarray(quantiles, dtype=np.float64)
    if given.ndim != 1 or not given.size or not np.all(np.isfinite(given)):
        raise ValueError("quantiles must be a whole number, or a list of numbers between 0 and 1.")
    return checked_quantiles(np.unique(given))


class Relay:
    """A callback for several solves: rounds add up, and a stop holds for the remaining ones."""

    def __init__(self, callback: Callback | None) -> None:
        self._callback = callback
        self._before = 0
        self._last = 0
        self._stopped = False

    def __call__(self, progress: Progress) -> bool:
        """Pass on the progress of the current solve."""
        if self._callback is not None and not self._stopped:
            self._last = progress.done
            rounds = self._before + progress.done
            self._stopped = bool(self._callback(progress._replace(done=rounds)))
        return self._stopped

    def next(self) -> None:
        """Count on from the solve that has ended."""
        self._before, self._last = self._before + self._last, 0
