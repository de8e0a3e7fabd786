"""Training rows in the sets of weighted centres: each row supports itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.boundary import near_zero
from nestviz.coefficients import PathRows
from nestviz.distances import product
from nestviz.families import SetFamily, UnionFamily
from nestviz.kernels import PrecomputedKernel
from nestviz.level_fields import NO_SIZES
from nestviz.path_scan import PathScan
from nestviz.quantisation.assignment import Partition
from nestviz.quantisation.sources import Part
from nestviz.repeated_rows import distinct_rows
from nestviz.scan_results import Scan
from nestviz.scanning import scan_chunk
from nestviz.solvers.merge import merge_duplicates

CHUNK = 1 << 19
"""Kernel values at a time: 4 MB, which is about what a processor keeps near."""
TOGETHER = 2048
"""Rows at most whose kernel values are computed at a time."""


@dataclass(frozen=True, eq=False)
class OwnSupport:
    """A family on weighted centres, with the own kernel of each row at the row itself.

    A training point supports itself. The coefficient of a centre z of n rows is divided among them;
    the part of a row x is taken away at z, and its own coefficient counts at x.

    A family that is solved at each level λ has coefficients of at most 1/N, for N rows. In the
    solution of all rows, a row is outside only if its coefficient is at that bound. So it is inside
    where the kernels of all others and 1/N reach λ, and every row is inside from λ = 1/N on. The
    n-th part of what the centre has would be less: where a few centres need little to be inside,
    rows between them would come far behind rows that are centres themselves.

    A family with one solution for all levels has its coefficients there, and keeps the n-th part.
    """

    family: SetFamily
    centre: NDArray[np.int64]  # Of each cell, among the centres of the family
    rows: FloatArray  # Number of rows of each centre of the family

    @classmethod
    def of(cls, family: SetFamily, centres: FloatArray, weights: FloatArray) -> OwnSupport:
        """Return a family with the centres that it was fitted to, and the numbers of their rows."""
        plain = family.base if isinstance(family, UnionFamily) else family
        centre = np.arange(len(centres))
        if len(plain.centres) != len(centres):  # Equal centres of two classes are one
            centre = np.asarray(merge_duplicates(centres, None).inverse, dtype=np.int64)
        return cls(family, centre, np.bincount(centre, weights).astype(np.float64))

    @property
    def _plain(self) -> SetFamily:
        return self.family.base if isinstance(self.family, UnionFamily) else self.family

    @property
    def _solved_once(self) -> bool:
        """Whether all levels have the same coefficients."""
        return len(self.family.levels) == 1

    @cached_property
    def by_values(self) -> SetFamily:
        """The same sets of rows that are given by their kernel values."""
        m, plain = len(self.rows), self._plain
        own = 0.0 if self._solved_once else 1.0 / self.rows.sum()
        given = replace(
            plain,
            kernel=PrecomputedKernel(0.0),
            centres=np.zeros((m, m)),
            offsets=plain.offsets - own,
        )
        return given.union() if isinstance(self.family, UnionFamily) else given

    def scan(self, X: FloatArray, cell: NDArray[np.integer]) -> Scan:
        """Return the scan of rows of some cells; equal rows of a cell are evaluated once."""
        points, back = distinct_rows(np.column_stack([X, self.centre[cell]]))
        chunk = int(np.clip(CHUNK // len(self.rows), 1, TOGETHER))
        found = Scan.joined(
            [
                self._scanned(self._kernel_values(part[:, :-1], part[:, -1].astype(np.intp)))
                for part in (points[k : k + chunk] for k in range(0, max(len(points), 1), chunk))
            ]
        )
        return found if back is None else found.take(back)

    def values(self, X: FloatArray, cell: NDArray[np.integer]) -> FloatArray:
        """Return kernel values of rows of some cells, one row each, for `by_values`."""
        return np.ascontiguousarray(self._kernel_values(X, self.centre[cell]).T)

    def _kernel_values(self, X: FloatArray, mine: NDArray[np.integer]) -> FloatArray:
        """Return kernel values, one column for each row, whose centre is ``mine``."""
        plain, each = self._plain, np.arange(len(X))
        G = plain.kernel.gram(plain.centres, np.ascontiguousarray(X))
        own = 1.0 if self._solved_once else 0.0
        G[mine, each] += (own - G[mine, each]) / self.rows[mine]
        return G

    @cached_property
    def _along(self) -> PathScan | None:
        """The scan along a solution path, whose summary is the same for all rows."""
        given = self.by_values
        if not isinstance(given.coefficients, PathRows):
            return None
        return PathScan(given._level_scan, given.coefficients, None, signed=given._signed)

    def _scanned(self, G: FloatArray) -> Scan:
        """Scan kernel values: what `SetFamily.scan` does, without a search for equal columns."""
        given, c = self.by_values, self.by_values.coefficients
        if self._along is not None:
            found = self._along.scan(G)
        else:
            assert not isinstance(c, PathRows)
            sums, sizes = product(c, G), NO_SIZES
            if given._signed and near_zero(sums, given.offsets, float(given.tolerance)).any():
                sizes = product(np.abs(c), np.abs(G))
            found = scan_chunk(given._level_scan, sums, sizes)
        return found.united() if given.is_nested else found


def own_levels(part: Part, support: OwnSupport, cells: Partition) -> FloatArray:
    """Return the level at which each training row of a part first enters."""
    return support.scan(part.X, cells.of(part)).first
