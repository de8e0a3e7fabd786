"""What is sure about coefficients in a box with a fixed sum, from the coefficients alone.

The dual  min ½ αᵀKα − qᵀα,  Σ_i α_i = s,  0 ≤ α_i ≤ u_i  belongs to the primal

    min  ½‖w‖² + Σ_i u_i ξ_i − s ρ     s.t.  ⟨w, Φ(x_i)⟩ − q_i ≥ ρ − ξ_i,   ξ_i ≥ 0,

which with q = 0, s = 1 and u_i = 1/(νm) is (8.6)–(8.7) of Schölkopf & Smola (2002). With the
gradient G = Kα − q the best slacks for given w and ρ are (ρ − G_i)₊, and primal minus dual is a sum
over points of non-negative terms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from nestviz.arrays import FloatArray
from nestviz.solvers.columns import Columns, as_columns
from nestviz.solvers.nested.gap import relative_gap

#: The sum of the coefficients may be off by this part of itself: rounding, nothing else.
ROUNDING = 1e-12
#: Where the origin lies among the points w vanishes, and with it the dual value and the field.
#: Nothing is then measured in smaller units than this part of what lone points would have.
VANISHING = 1e-9


class NuCertificate(NamedTuple):
    """What can be said for sure about coefficients.

    Attributes
    ----------
    objective : float
        ½ αᵀKα − qᵀα, a minimum.
    kkt_residual : float
        Average violation of the optimality conditions relative to the average size of Kα and q;
        inf if a constraint is violated.
    duality_gap : float
        Primal minus dual, relative to the dual value (at least to a billionth of Σ α_i k(x_i, x_i),
        for a dual value of zero); inf if a constraint is violated.
    rho : float
        The offset ρ that is best for these coefficients, see :func:`best_offsets`. At the optimum
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
    """Certificate of coefficients for the dual above.

    Parameters
    ----------
    K : array (N, N) or Columns
        Kernel matrix.
    alpha : array (N,)
        Coefficients.
    upper : array (N,)
        Upper bounds u.
    total : float
        The sum s.
    linear : array (N,), optional
        The linear term q, zero by default.

    Returns
    -------
    NuCertificate
    """
    columns = as_columns(K)
    q = np.zeros(len(alpha)) if linear is None else linear
    certificate = certify(alpha, field_of(columns, alpha), q, upper, columns.diagonal)
    feasible = np.all(alpha >= 0) and np.all(alpha <= upper)
    if feasible and abs(alpha.sum() - total) <= ROUNDING * total:
        return certificate
    return certificate._replace(kkt_residual=np.inf, duality_gap=np.inf)


def field_of(columns: Columns, alpha: FloatArray) -> FloatArray:
    """Kα from the rows of the points that have a coefficient."""
    points = np.flatnonzero(alpha)
    return columns.product_of(points, np.ascontiguousarray(alpha[None, points]))[0]


def certify(
    alpha: FloatArray, F: FloatArray, q: FloatArray, upper: FloatArray, diagonal: FloatArray
) -> NuCertificate:
    """Certificate of feasible coefficients from their field F = Kα."""
    G = F - q
    rho = float(best_offsets(G, upper, alpha.sum(keepdims=True))[0])
    objective = float(alpha @ (0.5 * F - q))
    least = VANISHING * float(alpha @ diagonal)
    unit = float(upper @ (np.abs(F) + np.abs(q))) + least * float(upper.sum())
    violation = float(violations(alpha, G, upper, rho).sum())
    gap = float(gap_terms(alpha, G, upper, rho).sum())
    size = max(abs(objective), least)
    return NuCertificate(
        objective,
        violation / unit if unit > 0 else 0.0,
        relative_gap(gap, size),
        rho,
    )


def best_offsets(G: FloatArray, upper: FloatArray, totals: FloatArray) -> FloatArray:
    """The ρ that is best for given G and each sum s: where the bounds of the lower points add to s.

    It minimises Σ_i u_i (ρ − G_i)₊ − sρ. Points below ρ have bounds of s or less together, points
    below or on it of s or more, whatever the coefficients; with bounds 1/(νm) this is the
    ν-property. At the optimum the points between their bounds have this very value, (8.16). Where a
    whole interval of values serves its middle is taken.
    """
    present = np.flatnonzero(upper > 0)
    order = present[np.argsort(G[present], kind="stable")]
    values, mass = G[order], np.cumsum(upper[order])
    last, room = len(order) - 1, ROUNDING * totals
    first = np.searchsorted(mass, totals - room, side="left").clip(max=last)
    after = np.where(mass[first] <= totals + room, first + 1, first).clip(max=last)
    return 0.5 * (values[first] + values[after])


@njit(cache=True, nogil=True)
def gap_terms(alpha: FloatArray, G: FloatArray, upper: FloatArray, rho: float) -> FloatArray:
    """Contribution of each point to primal minus dual: u (ρ − G)₊ − α (ρ − G), never negative."""
    terms = np.empty(len(alpha))
    for i in range(len(alpha)):
        slack = rho - G[i]
        terms[i] = (upper[i] - alpha[i]) * slack if slack > 0 else -alpha[i] * slack
    return terms


@njit(cache=True, nogil=True)
def violations(alpha: FloatArray, G: FloatArray, upper: FloatArray, rho: float) -> FloatArray:
    """u_i times how far G_i is on the wrong side of ρ; margin points have no right side."""
    found = np.zeros(len(alpha))
    for i in range(len(alpha)):
        slack = rho - G[i]
        if (slack > 0 and alpha[i] < upper[i]) or (slack < 0 and alpha[i] > 0):
            found[i] = upper[i] * abs(slack)
    return found
