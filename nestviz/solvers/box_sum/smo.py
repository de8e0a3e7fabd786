"""Pairs of coefficients of one group, moved against each other so that its sum stays.

The pair is chosen by second-order information (Fan, Chen & Lin 2005): the point that most wants to
rise, and the partner that promises the largest decrease of the objective.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.arrays import BoolArray, FloatArray, IndexArray
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
    rises: BoolArray,
    sinks: BoolArray,
) -> tuple[int, float]:
    """Add step · (first − second) to the gradient; then the point to raise, and how far off it is.

    Off: in each group the largest gradient among points that can sink minus the smallest among
    points that can rise; the answer is about the group where that is larger. One pass, and one set
    of variables for each of the two groups, since this loop is where a solve spends its time.
    """
    lowest, least, highest, most = np.inf, np.inf, -np.inf, -np.inf
    place, other = -1, -1
    for k in range(len(gradient)):
        g = gradient[k] + step * (first[k] - second[k])
        gradient[k] = g
        if group[k] == 0:
            if rises[k] and g < lowest:
                lowest, place = g, k
            if sinks[k] and g > highest:
                highest = g
        else:
            if rises[k] and g < least:
                least, other = g, k
            if sinks[k] and g > most:
                most = g
    if most - least > highest - lowest:
        return other, most - least
    return place, highest - lowest


@njit(cache=True, nogil=True)
def partner(
    row: FloatArray,
    diagonal: FloatArray,
    gradient: FloatArray,
    group: IndexArray,
    sinks: BoolArray,
    i: int,
) -> int:
    """The point j to sink while i rises: the one with the largest (g_j − g_i)² / ‖φ_i − φ_j‖².

    row : row i of K. diagonal : that of K, apart so that it is read in one go.
    """
    chosen, gain = -1, 0.0
    for k in range(len(gradient)):
        slope = gradient[k] - gradient[i]
        if slope > 0 and sinks[k] and group[k] == group[i]:
            both = diagonal[i] + diagonal[k]
            bend = max(both - 2.0 * row[k], FLAT * both)
            if chosen < 0 or slope * slope > gain * bend:
                chosen, gain = k, slope * slope / max(bend, TINY)
    return chosen


@njit(cache=True, nogil=True)
def length(problem: PairProblem, c: FloatArray, i: int, j: int, slope: float, bend: float) -> float:
    """How far to raise i and sink j: to the minimum, or to the first bound on the way."""
    room = min(problem.high[i] - c[i], c[j] - problem.low[j])
    return slope / bend if slope < room * bend else room


@njit(cache=True, nogil=True)
def descend_by_pairs(
    K: FloatArray, problem: PairProblem, c: FloatArray, F: FloatArray, enough: float, most: int
) -> float:
    """Move pairs until no group is further than ``enough`` from its optimum, or ``most`` times.

    c and the field F = K c change in place. Returns the distance left.
    """
    s, low, high, group, _ = problem
    diagonal, gradient = np.diag(K).copy(), F - s
    rises, sinks = c < high, c > low
    i, far = advance(gradient, 0.0, K[0], K[0], group, rises, sinks)
    for _ in range(most):
        if far <= enough:
            break
        j = partner(K[i], diagonal, gradient, group, sinks, i)
        both = diagonal[i] + diagonal[j]
        bend = max(both - 2.0 * K[i, j], FLAT * both)
        step = length(problem, c, i, j, gradient[j] - gradient[i], bend)
        c[i] = high[i] if step == high[i] - c[i] else c[i] + step
        c[j] = low[j] if step == c[j] - low[j] else c[j] - step
        for k in (i, j):
            rises[k], sinks[k] = c[k] < high[k], c[k] > low[k]
        i, far = advance(gradient, step, K[i], K[j], group, rises, sinks)
    for k in range(len(F)):
        F[k] = gradient[k] + s[k]
    return far
