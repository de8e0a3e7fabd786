"""Where many points come from: parts of an array, of files, of an iterator or of a cluster.

A source is read several times, a part at a time. What is computed for a part is combined with what
was computed for the others, so the points need not fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.kernel_matrices import ONE_BLAS_THREAD

Result = TypeVar("Result")

PIECE = 2048
"""Points whose kernel values with all centres are held at once."""
PART = 1 << 15
"""Points of a part of an array."""


class Part(NamedTuple):
    """Some of the points.

    Attributes
    ----------
    X : ndarray of shape (n_points, n_features)
        The points.
    y : ndarray of shape (n_points,), optional
        Their classes.
    weights : ndarray of shape (n_points,)
        Their weights.
    number : int
        Number of parts before this one.
    """

    X: FloatArray
    y: FloatArray | None
    weights: FloatArray
    number: int = 0

    def rows(self, rows: slice | NDArray[np.int64]) -> Part:
        """Return some of the points."""
        y = None if self.y is None else self.y[rows]
        return Part(self.X[rows], y, self.weights[rows], self.number)


class Source(Protocol):
    """Points that are read a part at a time, more than once."""

    def each(self, function: Callable[..., Result], *arguments: Any) -> Iterator[Result]:
        """Yield ``function(part, *arguments)`` of every part, in the order of the parts."""

    def combined(
        self,
        function: Callable[..., Result],
        combine: Callable[[Result, Result], Result],
        *arguments: Any,
    ) -> Result:
        """Return ``function(piece, *arguments)`` of all pieces of parts, combined."""

    def close(self) -> None:
        """Release what was opened to read the points."""


class LocalSource:
    """Parts that this process reads, computed by threads.

    Parameters
    ----------
    read : callable
        Returns an iterator over the parts, anew with every call.
    n_jobs : int, optional
        Threads, as in joblib.
    """

    def __init__(self, read: Callable[[], Iterable[Part]], n_jobs: int | None = None) -> None:
        self._read = read
        self._n_jobs = n_jobs

    def each(self, function: Callable[..., Result], *arguments: Any) -> Iterator[Result]:
        """Yield ``function(part, *arguments)`` of every part, in the order of the parts."""
        from joblib import Parallel, delayed

        with ONE_BLAS_THREAD.held():
            run = Parallel(
                n_jobs=self._n_jobs,
                backend="threading",
                return_as="generator",
                pre_dispatch="n_jobs",
            )
            yield from run(delayed(function)(part, *arguments) for part in self._read())

    def combined(
        self,
        function: Callable[..., Result],
        combine: Callable[[Result, Result], Result],
        *arguments: Any,
    ) -> Result:
        """Return ``function(piece, *arguments)`` of all pieces of parts, combined."""
        return with_points(joined(combine, self.each(folded, function, combine, *arguments)))

    def close(self) -> None:
        """Release nothing: parts are read by what the caller has opened."""


def folded(
    part: Part,
    function: Callable[..., Result],
    combine: Callable[[Result, Result], Result],
    *arguments: Any,
) -> Result | None:
    """Return ``function(piece, *arguments)`` of the pieces of one part, combined; None if empty."""
    starts = range(0, len(part.X), PIECE)
    pieces = (part.rows(slice(start, start + PIECE)) for start in starts)
    return joined(combine, (function(piece, *arguments) for piece in pieces))


def joined(
    combine: Callable[[Result, Result], Result], results: Iterable[Result | None]
) -> Result | None:
    """Return results combined, one after another, but for None; None without any."""
    some = (result for result in results if result is not None)
    first = next(some, None)
    return None if first is None else reduce(combine, some, first)


def with_points(result: Result | None) -> Result:
    """Return what was computed of all points, or say that there are none."""
    if result is None:
        raise ValueError("There are no points.")
    return result


def array_source(
    X: FloatArray, y: FloatArray | None, weights: FloatArray, n_jobs: int | None = None
) -> LocalSource:
    """Return points in memory as a source.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
        Points.
    y : ndarray of shape (n_points,), optional
        Classes.
    weights : ndarray of shape (n_points,)
        Weights.
    n_jobs : int, optional
        Threads, as in joblib.

    Returns
    -------
    LocalSource
    """
    whole = Part(X, y, weights)

    def read() -> Iterator[Part]:
        for number, start in enumerate(range(0, len(X), PART)):
            yield whole.rows(slice(start, start + PART))._replace(number=number)

    return LocalSource(read, n_jobs)


def lengths(source: Source) -> list[int]:
    """Return the number of points of each part.

    Raises
    ------
    ValueError
        If parts differ in the number of features.
    """
    shapes = list(source.each(_shape))
    for number, (_, features) in enumerate(shapes):
        if features != shapes[0][1]:
            raise ValueError(
                f"Part {number} has {features} features, and part 0 has {shapes[0][1]}."
            )
    return [points for points, _ in shapes]


def _shape(part: Part) -> tuple[int, int]:
    points, features = part.X.shape
    return points, features


def sample(source: Source, lengths: Sequence[int], count: int, seed: int) -> Part:
    """Draw points without replacement from all parts together.

    Those drawn depend on the seed and on the number of all points, not on how they are divided.

    Parameters
    ----------
    source : Source
        The points.
    lengths : sequence of int
        Number of points of each part.
    count : int
        Number of points to draw, or all if there are fewer.
    seed : int
        Seed.

    Returns
    -------
    Part
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1])
    if count < total:
        drawn = np.sort(np.random.default_rng(seed).choice(total, count, replace=False))
    else:
        drawn = np.arange(total)
    cut = np.split(drawn, np.searchsorted(drawn, ends[:-1]))
    rows = [mine - end + length for mine, end, length in zip(cut, ends, lengths, strict=True)]
    taken = list(source.each(_take, rows))
    if len(taken) != len(rows):
        raise ValueError(
            f"There were {len(rows)} parts at first, and then {len(taken)}. Points are read "
            f"several times: a function has to return a new iterator with every call."
        )
    return _together(taken)


def with_all_classes(drawn: Part, source: Source, count: int) -> Part:
    """Add points of classes −1 and +1 that a sample has none of: the first ones, in order.

    Parameters
    ----------
    drawn : Part
        The sample.
    source : Source
        All points.
    count : int
        The most points to add of a class.

    Returns
    -------
    Part
    """
    for label in (-1.0, 1.0):
        if drawn.y is not None and not np.any(drawn.y == label):
            first = _together(list(source.each(_first_of, label, count)))
            drawn = _together([drawn, first.rows(slice(count))])
    return drawn


def _first_of(part: Part, label: float, count: int) -> Part:
    return part.rows(np.flatnonzero(part.y == label)[:count])


def _together(taken: Sequence[Part]) -> Part:
    labels = [part.y for part in taken if part.y is not None]
    return Part(
        np.concatenate([part.X for part in taken]),
        np.concatenate(labels) if labels else None,
        np.concatenate([part.weights for part in taken]),
    )


def _take(part: Part, rows: Sequence[NDArray[np.int64]]) -> Part:
    return part.rows(rows[part.number] if part.number < len(rows) else slice(0))


class SignedSource:
    """A source whose classes are −1 and +1.

    Parameters
    ----------
    source : Source
        The points with their labels.
    positive : object
        The label of the positive class.
    """

    def __init__(self, source: Source, positive: Any) -> None:
        self._source = source
        self._positive = positive

    def each(self, function: Callable[..., Result], *arguments: Any) -> Iterator[Result]:
        """Yield ``function(part, *arguments)`` of every part, in the order of the parts."""
        yield from self._source.each(_with_signs, self._positive, function, *arguments)

    def combined(
        self,
        function: Callable[..., Result],
        combine: Callable[[Result, Result], Result],
        *arguments: Any,
    ) -> Result:
        """Return ``function(piece, *arguments)`` of all pieces of parts, combined."""
        return self._source.combined(_with_signs, combine, self._positive, function, *arguments)

    def close(self) -> None:
        """Release what was opened to read the points."""
        self._source.close()


def _with_signs(
    part: Part, positive: Any, function: Callable[..., Result], *arguments: Any
) -> Result:
    signs = np.where(np.asarray(part.y) == positive, 1.0, -1.0)
    return function(part._replace(y=signs), *arguments)


def classes(source: Source) -> NDArray[Any]:
    """Return the labels that occur, in ascending order."""
    return np.unique(np.concatenate(list(source.each(_labels))))


def _labels(part: Part) -> NDArray[Any]:
    if part.y is None:
        raise ValueError(
            f"Part {part.number} has no classes. Two classes need y: an array, the name of a "
            f"column, or a function that yields pairs of points and classes."
        )
    labels = np.asarray(part.y)
    if labels.dtype.kind == "O":
        missing = np.array([label is None or label != label for label in labels], dtype=np.bool_)
    else:
        missing = labels != labels
    if missing.any():
        row = int(np.argmax(missing))
        raise ValueError(f"Row {row} of part {part.number} has no class.")
    return np.unique(labels)
