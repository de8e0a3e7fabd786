"""The decomposition algorithm of the nested one-class SVM, one point at a time, with a record.

Figure 4 of Lee & Scott (2010): choose the point that violates the optimality conditions most, find
the M coefficients that would be best without constraints (the targets), and replace them by the
nearest feasible ones. The solver of the library does the same in larger portions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.distances import product
from nestviz.solvers.nested.coordinate_descent import sweep_over
from nestviz.solvers.nested.feasible import one_class_chains
from nestviz.solvers.nested.gap import dual_objective, point_gaps, smallest_gap
from nestviz.solvers.nested.kkt import violations


@dataclass(frozen=True, eq=False)
class Step:
    """One step: a point, and its coefficients divided by the level, from λ_1 to λ_M.

    Attributes
    ----------
    point : int
        The chosen point.
    before, targets, after : ndarray of shape (n_levels,)
        α/λ before the step, the minimum without constraints, and the feasible one nearest to it.
    objective : float
        The objective (12) after the step; it never rises.
    gap : float
        Bound on the objective minus its minimum after the step. The best lower bound so far counts,
        so it never rises either.
    """

    point: int
    before: FloatArray
    targets: FloatArray
    after: FloatArray
    objective: float
    gap: float


@dataclass(frozen=True, eq=False)
class Decomposition:
    """All steps of the algorithm.

    Attributes
    ----------
    levels : ndarray of shape (n_levels,)
        λ_1 > … > λ_M.
    bounds : ndarray of shape (n_levels,)
        The largest α/λ allowed at each level, 1/(Nλ_m).
    start : Step
        The beginning, α = 1/N for all points and levels; its point is −1.
    steps : tuple of Step
        The steps.
    """

    levels: FloatArray
    bounds: FloatArray
    start: Step
    steps: tuple[Step, ...]


def decompose(K: FloatArray, levels: FloatArray, most: int = 200) -> Decomposition:
    """Run the decomposition algorithm from α = 1/N.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Kernel matrix without zeros on its diagonal.
    levels : ndarray of shape (n_levels,)
        Levels λ, descending.
    most : int
        Number of steps.

    Returns
    -------
    Decomposition
    """
    upper = np.full(len(K), 1.0 / len(K))
    chains = one_class_chains(upper, levels)
    b = chains.h.copy()
    F = product(b, K)
    lowest = -np.inf
    steps: list[Step] = []
    point, before, targets = -1, b[:, 0].copy(), b[:, 0].copy()
    for _ in range(most + 1):
        objective = float(dual_objective(chains, b, F))
        gap = smallest_gap(chains, b, F, float(point_gaps(chains, b, F).sum()))
        lowest = max(lowest, objective - float(gap))
        after = b[:, point].copy()
        steps.append(Step(point, before, targets, after, objective, objective - lowest))
        point = int(violations(chains, b, F).argmax())
        before = b[:, point].copy()
        targets = before + (1.0 - F[:, point]) / K[point, point]
        sweep_over(K, chains, b, F, np.array([point], dtype=np.intp))
    return Decomposition(chains.q, chains.h[:, 0].copy(), steps[0], tuple(steps[1:]))
