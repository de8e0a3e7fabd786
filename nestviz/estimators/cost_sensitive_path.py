"""The cost-sensitive SVM at every cost asymmetry: its exact path."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.coefficients import PathRows
from nestviz.estimators.base import (
    checked_number,
    first_original,
    warn_if_stopped,
)
from nestviz.estimators.cost_sensitive_problem import CostSensitiveEstimator, Problem, checked_gamma
from nestviz.estimators.path_points import PathPoints
from nestviz.solvers.path.certificate import cost_path_certificate, path_converged, path_rounding
from nestviz.solvers.path.cost_sensitive import cost_path


class CostSensitivePath(PathPoints, CostSensitiveEstimator):
    """The cost-sensitive SVM at every cost asymmetry: its whole, exact solution path.

    Solves eq. 2 of Lee & Scott (2010) for all γ in [0, 1]; coefficients are piecewise linear in γ
    (Bach, Heckerman & Horvitz 2006). The sets need not be nested.

    Parameters
    ----------
    sigma : float or "median"
        Width of the Gaussian kernel.
    lam : float
        Regularisation λ > 0.
    gamma : float
        The asymmetry at which `decision_function` and `predict` answer.
    kernel, degree
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over γ in [0, 1].
    breakpoints_ : (J,) array
        Ascending, from 0 to 1.
    alpha_, events_, event_points_, path_residual_
        As in `OneClassPath`.
    objective_, kkt_residual_, duality_gap_, converged_
        As in `OneClassPath`; residuals are relative to λ.
    """

    def __init__(
        self,
        sigma: float | str = "median",
        lam: float = 1.0,
        *,
        gamma: float = 0.5,
        kernel: str = "gaussian",
        degree: int = 2,
    ) -> None:
        self.sigma = sigma
        self.lam = lam
        self.gamma = gamma
        self.kernel = kernel
        self.degree = degree

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> CostSensitivePath:
        """Follow the path; weights scale the upper bounds."""
        lam = checked_number("lam", self.lam, above=0.0)
        self.level_ = checked_gamma(self.gamma)
        problem = self._problem(X, y, sample_weight)
        K = problem.columns.rows(np.arange(len(problem.centres)))
        path = cost_path(K, problem.y, lam, problem.weights, callback=callback)
        rows = PathRows(path, problem.y / lam)
        self.path_, self.breakpoints_ = path, path.breakpoints
        self.events_, self.path_residual_ = path.events, path.residuals
        self.event_points_ = first_original(problem.merged)[path.events["point"]]
        self.converged_, self.n_iter_ = path_converged(path), len(path.events)
        self.family_ = self._cost_family(
            problem,
            levels=rows.levels,
            coefficients=rows,
            offsets=np.zeros(rows.shape[0]),
            domain=(0.0, 1.0) if path.converged else None,
            tolerance=path_rounding(path, 0.0),
        )
        self._merged_ = problem.merged
        self._certify(problem, lam)
        warn_if_stopped(self.converged_, "The path")
        return self

    def _certify(self, problem: Problem, lam: float) -> None:
        self.objective_, self.kkt_residual_, self.duality_gap_ = cost_path_certificate(
            problem.verifying, self.path_, problem.y, problem.weights, lam, self.level_
        )
