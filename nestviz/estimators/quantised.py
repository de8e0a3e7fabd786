"""Any number of points: SVMs on weighted centres, certified for all points."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from nestviz.arrays import FloatArray
from nestviz.estimators.checks import as_seed, checked_number, checked_weights, whole_number
from nestviz.estimators.nested_one_class import NestedOneClassSVM
from nestviz.estimators.quantised_fit import (
    SUPPORTED,
    Found,
    entry_levels,
    fitted,
    has_certificate,
)
from nestviz.estimators.wrapped import WrappedEstimator
from nestviz.families import SetFamily
from nestviz.quantisation.assignment import Cells, cells_of
from nestviz.quantisation.centres import METHODS
from nestviz.quantisation.certificate import QuantisationCertificate, percent
from nestviz.quantisation.lower_bound import certified
from nestviz.quantisation.reading import column_names, is_array, open_source
from nestviz.quantisation.sources import (
    Part,
    SignedSource,
    Source,
    array_source,
    classes,
    lengths,
    sample,
    with_all_classes,
)
from nestviz.solvers.records import Callback, Progress

FIRST, FACTOR = 100, 2.0
"""The number of centres that is tried first, and how it grows."""
FEW = 500
"""Up to so many points each is its own centre."""
SAMPLE, PER_CENTRE = 20_000, 20
"""Points that centres are chosen from: at least so many, and so many for each centre."""
SIGMA_SAMPLE = 2000
"""Points from which a rule finds the width."""
SAFETY = 0.7
"""Share of ``tol`` that the certificate of a sample has to reach before all points are asked."""


class Quantised(WrappedEstimator):
    """Fit an SVM to any number of points through weighted centres, with a certificate.

    The points are replaced by centres that carry the weights of the points nearest to them. The
    estimator is fitted to the centres, and its solution is certified for the problem of *all*
    points: ``certificate_`` has an upper bound on the optimal value, that of the solution itself,
    and a lower bound from a solution whose cells are divided where boundaries pass through them.
    Sets of nested estimators stay nested, as their kernel is not changed.

    Points are read in parts, a few times. They may be an array, a Dask array or data frame,
    Parquet files, or a function that returns an iterator over parts.

    Parameters
    ----------
    estimator : estimator, optional
        A `NestedOneClassSVM`, `OneClassSVM`, `OneClassPath`, `NestedCostSensitiveSVM`,
        `CostSensitiveSVM` or `CostSensitivePath` with a Gaussian kernel; `NestedOneClassSVM` by
        default. A rule for its width is applied to a sample of 2,000 points.
    centres : "auto" or int
        Number of centres; "auto" doubles it from 100 until the certificate reaches ``tol``.
    tol : float
        Relative gap that the certificate should reach.
    method : {"farthest", "k-means", "grid", "herding"}
        How centres are chosen, from a sample of at least 20,000 points. "farthest" takes the
        point farthest from all centres before it, one by one.
    max_centres : int
        Largest number of centres that "auto" tries.
    n_jobs : int, optional
        Threads, as in joblib; -1 for all cores.
    random_state : int, RandomState or None
        Seed of the sample and the centres.
    scheduler : str, optional
        Address of a Dask scheduler whose workers read files, such as ``"tcp://10.0.0.1:8786"``.

    Attributes
    ----------
    estimator_ : estimator
        The estimator fitted to the centres.
    family_ : SetFamily
        Its sets.
    level_, offset_ : float
        Its level in use, and for one class its threshold.
    classes_ : ndarray of shape (n_classes,)
        The labels, for two classes.
    centres_ : ndarray of shape (n_centres, n_features)
        The centres.
    weights_ : ndarray of shape (n_centres,)
        Their weights.
    cells_ : Cells
        Their cells; ``cells_.of`` returns the cell of each point.
    certificate_ : QuantisationCertificate
        Bounds on the optimum of all points.
    duality_gap_ : float
        The gap of the certificate: the solution is at most this share above the optimum.
    converged_ : bool
        Whether the gap is within ``tol``; if not, a warning says so.
    n_points_ : int
        Number of points.

    Examples
    --------
    >>> from nestviz import NestedOneClassSVM, make_sample
    >>> X = make_sample("banana", n=3000, random_state=0).X
    >>> model = Quantised(NestedOneClassSVM(sigma=0.5), random_state=0).fit(X)
    >>> len(model.centres_) < 1000 and bool(model.duality_gap_ < 0.01)
    True
    """

    family_: SetFamily
    feature_names_in_: NDArray[Any]

    def __init__(
        self,
        estimator: Any = None,
        centres: int | str = "auto",
        *,
        tol: float = 0.002,
        method: str = "farthest",
        max_centres: int = 4000,
        n_jobs: int | None = None,
        random_state: Any = None,
        scheduler: str | None = None,
    ) -> None:
        self.estimator = estimator
        self.centres = centres
        self.tol = tol
        self.method = method
        self.max_centres = max_centres
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.scheduler = scheduler

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Choose centres, fit the estimator to them, and certify the result for all points.

        Parameters
        ----------
        X : array, Dask collection, path, list of paths, or callable
            Points: an array of shape (n_points, n_features); a Dask array or data frame; a Parquet
            file, a folder of them or a list; or a function that returns an iterator over arrays.
        y : ndarray of shape (n_points,), optional
            Classes, for estimators of two classes; the name of their column for files and data
            frames. A function yields pairs of points and classes instead.
        sample_weight : ndarray of shape (n_points,), optional
            Weights of the points of an array.
        callback : callable, optional
            Called with a `Progress` when a number of centres has been certified for all points. A
            true return value accepts it.

        Returns
        -------
        self
            The fitted estimator.
        """
        checked_number("tol", self.tol, above=0.0)
        self._check_parameters()
        source = self._open(X, y, sample_weight)
        try:
            if is_classifier(self._inner()):
                source = self._signed(source)
            self._keep(*self._search(source, callback))
        finally:
            source.close()
        return self

    def _search(
        self, source: Source, callback: Callback | None
    ) -> tuple[Found, QuantisationCertificate]:
        """Return the fit to the first number of centres that the certificate accepts."""
        sizes, seed = lengths(source), as_seed(self.random_state)
        if not sum(sizes):
            raise ValueError("There are no points.")
        drawn = with_all_classes(sample(source, sizes, SAMPLE, seed), source, FEW)
        self.n_points_, self.n_features_in_ = sum(sizes), drawn.X.shape[1]
        inner = self._with_width(drawn)
        for count in self._counts():
            if len(drawn.X) < min(PER_CENTRE * count, self.n_points_):
                drawn = sample(source, sizes, PER_CENTRE * count, seed)
                drawn = with_all_classes(drawn, source, FEW)
            cells = cells_of(drawn, count, self.method, inner.sigma, seed)
            if self._is_too_coarse(inner, cells, drawn, count):
                continue
            found = fitted(inner, source, cells, self._labels())
            certificate = certified(source, found.lifted)
            done = Progress(count, duality_gap=certificate.gap)
            if certificate.gap <= self.tol or (callback is not None and callback(done)):
                break
        return found, certificate

    def _inner(self) -> Any:
        return NestedOneClassSVM() if self.estimator is None else self.estimator

    def _check_parameters(self) -> None:
        inner = self._inner()
        if not has_certificate(inner) or inner.kernel != "gaussian":
            names = ", ".join(known.__name__ for known in SUPPORTED)
            raise ValueError(f"estimator must be one of {names}, with a Gaussian kernel.")
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, not {self.method!r}.")
        whole_number("max_centres", self.max_centres)
        if self.centres != "auto":
            whole_number("centres", self.centres)

    def _open(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> Source:
        """Return the points as a source, with their labels as given."""
        two_classes = is_classifier(self._inner())
        if not is_array(X):
            if sample_weight is not None:
                raise ValueError("sample_weight is for points in an array.")
            label = y if two_classes else None
            self._keep_names(column_names(X, label))
            return open_source(X, label, n_jobs=self.n_jobs, scheduler=self.scheduler)
        if not two_classes:
            points = validate_data(self, X, dtype=np.float64, order="C")
            weights = checked_weights(sample_weight, len(points))
            return array_source(points, None, weights, self.n_jobs)
        points, labels = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(labels)
        weights = checked_weights(sample_weight, len(points))
        return array_source(points, labels, weights, self.n_jobs)

    def _keep_names(self, names: list[Any]) -> None:
        """Keep the names of the features of files and data frames, as scikit-learn does."""
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if names and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.array(names, dtype=object)

    def _signed(self, source: Source) -> Source:
        """Return the source with classes −1 and +1; the larger of the labels is positive."""
        self.classes_ = classes(source)
        count = len(self.classes_)
        if count > 2:
            raise ValueError(
                f"Only binary classification is supported: two classes are separated, and y has "
                f"{count} classes."
            )
        alone_negative = count == 1 and bool(np.all(self.classes_ == -1))
        return SignedSource(source, None if alone_negative else self.classes_[-1])

    def _labels(self) -> NDArray[Any] | None:
        return self.classes_ if is_classifier(self._inner()) else None

    def _with_width(self, drawn: Part) -> Any:
        """Return the estimator with its width as a number."""
        inner = clone(self._inner())
        counted = drawn.X[drawn.weights > 0]
        few = counted[:: -(-len(counted) // SIGMA_SAMPLE)]
        return inner.set_params(sigma=inner._width(np.ascontiguousarray(few)))

    def _counts(self) -> list[int]:
        """Return the numbers of centres to try."""
        if self.centres != "auto":
            return [min(int(self.centres), self.n_points_)]
        most = min(int(self.max_centres), self.n_points_)
        if most <= FEW:
            return [most]
        doubled = [int(FIRST * FACTOR**k) for k in range(64) if FIRST * FACTOR**k < most]
        return [*doubled, most]

    def _is_too_coarse(self, inner: Any, cells: Cells, drawn: Part, count: int) -> bool:
        """Return whether a sample shows that more centres are needed, and may be tried."""
        if count == self._counts()[-1] or len(drawn.X) == self.n_points_:
            return False
        points = array_source(*drawn[:3], self.n_jobs)
        gap = certified(points, fitted(inner, points, cells, self._labels()).lifted).gap
        return gap > SAFETY * self.tol

    def _keep(self, found: Found, certificate: QuantisationCertificate) -> None:
        self.estimator_ = found.model
        self.centres_, self.weights_ = found.lifted.centres, found.lifted.weights
        self.cells_ = found.lifted.cells
        self.family_, self.level_ = found.model.family_, found.model.level_
        self.sigma_ = found.lifted.sigma
        if hasattr(found.model, "offset_"):
            self.offset_ = found.model.offset_
        self.certificate_, self.duality_gap_ = certificate, certificate.gap
        self.converged_ = bool(certificate.gap <= self.tol)
        if not self.converged_:
            alone = certificate.n_centres == certificate.n_points
            advice = (
                "Every point is its own centre; what is left is the tolerance of the solver."
                if alone
                else "More centres or a larger sigma bring it down."
            )
            warnings.warn(
                f"{certificate.n_points:,} points as {certificate.n_centres:,} weighted centres "
                f"are certified to {percent(certificate.gap)} of the optimum, not to "
                f"{100 * self.tol:g}%. {advice}",
                ConvergenceWarning,
                stacklevel=3,
            )

    def entry_levels(self, X: Any) -> FloatArray:
        """Return the level at which each point first enters, for any number of points.

        Parameters
        ----------
        X : array, Dask collection, path, list of paths, or callable
            Points, as in `fit`. Of files and data frames, the columns that were fitted to.

        Returns
        -------
        ndarray of shape (n_points,)
            ``family_.first_level`` of each point.
        """
        check_is_fitted(self)
        if is_array(X):
            points = validate_data(self, X, reset=False, dtype=np.float64, order="C")
            source: Source = array_source(points, None, np.ones(len(points)), self.n_jobs)
        else:
            names = getattr(self, "feature_names_in_", None)
            source = open_source(
                X, features=None if names is None else list(names), n_jobs=self.n_jobs,
                scheduler=self.scheduler,
            )  # fmt: skip
        try:
            found = list(source.each(entry_levels, self.family_))
            return np.concatenate([np.empty(0), *found])
        finally:
            source.close()
