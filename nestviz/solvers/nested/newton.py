"""Newton steps on the free coefficients.

Coordinate descent is slow where the kernel matrix is nearly singular: small λ, large σ. There the
*blocks* settle first: runs of levels on which a point's coefficients agree. A block is free when
its value lies strictly between zero and its bound. As long as blocks stay whole and the others keep
their values, the problem is an unconstrained quadratic in the block values,

    H_{(i,B),(j,C)} = K_ij Σ_{m ∈ B ∩ C} q_m,      g_{(i,B)} = Σ_{m ∈ B} q_m (F_im − s_i),

and one Cholesky factor leads to its minimum, past the limits met on the way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import SLICE, BoolArray, FloatArray, IndexArray
from nestviz.compiled import njit
from nestviz.distances import inner
from nestviz.solvers.cholesky import remove_column, ridge_cholesky, solve_transposed, solve_upper
from nestviz.solvers.columns import combine_rows
from nestviz.solvers.nested.coordinate_descent import project
from nestviz.solvers.records import Chains

#: Beyond this many blocks a factorisation costs more than the sweeps it saves.
MOST_BLOCKS = 1500
#: Part of the gain of the best step length from which on the full step is good enough.
FULL_STEP = 0.2
#: Ridges relative to the diagonal that a factorisation tries in turn.
RIDGES = (1e-10, 1e-8, 1e-6, 1e-4, 1e-2)


class Blocks(NamedTuple):
    """Free blocks: the point, the first and the last level of each."""

    point: IndexArray
    first: IndexArray
    last: IndexArray


@njit(cache=True, nogil=True)
def free_blocks(chains: Chains, b: FloatArray) -> Blocks:
    """Return the runs of equal coefficients strictly between zero and the run's tightest bound."""
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
    """Return the upper triangle of the Hessian H and the gradient g in the block values."""
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
def place(b: FloatArray, values: FloatArray, blocks: Blocks) -> FloatArray:
    """Return the coefficients b with ``values`` on the blocks."""
    b = b.copy()
    for c in range(len(values)):
        for m in range(blocks.first[c], blocks.last[c] + 1):
            b[m, blocks.point[c]] = values[c]
    return b


@njit(cache=True, nogil=True)
def limits(chains: Chains, b: FloatArray, blocks: Blocks) -> tuple[FloatArray, FloatArray]:
    """Return the range of each block while the coefficients that are not free stay."""
    _, s, h = chains
    point, first, last = blocks
    count = len(point)
    low, high = np.zeros(count), np.zeros(count)
    for c in range(count):
        i = point[c]
        if s[i] > 0:
            high[c] = h[first[c], i]
        else:
            low[c] = -h[last[c], i]
        free_before = c > 0 and point[c - 1] == i and last[c - 1] == first[c] - 1
        if first[c] > 0 and not free_before:
            low[c] = max(low[c], b[first[c] - 1, i])
        free_after = c + 1 < count and point[c + 1] == i and first[c + 1] == last[c] + 1
        if last[c] + 1 < len(b) and not free_after:
            high[c] = min(high[c], b[last[c] + 1, i])
    return low, high


@njit(cache=True, nogil=True)
def first_obstacle(
    x: FloatArray, d: FloatArray, low: FloatArray, high: FloatArray, linked: BoolArray
) -> tuple[float, int, int]:
    """Return the largest t ≤ 1 for which x + t d stays within all limits, and what stops it.

    That is the block that is stopped, or −1, and the neighbour it meets, or −1 if it meets its own
    limit. ``linked[c]`` says that block c must not rise above block c + 1 of the same point.
    """
    t, stopped, met = 1.0, -1, -1
    for c in range(len(x)):
        reach = (high[c] if d[c] > 0 else low[c]) - x[c]
        if d[c] != 0 and reach / d[c] < t:
            t, stopped, met = reach / d[c], c, -1
        if linked[c] and d[c] > d[c + 1]:
            reach = (x[c + 1] - x[c]) / (d[c] - d[c + 1])
            if reach < t:
                t, stopped, met = (reach, c, c + 1) if d[c] != 0 else (reach, c + 1, c)
    return max(t, 0.0), stopped, met


def step_within_limits(
    U: FloatArray,
    w: FloatArray,
    x: FloatArray,
    low: FloatArray,
    high: FloatArray,
    linked: BoolArray,
) -> None:
    """Move the block values x to the minimum, in place; a block that meets a limit stays there.

    U : upper Cholesky factor of H. w : U⁻ᵀ(−g). Both are overwritten.

    All limits on the way are passed, however many. Where K has low rank (few features, large σ),
    sweeps free many more blocks than its rank, and between them only limits end the descent along
    directions of no curvature. Steps that stop earlier leave more blocks free than the next sweeps
    add, and the solve makes no progress. Each limit costs O(n²), so all of them cost no more than
    a few factorisations.
    """
    moving, m = np.arange(len(x)), len(x)
    while m > 0:
        m = pass_limits(U, w, x, (low, high), linked, moving[:m], max(1, SLICE // (4 * m * m)))


@njit(cache=True, nogil=True)
def pass_limits(
    U: FloatArray,
    w: FloatArray,
    x: FloatArray,
    ends: tuple[FloatArray, FloatArray],
    linked: BoolArray,
    moving: IndexArray,
    most: int,
) -> int:
    """Move x towards the minimum, past ``most`` limits; return how many blocks may still move.

    ``moving`` holds these blocks, and is kept up to date. After a step of length t the gradient is
    (1 − t) g, so w follows without H, and stopping a block removes one column of U in O(n²).
    """
    low, high = ends
    solution, z, d = np.empty(len(x)), np.empty(len(x)), np.zeros(len(x))
    m = len(moving)
    for _ in range(most):
        solve_upper(U, m, w, solution)
        d[:] = 0.0
        for k in range(m):
            d[moving[k]] = solution[k]
        t, stopped, met = first_obstacle(x, d, low, high, linked)
        for k in range(m):
            x[moving[k]] += t * solution[k]
        if stopped < 0:
            return 0
        # Rounding would leave the block next to its limit, and so free.
        if met >= 0:
            x[stopped] = x[met]
        else:
            x[stopped] = high[stopped] if d[stopped] > 0 else low[stopped]
        if m == 1:
            return 0
        w *= 1.0 - t
        column = int(np.searchsorted(moving[:m], stopped))
        remove_column(U, w, z, m, column)
        moving[column : m - 1] = moving[column + 1 : m].copy()
        m -= 1
    return m


def face_step(
    K: FloatArray,
    chains: Chains,
    b: FloatArray,
    F: FloatArray,
    ridges: tuple[float, ...] = RIDGES,
) -> None:
    """Move towards the minimum over the free blocks, in place; the objective never increases."""
    blocks = free_blocks(chains, b)
    if not 0 < len(blocks.point) <= MOST_BLOCKS:
        return
    H, g = reduced_system(K, chains, F, blocks)
    works = False
    for ridge in ridges:
        U, works = ridge_cholesky(H, (ridge,))
        if works:
            break
    if not works:
        return
    w, x = -g, b[blocks.first, blocks.point]
    solve_transposed(U, len(w), w)
    linked = np.zeros(len(x), dtype=np.bool_)
    linked[:-1] = (blocks.point[1:] == blocks.point[:-1]) & (
        blocks.first[1:] == blocks.last[:-1] + 1
    )
    low, high = limits(chains, b, blocks)
    step_within_limits(U, w, x, low, high, linked)
    goal = place(b, x, blocks)
    project(chains, goal)
    step = goal - b
    change = combine_rows(K, np.arange(step.shape[1]), step)
    slope = inner(chains.q, ((F - chains.s) * step).sum(axis=1))
    bend = inner(chains.q, (change * step).sum(axis=1))
    if slope < 0:
        # Rounding, or the ridge, must not increase the objective. A full step that gains nearly
        # as much as the best one is taken as it is: only then do stopped blocks reach their limit.
        reach = min(1.0, -slope / bend) if bend > 0 else 1.0
        if slope + 0.5 * bend < FULL_STEP * 0.5 * reach * slope:
            reach = 1.0
        b[:] = goal if reach == 1.0 else b + reach * step
        F += reach * change
