"""One set of a family, and points in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray, FloatArray
from nestviz.grids import Grid
from nestviz.level_fields import KernelValues, LevelField, checked_points


@dataclass(frozen=True, eq=False)
class DecisionSet:
    """One set of a family: the one at ``level``."""

    family: LevelField
    level: float

    @property
    def coefficients(self) -> FloatArray:
        """Return c(θ), one number per centre."""
        return self.family.coefficients_at(self.level)[0][0]

    @property
    def offset(self) -> float:
        """Return r(θ)."""
        return float(self.family.coefficients_at(self.level)[1][0])

    def __iter__(self) -> Iterator[FloatArray | float]:
        """Unpack as ``c, r = family.at(level)``."""
        return iter((self.coefficients, self.offset))

    def field(self, X: ArrayLike | Grid) -> FloatArray:
        """Return g_θ(x), not negative inside."""
        return self.family.values(X, self.level)

    def contains(self, X: ArrayLike | Grid) -> BoolArray:
        """Return whether each point is inside, the boundary included."""
        return self.family.values(X, self.level) >= 0


def blocks(X: ArrayLike | Grid, chunk: int, dimension: int) -> Iterator[Any]:
    """Split points, or a grid by rows, into blocks of about ``chunk`` points."""
    if isinstance(X, Grid):
        rows = max(1, chunk // X.u.size)
        for start in range(0, X.v.size, rows):
            yield replace(X, v=X.v[start : start + rows])
        return
    if isinstance(X, KernelValues):
        yield X
        return
    points = checked_points(X, dimension)
    for start in range(0, max(len(points), 1), chunk):
        yield points[start : start + chunk]
