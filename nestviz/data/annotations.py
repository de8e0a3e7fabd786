"""`Annotations`: what is known of the points and not fitted, to find them in their file again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from nestviz.arrays import FloatArray
from nestviz.data.cells import encodable, number_text
from nestviz.data.errors import DataError
from nestviz.data.large import PIECE, distinct

MOST_BYTES = 24_000_000
"""Memory that annotations of one data set may take; row numbers come first."""
TEXT_BYTES = 60
"""Memory of a text besides its characters."""
NO_ROW = -1
"""The row of a point that is not in the file."""
KEPT = 1e-11
"""Share of a standard deviation that is not lost in a change of units and back."""
MOST_DIGITS = 20
"""Numbers that would have more digits on either side of the point are not rounded."""

Cells = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Annotations:
    """Rows, columns that are no features, and features in the units of the file.

    Attributes
    ----------
    rows : ndarray of int of shape (n_points,) or None
        Row of the file, counted from 1 with its row of names, of each point; -1 for a point that
        was added since. None for points that come from no file.
    ids : tuple of str
        Columns that identify points, such as numbers, names and dates.
    columns : dict of str to ndarray
        Columns of the file that are not fitted as they are, the identifying ones first: float64
        with NaN where a cell is empty, or text with "".
    own : ndarray of shape (n_points, n_features) or None
        Features in the units of the file, to their last digit; None where the points are in these
        units, or where they would take too much memory.
    units : ndarray of shape (2, n_features) or None
        Mean and standard deviation of standardised features, in the units of the file.
    digest : str
        SHA-256 of all of it.
    """

    rows: npt.NDArray[np.int64] | None = None
    ids: tuple[str, ...] = ()
    columns: dict[str, Cells] = field(default_factory=dict)
    own: FloatArray | None = None
    units: FloatArray | None = None

    def __post_init__(self) -> None:
        columns = {encodable(name): values for name, values in self.columns.items()}
        ids = tuple(map(encodable, self.ids))
        per_point = [*columns.values(), *(a for a in (self.rows, self.own) if a is not None)]
        if len({len(values) for values in per_point}) > 1:
            raise DataError("The annotations do not have one value for each point.")
        if not set(ids) <= set(columns):
            raise DataError("A column that identifies points is missing.")
        for array in (*per_point, *(() if self.units is None else (self.units,))):
            array.setflags(write=False)
        for attribute, value in (("ids", ids), ("columns", columns)):
            object.__setattr__(self, attribute, value)

    def check(self, n: int, d: int) -> None:
        """Raise unless these are annotations of n points with d features."""
        for name, values in (("rows", self.rows), ("features", self.own), *self.columns.items()):
            if values is not None and len(values) != n:
                raise DataError(f"There are {len(values)} annotations “{name}” for {n} points.")
        for values in (self.own, self.units):
            if values is not None and values.shape[1] != d:
                raise DataError(f"{values.shape[1]} features are annotated, of {d}.")

    @cached_property
    def digest(self) -> str:
        """Return a hash of the content."""
        digest = hashlib.sha256(repr((self.ids, list(self.columns))).encode(errors="replace"))
        for values in (self.rows, self.own, self.units, *self.columns.values()):
            if values is None:
                digest.update(b"none")
            elif values.dtype == object:
                for start in range(0, len(values), PIECE):
                    part = values[start : start + PIECE].tolist()
                    digest.update(repr(part).encode(errors="backslashreplace"))
            else:
                little = values.astype(values.dtype.newbyteorder("<"), copy=False)
                digest.update(np.ascontiguousarray(little).data)
        return digest.hexdigest()

    @property
    def size(self) -> int:
        """Return the memory of the content, in bytes."""
        arrays = (a for a in (self.rows, self.own, *self.columns.values()) if a is not None)
        return sum(map(cells_size, arrays))

    def take(self, index: npt.NDArray[Any]) -> Annotations:
        """Return the annotations of some points, by row index or mask."""
        columns = {name: values[index] for name, values in self.columns.items()}
        rows, own = (None if a is None else a[index] for a in (self.rows, self.own))
        return Annotations(rows, self.ids, columns, own, self.units)

    def with_own(self, own: FloatArray | None, units: FloatArray) -> Annotations:
        """Return the same for points that were standardised; what is known of their units stays.

        ``own`` are the features before that, unless they take too much memory.
        """
        if self.units is not None:
            return self
        fits = own is not None and own.nbytes + self.size <= MOST_BYTES
        return Annotations(self.rows, self.ids, self.columns, own if fits else None, units)

    def keep_features(self, kept: npt.NDArray[np.bool_]) -> Annotations:
        """Return the same with some of the features."""
        own, units = (None if a is None else a[:, kept] for a in (self.own, self.units))
        return Annotations(self.rows, self.ids, self.columns, own, units)

    def without_features(self) -> Annotations:
        """Return the same for other features, such as those of a projection."""
        return Annotations(self.rows, self.ids, self.columns)

    def edited(self, origins: npt.NDArray[np.intp]) -> Annotations:
        """Return the annotations of points that were edited; ``origins`` is -1 for a new one."""
        new = origins < 0
        found = self.take(np.where(new, 0, origins)).without_features()
        columns = {}
        for name, values in found.columns.items():
            columns[name] = values.copy()
            columns[name][new] = "" if values.dtype == object else np.nan
        rows = None if found.rows is None else np.where(new, NO_ROW, found.rows)
        return Annotations(rows, self.ids, columns, None, self.units)

    def features(self, X: FloatArray) -> FloatArray:
        """Return the points X, which are annotated here, in the units of the file."""
        if self.own is not None:
            return self.own
        return X if self.units is None else _in_units(X, self.units)

    def cell(self, name: str, point: int) -> str:
        """Return a cell as text; "" where it is empty."""
        value = self.columns[name][point]
        if isinstance(value, str):
            return value
        return "" if np.isnan(value) else number_text(float(value))

    def labels(self, point: int) -> list[str]:
        """Return what identifies a point, without empty cells."""
        return [text for name in self.ids if (text := self.cell(name, point))]


def _in_units(X: FloatArray, units: FloatArray) -> FloatArray:
    """Return standardised features in other units, rounded to the digits that are not lost.

    A number of a file comes back as it was written, such as 0.49 instead of 0.48999999999999055.
    """
    means, deviations = units
    found: FloatArray = X * deviations + means
    with np.errstate(divide="ignore"):
        lost = np.log10(np.maximum(KEPT * deviations, 1e-15 * np.abs(means)))
    for j in np.flatnonzero(np.abs(lost) < MOST_DIGITS):
        found[..., j] = np.round(found[..., j], int(-np.ceil(lost[j])))
    return found


def cells_size(values: Cells) -> int:
    """Return the memory of a column in bytes, each different text once."""
    if values.dtype != object:
        return values.nbytes
    return values.nbytes + sum(TEXT_BYTES + len(text) for text in distinct(values))


def within(
    limit: int, columns: Iterable[tuple[str, Cells]], index: npt.NDArray[np.intp] | None
) -> tuple[dict[str, Cells], list[str]]:
    """Return the columns that fit into a number of bytes, and the names of the others.

    ``index`` are the records that are points; None for all of them.
    """
    kept: dict[str, Cells] = {}
    left_out: list[str] = []
    for name, values in columns:
        cells = values if index is None else values[index]
        size = cells_size(cells)
        if size > limit:
            left_out.append(name)
            continue
        limit -= size
        kept[name] = cells
    return kept, left_out
