"""The kernels that contribute most to the field of a point at its exit level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray, IntArray
from nestviz.families import SetFamily, UnionFamily


@dataclass(frozen=True, eq=False)
class Contributions:
    """The terms of a point's field at its exit level, largest first. Exact.

    Attributes
    ----------
    level : float
        The exit level, or the nearest breakpoint beyond which coefficients are constant.
    centres : ndarray of shape (k,)
        Rows of the family's ``centres``.
    rows : tuple of ndarray
        The ranked points at each centre: several where points coincide, none where the centre is
        not one of the ranked points.
    values : ndarray of shape (k,)
        ``c_j(θ) k(x_j, x)``; negative where a kernel pushes the point out of the set.
    total : float
        Sum over *all* centres. At the exit level it equals the offset r(θ).
    """

    level: float
    centres: IntArray
    rows: tuple[IntArray, ...]
    values: FloatArray
    total: float


@dataclass(frozen=True, eq=False)
class RowsAt:
    """Rows of a table by their coordinates."""

    rows: dict[bytes, list[int]]

    @classmethod
    def of(cls, points: FloatArray) -> RowsAt:
        """Index a table; rows that coincide are kept together."""
        rows: dict[bytes, list[int]] = {}
        for row, point in enumerate(points):
            rows.setdefault(_key(point), []).append(row)
        return cls(rows)

    def find(self, point: FloatArray) -> IntArray:
        """Return the rows at a location."""
        return np.array(self.rows.get(_key(point), []), dtype=np.int64)


def contributions_at(
    family: SetFamily, x: FloatArray, level: float, k: int, rows_at: RowsAt
) -> Contributions:
    """Return the k largest contributions to the field of a point at its exit level."""
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}.")
    # A union has the coefficients of its base family, at the level of first entry.
    base = family.base if isinstance(family, UnionFamily) else family
    # At a jump the coefficients on the side where the point is inside count.
    inner = np.nextafter(level, base.orientation * np.inf)
    inner = float(np.clip(inner, base.levels[0], base.levels[-1]))
    c = base.coefficients_at(inner)[0][0]
    values = c * base.kernel.gram(base.centres, x[None])[:, 0]
    largest = np.argsort(-values, kind="stable")[:k]
    rows = tuple(rows_at.find(centre) for centre in base.centres[largest])
    return Contributions(inner, largest, rows, values[largest], float(values.sum()))


def _key(point: FloatArray) -> bytes:
    """Return coordinates as bytes; adding zero makes −0 and 0 equal."""
    return (point + 0.0).tobytes()
