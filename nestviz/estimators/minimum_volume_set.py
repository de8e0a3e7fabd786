"""Minimum volume sets through classification against points of a reference measure."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import OutlierMixin
from sklearn.utils.validation import validate_data

from nestviz.arrays import FloatArray, IntArray
from nestviz.estimators.base import FamilyEstimator, checked_number, whole_number
from nestviz.estimators.error_control.axes import nu_axis, one_class_axis, sigma_axis
from nestviz.estimators.error_control.classifiers import NeymanPearsonClassifier
from nestviz.estimators.error_control.criteria import NeymanPearson
from nestviz.estimators.error_control.known_rates import search_table
from nestviz.estimators.error_control.one_class_search import one_class_table
from nestviz.estimators.error_control.rate_tables import ErrorTable, Progress, error_table
from nestviz.estimators.error_control.search import Search, Settings
from nestviz.estimators.nu_one_class import NuOneClassSVM
from nestviz.volume.draws import DRAWS, draw_reference

ONE_CLASS = "one-class"
"""The kind of reference whose points take no part in the fit."""
#: Points that measure volumes where they take no part in the fit.
MANY = 2048
CERTIFICATE = ("objective_", "kkt_residual_", "duality_gap_", "n_iter_", "converged_", "alpha_")


class MinimumVolumeSet(OutlierMixin, FamilyEstimator):
    """A set of least volume that holds mass β (Davenport 2007, chapter 5).

    The data are one class, points drawn from a reference measure μ the other. The classifier with
    the fewest reference points inside, P_M = μ(G), among those that leave out no more than 1 − β of
    the data, P_F = 1 − P(G), is a Neyman–Pearson classifier; its set is the answer. Both are
    estimated by cross-validation: that P(G) ≥ β is no guarantee for new points.

    Parameters
    ----------
    beta : float
        β in (0, 1), the mass to hold.
    reference : {"thinned", "uniform", "manifold", "one-class"}
        Where the reference points come from: uniform on the box around the data; many of those,
        thinned; or many from balls around the data, thinned, which suits many dimensions. With
        "one-class" no points take part in the fit: among one-class SVMs the one of least volume is
        chosen, measured by 2048 uniform points.
    n_reference : int, optional
        How many reference points take part in the fit; as many as data unless given.
    discrete : sequence of int
        Columns with few possible values; see `nestviz.volume.draw_reference`.
    margin : float
        Share of the spread of a feature added to the box on each side.
    neighbours : int
        k of the balls of "manifold"; at most one less than there are points is used.
    oversampling : int
        How many times more points are drawn than kept by thinning.
    strategy, smoothing, nu, sigmas, folds, seed, n_jobs, tol, max_iter
        Of the search, as in `NeymanPearsonClassifier`; widths are in median distances between data.
        The one-class route always goes over its whole grid of (σ, ν), with ν on a logarithmic scale
        from 0.01 to 1.

    Attributes
    ----------
    search_ : Search
        What the search saw; P_F is 1 − P(G) and P_M is μ(G).
    estimator_ : NeymanPearsonClassifier or NuOneClassSVM
        The fit. In a classifier the data are class −1 and the reference points class +1.
    reference_points_ : (m, d) array
        The points of the reference measure.
    mass_, volume_ : float
        P(G) and μ(G) of the choice by cross-validation; μ as a share of the reference points.
    sigma_ : float
        The width chosen.
    family_, level_, alpha_, objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        As in the other estimators; positive means inside.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> sets = MinimumVolumeSet(0.8, nu=4, sigmas=[0.5, 1.0]).fit(X)
    >>> sets.predict([[0.0, 0.0], [9.0, 9.0]])
    array([ 1, -1])
    """

    search_: Search

    def __init__(
        self,
        beta: float = 0.9,
        reference: str = "thinned",
        *,
        n_reference: int | None = None,
        discrete: Sequence[int] = (),
        margin: float = 0.1,
        neighbours: int = 10,
        oversampling: int = 10,
        strategy: str = "grid",
        smoothing: str = "3d",
        nu: int | ArrayLike = 10,
        sigmas: int | ArrayLike = 10,
        folds: int = 5,
        seed: int = 0,
        n_jobs: int | None = None,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.beta = beta
        self.reference = reference
        self.n_reference = n_reference
        self.discrete = discrete
        self.margin = margin
        self.neighbours = neighbours
        self.oversampling = oversampling
        self.strategy = strategy
        self.smoothing = smoothing
        self.nu = nu
        self.sigmas = sigmas
        self.folds = folds
        self.seed = seed
        self.n_jobs = n_jobs
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: Any = None, callback: Progress | None = None) -> Any:
        """Draw reference points, search, and fit; ``y`` is ignored.

        ``callback`` is called with the share of the search that is done at most; return True to
        stop with the best seen so far.
        """
        points = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        beta, reference = self._checked_beta(), self._drawn(points)
        if self.reference == ONE_CLASS:
            search = self._choice(self._one_class_rates(points, reference, callback))
        else:
            search = self._classifier(points).search(*_two_classes(points, reference), callback)
        self._keep(points, reference, search)
        if NeymanPearson(1.0 - beta).key(*search.rates)[0] > 0.0:
            warnings.warn(
                f"No set of the search holds an estimated mass of {beta:g}; the one of the "
                f"largest, {self.mass_:.3g}, was taken. Ask for less, or search smaller values of "
                f"nu and wider sigmas.",
                UserWarning,
                stacklevel=2,
            )
        return self

    def rates(
        self, X: ArrayLike, callback: Progress | None = None
    ) -> tuple[FloatArray, ErrorTable]:
        """Draw reference points and estimate the rates of the whole grid, without fitting.

        They do not depend on ``beta``: `fit_chosen` makes the set of any mass from them.

        Returns
        -------
        reference : (m, d) array
            The points drawn.
        table : ErrorTable
            P_F is the share of the data outside, P_M that of the reference points inside.
        """
        points = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        reference = self._drawn(points)
        if self.reference == ONE_CLASS:
            return reference, self._one_class_rates(points, reference, callback)
        nu, sigmas = nu_axis(self.nu), sigma_axis(self.sigmas, points)
        return reference, error_table(
            *_two_classes(points, reference), nu, nu, sigmas,
            folds=self.folds, seed=self.seed, n_jobs=self.n_jobs, callback=callback,
        )  # fmt: skip

    def fit_chosen(self, X: ArrayLike, reference: FloatArray, table: ErrorTable) -> Any:
        """Choose from what `rates` found, and fit the choice to all points."""
        self._checked_beta()
        points = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self._keep(points, reference, self._choice(table))
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """+1 inside the set at ``level_`` or on its boundary, −1 outside."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """The decision function without its offset: larger is more normal."""
        return self.decision_function(X) + self.offset_

    def _checked_beta(self) -> float:
        beta = checked_number("beta", self.beta, above=0.0)
        if beta >= 1.0:
            raise ValueError(f"beta must lie between 0 and 1, not {beta:g}: no set is sure of all.")
        return beta

    def _classifier(self, points: FloatArray) -> NeymanPearsonClassifier:
        return NeymanPearsonClassifier(
            1.0 - self._checked_beta(),
            strategy=self.strategy, smoothing=self.smoothing, nu=self.nu,
            sigmas=sigma_axis(self.sigmas, points), folds=self.folds, seed=self.seed,
            n_jobs=self.n_jobs, tol=self.tol, max_iter=self.max_iter,
        )  # fmt: skip

    def _one_class_rates(
        self, points: FloatArray, reference: FloatArray, callback: Progress | None
    ) -> ErrorTable:
        settings = Settings(
            "grid", self.smoothing, one_class_axis(self.nu), sigma_axis(self.sigmas, points),
            self.folds, self.seed, self.n_jobs,
        )  # fmt: skip
        return one_class_table(points, reference, settings, callback)

    def _choice(self, table: ErrorTable) -> Search:
        strategy = "grid" if self.reference == ONE_CLASS else self.strategy
        settings = Settings(
            strategy, self.smoothing, table.nu_plus, table.sigmas,
            table.folds, table.seed, self.n_jobs,
        )  # fmt: skip
        return search_table(table, NeymanPearson(1.0 - self.beta), settings)

    def _keep(self, points: FloatArray, reference: FloatArray, search: Search) -> None:
        """Fit what a search chose, and turn it into a set: positive is inside."""
        self.reference_points_, self.search_ = reference, search
        if self.reference == ONE_CLASS:
            self.estimator_: Any = NuOneClassSVM(
                search.sigma, search.nu_plus, tol=self.tol, max_iter=self.max_iter
            ).fit(points)
            self.family_, self.level_ = self.estimator_.family_, self.estimator_.level_
        else:
            # Not by fit: its warnings are about false alarms, and here the talk is of mass.
            model = self._classifier(points)
            model.fit_chosen(*_two_classes(points, reference), search)
            # The classifier is positive where it expects the reference; inside is the other side.
            inside = -model.family_.coefficients_at([0.0])[0]
            self.estimator_, self.family_ = model, replace(model.family_, coefficients=inside)
            # Of a trivial classifier the set is everything, whatever its offset.
            self.level_ = 1.0 if model.is_trivial_ else -model.offset_
        for name in CERTIFICATE:
            setattr(self, name, getattr(self.estimator_, name))
        alarm, self.volume_ = search.rates
        self.mass_, self.sigma_ = 1.0 - alarm, search.sigma
        self.offset_ = -self.family_.orientation * self.level_

    def _drawn(self, points: FloatArray) -> FloatArray:
        one_class = self.reference == ONE_CLASS
        if not one_class and self.reference not in DRAWS:
            raise ValueError(
                f"reference must be 'uniform', 'thinned', 'manifold' or 'one-class', not "
                f"{self.reference!r}."
            )
        count = len(points) if self.n_reference is None else self.n_reference
        return draw_reference(
            points,
            MANY if one_class else count,
            "uniform" if one_class else self.reference,
            random_state=self.seed,
            margin=self.margin,
            discrete=self.discrete,
            oversampling=self.oversampling,
            n_neighbors=max(1, min(whole_number("neighbours", self.neighbours), len(points) - 1)),
        )


def _two_classes(points: FloatArray, reference: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the data as class −1 and the reference points as class +1."""
    labels = np.repeat([-1, 1], [len(points), len(reference)])
    return np.concatenate((points, reference)), labels
