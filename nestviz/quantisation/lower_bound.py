"""Certify with a close lower bound: solve the same problem on divided cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.quantisation.assignment import CellSums, Partition
from nestviz.quantisation.certificate import QuantisationCertificate, certify
from nestviz.quantisation.division import divided
from nestviz.quantisation.lifting import Lifted
from nestviz.quantisation.sources import Source
from nestviz.solvers.columns import StoredMatrix
from nestviz.solvers.nested.problems import CostSensitiveProblem, NestedProblem, OneClassProblem
from nestviz.solvers.nested.solve import MAX_ITER, TOLERANCE, solve_at

FOLD, MANY, MOST = 4, 3000, 5000
"""Parts: at most so many for each cell; above the second number a quarter more than cells; and at
most the last number, for the memory that their kernel matrices need."""
EFFORT = 0.01
"""Tolerance of the solve, as a share of the gap that is there."""
CLOSE = 3.0
"""The gap is close to the true distance if it is at most so many times a part of that distance."""


def certified(source: Source, lifted: Lifted) -> QuantisationCertificate:
    """Certify coefficients of centres for the problem of all points, with a close lower bound.

    Coefficients that are feasible for the problem of all points bound its optimum, whatever they
    were found for. Those of the solution on divided cells are closer to it than those of the
    centres. Their primal value P₂ is no less than the optimum, so the true distance of the solution
    is at least P − P₂. Where the gap is more than three times that, the cells are divided once
    more, by the sides of the better solution and into smaller parts.

    Parameters
    ----------
    source : Source
        All points; they are read three times, or five.
    lifted : Lifted
        The solution on the centres.

    Returns
    -------
    QuantisationCertificate
    """
    found, current = certify(source, lifted), lifted
    most = largest_number(found.n_centres)
    if found.n_centres >= min(most, found.n_points):
        return found
    for finer in (False, True):
        cells, sums = divided(source, lifted.cells, current, most, finer=finer)
        if not cells.any_divided:
            continue
        current = solved(lifted, cells, sums, max(min(EFFORT * found.gap, EFFORT), TOLERANCE))
        other = certify(source, current)
        found = replace(found, dual=max(found.dual, other.dual))
        if found.primal - found.dual <= CLOSE * (found.primal - other.primal):
            break
    return found


def largest_number(n_cells: int) -> int:
    """Return the largest number of parts that some number of cells is divided into."""
    return min(FOLD * n_cells, max(MANY, n_cells + n_cells // 4), MOST)


def solved(lifted: Lifted, cells: Partition, sums: CellSums, tol: float) -> Lifted:
    """Solve the problem of a solution on the means of other cells.

    Parameters
    ----------
    lifted : Lifted
        The solution whose problem it is.
    cells : Partition
        The other cells.
    sums : CellSums
        Their weights and moments.
    tol : float
        Relative gap of the solution on these cells.

    Returns
    -------
    Lifted
    """
    centres = sums.means(cells.seeds)
    problem = _problem(lifted, centres, sums.weights, cells.y)
    levels = lifted.levels
    runs = np.split(levels, len(levels)) if lifted.separate else [levels]
    found = [problem.variables(solve_at(problem, run, tol, MAX_ITER).alpha, run) for run in runs]
    return replace(
        lifted, centres=centres, cells=cells, weights=sums.weights, b=np.concatenate(found)
    )


def _problem(
    lifted: Lifted, centres: FloatArray, weights: FloatArray, y: FloatArray | None
) -> NestedProblem:
    columns = StoredMatrix(lifted.kernel.gram(centres, centres))
    weighted = lifted.level_weights is not None
    if lifted.lam is None:
        return OneClassProblem(columns, weights / weights.sum(), weighted)
    assert y is not None
    return CostSensitiveProblem(columns, y, weights, lifted.lam, weighted)
