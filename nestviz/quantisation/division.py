"""Divide cells by the sides of the boundaries that pass through them.

In the dual all points of a cell get the coefficients of its centre. Where the boundary of a set
passes through the cell, some of them are inside and some outside, and the same coefficients are
right for one side only. That is most of the gap of a certificate. So cells are divided by the
coefficients that would be best for each point alone, given the fields of a solution: the levels at
which :func:`nestviz.solvers.nested.gap.point_gaps` covers its deficit decide them. In each part all
points then need the same coefficients, until the fields change.

Where no boundary passes, the bound on the norm of the dual vector is most of the gap. It needs
small cells, so points are also divided by the two centres that they are nearest to, if asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.distances import product
from nestviz.quantisation.assignment import CellSums, Partition
from nestviz.quantisation.lifting import Lifted
from nestviz.quantisation.sources import Part, Source

#: Parts that points of a cell with the same sides are divided into at most.
WEDGES = 64
#: Bits of a key that stand for levels, below those for the cell. Two sets of levels with the same
#: bits share a part, which is then less useful and no less valid.
BITS = 31


@dataclass(frozen=True, eq=False)
class DividedCells:
    """Cells divided into parts, in each of which all points are on the same sides.

    Parameters
    ----------
    whole : Partition
        The cells that are divided.
    lifted : Lifted
        The solution whose fields decide the sides.
    finer : bool
        Whether the points of a part also have the same nearest centres.
    keys : ndarray of shape (n_keys,)
        What the points of a part have in common, in ascending order.
    number : ndarray of shape (n_keys,)
        The number of the part with each key; parts may have more than one.
    cell : ndarray of shape (n_parts,)
        The cell of each part.
    """

    whole: Partition
    lifted: Lifted
    finer: bool
    keys: NDArray[np.int64]
    number: NDArray[np.int64]
    cell: NDArray[np.int64]

    @property
    def seeds(self) -> FloatArray:
        """A location near the points of each part: the seed of its cell."""
        return np.ascontiguousarray(self.whole.seeds[self.cell])

    @property
    def y(self) -> FloatArray | None:
        """The class of each part."""
        labels = self.whole.y
        return None if labels is None else labels[self.cell]

    def of(self, part: Part) -> NDArray[np.int64]:
        """Return the number of the part of each point."""
        keys, _ = keys_of(part, self.whole, self.lifted, finer=self.finer)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        # A key that rounding has changed, or a point that is new, goes with another of its cell.
        at -= (self.keys[at] >> BITS) != (keys >> BITS)
        number = self.number[at]
        lost = np.flatnonzero((self.keys[at] >> BITS) != (keys >> BITS))
        if len(lost):
            number[lost] = self._any_of(None if part.y is None else part.y[lost])
        return number

    def _any_of(self, y: FloatArray | None) -> NDArray[np.int64] | int:
        """Return a part of the class of each point, whose cell had no points."""
        if y is None or self.y is None:
            return 0
        return np.asarray(np.argmax(self.y == y[:, None], axis=1), dtype=np.int64)

    @property
    def any_divided(self) -> bool:
        """Whether a cell has more than one part."""
        return len(np.unique(self.cell)) < len(self.cell)


def keys_of(
    part: Part, whole: Partition, lifted: Lifted, *, finer: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a key for the cell and the sides of each point, and at how many levels it is due."""
    K = lifted.kernel.gram(lifted.centres, part.X)
    marks = np.random.default_rng(0).integers(1 << BITS, size=len(lifted.levels) + WEDGES)
    targets = lifted.targets(part.y, len(part.X))
    side, due = sides(lifted.q, targets, product(lifted.b, K), marks[WEDGES:], lifted.separate)
    if finer:
        side ^= marks[wedges(K)]
    return (whole.of(part) << BITS) | side, due


def wedges(K: FloatArray) -> NDArray[np.intp]:
    """Return a number below `WEDGES` for the two centres that each point is nearest to."""
    each = np.arange(K.shape[1])
    first = np.argmax(K, axis=0)
    K[first, each] = -1.0
    second = np.argmax(K, axis=0)
    return np.asarray((first * 7 + second * 13) % WEDGES)


@njit(cache=True, nogil=True)
def sides(
    q: FloatArray, s: FloatArray, F: FloatArray, marks: NDArray[np.int64], separate: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the marks, combined, and the number of the levels at which each point is due.

    D : running deficit Σ q (s − F) of the margin, covered as soon as it is positive.
    """
    M, N = F.shape
    side, due = np.zeros(N, np.int64), np.zeros(N, np.int64)
    for i in range(N):
        sign, D = np.sign(s[i]), 0.0
        for step in range(M):
            m = M - 1 - step if sign > 0 else step
            D += sign * q[m] * (s[i] - F[m, i])
            if D > 0.0:
                side[i] ^= marks[m]
                due[i] += 1
            if D > 0.0 or separate:
                D = 0.0
    return side, due


class _Parts(NamedTuple):
    """Sums over the points with each key."""

    keys: NDArray[np.int64]
    due: NDArray[np.int64]
    weights: FloatArray
    moments: FloatArray
    points: int


def _parts_of(part: Part, whole: Partition, lifted: Lifted, finer: bool) -> _Parts:
    keys, due = keys_of(part, whole, lifted, finer=finer)
    apart = part.X - whole.seeds[keys >> BITS]
    return _by_key(_Parts(keys, due, part.weights, part.weights[:, None] * apart, len(part.X)))


def _by_key(parts: _Parts) -> _Parts:
    keys, first, number = np.unique(parts.keys, return_index=True, return_inverse=True)
    sums = _summed(number.ravel(), parts.weights, parts.moments)
    return _Parts(keys, parts.due[first], *sums, parts.points)


def _summed(
    number: NDArray[np.intp], weights: FloatArray, moments: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the sums of what has the same number."""
    sums = [np.bincount(number, x).astype(np.float64) for x in (weights, *moments.T)]
    return sums[0], np.stack(sums[1:], axis=1)


def _add(first: _Parts, second: _Parts) -> _Parts:
    both = _Parts(
        np.concatenate([first.keys, second.keys]),
        np.concatenate([first.due, second.due]),
        np.concatenate([first.weights, second.weights]),
        np.concatenate([first.moments, second.moments]),
        first.points + second.points,
    )
    return _by_key(both)


def divided(
    source: Source, whole: Partition, lifted: Lifted, most: int, *, finer: bool = False
) -> tuple[DividedCells, CellSums]:
    """Divide cells by the sides of the boundaries of a solution, in one pass over the points.

    Parameters
    ----------
    source : Source
        All points.
    whole : Partition
        The cells.
    lifted : Lifted
        The solution, on these or other cells.
    most : int
        Largest number of parts, if there are fewer cells; the lightest ones are joined to others.
    finer : bool
        Whether to divide them further, by the nearest centres of the solution.

    Returns
    -------
    cells : DividedCells
        The parts that have points.
    sums : CellSums
        Their weights and moments.
    """
    found = source.combined(_parts_of, _add, whole, lifted, finer)
    cell = found.keys >> BITS
    kept = _heaviest(found.weights, cell, most)
    number = _nearest(cell, found.due, kept)
    cells = DividedCells(whole, lifted, finer, found.keys, number, cell[kept])
    return cells, CellSums(*_summed(number, found.weights, found.moments), found.points)


def _heaviest(weights: FloatArray, cell: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the heaviest parts, at least one of each cell, in order."""
    order = np.lexsort((-weights, cell))
    leads = order[np.append(True, np.diff(cell[order]) > 0)]
    others = np.setdiff1d(np.arange(len(cell)), leads)
    more = others[np.argsort(-weights[others], kind="stable")][: max(most - len(leads), 0)]
    return np.sort(np.concatenate([leads, more]))


def _nearest(
    cell: NDArray[np.int64], due: NDArray[np.int64], kept: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return for each part which of those that are kept it goes with: itself, or of its cell.

    Among others of its cell, the one that is due at the most similar number of levels.
    """
    # Cells are further apart than any two numbers of levels.
    at = (2 * int(due.max()) + 2) * cell + due
    order = np.argsort(at[kept], kind="stable")
    places = at[kept][order]
    after = np.searchsorted(places, at)
    before, after = np.maximum(after - 1, 0), np.minimum(after, len(places) - 1)
    nearer = np.where(at - places[before] <= places[after] - at, before, after)
    number = order[nearer]
    number[kept] = np.arange(len(kept))
    return number
