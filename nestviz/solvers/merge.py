"""Merge coincident points into one with the sum of their weights."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.repeated_rows import distinct_rows


class Merged(NamedTuple):
    """Distinct points with weights, and the way back to the original points.

    Attributes
    ----------
    X : ndarray of shape (n_distinct, n_features)
        Distinct rows, in the order in which they first occur.
    y : ndarray of shape (n_distinct,) or None
        Their classes, if classes were given; rows that differ in class are distinct.
    weights : ndarray of shape (n_distinct,)
        Sum of the weights of the points merged into each row.
    inverse : ndarray of shape (n_points,)
        Row of each original point.
    share : ndarray of shape (n_points,)
        Share of the original point in the weight of its row.
    """

    X: FloatArray
    y: FloatArray | None
    weights: FloatArray
    inverse: IndexArray
    share: FloatArray

    def split(self, alpha: FloatArray) -> FloatArray:
        """Return coefficients of the original points: those of their rows, divided by weight.

        They are feasible up to rounding; see :mod:`nestviz.solvers.nested.feasible`.
        """
        return alpha[..., self.inverse] * self.share


def merge_duplicates(
    X: FloatArray, y: FloatArray | None = None, weights: FloatArray | None = None
) -> Merged:
    """Merge coincident points, within their class if there are classes.

    The merged problem, with weights scaling the upper bounds, has the same optimum as the original.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
        Points.
    y : ndarray of shape (n_points,), optional
        Classes.
    weights : ndarray of shape (n_points,), optional
        Weights of the points, 1 each by default.

    Returns
    -------
    Merged

    Examples
    --------
    >>> import numpy as np
    >>> merged = merge_duplicates(np.array([[2.0], [1.0], [2.0]]))
    >>> merged.X.ravel(), merged.weights
    (array([2., 1.]), array([2., 1.]))
    """
    X = np.asarray(X, dtype=np.float64)
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=np.float64)
    found = distinct_rows(X if y is None else np.column_stack([X, y]))
    inverse = np.arange(len(X)) if found.inverse is None else found.inverse
    total = np.zeros(len(found.rows))
    np.add.at(total, inverse, weights)
    share = np.divide(weights, total[inverse], out=np.zeros(len(X)), where=total[inverse] > 0)
    points, d = found.rows, X.shape[1]
    if y is None:
        return Merged(points, None, total, inverse, share)
    return Merged(np.ascontiguousarray(points[:, :d]), points[:, d].copy(), total, inverse, share)
