"""The cost-sensitive SVM at every cost asymmetry: its exact path."""

from __future__ import annotations

import numpy as np

from nestviz.coefficients import PathRows
from nestviz.estimators.base import Problem
from nestviz.estimators.checks import checked_number
from nestviz.estimators.cost_sensitive_problem import CostSensitiveEstimator, cost_family
from nestviz.estimators.path_points import PathPoints
from nestviz.estimators.two_classes import checked_gamma
from nestviz.families import SetFamily
from nestviz.renamed import renamed
from nestviz.solvers.path.certificate import cost_path_certificate, path_rounding
from nestviz.solvers.path.cost_sensitive import cost_path
from nestviz.solvers.path.records import PathSolution
from nestviz.solvers.records import Callback


@renamed(gamma="level")
class CostSensitivePath(PathPoints, CostSensitiveEstimator):
    """Cost-sensitive SVM at every cost asymmetry: the whole, exact solution path.

    Solves eq. 2 of Lee & Scott (2010) for all γ in [0, 1]; coefficients are piecewise linear in γ
    (Bach, Heckerman & Horvitz 2006). The sets need not be nested.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or the rule "auto" or "median", as in `OneClassSVM`.
    lam : float
        Regularisation λ > 0.
    level : float
        The asymmetry γ at which `decision_function` and `predict` answer.
    kernel, degree : str, int
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over γ in [0, 1].
    level_ : float
        ``level``; the last asymmetry reached, if the path ended before it.
    breakpoints_ : ndarray of shape (n_breakpoints,)
        Ascending, from 0 to 1.
    alpha_, events_, event_points_, path_residual_
        As in `OneClassPath`.
    objective_, kkt_residual_, duality_gap_, converged_
        As in `OneClassPath`; residuals are relative to λ.
    """

    _title = "The path"

    def __init__(
        self,
        sigma: float | str = "auto",
        lam: float = 1.0,
        *,
        level: float = 0.5,
        kernel: str = "gaussian",
        degree: int = 2,
    ) -> None:
        self.sigma = sigma
        self.lam = lam
        self.level = level
        self.kernel = kernel
        self.degree = degree

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        lam = checked_number("lam", self.lam, above=0.0)
        level = checked_gamma(self.level, "level")
        K = problem.columns.block(np.arange(len(problem.centres)))
        path = cost_path(K, problem.y, lam, problem.weights, callback=callback)
        self._keep_path(path, problem.merged)
        self.family_ = cost_path_family(problem, path, lam)
        # A path that ended early has no set beyond its last breakpoint.
        self.level_ = level if path.converged else min(level, float(self.family_.levels.max()))
        self.objective_, self.kkt_residual_, self.duality_gap_ = cost_path_certificate(
            problem.verifying, path, problem.y, problem.weights, lam, self.level_
        )


def cost_path_family(problem: Problem, path: PathSolution, lam: float) -> SetFamily:
    """Return the sets of a path over all asymmetries."""
    rows = PathRows(path, problem.y / lam)
    return cost_family(
        problem,
        levels=rows.levels,
        coefficients=rows,
        offsets=np.zeros(rows.shape[0]),
        domain=(0.0, 1.0) if path.converged else None,
        tolerance=path_rounding(path, 0.0),
    )
