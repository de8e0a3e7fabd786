"""Points that coincide, made one point that carries their weight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray


class Merged(NamedTuple):
    """Distinct points with weights, and the way back.

    Attributes
    ----------
    X : array (n, d)
        Distinct rows, in the order in which they first occur.
    y : array (n,) or None
        Their classes, if classes were given; rows that differ in class are distinct.
    weights : array (n,)
        Sum of the weights of the points each row stands for.
    inverse : array (N,)
        Row of each original point.
    share : array (N,)
        Part of the row's weight that the original point brought.
    """

    X: FloatArray
    y: FloatArray | None
    weights: FloatArray
    inverse: IndexArray
    share: FloatArray

    def split(self, alpha: FloatArray) -> FloatArray:
        """Coefficients of the original points: those of their rows, shared by weight.

        Shared coefficients are feasible up to rounding; :mod:`nestviz.solvers.nested.feasible`
        makes them
        so to the last bit.
        """
        return alpha[..., self.inverse] * self.share


def merge_duplicates(
    X: FloatArray, y: FloatArray | None = None, weights: FloatArray | None = None
) -> Merged:
    """Merge points that coincide, within their class if there are classes.

    The merged problem, with weights scaling the upper bounds, has the same optimum as the original.

    Parameters
    ----------
    X : array (N, d)
        Points.
    y : array (N,), optional
        Classes.
    weights : array (N,), optional
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
    # Adding zero turns −0 into +0: they are equal numbers of different bytes.
    rows = (X if y is None else np.column_stack([X, y])) + 0.0
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    first, inverse = first[order], rank[inverse.ravel()]
    total = np.zeros(len(first))
    np.add.at(total, inverse, weights)
    whole = total[inverse]
    share = np.divide(weights, whole, out=np.zeros(len(X)), where=whole > 0)
    return Merged(X[first], None if y is None else np.asarray(y)[first], total, inverse, share)
