"""The axes of a search: given, or so many values."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.kernels import median_distance

FloatArray = NDArray[np.float64]

#: Widths of a search, in units of the median distance between the points.
NARROWEST, WIDEST = 0.05, 5.0
#: Where the values of ν of a one-class SVM begin.
SMALLEST_NU = 0.01


def nu_axis(nu: Any) -> FloatArray:
    """Values of ν₊ and of ν₋: evenly up to 1 (section 3.1 searches a uniform grid)."""
    return _axis("nu", nu, lambda count: np.arange(1, count + 1) / count)


def one_class_axis(nu: Any) -> FloatArray:
    """Values of the ν of a one-class SVM: on a logarithmic scale up to 1."""
    return _axis("nu", nu, lambda count: np.geomspace(SMALLEST_NU, 1.0, count))


def sigma_axis(sigmas: Any, points: FloatArray) -> FloatArray:
    """Widths: on a logarithmic scale around the median distance between the points."""

    def around(count: int) -> FloatArray:
        return median_distance(points) * np.geomspace(NARROWEST, WIDEST, count)

    return _axis("sigmas", sigmas, around)


def _axis(name: str, value: Any, of_length: Callable[[int], FloatArray]) -> FloatArray:
    """Values in increasing order."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        if value < 1:
            raise ValueError(f"{name} must be a whole number from 1 up, or a list of values.")
        return of_length(int(value))
    return np.unique(np.asarray(value, dtype=np.float64))
