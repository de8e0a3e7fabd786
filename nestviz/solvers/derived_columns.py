"""Kernel matrices derived from another one without storing either."""

from __future__ import annotations

from nestviz.arrays import FloatArray, IndexArray
from nestviz.distances import product as matrix_product
from nestviz.solvers.columns import Columns


class ReflectedColumns:
    """The matrix y_i y_j K_ij: points with y_i = −1 are reflected at the origin.

    Schölkopf & Smola (2002), problem 8.10, eq. (8.42).
    """

    def __init__(self, base: Columns, y: FloatArray) -> None:
        self.base, self.y = base, y
        self.diagonal = base.diagonal

    def over(self, base: Columns) -> ReflectedColumns:
        """Return the same matrix over another source of kernel values."""
        return ReflectedColumns(base, self.y)

    def rows(self, points: IndexArray) -> FloatArray:
        """Return the rows at ``points``."""
        return self.base.rows(points) * (self.y[points, None] * self.y)

    def block(self, points: IndexArray) -> FloatArray:
        """Return the rows and columns at ``points``."""
        y = self.y[points]
        return self.base.block(points) * (y[:, None] * y)

    def product(self, b: FloatArray) -> FloatArray:
        """Return the product with coefficients b (M, N)."""
        return self.base.product(b * self.y) * self.y

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """Return the product with coefficients that are zero outside ``points``."""
        return self.base.product_of(points, b * self.y[points]) * self.y


class CentredColumns:
    """The matrix K_ij + c − c_i − c_j: the origin is moved to the mean of other points.

    Schölkopf & Smola (2002), problem 8.11, eq. (8.49), where c and c_i are called q and q_i: the
    mean kernel value among the other points, and between them and point i.
    """

    def __init__(self, base: Columns, means: FloatArray, mean: float) -> None:
        self.base, self.means, self.mean = base, means, mean
        # Squared distances from the mean: rounding must not make them negative.
        self.diagonal = (base.diagonal + mean - 2.0 * means).clip(min=0.0)

    def over(self, base: Columns) -> CentredColumns:
        """Return the same matrix over another source of kernel values."""
        return CentredColumns(base, self.means, self.mean)

    def rows(self, points: IndexArray) -> FloatArray:
        """Return the rows at ``points``."""
        return self.base.rows(points) + (self.mean - self.means[points, None] - self.means)

    def block(self, points: IndexArray) -> FloatArray:
        """Return the rows and columns at ``points``."""
        c = self.means[points]
        return self.base.block(points) + (self.mean - c[:, None] - c)

    def product(self, b: FloatArray) -> FloatArray:
        """Return the product with coefficients b (M, N)."""
        return self._centred(self.base.product(b), b, self.means)

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """Return the product with coefficients that are zero outside ``points``."""
        return self._centred(self.base.product_of(points, b), b, self.means[points])

    def _centred(self, product: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
        total = b.sum(axis=1, keepdims=True)
        return product + total * (self.mean - self.means) - matrix_product(b, c[:, None])
