"""Levels that are inserted by a fit: what the nested estimators share."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from nestviz.arrays import FloatArray
from nestviz.estimators.checks import checked_number, whole_number
from nestviz.solvers.checks import check_tolerance
from nestviz.solvers.columns import Columns
from nestviz.solvers.nested.adaptive import AdaptiveSolution, level_gaps, solve_adaptive
from nestviz.solvers.nested.feasible import level_weights
from nestviz.solvers.nested.problems import NestedProblem
from nestviz.solvers.records import Callback
from nestviz.solvers.verification import ROUNDING

ADAPTIVE = "adaptive"
"""The value of ``levels`` or ``asymmetries`` by which the fit chooses them."""
KEPT = ("certificate_", "level_weights_", "level_rounds_", "round_gaps_")


def is_adaptive(levels: Any) -> bool:
    """Return whether levels are to be inserted; refuse other words."""
    if isinstance(levels, str) and levels != ADAPTIVE:
        raise ValueError(f"levels are a number, a list of numbers or {ADAPTIVE!r}, not {levels!r}.")
    return isinstance(levels, str)


def solved_adaptively(
    estimator: Any, problem: NestedProblem, first: FloatArray, callback: Callback | None = None
) -> AdaptiveSolution:
    """Solve with the settings of an estimator, beginning with some levels."""
    level_tol = checked_number("level_tol", estimator.level_tol, above=0.0)
    most = whole_number("max_levels", estimator.max_levels)
    if most < len(first):
        raise ValueError(f"max_levels must be at least {len(first)}, not {most}.")
    check_tolerance(estimator.tol, estimator.max_iter)
    return solve_adaptive(
        problem, first, level_tol=level_tol, max_levels=most,
        tol=estimator.tol, max_iter=estimator.max_iter, callback=callback,
    )  # fmt: skip


def keep_level_certificate(
    estimator: Any, problem: NestedProblem, columns: Columns, found: AdaptiveSolution | None
) -> None:
    """Keep the gap between levels, from these columns; warn if it is more than was asked for.

    Without a solution of inserted levels, what an earlier fit kept is removed.
    """
    for name in KEPT:
        vars(estimator).pop(name, None)
    if found is None:
        return
    alpha = found.solution.alpha
    field = columns.product(problem.variables(alpha, found.levels))
    certificate = level_gaps(problem, found.levels, alpha, field)
    estimator.certificate_, estimator.level_weights_ = certificate, level_weights(found.levels)
    estimator.level_rounds_, estimator.round_gaps_ = found.rounds, found.round_gaps
    if estimator.converged_ and certificate.gap > estimator.level_tol + ROUNDING:
        warnings.warn(
            f"{len(found.levels)} levels leave a duality gap of {certificate.gap:.1e} between "
            f"them, more than level_tol = {estimator.level_tol:g}. Allow a larger max_levels, or "
            f"a larger level_tol.",
            ConvergenceWarning,
            stacklevel=4,
        )


def weights_of(found: AdaptiveSolution | None) -> FloatArray | None:
    """Return the weights of levels that were inserted; others have none."""
    return None if found is None else level_weights(found.levels)


def first_levels(top: float, bottom: float) -> FloatArray:
    """Return the levels to begin with: both ends and the middle."""
    return np.array([top, 0.5 * (top + bottom), bottom])
