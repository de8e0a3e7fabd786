"""Covers: a few points such that every point is near one of them.

The linear program

    min_α  Σ_j α_j     subject to  Σ_j A_ij α_j ≥ 1 for every i,   α ≥ 0

with A_ij = 1 where point j is near point i is the relaxation of the smallest cover, α_j ∈ {0, 1}.
Both are solved by HiGHS. The lower bound is recomputed here from the dual solution y ≥ 0, Aᵀy ≤ 1:
every cover has at least Σ_i y_i members, whatever the solver did.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array

from nestviz.arrays import FloatArray, IndexArray

USED = 1e-9
"""Weights above this count as positive."""
ROUNDING = 1e-7
"""A bound this close above a whole number is that number."""


class Cover(NamedTuple):
    """A cover with a bound on the size of any other.

    Attributes
    ----------
    chosen : ndarray of shape (n_chosen,)
        The members, ascending.
    weights : ndarray of shape (n_points,)
        α, the solution of the linear program.
    bound : int
        No cover has fewer members.
    """

    chosen: IndexArray
    weights: FloatArray
    bound: int


def solve_cover(near: csr_array, *, exact: bool = False, max_nodes: int = 1000) -> Cover:
    """Find a small cover by linear programming, or a smallest one by branch and bound.

    Parameters
    ----------
    near : csr_array of shape (n_points, n_points)
        A, symmetric, with ones on the diagonal.
    exact : bool
        Whether to continue by branch and bound until no smaller cover exists.
    max_nodes : int
        Nodes of the search tree after which the smallest cover found so far is returned.

    Returns
    -------
    Cover

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> line = csr_array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    >>> cover = solve_cover(line)
    >>> cover.chosen, cover.bound
    (array([1]), 1)
    """
    ones = np.ones(near.shape[0])
    program: dict[str, Any] = {"A_ub": -near, "b_ub": -ones, "bounds": (0, None)}
    # The simplex method ends in a vertex, which is sparse.
    found = linprog(ones, method="highs-ds", **program)
    if found.x is None:
        raise RuntimeError(f"The linear program of the cover was not solved: {found.message}")
    weights = np.maximum(found.x, 0.0)
    bound = dual_bound(near, -np.asarray(found.ineqlin.marginals))
    chosen = _pruned(near, weights)
    if exact and len(chosen) > bound:
        chosen, bound = _smallest(near, chosen, bound, max_nodes)
    return Cover(chosen, weights, bound)


def dual_bound(near: csr_array, y: FloatArray) -> int:
    """Return a number of members that every cover has, from any dual vector.

    One that is not feasible is scaled until it is.
    """
    y = np.maximum(y, 0.0)
    heaviest = float((near.T @ y).max(initial=0.0))
    total = float(y.sum()) / max(heaviest, 1.0)
    return max(int(np.ceil(total - ROUNDING)), 1)


def _pruned(near: csr_array, weights: FloatArray) -> IndexArray:
    """Return a cover from the positive weights, of which no member can be left out.

    Each point is near a point with a positive weight (8.40). Members are tried from the lightest
    on, of equal ones those with the fewest points near first.
    """
    members = np.flatnonzero(weights > USED)
    sizes = np.diff(near.indptr)[members]
    order = members[np.lexsort((members, sizes, weights[members]))]
    times = np.asarray(near[:, members].sum(axis=1)).ravel()
    kept = []
    for member in order:
        covered = near.indices[near.indptr[member] : near.indptr[member + 1]]
        if (times[covered] > 1).all():
            times[covered] -= 1
        else:
            kept.append(member)
    return np.sort(np.array(kept, dtype=np.intp))


def _smallest(
    near: csr_array, known: IndexArray, bound: int, max_nodes: int
) -> tuple[IndexArray, int]:
    """Return a smallest cover and its size, or the smallest found and a bound."""
    n = near.shape[0]
    found = milp(
        np.ones(n),
        integrality=np.ones(n, dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(near, lb=1.0),
        options={"node_limit": max_nodes, "mip_rel_gap": 0.0},
    )
    if found.mip_dual_bound is not None and np.isfinite(found.mip_dual_bound):
        bound = max(bound, int(np.ceil(found.mip_dual_bound - ROUNDING)))
    if found.x is None:
        return known, bound
    chosen = _pruned(near, np.where(found.x > 0.5, 1.0, 0.0))
    return (chosen, bound) if len(chosen) <= len(known) else (known, bound)
