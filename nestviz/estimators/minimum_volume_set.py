"""Minimum volume sets through classification against points of a reference measure."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import validate_data

from nestviz.arrays import FloatArray, IntArray
from nestviz.estimators.base import CERTIFICATE
from nestviz.estimators.checks import as_seed, checked_number, whole_number
from nestviz.estimators.error_control.axes import nu_axis, one_class_axis, sigma_axis
from nestviz.estimators.error_control.classifiers import NeymanPearsonClassifier
from nestviz.estimators.error_control.criteria import NeymanPearson
from nestviz.estimators.error_control.known_rates import search_table
from nestviz.estimators.error_control.one_class_search import one_class_table
from nestviz.estimators.error_control.rate_tables import ErrorTable, error_table
from nestviz.estimators.error_control.search import Search, Settings
from nestviz.estimators.nu_one_class import NuOneClassSVM
from nestviz.estimators.one_class_problem import OutlierEstimator
from nestviz.renamed import renamed
from nestviz.solvers.records import Callback
from nestviz.volume.draws import DRAWS, draw_reference

ONE_CLASS = "one-class"
"""The kind of reference whose points take no part in the fit."""
#: Points that measure volumes where they take no part in the fit.
MANY = 2048


@renamed(nu="nu_grid", folds="cv", seed="random_state", neighbours="n_neighbors")
class MinimumVolumeSet(OutlierEstimator):
    """Set of least volume that contains mass β (Davenport 2007, chapter 5).

    The data are one class, points drawn from a reference measure μ the other. The classifier with
    the fewest reference points inside, P_M = μ(G), among those that leave out no more than 1 − β of
    the data, P_F = 1 − P(G), is a Neyman–Pearson classifier; its set is the answer. Both are
    estimated by cross-validation: that P(G) ≥ β is no guarantee for new points.

    Parameters
    ----------
    beta : float
        β in (0, 1), the mass to contain.
    reference : {"thinned", "uniform", "manifold", "one-class"}
        The source of the reference points: uniform on the box around the data; many of those,
        thinned; or many from balls around the data, thinned, which suits many dimensions. With
        "one-class" no points take part in the fit: among one-class SVMs the one of least volume is
        chosen, measured by 2048 uniform points.
    n_reference : int, optional
        Number of reference points in the fit; as many as data unless given.
    discrete : sequence of int
        Columns with few possible values; see `nestviz.volume.draw_reference`.
    margin : float
        Share of the spread of a feature added to the box on each side.
    n_neighbors : int
        k of the balls of "manifold"; at most one less than there are points is used.
    oversampling : int
        How many times more points are drawn than kept by thinning.
    strategy, smoothing : str
        Of the search, as in `MinimaxClassifier`.
    nu_grid, sigmas : int or ndarray
        As in `MinimaxClassifier`; widths are in median distances between data. The one-class route
        always searches its whole grid of (σ, ν), with ν on a logarithmic scale from 0.01 to 1.
    cv, random_state, n_jobs, tol, max_iter : int or splitter, int, int, float, int
        As in `MinimaxClassifier`; ``random_state`` is also that of the reference points.

    Attributes
    ----------
    search_ : Search
        The estimated rates and the choice; P_F is 1 − P(G) and P_M is μ(G).
    estimator_ : NeymanPearsonClassifier or NuOneClassSVM
        The fit. In a classifier the data are class −1 and the reference points class +1.
    reference_points_ : ndarray of shape (n_reference, n_features)
        The points of the reference measure.
    mass_, volume_ : float
        P(G) and μ(G) of the choice by cross-validation; μ as a share of the reference points.
    sigma_ : float
        The chosen width.
    offset_ : float
        The threshold of the scores: ``decision_function = score_samples - offset_``.
    family_, level_, alpha_, objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        As in the other estimators; positive means inside.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> sets = MinimumVolumeSet(0.8, nu_grid=4, sigmas=[0.5, 1.0]).fit(X)
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
        n_neighbors: int = 10,
        oversampling: int = 10,
        strategy: str = "grid",
        smoothing: str = "3d",
        nu_grid: int | ArrayLike = 10,
        sigmas: int | ArrayLike = 10,
        cv: Any = 5,
        random_state: Any = 0,
        n_jobs: int | None = None,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.beta = beta
        self.reference = reference
        self.n_reference = n_reference
        self.discrete = discrete
        self.margin = margin
        self.n_neighbors = n_neighbors
        self.oversampling = oversampling
        self.strategy = strategy
        self.smoothing = smoothing
        self.nu_grid = nu_grid
        self.sigmas = sigmas
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: Any = None, callback: Callback | None = None) -> Self:
        """Draw reference points, search, and fit the choice to all points.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        y : object, optional
            Ignored.
        callback : callable, optional
            Called with a `Progress` of the search. A true return value stops it; the choice is
            then the best of the settings tried.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        beta, reference = self._checked_beta(), self._drawn(points)
        if self.reference == ONE_CLASS:
            search = self._choice(self._one_class_rates(points, reference, callback))
        else:
            search = self._classifier(points).search(*_two_classes(points, reference), callback)
        self._keep(points, reference, search)
        if NeymanPearson(1.0 - beta).key(*search.rates)[0] > 0.0:
            warnings.warn(
                f"No set of the search has an estimated mass of {beta:g}; the one of the "
                f"largest, {self.mass_:.3g}, was taken. Ask for less, or search smaller values in "
                f"nu_grid and wider sigmas.",
                UserWarning,
                stacklevel=2,
            )
        return self

    def rates(
        self, X: ArrayLike, callback: Callback | None = None
    ) -> tuple[FloatArray, ErrorTable]:
        """Draw reference points and estimate the rates of the whole grid, without fitting.

        They do not depend on ``beta``: `fit_chosen` makes the set of any mass from them.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        callback : callable, optional
            As in `fit`.

        Returns
        -------
        reference : ndarray of shape (n_reference, n_features)
            The points drawn.
        table : ErrorTable
            P_F is the share of the data outside, P_M that of the reference points inside.
        """
        points = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        reference = self._drawn(points)
        if self.reference == ONE_CLASS:
            return reference, self._one_class_rates(points, reference, callback)
        nu, sigmas = nu_axis(self.nu_grid), sigma_axis(self.sigmas, points)
        return reference, error_table(
            *_two_classes(points, reference), nu, nu, sigmas,
            cv=self.cv, random_state=self.random_state, n_jobs=self.n_jobs, callback=callback,
        )  # fmt: skip

    def fit_chosen(self, X: ArrayLike, reference: FloatArray, table: ErrorTable) -> Self:
        """Choose from the result of `rates`, and fit the choice to all points.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        reference, table : ndarray, ErrorTable
            The result of `rates`.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._checked_beta()
        points = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        self._keep(points, reference, self._choice(table))
        return self

    def _checked_beta(self) -> float:
        beta = checked_number("beta", self.beta, above=0.0)
        if beta >= 1.0:
            raise ValueError(f"beta must lie between 0 and 1, not {beta:g}: no set is sure of all.")
        return beta

    def _classifier(self, points: FloatArray) -> NeymanPearsonClassifier:
        return NeymanPearsonClassifier(
            1.0 - self._checked_beta(),
            strategy=self.strategy, smoothing=self.smoothing, nu_grid=self.nu_grid,
            sigmas=sigma_axis(self.sigmas, points), cv=self.cv, random_state=self.random_state,
            n_jobs=self.n_jobs, tol=self.tol, max_iter=self.max_iter,
        )  # fmt: skip

    def _one_class_rates(
        self, points: FloatArray, reference: FloatArray, callback: Callback | None
    ) -> ErrorTable:
        settings = Settings(
            "grid", self.smoothing, one_class_axis(self.nu_grid), sigma_axis(self.sigmas, points),
            self.cv, as_seed(self.random_state), self.n_jobs,
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
        """Fit the choice of a search, and turn it into a set: positive is inside."""
        self.reference_points_, self.search_ = reference, search
        if self.reference == ONE_CLASS:
            self.estimator_: Any = NuOneClassSVM(
                search.sigma, search.nu_plus, tol=self.tol, max_iter=self.max_iter
            ).fit(points)
            self.family_, self.level_ = self.estimator_.family_, self.estimator_.level_
        else:
            # Not by fit, whose warning is about false alarms instead of mass.
            model = self._classifier(points)
            model.fit_chosen(*_two_classes(points, reference), search)
            # The classifier is positive where it expects the reference; inside is the other side.
            inside = -model.family_.coefficients_at([0.0])[0]
            self.estimator_, self.family_ = model, replace(model.family_, coefficients=inside)
            # Of a trivial classifier the set is everything, whatever its offset.
            self.level_ = 1.0 if model.is_trivial_ else -model.intercept_
        for name in (*CERTIFICATE, "alpha"):
            setattr(self, f"{name}_", getattr(self.estimator_, f"{name}_"))
        alarm, self.volume_ = search.rates
        self.mass_, self.sigma_ = 1.0 - alarm, search.sigma

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
            random_state=as_seed(self.random_state),
            margin=self.margin,
            discrete=self.discrete,
            oversampling=self.oversampling,
            n_neighbors=max(1, min(whole_number("n_neighbors", self.n_neighbors), len(points) - 1)),
        )


def _two_classes(points: FloatArray, reference: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the data as class −1 and the reference points as class +1."""
    labels = np.repeat([-1, 1], [len(points), len(reference)])
    return np.concatenate((points, reference)), labels
