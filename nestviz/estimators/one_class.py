"""One-class SVMs: at one level, along the whole path, and nested."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import OutlierMixin

from nestviz.coefficients import PathRows
from nestviz.estimators.base import (
    KernelEstimator,
    check_nonnegative,
    checked_number,
    checked_weights,
    warn_if_stopped,
)
from nestviz.families import SetFamily
from nestviz.kernels import Kernel
from nestviz.solvers.certificate import one_class_certificate
from nestviz.solvers.columns import Columns, StoredMatrix, columns_of
from nestviz.solvers.feasible import settle_one_class
from nestviz.solvers.limits import lambda_oc
from nestviz.solvers.merge import Merged, merge_duplicates
from nestviz.solvers.nested import solve_one_class
from nestviz.solvers.path_one_class import one_class_path

FloatArray = NDArray[np.float64]
ROUNDING = 1e-13
"""Field values up to this share of the largest k(x, x) are taken for zero."""
SMALLEST_LEVEL = 1e-6
"""λ_M of the default grid (Lee & Scott 2010, section V-A)."""


class Problem(NamedTuple):
    """Distinct points with their bounds u_i (weights that sum to one), and the way back."""

    kernel: Kernel
    columns: Columns
    upper: FloatArray
    merged: Merged

    @property
    def centres(self) -> FloatArray:
        """The distinct points."""
        return self.merged.X


class OneClassEstimator(OutlierMixin, KernelEstimator):
    """What the one-class SVMs share."""

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Σ_i α_i k(x_i, x) at ``level_``: larger is more normal."""
        return self.decision_function(X) + self.level_

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """+1 inside the set at ``level_`` or on its boundary, −1 outside."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    @property
    def offset_(self) -> float:
        """The level under scikit-learn's name: ``decision_function = score_samples - offset_``."""
        return self.level_

    def _problem(self, X: ArrayLike, sample_weight: ArrayLike | None) -> Problem:
        points = self._checked_points(X, reset=True)
        weights = checked_weights(sample_weight, len(points))
        kernel = self._make_kernel(points[weights > 0])
        if self.kernel == "precomputed":
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
            "level_name": "density level λ",
            # Rounding only; boundary points of an exact solve are on the boundary.
            "tolerance": ROUNDING * float(problem.columns.diagonal.max()),
        }
        return SetFamily(**{**options, **parts})

    def _keep(self, problem: Problem, alpha: FloatArray, levels: FloatArray) -> None:
        """Keep coefficients of the points as given, feasible to the last bit."""
        upper = problem.upper[problem.merged.inverse] * problem.merged.share
        self.alpha_ = settle_one_class(problem.merged.split(alpha), upper, levels)


class OneClassSVM(OneClassEstimator):
    """The one-class SVM at one density level λ (Lee & Scott 2010, eq. 5).

    ::

        min_α  1/(2λ) Σ_ij α_i α_j k(x_i, x_j) − Σ_i α_i     subject to 0 ≤ α_i ≤ 1/N

    and the set is {x : Σ_i α_i k(x_i, x) > λ}.

    Parameters
    ----------
    sigma : float, "median" or "miv"
        Width of the Gaussian kernel; "miv" takes the one of least integrated volume
        (`nestviz.volume.select_bandwidth` with seed 0).
    lam : float
        The level λ > 0. From ``lambda_max_`` on, nothing changes any more.
    kernel : {"gaussian", "polynomial", "precomputed"}
        The kernel k.
    degree : int
        Degree of the polynomial kernel.
    tol : float
        Relative duality gap at which the solver stops.
    max_iter : int
        Rounds after which it stops in any case.

    Attributes
    ----------
    family_ : SetFamily
        A family of this one set.
    alpha_ : (1, N) array
        Coefficients.
    objective_ : float
        The dual objective above.
    kkt_residual_, duality_gap_ : float
        Certificate, recomputed from the coefficients.
    n_iter_ : int
        Rounds of the solver.
    converged_ : bool
        Whether the certificate is within ``tol``.
    lambda_max_ : float
        The λ from which on all coefficients are at their bound (appendix C).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0]])
    >>> OneClassSVM(sigma=0.5, lam=0.5).fit(X).predict([[0.1], [3.0]])
    array([ 1, -1])
    """

    def __init__(
        self,
        sigma: float | str = "median",
        lam: float = 0.1,
        *,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.lam = lam
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> OneClassSVM:
        """Solve at ``lam``; ``y`` is ignored, weights scale the upper bounds."""
        lam = checked_number("lam", self.lam, above=0.0)
        problem = self._problem(X, sample_weight)
        levels = np.array([lam])
        solution = solve_one_class(
            problem.columns, problem.upper, levels,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        self.lambda_max_ = lambda_oc(problem.columns, problem.upper)
        _keep_certificate(self, solution)
        self._keep(problem, solution.alpha, levels)
        self.level_ = lam
        self.family_ = self._one_class_family(
            problem,
            levels=levels,
            coefficients=solution.alpha,
            offsets=levels,
            domain=(lam, lam),
            open_below=False,
            is_nested=True,
        )
        warn_if_stopped(self.converged_, "The one-class SVM")
        return self


class NestedOneClassSVM(OneClassEstimator):
    """The nested one-class SVM: all density levels at once, sets that never cross.

    ::

        min  Σ_m [ 1/(2λ_m) Σ_ij α_im α_jm k(x_i, x_j) − Σ_i α_im ]
        subject to  0 ≤ α_im ≤ 1/N,   α_i1/λ_1 ≤ … ≤ α_iM/λ_M

    for levels λ_1 > … > λ_M (Lee & Scott 2010, eqs. 12–15). Between them coefficients are
    interpolated, beyond them they stay constant; all sets {x : Σ_i α_i(λ) k(x_i, x) > λ} are
    nested (Proposition 2), because the kernel is not negative.

    Parameters
    ----------
    sigma : float, "median" or "miv"
        Width of the Gaussian kernel; "miv" takes the one of least integrated volume
        (`nestviz.volume.select_bandwidth` with seed 0).
    levels : int or array
        How many levels, evenly spaced from the largest weighted row sum of the kernel matrix down
        to 1e-6; or the levels themselves, in any order. Repeated ones count once.
    contamination : float
        Share of the training points that may lie outside the set at ``level_``, where
        `decision_function` and `predict` answer.
    kernel, degree, tol, max_iter
        As in `OneClassSVM`; the kernel must not be negative.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over λ in (0, ∞); nested by construction.
    levels_ : (M,) array
        λ_1 > … > λ_M.
    alpha_ : (M, N) array
        Coefficients, row m for λ_m. They satisfy the constraints to the last bit.
    level_ : float
        The level at which `predict` answers.
    objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        As in `OneClassSVM`, for the problem above.

    Examples
    --------
    >>> from nestviz import make_sample
    >>> nested = NestedOneClassSVM(sigma=0.5, levels=5).fit(make_sample("ring", n=60).X)
    >>> nested.family_.is_nested, nested.alpha_.shape
    (True, (5, 60))
    """

    def __init__(
        self,
        sigma: float | str = "median",
        levels: int | ArrayLike = 11,
        *,
        contamination: float = 0.1,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.levels = levels
        self.contamination = contamination
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> NestedOneClassSVM:
        """Solve for all levels together; ``y`` is ignored, weights scale the upper bounds."""
        contamination = checked_number("contamination", self.contamination, above=0.0, at_most=0.5)
        problem = self._problem(X, sample_weight)
        check_nonnegative(problem.kernel)
        self.levels_ = descending_levels(self.levels, problem)
        solution = solve_one_class(
            problem.columns, problem.upper, self.levels_,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        _keep_certificate(self, solution)
        self._keep(problem, solution.alpha, self.levels_)
        self.family_ = self._one_class_family(
            problem,
            levels=self.levels_[::-1],
            coefficients=solution.alpha[::-1],
            offsets=self.levels_[::-1],
            is_nested=True,
        )
        entry = self.family_.first_level(problem.centres)
        self.level_ = level_leaving_out(entry, problem.upper, contamination)
        warn_if_stopped(self.converged_, "The nested one-class SVM")
        return self


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
        self.event_points_ = _first_original(problem.merged)[path.events["point"]]
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
        certificate = one_class_certificate(problem.columns, alpha, problem.upper, levels)
        self.objective_, self.kkt_residual_, self.duality_gap_ = certificate


def descending_levels(levels: int | ArrayLike, problem: Problem) -> FloatArray:
    """λ_1 > … > λ_M, from a number of levels or from the levels themselves."""
    if isinstance(levels, (int, np.integer)) and not isinstance(levels, bool):
        if levels < 1:
            raise ValueError(f"levels must be at least 1, not {levels}.")
        top = lambda_oc(problem.columns, problem.upper)
        return np.linspace(top, min(SMALLEST_LEVEL, SMALLEST_LEVEL * top), int(levels))
    given = np.asarray(levels, dtype=np.float64)
    if given.ndim != 1 or not given.size or not np.all(np.isfinite(given)) or given.min() <= 0:
        raise ValueError("levels must be a whole number, or a list of finite positive numbers.")
    return np.unique(given)[::-1]


def level_leaving_out(entry: FloatArray, weights: FloatArray, share: float) -> float:
    """The highest level at which points of no more than this share of the weight are outside.

    ``entry`` holds the levels at which points come in. The answer lies half way between the last
    point left out and the first one kept, so that rounding does not decide.
    """
    if not np.isfinite(entry).any():
        return SMALLEST_LEVEL
    entry = np.where(np.isfinite(entry), entry, 0.0)
    order = np.argsort(entry, kind="stable")
    ordered, mass = entry[order], np.cumsum(weights[order]) / weights.sum()
    outside = int(np.searchsorted(mass, share + 1e-12, side="right"))
    kept = ordered[outside:][ordered[outside:] > 0].min(initial=ordered[-1])
    below = ordered[ordered < kept]
    return float((below.max(initial=0.0) + kept) / 2)


def _first_original(merged: Merged) -> NDArray[np.intp]:
    """For each distinct point the first of the points it stands for."""
    return np.unique(merged.inverse, return_index=True)[1]


def _keep_certificate(estimator: Any, solution: Any) -> None:
    for name in ("objective", "kkt_residual", "duality_gap", "n_iter", "converged"):
        setattr(estimator, f"{name}_", getattr(solution, name))
