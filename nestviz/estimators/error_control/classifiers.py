"""Classifiers that control the two errors: minimax, and Neyman–Pearson."""

from __future__ import annotations

import warnings
from typing import Any

from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.base import checked_number, warn_if_stopped
from nestviz.estimators.bias_shift import shifted_offset
from nestviz.estimators.dual_problem import ErrorRates, OffsetEstimator
from nestviz.estimators.error_control.axes import nu_axis, sigma_axis
from nestviz.estimators.error_control.criteria import (
    Criterion,
    Minimax,
    Misclassification,
    NeymanPearson,
)
from nestviz.estimators.error_control.known_rates import search_table
from nestviz.estimators.error_control.rate_tables import ErrorTable, Progress
from nestviz.estimators.error_control.search import Search, Settings, search
from nestviz.kernels import GaussianKernel, Kernel
from nestviz.solvers.box_sum.dual_parameters import to_nu_gamma
from nestviz.solvers.box_sum.dual_svm import solve_dual_nu


class ErrorControl(OffsetEstimator):
    """What the two classifiers share: a search, a fit at what it chose, a shift of the offset."""

    kernel = "gaussian"
    degree = 2
    search_: Search

    def __init__(
        self,
        *,
        strategy: str = "grid",
        smoothing: str = "3d",
        select_by: str = "aim",
        shift: bool = False,
        nu: int | ArrayLike = 10,
        sigmas: int | ArrayLike = 10,
        folds: int = 5,
        seed: int = 0,
        n_jobs: int | None = None,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.strategy = strategy
        self.smoothing = smoothing
        self.select_by = select_by
        self.shift = shift
        self.nu = nu
        self.sigmas = sigmas
        self.folds = folds
        self.seed = seed
        self.n_jobs = n_jobs
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, callback: Progress | None = None) -> Any:
        """Search, and fit the 2ν-SVM that was chosen to all points.

        Parameters
        ----------
        X : (n, d) array
            Points.
        y : (n,) array
            Two classes; the larger label is positive.
        callback : callable, optional
            Called with the share of the search that is done at most; return True to stop. The
            choice is then the best of what had been seen.
        """
        return self.fit_chosen(X, y, self.search(X, y, callback))

    def search(self, X: ArrayLike, y: ArrayLike, callback: Progress | None = None) -> Search:
        """Search as ``fit`` does, without fitting what was chosen; keeps nothing."""
        self._aim()
        points, signs = self._two_classes(X, y)
        criterion = self._criterion(int((signs > 0).sum()), int((signs < 0).sum()))
        return search(points, signs, criterion, self._settings(points), callback)

    def choose(self, table: ErrorTable) -> Search:
        """Choose from a table of known rates, without training a single SVM.

        Parameters
        ----------
        table : ErrorTable
            Rates over a whole grid; for the strategy "nu-svm" over its own values of ν.

        Returns
        -------
        Search
            What ``fit`` would find on the grid and the folds of the table.
        """
        settings = Settings(
            self.strategy, self.smoothing, table.nu_plus, table.sigmas,
            table.folds, table.seed, self.n_jobs,
        )  # fmt: skip
        return search_table(table, self._criterion(table.n_plus, table.n_minus), settings)

    def fit_chosen(self, X: ArrayLike, y: ArrayLike, search: Search) -> Any:
        """Fit the 2ν-SVM of a search made before, such as one of `choose`, to all points."""
        aim = self._aim()
        points, signs = self._two_classes(X, y)
        self.search_, self.sigma_ = search, search.sigma
        self.nu_plus_, self.nu_minus_ = search.nu_plus, search.nu_minus
        self._solve_chosen(X, y)
        if self.shift:
            scores = self.family_.values(points, 0.0)
            self.offset_ = self.level_ = shifted_offset(scores, signs > 0, self.offset_, aim)
        self.estimated_ = ErrorRates(*search.rates)
        self.caveat_ = self._caveat()
        return self

    def _aim(self) -> Criterion:
        raise NotImplementedError

    def _caveat(self) -> str:
        raise NotImplementedError

    def _criterion(self, n_plus: int, n_minus: int) -> Criterion:
        if self.select_by == "aim":
            return self._aim()
        if self.select_by == "misclassification":
            return Misclassification(n_plus, n_minus)
        raise ValueError(f"select_by must be 'aim' or 'misclassification', not {self.select_by!r}.")

    def _settings(self, points: FloatArray) -> Settings:
        nus, sigmas = nu_axis(self.nu), sigma_axis(self.sigmas, points)
        return Settings(
            self.strategy, self.smoothing, nus, sigmas, self.folds, self.seed, self.n_jobs
        )

    def _make_kernel(self, points: FloatArray) -> Kernel:
        return GaussianKernel(self.sigma_)

    def _solve_chosen(self, X: ArrayLike, y: ArrayLike) -> None:
        problem = self._problem(X, y, None)
        solution = solve_dual_nu(
            problem.columns, problem.y, problem.weights, self.nu_plus_, self.nu_minus_,
            tol=self.tol, max_iter=self.max_iter,
        )  # fmt: skip
        self.nu_, self.gamma_ = to_nu_gamma(
            self.nu_plus_, self.nu_minus_, self.n_plus_, self.n_minus_
        )
        self.is_trivial_ = solution.is_trivial
        self._keep(problem, solution)
        self.unshifted_offset_ = self.offset_
        warn_if_stopped(self.converged_, "The 2ν-SVM")


class MinimaxClassifier(ErrorControl):
    """The 2ν-SVM with the least max(P_F, P_M) by cross-validation (Davenport 2007, chapter 3).

    Parameters
    ----------
    strategy : str
        How to look through (σ, ν₊, ν₋): "grid", all of it; "coordinate-2d", a coordinate descent
        over (ν₊, ν₋) for each σ; "coordinate-3d", one over all three. Two baselines keep ν₊ and ν₋
        together: "nu-svm", the usual ν-SVM, with equal costs for the two classes; and
        "balanced-nu-svm", ν₊ = ν₋.
    smoothing : {"3d", "2d", "none"}
        Average estimated rates with those of neighbouring cells: of all three axes, of (ν₊, ν₋)
        only, or not at all. For the baselines both kinds of smoothing are over ν and σ.
    select_by : {"aim", "misclassification"}
        Choose the setting by what the classifier is for, or by the fewest mistakes of both kinds
        together; the latter only makes sense with ``shift``.
    shift : bool
        Move the offset of the chosen SVM to the value that is best on the training points.
    nu : int or array
        How many values of ν₊ and of ν₋ (k/nu for k = 1, …, nu), or which ones. For "nu-svm" they
        are shares of the largest ν that is feasible.
    sigmas : int or array
        How many widths (evenly on a logarithmic scale, from 0.05 to 5 median distances between
        points), or which ones.
    folds, seed : int
        Folds of the cross-validation, and their seed.
    n_jobs : int, optional
        Threads of the strategy "grid"; −1 for one per core.
    tol, max_iter
        Of the fit to all points, as in `DualNuSVM`.

    Attributes
    ----------
    search_ : Search
        Tables of estimated rates, raw and smoothed, the choice, and the path of a descent.
    sigma_, nu_plus_, nu_minus_ : float
        The choice.
    estimated_ : ErrorRates
        P_F and P_M of the choice by cross-validation, before any shift.
    caveat_ : str
        What these estimates do not say, in a sentence.
    unshifted_offset_ : float
        The offset of the SVM itself; equal to ``offset_`` without ``shift``.
    classes_, family_, level_, offset_, margin_, alpha_, nu_, gamma_, is_trivial_, objective_, \
kkt_residual_, duality_gap_, n_iter_, converged_, n_plus_, n_minus_
        As in `DualNuSVM`, of the fit to all points.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(40.0)[:, None]
    >>> y = np.where(np.arange(40) < 25, -1, 1)
    >>> model = MinimaxClassifier(nu=3, sigmas=[2.0, 6.0]).fit(X, y)
    >>> model.predict([[10.0], [35.0]])
    array([-1,  1])
    """

    def _aim(self) -> Criterion:
        return Minimax()

    def _caveat(self) -> str:
        rates, table = self.estimated_, self.search_.table
        return (
            f"The larger of P_F and P_M was estimated as {max(rates):.3g}, from {table.n_minus} "
            f"negative and {table.n_plus} positive points and as the least of many estimates. "
            f"Expect more on new points: only points kept out of the search show how much."
        )


class NeymanPearsonClassifier(ErrorControl):
    """The 2ν-SVM with the least P_M among those with P_F ≤ α by cross-validation (chapter 4).

    The constraint holds for an estimate of P_F, on the points at hand. That is no guarantee for new
    points: see ``caveat_``, and measure P_F with its confidence interval on points held out
    (`nestviz.analysis.neyman_pearson_score`).

    Parameters
    ----------
    alpha : float
        The largest false alarm rate allowed, in (0, 1). Where no setting of the search meets it,
        the one of least estimated P_F is taken, with a warning.
    strategy, smoothing, select_by, shift, nu, sigmas, folds, seed, n_jobs, tol, max_iter
        As in `MinimaxClassifier`.

    Attributes
    ----------
    meets_constraint_ : bool
        Whether the estimated P_F of the choice is at most ``alpha``.
    search_, sigma_, nu_plus_, nu_minus_, estimated_, caveat_, unshifted_offset_, and those of \
`DualNuSVM`
        As in `MinimaxClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(40.0)[:, None]
    >>> y = np.where(np.arange(40) < 25, -1, 1)
    >>> model = NeymanPearsonClassifier(0.1, nu=3, sigmas=[2.0, 6.0]).fit(X, y)
    >>> model.meets_constraint_
    True
    """

    def __init__(
        self,
        alpha: float = 0.1,
        *,
        strategy: str = "grid",
        smoothing: str = "3d",
        select_by: str = "aim",
        shift: bool = False,
        nu: int | ArrayLike = 10,
        sigmas: int | ArrayLike = 10,
        folds: int = 5,
        seed: int = 0,
        n_jobs: int | None = None,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        super().__init__(
            strategy=strategy, smoothing=smoothing, select_by=select_by, shift=shift, nu=nu,
            sigmas=sigmas, folds=folds, seed=seed, n_jobs=n_jobs, tol=tol, max_iter=max_iter,
        )  # fmt: skip
        self.alpha = alpha

    def fit(self, X: ArrayLike, y: ArrayLike, callback: Progress | None = None) -> Any:
        """Search, and fit; see `MinimaxClassifier.fit`."""
        super().fit(X, y, callback)
        if not self.meets_constraint_ and self.select_by == "aim":
            warnings.warn(
                f"No setting of the search has an estimated false alarm rate of at most "
                f"{self.alpha:g}; the one of the lowest, {self.estimated_.false_alarm:.3g}, was "
                f"taken. Allow more false alarms, or search smaller values of nu.",
                UserWarning,
                stacklevel=2,
            )
        return self

    def fit_chosen(self, X: ArrayLike, y: ArrayLike, search: Search) -> Any:
        """Fit the 2ν-SVM of a search made before, such as one of `choose`, to all points."""
        super().fit_chosen(X, y, search)
        self.meets_constraint_ = NeymanPearson(self.alpha).key(*self.estimated_)[0] == 0.0
        return self

    def _aim(self) -> Criterion:
        alpha = checked_number("alpha", self.alpha, above=0.0)
        if alpha >= 1.0:
            raise ValueError(
                f"alpha must lie between 0 and 1, not {alpha:g}: at 1 nothing is forbidden."
            )
        return NeymanPearson(alpha)

    def _caveat(self) -> str:
        rate, n = self.estimated_.false_alarm, self.search_.table.n_minus
        return (
            f"P_F was estimated as {rate:.3g} from {n} negative points, and the setting was chosen "
            f"for it: that it is at most {self.alpha:g} is no guarantee that the false alarm rate "
            f"on new points is. Only points kept out of the search show it, with an interval."
        )
