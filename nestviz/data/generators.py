"""Synthetic samples in the plane. Each takes a random generator and checked options."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nestviz.arrays import FloatArray

MULTI_MEANS = ((-1.5, -1.25), (1.75, -0.75), (-0.25, 2.0))
MULTI_WEIGHTS = (0.5, 0.3, 0.2)


class Points(NamedTuple):
    """Points of a sample.

    `y` is None for an unlabelled sample; empty `feature_names` stand for x1, x2, ...; `notes` are
    sentences for the provenance.
    """

    X: FloatArray
    y: npt.NDArray[np.int8] | None = None
    feature_names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def _labels(n_plus: int, n_minus: int) -> npt.NDArray[np.int8]:
    return np.repeat(np.array([1, -1], dtype=np.int8), [n_plus, n_minus])


def _arc(centre: tuple[float, float], radius: float, angles: FloatArray) -> FloatArray:
    return np.array(centre) + radius * np.column_stack([np.cos(angles), np.sin(angles)])


def mixture(rng: np.random.Generator, n: int) -> Points:
    """Return two classes, each a mixture of ten narrow Gaussians around random centres."""
    parts = [points for _, points in mixture_draws(rng, n)]
    return Points(np.concatenate(parts), _labels(*map(len, parts)))


def mixture_draws(rng: np.random.Generator, n: int) -> list[tuple[FloatArray, FloatArray]]:
    """Return the centres and the points of each class of the mixture."""
    draws = []
    for mean, size in (((1.0, 0.0), n // 2), ((0.0, 1.0), n - n // 2)):
        centres = rng.normal(mean, 1.0, (10, 2))
        chosen = centres[rng.integers(10, size=size)]
        draws.append((centres, rng.normal(chosen, np.sqrt(0.2))))
    return draws


def multi(rng: np.random.Generator, n: int, spread: float) -> Points:
    """Return three Gaussians with weights 0.5, 0.3 and 0.2.

    At 200 points and the default spread, five-fold integrated volume of one-class sets is
    least for a Gaussian kernel of width about 1.
    """
    component = rng.choice(3, size=n, p=MULTI_WEIGHTS)
    return Points(rng.normal(np.array(MULTI_MEANS)[component], spread))


def ring(rng: np.random.Generator, n: int, offset: float, scale: float) -> Points:
    """Return a ring: Rayleigh radius plus an offset, uniform angle."""
    radius = offset + rng.rayleigh(scale, n)
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    return Points(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))


def banana(rng: np.random.Generator, n: int, noise: float) -> Points:
    """Return two bent classes, each curving around the end of the other."""
    n_plus = n // 2
    upper = _arc((-0.3, -0.6), 1.5, rng.uniform(0.1 * np.pi, 1.2 * np.pi, n_plus))
    lower = _arc((0.3, 0.6), 1.5, rng.uniform(1.1 * np.pi, 2.2 * np.pi, n - n_plus))
    X = np.concatenate([upper, lower])
    return Points(rng.normal(X, noise), _labels(n_plus, n - n_plus))


def blobs(rng: np.random.Generator, n: int, separation: float) -> Points:
    """Return two round Gaussians of equal size."""
    n_plus = n // 2
    y = _labels(n_plus, n - n_plus)
    centres = np.column_stack([0.5 * separation * y, np.zeros(n)])
    return Points(rng.normal(centres, 1.0), y)


def moons(rng: np.random.Generator, n: int, noise: float) -> Points:
    """Return two interleaved half circles."""
    n_plus = n // 2
    upper = _arc((0.0, 0.0), 1.0, rng.uniform(0.0, np.pi, n_plus))
    lower = _arc((1.0, 0.5), 1.0, rng.uniform(np.pi, 2.0 * np.pi, n - n_plus))
    X = np.concatenate([upper, lower])
    return Points(rng.normal(X, noise), _labels(n_plus, n - n_plus))


def circles(rng: np.random.Generator, n: int, noise: float, ratio: float) -> Points:
    """Return a small circle inside a large one."""
    n_plus = n // 2
    inner = _arc((0.0, 0.0), ratio, rng.uniform(0.0, 2.0 * np.pi, n_plus))
    outer = _arc((0.0, 0.0), 1.0, rng.uniform(0.0, 2.0 * np.pi, n - n_plus))
    X = np.concatenate([inner, outer])
    return Points(rng.normal(X, noise), _labels(n_plus, n - n_plus))


def cross(rng: np.random.Generator, n: int, angle: float, width: float) -> Points:
    """Return two long thin Gaussians that cross at an angle given in degrees."""
    n_plus = n // 2
    arms = []
    for size, turn in ((n_plus, 0.0), (n - n_plus, np.deg2rad(angle))):
        along = rng.normal(0.0, 2.0, size)
        across = rng.normal(0.0, width, size)
        direction = np.array([np.cos(turn), np.sin(turn)])
        normal = np.array([-np.sin(turn), np.cos(turn)])
        arms.append(along[:, None] * direction + across[:, None] * normal)
    return Points(np.concatenate(arms), _labels(n_plus, n - n_plus))


def outliers(rng: np.random.Generator, n: int, fraction: float) -> Points:
    """Return two clusters (+1) over a uniform background of outliers (-1)."""
    n_out = min(max(round(fraction * n), 1), n - 1)
    n_in = n - n_out
    first = rng.random(n_in) < 0.6
    centres = np.where(first[:, None], [-1.5, -1.0], [2.0, 1.5])
    inliers = rng.normal(centres, np.where(first, 0.7, 0.5)[:, None])
    background = rng.uniform(-6.0, 6.0, (n_out, 2))
    return Points(np.concatenate([inliers, background]), _labels(n_in, n_out))


def bridge(rng: np.random.Generator, n: int, fraction: float) -> Points:
    """Return a dense and a sparse cluster joined by a thin bridge of points."""
    n_bridge = min(round(fraction * n), n - 2)
    n_dense = (2 * (n - n_bridge)) // 3
    n_sparse = n - n_bridge - n_dense
    dense = rng.normal([-3.0, 0.0], 0.5, (n_dense, 2))
    sparse = rng.normal([3.0, 0.0], 1.2, (n_sparse, 2))
    joint = np.column_stack([rng.uniform(-2.0, 2.0, n_bridge), rng.normal(0.0, 0.15, n_bridge)])
    return Points(np.concatenate([dense, sparse, joint]))


def imbalanced(rng: np.random.Generator, n: int, ratio: float, separation: float) -> Points:
    """Return two overlapping Gaussians with `ratio` points of class -1 for each of class +1."""
    n_plus = min(max(round(n / (1.0 + ratio)), 1), n - 1)
    plus = rng.normal([separation, 0.0], 0.8, (n_plus, 2))
    minus = rng.normal([0.0, 0.0], 1.2, (n - n_plus, 2))
    return Points(np.concatenate([plus, minus]), _labels(n_plus, n - n_plus))
