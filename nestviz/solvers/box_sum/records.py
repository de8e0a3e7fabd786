"""A quadratic over a box with fixed sums: the problem behind the SVMs that have an offset.

In signed coefficients c_i = y_i α_i the 2C-SVM and the 2ν-SVM are both

    min_c  ½ cᵀ K c − sᵀ c,    low ≤ c ≤ high,    Σ_{i in g} c_i = t_g for each group g.

For the 2C-SVM s = y and all points form one group whose sum is zero. For the 2ν-SVM s = 0 and each
class is a group of its own, with sums +1 and −1 once the coefficients are measured in ν/2.

The multiplier μ_g of a group's sum is the value of the gradient F_i − s_i, F = K c, at every point
whose coefficient is free; offset and margin of the SVM are read from it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from nestviz.arrays import FloatArray, IndexArray

#: A quadratic part below this share of the largest it could be counts as zero: the digits that are
#: left of it after cancellation are not worth having.
VANISHING = 1e-12
#: From this share on downwards a gap is measured against the share instead: sums of kernel values
#: have no digits for a smaller one.
RESOLUTION = 1e-9
#: Coefficients this near to a bound, relative to it or to the largest of them, are on it.
ROUNDING = 1e-12


class PairProblem(NamedTuple):
    """The problem above without its kernel matrix.

    Attributes
    ----------
    s : array (N,)
        Linear part.
    low, high : array (N,)
        Bounds, low ≤ 0 ≤ high.
    group : array (N,)
        Group of each point, 0 or 1.
    total : array (G,)
        Sum of the coefficients of each group; there are one or two.
    """

    s: FloatArray
    low: FloatArray
    high: FloatArray
    group: IndexArray
    total: FloatArray


class PairCertificate(NamedTuple):
    """What can be said for sure about feasible coefficients.

    Attributes
    ----------
    objective : float
        ½ cᵀ K c − sᵀ c.
    gap : float
        Upper bound of the distance from the optimum, in units of the objective.
    violation : float
        Average violation of the optimality conditions, each point counted by its room high − low.
    unit : float
        The absolute objective, or the least that a gap can be measured against.
    vanished : bool
        Whether nothing but a quadratic part was to be made small, and it counts as zero.
    """

    objective: float
    gap: float
    violation: float
    unit: float
    vanished: bool

    @property
    def relative_gap(self) -> float:
        """The gap in units of the objective; none if that has vanished, since zero is the least."""
        if self.gap == 0.0 or self.vanished:
            return 0.0
        return self.gap / self.unit if self.unit > 0 else float("inf")


@njit(cache=True, nogil=True)
def settle(problem: PairProblem, c: FloatArray) -> None:
    """Put coefficients that are within rounding of a bound on it, in place.

    A sum that the bounds fill up to a rounding leaves that rounding as the room of one point. Taken
    for free, the point would pin a multiplier that has a whole interval to lie in. Whoever asks
    which points are free compares with the bounds exactly, and asks after this. Near means near
    relative to the bound; where that is far beyond all coefficients, relative to the largest.
    """
    _, low, high, _, _ = problem
    largest = 0.0
    for i in range(len(c)):
        largest = max(largest, abs(c[i]))
    for i in range(len(c)):
        near = ROUNDING * min(high[i] - low[i], largest)
        if c[i] - low[i] <= near:
            c[i] = low[i]
        elif high[i] - c[i] <= near:
            c[i] = high[i]


@njit(cache=True, nogil=True)
def multipliers(problem: PairProblem, c: FloatArray, F: FloatArray) -> FloatArray:
    """μ of each group: the mean gradient of its free points, of settled coefficients.

    Without a free point μ lies anywhere between the largest gradient of those that could sink and
    the smallest of those that could rise: half way, or at the one end there is.
    """
    s, low, high, group, total = problem
    G = len(total)
    summed, count = np.zeros(G), np.zeros(G)
    sinks, rises = np.full(G, -np.inf), np.full(G, np.inf)
    for i in range(len(c)):
        g, gradient = group[i], F[i] - s[i]
        if c[i] > low[i]:
            sinks[g] = max(sinks[g], gradient)
            if c[i] < high[i]:
                summed[g] += gradient
                count[g] += 1
        if c[i] < high[i]:
            rises[g] = min(rises[g], gradient)
    mu = np.zeros(G)
    for g in range(G):
        if count[g] > 0:
            mu[g] = summed[g] / count[g]
        elif np.isfinite(sinks[g]) and np.isfinite(rises[g]):
            mu[g] = 0.5 * (sinks[g] + rises[g])
        elif np.isfinite(sinks[g]):
            mu[g] = sinks[g]
        elif np.isfinite(rises[g]):
            mu[g] = rises[g]
    return mu


@njit(cache=True, nogil=True)
def point_errors(
    problem: PairProblem, diagonal: FloatArray, c: FloatArray, F: FloatArray, mu: FloatArray
) -> tuple[FloatArray, float, float, float]:
    """Each point's part of the gap (N,), objective, average violation, largest quadratic part.

    With r = F − s − μ the gap is Σ_i r_i (c_i − low_i) where r_i > 0, |r_i| (high_i − c_i) where
    r_i < 0: what the linear problem with gradient r would still gain. The quadratic part is at
    most ½ (Σ_i |c_i| √K_ii)².
    """
    s, low, high, group, _ = problem
    gaps, objective, violation, room, longest = np.zeros(len(c)), 0.0, 0.0, 0.0, 0.0
    for i in range(len(c)):
        r = F[i] - s[i] - mu[group[i]]
        reach = c[i] - low[i] if r > 0 else high[i] - c[i]
        gaps[i] = abs(r) * reach
        objective += c[i] * (0.5 * F[i] - s[i])
        longest += abs(c[i]) * np.sqrt(max(diagonal[i], 0.0))
        room += high[i] - low[i]
        if reach > 0:
            violation += abs(r) * (high[i] - low[i])
    average = violation / room if room > 0 else 0.0
    return gaps, objective, average, 0.5 * longest**2


def certify(
    problem: PairProblem, diagonal: FloatArray, c: FloatArray, F: FloatArray
) -> tuple[PairCertificate, FloatArray, FloatArray]:
    """Certificate of feasible c from its field F = K c, the multipliers, each point's part."""
    mu = multipliers(problem, c, F)
    gaps, objective, violation, largest = point_errors(problem, diagonal, c, F, mu)
    vanished = objective <= VANISHING * largest and not problem.s.any()
    unit = max(abs(objective), RESOLUTION * largest)
    return PairCertificate(objective, float(gaps.sum()), violation, unit, vanished), mu, gaps
