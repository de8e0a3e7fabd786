"""Prove nesting from a family's coefficients, without evaluating points.

With a non-negative kernel the set of (c, r) is inside the set of (c', r') if

    c'_i ≥ κ c_i for every i    and    r' ≤ κ r    for some κ > 0,

because then g'(x) ≥ κ g(x) for every x. (A set without any c_i > 0 and with r ≥ 0 is empty.) In Lee
& Scott (2010) this is Proposition 2 with κ = r'/r (one class: c_i/r must not decrease as the sets
grow) and Proposition 1 with κ = 1 (two classes: r = 0 and c_i must not decrease). Neighbouring
breakpoints are enough: between them the field is linear in the level.

The condition is sufficient and not necessary: a defect does not mean that some point leaves the
sets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray

#: Defects up to this size are rounding.
ROUNDING = 1e-12


def nesting_defect(
    levels: ArrayLike,
    coefficients: ArrayLike,
    offsets: ArrayLike,
    orientation: int,
    *,
    tail: float = 0.0,
    domain: tuple[float, float] | None = None,
) -> float:
    """Return the worst violation, over neighbouring breakpoints, of the condition above.

    Parameters
    ----------
    levels : ndarray of shape (n_levels,)
        Breakpoints, ascending; a level given twice is a jump.
    coefficients : ndarray of shape (n_levels, n_centres)
        c at each breakpoint.
    offsets : ndarray of shape (n_levels,)
        r at each breakpoint.
    orientation : {+1, -1}
        +1 if the sets grow with the level, −1 if they shrink.
    tail : float
        Slope of the offset beyond the breakpoints, where the coefficients stay constant.
    domain : (low, high), optional
        The valid levels; first to last breakpoint by default.

    Returns
    -------
    float
        Relative to the largest coefficient, or offset, of the two breakpoints. 0 or rounding means
        that the sets of all levels are nested for every non-negative kernel; inf that the offset
        moves in the wrong direction beyond the breakpoints.

    Examples
    --------
    Ratios c/r that grow as λ falls, and one that does not:

    >>> nesting_defect([1.0, 2.0], [[1.0, 2.0], [1.0, 3.0]], [1.0, 2.0], orientation=-1)
    0.0
    >>> nesting_defect([1.0, 2.0], [[1.0, 1.0], [1.0, 4.0]], [1.0, 2.0], orientation=-1)
    0.5
    """
    levels, c, r = (np.asarray(v, dtype=np.float64) for v in (levels, coefficients, offsets))
    if _grows_the_wrong_way(levels, orientation, tail, domain):
        return np.inf
    c, r = c[::orientation], r[::orientation]
    pairs = zip(c[:-1], r[:-1], c[1:], r[1:], strict=True)
    return max((pair_defect(*pair) for pair in pairs), default=0.0)


def _grows_the_wrong_way(
    levels: FloatArray, orientation: int, tail: float, domain: tuple[float, float] | None
) -> bool:
    low, high = (levels[0], levels[-1]) if domain is None else domain
    return (low < levels[0] or high > levels[-1]) and tail * orientation > 0


def pair_defect(c: FloatArray, r: float, c_next: FloatArray, r_next: float) -> float:
    """Return the violation of the condition for (c, r) and (c', r'), with the best factor κ."""
    if r >= 0 and not (c > 0).any():
        return 0.0
    found = [_excess(c, c_next)] if r_next <= r else []
    if r > 0 and r_next > 0:
        # Quotients, not κ = r'/r: solvers make these monotone to the last bit.
        found.append(_excess(c / r, c_next / r_next))
    if 0.0 not in found:
        factors = _factors(c, r, c_next, r_next)
        found += [_violation(k, c, r, c_next, r_next) for k in factors]
    return min(found)


def _excess(low: FloatArray, high: FloatArray) -> float:
    """Return the largest excess of ``low`` over ``high``, relative to the largest of all."""
    scale = max(np.abs(low).max(initial=0.0), np.abs(high).max(initial=0.0))
    over = float((low - high).max(initial=0.0))
    return over / float(scale) if over > 0 else 0.0


def _factors(c: FloatArray, r: float, c_next: FloatArray, r_next: float) -> set[float]:
    """Return the factors κ to try: 1, r'/r and the ends of the interval that the c_i allow."""
    rising, falling = c > 0, c < 0
    tried = {1.0}
    if r != 0:
        tried.add(r_next / r)
    if rising.any():
        tried.add(float((c_next[rising] / c[rising]).min()))
    if falling.any():
        tried.add(float((c_next[falling] / c[falling]).max()))
    return {k for k in tried if 0 < k < np.inf}


def _violation(k: float, c: FloatArray, r: float, c_next: FloatArray, r_next: float) -> float:
    """Return the largest relative violation of c' ≥ κ c and r' ≤ κ r."""
    scale = max(abs(k * r), abs(r_next))
    over = r_next - k * r
    return max(_excess(k * c, c_next), over / scale if over > 0 else 0.0)
