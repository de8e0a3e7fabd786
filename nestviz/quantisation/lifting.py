"""The problem of all points that a solution on weighted centres stands for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.kernels import GaussianKernel
from nestviz.quantisation.assignment import Partition
from nestviz.quantisation.sources import Part
from nestviz.solvers.nested.feasible import (
    cost_sensitive_chains,
    one_class_chains,
    weighted_chains,
)
from nestviz.solvers.records import Chains


@dataclass(frozen=True, eq=False)
class Lifted:
    """Coefficients of centres, and the problem of all points that they are coefficients for.

    The problem is that of `nestviz.solvers.records`. A point of a cell has the coefficients of its
    centre, divided among the points of the cell by their weights: they satisfy all constraints.

    Parameters
    ----------
    sigma : float
        Width of the Gaussian kernel.
    centres : ndarray of shape (n_centres, n_features)
        Centres z_c.
    cells : Partition
        The cells of the points that each centre stands for.
    weights : ndarray of shape (n_centres,)
        Sum of the weights of the points of each cell.
    b : ndarray of shape (n_levels, n_centres)
        Coefficients, α/λ for one class and yα for two.
    levels : ndarray of shape (n_levels,)
        λ_m for one class, γ_m for two.
    lam : float, optional
        Regularisation of a problem of two classes.
    separate : bool
        Whether the levels are solved one by one, without nesting constraints.
    level_weights : ndarray of shape (n_levels,), optional
        Weights of the levels in the objective, 1 each by default.
    """

    sigma: float
    centres: FloatArray
    cells: Partition
    weights: FloatArray
    b: FloatArray
    levels: FloatArray
    lam: float | None = None
    separate: bool = False
    level_weights: FloatArray | None = None

    @property
    def kernel(self) -> GaussianKernel:
        """The kernel."""
        return GaussianKernel(self.sigma)

    @property
    def unit(self) -> FloatArray:
        """Coefficients for a point of weight `heaviest` in each cell, (n_levels, n_centres)."""
        return self.b / np.where(self.weights > 0, self.weights / self.heaviest, 1.0)

    @property
    def heaviest(self) -> float:
        """The largest weight of a cell: the unit of weights, so that their squares are numbers."""
        return float(self.weights.max())

    @property
    def q(self) -> FloatArray:
        """Weights of the levels."""
        return self.chains(self.weights[:1], np.ones(1)).q

    def targets(self, y: FloatArray | None, count: int) -> FloatArray:
        """Return the targets s of the field at points: 1 for one class, λy for two."""
        if self.lam is None:
            return np.ones(count)
        assert y is not None
        return self.lam * y

    def chains_of(self, part: Part) -> Chains:
        """Return the problem of the points of a part."""
        return self.chains(part.weights, part.y)

    def chains(self, weights: FloatArray, y: FloatArray | None) -> Chains:
        """Return the problem of points with weights and, for two classes, labels −1 and +1."""
        if self.lam is None:
            chains = one_class_chains(weights / self.weights.sum(), self.levels)
        else:
            assert y is not None
            chains = cost_sensitive_chains(y, weights, self.lam, self.levels)
        return weighted_chains(chains, self.level_weights)
