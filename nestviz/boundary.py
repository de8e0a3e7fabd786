"""The rule for the boundary: sets are closed, and a field without terms has no boundary.

A location is inside where its field is not negative. A field that is zero up to rounding is zero;
one that is zero because it has no terms is `VOID`, which is negative.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import BoolArray, FloatArray
from nestviz.compiled import njit

VOID = -float(np.finfo(np.float64).tiny)
"""Value of a field that is zero because it has no terms. Negative, so that ``g >= 0`` is the rule
everywhere."""
CANCELLED = 1e3
"""Terms this many times larger than the tolerance have cancelled in a value within it."""


@njit(cache=True, nogil=True)
def settled(g: float, size: float, tolerance: float) -> float:
    """Return a field value without rounding; ``size`` is the sum of its absolute terms.

    A value within the tolerance becomes zero, the boundary, if its terms are far larger. If the
    terms are small themselves the value is kept. Without terms it is `VOID`.
    """
    if abs(g) > tolerance:
        return g
    if size > CANCELLED * tolerance:
        return 0.0
    if g != 0.0:
        return g
    return 0.0 if size > 0.0 else VOID


@njit(cache=True, nogil=True)
def near_zero(sums: FloatArray, r: FloatArray, tolerance: float) -> BoolArray:
    """Return for each point whether any of its values is within the tolerance."""
    near = np.zeros(sums.shape[1], np.bool_)
    for j in range(len(r)):
        for p in range(len(near)):
            near[p] |= abs(sums[j, p] - r[j]) <= tolerance
    return near


@njit(cache=True, nogil=True)
def settle(sums: FloatArray, r: FloatArray, sizes: FloatArray, tolerance: float) -> None:
    """Turn sums into settled field values, in place; ``sizes`` as in `scan_chunk`."""
    for j in range(len(r)):
        for p in range(sums.shape[1]):
            g = sums[j, p] - r[j]
            if abs(g) <= tolerance:
                size = sizes[j, p] if sizes.size else abs(sums[j, p])
                g = settled(g, size + abs(r[j]), tolerance)
            sums[j, p] = g
