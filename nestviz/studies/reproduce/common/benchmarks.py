"""Training and test sets of the benchmark sets: standardised as a whole, then split."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.data import Dataset, make_sample, standardise, thin_class
from nestviz.studies.published import published

SLOW_SETS = ("image", "splice")
"""The two sets with a thousand training points and more, of which the sources have 20 splits."""


class Points(NamedTuple):
    """Points with their classes, −1 and +1."""

    X: FloatArray
    y: IntArray

    @property
    def positive(self) -> BoolArray:
        """Return which points are of class +1."""
        return self.y > 0


class Split(NamedTuple):
    """Training and test points of one permutation."""

    train: Points
    test: Points


@functools.cache
def training_sizes() -> dict[str, int]:
    """Return the number of training points of each benchmark set; the rest are test points."""
    return {row["dataset"]: int(row["n_train"]) for row in published("fig06_datasets")}


@functools.cache
def benchmark(name: str) -> Dataset:
    """Return a benchmark set with features of mean 0 and standard deviation 1."""
    return standardise(make_sample(f"bench-{name}"))


def fingerprint(name: str) -> str:
    """Return the fingerprint of a standardised benchmark set, for the parameters of a cell."""
    return benchmark(name).fingerprint


def split(name: str, fingerprint: str, permutation: int, keep_negative: float = 1.0) -> Split:
    """Split a benchmark set into training and test points.

    Parameters
    ----------
    name : str
        The set.
    fingerprint : str
        Its fingerprint where the study was planned; another one here is an error.
    permutation : int
        Number of the permutation, which is the seed of the split.
    keep_negative : float
        Share of the negative training points that is kept.

    Returns
    -------
    Split
        Training and test points.
    """
    data = benchmark(name)
    if data.fingerprint != fingerprint:
        raise ValueError(f"The benchmark set {name} differs from the one the study was planned on.")
    rows = np.random.default_rng(permutation).permutation(data.n)
    count = training_sizes()[name]
    train = data.take(rows[:count], f"Training points of permutation {permutation}.")
    if keep_negative < 1.0:
        kept = thin_class(train, -1, keep_negative, permutation)
        train = train.take(kept, f"{keep_negative:.0%} of the negative points were kept.")
    test = data.take(rows[count:], f"Test points of permutation {permutation}.")
    return Split(_points(train), _points(test))


def _points(data: Dataset) -> Points:
    return Points(data.X, np.asarray(data.y, dtype=np.int64))
