"""The densities that some samples are drawn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.data.catalogue import SAMPLES
from nestviz.data.generators import MULTI_MEANS, MULTI_WEIGHTS, mixture_draws

Density = Callable[[FloatArray], FloatArray]


def sample_density(name: str, random_state: int = 0, **options: float) -> Density | None:
    """Return the density that a sample is drawn from.

    Parameters
    ----------
    name : str
        A key of `SAMPLES`.
    random_state : int
        Seed of the sample; some densities are themselves drawn at random.
    **options : float
        Options of the sample, as for `make_sample`; the rest have their defaults.

    Returns
    -------
    callable or None
        Maps points of shape (n_points, 2) to the density of all classes together; None where no
        formula is known.

    Examples
    --------
    >>> density = sample_density("blobs", separation=0.0)
    >>> round(float(density([[0.0, 0.0]])[0]), 4)
    0.1592
    """
    make = _DENSITIES.get(name)
    if make is None:
        return None
    defaults = {option.name: option.default for option in SAMPLES[name].options}
    return make(random_state, **(defaults | options))


def _gaussians(means: ArrayLike, spread: float, weights: ArrayLike) -> Density:
    centres, shares = np.asarray(means, dtype=np.float64), np.asarray(weights, dtype=np.float64)

    def density(X: FloatArray) -> FloatArray:
        points = np.asarray(X, dtype=np.float64)
        squares = np.square((points[:, None, :] - centres[None]) / spread).sum(axis=2)
        return np.asarray(np.exp(-0.5 * squares) @ shares) / (2.0 * np.pi * spread**2)

    return density


def _multi(seed: int, n: float, spread: float) -> Density:
    return _gaussians(MULTI_MEANS, spread, MULTI_WEIGHTS)


def _blobs(seed: int, n: float, separation: float) -> Density:
    plus = int(n) // 2 / n
    means = [[0.5 * separation, 0.0], [-0.5 * separation, 0.0]]
    return _gaussians(means, 1.0, [plus, 1.0 - plus])


def _mixture(seed: int, n: float) -> Density:
    """Return the mixture of the centres that were drawn with this seed."""
    draws: Sequence[tuple[FloatArray, FloatArray]] = mixture_draws(
        np.random.default_rng(seed), int(n)
    )
    weights = np.concatenate(
        [np.full(len(centres), len(chosen) / n / len(centres)) for centres, chosen in draws]
    )
    return _gaussians(np.concatenate([centres for centres, _ in draws]), np.sqrt(0.2), weights)


def _ring(seed: int, n: float, offset: float, scale: float) -> Density:
    def density(X: FloatArray) -> FloatArray:
        radius = np.hypot(*np.asarray(X, dtype=np.float64).T)
        beyond = radius - offset
        rayleigh = beyond / scale**2 * np.exp(-0.5 * np.square(beyond / scale))
        around = 2.0 * np.pi * np.maximum(radius, np.finfo(float).tiny)
        return np.where(beyond > 0, rayleigh / around, 0.0)

    return density


_DENSITIES: dict[str, Callable[..., Density]] = {
    "multi": _multi,
    "blobs": _blobs,
    "mixture": _mixture,
    "ring": _ring,
}
