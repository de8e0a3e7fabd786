"""Classifiers that control the two errors: minimax, and Neyman–Pearson."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.boundary import VOID
from nestviz.estimators.checks import as_seed, checked_number
from nestviz.estimators.error_control.control import ErrorControl
from nestviz.estimators.error_control.criteria import Criterion, Minimax, NeymanPearson
from nestviz.estimators.error_control.search import Search
from nestviz.estimators.error_control.umbrella import held_threshold, threshold_rank
from nestviz.renamed import renamed
from nestviz.solvers.records import Callback


class MinimaxClassifier(ErrorControl):
    """2ν-SVM with the least max(P_F, P_M) by cross-validation (Davenport 2007, chapter 3).

    Parameters
    ----------
    strategy : str
        How (σ, ν₊, ν₋) are searched: "grid", all of it; "coordinate-2d", a coordinate descent
        over (ν₊, ν₋) for each σ; "coordinate-3d", one over all three. Two baselines keep ν₊ and ν₋
        together: "nu-svm", the usual ν-SVM, with equal costs for the two classes; and
        "balanced-nu-svm", ν₊ = ν₋.
    smoothing : {"3d", "2d", "none"}
        Average estimated rates with those of neighbouring cells: of all three axes, of (ν₊, ν₋)
        only, or not at all. For the baselines both kinds of smoothing are over ν and σ.
    select_by : {"aim", "misclassification"}
        Choose the setting by the aim of the classifier, or by the fewest mistakes of both kinds
        together; the latter only makes sense with ``shift``.
    shift : bool
        Move the intercept of the chosen SVM to the value that is best on the training points.
    nu_grid : int or ndarray
        Number of values of ν₊ and of ν₋ (k/nu_grid for k = 1, …, nu_grid), or the values. For
        "nu-svm" they are shares of the largest feasible ν.
    sigmas : int or ndarray
        Number of widths (evenly on a logarithmic scale, from 0.05 to 5 median distances between
        points), or the widths.
    cv : int or splitter
        Number of stratified, shuffled folds, or a cross-validation splitter of scikit-learn.
    random_state : int, RandomState or None
        Seed of the shuffled folds.
    n_jobs : int, optional
        Threads of the strategy "grid"; −1 for one per core.
    tol, max_iter : float, int
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
        A sentence on the limits of these estimates.
    unshifted_intercept_ : float
        The intercept of the SVM itself; equal to ``intercept_`` without ``shift``.
    classes_, family_, level_, intercept_, margin_, alpha_, nu_, gamma_, is_trivial_
        As in `DualNuSVM`, of the fit to all points.
    objective_, kkt_residual_, duality_gap_, n_iter_, converged_, n_plus_, n_minus_
        As in `DualNuSVM`, of the fit to all points.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(40.0)[:, None]
    >>> y = np.where(np.arange(40) < 25, -1, 1)
    >>> model = MinimaxClassifier(nu_grid=3, sigmas=[2.0, 6.0]).fit(X, y)
    >>> model.predict([[10.0], [35.0]])
    array([-1,  1])
    """

    def _aim(self) -> Criterion:
        return Minimax()

    def _caveat(self) -> str:
        rates, table = self.estimated_, self.search_.table
        return (
            f"The larger of the false alarm rate and the miss rate was estimated as "
            f"{max(rates):.3g}, from {table.n_minus} negative and {table.n_plus} positive points "
            f"and as the least of many estimates. Expect more on new points: only held-out points "
            f"show how much."
        )


@renamed(alpha="max_false_positive_rate")
class NeymanPearsonClassifier(ErrorControl):
    """2ν-SVM with the least P_M among those with P_F ≤ α by cross-validation (chapter 4).

    The constraint holds for an estimate of P_F, on the points at hand. That is no guarantee for new
    points: see ``caveat_``, and measure P_F with its confidence interval on held-out points
    (`nestviz.analysis.neyman_pearson_score`). With ``guarantee`` the intercept is set by negative
    points that were held out from search and fit, so that P(P_F > α) ≤ δ whatever the distribution
    (Tong, Feng & Li 2018).

    Parameters
    ----------
    max_false_positive_rate : float
        α, the largest false alarm rate allowed, in (0, 1). Where no setting of the search meets it,
        the one of least estimated P_F is taken, with a warning.
    guarantee : float, optional
        δ, the probability with which P_F may exceed ``max_false_positive_rate``, in (0, 1). Needs
        log δ / log(1 − α) held-out negative points: 59 for 0.05 and 0.05.
    held_out : float
        Share of the negative points that are held out for the guarantee.
    strategy, smoothing, select_by, shift : str, str, str, bool
        As in `MinimaxClassifier`.
    nu_grid, sigmas : int or ndarray
        As in `MinimaxClassifier`.
    cv, random_state, n_jobs, tol, max_iter : int or splitter, int, int, float, int
        As in `MinimaxClassifier`.

    Attributes
    ----------
    meets_constraint_ : bool
        Whether the estimated P_F of the choice is at most ``max_false_positive_rate``.
    n_held_out_ : int
        Number of negative points behind the guarantee; 0 without one.
    search_, sigma_, nu_plus_, nu_minus_, estimated_, caveat_, unshifted_intercept_
        As in `MinimaxClassifier`, and so are the attributes of `DualNuSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(40.0)[:, None]
    >>> y = np.where(np.arange(40) < 25, -1, 1)
    >>> model = NeymanPearsonClassifier(0.1, nu_grid=3, sigmas=[2.0, 6.0]).fit(X, y)
    >>> model.meets_constraint_
    True
    """

    def __init__(
        self,
        max_false_positive_rate: float = 0.1,
        *,
        guarantee: float | None = None,
        held_out: float = 0.5,
        strategy: str = "grid",
        smoothing: str = "3d",
        select_by: str = "aim",
        shift: bool = False,
        nu_grid: int | ArrayLike = 10,
        sigmas: int | ArrayLike = 10,
        cv: Any = 5,
        random_state: Any = 0,
        n_jobs: int | None = None,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        super().__init__(
            strategy=strategy, smoothing=smoothing, select_by=select_by, shift=shift,
            nu_grid=nu_grid, sigmas=sigmas, cv=cv, random_state=random_state, n_jobs=n_jobs,
            tol=tol, max_iter=max_iter,
        )  # fmt: skip
        self.max_false_positive_rate = max_false_positive_rate
        self.guarantee = guarantee
        self.held_out = held_out

    def fit(  # type: ignore[override]
        self, X: ArrayLike, y: ArrayLike, callback: Callback | None = None
    ) -> Self:
        """Search, fit the 2ν-SVM that was chosen, and with ``guarantee`` set its intercept.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        y : ndarray of shape (n_points,)
            Two classes; the larger label is positive.
        callback : callable, optional
            As in `MinimaxClassifier`.

        Returns
        -------
        self
            The fitted estimator.
        """
        self.n_held_out_ = 0
        if self.guarantee is None:
            super().fit(X, y, callback)
            return self
        rate, delta = self._guaranteed()
        points, signs = self._two_classes(X, y)
        labels = self.classes_[(signs > 0).astype(np.intp)]
        held = self._held_out_rows(signs)
        # Before the search, which takes long: whether there are enough points at all.
        threshold_rank(len(held), rate, delta)
        used = np.setdiff1d(np.arange(len(points)), held)
        super().fit(points[used], labels[used], callback)
        scores = self.family_.values(points[held], 0.0)
        # Where no kernel reaches, or the SVM is trivial, the score is zero; `VOID` is its sign.
        scores = np.where(scores == VOID, 0.0, scores)
        # A point on the boundary is called positive: the threshold itself must not be.
        above = np.nextafter(held_threshold(scores, rate, delta), np.inf)
        self.intercept_ = self.level_ = -float(above)
        self.n_held_out_ = len(held)
        self.caveat_ = self._caveat()
        return self

    def _guaranteed(self) -> tuple[float, float]:
        """Return α and δ."""
        delta = checked_number("guarantee", self.guarantee, above=0.0)
        if delta >= 1.0:
            raise ValueError(f"guarantee must be a probability below 1, not {delta:g}.")
        self._aim()
        return float(self.max_false_positive_rate), delta

    def _held_out_rows(self, signs: FloatArray) -> NDArray[np.int64]:
        share = checked_number("held_out", self.held_out, above=0.0)
        if share >= 1.0:
            raise ValueError(f"held_out must be a share below 1, not {share:g}.")
        negative = np.flatnonzero(signs < 0)
        rng = np.random.default_rng(as_seed(self.random_state))
        return np.sort(rng.permutation(negative)[: round(share * len(negative))])

    def _keep_estimates(self, search: Search) -> None:
        super()._keep_estimates(search)
        self.meets_constraint_ = self._aim().key(*self.estimated_)[0] == 0.0

    def _warn_about_choice(self) -> None:
        if not self.meets_constraint_ and self.select_by == "aim":
            warnings.warn(
                f"No setting of the search has an estimated false alarm rate of at most "
                f"{self.max_false_positive_rate:g}; the one of the lowest, "
                f"{self.estimated_.false_alarm:.3g}, was taken. Allow more false alarms, or search "
                f"smaller values in nu_grid.",
                UserWarning,
                stacklevel=3,
            )

    def _aim(self) -> Criterion:
        rate = checked_number("max_false_positive_rate", self.max_false_positive_rate, above=0.0)
        if rate >= 1.0:
            raise ValueError(
                f"max_false_positive_rate must lie between 0 and 1, not {rate:g}: at 1 nothing is "
                f"forbidden."
            )
        return NeymanPearson(rate)

    def _caveat(self) -> str:
        if getattr(self, "n_held_out_", 0):
            return (
                f"With a probability of at least {1.0 - float(self.guarantee or 0.0):.3g} over the "
                f"{self.n_held_out_} negative points held out, the false alarm rate on new points "
                f"is at most {self.max_false_positive_rate:g}, if they come from the same "
                f"distribution."
            )
        rate, n = self.estimated_.false_alarm, self.search_.table.n_minus
        return (
            f"The false alarm rate was estimated as {rate:.3g} from {n} negative points, and the "
            f"setting was chosen for it: that it is at most {self.max_false_positive_rate:g} is no "
            f"guarantee that the false alarm rate on new points is. Only held-out points show it, "
            f"with an interval."
        )
