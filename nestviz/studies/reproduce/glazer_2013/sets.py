"""Fifteen sets of one class: the most frequent label of each, with 100 training points."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.data import Dataset, make_sample
from nestviz.data.scaling import constant_columns, standard_scores

TRAINING = 100
BENCHMARKS = (
    "banana", "breast-cancer", "diabetes", "flare-solar", "german", "heart", "image", "ringnorm",
    "splice", "thyroid", "titanic", "twonorm", "waveform",
)  # fmt: skip
SETS = (*BENCHMARKS, "breast-cancer-wisconsin", "digits")
"""Of the bundled sets those whose most frequent label has 150 points or more."""
SCALINGS = ("[0, 1]", "standardised")


class Parts(NamedTuple):
    """Training and test points of one draw."""

    train: FloatArray
    test: FloatArray


@functools.cache
def frequent_class(name: str, scaling: str) -> Dataset:
    """Return the points of the most frequent label, scaled by their own range or spread."""
    if name == "digits":
        from sklearn.datasets import load_digits

        bunch = load_digits()
        X, labels = bunch.data, bunch.target
    else:
        data = make_sample(f"bench-{name}" if name in BENCHMARKS else name)
        X, labels = data.X, np.asarray(data.y)
    values, counts = np.unique(labels, return_counts=True)
    own = X[labels == values[counts.argmax()]]
    own = own[:, ~constant_columns(own)]
    if scaling == "standardised":
        return Dataset(standard_scores(own))
    low, high = own.min(axis=0), own.max(axis=0)
    return Dataset((own - low) / (high - low))


def draw(name: str, scaling: str, fingerprint: str, seed: int) -> Parts:
    """Return 100 points at random for training; the others are test points."""
    data = frequent_class(name, scaling)
    if data.fingerprint != fingerprint:
        raise ValueError(f"The set {name} differs from the one the study was planned on.")
    rows = np.random.default_rng(seed).permutation(data.n)
    return Parts(data.X[rows[:TRAINING]], data.X[rows[TRAINING:]])
