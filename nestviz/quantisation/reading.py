"""Open points of any kind as a source: Dask collections, Parquet files, iterators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.extras import require
from nestviz.quantisation.cluster import ClusterSource, delayed_calls
from nestviz.quantisation.sources import LocalSource, Part, Source

ROWS = 1 << 16
"""Rows that are read of a file at once."""


def open_source(
    X: Any,
    y: Any = None,
    *,
    features: Sequence[Any] | None = None,
    n_jobs: int | None = None,
    scheduler: str | None = None,
) -> Source:
    """Open points that are not an array.

    Parameters
    ----------
    X : Dask collection, path, list of paths, or callable
        As in `nestviz.Quantised.fit`. A callable with a method ``calls``, which returns functions
        that return one part each, can be read by a scheduler, too.
    y : Dask array or str, optional
        Classes, or the name of their column.
    features : sequence, optional
        Names of the columns to read of files and data frames; by default all but the classes.
    n_jobs : int, optional
        Threads that compute in this process, as in joblib.
    scheduler : str, optional
        Address of a Dask scheduler for files.

    Returns
    -------
    Source

    Raises
    ------
    ValueError
        If there are no points, or they are not numbers.
    """
    if is_frame(X):
        return ClusterSource(delayed_frames(X, features or column_names(X, y), y))
    if hasattr(X, "__dask_graph__"):
        return ClusterSource(list(_dask_parts(X, y)))
    if scheduler is not None and hasattr(X, "calls"):
        return ClusterSource(delayed_calls(X.calls()), scheduler)
    if callable(X):
        return LocalSource(lambda: _given_parts(X), n_jobs)
    files = parquet_files(X)
    columns = Columns(tuple(features or column_names(X, y)), y, exact=features is None)
    if scheduler is not None:
        groups = [(path, group) for path in files for group in range(opened(path).num_row_groups)]
        calls = [
            partial(columns.read_group, path, group, number)
            for number, (path, group) in enumerate(groups)
        ]
        return ClusterSource(delayed_calls(calls), scheduler)
    return LocalSource(lambda: columns.parts(files), n_jobs)


def column_names(X: Any, y: Any = None) -> list[Any]:
    """Return the names of the features of files or a data frame; none for other points.

    Parameters
    ----------
    X : Dask collection, path, list of paths, or callable
        As in `open_source`.
    y : str, optional
        The name of the column of the classes.

    Returns
    -------
    list
        Columns in the order of the frame, or of the first file.
    """
    if is_frame(X):
        known = list(X.columns)
    elif hasattr(X, "__dask_graph__") or callable(X):
        return []
    else:
        # pandas keeps the index of a table as a column, which is no feature.
        names = opened(parquet_files(X)[0]).schema_arrow.names
        known = [name for name in names if not name.startswith("__index_level_")]
    if y is not None and not np.isscalar(y):
        raise ValueError("For files and data frames, y is the name of the column of the classes.")
    if y is not None and y not in known:
        raise ValueError(f"There is no column {y!r} for the classes.")
    return [name for name in known if name != y]


def is_array(X: Any) -> bool:
    """Return whether points are an array, or what NumPy makes one of."""
    if hasattr(X, "__next__"):
        raise ValueError(
            "Points are read several times, and an iterator only once. Give a function that "
            "returns a new iterator with every call."
        )
    if hasattr(X, "__dask_graph__") or callable(X) or isinstance(X, (str, Path)):
        return False
    named = isinstance(X, (list, tuple)) and X and isinstance(X[0], (str, Path))
    return not named


def parquet_files(paths: Any) -> list[Path]:
    """Return the Parquet files named by a path, a folder or a list of them, in order.

    Parameters
    ----------
    paths : str, Path or sequence of them
        Files and folders.

    Returns
    -------
    list of Path
        Absolute paths, so that workers elsewhere find them too.
    """
    named = [paths] if isinstance(paths, (str, Path)) else list(paths)
    found: list[Path] = []
    for path in (Path(name).absolute() for name in named):
        found += sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    missing = [path.name for path in found if not path.is_file()]
    if missing or not found:
        raise ValueError(
            f"There is no file {missing[0]!r}." if missing else "There are no Parquet files there."
        )
    return found


def opened(path: Path) -> Any:
    """Open a Parquet file; say what is wrong with another one."""
    require("pyarrow", "io", "Parquet files")
    import pyarrow as pa
    import pyarrow.parquet as parquet

    try:
        return parquet.ParquetFile(path)
    except pa.ArrowException as fault:
        raise ValueError(f"'{path.name}' is no Parquet file, or is damaged.") from fault


@dataclass(frozen=True)
class Columns:
    """The columns of Parquet files that are read.

    Parameters
    ----------
    features : tuple of str
        Features.
    label : str, optional
        Classes.
    exact : bool
        Whether files must not have other columns.
    """

    features: tuple[str, ...]
    label: str | None = None
    exact: bool = True

    @property
    def all(self) -> list[str]:
        """All columns."""
        return [*self.features, *(() if self.label is None else (self.label,))]

    def parts(self, files: Sequence[Path]) -> Iterator[Part]:
        """Yield the rows of files, some at a time."""
        number = 0
        for path in files:
            for batch in self._checked(path).iter_batches(ROWS, columns=self.all):
                yield self._part(batch, number)
                number += 1

    def read_group(self, path: Path, group: int, number: int) -> Part:
        """Return one group of rows."""
        return self._part(self._checked(path).read_row_group(group, columns=self.all), number)

    def _checked(self, path: Path) -> Any:
        file = opened(path)
        names = file.schema_arrow.names
        missing = [name for name in self.all if name not in names]
        if missing:
            raise ValueError(f"'{path.name}' has no column {missing[0]!r}, which other files have.")
        more = [name for name in names if name not in self.all and name[:14] != "__index_level_"]
        if self.exact and more:
            raise ValueError(f"'{path.name}' has a column {more[0]!r}, which other files have not.")
        return file

    def _part(self, table: Any, number: int) -> Part:
        columns = {name: np.asarray(table.column(name)) for name in self.features}
        y = None if self.label is None else np.asarray(table.column(self.label))
        return checked_part(_stacked(columns), y, number)


def _stacked(columns: Mapping[Any, NDArray[Any]]) -> FloatArray:
    """Return columns of numbers as a table; say which one has something else."""
    found = []
    for name, column in columns.items():
        words = column.dtype.kind == "O" and any(isinstance(value, str) for value in column)
        if words or column.dtype.kind not in "biufO":
            raise ValueError(
                f"All columns but that of the classes must be numbers, and {name!r} is not."
            )
        found.append(_numbers(column, f"The column {name!r}"))
    if not found:
        raise ValueError("There are no columns of features.")
    return np.stack(found, axis=1)


def _numbers(values: Any, what: str) -> FloatArray:
    try:
        return np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} has values that are not numbers ({error}).") from None


def _given_parts(function: Callable[[], Iterable[Any]]) -> Iterator[Part]:
    for number, given in enumerate(function()):
        X, y = given if isinstance(given, tuple) else (given, None)
        yield checked_part(X, y, number)


def checked_part(X: Any, y: Any, number: int) -> Part:
    """Return a part of finite points; say what is wrong with others.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
        Points.
    y : ndarray of shape (n_points,), optional
        Classes.
    number : int
        Number of parts before this one.

    Returns
    -------
    Part
    """
    points = _numbers(X, f"Part {number}")
    if points.ndim != 2:
        raise ValueError(f"Part {number} has {points.ndim} dimensions; points have two.")
    if not np.all(np.isfinite(points)):
        row = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise ValueError(f"Row {row} of part {number} has a value that is not a finite number.")
    labels = None if y is None else np.asarray(y)
    if labels is not None and len(labels) != len(points):
        raise ValueError(f"Part {number} has {len(points)} points and {len(labels)} classes.")
    return Part(points, labels, np.ones(len(points)), number)


def is_frame(X: Any) -> bool:
    """Return whether points are a Dask data frame."""
    return hasattr(X, "__dask_graph__") and hasattr(X, "columns")


def _dask_parts(X: Any, y: Any) -> Iterator[Any]:
    from dask import delayed

    if X.ndim != 2:
        raise ValueError(f"An array of points has two dimensions, not {X.ndim}.")
    if y is not None and not hasattr(y, "to_delayed"):
        raise ValueError("The classes of a Dask array of points must be a Dask array, too.")
    make = delayed(checked_part, pure=False)
    chunks = X.rechunk({1: -1}).to_delayed().ravel()
    labels = [None] * len(chunks) if y is None else list(y.to_delayed().ravel())
    if len(labels) != len(chunks):
        raise ValueError("The chunks of X and y differ; rechunk them alike.")
    for number, (chunk, label) in enumerate(zip(chunks, labels, strict=True)):
        yield make(chunk, label, number)


def delayed_frames(X: Any, features: Sequence[Any], label: Any) -> list[Any]:
    """Return the parts of a Dask data frame: some of its columns."""
    from dask import delayed

    missing = [name for name in features if name not in X.columns]
    if missing:
        raise ValueError(f"The data frame has no column {missing[0]!r}.")
    make = delayed(_part_of_frame, pure=False)
    parts = X.to_delayed()
    return [make(frame, list(features), label, number) for number, frame in enumerate(parts)]


def _part_of_frame(frame: Any, features: Sequence[Any], label: Any, number: int) -> Part:
    columns = {name: frame[name].to_numpy() for name in features}
    return checked_part(_stacked(columns), None if label is None else frame[label], number)
