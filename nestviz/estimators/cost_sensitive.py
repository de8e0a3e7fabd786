"""Cost-sensitive SVMs: at one cost asymmetry, along the whole path, and nested."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from nestviz.coefficients import PathRows
from nestviz.estimators.base import (
    KernelEstimator,
    check_nonnegative,
    checked_number,
    checked_weights,
    warn_if_stopped,
)
from nestviz.estimators.one_class import _first_original, _keep_certificate
from nestviz.families import SetFamily
from nestviz.kernels import Kernel
from nestviz.solvers.certificate import cost_sensitive_certificate
from nestviz.solvers.columns import Columns, StoredMatrix, columns_of
from nestviz.solvers.feasible import settle_cost_sensitive
from nestviz.solvers.limits import lambda_cs
from nestviz.solvers.merge import Merged, merge_duplicates
from nestviz.solvers.nested import solve_cost_sensitive
from nestviz.solvers.path_cost import cost_path

FloatArray = NDArray[np.float64]


class Problem(NamedTuple):
    """Distinct points of each class with their weights, and the way back."""

    kernel: Kernel
    columns: Columns
    y: FloatArray
    weights: FloatArray
    merged: Merged

    @property
    def centres(self) -> FloatArray:
        """The distinct points."""
        return self.merged.X


class CostSensitiveEstimator(ClassifierMixin, KernelEstimator):
    """What the cost-sensitive SVMs share: two classes, no offset, an answer at one γ."""

    lam: float
    gamma: float

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The second of ``classes_`` inside the set at ``level_``, the first one outside."""
        inside = self.decision_function(X) > 0
        if len(self.classes_) == 1:
            return np.full(inside.shape, self.classes_[0])
        return self.classes_[inside.astype(np.intp)]

    def _miv_sigma(self, points: FloatArray) -> float:
        raise ValueError(
            "sigma='miv' needs data of one class: it looks for the sets that hold them in the "
            "smallest volume. For two classes give a number or 'median', or choose sigma by "
            "cross-validation over the labels."
        )

    def _problem(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Problem:
        points, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_ = np.unique(labels)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported: a cost asymmetry is between two "
                f"classes, and y has {len(self.classes_)}."
            )
        signs = np.where(labels == _positive(self.classes_), 1.0, -1.0)
        weights = checked_weights(sample_weight, len(points))
        kernel = self._make_kernel(points[weights > 0])
        if self.kernel == "precomputed":
            alone = np.arange(len(points))
            merged = Merged(points, signs, weights, alone, np.ones(len(points)))
            columns: Columns = StoredMatrix(points)
        else:
            merged = merge_duplicates(points, signs, weights)
            columns = columns_of(kernel, merged.X)
        classes = signs if merged.y is None else merged.y
        self.lambda_max_ = lambda_cs(columns, classes, merged.weights)
        return Problem(kernel, columns, classes, merged.weights, merged)

    def _cost_family(self, problem: Problem, **parts: Any) -> SetFamily:
        options = {
            "centres": problem.centres,
            "kernel": problem.kernel,
            "orientation": 1,
            "level_name": "cost asymmetry γ",
        }
        return SetFamily(**{**options, **parts})

    def _keep(self, problem: Problem, alpha: FloatArray, asymmetries: FloatArray) -> None:
        """Keep coefficients of the points as given, feasible to the last bit."""
        merged = problem.merged
        weights = problem.weights[merged.inverse] * merged.share
        y = problem.y[merged.inverse]
        self.alpha_ = settle_cost_sensitive(merged.split(alpha), y, weights, asymmetries)


class CostSensitiveSVM(CostSensitiveEstimator):
    """The cost-sensitive SVM at one cost asymmetry γ, without offset (Lee & Scott 2010, eq. 2).

    ::

        min_α  1/(2λ) Σ_ij α_i α_j y_i y_j k(x_i, x_j) − Σ_i α_i
        subject to  0 ≤ α_i ≤ γ  (y_i = +1),   0 ≤ α_i ≤ 1 − γ  (y_i = −1)

    and the positive set is {x : (1/λ) Σ_i α_i y_i k(x_i, x) > 0}.

    Parameters
    ----------
    sigma : float or "median"
        Width of the Gaussian kernel.
    lam : float
        Regularisation λ > 0. From ``lambda_max_`` on, nothing changes any more.
    gamma : float
        Cost asymmetry in [0, 1]: the cost of missing a positive point is γ, that of a false alarm
        is 1 − γ.
    kernel, degree, tol, max_iter
        As in `OneClassSVM`.

    Attributes
    ----------
    classes_ : array
        The two classes; the second one is +1.
    family_, alpha_, objective_, kkt_residual_, duality_gap_, n_iter_, converged_, lambda_max_
        As in `OneClassSVM`.
    """

    def __init__(
        self,
        sigma: float | str = "median",
        lam: float = 1.0,
        gamma: float = 0.5,
        *,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.lam = lam
        self.gamma = gamma
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> CostSensitiveSVM:
        """Solve at ``gamma``; weights scale the upper bounds."""
        lam, gamma = checked_number("lam", self.lam, above=0.0), _checked_gamma(self.gamma)
        problem = self._problem(X, y, sample_weight)
        asymmetries = np.array([gamma])
        solution = solve_cost_sensitive(
            problem.columns, problem.y, problem.weights, lam, asymmetries,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        _keep_certificate(self, solution)
        self._keep(problem, solution.alpha, asymmetries)
        self.level_ = gamma
        self.family_ = self._cost_family(
            problem,
            levels=asymmetries,
            coefficients=solution.alpha * problem.y / lam,
            offsets=np.zeros(1),
            is_nested=True,
        )
        warn_if_stopped(self.converged_, "The cost-sensitive SVM")
        return self


class NestedCostSensitiveSVM(CostSensitiveEstimator):
    """The nested cost-sensitive SVM: all cost asymmetries at once, sets that never cross.

    ::

        min  Σ_m [ 1/(2λ) Σ_ij α_im α_jm y_i y_j k(x_i, x_j) − Σ_i α_im ]
        subject to  0 ≤ α_im ≤ γ_m or 1 − γ_m,   y_i α_i1 ≤ … ≤ y_i α_iM

    for γ_1 < … < γ_M (Lee & Scott 2010, eqs. 7–11). Between them coefficients are interpolated;
    the positive sets only grow with γ (Proposition 1), because the kernel is not negative.

    Parameters
    ----------
    sigma : float or "median"
        Width of the Gaussian kernel.
    lam : float
        Regularisation λ > 0.
    asymmetries : int or array
        How many, evenly spaced from 0 to 1; or the values themselves, in any order. Where 0 or 1
        are missing, the family reaches from the smallest to the largest one only.
    gamma : float
        The asymmetry at which `decision_function` and `predict` answer.
    kernel, degree, tol, max_iter
        As in `OneClassSVM`; the kernel must not be negative.

    Attributes
    ----------
    family_ : SetFamily
        All sets over γ; nested by construction.
    asymmetries_ : (M,) array
        γ_1 < … < γ_M.
    alpha_ : (M, N) array
        Coefficients, row m for γ_m. They satisfy the constraints to the last bit.
    classes_, objective_, kkt_residual_, duality_gap_, n_iter_, converged_, lambda_max_
        As in `CostSensitiveSVM`.
    """

    def __init__(
        self,
        sigma: float | str = "median",
        lam: float = 1.0,
        asymmetries: int | ArrayLike = 5,
        *,
        gamma: float = 0.5,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.lam = lam
        self.asymmetries = asymmetries
        self.gamma = gamma
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> NestedCostSensitiveSVM:
        """Solve for all asymmetries together; weights scale the upper bounds."""
        lam = checked_number("lam", self.lam, above=0.0)
        asymmetries = ascending_asymmetries(self.asymmetries)
        self.level_ = _level_within(self.gamma, asymmetries)
        problem = self._problem(X, y, sample_weight)
        check_nonnegative(problem.kernel)
        solution = solve_cost_sensitive(
            problem.columns, problem.y, problem.weights, lam, asymmetries,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        self.asymmetries_ = asymmetries
        _keep_certificate(self, solution)
        self._keep(problem, solution.alpha, asymmetries)
        self.family_ = self._cost_family(
            problem,
            levels=asymmetries,
            coefficients=solution.alpha * problem.y / lam,
            offsets=np.zeros(asymmetries.size),
            is_nested=True,
        )
        warn_if_stopped(self.converged_, "The nested cost-sensitive SVM")
        return self


class CostSensitivePath(CostSensitiveEstimator):
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
    events_, event_points_, path_residual_, objective_, kkt_residual_, duality_gap_, converged_
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
        self.level_ = _checked_gamma(self.gamma)
        problem = self._problem(X, y, sample_weight)
        K = problem.columns.rows(np.arange(len(problem.centres)))
        path = cost_path(K, problem.y, lam, problem.weights, callback=callback)
        rows = PathRows(path, problem.y / lam)
        self.path_, self.breakpoints_ = path, path.breakpoints
        self.events_, self.path_residual_ = path.events, path.residuals
        self.event_points_ = _first_original(problem.merged)[path.events["point"]]
        self.converged_, self.n_iter_ = path.converged, len(path.events)
        self.family_ = self._cost_family(
            problem,
            levels=rows.levels,
            coefficients=rows,
            offsets=np.zeros(rows.shape[0]),
            domain=(0.0, 1.0) if path.converged else None,
            tolerance=2.0 * float(path.residuals.max()),
        )
        self._problem_ = problem
        self._certify(problem, lam)
        warn_if_stopped(self.converged_, "The path")
        return self

    def coefficients(self, asymmetries: ArrayLike) -> FloatArray:
        """α of the points as given, one row per asymmetry."""
        return self._problem_.merged.split(self.path_.coefficients(asymmetries))

    def sets(self, level: float) -> NDArray[np.int8]:
        """Where each point is at an asymmetry: 0 = L, 1 = E, 2 = R as in ``events_``."""
        return self.path_.sets([level])[0][self._problem_.merged.inverse]

    def _certify(self, problem: Problem, lam: float) -> None:
        asymmetries = np.array([self.level_])
        alpha = settle_cost_sensitive(
            self.path_.coefficients(asymmetries), problem.y, problem.weights, asymmetries
        )
        certificate = cost_sensitive_certificate(
            problem.columns, alpha, problem.y, problem.weights, lam, asymmetries
        )
        self.objective_, self.kkt_residual_, self.duality_gap_ = certificate


def ascending_asymmetries(asymmetries: int | ArrayLike) -> FloatArray:
    """γ_1 < … < γ_M, from a number of them or from the values themselves."""
    if isinstance(asymmetries, (int, np.integer)) and not isinstance(asymmetries, bool):
        if asymmetries < 2:
            raise ValueError(f"asymmetries must be at least 2 (for 0 and 1), not {asymmetries}.")
        return np.linspace(0.0, 1.0, int(asymmetries))
    given = np.asarray(asymmetries, dtype=np.float64)
    inside = given.size and np.all(np.isfinite(given)) and given.min() >= 0 and given.max() <= 1
    if given.ndim != 1 or not inside:
        raise ValueError("asymmetries must be a whole number, or a list of numbers from 0 to 1.")
    return np.unique(given)


def _positive(classes: NDArray[Any]) -> Any:
    """The class that counts as +1; a class −1 that stands alone stays negative."""
    alone_negative = len(classes) == 1 and bool(np.all(classes == -1))
    return None if alone_negative else classes[-1]


def _checked_gamma(gamma: Any) -> float:
    return checked_number("gamma", gamma, above=-1e-300, at_most=1.0)


def _level_within(gamma: Any, asymmetries: FloatArray) -> float:
    level = _checked_gamma(gamma)
    if not asymmetries[0] <= level <= asymmetries[-1]:
        raise ValueError(
            f"gamma = {level:g} is outside the asymmetries, which reach from {asymmetries[0]:g} to "
            f"{asymmetries[-1]:g}: choose one of that range, or add asymmetries."
        )
    return level
