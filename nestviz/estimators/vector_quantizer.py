"""Vector quantisation by a kernel that says which points are near each other."""

from __future__ import annotations

from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted, validate_data

from nestviz.arrays import FloatArray, IntArray
from nestviz.distances import differences_squared
from nestviz.estimators.checks import checked_number, whole_number
from nestviz.kernels import median_distance
from nestviz.solvers.covering import solve_cover

AUTO_RADIUS = 0.5
"""The radius ``"auto"`` as a share of the median distance between points."""
MOST_PAIRS = 20_000_000
"""Pairs of points that may be near each other; the linear program has an entry for each."""
CHUNK = 1 << 22
"""Distances in memory at once."""


class KernelVectorQuantizer(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator
):
    """Code book with every point within a radius of a code vector (2002, eqs. 8.39 and 8.40).

    ::

        min_α  Σ_j α_j     subject to  Σ_j α_j k(x_i, x_j) ≥ 1 for every i,   α ≥ 0

    with k(x, x') = 1 where ‖x − x'‖ ≤ R and 0 elsewhere. A positive sum means that a point with
    α_j > 0 lies within R; the linear program makes such points few. They are the code vectors,
    after those that are not needed have been left out. The smallest possible code book (α_j either
    0 or 1) is NP-hard to find; ``exact=True`` searches for it by branch and bound.

    Parameters
    ----------
    radius : float or {"auto"}
        R, not negative; ``"auto"`` is half the median distance between points.
    exact : bool
        Whether to search for a smallest code book.
    max_nodes : int
        Nodes of that search after which it ends with the smallest code book found.

    Attributes
    ----------
    codebook_ : ndarray of shape (n_code_vectors, n_features)
        The code vectors, which are training points.
    support_ : ndarray of shape (n_code_vectors,)
        Their rows in the training set, ascending.
    labels_ : ndarray of shape (n_points,)
        Index of the code vector nearest to each training point.
    weights_ : ndarray of shape (n_points,)
        α of the linear program; equal points share it with the first of them.
    radius_ : float
        R.
    covering_radius_ : float
        The largest distance of a training point from its code vector, at most R.
    lower_bound_ : int
        No code book has fewer vectors, from the dual of the linear program.
    gap_ : int
        By how many vectors the code book may be too large; 0 if it is a smallest one.
    n_features_in_ : int
        Number of features.

    References
    ----------
    B. Schölkopf and A. Smola, Learning with Kernels, 2002, section 8.6; M. Tipping and
    B. Schölkopf, A kernel approach for vector quantization with guaranteed distortion bounds,
    AISTATS 2001.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [9.0]])
    >>> quantizer = KernelVectorQuantizer(radius=1.0).fit(X)
    >>> quantizer.support_, quantizer.lower_bound_, quantizer.predict([[8.0], [0.4]])
    (array([1, 3]), 2, array([1, 0]))
    """

    def __init__(
        self, radius: float | str = "auto", *, exact: bool = False, max_nodes: int = 1000
    ) -> None:
        self.radius = radius
        self.exact = exact
        self.max_nodes = max_nodes

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the code book of some points.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        y : object, optional
            Not used.

        Returns
        -------
        self
            The fitted estimator.
        """
        points: FloatArray = validate_data(self, X, dtype=np.float64, order="C")
        radius, max_nodes = self._radius(points), whole_number("max_nodes", self.max_nodes)
        # Equal points need one code vector: the first of them can be it.
        _, rows = np.unique(points, axis=0, return_index=True)
        rows = np.sort(rows)
        near = _near(points[rows], radius)
        cover = solve_cover(near, exact=bool(self.exact), max_nodes=max_nodes)
        self.support_ = rows[cover.chosen]
        self.codebook_ = points[self.support_]
        self.radius_ = radius
        self.weights_ = np.zeros(len(points))
        self.weights_[rows] = cover.weights
        self.lower_bound_ = cover.bound
        self.gap_ = len(self.support_) - cover.bound
        self.labels_, distances = _nearest(points, self.codebook_)
        self.covering_radius_ = float(distances.max())
        return self

    def predict(self, X: ArrayLike) -> IntArray:
        """Return the index of the code vector nearest to each point.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            Indices of rows of ``codebook_``.
        """
        return _nearest(self._points(X), self.codebook_)[0]

    def transform(self, X: ArrayLike) -> FloatArray:
        """Return the distance of each point from each code vector.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points, n_code_vectors)
            Distances; a new point may be farther than R from all code vectors.
        """
        return _distances(self._points(X), self.codebook_)

    @property
    def _n_features_out(self) -> int:
        """Number of columns of `transform`."""
        return len(self.codebook_)

    def _points(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        points: FloatArray = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        return points

    def _radius(self, points: FloatArray) -> float:
        if self.radius == "auto":
            return AUTO_RADIUS * median_distance(points)
        if not isinstance(self.radius, Real):
            raise ValueError(f"radius must be a number or 'auto', not {self.radius!r}.")
        radius = checked_number("radius", self.radius)
        if radius < 0:
            raise ValueError(f"radius must not be negative, and it is {radius:g}.")
        return radius


def _distances(A: FloatArray, B: FloatArray) -> FloatArray:
    return np.sqrt(differences_squared(A, B))


def _near(points: FloatArray, radius: float) -> csr_array:
    """Return which points are within the radius of each other, as ones of a sparse matrix."""
    step = max(1, CHUNK // len(points))
    starts, indices, count = [np.zeros(1, dtype=np.int64)], [], 0
    for begin in range(0, len(points), step):
        inside = _distances(points[begin : begin + step], points) <= radius
        sizes = inside.sum(axis=1)
        count += int(sizes.sum())
        if count > MOST_PAIRS:
            raise ValueError(
                f"More than {MOST_PAIRS:,} pairs of points lie within radius {radius:g} of each "
                f"other: choose a smaller radius or fewer points."
            )
        starts.append(starts[-1][-1] + np.cumsum(sizes))
        indices.append(np.nonzero(inside)[1].astype(np.int32))
    columns = np.concatenate(indices)
    ends = np.concatenate(starts).astype(np.int32)
    return csr_array((np.ones(len(columns)), columns, ends), shape=(len(points), len(points)))


def _nearest(points: FloatArray, codebook: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the index of the nearest code vector and its distance, for each point."""
    step = max(1, CHUNK // len(codebook))
    labels, distances = np.empty(len(points), dtype=np.int64), np.empty(len(points))
    for begin in range(0, len(points), step):
        D = _distances(points[begin : begin + step], codebook)
        labels[begin : begin + step] = D.argmin(axis=1)
        distances[begin : begin + step] = D.min(axis=1)
    return labels, distances
