"""What the one-class SVMs share: the problem behind them, and answers at one level."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import OutlierMixin

from nestviz.arrays import FloatArray
from nestviz.estimators.base import (
    KernelEstimator,
    checked_weights,
    keep_certificate,
)
from nestviz.families import SetFamily
from nestviz.kernels import Kernel
from nestviz.solvers.columns import Columns, StoredMatrix, columns_of
from nestviz.solvers.merge import Merged, merge_duplicates
from nestviz.solvers.nested.certificate import one_class_certificate
from nestviz.solvers.nested.feasible import settle_one_class
from nestviz.solvers.records import Solution
from nestviz.solvers.verification import field_noise, verified, verifying_columns

ROUNDING = 1e-13
"""Field values up to this share of the largest k(x, x) are taken for zero."""


SMALLEST_SHARE = 1e-6
"""λ_M, the smallest level that is solved for, as a share of the largest (Lee & Scott 2010, V-A)."""


class Problem(NamedTuple):
    """Distinct points with their bounds u_i (weights that sum to one), and the way back."""

    kernel: Kernel
    columns: Columns
    upper: FloatArray
    merged: Merged

    @property
    def verifying(self) -> Columns:
        """The kernel matrix again, by another road: what certificates are computed from."""
        return verifying_columns(self.kernel, self.merged.X, self.columns)

    @property
    def centres(self) -> FloatArray:
        """The distinct points."""
        return self.merged.X


class OneClassEstimator(OutlierMixin, KernelEstimator):
    """What the one-class SVMs share."""

    tol: float

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Σ_i α_i k(x_i, x) at ``level_``: larger is more normal."""
        return self.decision_function(X) + self.level_

    @property
    def offset_(self) -> float:
        """The level under scikit-learn's name: ``decision_function = score_samples - offset_``."""
        return self.level_

    def _problem(self, X: ArrayLike, sample_weight: ArrayLike | None) -> Problem:
        points = self._checked_points(X, reset=True)
        weights = checked_weights(sample_weight, len(points))
        precomputed = self.kernel == "precomputed"
        kernel = self._make_kernel(points if precomputed else points[weights > 0])
        if precomputed:
            # Coincident points cannot be seen from their values alone: each stands for itself.
            alone = np.arange(len(points))
            merged = Merged(points, None, weights, alone, np.ones(len(points)))
            columns: Columns = StoredMatrix(points)
        else:
            merged = merge_duplicates(points, weights=weights)
            columns = columns_of(kernel, merged.X)
        return Problem(kernel, columns, merged.weights / merged.weights.sum(), merged)

    def _one_class_family(self, problem: Problem, **parts: Any) -> SetFamily:
        options = {
            "centres": problem.centres,
            "kernel": problem.kernel,
            "orientation": -1,
            "domain": (0.0, np.inf),
            "tail": 1.0,
            "open_below": True,
            "level_name": "level λ",
            # Rounding only; boundary points of an exact solve are on the boundary.
            "tolerance": ROUNDING * float(problem.columns.diagonal.max()),
        }
        return SetFamily(**{**options, **parts})

    def _keep_verified(self, problem: Problem, solution: Solution, levels: FloatArray) -> None:
        """Keep what a certificate from the points themselves, not from K, says of a solution."""
        certificate = one_class_certificate(
            problem.verifying, solution.alpha, problem.upper, levels
        )
        noise = field_noise(solution.alpha / levels[:, None], problem.columns.diagonal, 1.0)
        keep_certificate(self, verified(solution, certificate, self.tol, noise=noise))

    def _of_all_points(self, problem: Problem, alpha: FloatArray, levels: FloatArray) -> FloatArray:
        """Coefficients of the points as given, feasible to the last bit."""
        upper = problem.upper[problem.merged.inverse] * problem.merged.share
        return settle_one_class(problem.merged.split(alpha), upper, levels)
