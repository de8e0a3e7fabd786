"""A quadratic over a box with fixed sums: the problem behind the SVMs that have an offset.

    min_c  ½ cᵀ K c − sᵀ c,    low ≤ c ≤ high,    Σ_{i in g} c_i = t_g for each group g

The ν one-class SVM has one group. In signed coefficients c_i = y_i α_i so has the 2C-SVM, with
s = y and a sum of zero; in the 2ν-SVM s = 0 and each class is a group, with sums +1 and −1 once
the coefficients are measured in ν/2.

The multiplier μ_g of a group's sum is the gradient F_i − s_i, F = K c, of every point of the group
whose coefficient is free. Offset and margin of the SVM are read from it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.compiled import njit

#: A quadratic part below this share of the largest it could be counts as zero: cancellation has
#: left no digits of it.
VANISHING = 1e-12
#: Smallest unit of a gap, as a share of the same: sums of kernel values are no more accurate.
RESOLUTION = 1e-9
#: Coefficients this near to a bound, relative to it or to the largest of them, are on it.
ROUNDING = 1e-12


class PairProblem(NamedTuple):
    """The problem above without its kernel matrix.

    Attributes
    ----------
    s : ndarray of shape (n_points,)
        Linear part.
    low, high : ndarray of shape (n_points,)
        Bounds, low ≤ 0 ≤ high.
    group : ndarray of shape (n_points,)
        Group of each point, 0 or 1.
    total : ndarray of shape (n_groups,)
        Sum of the coefficients of each group; there are one or two.
    """

    s: FloatArray
    low: FloatArray
    high: FloatArray
    group: IndexArray
    total: FloatArray


class PairCertificate(NamedTuple):
    """Bounds on the error of feasible coefficients.

    Attributes
    ----------
    objective : float
        ½ cᵀ K c − sᵀ c.
    gap : float
        Upper bound of the distance of the objective from its minimum.
    violation : float
        Mean violation of the optimality conditions, with weights high − low.
    unit : float
        The absolute objective, or the least that a gap can be measured against.
    vanished : bool
        Whether s = 0 and the quadratic part counts as zero.
    """

    objective: float
    gap: float
    violation: float
    unit: float
    vanished: bool

    @property
    def relative_gap(self) -> float:
        """Return the gap relative to the objective; 0 if that has vanished: it is the minimum."""
        if self.gap == 0.0 or self.vanished:
            return 0.0
        return self.gap / self.unit if self.unit > 0 else float("inf")


@njit(cache=True, nogil=True)
def settle(problem: PairProblem, c: FloatArray) -> None:
    """Move coefficients that are within rounding of a bound onto it, in place.

    Bounds that fill a sum up to rounding leave that rounding to one point. If it counted as free,
    it would fix a multiplier that may lie anywhere in an interval. Near is relative to the bound,
    or to the largest coefficient if the bound is far beyond all of them.
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
    """Return μ of each group: the mean gradient of its free points, of settled coefficients.

    Without a free point μ may lie between the largest gradient of points that could decrease and
    the smallest of points that could increase: the middle, or the one end that exists.
    """
    s, low, high, group, total = problem
    G = len(total)
    summed, count = np.zeros(G), np.zeros(G)
    highest, lowest = np.full(G, -np.inf), np.full(G, np.inf)
    for i in range(len(c)):
        g, gradient = group[i], F[i] - s[i]
        if c[i] > low[i]:
            highest[g] = max(highest[g], gradient)
            if c[i] < high[i]:
                summed[g] += gradient
                count[g] += 1
        if c[i] < high[i]:
            lowest[g] = min(lowest[g], gradient)
    mu = np.zeros(G)
    for g in range(G):
        if count[g] > 0:
            mu[g] = summed[g] / count[g]
        elif np.isfinite(highest[g]) and np.isfinite(lowest[g]):
            mu[g] = 0.5 * (highest[g] + lowest[g])
        elif np.isfinite(highest[g]):
            mu[g] = highest[g]
        elif np.isfinite(lowest[g]):
            mu[g] = lowest[g]
    return mu


@njit(cache=True, nogil=True)
def point_errors(
    problem: PairProblem, diagonal: FloatArray, c: FloatArray, F: FloatArray, mu: FloatArray
) -> tuple[FloatArray, float, float, float]:
    """Return each point's part of the gap, objective, mean violation, largest quadratic part.

    With r = F − s − μ the gap is Σ_i r_i (c_i − low_i) where r_i > 0, |r_i| (high_i − c_i) where
    r_i < 0: what the linear problem with gradient r would still gain. The quadratic part is at
    most ½ (Σ_i |c_i| √K_ii)².
    """
    s, low, high, group, _ = problem
    gaps, objective, violation, width, longest = np.zeros(len(c)), 0.0, 0.0, 0.0, 0.0
    for i in range(len(c)):
        r = F[i] - s[i] - mu[group[i]]
        reach = c[i] - low[i] if r > 0 else high[i] - c[i]
        gaps[i] = abs(r) * reach
        objective += c[i] * (0.5 * F[i] - s[i])
        longest += abs(c[i]) * np.sqrt(max(diagonal[i], 0.0))
        width += high[i] - low[i]
        if reach > 0:
            violation += abs(r) * (high[i] - low[i])
    average = violation / width if width > 0 else 0.0
    return gaps, objective, average, 0.5 * longest**2


def certify(
    problem: PairProblem, diagonal: FloatArray, c: FloatArray, F: FloatArray
) -> tuple[PairCertificate, FloatArray, FloatArray]:
    """Return the certificate of feasible c from F = K c, the multipliers, each point's gap."""
    mu = multipliers(problem, c, F)
    gaps, objective, violation, largest = point_errors(problem, diagonal, c, F, mu)
    vanished = objective <= VANISHING * largest and not problem.s.any()
    unit = max(abs(objective), RESOLUTION * largest)
    return PairCertificate(objective, float(gaps.sum()), violation, unit, vanished), mu, gaps
