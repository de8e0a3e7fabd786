"""The axes of a search: values, or their number."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.kernels import median_distance

#: Widths of a search, in units of the median distance between the points.
NARROWEST, WIDEST = 0.05, 5.0
#: Where the values of ν of a one-class SVM begin.
SMALLEST_NU = 0.01


def nu_axis(nu_grid: Any) -> FloatArray:
    """Return values of ν₊ and of ν₋: evenly up to 1 (section 3.1 searches a uniform grid)."""
    return _axis("nu_grid", nu_grid, lambda count: np.arange(1, count + 1) / count, 1.0)


def one_class_axis(nu_grid: Any) -> FloatArray:
    """Return values of the ν of a one-class SVM: on a logarithmic scale up to 1."""
    return _axis("nu_grid", nu_grid, lambda count: np.geomspace(SMALLEST_NU, 1.0, count), 1.0)


def sigma_axis(sigmas: Any, points: FloatArray) -> FloatArray:
    """Return widths: on a logarithmic scale around the median distance between the points."""

    def around(count: int) -> FloatArray:
        return median_distance(points) * np.geomspace(NARROWEST, WIDEST, count)

    return _axis("sigmas", sigmas, around)


def _axis(
    name: str, value: Any, of_length: Callable[[int], FloatArray], at_most: float = np.inf
) -> FloatArray:
    """Return values in increasing order."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        if value < 1:
            raise ValueError(f"{name} must be a whole number from 1 up, or a list of values.")
        return of_length(int(value))
    given = None if isinstance(value, (str, bool)) or value is None else np.asarray(value)
    if given is None or given.ndim != 1 or not given.size or given.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be a whole number from 1 up, or a list of values.")
    values = np.unique(given.astype(np.float64))
    if not (np.all(np.isfinite(values)) and values[0] > 0 and values[-1] <= at_most):
        limit = "" if np.isinf(at_most) else f" and at most {at_most:g}"
        raise ValueError(f"{name} must hold finite numbers above 0{limit}, not {value!r}.")
    return values
