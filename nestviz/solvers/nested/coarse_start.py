"""Start a solve from the solution of a smaller problem.

Every eighth point, with the bounds of all points nearest to it, gives almost the same problem at a
hundredth of the cost. Its coefficients, divided in proportion to the bounds, are feasible for all
points and close to their optimum.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.columns import Columns, StoredMatrix
from nestviz.solvers.nested.coordinate_descent import sweep
from nestviz.solvers.nested.isotonic import close_ranks
from nestviz.solvers.records import Chains

#: One point in this many is kept by each step of coarsening.
RATIO = 8
#: Problems up to this size start with a sweep over all points instead.
SMALL = 2000
#: Representatives compared at a time.
CHUNK = 32


def begin_with_sweep(columns: Columns, chains: Chains) -> tuple[FloatArray, FloatArray]:
    """Return coefficients after one pass of coordinate descent from zero, and their field."""
    b, F = np.zeros_like(chains.h), np.zeros_like(chains.h)
    sweep(columns.block(np.arange(len(chains.s))), chains, b, F)
    return b, F


def representatives(s: FloatArray) -> IndexArray:
    """Return evenly spaced points, of each sign in proportion and at least one."""
    chosen = []
    for members in (np.flatnonzero(s > 0), np.flatnonzero(s < 0)):
        count = -(-len(members) // RATIO)
        chosen.append(members[(np.arange(count) * len(members)) // max(count, 1)])
    return np.sort(np.concatenate(chosen))


def nearest_representative(columns: Columns, s: FloatArray, chosen: IndexArray) -> IndexArray:
    """Return for each point the index into ``chosen`` of the nearest one on its side.

    Nearest in feature space, where ‖φ(x) − φ(x')‖² = k(x, x) − 2 k(x, x') + k(x', x').
    """
    nearest = np.zeros(len(s), dtype=np.intp)
    for side in (s > 0, s < 0):
        members, candidates = np.flatnonzero(side), np.flatnonzero(side[chosen])
        best = np.full(len(members), -np.inf)
        for begin in range(0, len(candidates), CHUNK):
            part = candidates[begin : begin + CHUNK]
            affinity = columns.rows(chosen[part])
            affinity = affinity if side.all() else affinity[:, members]
            affinity -= 0.5 * columns.diagonal[chosen[part], None]
            winner = affinity.argmax(axis=0)
            value = affinity[winner, np.arange(len(members))]
            better = value > best
            best[better] = value[better]
            nearest[members[better]] = part[winner[better]]
    nearest[chosen] = np.arange(len(chosen))
    return nearest


def coarsen(columns: Columns, chains: Chains) -> tuple[StoredMatrix, Chains, IndexArray]:
    """Return the smaller problem, and the representative of each point in it."""
    chosen = representatives(chains.s)
    nearest = nearest_representative(columns, chains.s, chosen)
    h = np.zeros((len(chains.q), len(chosen)))
    np.add.at(h.T, nearest, chains.h.T)
    coarse = Chains(chains.q, chains.s[chosen], h)
    return StoredMatrix(columns.block(chosen)), coarse, nearest


def share_out(chains: Chains, coarse: Chains, b: FloatArray, nearest: IndexArray) -> FloatArray:
    """Return coefficients of all points from those of their representatives."""
    # Bounds are a point's weight times a factor of the level, so one ratio serves all levels.
    weight, whole = chains.h.max(axis=0), coarse.h.max(axis=0)[nearest]
    share = np.divide(weight, whole, out=np.zeros_like(weight), where=whole > 0)
    mine = np.clip(b[:, nearest] * share, -chains.h, chains.h)
    close_ranks(chains, mine)
    return mine
