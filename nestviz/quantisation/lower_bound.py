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

FOLD, MOST = 4, 3000
"""The largest number of parts, in numbers of cells, and at all."""
EFFORT = 0.01
"""Tolerance of the solve, as a share of the gap that is there."""


def certified(source: Source, lifted: Lifted) -> QuantisationCertificate:
    """Certify coefficients of centres for the problem of all points, with a close lower bound.

    Coefficients that are feasible for the problem of all points bound its optimum, whatever they
    were found for. Those of the solution on divided cells are closer to it than those of the
    centres.

    Parameters
    ----------
    source : Source
        All points; they are read three times.
    lifted : Lifted
        The solution on the centres.

    Returns
    -------
    QuantisationCertificate
    """
    found = certify(source, lifted)
    most = min(FOLD * found.n_centres, MOST)
    if found.n_centres >= min(most, found.n_points):
        return found
    cells, sums = divided(source, lifted, most)
    tol = max(min(EFFORT * found.gap, EFFORT), TOLERANCE)
    dual = certify(source, solved(lifted, cells, sums, tol)).dual
    return replace(found, dual=max(found.dual, dual))


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
