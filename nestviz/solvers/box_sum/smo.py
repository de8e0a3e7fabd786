"""Sequential minimal optimisation: two coefficients of a group move so that its sum stays.

The pair is chosen by second-order information (Fan, Chen & Lin 2005): the point with the smallest
gradient that can increase, and the partner that promises the largest decrease of the objective.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IndexArray
from nestviz.compiled import njit
from nestviz.solvers.box_sum.records import PairProblem

#: Curvature, relative to that of the two points, below which they count as one.
FLAT = 1e-14
#: Stands for zero where a vanishing kernel has no curvature at all.
TINY = np.finfo(np.float64).tiny


@njit(cache=True, nogil=True)
def advance(
    gradient: FloatArray,
    step: float,
    first: FloatArray,
    second: FloatArray,
    group: IndexArray,
    can_rise: BoolArray,
    can_fall: BoolArray,
) -> tuple[int, float]:
    """Add step · (first − second) to the gradient; return the point to raise and its distance.

    The distance of a group from its optimum is the largest gradient of points that can fall minus
    the smallest of points that can rise; the group with the larger distance is chosen. One pass
    with separate variables for the two groups, since a solve spends its time in this loop.
    """
    low_0, low_1, high_0, high_1 = np.inf, np.inf, -np.inf, -np.inf
    i_0, i_1 = -1, -1
    for k in range(len(gradient)):
        g = gradient[k] + step * (first[k] - second[k])
        gradient[k] = g
        if group[k] == 0:
            if can_rise[k] and g < low_0:
                low_0, i_0 = g, k
            if can_fall[k] and g > high_0:
                high_0 = g
        else:
            if can_rise[k] and g < low_1:
                low_1, i_1 = g, k
            if can_fall[k] and g > high_1:
                high_1 = g
    if high_1 - low_1 > high_0 - low_0:
        return i_1, high_1 - low_1
    return i_0, high_0 - low_0


@njit(cache=True, nogil=True)
def partner(
    row: FloatArray,
    diagonal: FloatArray,
    gradient: FloatArray,
    group: IndexArray,
    can_fall: BoolArray,
    i: int,
) -> int:
    """Return the point to lower while i rises: the largest (g_j − g_i)² / ‖φ_i − φ_j‖².

    row : row i of K. diagonal : that of K, a copy so that it is contiguous.
    """
    chosen, gain = -1, 0.0
    for k in range(len(gradient)):
        slope = gradient[k] - gradient[i]
        if slope > 0 and can_fall[k] and group[k] == group[i]:
            both = diagonal[i] + diagonal[k]
            bend = max(both - 2.0 * row[k], FLAT * both)
            if chosen < 0 or slope * slope > gain * bend:
                chosen, gain = k, slope * slope / max(bend, TINY)
    return chosen


@njit(cache=True, nogil=True)
def distance(problem: PairProblem, c: FloatArray, F: FloatArray) -> float:
    """Return how far the gradient is from optimal, see :func:`advance`."""
    gradient = F - problem.s
    far = advance(
        gradient, 0.0, gradient, gradient, problem.group, c < problem.high, c > problem.low
    )[1]
    return max(far, 0.0)


@njit(cache=True, nogil=True)
def descend_by_pairs(
    K: FloatArray, problem: PairProblem, c: FloatArray, F: FloatArray, enough: float, most: int
) -> float:
    """Move pairs until the distance from the optimum is ``enough``, or ``most`` times; return it.

    c and the field F = K c change in place.
    """
    s, low, high, group, _ = problem
    diagonal, gradient = np.diag(K).copy(), F - s
    can_rise, can_fall = c < high, c > low
    i, far = advance(gradient, 0.0, K[0], K[0], group, can_rise, can_fall)
    for _ in range(most):
        if far <= enough:
            break
        j = partner(K[i], diagonal, gradient, group, can_fall, i)
        both = diagonal[i] + diagonal[j]
        bend = max(both - 2.0 * K[i, j], FLAT * both)
        slope, reach = gradient[j] - gradient[i], min(high[i] - c[i], c[j] - low[j])
        step = slope / bend if slope < reach * bend else reach
        # A bound is reached to the last bit, so that the point is seen to be there.
        c[i] = high[i] if step == high[i] - c[i] else c[i] + step
        c[j] = low[j] if step == c[j] - low[j] else c[j] - step
        for k in (i, j):
            can_rise[k], can_fall[k] = c[k] < high[k], c[k] > low[k]
        i, far = advance(gradient, step, K[i], K[j], group, can_rise, can_fall)
    F[:] = gradient + s
    return far
