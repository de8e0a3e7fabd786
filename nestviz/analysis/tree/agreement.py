"""How far two sets of flat clusters of the same points agree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import IntArray


class Agreement(NamedTuple):
    """Adjusted Rand indices: 1 for equal clusters, about 0 for unrelated ones.

    ``all_points`` counts the points in no cluster as a group of their own; ``in_both`` counts only
    the points that are in a cluster of either kind, and is NaN where there are fewer than two;
    ``shared`` is the number of these points.
    """

    all_points: float
    in_both: float
    shared: int


def cluster_agreement(a: ArrayLike, b: ArrayLike) -> Agreement:
    """Compare flat clusters by the adjusted Rand index (Hubert & Arabie 1985).

    Parameters
    ----------
    a, b : array-like of int of shape (n_points,)
        Flat clusters; negative labels are points in no cluster.

    Returns
    -------
    Agreement
        With ``all_points``, ``in_both`` and ``shared``.

    Examples
    --------
    >>> cluster_agreement([0, 0, 1, 1, -1], [1, 1, 0, 0, 0])
    Agreement(all_points=0.5454545454545454, in_both=1.0, shared=4)
    """
    from sklearn.metrics import adjusted_rand_score

    first, second = np.maximum(_labels(a), -1), np.maximum(_labels(b), -1)
    if len(first) != len(second):
        raise ValueError(f"Labels of {len(first)} and {len(second)} points cannot be compared.")
    both = (first >= 0) & (second >= 0)
    shared = int(np.count_nonzero(both))
    in_both = adjusted_rand_score(first[both], second[both]) if shared > 1 else np.nan
    return Agreement(float(adjusted_rand_score(first, second)), float(in_both), shared)


def matched_labels(labels: ArrayLike, reference: ArrayLike) -> IntArray:
    """Return for each cluster the one of a reference that it has most points in common with.

    No two get the same; clusters that have none left get numbers after those of the reference.

    Parameters
    ----------
    labels, reference : array-like of int of shape (n_points,)
        Flat clusters; negative labels are points in no cluster.

    Returns
    -------
    ndarray of int of shape (n_clusters,)
    """
    from scipy.optimize import linear_sum_assignment

    mine, theirs = _labels(labels), _labels(reference)
    count, known = int(mine.max(initial=-1)) + 1, int(theirs.max(initial=-1)) + 1
    common = np.zeros((count, known), dtype=np.int64)
    both = (mine >= 0) & (theirs >= 0)
    np.add.at(common, (mine[both], theirs[both]), 1)
    found = np.full(count, -1, dtype=np.int64)
    for k, match in zip(*linear_sum_assignment(-common), strict=True):
        found[k] = match if common[k, match] else -1
    left = np.flatnonzero(found < 0)
    found[left] = known + np.arange(len(left))
    return found


def _labels(given: ArrayLike) -> IntArray:
    return np.asarray(given, dtype=np.int64).ravel()
