"""What the estimators of whole paths know of each training point."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.solvers.merge import Merged
from nestviz.solvers.path.records import PathSolution


class PathPoints:
    """Coefficients, sets and breakpoints of the training points, in the order they were given.

    For estimators that keep their ``path_`` and, in ``_merged_``, which of its points each
    training point became.
    """

    path_: PathSolution
    _merged_: Merged

    def coefficients(self, levels: ArrayLike) -> FloatArray:
        """Return α of the points as given, one row per level."""
        return self._merged_.split(self.path_.coefficients(levels))

    @property
    def alpha_(self) -> FloatArray:
        """α at every breakpoint, (J, N): a large table for a long path, built when asked for."""
        return self.coefficients(self.path_.breakpoints)

    def sets(self, level: float) -> NDArray[np.int8]:
        """Return where each point is at a level: 0 = L, 1 = E, 2 = R as in ``events_``."""
        return self.path_.sets([level])[0][self._merged_.inverse]

    def breakpoints_of(self, row: int) -> FloatArray:
        """Return the levels at which one point reaches the margin or leaves it, ascending."""
        events = self.path_.events
        mine = events["breakpoint"][events["point"] == self._merged_.inverse[row]]
        return np.unique(self.path_.breakpoints[mine])
