"""Open points of any kind as a source: Dask collections, Parquet files, iterators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.extras import require
from nestviz.quantisation.cluster import ClusterSource, delayed_calls
from nestviz.quantisation.sources import LocalSource, Part, Source

ROWS = 1 << 16
"""Rows that are read of a file at once."""


def open_source(
    X: Any, y: Any = None, *, n_jobs: int | None = None, scheduler: str | None = None
) -> Source:
    """Open points that are not an array.

    Parameters
    ----------
    X : Dask collection, path, list of paths, or callable
        As in `nestviz.Quantised.fit`. A callable with a method ``calls``, which returns functions
        that return one part each, can be read by a scheduler, too.
    y : Dask array or str, optional
        Classes, or the name of their column.
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
    if hasattr(X, "__dask_graph__"):
        return ClusterSource(list(_dask_parts(X, y)))
    if scheduler is not None and hasattr(X, "calls"):
        return ClusterSource(delayed_calls(X.calls()), scheduler)
    if callable(X):
        return LocalSource(lambda: _given_parts(X), n_jobs)
    files = parquet_files(X)
    label = None if y is None else str(y)
    if scheduler is not None:
        groups = [(path, group) for path in files for group in range(_row_groups(path))]
        calls = [
            partial(_read_group, path, group, label, number)
            for number, (path, group) in enumerate(groups)
        ]
        return ClusterSource(delayed_calls(calls), scheduler)
    return LocalSource(lambda: _file_parts(files, label), n_jobs)


def is_array(X: Any) -> bool:
    """Return whether points are an array, or what NumPy makes one of."""
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


def _row_groups(path: Path) -> int:
    require("pyarrow", "io", "Parquet files")
    import pyarrow.parquet as parquet

    return int(parquet.ParquetFile(path).num_row_groups)


def _read_group(path: Path, group: int, label: str | None, number: int) -> Part:
    import pyarrow.parquet as parquet

    table = parquet.ParquetFile(path).read_row_group(group)
    return _part_of_table(table, label, number)


def _file_parts(files: Sequence[Path], label: str | None) -> Iterator[Part]:
    require("pyarrow", "io", "Parquet files")
    import pyarrow.parquet as parquet

    number = 0
    for path in files:
        for batch in parquet.ParquetFile(path).iter_batches(ROWS):
            yield _part_of_table(batch, label, number)
            number += 1


def _part_of_table(table: Any, label: str | None, number: int) -> Part:
    names = table.schema.names
    if label is not None and label not in names:
        raise ValueError(f"There is no column {label!r} for the classes.")
    features = [name for name in names if name != label]
    columns = [np.asarray(table.column(name)) for name in features]
    y = None if label is None else np.asarray(table.column(label))
    return checked_part(_stacked(columns), y, number)


def _stacked(columns: Sequence[Any]) -> FloatArray:
    try:
        return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"All columns but that of the classes must be numbers ({error})."
        ) from None


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
    points = np.ascontiguousarray(X, dtype=np.float64)
    if points.ndim != 2:
        raise ValueError(f"Part {number} has {points.ndim} dimensions; points have two.")
    if not np.all(np.isfinite(points)):
        row = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise ValueError(f"Row {row} of part {number} has a value that is not a finite number.")
    labels = None if y is None else np.asarray(y)
    if labels is not None and len(labels) != len(points):
        raise ValueError(f"Part {number} has {len(points)} points and {len(labels)} classes.")
    return Part(points, labels, np.ones(len(points)), number)


def _dask_parts(X: Any, y: Any) -> Iterator[Any]:
    from dask import delayed

    make = delayed(checked_part, pure=False)
    if hasattr(X, "to_dask_array") or hasattr(X, "columns"):
        for number, frame in enumerate(X.to_delayed()):
            yield delayed(_part_of_frame, pure=False)(frame, y, number)
        return
    chunks = X.rechunk({1: -1}).to_delayed().ravel()
    labels = [None] * len(chunks) if y is None else list(y.to_delayed().ravel())
    if len(labels) != len(chunks):
        raise ValueError("The chunks of X and y differ; rechunk them alike.")
    for number, (chunk, label) in enumerate(zip(chunks, labels, strict=True)):
        yield make(chunk, label, number)


def _part_of_frame(frame: Any, label: str | None, number: int) -> Part:
    if label is not None and label not in frame.columns:
        raise ValueError(f"There is no column {label!r} for the classes.")
    features = [name for name in frame.columns if name != label]
    y = None if label is None else frame[label].to_numpy()
    return checked_part(_stacked([frame[name].to_numpy() for name in features]), y, number)
