"""Successive intersections: nested sets, as an alternative to the successive union."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.families import DerivedFamily, SetFamily
from nestviz.grids import Grid
from nestviz.scan_results import Scan


@dataclass(frozen=True, eq=False)
class IntersectionFamily(DerivedFamily):
    """The successive intersection of a family: ``G'_θ`` is the part of G_θ in all larger sets.

    Nested by definition, for any kernel. A point enters at s−, the level from which on it stays
    inside; in the successive union it enters at s+. The field is the running minimum of the base
    family's field, also between breakpoints.

    The levels must be distinct and fill the domain, so that there is a largest set.

    Examples
    --------
    A point in the first and the last of three sets enters between the second and the last:

    >>> from nestviz.kernels import GaussianKernel
    >>> base = SetFamily([0, 1, 2], [[1], [-1], [1]], [0, 0, 0], [[0]], GaussianKernel(1.0), 1)
    >>> IntersectionFamily.of(base).first_level([[0.0]])
    array([1.5])
    """

    _result = "An intersection"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.domain != (self.levels[0], self.levels[-1]) or np.any(np.diff(self.levels) == 0):
            raise ValueError(
                "A successive intersection begins at a largest set: it needs distinct levels that "
                "reach from one end of the domain to the other."
            )

    @classmethod
    def of(cls, family: SetFamily) -> SetFamily:
        """Return the successive intersection; a nested family is its own."""
        if family.is_nested:
            return family
        return cls(**family._parts)

    def field(self, X: ArrayLike | Grid) -> FloatArray:
        """Return the smallest g over the set at each breakpoint and all larger ones."""
        step = -self.orientation
        return np.minimum.accumulate(super().field(X)[::step], axis=0)[::step]

    def scan(self, X: ArrayLike | Grid) -> Scan:
        """Return first and last levels, which are the same; no point is violated."""
        scan = self.base.scan(X)
        largest = self.levels[-1] if self.orientation == 1 else self.levels[0]
        stays = self.base.contains(X, float(largest))
        entry = np.where(stays, scan.last, self.orientation * np.inf)
        none = np.zeros(entry.size, dtype=np.bool_)
        return Scan(entry, entry.copy(), none, stays.astype(np.int64))

    def _plain_scan(self, X: ArrayLike | Grid) -> Scan:
        return self.scan(X)

    def _values(self, X: ArrayLike | Grid, wanted: FloatArray) -> FloatArray:
        """Return the smallest g over the level itself and all breakpoints on its large side.

        A linear function is smallest at one of its ends, so breakpoints are enough.
        """
        if self.orientation == 1:
            index = np.searchsorted(self.levels, wanted, side="left")
        else:
            index = np.searchsorted(self.levels, wanted, side="right") - 1
        return np.minimum(self.base._values(X, wanted), self.field(X)[index])
