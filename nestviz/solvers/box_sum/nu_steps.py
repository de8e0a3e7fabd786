"""Steps that keep Σ α: over pairs of points, and Newton steps on all margin points.

The problem is  min ½ αᵀKα − qᵀα,  Σ_i α_i = s,  0 ≤ α_i ≤ u_i;  G = Kα − q is its gradient. At the
optimum no point that may grow has a lower G than a point that may shrink. The largest such
difference is the *violation* that steps are to bring down.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.columns import combine_rows
from nestviz.solvers.nested.newton import cholesky
from nestviz.solvers.nested.triangle import drop_unknown, solve_lower, solve_upper

#: Curvature below this part of the diagonal is taken for none: the two points coincide.
FLAT = 1e-12
#: Beyond this many margin points a factorisation costs more than the pairs it saves.
MOST_FREE = 1500
#: Points that may meet a bound before a Newton step is broken off.
MOST_STOPS = 50


@njit(cache=True, nogil=True)
def extremes(a: FloatArray, G: FloatArray, u: FloatArray) -> tuple[int, float]:
    """The point of lowest gradient that may grow, and the violation; −1 and 0 if there is none."""
    i, low, high = -1, np.inf, -np.inf
    for t in range(len(a)):
        if G[t] < low and a[t] < u[t]:
            i, low = t, G[t]
        if G[t] > high and a[t] > 0.0:
            high = G[t]
    return i, max(high - low, 0.0) if i >= 0 else 0.0


@njit(cache=True, nogil=True)
def partner(K: FloatArray, diagonal: FloatArray, a: FloatArray, G: FloatArray, i: int) -> int:
    """The point that gains most if it gives to i: (G_j − G_i)² over the curvature χ (8.25)."""
    best, j, row, low, flat = -1.0, -1, K[i], G[i], FLAT * diagonal[i]
    for t in range(len(a)):
        if a[t] > 0.0 and G[t] > low:
            gain = G[t] - low
            gain *= gain / max(diagonal[i] + diagonal[t] - 2.0 * row[t], flat)
            if gain > best:
                best, j = gain, t
    return j


@njit(cache=True, nogil=True)
def pair_steps(
    K: FloatArray, a: FloatArray, G: FloatArray, u: FloatArray, enough: float, most: int
) -> float:
    """Sequential minimal optimisation, in place, until the violation is ``enough``; return it.

    K : kernel matrix (n, n). a : coefficients. G : the gradient Kα − q, kept up to date. u : upper
    bounds. The first point of a pair is the worst violator, the second the one with which the
    objective falls most (section 8.4 takes the largest difference of gradients instead).
    """
    diagonal = np.diag(K).copy()
    i, violation = extremes(a, G, u)
    for _ in range(most):
        if violation <= enough:
            break
        j = partner(K, diagonal, a, G, i)
        if j < 0:
            break
        curvature = diagonal[i] + diagonal[j] - 2.0 * K[i, j]
        step = (G[j] - G[i]) / max(curvature, FLAT * diagonal[i])
        room, stock = u[i] - a[i], a[j]
        step = min(step, room, stock)
        # Bounds are reached to the last bit, so that a point at its bound is seen to be there.
        a[i] = u[i] if step == room else a[i] + step
        a[j] = 0.0 if step == stock else a[j] - step
        to, off = K[i], K[j]
        for t in range(len(G)):
            G[t] += step * (to[t] - off[t])
        i, violation = extremes(a, G, u)
    return violation


@njit(cache=True, nogil=True)
def reduced(
    K: FloatArray, G: FloatArray, free: IndexArray, p: int
) -> tuple[FloatArray, FloatArray]:
    """Hessian (upper triangle) and gradient over ``free`` when p balances what they take."""
    n = len(free)
    H, g = np.zeros((n, n)), np.empty(n)
    for c in range(n):
        i = free[c]
        g[c] = G[i] - G[p]
        for d in range(c, n):
            j = free[d]
            H[c, d] = K[i, j] - K[i, p] - K[j, p] + K[p, p]
    return H, g


@njit(cache=True, nogil=True)
def walk(
    U: FloatArray, w: FloatArray, x: FloatArray, high: FloatArray, pivot: float, pivot_high: float
) -> None:
    """Walk to the minimum over x in [0, high]; who meets a bound stays there. In place.

    U : upper Cholesky factor of the Hessian. w : U⁻ᵀ(−g). ``pivot`` is the coefficient that
    balances the others; the walk ends when it meets a bound itself.
    """
    m = len(x)
    moving, d = np.arange(m), np.empty(m)
    for _ in range(MOST_STOPS):
        solve_upper(U, w, m, d)
        t, stopped = 1.0, -1
        for k in range(m):
            c = moving[k]
            room = (high[c] if d[k] > 0 else 0.0) - x[c]
            if d[k] != 0 and room / d[k] < t:
                t, stopped = max(room / d[k], 0.0), k
        drift = -d[:m].sum()
        room = (pivot_high if drift > 0 else 0.0) - pivot
        last = drift != 0 and room / drift < t
        if last:
            t = max(room / drift, 0.0)
        for k in range(m):
            x[moving[k]] += t * d[k]
        pivot += t * drift
        if last or stopped < 0 or m == 1:
            return
        c = moving[stopped]
        x[c] = high[c] if d[stopped] > 0 else 0.0
        w *= 1.0 - t
        drop_unknown(U, w, m, stopped)
        moving[stopped : m - 1] = moving[stopped + 1 : m].copy()
        m -= 1


def newton_step(K: FloatArray, a: FloatArray, G: FloatArray, u: FloatArray) -> None:
    """Move all margin points towards their joint minimum, in place; the objective never grows.

    Pairs crawl where K is nearly singular (large σ). There the margin points settle first, and
    among them the problem is an unconstrained quadratic: one of them, the pivot, balances the sum.
    """
    free = np.flatnonzero((a > 0) & (a < u))
    if not 2 <= len(free) <= MOST_FREE:
        return
    room = np.minimum(a[free], u[free] - a[free])
    at = int(room.argmax())
    p, others = int(free[at]), np.delete(free, at)
    H, g = reduced(K, G, others, p)
    U = cholesky(H)
    if U is None:
        return
    w, x = -g, a[others]
    solve_lower(U, w)
    walk(U, w, x, u[others], float(a[p]), float(u[p]))
    step = np.append(x - a[others], 0.0)
    step[-1] = -step.sum()
    points = np.append(others, p)
    change = combine_rows(K, points, step[None])[0]
    slope, bend = float(G[points] @ step), float(change[points] @ step)
    if slope < 0:
        # Exact line search: rounding, or the ridge, must not let the objective grow.
        reach = min(1.0, -slope / bend) if bend > 0 else 1.0
        a[points] = np.clip(a[points] + reach * step, 0.0, u[points])
        if reach == 1.0:
            a[others] = x
        G += reach * change
