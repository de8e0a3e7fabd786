"""Benchmark sets, standardised, with their splits and alternatives."""

from __future__ import annotations

import hashlib
import zlib
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray, IntArray
from nestviz.data.real import benchmark
from nestviz.studies.reproduce.lee_scott_2010.protocol import SIZES

FEW_VALUES = 10
"""A column with at most so many distinct values gets a lattice of its own values."""
SEED = 2010
SPLIT, CHOOSE, TEST = range(3)
"""What random numbers are drawn for."""
LATTICE = 100
"""Added to the purpose for the values of lattices."""


class Points(NamedTuple):
    """A standardised set: points, and classes −1 and +1."""

    X: FloatArray
    y: IntArray


@lru_cache(maxsize=4)
def standardised(name: str) -> Points:
    """Return a benchmark set with zero mean and unit variance in every column."""
    points = benchmark(name)
    spread = points.X.std(axis=0)
    X = (points.X - points.X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    X.setflags(write=False)
    return Points(X, np.asarray(points.y, dtype=np.int64))


@lru_cache(maxsize=len(SIZES))
def fingerprint(name: str) -> str:
    """Return a digest of the raw rows of a set."""
    points = benchmark(name)
    digest = hashlib.sha256(np.ascontiguousarray(points.X).tobytes())
    digest.update(np.asarray(points.y, dtype=np.int8).tobytes())
    return digest.hexdigest()[:16]


def check_fingerprint(name: str, expected: str) -> None:
    """Refuse to compute a cell of other data."""
    if fingerprint(name) != expected:
        raise ValueError(
            f"The benchmark set {name} here is not the one that the study was planned for. "
            "Use the same version of nestviz everywhere."
        )


def random_numbers(name: str, permutation: int, purpose: int) -> np.random.Generator:
    """Return the random numbers of one permutation of a set."""
    return np.random.default_rng([SEED, zlib.crc32(name.encode("ascii")), permutation, purpose])


def split(name: str, permutation: int) -> tuple[IndexArray, IndexArray]:
    """Return the rows of the training and of the test points of a permutation."""
    n_train, n_test, _ = SIZES[name]
    order = random_numbers(name, permutation, SPLIT).permutation(len(standardised(name).y))
    return order[:n_train], order[n_train : n_train + n_test]


def uniform_points(name: str, permutation: int, purpose: int, count: int) -> FloatArray:
    """Return uniform points of the box of all standardised data."""
    X = standardised(name).X
    rng = random_numbers(name, permutation, purpose)
    return rng.uniform(X.min(axis=0), X.max(axis=0), size=(count, X.shape[1]))


def few_valued(name: str) -> IndexArray:
    """Return the columns with few distinct values."""
    X = standardised(name).X
    return np.array([j for j in range(X.shape[1]) if len(np.unique(X[:, j])) <= FEW_VALUES], int)


def lattice_points(name: str, permutation: int, purpose: int, count: int) -> FloatArray:
    """Return the uniform points with columns of few values drawn from these values instead."""
    points = uniform_points(name, permutation, purpose, count)
    rng = random_numbers(name, permutation, purpose + LATTICE)
    for j in few_valued(name):
        points[:, j] = rng.choice(np.unique(standardised(name).X[:, j]), size=count)
    return points
