"""The one-class SVM at every level: its exact path."""

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
from nestviz.estimators.one_class_problem import (
    ROUNDING,
    SMALLEST_SHARE,
    OneClassEstimator,
    Problem,
)
from nestviz.estimators.path_points import PathPoints
from nestviz.solvers.path.certificate import (
    one_class_path_certificate,
    path_converged,
    path_rounding,
)
from nestviz.solvers.path.cut import cut_path
from nestviz.solvers.path.one_class import one_class_path


class OneClassPath(PathPoints, OneClassEstimator):
    """The one-class SVM at every level: its whole, exact solution path.

    Solves eq. 5 of Lee & Scott (2010) for all λ > 0. The coefficients are piecewise linear in λ;
    the breakpoints are found as in Lee & Scott (2007), from λ_0, the largest weighted row sum of
    the kernel matrix, down to the end of the path. The sets need not be nested; ``family_.union()``
    is the 2007 remedy.

    Parameters
    ----------
    sigma : float, "median" or "miv"
        Width of the Gaussian kernel; "miv" takes the one of least integrated volume
        (`nestviz.volume.select_bandwidth` with seed 0), "miv:0.5" the same in a box with that
        margin.
    nu : float
        The ν, in (0, 1], of the level at which `decision_function` and `predict` answer.
    hold_below : float or None
        The smallest level λ_M of the family, as a share of λ_0. Below it the coefficients are held
        while the threshold goes on to 0, as in `NestedOneClassSVM`, so that the sets go on growing
        and every location enters at some level. None for the path alone: its last sets are all
        the same, and what they leave out never enters.
    kernel, degree
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over λ in (0, ∞).
    hold_level_ : float or None
        λ_M, below which sets are extrapolated.
    breakpoints_ : (J,) array
        Descending, from λ_0 to 0.
    events_ : structured array
        Which point goes from which set to which at which breakpoint: 0 = L (inside the margin,
        which is outside the set; at its bound), 1 = E (on the margin), 2 = R (beyond it, inside the
        set). Points are counted after coincident ones have been merged; ``event_points_`` names
        their first original.
    alpha_ : (J, N) array
        Coefficients at the breakpoints, built when asked for; `coefficients` has any levels.
    nus_ : (J,) array
        The ν of each breakpoint.
    path_residual_ : (J,) array
        KKT residual at each breakpoint, relative to λ_0.
    objective_ : float
        Dual objective at ``level_``.
    kkt_residual_ : float
        The largest of ``path_residual_``: nowhere on the path is the residual larger.
    duality_gap_ : float
        The largest relative gap between primal and dual on the path: at breakpoints, those with
        the largest residuals among them, and between them, from 1e-6 λ_0 up.
    converged_ : bool
        False, with a warning, when a callback ended the path early or ``kkt_residual_`` is above
        1e-7.
    """

    def __init__(
        self,
        sigma: float | str = "median",
        *,
        nu: float = 0.1,
        hold_below: float | None = SMALLEST_SHARE,
        kernel: str = "gaussian",
        degree: int = 2,
    ) -> None:
        self.sigma = sigma
        self.nu = nu
        self.hold_below = hold_below
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
        share = self.hold_below
        if share is not None:
            share = checked_number("hold_below", share, above=0.0, at_most=1.0)
        problem = self._problem(X, sample_weight)
        K = problem.columns.rows(np.arange(len(problem.centres)))
        path = one_class_path(K, problem.upper, callback=callback)
        rows = PathRows(path, np.ones(path.start.size))
        self.path_, self.breakpoints_ = path, path.breakpoints
        self.events_, self.path_residual_ = path.events, path.residuals
        self.event_points_ = first_original(problem.merged)[path.events["point"]]
        self.converged_, self.n_iter_ = path_converged(path), len(path.events)
        self.nus_ = rows.product(np.ones((path.start.size, 1)))[::-1, 0]
        self.hold_level_, held = None, rows
        if share is not None:
            self.hold_level_ = share * float(path.breakpoints[0])
            held = PathRows(cut_path(path, self.hold_level_), rows.scale)
        self.family_ = self._one_class_family(
            problem,
            levels=held.levels,
            coefficients=held,
            offsets=held.levels,
            hold_level=self.hold_level_,
            tolerance=path_rounding(path, 2.0 * ROUNDING) * float(path.breakpoints[0]),
        )
        self.level_ = self.level_of_nu(nu)
        self._certify(problem)
        self._merged_ = problem.merged
        warn_if_stopped(self.converged_, "The path")
        return self

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
        return 1.0 / (len(self._merged_.inverse) * checked_number("level", level, above=0))

    def _certify(self, problem: Problem) -> None:
        self.objective_, self.kkt_residual_, self.duality_gap_ = one_class_path_certificate(
            problem.verifying, self.path_, problem.upper, self.level_
        )
