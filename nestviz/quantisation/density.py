"""Weighted centres for a density: the Parzen average of all points, bounded everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.kernels import GaussianKernel
from nestviz.quantisation.assignment import Cells, CellSums, add, cells_of, sums_of
from nestviz.quantisation.sources import Part, Source, lengths, sample

SAMPLE, PER_CENTRE = 20_000, 20
"""Points that centres are chosen from: at least so many, and so many for each centre."""
BLOCK = 500
"""Centres whose kernel values are held at once."""


@dataclass(frozen=True, eq=False)
class DensityCentres:
    """Centres that stand for points, and how far their density can be from that of all points.

    Attributes
    ----------
    centres : ndarray of shape (n_centres, n_features)
        The means of the cells that have points.
    weights : ndarray of shape (n_centres,)
        Weight of the points of each.
    cells : Cells
        The cells.
    n_points : int
        Number of points.
    gap : float
        Bound on the difference of both densities, everywhere, as a share of the highest level.
    """

    centres: FloatArray
    weights: FloatArray
    cells: Cells
    n_points: int
    gap: float


class _Spreads(NamedTuple):
    """Sums over the points of each cell, with that of their squared distances from the seed."""

    sums: CellSums
    squares: FloatArray


def field_error(spread: FloatArray, weights: FloatArray, sigma: float) -> float:
    """Bound the difference between the Parzen average of all points and that of the centres.

    A centre is the mean of its points, so first-order terms cancel, and the second derivatives of
    a Gaussian kernel are at most 1/σ² in any direction: for every location x,
    |Σ_i k(x, x_i) − n k(x, z)| ≤ min(Σ_i ‖x_i − z‖² / (2σ²), n) for the n points of a cell.

    ``spread`` is the sum of the squared distances of the points of each cell from its centre.
    """
    bound = np.minimum(spread / (2.0 * sigma**2), weights)
    return float(bound.sum() / weights.sum())


def density_centres(
    source: Source, counts: Iterable[int], sigma: float, tol: float, seed: int
) -> DensityCentres:
    """Choose centres until their density is as close to that of all points as ``tol`` asks.

    Parameters
    ----------
    source : Source
        The points.
    counts : iterable of int
        Numbers of centres to try, ascending.
    sigma : float
        Width of the kernel.
    tol : float
        The gap to reach.
    seed : int
        Seed of the sample that centres are chosen from.

    Returns
    -------
    DensityCentres
        The first that reaches ``tol``, or else the last.
    """
    sizes, found = lengths(source), None
    for count in counts:
        drawn = sample(source, sizes, max(SAMPLE, PER_CENTRE * count), seed)
        found = _weighted(source, cells_of(drawn, count, "farthest", sigma, seed), sigma)
        if found.gap <= tol:
            break
    if found is None:
        raise ValueError("There is no number of centres to try.")
    return found


def _weighted(source: Source, cells: Cells, sigma: float) -> DensityCentres:
    """Weight the centres by all points, and bound their density."""
    (weights, moments, points), squares = source.combined(_spreads_of, _add, cells)
    some = weights > 0
    cells = Cells(cells.seeds[some], None, cells.unit)
    weights, moved = weights[some], moments[some] / weights[some, None]
    spread = squares[some] - weights * np.einsum("ij,ij->i", moved, moved)
    centres = cells.seeds + moved
    error = field_error(np.maximum(spread, 0.0), weights, sigma)
    gap = error / _highest(centres, weights, sigma)
    return DensityCentres(centres, weights, cells, points, gap)


def _highest(centres: FloatArray, weights: FloatArray, sigma: float) -> float:
    """Return the largest density at a centre."""
    kernel, shares = GaussianKernel(sigma), weights / weights.sum()
    parts = (centres[k : k + BLOCK] for k in range(0, len(centres), BLOCK))
    return max(float((shares @ kernel.gram(centres, part)).max()) for part in parts)


def _spreads_of(part: Part, cells: Cells) -> _Spreads:
    cell = cells.of(part)
    apart = part.X - cells.seeds[cell]
    squares = part.weights * np.einsum("ij,ij->i", apart, apart)
    summed = np.bincount(cell, squares, len(cells.seeds)).astype(np.float64)
    return _Spreads(sums_of(part, cells), summed)


def _add(first: _Spreads, second: _Spreads) -> _Spreads:
    return _Spreads(add(first.sums, second.sums), first.squares + second.squares)
