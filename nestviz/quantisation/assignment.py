"""Assign points to their nearest centres of the same class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.distances import squared_distances
from nestviz.quantisation.centres import choose_centres
from nestviz.quantisation.sources import Part

FEW_FEATURES = 8
"""Up to so many features a tree finds the nearest centre faster than all distances do."""


class Partition(Protocol):
    """Cells that every point belongs to one of."""

    @property
    def seeds(self) -> FloatArray:
        """A location near the points of each cell."""

    @property
    def y(self) -> FloatArray | None:
        """The class of each cell, if there are classes."""

    def of(self, part: Part) -> NDArray[np.int64]:
        """Return the number of the cell of each point."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of centres: each point belongs to the nearest centre of its class.

    Parameters
    ----------
    seeds : ndarray of shape (n_centres, n_features)
        The points whose cells they are.
    y : ndarray of shape (n_centres,), optional
        Their classes.
    unit : float
        A length of the size of the distances.
    """

    seeds: FloatArray
    y: FloatArray | None
    unit: float

    def __getstate__(self) -> dict[str, Any]:
        return {"seeds": self.seeds, "y": self.y, "unit": self.unit}

    @cached_property
    def _trees(self) -> dict[float, Any]:
        from scipy.spatial import cKDTree

        return {label: cKDTree(self.seeds[rows]) for label, rows in self._rows.items()}

    @cached_property
    def _rows(self) -> dict[float, NDArray[np.int64]]:
        if self.y is None:
            return {0.0: np.arange(len(self.seeds))}
        return {float(label): np.flatnonzero(self.y == label) for label in np.unique(self.y)}

    def of(self, part: Part) -> NDArray[np.int64]:
        """Return the number of the cell of each point."""
        found = np.empty(len(part.X), dtype=np.int64)
        for label, rows in self._rows.items():
            mine = slice(None) if part.y is None else part.y == label
            found[mine] = rows[self._nearest(label, part.X[mine])]
        return found

    def _nearest(self, label: float, X: FloatArray) -> NDArray[np.int64]:
        if X.shape[1] <= FEW_FEATURES:
            return np.asarray(self._trees[label].query(X)[1], dtype=np.int64)
        squared = squared_distances(X, self.seeds[self._rows[label]], self.unit)
        return np.argmin(squared, axis=1)


def cells_of(drawn: Part, count: int, method: str, sigma: float, seed: int) -> Cells:
    """Choose the seeds of cells from a sample, in each class as many as it has points."""
    if drawn.y is None:
        return Cells(choose_centres(drawn.X, count, method, sigma, seed), None, sigma)
    chosen, classes = [], []
    for label in np.unique(drawn.y):
        mine = drawn.X[drawn.y == label]
        share = max(round(count * len(mine) / len(drawn.X)), 1)
        chosen.append(choose_centres(mine, share, method, sigma, seed))
        classes.append(np.full(len(chosen[-1]), label))
    return Cells(np.concatenate(chosen), np.concatenate(classes), sigma)


class CellSums(NamedTuple):
    """Sums over the points of each cell.

    Attributes
    ----------
    weights : ndarray of shape (n_centres,)
        Sum of the weights.
    moments : ndarray of shape (n_centres, n_features)
        Weighted sum of the points' differences from the seed.
    points : int
        Number of points.
    """

    weights: FloatArray
    moments: FloatArray
    points: int

    def means(self, seeds: FloatArray) -> FloatArray:
        """Return the mean of each cell; its seed if the cell has no weight."""
        some = np.where(self.weights > 0, self.weights, 1.0)
        return np.asarray(seeds + self.moments / some[:, None])


def sums_of(part: Part, cells: Partition) -> CellSums:
    """Return the sums over the points of one part."""
    cell, seeds = cells.of(part), cells.seeds
    count = len(seeds)
    apart = part.X - seeds[cell]
    moments = [np.bincount(cell, part.weights * x, count) for x in apart.T]
    weights = np.bincount(cell, part.weights, count).astype(np.float64)
    return CellSums(weights, np.stack(moments, axis=1), len(part.X))


def add(first: CellSums, second: CellSums) -> CellSums:
    """Return the sums over both."""
    return CellSums(
        first.weights + second.weights,
        first.moments + second.moments,
        first.points + second.points,
    )
