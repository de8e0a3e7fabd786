"""Certify coefficients in a box with one fixed sum.

The dual  min ½ αᵀKα − qᵀα,  Σ_i α_i = s,  0 ≤ α_i ≤ u_i  belongs to the primal

    min  ½‖w‖² + Σ_i u_i ξ_i − s ρ     s.t.  ⟨w, Φ(x_i)⟩ − q_i ≥ ρ − ξ_i,   ξ_i ≥ 0,

which with q = 0, s = 1 and u_i = 1/(νm) is (8.6)–(8.7) of Schölkopf & Smola (2002). With the
gradient G = Kα − q the best slacks for given w and ρ are (ρ − G_i)₊, and primal minus dual is a sum
over points of non-negative terms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.distances import inner
from nestviz.solvers.box_sum.records import PairProblem, point_errors
from nestviz.solvers.columns import Columns, as_columns, field_of
from nestviz.solvers.nested.gap import relative_gap

#: The sum of the coefficients may be off by this part of itself, which is rounding.
ROUNDING = 1e-12
#: Where the origin lies among the points, w vanishes, and with it the dual value and the field.
#: The smallest unit of measurement is this part of Σ α_i k(x_i, x_i).
VANISHING = 1e-9


class NuCertificate(NamedTuple):
    """Bounds on the error of coefficients.

    Attributes
    ----------
    objective : float
        ½ αᵀKα − qᵀα, a minimum.
    kkt_residual : float
        Mean violation of the optimality conditions relative to the mean size of Kα and q; inf if a
        constraint is violated.
    duality_gap : float
        Primal minus dual, relative to the dual value (at least to a billionth of Σ α_i k(x_i, x_i),
        for a dual value of zero); inf if a constraint is violated.
    rho : float
        The offset ρ that is best for these coefficients, see :func:`best_offset`. At the optimum
        it is the gradient of the margin points, those strictly between their bounds.
    """

    objective: float
    kkt_residual: float
    duality_gap: float
    rho: float


def nu_certificate(
    K: FloatArray | Columns,
    alpha: FloatArray,
    upper: FloatArray,
    *,
    total: float = 1.0,
    linear: FloatArray | None = None,
) -> NuCertificate:
    """Certify coefficients for the dual above.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Kernel matrix.
    alpha : ndarray of shape (n_points,)
        Coefficients.
    upper : ndarray of shape (n_points,)
        Upper bounds u.
    total : float
        The sum s.
    linear : ndarray of shape (n_points,), optional
        The linear term q, zero by default.

    Returns
    -------
    NuCertificate
    """
    columns = as_columns(K)
    problem = nu_box(upper, linear, total)
    certificate, _ = certify_nu(problem, columns.diagonal, alpha, field_of(columns, alpha))
    feasible = np.all(alpha >= 0) and np.all(alpha <= upper)
    if feasible and abs(alpha.sum() - total) <= ROUNDING * total:
        return certificate
    return certificate._replace(kkt_residual=np.inf, duality_gap=np.inf)


def nu_box(upper: FloatArray, linear: FloatArray | None, total: float) -> PairProblem:
    """Return the problem: bounds 0 and u, linear part q (zero if None), one sum."""
    n = len(upper)
    q = np.zeros(n) if linear is None else np.ascontiguousarray(linear, dtype=np.float64)
    if q.shape != (n,) or not np.all(np.isfinite(q)):
        raise ValueError(f"linear must hold one finite number for each of the {n} points of K.")
    return PairProblem(q, np.zeros(n), upper, np.zeros(n, dtype=np.intp), np.array([total]))


def certify_nu(
    problem: PairProblem, diagonal: FloatArray, alpha: FloatArray, F: FloatArray
) -> tuple[NuCertificate, FloatArray]:
    """Return the certificate of feasible coefficients from F = Kα, and each point's gap."""
    q, upper = problem.s, problem.high
    rho = np.array([best_offset(F - q, upper, float(alpha.sum()))])
    gaps, objective, violation, _ = point_errors(problem, diagonal, alpha, F, rho)
    least = VANISHING * inner(alpha, diagonal)
    mass = float(upper.sum())
    unit = inner(upper, np.abs(F) + np.abs(q)) + least * mass
    residual = violation * mass / unit if unit > 0 else 0.0
    gap = relative_gap(float(gaps.sum()), max(abs(objective), least))
    return NuCertificate(objective, residual, gap, float(rho[0])), gaps


@njit(cache=True, nogil=True)
def best_offset(G: FloatArray, upper: FloatArray, total: float) -> float:
    """Return the best ρ for one sum, see :func:`best_offsets`, by selection instead of sorting."""
    present = np.flatnonzero(upper > 0)
    values, weights = G[present], upper[present]
    rounding = ROUNDING * total
    begin, end, below, rho = 0, len(values), 0.0, -np.inf
    while begin < end:
        a, b, c = values[begin], values[(begin + end) // 2], values[end - 1]
        rho = max(min(a, b), min(max(a, b), c))
        first, last, lower, equal = split_at(values, weights, begin, end, rho)
        if below + lower >= total - rounding and first > begin:
            end = first
            continue
        below += lower + equal
        if below >= total - rounding:
            break
        begin = last
    if below > total + rounding:
        return rho
    above = np.inf
    for g in values:
        if rho < g < above:
            above = g
    return rho if above == np.inf else 0.5 * (rho + above)


@njit(cache=True, nogil=True)
def split_at(
    values: FloatArray, weights: FloatArray, begin: int, end: int, pivot: float
) -> tuple[int, int, float, float]:
    """Arrange a range in place: values below, at and above the pivot.

    Returns where those at the pivot begin and end, and the weights of those below and at it.
    """
    first, last, lower, equal, k = begin, end, 0.0, 0.0, begin
    while k < last:
        value, weight = values[k], weights[k]
        if value < pivot:
            values[k], values[first] = values[first], value
            weights[k], weights[first] = weights[first], weight
            first, k, lower = first + 1, k + 1, lower + weight
        elif value > pivot:
            last -= 1
            values[k], values[last] = values[last], value
            weights[k], weights[last] = weights[last], weight
        else:
            k, equal = k + 1, equal + weight
    return first, last, lower, equal


def best_offsets(G: FloatArray, upper: FloatArray, totals: FloatArray) -> FloatArray:
    """Return the best ρ for each sum s: the bounds of the points with a lower G sum to s.

    It minimises Σ_i u_i (ρ − G_i)₊ − sρ. Points below ρ have bounds of s or less together, points
    below or on it of s or more, for any coefficients; with bounds 1/(νm) this is the ν-property.
    At the optimum the points between their bounds have G_i = ρ, (8.16). Where an interval of values
    is optimal its middle is taken.
    """
    present = np.flatnonzero(upper > 0)
    order = present[np.argsort(G[present], kind="stable")]
    values, mass = G[order], np.cumsum(upper[order])
    last, rounding = len(order) - 1, ROUNDING * totals
    first = np.searchsorted(mass, totals - rounding, side="left").clip(max=last)
    after = np.where(mass[first] <= totals + rounding, first + 1, first).clip(max=last)
    return 0.5 * (values[first] + values[after])
