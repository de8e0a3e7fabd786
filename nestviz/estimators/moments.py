"""Means and covariances in the feature space of a kernel, for minimax probability machines."""

from __future__ import annotations

from typing import Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.distances import product
from nestviz.estimators.checks import checked_number
from nestviz.kernel_matrices import decomposed
from nestviz.kernels import Kernel, PolynomialKernel


def feature_space(kernel: Kernel, X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return P (n, r) and l (r,) such that the rows of P·l have the inner products of the kernel.

    A linear kernel has as few axes as there are features, and its matrix is not computed.
    """
    if isinstance(kernel, PolynomialKernel) and kernel.degree == 1 and kernel.offset == 0.0:
        scaled = np.sqrt(kernel.scale) * X
        basis, lengths, _ = decomposed(
            lambda: np.linalg.svd(scaled, full_matrices=False), max(X.shape)
        )
        kept = lengths > max(X.shape) * np.finfo(np.float64).eps * lengths.max(initial=0.0)
    else:
        K = kernel.gram(X, X)
        values, basis = decomposed(lambda: np.linalg.eigh(K), len(K))
        kept = values > len(values) * np.finfo(np.float64).eps * max(values[-1], 0.0)
        lengths = np.sqrt(np.maximum(values, 0.0))
    if not kept.any():
        raise ValueError(
            "All points are at the origin of the feature space: nothing separates them."
        )
    return basis[:, kept], lengths[kept]


def moments(features: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and covariance matrix."""
    shares = weights / weights.sum()
    mean = product(shares[None], features)[0]
    centred = features - mean
    return mean, product((centred * shares[:, None]).T, centred)


def coefficients_of(normal: FloatArray, basis: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return the coefficients of the points whose kernel sum is a normal vector."""
    return product(basis, (normal / lengths)[:, None])[:, 0]


def not_negative(name: str, value: Any) -> float:
    """Return a number, which must not be negative."""
    number = checked_number(name, value)
    if number < 0:
        raise ValueError(f"{name} must not be negative, and it is {number:g}.")
    return number
