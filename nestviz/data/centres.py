"""Many rows as a small data set of weighted centres."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.data.dataset import Dataset
from nestviz.data.errors import DataError

if TYPE_CHECKING:
    from nestviz.quantisation.row_centres import RowCentres

COUNT = 1_000
"""Number of centres by default."""
TYPICAL = 1_000
"""Rows by which the distances of weighted data are measured."""


def weighted_centres(dataset: Dataset, n: int = COUNT, random_state: int = 0) -> Dataset:
    """Replace many points by few centres, weighted by the number of points that are nearest.

    A centre is the mean of its points. Labelled points get centres class by class. An estimator
    fitted to the centres, with ``sample_weight=data.weights``, is close to one fitted to all
    points; `Quantised` certifies how close.

    Parameters
    ----------
    dataset : Dataset
        The data, without weights.
    n : int
        Number of centres; a data set with no more points is returned unchanged.
    random_state : int
        Seed of the sample that the centres are chosen from.

    Returns
    -------
    Dataset
        The centres, with `Dataset.weights`.

    Examples
    --------
    >>> from nestviz import make_sample
    >>> few = weighted_centres(make_sample("banana", n=5000, random_state=0), 200)
    >>> few.n <= 200, few.stands_for
    (True, 5000.0)
    """
    from nestviz.quantisation.row_centres import row_centres

    if n < 1:
        raise DataError(f"{n} centres stand for nothing.", hint="Ask for at least one.")
    if dataset.weights is not None:
        raise DataError("These points have weights already.", hint="Start from all rows.")
    if n >= dataset.n:
        return dataset
    found = row_centres(dataset.X, dataset.y, n, random_state)
    assert found is not None  # nothing ends it
    return centred(dataset, found)


def centred(dataset: Dataset, found: RowCentres, X: FloatArray | None = None) -> Dataset:
    """Return the centres of a data set's rows, found before.

    Parameters
    ----------
    dataset : Dataset
        All rows.
    found : RowCentres
        The centres, in the space of these rows or of a projection of them.
    X : ndarray of shape (n_centres, n_features), optional
        Locations of the centres; by default those found.

    Returns
    -------
    Dataset
    """
    notes = dataset.annotations
    # A centre of one row is that row; others have no row of their own.
    rows = np.where(found.weights == 1, found.first, -1)
    story = f"{len(found):,} weighted centres stand for {dataset.n:,} points"
    by_class = ", each class with its own" if found.y is not None else ""
    return replace(
        dataset,
        X=found.centres if X is None else X,
        y=found.y,
        weights=found.weights,
        annotations=None if notes is None else notes.edited(rows),
        provenance=(*dataset.provenance, f"{story}{by_class}."),
    )


def typical_distance(data: Dataset) -> float:
    """Return the median distance between points; of weighted ones, between the rows behind them."""
    from nestviz.distances import squared_distances
    from nestviz.kernels import median_distance

    if data.weights is None:
        return median_distance(data.X)
    ends = np.cumsum(data.weights)
    at = np.searchsorted(ends, (np.arange(TYPICAL) + 0.5) * (ends[-1] / TYPICAL))
    # Rows of one centre count as pairs at no distance, which is below the median as theirs is.
    pairs = squared_distances(data.X[at], data.X[at])[np.triu_indices(TYPICAL, 1)]
    middle = float(np.sqrt(np.median(pairs)))
    return middle if middle > 0 else median_distance(data.X)
