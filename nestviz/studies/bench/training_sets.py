"""The points that `nestviz bench` measures on: benchmark sets, standardised, of stated sizes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.data import SAMPLES, Dataset, make_sample, standardise, subsample
from nestviz.kernels import GaussianKernel, average_distance

#: Training sizes of Lee & Scott (2010), figure 6.
TRAINING_SIZES = {
    "banana": 400, "breast-cancer": 200, "diabetes": 468, "flare-solar": 666, "german": 700,
    "heart": 170, "ringnorm": 400, "thyroid": 140, "titanic": 150, "twonorm": 400, "waveform": 400,
    "image": 1300, "splice": 1000,
}  # fmt: skip
#: Levels and asymmetries of the same paper, sections V-A and VI.
N_LEVELS = 11
SMALLEST_LEVEL = 1e-6
N_ASYMMETRIES = 5


class Points(NamedTuple):
    """Points with a Gaussian kernel whose width is a share of their average distance."""

    X: FloatArray
    y: FloatArray
    kernel: GaussianKernel

    def gram(self) -> FloatArray:
        """Return the kernel matrix."""
        return self.kernel.gram(self.X, self.X)

    @property
    def gamma(self) -> float:
        """Return the width as scikit-learn names it: k = exp(−gamma ‖x − x'‖²)."""
        return 0.5 / self.kernel.sigma**2


def training_set(name: str, *, divisor: float, n: int | None = None) -> Points:
    """Return both classes of a benchmark set, with n points or as many as in the paper."""
    drawn = make_sample(f"bench-{name}", n=TRAINING_SIZES[name] if n is None else n)
    return _points(standardise(drawn), divisor)


def negative_class(name: str, n: int, *, divisor: float) -> Points:
    """Return n points of the negative class of a benchmark set, as one-class training data."""
    whole = standardise(make_sample(f"bench-{name}"))
    drawn = subsample(Dataset(whole.class_points(-1)), n)
    return _points(drawn, divisor)


def drawn_banana(n: int, *, divisor: float) -> Points:
    """Return n points of the banana generator, without classes."""
    sample = SAMPLES["banana"]
    options = {option.name: option.default for option in sample.options} | {"n": n}
    points = sample.generator(np.random.default_rng(0), **options)
    return _points(standardise(Dataset(points.X)), divisor)


def _points(dataset: Dataset, divisor: float) -> Points:
    y = np.ones(dataset.n) if dataset.y is None else dataset.y.astype(np.float64)
    return Points(dataset.X, y, GaussianKernel(average_distance(dataset.X) / divisor))


def one_class_levels(largest: float, count: int = N_LEVELS) -> FloatArray:
    """Return the paper's levels: evenly spaced from λ_1 down to 1e-6."""
    return np.linspace(largest, SMALLEST_LEVEL, count)


def sigma_rule(divisor: float) -> str:
    """Return how the width was chosen, for the size column."""
    return "σ=d_avg" if divisor == 1 else f"σ=d_avg/{divisor:g}"
