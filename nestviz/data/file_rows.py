"""Rows of Parquet files as points: some columns, rows without gaps, in the units of a fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import BoolArray, FloatArray
from nestviz.data.scaling import Scaling
from nestviz.quantisation.reading import opened
from nestviz.quantisation.sources import Part, Source

ROWS = 1 << 16
"""Rows that are read of a file at once."""


class Batch(NamedTuple):
    """Complete rows of a file.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features)
        Their features.
    rows : ndarray of int of shape (n_rows,)
        Where they are in the file, counted from 1.
    read : int
        Number of rows that were read to find them.
    """

    X: FloatArray
    rows: NDArray[np.int64]
    read: int


@dataclass(frozen=True, eq=False)
class FileRows:
    """Rows of Parquet files; called, it yields their points in parts.

    Parameters
    ----------
    files : tuple of Path
        The files.
    features : tuple of str
        Columns of numbers.
    label : str, optional
        A column that a row must have a value in, too.
    scaling : Scaling, optional
        The change of units.
    others : tuple of str
        Columns of numbers that a row must have a value in, but that are no features.
    """

    files: tuple[Path, ...]
    features: tuple[str, ...]
    label: str | None = None
    scaling: Scaling | None = None
    others: tuple[str, ...] = ()

    def __call__(self) -> Iterator[FloatArray]:
        """Yield the points, some at a time."""
        for path in self.files:
            for batch in self.batches(path):
                yield self.in_units(batch.X)

    def scaled(self, features: tuple[str, ...], scaling: Scaling | None) -> FileRows:
        """Return the same rows with some of the features, in other units."""
        others = tuple(name for name in self.features if name not in features)
        return replace(self, features=features, scaling=scaling, others=others)

    def in_units(self, X: FloatArray) -> FloatArray:
        """Return points in the units of the fit."""
        return X if self.scaling is None else self.scaling.apply(X)

    def calls(self) -> list[Callable[[], Part]]:
        """Return one call for each group of rows, to be carried out anywhere."""
        groups = [
            (path, group) for path in self.files for group in range(opened(path).num_row_groups)
        ]
        return [
            partial(self.read_group, path, group, number)
            for number, (path, group) in enumerate(groups)
        ]

    def read_group(self, path: Path, group: int, number: int) -> Part:
        """Return the points of one group of rows."""
        file = opened(path)
        self._check_columns(file, path)
        table = file.read_row_group(group, columns=self._columns)
        before = sum(file.metadata.row_group(k).num_rows for k in range(group))
        X = self.in_units(self._complete(table, path, before).X)
        return Part(np.ascontiguousarray(X), None, np.ones(len(X)), number)

    def batches(self, path: Path) -> Iterator[Batch]:
        """Yield the complete rows of a file, some at a time."""
        file, before = opened(path), 0
        self._check_columns(file, path)
        for table in file.iter_batches(ROWS, columns=self._columns):
            batch = self._complete(table, path, before)
            before += batch.read
            yield batch

    @property
    def _columns(self) -> list[str]:
        return [*self.features, *self.others, *(() if self.label is None else (self.label,))]

    def _check_columns(self, file: Any, path: Path) -> None:
        known = set(file.schema_arrow.names)
        for name in self._columns:
            if name not in known:
                raise ValueError(f"'{path.name}' has no column '{name}', which other files have.")

    def _complete(self, table: Any, path: Path, before: int) -> Batch:
        numeric = (*self.features, *self.others)
        columns = {name: _numbers(table.column(name), name, path) for name in numeric}
        complete = np.ones(table.num_rows, dtype=np.bool_)
        for values in columns.values():
            complete &= ~np.isnan(values)
        if self.label is not None:
            complete &= _present(table.column(self.label))
        for name, values in columns.items():
            infinite = np.isinf(values)
            if infinite.any():
                row = before + int(np.argmax(infinite)) + 1
                raise ValueError(
                    f"Row {row:,} of '{path.name}' is infinite in the column '{name}'; features "
                    "are finite numbers."
                )
        X = np.column_stack([columns[name][complete] for name in self.features])
        return Batch(X, before + np.flatnonzero(complete) + 1, table.num_rows)


def _numbers(column: Any, name: str, path: Path) -> FloatArray:
    """Return a column as numbers, NaN where missing."""
    import pyarrow as pa

    try:
        values = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    except (pa.ArrowException, TypeError) as fault:
        raise ValueError(
            f"The column '{name}' of '{path.name}' has no numbers; many rows are ranked by numbers "
            "alone."
        ) from fault
    return np.asarray(values, dtype=np.float64)


def _present(column: Any) -> BoolArray:
    import pyarrow as pa
    import pyarrow.compute as compute

    missing = np.asarray(compute.is_null(column, nan_is_null=True))
    if pa.types.is_string(column.type):
        missing = missing | np.asarray(compute.equal(column, "").fill_null(True))
    return ~missing


class Ranges(NamedTuple):
    """Smallest and largest value of each feature, and the number of points."""

    low: FloatArray
    high: FloatArray
    points: int


def ranges(source: Source) -> Ranges:
    """Return the ranges of the features of all points."""
    nothing = Ranges(np.array(np.inf), np.array(-np.inf), 0)
    return reduce(_wider, source.each(_ranges_of), nothing)


def _ranges_of(part: Part) -> Ranges:
    nothing = np.full(part.X.shape[1], np.inf)
    if not len(part.X):
        return Ranges(nothing, -nothing, 0)
    return Ranges(part.X.min(axis=0), part.X.max(axis=0), len(part.X))


def _wider(first: Ranges, second: Ranges) -> Ranges:
    return Ranges(
        np.minimum(first.low, second.low),
        np.maximum(first.high, second.high),
        first.points + second.points,
    )


def scaling_of(source: Source, found: Ranges, varying: BoolArray) -> Scaling:
    """Return the scaling that `Scaling.of` finds for all points together, in two passes.

    Parameters
    ----------
    source : Source
        All points.
    found : Ranges
        Their ranges.
    varying : ndarray of bool of shape (n_features,)
        The features to scale.

    Returns
    -------
    Scaling
    """
    low, high = found.low[varying], found.high[varying]
    exponents = np.frexp(np.maximum(np.abs(low), np.abs(high)))[1]
    sums = source.combined(_scaled_sums, np.add, varying, exponents)
    centres = sums / found.points
    ends = np.abs(np.ldexp([low, high], -exponents) - centres).max(axis=0)
    finer = np.frexp(ends)[1]
    unit = Scaling(exponents, centres, finer, np.zeros_like(low), np.ones_like(low))
    first, second = source.combined(_moments, np.add, varying, unit) / found.points
    deviations = np.sqrt(np.maximum(second - first**2, 0.0))
    return replace(unit, remainders=first, deviations=deviations)


def _scaled_sums(part: Part, varying: BoolArray, exponents: NDArray[np.intp]) -> FloatArray:
    sums: FloatArray = np.ldexp(part.X[:, varying], -exponents).sum(axis=0)
    return sums


def _moments(part: Part, varying: BoolArray, unit: Scaling) -> FloatArray:
    centred = unit.apply(part.X[:, varying])
    return np.array([centred.sum(axis=0), (centred**2).sum(axis=0)])
