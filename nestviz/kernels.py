"""Kernels: Gram matrices, fields on grids, and rules for the bandwidth.

``nonnegative`` says whether k(x, x') ≥ 0 for every pair, as the nesting guarantees of Lee & Scott
(2010, Propositions 1 and 2) require.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray, slices
from nestviz.distances import differences_squared, product, squared_distances
from nestviz.grids import Grid
from nestviz.kernel_matrices import check_kernel_matrix

__all__ = [
    "GaussianKernel",
    "Kernel",
    "PolynomialKernel",
    "PrecomputedKernel",
    "auto_sigma",
    "average_distance",
    "median_distance",
]

LARGEST = float(np.finfo(np.float64).max)
EXPONENTIAL = 8
"""Operations that an exponential counts for."""
GRAM_BLOCK = 256
"""Columns of a Gram matrix that `GaussianGrams` computes at a time."""
AUTO_SHARE = 0.2
"""The width ``sigma="auto"`` as a share of the median distance between points."""


class Kernel(Protocol):
    """The interface of a kernel."""

    @property
    def nonnegative(self) -> bool:
        """Whether k(x, x') ≥ 0 for every pair of points."""

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """Return the matrix k(a_i, b_j)."""

    def diagonal(self, A: FloatArray) -> FloatArray:
        """Return the values k(a_i, a_i)."""

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Return Σ_i c_i k(x_i, ·) on every pixel, one row per row of ``coefficients``."""

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """Return k(x_i, ·) on every pixel, one row per centre."""


@dataclass(frozen=True)
class GaussianKernel:
    """The Gaussian kernel k(x, x') = exp(−‖x − x'‖² / 2σ²).

    Parameters
    ----------
    sigma : float
        Width σ.
    """

    sigma: float

    @property
    def nonnegative(self) -> bool:
        """True: a Gaussian is positive everywhere."""
        return True

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """Return the matrix k(a_i, b_j)."""
        return _exponentials(squared_distances(A, B, self.sigma))

    def gram_by_differences(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """Return the same matrix from differences, where no digits cancel; for certificates."""
        return _exponentials(differences_squared(A, B, self.sigma))

    def diagonal(self, A: FloatArray) -> FloatArray:
        """Return k(a_i, a_i) = 1."""
        return np.ones(len(A))

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Return fields on a grid, by separability.

        On a plane ‖x_i − x‖² splits into the distance of x_i from the plane and the two
        coordinates within it, so a field is the product (E_v · c) E_uᵀ of two thin matrices.
        """
        Eu, Ev = self._profiles(centres, grid)
        Ev = np.ascontiguousarray(Ev.T)
        fields = np.zeros((len(coefficients), *grid.shape))
        for row, c in enumerate(coefficients):
            # At low levels most coefficients of an SVM are zero: leave them out.
            used = np.flatnonzero(c)
            if 4 * used.size < 3 * c.size:
                product(Ev.take(used, axis=1) * c[used], Eu[used], out=fields[row])
            else:
                product(Ev * c, Eu, out=fields[row])
        return fields.reshape(len(coefficients), -1)

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """Return k(x_i, ·) on every pixel, from products of two profiles."""
        Eu, Ev = self._profiles(centres, grid)
        return (Ev[:, :, None] * Eu[:, None, :]).reshape(len(centres), -1)

    def _profiles(self, centres: FloatArray, grid: Grid) -> tuple[FloatArray, FloatArray]:
        """Return a row per centre: along u, and along v with the distance from the plane."""
        uv = grid.plane.coordinates(centres)
        off_plane = grid.plane.distances_squared(centres, unit=self.sigma)
        # Differences first: coordinates in units of σ would already have lost their digits.
        with np.errstate(over="ignore"):
            Eu = np.exp(-0.5 * ((grid.u - uv[:, :1]) / self.sigma) ** 2)
            Ev = np.exp(-0.5 * (((grid.v - uv[:, 1:]) / self.sigma) ** 2 + off_plane[:, None]))
        return Eu, Ev


class GaussianGrams:
    """Gram matrices of two sets of points for many widths, with distances computed once.

    ``unit`` is a length of the size of the widths, which keeps squares within range.
    """

    def __init__(self, A: FloatArray, B: FloatArray, unit: float) -> None:
        # By differences: every digit is there, whatever width divides the distances later.
        # In blocks: what is computed from one of them stays in the processor's cache.
        blocks = [B[k : k + GRAM_BLOCK] for k in range(0, len(B), GRAM_BLOCK)]
        self._squared = [differences_squared(A, block, unit) for block in blocks]
        self._unit = unit

    def at(self, sigma: float) -> FloatArray:
        """Return the matrix k(a_i, b_j) of the Gaussian kernel of one width."""
        return np.concatenate([self._block(D, sigma) for D in self._squared], axis=1)

    def product(self, c: FloatArray, sigma: float) -> FloatArray:
        """Return c times the matrix of one width, which is never built as a whole."""
        return np.concatenate([product(c, self._block(D, sigma)) for D in self._squared], axis=1)

    def _block(self, D: FloatArray, sigma: float) -> FloatArray:
        with np.errstate(over="ignore", under="ignore"):
            K = D * np.maximum(-0.5 * np.square(self._unit / np.float64(sigma)), -LARGEST)
            return np.exp(K, out=K)


@dataclass(frozen=True)
class PolynomialKernel:
    """The polynomial kernel k(x, x') = (scale · ⟨x, x'⟩ + offset)^degree.

    Parameters
    ----------
    degree : int
        Power.
    scale : float
        Factor of the inner product.
    offset : float
        Constant term.
    """

    degree: int = 2
    scale: float = 1.0
    offset: float = 1.0

    @property
    def nonnegative(self) -> bool:
        """Whether the degree is even; with an odd one it depends on the data."""
        return self.degree % 2 == 0

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """Return the matrix k(a_i, b_j)."""
        K = product(A, B.T)
        for rows in slices(len(K), EXPONENTIAL * K.shape[1]):
            K[rows] = (self.scale * K[rows] + self.offset) ** self.degree
        return K

    def diagonal(self, A: FloatArray) -> FloatArray:
        """Return the values k(a_i, a_i)."""
        return (self.scale * np.einsum("ij,ij->i", A, A) + self.offset) ** self.degree

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Return fields on a grid, from its points."""
        return product(coefficients, self.grid_gram(centres, grid))

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """Return k(x_i, ·) on every pixel."""
        return self.gram(centres, grid.points())


@dataclass(frozen=True)
class PrecomputedKernel:
    """A kernel given by its values: points come as rows of k(x, x_1), …, k(x, x_N).

    Parameters
    ----------
    smallest : float
        The smallest value between training points.
    """

    smallest: float

    @classmethod
    def of(cls, K: FloatArray) -> PrecomputedKernel:
        """Return the kernel of a symmetric, positive semi-definite matrix of training values."""
        check_kernel_matrix(K)
        return cls(float(K.min()))

    @property
    def nonnegative(self) -> bool:
        """Whether no training value is negative."""
        return self.smallest >= 0

    def gram(self, A: FloatArray, B: FloatArray) -> FloatArray:
        """Return the values between the training points and rows B; A is not used."""
        return np.ascontiguousarray(B.T)

    def diagonal(self, A: FloatArray) -> FloatArray:
        """Return the diagonal of the training matrix."""
        return np.ascontiguousarray(np.diagonal(A))

    def grid_field(self, coefficients: FloatArray, centres: FloatArray, grid: Grid) -> FloatArray:
        """Raise TypeError: a pixel has no kernel values."""
        return coefficients @ self.grid_gram(centres, grid)

    def grid_gram(self, centres: FloatArray, grid: Grid) -> FloatArray:
        """Raise TypeError: a pixel has no kernel values."""
        raise TypeError("A precomputed kernel has no values at the pixels of a grid.")


def _exponentials(D: FloatArray) -> FloatArray:
    """Replace D by exp(−D/2)."""
    for rows in slices(len(D), EXPONENTIAL * D.shape[1]):
        np.exp(np.multiply(D[rows], -0.5, out=D[rows]), out=D[rows])
    return D


def median_distance(X: ArrayLike, *, at_most: int = 2000) -> float:
    """Return the median distance between distinct points.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.
    at_most : int
        With more rows, so many evenly spaced ones are used.

    Returns
    -------
    float
        The median; 1 for data without two distinct points.
    """
    distances = _pairwise(np.asarray(X, dtype=np.float64), at_most)
    return float(np.median(distances)) if distances.size else 1.0


def auto_sigma(X: ArrayLike) -> float:
    """Return the width that ``sigma="auto"`` stands for: 0.2 × the median distance.

    Over the bundled data sets this share ranks points best of the rules that need no search; the
    whole median distance smooths most structure away.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.

    Returns
    -------
    float
        Width of the Gaussian kernel.
    """
    return AUTO_SHARE * median_distance(X)


def dimension_sigma(X: ArrayLike) -> float:
    """Return √(d/5) for points with d features, the width of Glazer et al. (2013): γ = 2.5/d.

    It depends on the number of features alone, and not on the points. So it presumes features of
    the same, known scale: the paper does not say which; standardised ones, or ranges of [0, 1],
    give it a meaning. For features in other units it has none.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.

    Returns
    -------
    float
        Width of the Gaussian kernel.
    """
    return float(np.sqrt(np.asarray(X).shape[1] / 5.0))


def average_distance(X: ArrayLike, *, at_most: int = 2000) -> float:
    """Return the average distance between distinct points, d_avg of Lee & Scott (2010, section VI).

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.
    at_most : int
        With more rows, so many evenly spaced ones are used.

    Returns
    -------
    float
        The average; 1 for data without two distinct points.
    """
    distances = _pairwise(np.asarray(X, dtype=np.float64), at_most)
    if not distances.size:
        return 1.0
    # The sum may overflow, the mean does not.
    largest = float(distances.max())
    return float(np.mean(distances / largest)) * largest


def _pairwise(X: FloatArray, at_most: int) -> FloatArray:
    """Return distances between distinct points, for features of any magnitude."""
    X = np.unique(X, axis=0)
    if len(X) > at_most:
        X = X[np.linspace(0, len(X) - 1, at_most).astype(np.intp)]
    # Half ranges: the range itself may overflow.
    widest = float(np.max(0.5 * X.max(axis=0) - 0.5 * X.min(axis=0)))
    if not widest > 0:
        return np.empty(0)
    # In units of the bulk of the points the distance of one far away may overflow; in units of the
    # widest range the others may coincide. So the second unit is used where the first overflows.
    usual = float(np.median(np.abs(X - np.median(X, axis=0)), axis=0).max())
    distances = _distances(X, usual if 0 < usual < np.inf else widest)
    if np.isinf(distances).any():
        distances = np.where(np.isinf(distances), _distances(X, widest), distances)
    return np.minimum(distances[distances > 0], LARGEST)


def _distances(X: FloatArray, unit: float) -> FloatArray:
    """Return distances between all pairs of rows, computed in the given unit."""
    with np.errstate(over="ignore"):
        return np.sqrt(squared_distances(X, X, unit)[np.triu_indices(len(X), 1)]) * unit
