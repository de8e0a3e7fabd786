"""The form in which a family of sets is sent to the browser, which evaluates it there.

``js/family.js`` reads it. Everything is in coordinates of the picture's plane. A kernel has one of
three forms. A Gaussian splits into the plane and a factor for each centre; a polynomial into an
inner product within the plane and a constant for each centre; for any other kernel fields are
computed here on a lattice, whose pixels then act as centres of hat functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray, IntArray
from nestviz.coefficients import PathRows
from nestviz.families import DerivedFamily, SetFamily, UnionFamily
from nestviz.grids import Grid, Plane
from nestviz.kernels import GaussianKernel, PolynomialKernel
from nestviz.ui.scene.family_knots import LONG, chosen_knots, evenly_spaced
from nestviz.ui.scene.path_form import SHARE_STEPS, path_changes

VERSION = 1
Detail = Literal["knots", "exact"]

FIELDS = 64
"""Levels at which the browser keeps fields."""
DRAGGED_BYTES = 150_000
"""Largest size of a path while a slider moves."""
DISPLACEMENT = {"knots": 0.1, "exact": 0.01}
"""How far knots may move an outline, in pixels; exact where a path is too long to be sent."""
TABLE_BYTES = {"knots": 16_000, "exact": 100_000}
"""Largest table of coefficients that is sent in full precision."""
LATTICE_LEVELS, LATTICE_SIZE, LATTICE_MARGIN = 32, 128, 0.3
SINGLE = 2.0**-24
"""Rounding of a number in single precision."""


class Table(Protocol):
    """What collects the arrays of a message."""

    def add(self, array: ArrayLike, dtype: str) -> int:
        """Add an array, and return its index."""


def family_form(
    family: SetFamily,
    plane: Plane,
    table: Table,
    *,
    detail: Detail,
    span: tuple[float, float],
    pixel: float,
    most_bytes: int = 1_000_000,
) -> dict[str, Any]:
    """Return the header of a family as JSON values; its arrays are added to a table.

    Parameters
    ----------
    family : SetFamily
        The family.
    plane : Plane
        The plane of the picture.
    table : Table
        Collects arrays: ``add(array, dtype)`` returns the index of an array.
    detail : {"knots", "exact"}
        Whether a long path is thinned, as while a slider moves, or sent with all breakpoints.
    span : tuple of float
        Lowest and highest level that are shown.
    pixel : float
        Size of a pixel in units of the plane.
    most_bytes : int
        A longer path is thinned in any case; ``exact`` in the header is then false.

    Returns
    -------
    dict
        The header. Infinite numbers are None.
    """
    base = family.base if isinstance(family, DerivedFamily) else family
    writer = _Writer(base, plane, table, detail, span, pixel, most_bytes)
    low, high = family.domain or (0.0, 0.0)
    derived = isinstance(family, DerivedFamily)
    return writer.form() | {
        "version": VERSION,
        "orientation": int(family.orientation),
        "low": _finite(low),
        "high": _finite(high),
        "tail": float(family.tail),
        "open_below": bool(family.open_below),
        "is_nested": bool(family.is_nested),
        "hold_level": family.hold_level,
        "derived": ("union" if isinstance(family, UnionFamily) else "intersection") * derived,
        "level_name": family.level_name,
    }


def _finite(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None


@dataclass(frozen=True)
class _Writer:
    """One family on its way into a table."""

    family: SetFamily
    plane: Plane
    table: Table
    detail: Detail
    span: tuple[float, float]
    pixel: float
    most_bytes: int

    def form(self) -> dict[str, Any]:
        """Write levels, coefficients and kernel."""
        family = self.family
        kernel = family.kernel
        known = isinstance(kernel, GaussianKernel | PolynomialKernel)
        index, knots = self._chosen(self._most_levels(known))
        parts: dict[str, Any] = {"kernel": self._kernel()} if known else {}
        thinned = index.size < len(family.levels)
        rows = family.coefficients
        if not known:
            parts |= self._lattice(index)
        elif isinstance(rows, PathRows):
            parts |= self._path(rows, index, coarse=thinned)
        else:
            parts |= self._rows(np.asarray(rows)[index])
        levels = self._add(family.levels[index])
        offsets = family.offsets[index]
        same = np.array_equal(offsets, family.levels[index])
        return parts | {
            "levels": levels,
            "offsets": levels if same else self._add(offsets),
            "knots": self._add(knots),
            "signed": bool(family._signed),
            "exact": parts["exact"] and not thinned,
        }

    def _add(self, array: ArrayLike, dtype: str = "float64") -> int:
        return self.table.add(np.ascontiguousarray(array), dtype)

    def _most_levels(self, known: bool) -> int:
        """Return the number of breakpoints to send."""
        rows, count = self.family.coefficients, len(self.family.levels)
        if not known:
            return min(count, LATTICE_LEVELS)
        if not isinstance(rows, PathRows):
            return max(FIELDS, self._budget // (2 * rows.shape[1]))
        entries = rows.path.indices.size
        if 4 * entries + 24 * count <= self._budget:
            return count
        # The more breakpoints lie between two knots, the more coefficients change.
        a_level = 2 * 1.1 * entries / count + 24
        between = max(1.0, count * a_level / self._budget)
        return min(count - 1, max(FIELDS, int(self._budget / (a_level * between**0.2))))

    @property
    def _budget(self) -> int:
        """Return the size that coefficients may have, in bytes."""
        return min(self.most_bytes, DRAGGED_BYTES) if self.detail == "knots" else self.most_bytes

    def _chosen(self, most: int) -> tuple[IntArray, FloatArray]:
        """Return the breakpoints to send, and the levels at which the browser keeps fields."""
        levels = self.family.levels
        everything = np.arange(len(levels))
        thin = most < len(levels)
        if len(levels) <= FIELDS and not thin:
            return everything, self._shown(levels)
        length = DISPLACEMENT[self.detail] * self.pixel
        knots = chosen_knots(self.family, self.plane, self.span, length, most if thin else FIELDS)
        fields = self._shown(levels[np.sort(knots[:FIELDS])])
        if thin and most > LONG:
            # So many need no choice.
            knots = evenly_spaced(levels, most)
        return np.sort(knots) if thin else everything, fields

    def _shown(self, levels: FloatArray) -> FloatArray:
        """Return the ends of the span, and the levels between them."""
        low, high = self.span
        ends = [low, high] if high > low else [low]
        return np.concatenate([ends[:1], levels[(levels > low) & (levels < high)], ends[1:]])

    def _kernel(self) -> dict[str, Any]:
        """Write centres, and their factors (Gaussian) or constants (polynomial)."""
        kernel, centres, plane = self.family.kernel, self.family.centres, self.plane
        if isinstance(kernel, GaussianKernel):
            uv = plane.coordinates(centres)
            factors = np.exp(-0.5 * plane.distances_squared(centres, unit=kernel.sigma))
            form: dict[str, Any] = {"kind": "gaussian", "sigma": float(kernel.sigma)}
            flat = bool(np.all(factors == 1.0))
        else:
            uv, factors = centres @ plane.directions.T, centres @ plane.origin
            names = ("degree", "scale", "offset")
            form = {"kind": "polynomial"} | {name: getattr(kernel, name) for name in names}
            flat = not np.any(factors)
        form["factors"] = None if flat else self._add(factors)
        return form | {"centres": self._add(uv.ravel())}

    def _lattice(self, index: IntArray) -> dict[str, Any]:
        """Write fields of any kernel on a lattice."""
        uv = self.plane.coordinates(self.family.centres)
        size = min(LATTICE_SIZE, int((self._budget / (4 * index.size)) ** 0.5))
        around = Grid.around(uv, resolution=max(size, 2), margin=LATTICE_MARGIN)
        grid = Grid(around.u, around.v, self.plane)
        rows = self.family.coefficients.take(index, axis=0)
        fields = self.family.kernel.grid_field(rows, self.family.centres, grid)
        box = dict(zip(("umin", "umax", "vmin", "vmax"), grid.box, strict=True))
        lattice = {"columns": grid.u.size, "rows": grid.v.size} | box
        return {
            "kernel": {"kind": "grid"} | lattice,
            "rows": {"values": self._add(fields, "float32"), "zero": 0, "step": 1.0},
            "exact": False,
            **self._rounded(float(np.abs(fields).max())),
        }

    def _rows(self, rows: FloatArray) -> dict[str, Any]:
        """Write a table of coefficients, in 16 bits each where it is large."""
        rounded = self._rounded(float(np.linalg.norm(rows, axis=1).max()))
        zero, step = 0, 1.0
        if rows.nbytes <= TABLE_BYTES[self.detail]:
            values, rounded = self._add(rows), self._rounded(0.0)
        elif self.detail == "exact":
            values = self._add(rows, "float32")
        else:
            lowest, highest = min(float(rows.min()), 0.0), max(float(rows.max()), 0.0)
            step = (highest - lowest) / 65534 or 1.0
            zero = int(np.ceil(-lowest / step))
            values = self._add(np.rint(rows / step) + zero, "uint16")
        form = {"values": values, "zero": zero, "step": step}
        return {"rows": form, "exact": step == 1.0} | rounded

    def _path(self, rows: PathRows, index: IntArray, *, coarse: bool) -> dict[str, Any]:
        """Write the changes of a path, and the bounds that they are shares of."""
        path, changes = rows.path, path_changes(rows, index, coarse=coarse)
        moving = bool(np.any(path.upper_slope))
        numbers = "uint16" if rows.shape[1] <= 65536 else "uint32"
        form = {
            "nodes": self._add(rows.levels[index]),
            "base": self._add(path.upper_base * rows.scale),
            "slope": self._add(path.upper_slope * rows.scale) if moving else None,
            "starts": self._add(changes.starts, "uint32"),
            "toggles": self._add(changes.toggles, numbers),
            "shares": self._add(changes.shares, "uint16" if coarse else "float32"),
            "root_steps": SHARE_STEPS if coarse else 0,
        }
        return {"path": form, "exact": not coarse} | self._rounded(changes.margin)

    def _rounded(self, size: float) -> dict[str, Any]:
        """Return the family's tolerance, or the rounding of the numbers sent if that is larger.

        ``size`` is the largest root of the sum of squares of the coefficients that were rounded to
        single precision: their errors are independent.
        """
        kernel = self.family.kernel
        known = isinstance(kernel, GaussianKernel | PolynomialKernel)
        largest = float(kernel.diagonal(self.family.centres).max()) if known else 1.0
        return {
            "tolerance": max(float(self.family.tolerance), 4.0 * SINGLE * size * largest),
            "rounding": 2.0 * SINGLE if size else 0.0,
        }
