"""What the single-class estimators of Schölkopf & Smola (2002), chapter 8, share."""

from __future__ import annotations

from typing import Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.base import Problem, keep_certificate
from nestviz.estimators.checks import checked_number
from nestviz.estimators.one_class_problem import ROUNDING, OneClassEstimator, one_class_family
from nestviz.families import SetFamily
from nestviz.kernels import Kernel
from nestviz.solvers.box_sum.kept_rows import KeptRows
from nestviz.solvers.box_sum.nu_one_class import NuSolution, solve_nu_one_class, verified_nu
from nestviz.solvers.columns import Columns, StoredMatrix
from nestviz.solvers.records import Callback

STORED = 500
"""Up to this many points the whole kernel matrix is computed; beyond, only rows on demand."""
LARGEST_SHORTFALL = 1e-6
"""Most by which an offset is lowered for inaccurate margin points, as a share of all scores."""
SHARE = 1e-9
"""Shares of the points closer than this are taken for equal."""


def columns_on_demand(kernel: Kernel, X: FloatArray) -> Columns:
    """Return the kernel matrix if it is small, else its rows on demand."""
    return StoredMatrix(kernel.gram(X, X)) if len(X) <= STORED else KeptRows(kernel, X)


class NuEstimator(OneClassEstimator):
    """A one-class estimator whose ν bounds the fraction of outliers."""

    def __init__(
        self,
        sigma: float | str = "auto",
        nu: float = 0.1,
        *,
        level: float | None = None,
        outlier_fraction: float | None = None,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.nu = nu
        self.level = level
        self.outlier_fraction = outlier_fraction
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def offset_of_fraction(self, fraction: float) -> float:
        """Return the highest offset that leaves out no more than a fraction of the training points.

        It is half way between the last point left out and the first one kept. Points that lie on
        one level set up to ``tolerance_``, as the margin points do, are kept or left out together.

        Parameters
        ----------
        fraction : float
            ν', from 0 up to but not including 1.

        Returns
        -------
        float
            A threshold for `score_samples`.
        """
        number = checked_number("fraction", fraction, at_most=1.0)
        if not 0 <= number < 1:
            raise ValueError(f"fraction must be at least 0 and below 1, not {fraction!r}.")
        scores, below, lowest = self._ordered_
        first = int(np.searchsorted(below, number + SHARE, side="right")) - 1
        if first == 0:
            return float(lowest - self.tolerance_)
        return float(0.5 * (scores[first - 1] + scores[first]))

    def _columns(self, kernel: Kernel, X: FloatArray) -> Columns:
        return columns_on_demand(kernel, X)

    def _solved(
        self, problem: Problem, callback: Callback | None, linear: FloatArray | None = None
    ) -> NuSolution:
        """Solve; field, ρ and certificate are computed from the points themselves, not from K."""
        upper = problem.upper / self._checked_nu()
        solution = solve_nu_one_class(
            problem.columns, upper, linear=linear,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        return verified_nu(problem.verifying, solution, upper, linear=linear, tol=self.tol)

    def _checked_nu(self) -> float:
        return checked_number("nu", self.nu, above=0.0, at_most=1.0)

    def _keep_solution(
        self, problem: Problem, solution: NuSolution, scores: FloatArray, rho: float
    ) -> None:
        """Keep coefficients, certificate and offset; ``scores`` are compared with ``rho``."""
        keep_certificate(self, solution)
        upper = problem.upper / self._checked_nu()
        self.rho_ = rho
        self.tolerance_ = shortfall(solution.alpha, upper, scores, rho) + rounding(problem)
        split = problem.merged.split
        self.alpha_ = np.minimum(split(solution.alpha), split(upper))[None]
        self.support_ = np.flatnonzero(self.alpha_[0])
        self._keep_order(scores, problem.upper)

    def _keep_order(self, scores: FloatArray, weights: FloatArray) -> None:
        """Keep groups of training points on one level set, and the share of points below each."""
        counted = np.flatnonzero(weights > 0)
        order = counted[np.argsort(scores[counted], kind="stable")]
        ordered, weight = scores[order], weights[order]
        begins = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > self.tolerance_)
        below = np.concatenate([[0.0], np.cumsum(weight)])[begins]
        self._ordered_ = (ordered[begins], below, float(ordered[0]))

    def _chosen_offset(self) -> float:
        if self.outlier_fraction is None:
            return self.rho_ - self.tolerance_
        return self.offset_of_fraction(self.outlier_fraction)

    def _keep_offset_family(self, problem: Problem, **parts: Any) -> None:
        """Keep one function, cut at every offset: nested for any kernel."""
        self.level_ = self._chosen_offset()
        if self.level is not None:
            self.level_ = checked_number("level", self.level)
        positive = problem.kernel.nonnegative and min(self.rho_, self.level_) > 0
        options = {
            "levels": np.array([self.rho_]),
            "offsets": np.array([self.rho_]),
            "domain": (0.0 if positive else -np.inf, np.inf),
            "open_below": bool(positive),
            "is_nested": True,
            "tolerance": self.tolerance_,
            "level_name": "offset ρ",
        }
        self.family_: SetFamily = one_class_family(problem, **{**options, **parts})


def shortfall(alpha: FloatArray, upper: FloatArray, scores: FloatArray, rho: float) -> float:
    """Return how far below ρ a point inside may lie: one that is not at its upper bound.

    The tolerance of section 8.4: an offset lower than ρ by this much keeps the margin points of an
    accurate solution inside. Those of a rough one are scattered, and an offset lowered to the last
    of them would be another level; so there is a limit.
    """
    short = float(np.where(alpha < upper, rho - scores, 0.0).max(initial=0.0))
    return min(short, LARGEST_SHORTFALL * float(np.ptp(scores[upper > 0])))


def rounding(problem: Problem) -> float:
    """Return how far kernel sums over the same points may differ by rounding."""
    return 3.0 * ROUNDING * float(problem.columns.diagonal.max())
