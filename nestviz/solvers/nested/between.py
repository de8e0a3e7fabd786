"""The duality gap of interpolated coefficients, at every level between two neighbours.

Between two neighbouring levels, t from 0 to 1, the coefficients α, the field and the bounds are
linear in t. Compared with the best coefficients α' that keep the order, l ≤ α' ≤ h, the duality gap
times the scale c (λ of one class, the regularisation of two) is

    P(t) = Σ_i [ (α_i − l_i) r_i⁺ + (h_i − α_i) r_i⁻ ],    r_i = c (f_i − 1),

with f_i the decision value times the class. All of α, l, h, c and r are linear in t, except that
h_i is the smaller of two linear bounds. So P is piecewise quadratic. It is divided by a quadratic
Q: for one class c times the dual value at the level, Σ_i α_i (c − ½ c f_i), for two classes c times
the mean dual value of all levels. On each piece the largest P/Q is at an end or at a root of a
quadratic equation: the largest gap over all levels is found exactly, in O(N log N).
``docs/adaptive-levels.md`` has the theorem with its proof.

A quadratic is written as A (1 − t)² + B t (1 − t) + C t². Where a segment ends at a level near
zero, these coefficients keep their digits; those of 1, t and t² would cancel.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.distances import inner


class Segment(NamedTuple):
    """What the gap between two levels depends on: values at both ends, linear in between.

    Attributes
    ----------
    residual : ndarray of shape (2, n_points)
        r: by how much the field exceeds the margin.
    below, above, beside : ndarray of shape (2, n_points)
        Distance of α to its lower bound, and to two upper bounds; not negative.
    value : ndarray of shape (3,)
        Coefficients of Q, which is positive.
    """

    residual: FloatArray
    below: FloatArray
    above: FloatArray
    beside: FloatArray
    value: FloatArray

    @classmethod
    def of(
        cls,
        alpha: FloatArray,
        excess: FloatArray,
        bounds: tuple[FloatArray, FloatArray, FloatArray],
        value: FloatArray,
    ) -> Self:
        """Return a segment from α, r and the bounds (l and two h) at its ends, (2, n) each."""
        low, high, upper = bounds
        # Rounding must not make a distance negative.
        below, above, beside = (
            np.maximum(distance, 0.0) for distance in (alpha - low, high - alpha, upper - alpha)
        )
        return cls(excess, below, above, beside, value)


def product(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the coefficients of Σ_i of two linear functions multiplied, from their ends (2, n)."""
    a, b = first
    c, d = second
    return np.array([inner(a, c), inner(a, d) + inner(b, c), inner(b, d)])


class Worst(NamedTuple):
    """The largest relative gap of a segment, and the t at which it is."""

    gap: float
    t: float


def worst(segment: Segment) -> Worst:
    """Return the largest relative gap over all t from 0 to 1, and where it is."""
    t = largest(segment)
    return Worst(float(gaps_at(segment, np.array([t]))[0]), t)


@njit(cache=True, nogil=True)
def gaps_at(segment: Segment, positions: FloatArray) -> FloatArray:
    """Return the relative gap at some t."""
    found = np.empty(len(positions))
    N = segment.residual.shape[1]
    for k in range(len(positions)):
        t = positions[k]
        s = 1.0 - t
        total = 0.0
        for i in range(N):
            r = s * segment.residual[0, i] + t * segment.residual[1, i]
            if r > 0:
                total += r * (s * segment.below[0, i] + t * segment.below[1, i])
            else:
                one = s * segment.above[0, i] + t * segment.above[1, i]
                other = s * segment.beside[0, i] + t * segment.beside[1, i]
                total -= r * min(one, other)
        A, B, C = segment.value
        found[k] = ratio(total, A * s * s + B * s * t + C * t * t)
    return found


@njit(cache=True, nogil=True)
def ratio(gap: float, value: float) -> float:
    """Return the gap relative to the dual value; 0 without a gap, inf if only the latter is 0."""
    if gap <= 0.0:
        return 0.0
    return gap / value if value > 0.0 else np.inf


@njit(cache=True, nogil=True)
def largest(segment: Segment) -> float:
    """Return the t at which the relative gap is largest: from piece to piece, exactly.

    P : coefficients of the current piece. at, change : where the pieces of single points end, and
    what is added to P there.
    """
    N = segment.residual.shape[1]
    P = np.zeros(3)
    at, change, count = np.empty(2 * N), np.empty((2 * N, 3)), 0
    cuts = np.empty(4)
    for i in range(N):
        pieces = divide(segment, i, cuts)
        before = np.zeros(3)
        for k in range(pieces):
            mine = term(segment, i, 0.5 * (cuts[k] + cuts[k + 1]))
            if k == 0:
                P += mine
            else:
                at[count], change[count] = cuts[k], mine - before
                count += 1
            before = mine
    order = np.argsort(at[:count])
    best, where, begin = -1.0, 0.0, 0.0
    for k in range(count + 1):
        end = at[order[k]] if k < count else 1.0
        best, where = best_of_piece(P, segment.value, begin, end, best, where)
        if k < count:
            P += change[order[k]]
            begin = end
    return where


@njit(cache=True, nogil=True)
def divide(segment: Segment, i: int, cuts: FloatArray) -> int:
    """Write the ends of the pieces of one point, from 0 to 1; return the number of pieces."""
    count = 1
    cuts[0] = 0.0
    one = crossing(segment.residual[0, i], segment.residual[1, i])
    two = crossing(
        segment.above[0, i] - segment.beside[0, i], segment.above[1, i] - segment.beside[1, i]
    )
    for cut in (min(one, two), max(one, two)):
        if 0.0 < cut < 1.0:
            cuts[count] = cut
            count += 1
    cuts[count] = 1.0
    return count


@njit(cache=True, nogil=True)
def crossing(first: float, last: float) -> float:
    """Return where a linear function changes its sign, or 0 if it does not."""
    return first / (first - last) if first * last < 0 else 0.0


@njit(cache=True, nogil=True)
def term(segment: Segment, i: int, t: float) -> FloatArray:
    """Return the coefficients of the term of one point on the piece around t."""
    s = 1.0 - t
    r0, r1 = segment.residual[0, i], segment.residual[1, i]
    if s * r0 + t * r1 > 0:
        x0, x1 = segment.below[0, i], segment.below[1, i]
    else:
        r0, r1 = -r0, -r1
        x0, x1 = segment.above[0, i], segment.above[1, i]
        if s * segment.beside[0, i] + t * segment.beside[1, i] < s * x0 + t * x1:
            x0, x1 = segment.beside[0, i], segment.beside[1, i]
    return np.array([x0 * r0, x0 * r1 + x1 * r0, x1 * r1])


@njit(cache=True, nogil=True)
def position(upper: float, lower: float) -> float:
    """Return t = z/(1 + z) for z = upper/lower, or −1 if that is not positive."""
    return upper / (upper + lower) if upper * lower > 0 else -1.0


@njit(cache=True, nogil=True)
def best_of_piece(
    P: FloatArray, Q: FloatArray, begin: float, end: float, best: float, where: float
) -> tuple[float, float]:
    """Return the largest P/Q on a piece and its t, if it is more than the ``best`` so far.

    In z = t/(1 − t) both are quadratics, and the derivative of their ratio is zero where another
    quadratic is: its terms of third order cancel.
    """
    candidates = np.array([begin, end, -1.0, -1.0])
    a = P[2] * Q[1] - P[1] * Q[2]
    b = P[2] * Q[0] - P[0] * Q[2]
    c = P[1] * Q[0] - P[0] * Q[1]
    # a z² + 2 b z + c = 0, in the form that does not cancel.
    root = b * b - a * c
    if root >= 0.0:
        h = -(b + np.sqrt(root)) if b >= 0 else -(b - np.sqrt(root))
        candidates[2], candidates[3] = position(h, a), position(c, h)
    for t in candidates:
        if begin <= t <= end:
            s = 1.0 - t
            gap = P[0] * s * s + P[1] * s * t + P[2] * t * t
            found = ratio(gap, Q[0] * s * s + Q[1] * s * t + Q[2] * t * t)
            if found > best:
                best, where = found, t
    return best, where
