"""Choose centres that stand for many points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.distances import squared_distances
from nestviz.kernels import GaussianKernel

ROUNDS = 10
"""Rounds of k-means; the centres hardly move later."""
MOST_HERDED = 4000
"""Points that herding chooses from: it needs their whole kernel matrix."""
MOST_AXES = 4
"""Largest number of features for which a grid has few enough cells."""
HALVINGS = 40
"""Steps of the search for the width of a grid's cells."""


def by_farthest_points(X: FloatArray, count: int, sigma: float, seed: int) -> FloatArray:
    """Return points that are chosen one by one, each the farthest from those before it."""
    chosen = [int(np.random.default_rng(seed).integers(len(X)))]
    nearest = np.full(len(X), np.inf)
    for _ in range(count - 1):
        nearest = np.minimum(nearest, squared_distances(X, X[chosen[-1:]], sigma)[:, 0])
        chosen.append(int(np.argmax(nearest)))
    return X[chosen]


def by_k_means(X: FloatArray, count: int, sigma: float, seed: int) -> FloatArray:
    """Return the means of k-means clusters, started from farthest points."""
    from sklearn.cluster import KMeans

    start = by_farthest_points(X, count, sigma, seed)
    means = KMeans(count, init=start, n_init=1, max_iter=ROUNDS, algorithm="lloyd")
    return np.asarray(means.fit(X).cluster_centers_)


def by_grid(X: FloatArray, count: int, sigma: float, seed: int) -> FloatArray:
    """Return the means of the cells of a grid, whose width leaves at most ``count`` of them."""
    if X.shape[1] > MOST_AXES:
        raise ValueError(
            f"A grid has too many cells in {X.shape[1]} dimensions; it is made for up to "
            f"{MOST_AXES}. Choose method='farthest'."
        )
    low, high = 0.0, float(np.ptp(X, axis=0).max()) + sigma
    for _ in range(HALVINGS):
        width = (low + high) / 2
        if len(_cells(X, width)[0]) > count:
            low = width
        else:
            high = width
    _, cell = _cells(X, high)
    sizes = np.bincount(cell)
    return np.stack([np.bincount(cell, x) / sizes for x in X.T], axis=1)


def _cells(X: FloatArray, width: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    cells = np.floor((X - X.min(axis=0)) / width).astype(np.int64)
    found, cell = np.unique(cells, axis=0, return_inverse=True)
    return found, cell.reshape(-1)


def by_herding(X: FloatArray, count: int, sigma: float, seed: int) -> FloatArray:
    """Return points chosen one by one so that the mean of their kernels follows that of all."""
    if len(X) > MOST_HERDED:
        rows = np.random.default_rng(seed).choice(len(X), MOST_HERDED, replace=False)
        X = X[np.sort(rows)]
    K = GaussianKernel(sigma).gram(X, X)
    wanted, taken = K.mean(axis=1), np.zeros(len(X))
    free = np.ones(len(X), dtype=bool)
    chosen = []
    for step in range(min(count, len(X))):
        score = np.where(free, wanted - taken / (step + 1), -np.inf)
        chosen.append(int(np.argmax(score)))
        free[chosen[-1]] = False
        taken += K[chosen[-1]]
    return X[chosen]


METHODS: dict[str, Callable[[FloatArray, int, float, int], FloatArray]] = {
    "farthest": by_farthest_points,
    "k-means": by_k_means,
    "grid": by_grid,
    "herding": by_herding,
}
"""Ways to choose centres."""


def choose_centres(X: FloatArray, count: int, method: str, sigma: float, seed: int) -> FloatArray:
    """Return centres for points.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
        Points, or a sample of them.
    count : int
        Largest number of centres.
    method : {"farthest", "k-means", "grid", "herding"}
        The way to choose them.
    sigma : float
        Width of the kernel.
    seed : int
        Seed.

    Returns
    -------
    ndarray of shape (n_centres, n_features)
        Distinct centres; the distinct points themselves where there are no more than ``count``.
    """
    distinct = np.unique(X, axis=0)
    if len(distinct) <= count:
        return distinct
    return np.unique(METHODS[method](X, count, sigma, seed), axis=0)
