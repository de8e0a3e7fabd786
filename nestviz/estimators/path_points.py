"""What the estimators of whole paths keep for each training point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.solvers.merge import Merged
from nestviz.solvers.path.certificate import path_converged
from nestviz.solvers.path.records import PathSolution


class PathPoints:
    """Coefficients, sets and breakpoints of the training points, in the order they were given."""

    path_: PathSolution
    _merged_: Merged

    def _coefficients(self, levels: FloatArray) -> FloatArray:
        return self._merged_.split(self.path_.coefficients(levels))

    @property
    def alpha_(self) -> FloatArray:
        """Coefficients at every breakpoint, computed on access: large for a long path."""
        return self._coefficients(self.path_.breakpoints)

    def sets(self, level: float) -> NDArray[np.int8]:
        """Return the set of each training point at a level.

        Parameters
        ----------
        level : float
            A level of the path.

        Returns
        -------
        ndarray of shape (n_points,)
            0 = L, 1 = E, 2 = R, as in ``events_``.
        """
        return self.path_.sets([level])[0][self._merged_.inverse]

    def breakpoints_of(self, row: int) -> FloatArray:
        """Return the levels at which a training point reaches the margin or leaves it.

        Parameters
        ----------
        row : int
            Row of the point.

        Returns
        -------
        ndarray of shape (n_levels,)
            Levels, ascending.
        """
        events = self.path_.events
        mine = events["breakpoint"][events["point"] == self._merged_.inverse[row]]
        return np.unique(self.path_.breakpoints[mine])

    def _keep_path(self, path: PathSolution, merged: Merged) -> None:
        self.path_, self._merged_, self.breakpoints_ = path, merged, path.breakpoints
        self.events_, self.path_residual_ = path.events, path.residuals
        # For each distinct point the first of the points it stands for.
        first = np.unique(merged.inverse, return_index=True)[1]
        self.event_points_ = first[path.events["point"]]
        self.converged_, self.n_iter_ = path_converged(path), len(path.events)
