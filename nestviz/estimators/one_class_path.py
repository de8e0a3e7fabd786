"""The one-class SVM at every density level: its exact path."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.coefficients import PathRows
from nestviz.estimators.base import (
    checked_number,
    first_original,
    warn_if_stopped,
)
from nestviz.estimators.one_class_problem import (
    ROUNDING,
    OneClassEstimator,
    Problem,
)
from nestviz.solvers.certificate import one_class_certificate
from nestviz.solvers.feasible import settle_one_class
from nestviz.solvers.path_one_class import one_class_path

FloatArray = NDArray[np.float64]


class OneClassPath(OneClassEstimator):
    """The one-class SVM at every density level: its whole, exact solution path.

    Solves eq. 5 of Lee & Scott (2010) for all λ > 0. The coefficients are piecewise linear in λ;
    the breakpoints are found as in Lee & Scott (2007), from λ_0, the largest weighted row sum of
    the kernel matrix, down to the end of the path. The sets need not be nested; ``family_.union()``
    is the 2007 remedy.

    Parameters
    ----------
    sigma : float, "median" or "miv"
        Width of the Gaussian kernel; "miv" takes the one of least integrated volume
        (`nestviz.volume.select_bandwidth` with seed 0).
    nu : float
        The ν, in (0, 1], of the level at which `decision_function` and `predict` answer.
    kernel, degree
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over λ in (0, ∞).
    breakpoints_ : (J,) array
        Descending, from λ_0 to 0.
    events_ : structured array
        Which point goes from which set to which at which breakpoint: 0 = L (inside the margin, at
        its bound), 1 = E (on the margin), 2 = R (beyond it). Points are counted after coincident
        ones have been merged; ``event_points_`` names their first original.
    alpha_ : (J, N) array
        Coefficients at the breakpoints, built when asked for; `coefficients` has any levels.
    nus_ : (J,) array
        The ν of each breakpoint.
    path_residual_ : (J,) array
        KKT residual at each breakpoint, relative to λ_0.
    objective_, kkt_residual_, duality_gap_ : float
        Certificate of the coefficients at ``level_``.
    converged_ : bool
        False when a callback ended the path early.
    """

    def __init__(
        self,
        sigma: float | str = "median",
        *,
        nu: float = 0.1,
        kernel: str = "gaussian",
        degree: int = 2,
    ) -> None:
        self.sigma = sigma
        self.nu = nu
        self.kernel = kernel
        self.degree = degree

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> OneClassPath:
        """Follow the path; ``y`` is ignored, weights scale the upper bounds."""
        nu = checked_number("nu", self.nu, above=0.0, at_most=1.0)
        problem = self._problem(X, sample_weight)
        K = problem.columns.rows(np.arange(len(problem.centres)))
        path = one_class_path(K, problem.upper, callback=callback)
        rows = PathRows(path, np.ones(path.start.size))
        self.path_, self.breakpoints_ = path, path.breakpoints
        self.events_, self.path_residual_ = path.events, path.residuals
        self.event_points_ = first_original(problem.merged)[path.events["point"]]
        self.converged_, self.n_iter_ = path.converged, len(path.events)
        self.nus_ = rows.product(np.ones((path.start.size, 1)))[::-1, 0]
        self.family_ = self._one_class_family(
            problem,
            levels=rows.levels,
            coefficients=rows,
            offsets=rows.levels,
            tolerance=2.0 * max(float(path.residuals.max()), ROUNDING) * float(path.breakpoints[0]),
        )
        self.level_ = self.level_of_nu(nu)
        self._certify(problem)
        self._problem_ = problem
        warn_if_stopped(self.converged_, "The path")
        return self

    def coefficients(self, levels: ArrayLike) -> FloatArray:
        """α of the points as given, one row per level."""
        return self._problem_.merged.split(self.path_.coefficients(levels))

    @property
    def alpha_(self) -> FloatArray:
        """α at every breakpoint, (J, N): a large table for a long path, built when asked for."""
        return self.coefficients(self.breakpoints_)

    def sets(self, level: float) -> NDArray[np.int8]:
        """Where each point is at a level: 0 = L, 1 = E, 2 = R as in ``events_``."""
        return self.path_.sets([level])[0][self._problem_.merged.inverse]

    def nu_of_level(self, level: float) -> float:
        """The ν whose ν-SVM has the set of this level: the sum of the coefficients.

        By Proposition 1 of Lee & Scott (2007), C = 1/(ν n ρ) with C = 1/(n λ) and ρ = λ/ν.
        """
        return float(np.interp(level, self.breakpoints_[::-1], self.nus_[::-1]))

    def level_of_nu(self, nu: float) -> float:
        """The λ whose set is that of the ν-SVM, for ν in (0, 1]."""
        number = checked_number("nu", nu, above=0.0, at_most=1.0)
        return float(np.interp(number, self.nus_[::-1], self.breakpoints_[::-1]))

    def cost_of_level(self, level: float) -> float:
        """The C of the C-parametrised one-class SVM (2007, P_C) with the set of this level."""
        return 1.0 / (len(self._problem_.merged.inverse) * checked_number("level", level, above=0))

    def _certify(self, problem: Problem) -> None:
        alpha = self.path_.coefficients([self.level_])
        levels = np.array([self.level_])
        alpha = settle_one_class(alpha, problem.upper, levels)
        certificate = one_class_certificate(problem.verifying, alpha, problem.upper, levels)
        self.objective_, self.kkt_residual_, self.duality_gap_ = certificate
