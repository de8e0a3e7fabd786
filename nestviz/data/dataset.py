"""`Dataset`: the frozen record every other layer works on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from nestviz.data.annotations import Annotations
from nestviz.data.cells import encodable
from nestviz.data.errors import DataError, check_unique
from nestviz.data.limits import Limits
from nestviz.renamed import renamed

# Squared distances between points must stay finite, in up to a thousand dimensions.
LARGEST_VALUE = 1e150


@dataclass(frozen=True, eq=False)
class Dataset:
    """Points, optional labels, and their provenance.

    Attributes
    ----------
    X : ndarray of shape (n_points, n_features)
        Points; float64, C order, read-only.
    y : ndarray of shape (n_points,) or None
        Labels in {-1, +1}; int8, read-only.
    feature_names : tuple of str
        One name per column of `X`.
    name : str
        Name of the data.
    provenance : tuple of str
        Sentences, in order: the source of the data and every change made to it.
    fingerprint : str
        SHA-256 of points, labels, weights and feature names: equal content, equal fingerprint.
        What is fitted depends on nothing else.
    annotations : Annotations or None
        Rows of the file, identifiers and units, which are not fitted. They are part of equality,
        and not of the fingerprint.
    weights : ndarray of shape (n_points,) or None
        Positive weights, such as the number of rows that a point stands for; read-only. None where
        every point stands for itself.

    Examples
    --------
    >>> data = Dataset([[0.0, 1.0], [2.0, 3.0]], y=[1, -1], name="pair")
    >>> data.n, data.d, data.positives
    (2, 2, 1)
    """

    X: npt.NDArray[np.float64]
    y: npt.NDArray[np.int8] | None = None
    feature_names: tuple[str, ...] = ()
    name: str = "data"
    provenance: tuple[str, ...] = ()
    annotations: Annotations | None = None
    weights: npt.NDArray[np.float64] | None = None
    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        X = _checked_points(self.X)
        names = tuple(map(encodable, self.feature_names)) or tuple(
            f"x{j + 1}" for j in range(X.shape[1])
        )
        _check_names(names, X.shape[1])
        _check_values(X, names)
        y = None if self.y is None else _checked_labels(self.y, len(X))
        weights = None if self.weights is None else _checked_weights(self.weights, len(X))
        if self.annotations is not None:
            self.annotations.check(*X.shape)
        for attribute, value in (
            ("X", X),
            ("y", y),
            ("weights", weights),
            ("feature_names", names),
            ("name", encodable(self.name)),
            ("provenance", tuple(map(encodable, self.provenance))),
            ("fingerprint", _fingerprint(X, y, names, weights)),
        ):
            object.__setattr__(self, attribute, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        digest = None if self.annotations is None else self.annotations.digest
        return self.fingerprint, self.name, self.provenance, digest

    @property
    def n(self) -> int:
        """Return the number of points."""
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        """Return the number of features."""
        return int(self.X.shape[1])

    @property
    def stands_for(self) -> float:
        """Return the sum of the weights: the number of rows that the points stand for."""
        return float(self.n if self.weights is None else self.weights.sum())

    @property
    def labelled(self) -> bool:
        """Return whether the points have labels."""
        return self.y is not None

    @property
    def positives(self) -> int:
        """Return the number of points labelled +1; 0 without labels."""
        return 0 if self.y is None else int(np.count_nonzero(self.y == 1))

    def class_points(self, sign: int) -> npt.NDArray[np.float64]:
        """Return the points of one class, -1 or +1."""
        if self.y is None:
            raise DataError("These points have no labels.", hint="Choose a label column first.")
        if sign not in (-1, 1):
            raise DataError(f"A class is -1 or +1, not {sign!r}.")
        return self.X[self.y == sign]

    def unlabelled(self) -> Dataset:
        """Return the same points without their labels."""
        if self.y is None:
            return self
        note = "The labels were set aside."
        return replace(self, y=None, provenance=(*self.provenance, note))

    def take(self, rows: npt.ArrayLike, why: str) -> Dataset:
        """Return some of the points, by row index or mask; ``why`` is added to the provenance."""
        index = np.asarray(rows)
        if index.dtype != bool:
            index = index.astype(np.intp)
        y = None if self.y is None else self.y[index]
        annotations = None if self.annotations is None else self.annotations.take(index)
        weights = None if self.weights is None else self.weights[index]
        story = (*self.provenance, why)
        return replace(
            self,
            X=self.X[index],
            y=y,
            provenance=story,
            annotations=annotations,
            weights=weights,
        )

    @property
    def own_units(self) -> npt.NDArray[np.float64]:
        """Return the points in the units of their file, before they were standardised."""
        return self.X if self.annotations is None else self.annotations.features(self.X)

    def point_name(self, point: int) -> str:
        """Return what identifies a point: its row and identifiers, or its number from 0.

        A weighted point is called by the number of rows that it stands for, unless that is one.
        """
        notes = self.annotations
        known = notes is not None and notes.rows is not None
        if self.weights is not None and not (known and self.weights[point] == 1):
            return f"{self.weights[point]:,.0f} row{'' if self.weights[point] == 1 else 's'}"
        if notes is None or notes.rows is None:
            return f"point {point}"
        row = notes.rows[point]
        return ", ".join([f"row {row}" if row > 0 else f"new point {point}", *notes.labels(point)])


def _checked_points(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    try:
        X = np.array(points, dtype=np.float64, order="C", copy=not isinstance(points, GivenAway))
    except (TypeError, ValueError, OverflowError) as fault:
        raise DataError(
            "The points are not a table of numbers.", hint="Give rows of equal length."
        ) from fault
    if X.ndim != 2:
        raise DataError(
            f"The points form a {X.ndim}-dimensional array; a table has two dimensions.",
            hint="Give one row per point and one column per feature.",
        )
    if X.shape[0] == 0:
        raise DataError("There are no points.", hint="Add at least one row.")
    if X.shape[1] == 0:
        raise DataError("There are no features.", hint="Choose at least one feature column.")
    X += 0.0  # turns -0.0 into 0.0, so that equal numbers give equal fingerprints
    X.setflags(write=False)
    return X


class GivenAway(np.ndarray):
    """An array in C order that its maker no longer uses: a `Dataset` takes it without a copy."""


def _check_names(names: tuple[str, ...], d: int) -> None:
    if len(names) != d:
        raise DataError(f"There are {len(names)} feature names for {d} features.")
    check_unique(names, "Two features have the same name.", "Rename one.")


def _check_values(X: npt.NDArray[np.float64], names: tuple[str, ...]) -> None:
    if X.min() >= -LARGEST_VALUE and X.max() <= LARGEST_VALUE:  # false for NaN
        return
    row, column = (int(k) for k in np.argwhere(~(np.abs(X) <= LARGEST_VALUE))[0])
    value = X[row, column]
    if np.isfinite(value):
        raise DataError(
            f"The value {value:.3g} of point {row + 1} is too large: distances would overflow.",
            column=names[column],
            hint="Standardise the features, or use another unit.",
        )
    raise DataError(
        f"The value of point {row + 1} is not a finite number.",
        column=names[column],
        hint="Correct the value, or leave the row out.",
    )


def _checked_labels(labels: npt.ArrayLike, n: int) -> npt.NDArray[np.int8]:
    given = np.asarray(labels)
    if given.shape != (n,):
        raise DataError(f"There are {given.size} labels for {n} points.", hint="Give one each.")
    if given.dtype.kind not in "iuf" or not np.isin(given, (-1, 1)).all():
        raise DataError(
            "A label is neither -1 nor +1.", hint="Choose which values of the label count as +1."
        )
    y = given.astype(np.int8, order="C", copy=True)
    y.setflags(write=False)
    return y


def _checked_weights(given: npt.ArrayLike, n: int) -> npt.NDArray[np.float64]:
    weights = np.array(given, dtype=np.float64)
    if weights.shape != (n,):
        raise DataError(f"There are {weights.size} weights for {n} points.", hint="Give one each.")
    if not (np.isfinite(weights).all() and weights.min() > 0):
        raise DataError(
            "A weight is not a positive number.", hint="Leave out points of weight zero."
        )
    weights.setflags(write=False)
    return weights


def _fingerprint(
    X: npt.NDArray[np.float64],
    y: npt.NDArray[np.int8] | None,
    names: tuple[str, ...],
    weights: npt.NDArray[np.float64] | None = None,
) -> str:
    digest = hashlib.sha256()
    digest.update(f"{X.shape} {'labelled' if y is not None else 'unlabelled'} ".encode())
    digest.update(repr(names).encode("utf-8", "backslashreplace"))
    digest.update(X.astype("<f8", copy=False).data)
    if y is not None:
        digest.update(y.tobytes())
    if weights is not None:
        digest.update(b"weighted")
        digest.update(weights.astype("<f8", copy=False).data)
    return digest.hexdigest()


def dataset_from_points(points: Sequence[tuple[float, float, int]]) -> Dataset:
    """Make a data set of points drawn by hand in the plane.

    Parameters
    ----------
    points : sequence of (x, y, class)
        Class is +1 or -1. Labels are kept only where both classes occur.

    Returns
    -------
    Dataset
    """
    if len(points) == 0:
        raise DataError("No points have been drawn.", hint="Draw at least one point.")
    if any(len(point) != 3 for point in points):
        raise DataError("A drawn point needs two coordinates and a class.")
    X = np.array([point[:2] for point in points], dtype=np.float64)
    classes = [point[2] for point in points]
    if any(sign not in (-1, 1) for sign in classes):
        raise DataError("The class of a drawn point is neither -1 nor +1.")
    both = len(set(classes)) == 2
    story = f"{len(points)} points drawn by hand"
    story += " in two classes." if both else ", all of one class, so without labels."
    y = np.array(classes, dtype=np.int8) if both else None
    return Dataset(X, y, ("x1", "x2"), "drawn points", (story,))


def needs_subsample(dataset: Dataset, limits: Limits | None = None) -> bool:
    """Return whether a subsample should be proposed before fitting.

    Parameters
    ----------
    dataset : Dataset
        The data.
    limits : Limits, optional
        Limits with the size above which it should.

    Returns
    -------
    bool
    """
    return dataset.n > (limits or Limits()).subsample_above


@renamed(seed="random_state")
def subsample(dataset: Dataset, n: int, random_state: int = 0) -> Dataset:
    """Draw some of the points at random, in their original order.

    Labelled points are drawn class by class, so that the share of each class is kept and no class
    is lost.

    Parameters
    ----------
    dataset : Dataset
        The data.
    n : int
        Number of points to keep; a data set with no more points is returned unchanged.
    random_state : int
        Seed of the draw.

    Returns
    -------
    Dataset
    """
    rows = subsample_rows(dataset, n, random_state)
    if len(rows) == dataset.n:
        return dataset
    story = f"{n:,} of {dataset.n:,} points were drawn at random (seed {random_state})"
    shared = ", keeping the share of each class" if _drawn_by_class(dataset, n) else ""
    return dataset.take(rows, f"{story}{shared}.")


def subsample_rows(dataset: Dataset, n: int, random_state: int = 0) -> npt.NDArray[np.intp]:
    """Return the rows that `subsample` draws, ascending."""
    if n < 1:
        raise DataError(f"A subsample of {n} points is empty.", hint="Keep at least one point.")
    if n >= dataset.n:
        return np.arange(dataset.n)
    rng = np.random.default_rng(random_state)
    if not _drawn_by_class(dataset, n):
        return np.sort(rng.choice(dataset.n, n, replace=False))
    share = round(n * dataset.positives / dataset.n)
    n_plus = min(max(share, 1), n - 1, dataset.positives)
    n_plus = max(n_plus, n - (dataset.n - dataset.positives))
    plus = rng.choice(np.flatnonzero(dataset.y == 1), n_plus, replace=False)
    minus = rng.choice(np.flatnonzero(dataset.y == -1), n - n_plus, replace=False)
    return np.sort(np.concatenate([plus, minus]))


def _drawn_by_class(dataset: Dataset, n: int) -> bool:
    return 0 < dataset.positives < dataset.n and n >= 2
