"""Point sets and kernel matrices in which many points meet the margin at the same moment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from nestviz.arrays import FloatArray

WIDTHS = (0.05, 0.3, 0.7, 1.0, 2.0, 5.0, 20.0)
"""Widths of the Gaussian, in units of the smallest distance."""

LAMBDAS = (1e-3, 1e-1, 1.0, 10.0, 100.0)


def circle(n: int, radius: float = 1.0) -> FloatArray:
    angle = 2 * np.pi * np.arange(n) / n
    return radius * np.c_[np.cos(angle), np.sin(angle)]


def torus(a: int, b: int) -> FloatArray:
    """For instance hour of the day by day of the week."""
    i, j = np.divmod(np.arange(a * b), b)
    return np.c_[circle(a)[i], circle(b)[j]]


def lattice(side: int, d: int) -> FloatArray:
    return np.array(list(product(range(side), repeat=d)), dtype=np.float64)


def mirrored(n: int, seed: int) -> FloatArray:
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return np.concatenate([X, X * [-1, 1], X * [1, -1], -X])


def blocks(n: int, copies: int, seed: int) -> FloatArray:
    """The same cloud again and again, far apart."""
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return np.concatenate([X + np.array([50.0 * k, 0.0]) for k in range(copies)])


def one_hot(*levels: int) -> FloatArray:
    rows = np.array(list(product(*map(range, levels))))
    return np.concatenate([np.eye(n)[rows[:, k]] for k, n in enumerate(levels)], axis=1)


def point_sets() -> dict[str, FloatArray]:
    sets = {f"circle {n}": circle(n) for n in (3, 4, 5, 6, 7, 8, 12, 24, 36, 60, 100, 168, 360)}
    sets |= {f"torus {a}x{b}": torus(a, b) for a, b in ((24, 7), (6, 5), (4, 4), (12, 7))}
    sets |= {f"{n}-gon and centre": np.r_[circle(n), [[0, 0]]] for n in (5, 6, 12, 24)}
    sets["rings"] = np.r_[circle(12), circle(12, 2), circle(24, 3), [[0, 0]]]
    sizes = ((5, 2), (8, 2), (12, 2), (3, 3), (5, 3), (2, 4), (3, 4))
    sets |= {f"lattice {k}^{d}": lattice(k, d) for k, d in sizes}
    sets |= {"mirrored 40": mirrored(10, 0), "mirrored 100": mirrored(25, 1)}
    sets |= {"blocks 40": blocks(8, 5, 0), "blocks 80": blocks(20, 4, 1)}
    sets |= {"one-hot 60": one_hot(3, 4, 5), "one-hot 64": one_hot(2, 2, 2, 2, 2, 2)}
    sets |= {"circle thrice": np.repeat(circle(12), 3, 0)}
    sets |= {"lattice thrice": np.tile(lattice(4, 2), (3, 1))}
    return sets


def gaussian(X: FloatArray, width: float) -> FloatArray:
    """The Gaussian kernel with a width in units of the smallest distance."""
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    return np.exp(-squares / (2 * width**2 * squares[squares > 1e-20].min()))


def kernels() -> Iterator[tuple[str, FloatArray]]:
    """Gaussians, linear and quadratic kernels, and matrices given as such."""
    for name, X in point_sets().items():
        for width in WIDTHS:
            yield f"{name}, width {width}", gaussian(X, width)
        if name.startswith(("circle", "lattice", "one-hot")):
            Z = X / np.abs(X).max()
            yield f"{name}, linear", Z @ Z.T
            yield f"{name}, affine", Z @ Z.T + 1
            yield f"{name}, quadratic", (Z @ Z.T + 1) ** 2
    yield from _given()


def _given() -> Iterator[tuple[str, FloatArray]]:
    for n in (2, 3, 10, 40, 100):
        for a, b in ((1, 0), (0, 1), (1, 0.5), (1e-8, 1), (1, 1e-8), (1, -1 / n)):
            yield f"{a:g} I + {b:g}, {n} points", a * np.eye(n) + b * np.ones((n, n))
    ones = np.kron(np.eye(6), np.ones((7, 7)))
    yield "blocks of ones", ones
    yield "blocks of ones that overlap", ones + 0.2
    yield "blocks of ones and a diagonal", ones + 0.2 + np.eye(42)
    yield "a circle of blocks", np.kron(gaussian(circle(6), 1.0), np.ones((4, 4)))
    for seed in range(4):
        F = np.random.default_rng(seed).normal(size=(50, 3))
        whole = np.random.default_rng(seed).integers(0, 3, size=(60, 4)).astype(np.float64)
        for kind, features in (("any", F), ("positive", np.abs(F)), ("whole", whole)):
            yield f"rank {features.shape[1]}, {kind} {seed}", features @ features.T


def weightings(N: int) -> dict[str, FloatArray]:
    """Weights with a mean of one."""
    i = np.arange(N)
    found = {
        "uniform": np.ones(N),
        "alternating": 1.0 + i % 2,
        "random": np.random.default_rng(N).uniform(0.1, 3.0, N),
        "some tiny": np.where(i < N // 3, 1e-3, 1.0),
    }
    return {name: w * N / w.sum() for name, w in found.items()}


def labellings(N: int) -> dict[str, FloatArray]:
    i = np.arange(N)
    return {
        "alternating": np.where(i % 2, 1.0, -1.0),
        "in two halves": np.where(i < N // 2, 1.0, -1.0),
        "mirrored": np.where(np.minimum(i, N - 1 - i) % 3 == 0, 1.0, -1.0),
    }
