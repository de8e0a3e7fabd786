"""Sets with a coverage guarantee: families of sets calibrated on held-out points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.utils.validation import check_is_fitted, validate_data

from nestviz.arrays import BoolArray, FloatArray
from nestviz.estimators.checks import as_seed, checked_number, whole_number
from nestviz.estimators.conformity import Conformity, checked_share, just_outside, scores_by
from nestviz.estimators.scored_sets import ScoredSets, family_of
from nestviz.families import SetFamily

METHODS = ("split", "cross", "jackknife+")
"""Ways to hold out points for calibration."""
PARTS = 10
"""Parts of "cross", if their number is not given."""
FEWEST = 2
"""Smallest number of points: one to fit, one to calibrate."""


class _Fold(NamedTuple):
    """A family, and the scores of the points that were held out from it, in ascending order."""

    family: SetFamily
    first: FloatArray
    last: FloatArray


class ConformalSets(ScoredSets):
    """Sets that contain a new point with a given probability, whatever the distribution.

    The level at which a point enters a family of sets is a conformity score. Held-out points
    calibrate it: the p-value of x is

    ::

        p(x) = (1 + #{held-out i : s_i ≤ s(x)}) / (n + 1)

    and {x : p(x) > α} contains a new point with probability at least 1 − α, its *coverage*, if the
    points are exchangeable (Vovk, Gammerman & Shafer 2005). One calibration serves all coverages at
    once, and the sets are nested. With ``method="split"`` they are sets of the family itself, or
    where its sets cross, their successive unions.

    Parameters
    ----------
    estimator : estimator, optional
        An estimator of one class with a ``family_``; `NestedOneClassSVM` by default.
    coverage : float
        Share 1 − α of new points that the set of `predict` should contain, in (0, 1).
    method : {"split", "cross", "jackknife+"}, optional
        "split" holds out one part of the points. "cross" holds out each of ``cv`` parts in turn,
        from an estimator of its own, and "jackknife+" each point: all points calibrate and all are
        fitted to, at the price of a weaker guarantee (`coverage_bound`). By default "split", or
        what ``cv`` asks for.
    calibration : float
        Share of the points that "split" holds out.
    cv : int or str, optional
        Number of parts of "cross", 10 by default. A number without a ``method`` asks for "cross";
        a word is the ``method``.
    random_state : int, RandomState or None
        Seed of the division.

    Attributes
    ----------
    families_ : list of SetFamily
        The family of each division; one for "split". Sets of quantiles go on beyond the largest
        quantile: the offset of the last set falls until the set contains all kernels.
    method_ : str
        How points were held out.
    n_calibration_ : int
        Number of points that calibrate.

    Examples
    --------
    >>> from nestviz import NestedOneClassSVM, make_sample
    >>> sets = ConformalSets(NestedOneClassSVM(sigma=0.5), random_state=0)
    >>> sets = sets.fit(make_sample("banana", n=200, random_state=0).X)
    >>> new = make_sample("banana", n=2000, random_state=1).X
    >>> bool(sets.contains(new, 0.9).mean() > 0.8)
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        coverage: float = 0.9,
        *,
        method: str | None = None,
        calibration: float = 0.5,
        cv: int | str | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.coverage = coverage
        self.method = method
        self.calibration = calibration
        self.cv = cv
        self.random_state = random_state

    def fit(
        self, X: ArrayLike, y: Any = None, callback: Callable[[float], Any] | None = None
    ) -> Self:
        """Fit the estimator to one part of the points, and calibrate it on the others.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points of one class.
        y : object, optional
            Ignored.
        callback : callable, optional
            Called before each fit with the share of the fits that are done.

        Returns
        -------
        self
            The fitted estimator.
        """
        checked_share(self.coverage)
        self.method_ = self._method()
        points = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=FEWEST)
        divisions, self._folds = self._divisions(len(points)), list[_Fold]()
        for rows in divisions:
            if callback is not None:
                callback(len(self._folds) / len(divisions))
            self._folds.append(self._fold(points, *rows))
        self.families_ = [fold.family for fold in self._folds]
        self.n_calibration_ = sum(len(fold.first) for fold in self._folds)
        return self

    def _method(self) -> str:
        """Return how points are held out: what ``method`` says, or else what ``cv`` asks for."""
        method = self.method
        if method is None:
            whole = "split" if self.cv is None else "cross"
            method = self.cv if isinstance(self.cv, str) else whole
        if method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}.")
        if isinstance(self.cv, str) and self.cv != method:
            raise ValueError(f"cv = {self.cv!r} contradicts method = {method!r}.")
        return method

    def _divisions(self, n: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Return the rows to fit and the rows to calibrate of each division."""
        seed = as_seed(self.random_state)
        if self.method_ == "split":
            share = checked_number("calibration", self.calibration, above=0.0, at_most=1.0)
            held = int(np.clip(round(share * n), 1, n - 1))
            order = np.random.default_rng(seed).permutation(n)
            return [(np.sort(order[held:]), np.sort(order[:held]))]
        cv = self.cv if self.cv is not None and self.cv != "cross" else PARTS
        parts = n if self.method_ == "jackknife+" else min(whole_number("cv", cv), n)
        if parts < 2:
            raise ValueError("cv must be 2 or more.")
        shuffled = KFold(parts, shuffle=parts < n, random_state=seed if parts < n else None)
        return list(shuffled.split(np.zeros(n)))

    def _inner(self) -> Any:
        inner = super()._inner()
        if getattr(inner, "kernel", None) == "precomputed":
            raise ValueError("The points are divided, so their kernel cannot be precomputed.")
        return inner

    def _fold(self, X: FloatArray, fitted: NDArray[np.int64], held: NDArray[np.int64]) -> _Fold:
        family = family_of(clone(self._inner()).fit(X[fitted]))
        scores = Conformity.of(family, X[held])
        return _Fold(family, np.sort(scores.first), np.sort(scores.last))

    def p_values(self, X: ArrayLike, by: str = "first") -> FloatArray:
        """Return the p-value of each point: small where it is less typical than those held out.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            New points.
        by : {"first", "last"}
            The score: by the first set that contains a point, or by the set from which on it is
            always inside. They differ where sets cross.

        Returns
        -------
        ndarray of shape (n_points,)
            From 1/(n + 1) to 1.
        """
        return (1.0 + self._counts(X, by)) / (self.n_calibration_ + 1.0)

    def _counts(self, X: ArrayLike, by: str = "first") -> FloatArray:
        """Return how many held-out points are no more typical than each point."""
        check_is_fitted(self)
        points = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        total = np.zeros(len(points))
        for fold in self._folds:
            mine = scores_by(by, fold.family, points)
            total += np.searchsorted(getattr(fold, by), mine, side="right")
        return total

    def contains(self, X: ArrayLike, coverage: float | None = None) -> BoolArray:
        """Return whether points are in the set of a coverage.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        coverage : float, optional
            Share of new points that the set should contain; by default the parameter.

        Returns
        -------
        ndarray of bool of shape (n_points,)
        """
        return np.asarray(self._counts(X) >= self._rank(coverage))

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Return the p-values: larger is more normal.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
        """
        return self.p_values(X)

    @property
    def offset_(self) -> float:
        """The threshold of the p-values: half way between those inside and those outside."""
        return (self._rank(None) + 0.5) / (self.n_calibration_ + 1.0)

    def _rank(self, coverage: float | None) -> int:
        """Return how many held-out points may be no more typical than those left out."""
        check_is_fitted(self)
        share = checked_share(self.coverage if coverage is None else coverage)
        # Shares are counted in points, whatever the rounding: 0.3 of ten are three.
        return int(np.floor((1.0 - share) * (self.n_calibration_ + 1) + 1e-9))

    def level_at(self, coverage: float | None = None) -> float:
        """Return the level of the family whose set has a coverage.

        It lies 10⁻⁹ of itself beyond the held-out point that decides, so that rounding does not
        leave that point outside, and with it all that are equal to it. Where sets cross, the union
        of the sets up to the level has the coverage.

        Parameters
        ----------
        coverage : float, optional
            Share of new points that the set should contain; by default the parameter.

        Returns
        -------
        float
            A level of ``families_[0]``; infinite, or the end of its levels, for the whole space,
            where too few points were held out to leave anything outside.
        """
        check_is_fitted(self)
        if self.method_ != "split":
            raise ValueError("Only method='split' has one family whose sets these are.")
        (fold,), rank = self._folds, self._rank(coverage)
        return float(-fold.family.orientation * just_outside(fold.first, rank))

    def coverage_bound(self, coverage: float | None = None) -> float:
        """Return the probability of containing a new point that is proved for a set.

        Parameters
        ----------
        coverage : float, optional
            Share of new points that the set should contain; by default the parameter.

        Returns
        -------
        float
            The coverage 1 − α itself for "split". For "jackknife+" 1 − 2α, and for "cross" a
            little less (Barber, Candès, Ramdas & Tibshirani 2021, theorems 1 and 4), more so where
            the number of points is no multiple of ``cv``; on most data theirs is close to 1 − α,
            too.
        """
        check_is_fitted(self)
        share = checked_share(self.coverage if coverage is None else coverage)
        if self.method_ == "split":
            return share
        n, parts = self.n_calibration_, len(self._folds)
        # The p-values of all parts, averaged and doubled, are one: valid for parts of any size.
        less = 2.0 * share * (parts - 1.0) / (n + parts)
        if n % parts == 0:
            less = min(less, (1.0 - parts / n) / (parts + 1.0))
        return max(1.0 - 2.0 * (1.0 - share) - less, 0.0)

    def select_outliers(self, X: ArrayLike, false_discovery_rate: float = 0.1) -> BoolArray:
        """Select points as outliers by Benjamini and Hochberg's procedure.

        For "split" the expected share of ordinary points among those selected is at most the rate
        (Bates, Candès, Lei, Romano & Sesia 2023). For the other methods no proof is known.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            New points.
        false_discovery_rate : float
            The rate, in (0, 1).

        Returns
        -------
        ndarray of bool of shape (n_points,)
            Which points are selected.
        """
        from scipy.stats import false_discovery_control

        rate = checked_share(false_discovery_rate, "false_discovery_rate")
        return np.asarray(false_discovery_control(self.p_values(X)) <= rate)
