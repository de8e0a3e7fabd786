"""What the single-class estimators of Schölkopf & Smola (2002), chapter 8, share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.base import checked_number, checked_weights, keep_certificate
from nestviz.estimators.one_class_problem import ROUNDING, OneClassEstimator, Problem
from nestviz.kernels import Kernel
from nestviz.solvers.box_sum.kept_rows import KeptRows
from nestviz.solvers.box_sum.nu_one_class import NuSolution, verified_nu
from nestviz.solvers.columns import Columns, StoredMatrix
from nestviz.solvers.merge import merge_duplicates
from nestviz.solvers.records import Solution

STORED = 500
"""Up to so many points the whole kernel matrix is made; beyond, only the rows a solve asks for."""
LARGEST_SHORTFALL = 1e-6
"""Most by which an offset is lowered for inaccurate margin points, as a share of all scores."""
SHARE = 1e-9
"""Shares of the points closer than this are taken for equal."""


def columns_on_demand(kernel: Kernel, X: FloatArray) -> Columns:
    """The kernel matrix if it is small, else the rows that a solve asks for."""
    return StoredMatrix(kernel.gram(X, X)) if len(X) <= STORED else KeptRows(kernel, X)


class NuEstimator(OneClassEstimator):
    """A single-class estimator whose ν bounds the fraction of outliers.

    After ``fit``, beside what all estimators have: ``rho_``, ``tolerance_``, ``support_``.
    """

    def __init__(
        self,
        sigma: float | str = "median",
        nu: float = 0.1,
        *,
        outlier_fraction: float | None = None,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.nu = nu
        self.outlier_fraction = outlier_fraction
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def offset_of_fraction(self, fraction: float) -> float:
        """The highest level that leaves out no more than a fraction ν' of the training points.

        Half way between the last point left out and the first one kept. Points that lie on one
        level set up to ``tolerance_``, as the margin points do, are kept or left out together.

        Parameters
        ----------
        fraction : float
            ν', from 0 up to but not including 1.

        Returns
        -------
        float
            A level of ``family_``.
        """
        number = checked_number("fraction", fraction, at_most=1.0)
        if not 0 <= number < 1:
            raise ValueError(f"fraction must be at least 0 and below 1, not {fraction!r}.")
        scores, below, lowest = self._ordered_
        first = int(np.searchsorted(below, number + SHARE, side="right")) - 1
        if first == 0:
            return float(lowest - self.tolerance_)
        return float(0.5 * (scores[first - 1] + scores[first]))

    def coefficients(self, levels: ArrayLike) -> FloatArray:
        """Return α of the points as given, one row per level: the same at every offset."""
        return np.repeat(self.alpha_, np.size(levels), axis=0)

    def _problem(self, X: ArrayLike, sample_weight: ArrayLike | None) -> Problem:
        points = self._checked_points(X, reset=True)
        if self.kernel == "precomputed" or len(points) <= STORED:
            return super()._problem(X, sample_weight)
        weights = checked_weights(sample_weight, len(points))
        kernel = self._make_kernel(points[weights > 0])
        merged = merge_duplicates(points, weights=weights)
        upper = merged.weights / merged.weights.sum()
        return Problem(kernel, columns_on_demand(kernel, merged.X), upper, merged)

    def _checked_nu(self) -> float:
        return checked_number("nu", self.nu, above=0.0, at_most=1.0)

    def _verified(
        self, problem: Problem, solution: NuSolution, nu: float, linear: FloatArray | None = None
    ) -> NuSolution:
        """The solution with field, ρ and certificate from the points themselves, not from K."""
        columns, upper = problem.verifying, problem.upper / nu
        return verified_nu(columns, solution, upper, linear=linear, tol=self.tol)

    def _keep_solution(
        self, problem: Problem, solution: NuSolution, nu: float, scores: FloatArray, rho: float
    ) -> None:
        """Keep coefficients, certificate and offset; ``scores`` are compared with ``rho``."""
        certificate = solution[-5:]
        keep_certificate(self, Solution(solution.alpha[None], *certificate))
        upper = problem.upper / nu
        self.rho_ = rho
        self.tolerance_ = shortfall(solution.alpha, upper, scores, rho) + rounding(problem)
        share = upper[problem.merged.inverse] * problem.merged.share
        self.alpha_ = np.minimum(problem.merged.split(solution.alpha), share)[None]
        self.support_ = np.flatnonzero(self.alpha_[0])
        self._keep_order(scores, problem.upper)

    def _keep_order(self, scores: FloatArray, weights: FloatArray) -> None:
        """Groups of training points on one level set, and the share of the points below each."""
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

    def _offset_family(self, problem: Problem, **parts: Any) -> Any:
        """One function, cut at every offset: nested for any kernel."""
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
        return self._one_class_family(problem, **{**options, **parts})


def shortfall(alpha: FloatArray, upper: FloatArray, scores: FloatArray, rho: float) -> float:
    """How far below ρ a point may lie that belongs inside, since it is not at its upper bound.

    The tolerance trick of section 8.4: an offset lower than ρ by so much keeps the margin points of
    an accurate solution inside. Of a rough one they are scattered widely, and an offset lowered to
    the last of them would be another level; so there is a limit. ρ alone bounds the fraction
    outside, and a lower offset leaves out fewer.
    """
    short = float(np.where(alpha < upper, rho - scores, 0.0).max(initial=0.0))
    return min(short, LARGEST_SHORTFALL * float(np.ptp(scores[upper > 0])))


def rounding(problem: Problem) -> float:
    """How far kernel sums over the same points may differ between the solver and the family."""
    return 3.0 * ROUNDING * float(problem.columns.diagonal.max())
