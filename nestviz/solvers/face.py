"""Second-order steps on the free coefficients.

Coordinate descent crawls where the kernel matrix is nearly singular: small λ, large σ. There the
set of *blocks* settles first: runs of levels on which a point's coefficients agree. A block is free
when its value lies strictly between zero and its bound. On the face where blocks stay whole and the
others stay put, the problem is an unconstrained quadratic in the block values,

    H_{(i,B),(j,C)} = K_ij Σ_{m ∈ B ∩ C} q_m,      g_{(i,B)} = Σ_{m ∈ B} q_m (F_im − s_i),

and one Cholesky factor gives its minimum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.linalg.lapack import dpotrf, dpotrs

from nestviz.solvers.records import Chains, FloatArray, IndexArray
from nestviz.solvers.sweep import project

#: Beyond this many blocks a factorisation costs more than the sweeps it saves.
MOST_BLOCKS = 1500


class Blocks(NamedTuple):
    """Free blocks: the point, the first and the last level of each."""

    point: IndexArray
    first: IndexArray
    last: IndexArray


@njit(cache=True, nogil=True)
def free_blocks(chains: Chains, b: FloatArray) -> Blocks:
    """Runs of equal coefficients strictly between zero and the tightest bound of the run."""
    _, s, h = chains
    M, n = b.shape
    found = np.empty((3, M * n), dtype=np.intp)
    count = 0
    for i in range(n):
        first = 0
        while first < M:
            last = first
            while last + 1 < M and b[last + 1, i] == b[first, i]:
                last += 1
            tightest = h[first, i] if s[i] > 0 else h[last, i]
            if 0.0 < abs(b[first, i]) < tightest:
                found[0, count], found[1, count], found[2, count] = i, first, last
                count += 1
            first = last + 1
    return Blocks(found[0, :count].copy(), found[1, :count].copy(), found[2, :count].copy())


@njit(cache=True, nogil=True)
def reduced_system(
    K: FloatArray, chains: Chains, F: FloatArray, blocks: Blocks
) -> tuple[FloatArray, FloatArray]:
    """The Hessian H, its upper triangle only, and the gradient g in the block values."""
    q, s, _ = chains
    point, first, last = blocks
    cumulated = np.zeros(len(q) + 1)
    cumulated[1:] = np.cumsum(q)
    H, g = np.zeros((len(point), len(point))), np.zeros(len(point))
    for c in range(len(point)):
        i = point[c]
        for m in range(first[c], last[c] + 1):
            g[c] += q[m] * (F[m, i] - s[i])
        for d in range(c, len(point)):
            begin, end = max(first[c], first[d]), min(last[c], last[d])
            if begin <= end:
                H[c, d] = K[i, point[d]] * (cumulated[end + 1] - cumulated[begin])
    return H, g


@njit(cache=True, nogil=True)
def spread(values: FloatArray, blocks: Blocks, shape: tuple[int, int]) -> FloatArray:
    """An array of coefficients, ``values`` on the blocks and zero elsewhere."""
    b = np.zeros(shape)
    for c in range(len(values)):
        for m in range(blocks.first[c], blocks.last[c] + 1):
            b[m, blocks.point[c]] = values[c]
    return b


@njit(cache=True, nogil=True)
def longest_step(chains: Chains, b: FloatArray, d: FloatArray) -> float:
    """Largest t ≤ 1 for which b + t d is feasible."""
    _, s, h = chains
    M, n = b.shape
    t = 1.0
    for i in range(n):
        sign = 1.0 if s[i] > 0 else -1.0
        for m in range(M):
            outward = sign * d[m, i]
            if outward > 0:
                t = min(t, (h[m, i] - sign * b[m, i]) / outward)
            elif outward < 0:
                t = min(t, sign * b[m, i] / -outward)
            if m > 0 and b[m, i] > b[m - 1, i] and d[m, i] < d[m - 1, i]:
                t = min(t, (b[m, i] - b[m - 1, i]) / (d[m - 1, i] - d[m, i]))
    return max(t, 0.0)


@njit(cache=True, nogil=True)
def field_of(K: FloatArray, b: FloatArray) -> FloatArray:
    """The field b K, at the price of the coefficients that do not vanish."""
    F = np.zeros(b.shape)
    for i in range(b.shape[1]):
        row = K[i]
        for m in range(b.shape[0]):
            if b[m, i] != 0.0:
                field, value = F[m], b[m, i]
                for j in range(len(row)):
                    field[j] += value * row[j]
    return F


def newton_direction(
    K: FloatArray, chains: Chains, b: FloatArray, F: FloatArray
) -> tuple[FloatArray, float] | None:
    """The way to the minimum on the current face, and twice the decrease it promises.

    None when there is nothing to move or too much to factorise. A singular H (coincident points,
    large σ) gets the smallest ridge, relative to its diagonal, that makes it factorise.
    """
    blocks = free_blocks(chains, b)
    if not 0 < len(blocks.point) <= MOST_BLOCKS:
        return None
    H, g = reduced_system(K, chains, F, blocks)
    diagonal = H.diagonal().copy()
    for ridge in (1e-10, 1e-8, 1e-6, 1e-4, 1e-2):
        np.fill_diagonal(H, diagonal * (1.0 + ridge))
        # The transpose of a C-ordered array is what LAPACK reads without a copy.
        factor, failed = dpotrf(H.T, lower=1)
        if not failed:
            d, _ = dpotrs(factor, -g, lower=1)
            return spread(d, blocks, b.shape), -float(g @ d)
    return None


def face_step(K: FloatArray, chains: Chains, b: FloatArray, F: FloatArray) -> None:
    """Move towards the minimum on the current face, in place; the objective never increases.

    Two ways to deal with the constraints in between, the better one is taken: walk straight until
    the first of them, or head for the feasible point nearest to the goal.
    """
    found = newton_direction(K, chains, b, F)
    if found is None:
        return
    d, promise = found
    q, s, _ = chains
    t = longest_step(chains, b, d)
    goal = b + d
    project(chains, goal)
    step = goal - b
    change = field_of(K, step)
    slope = float(q @ ((F - s) * step).sum(axis=1))
    bend = float(q @ (change * step).sum(axis=1))
    reach = min(1.0, -slope / bend) if slope < 0 and bend > 0 else 0.0
    if -reach * (slope + 0.5 * reach * bend) < (t - 0.5 * t * t) * promise:
        # Rounding must not carry the blocking coefficient past its bound.
        goal = b + t * d
        project(chains, goal)
        step, reach = goal - b, 1.0
        change = field_of(K, step)
    if reach > 0:
        b[:] = goal if reach == 1.0 else b + reach * step
        F += reach * change
