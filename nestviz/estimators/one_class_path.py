"""The one-class SVM at every level: its exact path."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.coefficients import PathRows
from nestviz.estimators.base import Problem, warn_if_stopped
from nestviz.estimators.checks import checked_number
from nestviz.estimators.one_class_problem import (
    ROUNDING,
    SMALLEST_SHARE,
    OneClassEstimator,
    one_class_family,
)
from nestviz.estimators.path_points import PathPoints
from nestviz.families import SetFamily
from nestviz.solvers.path.certificate import (
    one_class_path_certificate,
    path_converged,
    path_rounding,
)
from nestviz.solvers.path.cut import cut_path, rescaled_path
from nestviz.solvers.path.one_class import one_class_path
from nestviz.solvers.path.records import PathSolution
from nestviz.solvers.records import Callback


class OneClassPath(PathPoints, OneClassEstimator):
    """One-class SVM at every level: the whole, exact solution path.

    Solves eq. 5 of Lee & Scott (2010) for all λ > 0. The coefficients are piecewise linear in λ.
    The breakpoints are found as in Lee & Scott (2007), from λ_0, the largest weighted row sum of
    the kernel matrix, down to the end of the path. The sets need not be nested;
    ``family_.union()`` is the remedy of 2007.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or a rule, as in `OneClassSVM`.
    level : float, optional
        The level λ at which `decision_function` and `predict` answer; by default that of ``nu``.
    nu : float
        The same level by its ν, in (0, 1].
    hold_below : float or None
        The smallest level λ_M of the family, as a share of λ_0. Below it the coefficients are held
        while the threshold decreases to 0, as in `NestedOneClassSVM`, so that the sets keep
        growing and every location enters at some level. None for the path alone: its last sets are
        all the same, and a point outside them never enters.
    kernel, degree : str, int
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over λ in (0, ∞).
    level_, offset_ : float
        The level in use; ``decision_function = score_samples - offset_``.
    hold_level_ : float or None
        λ_M, below which sets are extrapolated.
    breakpoints_ : ndarray of shape (n_breakpoints,)
        Descending, from λ_0 to 0.
    events_ : structured array
        Which point moves from which set to which at which breakpoint: 0 = L (outside, at its
        bound), 1 = E (on the margin), 2 = R (inside). Points are counted after coincident ones
        have been merged; ``event_points_`` has the row of the first original.
    alpha_ : ndarray of shape (n_breakpoints, n_points)
        Coefficients at the breakpoints, computed on access; `coefficients` has any levels.
    nus_ : ndarray of shape (n_breakpoints,)
        The ν of each breakpoint.
    path_residual_ : ndarray of shape (n_breakpoints,)
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

    _title = "The path"

    def __init__(
        self,
        sigma: float | str = "auto",
        *,
        level: float | None = None,
        nu: float = 0.1,
        hold_below: float | None = SMALLEST_SHARE,
        kernel: str = "gaussian",
        degree: int = 2,
    ) -> None:
        self.sigma = sigma
        self.level = level
        self.nu = nu
        self.hold_below = hold_below
        self.kernel = kernel
        self.degree = degree

    def families_by_weight(self, points: FloatArray) -> Callable[[FloatArray], SetFamily]:
        """Return a function from weights to the family of these points, for resamples.

        The kernel matrix is computed once. The families are those of `fit`, without certificates
        and without ``level_``.

        Parameters
        ----------
        points : ndarray of shape (n_points, n_features)
            Training points.

        Returns
        -------
        callable
            From weights of shape (n_points,) to a `SetFamily`.
        """
        whole, share = self._posed(points, None), self._checked_share()
        eta = self._checked_eta(share)

        def family(weights: FloatArray) -> SetFamily:
            problem = whole.reweighted(weights)
            K = problem.columns.block(np.arange(len(problem.centres)))
            path = one_class_path(K, problem.upper)
            warn_if_stopped(path_converged(path), self._title)
            return one_class_path_family(problem, path, share, eta)

        return family

    def _checked_share(self) -> float | None:
        """Return the parameter ``hold_below``, checked."""
        if self.hold_below is None:
            return None
        return checked_number("hold_below", self.hold_below, above=0.0, at_most=1.0)

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        share = self._checked_share()
        K = problem.columns.block(np.arange(len(problem.centres)))
        path = one_class_path(K, problem.upper, callback=callback)
        eta = self._checked_eta(share)
        shown = rescaled_path(path, eta)
        rows = PathRows(shown, np.ones(path.start.size))
        self._keep_path(shown, problem.merged)
        self.nus_ = rows.product(np.ones((path.start.size, 1)))[::-1, 0]
        self.family_ = one_class_path_family(problem, path, share, eta)
        self.hold_level_ = self.family_.hold_level
        self.level_ = self._answer_level(problem)
        self.objective_, self.kkt_residual_, self.duality_gap_ = one_class_path_certificate(
            problem.verifying, path, problem.upper, eta * self.level_
        )

    def _answer_level(self, problem: Problem) -> float:
        # A path may end, at λ = 0, before it reaches a small ν: the largest set answers then.
        nodes = self.breakpoints_
        least = self.hold_level_ or float(nodes[nodes > 0].min(initial=1.0))
        found = self.level_of_nu(self.nu)
        return self._level_or(lambda: found if found > 0 else least)

    def _checked_eta(self, share: float | None) -> float:
        """Return how much higher the level of the coefficients is than the threshold."""
        return 1.0

    def nu_of_level(self, level: float) -> float:
        """Return the ν whose ν-SVM has the set of a level: the sum of the coefficients.

        By Proposition 1 of Lee & Scott (2007), C = 1/(ν n ρ) with C = 1/(n λ) and ρ = λ/ν.

        Parameters
        ----------
        level : float
            The level λ.

        Returns
        -------
        float
            The ν.
        """
        return float(np.interp(level, self.breakpoints_[::-1], self.nus_[::-1]))

    def level_of_nu(self, nu: float) -> float:
        """Return the level λ whose set is that of a ν-SVM.

        Parameters
        ----------
        nu : float
            The ν, in (0, 1].

        Returns
        -------
        float
            The level λ.
        """
        number = checked_number("nu", nu, above=0.0, at_most=1.0)
        return float(np.interp(number, self.nus_[::-1], self.breakpoints_[::-1]))

    def cost_of_level(self, level: float) -> float:
        """Return the C of the C-parametrised one-class SVM (2007, P_C) with the set of a level.

        Parameters
        ----------
        level : float
            The level λ.

        Returns
        -------
        float
            The cost C.
        """
        return 1.0 / (len(self._merged_.inverse) * checked_number("level", level, above=0))


def one_class_path_family(
    problem: Problem, path: PathSolution, share: float | None, eta: float = 1.0
) -> SetFamily:
    """Return the sets of a path; below ``share`` of λ_0 its coefficients are held, if given.

    The coefficients of a level are those of the path at ``eta`` times the level.
    """
    top, hold_level, held = float(path.breakpoints[0]), None, path
    if share is not None:
        hold_level = share * top
        held = cut_path(path, eta * hold_level)
    rows = PathRows(rescaled_path(held, eta), np.ones(path.start.size))
    return one_class_family(
        problem,
        levels=rows.levels,
        coefficients=rows,
        offsets=rows.levels,
        hold_level=hold_level,
        tolerance=path_rounding(path, 2.0 * ROUNDING) * top,
    )
