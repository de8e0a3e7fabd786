"""The nested one-class SVM: all levels at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.adaptive_levels import (
    first_levels,
    is_adaptive,
    keep_level_certificate,
    solved_adaptively,
    weights_of,
)
from nestviz.estimators.base import Problem, check_nonnegative, rows_at, warn_if_stopped
from nestviz.estimators.checks import checked_number
from nestviz.estimators.nesting_certificate import keep_nesting_defect
from nestviz.estimators.one_class_problem import (
    SMALLEST_SHARE,
    OneClassEstimator,
    one_class_family,
)
from nestviz.families import SetFamily
from nestviz.kernels import GaussianGrams, GaussianKernel
from nestviz.solvers.columns import StoredMatrix
from nestviz.solvers.merge import merge_duplicates
from nestviz.solvers.nested.adaptive import AdaptiveSolution
from nestviz.solvers.nested.limits import lambda_oc
from nestviz.solvers.nested.problems import OneClassProblem
from nestviz.solvers.nested.solve import solve_one_class
from nestviz.solvers.records import Callback, Solution

TIE = 1e-9
"""Entry levels closer than this share of the largest are taken for equal."""


class NestedOneClassSVM(OneClassEstimator):
    """Nested one-class SVM: all levels at once, sets that never cross.

    ::

        min  Σ_m [ 1/(2λ_m) Σ_ij α_im α_jm k(x_i, x_j) − Σ_i α_im ]
        subject to  0 ≤ α_im ≤ 1/N,   α_i1/λ_1 ≤ … ≤ α_iM/λ_M

    for levels λ_1 > … > λ_M (Lee & Scott 2010, eqs. 12–15). Between them coefficients are
    interpolated, beyond them they stay constant. All sets {x : Σ_i α_i(λ) k(x_i, x) ≥ λ} are
    nested (Proposition 2), because the kernel is not negative.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or a rule, as in `OneClassSVM`.
    levels : int, ndarray or "adaptive"
        The number of levels, evenly spaced from the largest weighted row sum of the kernel matrix
        down to 1e-6 of it; or the levels themselves, in any order. Repeated ones count once.
        "adaptive" inserts levels between these ends where interpolated coefficients have the
        largest duality gap, until none exceeds ``level_tol``: see :doc:`/adaptive-levels`.
    level : float, optional
        The level λ at which `decision_function` and `predict` answer; by default the highest one
        that leaves out no more than the ``contamination`` of the training points.
    contamination : float
        The same level by the share of the training points that may be left out, in (0, 0.5].
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`; the kernel must not be negative.
    level_tol : float
        For adaptive levels: the largest duality gap at any level, relative to the dual value there.
    max_levels : int
        For adaptive levels: the largest number of them.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over λ in (0, ∞); nested by construction.
    levels_ : ndarray of shape (n_levels,)
        λ_1 > … > λ_M.
    alpha_ : ndarray of shape (n_levels, n_points)
        Coefficients, row m for λ_m. They satisfy the constraints to the last bit.
    level_, offset_ : float
        The level in use; ``decision_function = score_samples - offset_``.
    objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        As in `OneClassSVM`, for the problem above.
    nesting_defect_ : float
        By how much the coefficients of the family break the order that makes its sets nested,
        relative to the largest (`nestviz.nesting_check.nesting_defect`): 0 or rounding.
        ``converged_`` is False if it is more.
    certificate_ : LevelCertificate
        For adaptive levels: ``gap``, the largest relative duality gap at any level from λ_1 down to
        λ_M, compared with the best coefficients between those of the neighbouring levels; ``gaps``
        and ``worst_levels`` say it for each pair of neighbours.
    level_weights_ : ndarray of shape (n_levels,)
        For adaptive levels: the weight of each level in the sum above, in proportion to the part of
        the range that is nearest to it. So they stand for an integral over λ, as a fine grid does.
    level_rounds_ : ndarray of int of shape (n_levels,)
        For adaptive levels: the round in which each one was inserted, 0 for the first three.
    round_gaps_ : ndarray of shape (n_rounds + 1,)
        For adaptive levels: the largest gap before each round, and at the end.

    Examples
    --------
    >>> from nestviz import make_sample
    >>> nested = NestedOneClassSVM(sigma=0.5, levels=5).fit(make_sample("ring", n=60).X)
    >>> nested.family_.is_nested, nested.alpha_.shape
    (True, (5, 60))

    Levels where they are needed, and a certificate for all levels:

    >>> nested = NestedOneClassSVM(0.5, "adaptive", level_tol=1e-2).fit(make_sample("ring", n=60).X)
    >>> len(nested.levels_), nested.certificate_.gap <= 1e-2
    (6, True)
    """

    _title = "The nested one-class SVM"

    def __init__(
        self,
        sigma: float | str = "auto",
        levels: int | ArrayLike | str = 11,
        *,
        level: float | None = None,
        contamination: float = 0.1,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
        level_tol: float = 1e-3,
        max_levels: int = 200,
    ) -> None:
        self.sigma = sigma
        self.levels = levels
        self.level = level
        self.contamination = contamination
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter
        self.level_tol = level_tol
        self.max_levels = max_levels

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        contamination = checked_number("contamination", self.contamination, above=0.0, at_most=0.5)
        check_nonnegative(problem.kernel)
        self.levels_, solution, inserted = self._solved(problem, callback)
        self.alpha_ = self._keep_verified(problem, solution, self.levels_, weights_of(inserted))
        keep_level_certificate(self, _problem(problem), problem.verifying, inserted)
        self.family_ = nested_one_class_family(problem, self.levels_, solution.alpha)
        entry = self.family_.first_level(problem.centres)
        self.level_ = self._level_or(lambda: level_leaving_out(entry, problem.upper, contamination))
        keep_nesting_defect(self, self._title)

    def _solved(
        self, problem: Problem, callback: Callback | None = None
    ) -> tuple[FloatArray, Solution, AdaptiveSolution | None]:
        """Return the levels, the solution there, and how the levels were inserted, if they were."""
        if is_adaptive(self.levels):
            top = lambda_oc(problem.columns, problem.upper)
            first = first_levels(top, SMALLEST_SHARE * top)
            found = solved_adaptively(self, _problem(problem), first, callback)
            return found.levels, found.solution, found
        levels = descending_levels(self.levels, problem)
        solution = solve_one_class(
            problem.columns, problem.upper, levels,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        return levels, solution, None

    def families_by_width(self, points: FloatArray, unit: float) -> Callable[[float], SetFamily]:
        """Return a function from σ to the family of these points, for a search over widths.

        Distances between the points are computed once. The families are those of `fit`, solved to
        the same tolerance, without certificates and without ``level_``.

        Parameters
        ----------
        points : ndarray of shape (n_points, n_features)
            Training points.
        unit : float
            A typical distance between them.

        Returns
        -------
        callable
            From a width to a `SetFamily`.
        """
        merged = merge_duplicates(points)
        grams = GaussianGrams(merged.X, merged.X, unit)

        def family(sigma: float) -> SetFamily:
            columns = StoredMatrix(grams.at(sigma))
            return self._family(Problem(GaussianKernel(sigma), columns, merged))

        return family

    def families_by_weight(self, points: FloatArray) -> Callable[[FloatArray], SetFamily]:
        """Return a function from weights to the family of these points, for resamples.

        The kernel matrix is computed once. The families are those of `fit`, solved to the same
        tolerance, without certificates and without ``level_``.

        Parameters
        ----------
        points : ndarray of shape (n_points, n_features)
            Training points.

        Returns
        -------
        callable
            From weights of shape (n_points,) to a `SetFamily`.
        """
        whole = self._posed(points, None)
        check_nonnegative(whole.kernel)
        return lambda weights: self._family(whole.reweighted(weights))

    def _family(self, problem: Problem) -> SetFamily:
        """Return the family of a problem, without certificates."""
        levels, solution, _ = self._solved(problem)
        warn_if_stopped(solution.converged, self._title)
        return nested_one_class_family(problem, levels, solution.alpha)

    def _coefficients(self, levels: FloatArray) -> FloatArray:
        return rows_at(levels, self.levels_[::-1], self.alpha_[::-1])


def _problem(problem: Problem) -> OneClassProblem:
    return OneClassProblem(problem.columns, problem.upper, weighted=True)


def nested_one_class_family(problem: Problem, levels: FloatArray, alpha: FloatArray) -> SetFamily:
    """Return the sets of nested coefficients ``alpha``, one row for each descending level."""
    return one_class_family(
        problem,
        levels=levels[::-1],
        coefficients=alpha[::-1],
        offsets=levels[::-1],
        hold_level=float(levels[-1]),
        is_nested=True,
    )


def descending_levels(levels: int | ArrayLike | str, problem: Problem) -> FloatArray:
    """Return λ_1 > … > λ_M, from a number of levels or from the levels themselves."""
    if isinstance(levels, (int, np.integer)) and not isinstance(levels, bool):
        if levels < 1:
            raise ValueError(f"levels must be at least 1, not {levels}.")
        top = lambda_oc(problem.columns, problem.upper)
        return np.linspace(top, SMALLEST_SHARE * top, int(levels))
    given = np.asarray(levels, dtype=np.float64)
    if given.ndim != 1 or not given.size or not np.all(np.isfinite(given)) or given.min() <= 0:
        raise ValueError("levels must be a whole number, or a list of finite positive numbers.")
    return np.unique(given)[::-1]


def level_leaving_out(entry: FloatArray, weights: FloatArray, share: float) -> float:
    """Return the highest level at which no more than a share of the weight is outside.

    ``entry`` has the levels at which points enter. The answer lies half way between the last
    point left out and the first one kept, so that rounding does not decide.
    """
    entry, weights = entry[weights > 0], weights[weights > 0]
    if not np.isfinite(entry).any():
        return SMALLEST_SHARE
    entry = np.where(np.isfinite(entry), entry, 0.0)
    order = np.argsort(entry, kind="stable")
    ordered, mass = entry[order], np.cumsum(weights[order]) / weights.sum()
    outside = int(np.searchsorted(mass, share + 1e-12, side="right"))
    kept = ordered[outside:][ordered[outside:] > 0].min(initial=ordered[-1])
    # Points that enter at a level of the problem differ by the solver's tolerance only.
    below = ordered[ordered < kept - TIE * ordered[-1]]
    return float((below.max(initial=0.0) + kept) / 2)
