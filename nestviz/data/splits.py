"""Held-out rows, and data in which one class is rare."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nestviz.data.dataset import Dataset
from nestviz.data.errors import DataError
from nestviz.renamed import renamed

Rows = npt.NDArray[np.intp]


@renamed(seed="random_state")
def hold_out(dataset: Dataset, share: float, random_state: int = 0) -> tuple[Rows, Rows]:
    """Split the rows into training and held-out rows, class by class.

    Each class keeps at least one training point.

    Parameters
    ----------
    dataset : Dataset
        With labels or without.
    share : float
        Share of the points to hold out, in [0, 1).
    random_state : int
        Seed of the draw.

    Returns
    -------
    train, held_out : ndarray of int
        Rows in ascending order; together they are all rows.

    Examples
    --------
    >>> train, held_out = hold_out(Dataset([[0.0], [1.0], [2.0], [3.0]]), 0.5)
    >>> len(train), len(held_out)
    (2, 2)
    """
    _check("held out", share)
    if share >= 1.0:
        raise DataError("All points would be held out.", hint="Leave some for training.")
    rng = np.random.default_rng(random_state)
    aside = np.zeros(dataset.n, dtype=bool)
    for rows in _classes(dataset):
        count = min(round(share * len(rows)), len(rows) - 1)
        aside[rng.choice(rows, count, replace=False)] = True
    return np.flatnonzero(~aside), np.flatnonzero(aside)


@renamed(seed="random_state")
def thin_class(dataset: Dataset, sign: int, share: float, random_state: int = 0) -> Rows:
    """Choose the rows that remain when only a share of one class is kept.

    Parameters
    ----------
    dataset : Dataset
        With labels.
    sign : {-1, +1}
        The class whose points are dropped; at least two of them remain, if there are two.
    share : float
        Share of them that remains, in (0, 1].
    random_state : int
        Seed of the draw.

    Returns
    -------
    ndarray of int
        Rows in ascending order.
    """
    _check("to keep", share)
    rare = np.flatnonzero(_labels(dataset) == sign)
    count = min(max(round(share * len(rare)), 2), len(rare))
    stay = np.random.default_rng(random_state).choice(rare, count, replace=False)
    return np.sort(np.concatenate([np.flatnonzero(_labels(dataset) != sign), stay]))


def _classes(dataset: Dataset) -> list[Rows]:
    if dataset.y is None:
        return [np.arange(dataset.n)]
    return [np.flatnonzero(dataset.y == sign) for sign in (-1, 1) if np.any(dataset.y == sign)]


def _labels(dataset: Dataset) -> npt.NDArray[np.int8]:
    if dataset.y is None:
        raise DataError("These points have no labels.", hint="Choose a label column first.")
    return dataset.y


def _check(what: str, share: float) -> None:
    if not 0.0 <= share <= 1.0:
        raise DataError(f"The share of points {what} must be from 0 to 1, not {share!r}.")
