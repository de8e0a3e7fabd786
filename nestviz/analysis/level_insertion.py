"""Levels inserted one by one, with the duality gap between them, beside an even grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.columns import StoredMatrix
from nestviz.solvers.nested.adaptive import gap_curve, level_gaps, solve_adaptive
from nestviz.solvers.nested.limits import lambda_oc
from nestviz.solvers.nested.problems import OneClassProblem
from nestviz.solvers.nested.solve import TOLERANCE, solve_at

MAX_ITER = 1000


@dataclass(frozen=True, eq=False)
class LevelGrid:
    """Levels of a nested one-class SVM, and the gap of interpolated coefficients.

    Attributes
    ----------
    levels : ndarray of shape (n_levels,)
        λ_1 > … > λ_M.
    curve : ndarray of shape (n_places,)
        Relative duality gap at some levels.
    gap : float
        The largest gap at any level from λ_1 to λ_M.
    """

    levels: FloatArray
    curve: FloatArray
    gap: float


@dataclass(frozen=True, eq=False)
class Insertion:
    """One step: a level more than before, and as many evenly spaced ones."""

    inserted: LevelGrid
    even: LevelGrid


def insertion_steps(
    K: FloatArray, steps: int, places: FloatArray, smallest: float = 1e-6
) -> list[Insertion]:
    """Insert levels of the nested one-class SVM one by one, each where the gap is largest.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Kernel matrix.
    steps : int
        Levels to insert into the first three.
    places : ndarray of shape (n_places,)
        Levels at which the gap is computed, as shares of the largest.
    smallest : float
        The last level, as a share of the largest.

    Returns
    -------
    list of Insertion
        The first three levels, and each step.
    """
    upper = np.full(len(K), 1.0 / len(K))
    inserting = OneClassProblem(StoredMatrix(K), upper, weighted=True)
    plain = inserting._replace(weighted=False)
    top = lambda_oc(K, upper)
    levels = np.array([1.0, 0.5 * (1.0 + smallest), smallest]) * top
    found = []
    for count in range(len(levels), len(levels) + steps + 1):
        # No gap is small enough, so one level is inserted.
        end = solve_adaptive(
            inserting, levels, level_tol=0.0, max_levels=count, tol=TOLERANCE, max_iter=MAX_ITER
        )
        levels, even = end.levels, np.linspace(top, smallest * top, count)
        alone = solve_at(plain, even, TOLERANCE, MAX_ITER).alpha
        found.append(
            Insertion(
                _grid(inserting, levels, end.solution.alpha, places * top),
                _grid(plain, even, alone, places * top),
            )
        )
    return found


def _grid(
    problem: OneClassProblem, levels: FloatArray, alpha: FloatArray, at: FloatArray
) -> LevelGrid:
    field = problem.columns.product(problem.variables(alpha, levels))
    gap = level_gaps(problem, levels, alpha, field).gap
    return LevelGrid(levels, gap_curve(problem, levels, alpha, at), gap)
