"""Kernels: Gram matrices, fields on grids, and bandwidth heuristics.

A kernel is a small frozen record. ``nonnegative`` says whether k(x, x') ≥ 0 for every pair, which
is what the nesting guarantees of Lee & Scott (2010, Propositions 1 and 2) rest on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.distances import differences_squared, squared_distances
from nestviz.grids import Grid
from nestviz.kernel_matrices import check_kernel_matrix

__all__ = [
    "GaussianKernel",
    "Kernel",
    "PolynomialKernel",
    "PrecomputedKernel",
    "average_distance",
    "median_distance",
]


class Kernel(Protocol):
    """What the rest of the library asks of a kernel."""

    @property
    def nonnegative(self) -> bool:
        """Whether k(x, x') ≥ 0 for every pair of points."""

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """The matrix k(a_i, b_j)."""

    def diagonal(self, A: FloatArray) -> FloatArray:
        """The values k(a_i, a_i)."""

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Σ_i c_i k(x_i, ·) on every pixel, one row per row of ``coefficients``."""

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """k(x_i, ·) on every pixel, one row per centre."""


@dataclass(frozen=True)
class GaussianKernel:
    """k(x, x') = exp(−‖x − x'‖² / 2σ²)."""

    sigma: float

    @property
    def nonnegative(self) -> bool:
        """A Gaussian is positive everywhere."""
        return True

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """The matrix k(a_i, b_j), built in place to touch memory once."""
        return _exponentials(squared_distances(A, B, self.sigma))

    def gram_by_differences(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """The same matrix by another road, on which no digits can cancel; for certificates."""
        return _exponentials(differences_squared(A, B, self.sigma))

    def diagonal(self, A: FloatArray) -> FloatArray:
        """All ones."""
        return np.ones(len(A))

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Fields on a grid, by separability.

        On a plane ‖x_i − x‖² splits into the distance of x_i from the plane and the two
        coordinates within it, so a field is the product (E_v · c) E_uᵀ of two thin matrices.
        """
        Eu, Ev = self._profiles(centres, grid)
        fields = np.empty((len(coefficients), *grid.shape))
        for row, c in enumerate(coefficients):
            # An SVM leaves most points out at low levels; what is zero is not multiplied.
            used = np.flatnonzero(c)
            if 4 * used.size < 3 * c.size:
                np.matmul((Ev[used] * c[used, None]).T, Eu[used], out=fields[row])
            else:
                np.matmul(Ev.T * c, Eu, out=fields[row])
        return fields.reshape(len(coefficients), -1)

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """k(x_i, ·) on every pixel: products of two profiles instead of one exponential each."""
        Eu, Ev = self._profiles(centres, grid)
        return (Ev[:, :, None] * Eu[:, None, :]).reshape(len(centres), -1)

    def _profiles(self, centres: FloatArray, grid: Grid) -> tuple[FloatArray, FloatArray]:
        """One row per centre: along u, and along v with the distance from the plane included."""
        uv = grid.plane.coordinates(centres)
        off_plane = grid.plane.distances_squared(centres, unit=self.sigma)
        # Differences first: coordinates in units of σ would already have lost their digits.
        with np.errstate(over="ignore"):
            Eu = np.exp(-0.5 * ((grid.u - uv[:, :1]) / self.sigma) ** 2)
            Ev = np.exp(-0.5 * (((grid.v - uv[:, 1:]) / self.sigma) ** 2 + off_plane[:, None]))
        return Eu, Ev


@dataclass(frozen=True)
class PolynomialKernel:
    """k(x, x') = (scale · ⟨x, x'⟩ + offset)^degree."""

    degree: int = 2
    scale: float = 1.0
    offset: float = 1.0

    @property
    def nonnegative(self) -> bool:
        """Even powers are; odd ones depend on the data and are not promised."""
        return self.degree % 2 == 0

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """The matrix k(a_i, b_j)."""
        return (self.scale * (A @ B.T) + self.offset) ** self.degree

    def diagonal(self, A: FloatArray) -> FloatArray:
        """The values k(a_i, a_i)."""
        return (self.scale * np.einsum("ij,ij->i", A, A) + self.offset) ** self.degree

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Fields on a grid, through its points."""
        return coefficients @ self.grid_gram(centres, grid)

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """k(x_i, ·) on every pixel."""
        return self.gram(centres, grid.points())


@dataclass(frozen=True)
class PrecomputedKernel:
    """A kernel known only by its values: points come as rows of k(x, x_1), …, k(x, x_N)."""

    smallest: float

    @classmethod
    def of(cls, K: FloatArray) -> PrecomputedKernel:
        """The kernel of a symmetric, positive semi-definite matrix of training values."""
        check_kernel_matrix(K)
        return cls(float(K.min()))

    @property
    def nonnegative(self) -> bool:
        """Judged by the training values."""
        return self.smallest >= 0

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """Values between the training points (A, which say nothing themselves) and rows B."""
        return np.ascontiguousarray(B.T)

    def diagonal(self, A: FloatArray) -> FloatArray:
        """Diagonal of the training matrix."""
        return np.ascontiguousarray(np.diagonal(A))

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Not defined: a pixel has no kernel values."""
        return coefficients @ self.grid_gram(centres, grid)

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """Not defined: a pixel has no kernel values."""
        raise TypeError("A precomputed kernel has no values at the pixels of a grid.")


def _exponentials(D: FloatArray) -> FloatArray:
    """exp(−D/2), in place."""
    D *= -0.5
    return np.exp(D, out=D)


def median_distance(X: ArrayLike, *, at_most: int = 2000) -> float:
    """Median distance between distinct points: the usual first guess for σ.

    Above ``at_most`` rows, evenly spaced rows stand for all of them. Data without two distinct
    points have no scale; the guess is then 1.
    """
    distances = _pairwise(np.asarray(X, dtype=np.float64), at_most)
    return float(np.median(distances)) if distances.size else 1.0


def average_distance(X: ArrayLike, *, at_most: int = 2000) -> float:
    """Average distance between distinct points, the d_avg of Lee & Scott (2010, section VI)."""
    distances = _pairwise(np.asarray(X, dtype=np.float64), at_most)
    if not distances.size:
        return 1.0
    # The sum may be beyond the largest number, the mean is not.
    largest = float(distances.max())
    return float(np.mean(distances / largest)) * largest


def _pairwise(X: FloatArray, at_most: int) -> FloatArray:
    """Distances between distinct points, scaled to survive features of any magnitude."""
    X = np.unique(X, axis=0)
    if len(X) > at_most:
        X = X[np.linspace(0, len(X) - 1, at_most).astype(np.intp)]
    # Half ranges: the range itself may be beyond the largest number.
    widest = float(np.max(0.5 * X.max(axis=0) - 0.5 * X.min(axis=0)))
    if not widest > 0:
        return np.empty(0)
    # In units of the bulk of the points one of them may be infinitely far away, and in units of the
    # widest range the others all at one place; so the second unit serves where the first does not.
    usual = float(np.median(np.abs(X - np.median(X, axis=0)), axis=0).max())
    distances = _distances(X, usual if 0 < usual < np.inf else widest)
    if np.isinf(distances).any():
        distances = np.where(np.isinf(distances), _distances(X, widest), distances)
    return np.minimum(distances[distances > 0], np.finfo(np.float64).max)


def _distances(X: FloatArray, unit: float) -> FloatArray:
    """Distances between all pairs of rows, computed in the given unit."""
    with np.errstate(over="ignore"):
        return np.sqrt(squared_distances(X, X, unit)[np.triu_indices(len(X), 1)]) * unit
