"""What holds a point in: the kernels that carry it at a level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray, IntArray
from nestviz.families import SetFamily, UnionFamily


@dataclass(frozen=True, eq=False)
class Holders:
    """The kernels that carry a point at its exit level, largest contribution first. Exact.

    Attributes
    ----------
    level : float
        The level: the point's exit, or the nearest breakpoint beyond which nothing changes.
    centres : (k,) array
        Rows of the family's ``centres``.
    rows : tuple of arrays
        For each centre the rows of the ranked data that lie there; several where points coincide,
        none where the centre is not among the ranked points.
    contributions : (k,) array
        c_j(θ) k(x_j, x). Negative where a kernel pushes the point out.
    total : float
        Sum over *all* centres. At the exit level it equals the offset r(θ).
    """

    level: float
    centres: IntArray
    rows: tuple[IntArray, ...]
    contributions: FloatArray
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
        """The rows at a location; none where there is no point."""
        return np.array(self.rows.get(_key(point), []), dtype=np.int64)


def holders_at(family: SetFamily, x: FloatArray, level: float, k: int, rows_at: RowsAt) -> Holders:
    """The k largest contributions to the field of a point at its level of exit."""
    if k < 1:
        raise ValueError(f"At least one point must be asked for, not {k}.")
    # A union has the coefficients of the family it was made of, at the level of first entry.
    base = family.base if isinstance(family, UnionFamily) else family
    # At a jump the coefficients that hold the point are those on the side where it is inside.
    inner = np.nextafter(level, base.orientation * np.inf)
    # Beyond the breakpoints coefficients stay as they are: the nearest one stands for all.
    inner = float(np.clip(inner, base.levels[0], base.levels[-1]))
    c = base.coefficients_at(inner)[0][0]
    contributions = c * base.kernel.gram(base.centres, x[None])[:, 0]
    largest = np.argsort(-contributions, kind="stable")[:k]
    rows = tuple(rows_at.find(centre) for centre in base.centres[largest])
    return Holders(inner, largest, rows, contributions[largest], float(contributions.sum()))


def _key(point: FloatArray) -> bytes:
    """Coordinates as bytes; adding zero makes −0 and 0 one."""
    return (point + 0.0).tobytes()
