"""Weighted centres of many rows in memory: chosen from a sample, weighted in one pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.quantisation.assignment import Cells, cells_of
from nestviz.quantisation.density import field_error
from nestviz.quantisation.sources import Part, array_source, lengths, sample

SAMPLE, PER_CENTRE = 20_000, 20
"""Rows that centres are chosen from: at least so many, and so many for each centre."""
BLOCK = 8_192
"""Rows whose cells are found at once."""


@dataclass(frozen=True, eq=False)
class RowCentres:
    """Centres that stand for rows, and the cell of each row.

    Attributes
    ----------
    centres : ndarray of shape (n_centres, n_features)
        The means of the cells.
    weights : ndarray of shape (n_centres,)
        Number of rows of each cell.
    cells : Cells
        The cells; with classes if the rows have labels.
    spread : ndarray of shape (n_centres,)
        Sum of the squared distances of the rows of a cell from its centre.
    cell : ndarray of int of shape (n_rows,)
        The cell of each row.
    first : ndarray of int of shape (n_centres,)
        The first row of each cell.
    """

    centres: FloatArray
    weights: FloatArray
    cells: Cells
    spread: FloatArray
    cell: NDArray[np.int32]
    first: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.centres)

    @property
    def y(self) -> NDArray[np.int8] | None:
        """The classes of the centres."""
        return None if self.cells.y is None else self.cells.y.astype(np.int8)

    def means(self, X: FloatArray) -> FloatArray:
        """Return the mean over the rows of each cell of other features of the same rows."""
        sums = [np.bincount(self.cell, x, len(self)) for x in X.T]
        return np.stack(sums, axis=1) / self.weights[:, None]

    def field_error(self, sigma: float) -> float:
        """Bound the difference between the Parzen average of all rows and that of the centres."""
        return field_error(self.spread, self.weights, sigma)


def row_centres(
    X: FloatArray,
    y: NDArray[np.int8] | None,
    count: int,
    seed: int,
    report: Callable[[float], bool] = lambda done: False,
) -> RowCentres | None:
    """Choose centres for rows, and weight them by the rows that are nearest to them.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        The rows.
    y : ndarray of shape (n_rows,), optional
        Their classes; each class gets centres of its own, as many as its share.
    count : int
        Number of centres.
    seed : int
        Seed of the sample that they are chosen from.
    report : callable
        Called with the share that is done. A true return value ends the work.

    Returns
    -------
    RowCentres or None
        None if it was ended.
    """
    signs = None if y is None else y.astype(np.float64)
    rows = array_source(X, signs, np.ones(len(X)))
    drawn = sample(rows, lengths(rows), max(SAMPLE, PER_CENTRE * count), seed)
    if len(drawn.X) < len(X):
        drawn = _with_ends(drawn, X, signs)
    # The farthest points of a sample do not depend on the width; a length of the data is a unit.
    unit = float(np.sqrt(np.square(drawn.X - drawn.X.mean(axis=0)).sum(axis=1).mean())) or 1.0
    cells = cells_of(drawn, count, "farthest", unit, seed)
    cell = np.empty(len(X), dtype=np.int32)
    for start in range(0, len(X), BLOCK):
        if report(0.2 + 0.8 * start / len(X)):
            return None
        block = slice(start, start + BLOCK)
        labels = None if signs is None else signs[block]
        cell[block] = cells.of(Part(X[block], labels, np.ones(len(X[block]))))
    return _summed(X, _without_empty(cells, cell), cell)


def _with_ends(drawn: Part, X: FloatArray, y: FloatArray | None) -> Part:
    """Add the rows at the ends of each feature, so that centres reach as far as the rows."""
    ends = np.unique(np.concatenate([X.argmin(axis=0), X.argmax(axis=0)]))
    labels = None if y is None or drawn.y is None else np.append(drawn.y, y[ends])
    return Part(np.concatenate([drawn.X, X[ends]]), labels, np.ones(len(drawn.X) + len(ends)))


def _without_empty(cells: Cells, cell: NDArray[np.int32]) -> Cells:
    """Return the cells that have rows, and number the cells of the rows anew."""
    used = np.bincount(cell, minlength=len(cells.seeds)) > 0
    if used.all():
        return cells
    cell[:] = (np.cumsum(used) - 1)[cell]
    return Cells(cells.seeds[used], None if cells.y is None else cells.y[used], cells.unit)


def _summed(X: FloatArray, cells: Cells, cell: NDArray[np.int32]) -> RowCentres:
    count = len(cells.seeds)
    weights = np.bincount(cell, minlength=count).astype(np.float64)
    moments, squares = np.zeros_like(cells.seeds), np.zeros(count)
    first = np.full(count, len(X), dtype=np.int64)
    for start in range(0, len(X), BLOCK):
        mine = cell[start : start + BLOCK]
        apart = X[start : start + BLOCK] - cells.seeds[mine]
        moments += np.stack([np.bincount(mine, x, count) for x in apart.T], axis=1)
        squares += np.bincount(mine, np.einsum("ij,ij->i", apart, apart), count)
        np.minimum.at(first, mine, np.arange(start, start + len(mine)))
    moved = moments / weights[:, None]
    spread = np.maximum(squares - weights * np.einsum("ij,ij->i", moved, moved), 0.0)
    return RowCentres(cells.seeds + moved, weights, cells, spread, cell, first)
