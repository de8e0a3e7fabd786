"""Training rows in the sets of weighted centres: each row supports itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.families import SetFamily, UnionFamily
from nestviz.kernels import PrecomputedKernel
from nestviz.quantisation.assignment import Cells
from nestviz.quantisation.sources import Part
from nestviz.solvers.merge import merge_duplicates


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

    def values(self, X: FloatArray, cell: NDArray[np.integer]) -> FloatArray:
        """Return kernel values of rows of some cells, one row each."""
        plain = self._plain
        K = np.ascontiguousarray(plain.kernel.gram(plain.centres, X).T)
        each, mine = np.arange(len(X)), self.centre[cell]
        own = 1.0 if self._solved_once else 0.0
        K[each, mine] += (own - K[each, mine]) / self.rows[mine]
        return K


def own_levels(part: Part, support: OwnSupport, cells: Cells) -> FloatArray:
    """Return the level at which each training row of a part first enters."""
    return support.by_values.first_level(support.values(part.X, cells.of(part)))
