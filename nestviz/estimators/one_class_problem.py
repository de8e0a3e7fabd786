"""What the one-class SVMs share: the problem behind them, and answers at one level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import OutlierMixin

from nestviz.arrays import FloatArray
from nestviz.estimators.base import (
    FamilyEstimator,
    KernelEstimator,
    Problem,
    keep_certificate,
    warn_if_stopped,
)
from nestviz.estimators.checks import checked_number
from nestviz.families import SetFamily
from nestviz.solvers.nested.certificate import one_class_certificate
from nestviz.solvers.nested.feasible import settle_one_class
from nestviz.solvers.records import Callback, Solution
from nestviz.solvers.verification import field_noise, verified

ROUNDING = 1e-13
"""Field values up to this share of the largest k(x, x) are taken for zero."""

SMALLEST_SHARE = 1e-6
"""λ_M, the smallest level that is solved for, as a share of the largest (Lee & Scott 2010, V-A)."""


def one_class_family(problem: Problem, **parts: Any) -> SetFamily:
    """Return the sets over λ in (0, ∞) of coefficients at some levels."""
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


class OutlierEstimator(OutlierMixin, FamilyEstimator):
    """A family estimator with scores and a threshold: ``decision = score - offset_``."""

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Return the function whose level set is the set at ``level_``: larger is more normal.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            ``decision_function(X) + offset_``.
        """
        return self.decision_function(X) + self.offset_

    @property
    def offset_(self) -> float:
        """The threshold of the scores: ``decision_function = score_samples - offset_``."""
        return -self.family_.orientation * self.level_


class OneClassEstimator(OutlierEstimator, KernelEstimator):
    """An estimator that solves a one-class problem. Subclasses define ``_solve``."""

    tol: float
    converged_: bool
    _title: str
    """What a warning calls the method."""

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Fit the sets to points of one class.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points, or for ``kernel="precomputed"`` the kernel matrix of the points.
        y : object, optional
            Ignored.
        sample_weight : ndarray of shape (n_points,), optional
            Weights of the points. They scale the upper bounds of the coefficients.
        callback : callable, optional
            Called with a `Progress` between two rounds. A true return value stops the solver.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._solve(self._posed(self._checked_points(X, reset=True), sample_weight), callback)
        warn_if_stopped(self.converged_, self._title)
        return self

    def _level_or(self, rule: Callable[[], float]) -> float:
        """Return the parameter ``level`` if it is given, else the level of a rule."""
        level = getattr(self, "level", None)
        return rule() if level is None else checked_number("level", level, above=0.0)

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        """Solve the problem and set the fitted attributes."""
        raise NotImplementedError

    def _keep_verified(
        self,
        problem: Problem,
        solution: Solution,
        levels: FloatArray,
        level_weights: FloatArray | None = None,
    ) -> FloatArray:
        """Keep a certificate from the points; return coefficients feasible to the last bit."""
        certificate = one_class_certificate(
            problem.verifying, solution.alpha, problem.upper, levels, level_weights
        )
        noise = field_noise(solution.alpha / levels[:, None], problem.columns.diagonal, 1.0)
        keep_certificate(self, verified(solution, certificate, self.tol, noise=noise))
        split = problem.merged.split
        return settle_one_class(split(solution.alpha), split(problem.upper), levels)
