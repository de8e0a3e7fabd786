"""Certify whole paths, at their worst level."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.columns import Columns
from nestviz.solvers.nested.certificate import Certificate, certify
from nestviz.solvers.nested.feasible import (
    cost_sensitive_chains,
    is_cost_sensitive_feasible,
    is_one_class_feasible,
    one_class_chains,
    settle_cost_sensitive,
    settle_one_class,
)
from nestviz.solvers.path.records import PathSolution

PATH_TOLERANCE = 1e-7
"""A path has converged if no residual is larger: relative to λ_0, or to λ for costs."""

LARGEST_BLUR = 1e-9
"""Largest rounding of the fields of a path that its residuals may stand for."""

SMALLEST_SHARE = 1e-6
"""Below this share of λ_0 a gap relative to the objective would be rounding."""

# Numbers of breakpoints to certify: those with the largest residuals, and others along the path.
WORST, ALONG = 12, 12


def path_converged(path: PathSolution) -> bool:
    """Return whether the path reached its end and no residual exceeds the tolerance."""
    return bool(path.converged and path.residuals.max() <= PATH_TOLERANCE)


def path_rounding(path: PathSolution, rounding: float) -> float:
    """Return the size up to which field values count as zero, relative to that of residuals."""
    return max(rounding, min(2.0 * float(path.residuals.max()), LARGEST_BLUR))


def one_class_path_certificate(
    columns: Columns, path: PathSolution, upper: FloatArray, level: float
) -> Certificate:
    """Return objective at ``level``, largest residual and largest gap on the whole path."""
    levels = _levels(path, level)
    wanted = levels >= SMALLEST_SHARE * path.breakpoints[0]
    wanted[0] = True
    levels = levels[wanted & (levels > 0)]

    def one(alpha: FloatArray, at: FloatArray, field: FloatArray) -> Certificate:
        settled = settle_one_class(alpha, upper, at)
        feasible = is_one_class_feasible(settled, upper, at)
        return certify(one_class_chains(upper, at), settled / at[:, None], field / at, feasible)

    return _worst(columns, path, levels, np.ones(len(upper)), one)


def cost_path_certificate(
    columns: Columns,
    path: PathSolution,
    y: FloatArray,
    weights: FloatArray,
    lam: float,
    asymmetry: float,
) -> Certificate:
    """Return objective at ``asymmetry``, largest residual and largest gap on the whole path."""

    def one(alpha: FloatArray, at: FloatArray, field: FloatArray) -> Certificate:
        settled = settle_cost_sensitive(alpha, y, weights, at)
        feasible = is_cost_sensitive_feasible(settled, y, weights, at)
        return certify(cost_sensitive_chains(y, weights, lam, at), y * settled, field, feasible)

    return _worst(columns, path, _levels(path, asymmetry), y, one)


def _levels(path: PathSolution, level: float) -> FloatArray:
    """Return ``level``, then levels where the path is worst, others along it, and between them."""
    nodes = path.breakpoints
    worst = np.argsort(-path.residuals, kind="stable")[:WORST]
    along = np.linspace(0, nodes.size - 1, ALONG).round().astype(np.intp)
    chosen = np.unique(np.concatenate([worst, along]))
    after = np.minimum(chosen + 1, nodes.size - 1)
    between = (nodes[chosen] + nodes[after]) / 2
    return np.concatenate([[level], nodes[chosen], between])


def _worst(
    columns: Columns,
    path: PathSolution,
    levels: FloatArray,
    sign: FloatArray,
    certificate: Callable[[FloatArray, FloatArray, FloatArray], Certificate],
) -> Certificate:
    """Certify all levels with one product with K."""
    largest = float(path.residuals.max())
    if levels.size == 0:
        return Certificate(0.0, largest, 0.0)
    alpha = path.coefficients(levels)
    fields = columns.product(sign * alpha)
    found = [
        certificate(alpha[j : j + 1], levels[j : j + 1], fields[j : j + 1])
        for j in range(levels.size)
    ]
    return Certificate(found[0].objective, largest, max(each.duality_gap for each in found))
