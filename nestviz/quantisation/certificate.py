"""Certify a solution on weighted centres for the problem of all points.

Let w_m = Σ_c b_mc Φ(z_c) be the vectors of the solution on the centres z_c, and b_mi the
coefficients of the points in the dual of all points (`nestviz.quantisation.lifting`), with
v_m = Σ_i b_mi Φ(x_i). Every w is feasible in the primal, so its value P(w) is an upper bound on the
optimum, computed from the field of w at all points. The dual value D(b) is a lower bound, and

    P(w) − D(b) = Σ_i gap_i + Σ_m q_m ½ ‖v_m − w_m‖²

where gap_i are the terms of :func:`nestviz.solvers.nested.gap.point_gaps`. The last term needs the
norm of v_m, a sum over all pairs of points. It is bounded through the kernel means of the cells,
μ_c = Σ_{i in c} w_i Φ(x_i): their inner products with the centres are known from the same pass, so
their projections g_c on the span of the centres are, too. With u_mc = b_mc over the weight of the
cell,

    v_m = Σ_c u_mc μ_c,    ‖v_m‖² ≤ 2⟨v_m, g_m⟩ − ‖g_m‖² + (Σ_c |u_mc| ‖μ_c − g_c‖)²

for g_m = Σ_c u_mc g_c, and ‖μ_c − g_c‖² = ‖μ_c‖² − 2⟨μ_c, g_c⟩ + ‖g_c‖² with the bound on ‖μ_c‖² of
`nestviz.quantisation.spread`. Points that are too far from their centre for that bound get
coefficients of zero in the dual, which are feasible. So is a share t of all coefficients; the best
one is taken, which is below one where centres are coarse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.distances import product
from nestviz.kernel_matrices import ONE_BLAS_THREAD
from nestviz.quantisation.lifting import Lifted
from nestviz.quantisation.sources import Part, Source
from nestviz.quantisation.spread import series
from nestviz.solvers.nested.gap import point_gaps
from nestviz.solvers.records import Chains

RIDGE = 1e-8
"""Added to the diagonal of the kernel matrix of the centres, so that it can be solved."""
ROUNDING = 1e-12
"""Rounding of a squared norm, as a share of the square of the weights."""
SHOWN = 1e-4
"""The smallest gap that is written."""


@dataclass(frozen=True)
class QuantisationCertificate:
    """Bounds on the optimum of all points, for a solution on weighted centres.

    Attributes
    ----------
    primal : float
        Value of the solution in the primal of all points: no less than the optimum.
    dual : float
        A lower bound on the optimum.
    n_points : int
        Number of points.
    n_centres : int
        Number of centres.
    far_share : float
        Share of the weight of points too far from their centre to count in the lower bound.
    """

    primal: float
    dual: float
    n_points: int
    n_centres: int
    far_share: float

    @property
    def gap(self) -> float:
        """Primal minus dual, relative to the dual: the solution is no further from optimal."""
        if self.primal <= self.dual:
            return 0.0
        return (self.primal - self.dual) / self.dual if self.dual > 0 else np.inf


class _Sums(NamedTuple):
    """What the points of a part, or of all of them, add to the certificate."""

    gaps: float
    targets: FloatArray  # Σ_i s_i b_mi, (M,)
    cross: FloatArray  # ⟨v_m, w_m⟩, (M,)
    inner: FloatArray  # ⟨Φ(z_j), μ_c⟩, (n_centres, n_centres)
    moments: FloatArray  # (n_terms, n_centres)
    rest: FloatArray  # (n_centres,)
    near: FloatArray  # Weight of the points that count, (n_centres,)
    weight: float
    points: int


def certify(source: Source, lifted: Lifted) -> QuantisationCertificate:
    """Certify coefficients of centres for the problem of all points, in one pass.

    Parameters
    ----------
    source : Source
        All points.
    lifted : Lifted
        The solution on the centres.

    Returns
    -------
    QuantisationCertificate
    """
    sums = source.combined(_sums_of, _add, lifted)
    q, unit = lifted.q, lifted.unit
    K = lifted.kernel.gram(lifted.centres, lifted.centres)
    own = (lifted.b * product(lifted.b, K)).sum(axis=1)
    norms = series(lifted.centres.shape[1]).bound(sums.moments, sums.rest, sums.near)
    lengths = np.maximum(_bound_on_lengths(sums, norms, K, unit), 0.0)
    primal = float((q * (sums.targets + 0.5 * own - sums.cross)).sum()) + sums.gaps
    dual = _best_share(float((q * sums.targets).sum()), float((q * lengths).sum()))
    far = max(1.0 - float(sums.near.sum()) / sums.weight, 0.0)
    return QuantisationCertificate(primal, dual, sums.points, len(lifted.centres), far)


def _best_share(target: float, length: float) -> float:
    """Return the dual value of the best share t of the coefficients: t T − ½ t² L, 0 ≤ t ≤ 1."""
    if length <= target:
        return target - 0.5 * length
    return 0.5 * max(target, 0.0) ** 2 / length


def _sums_of(part: Part, lifted: Lifted) -> _Sums:
    count, terms = len(lifted.centres), series(part.X.shape[1])
    cell = lifted.cells.of(part)
    apart = (part.X - lifted.centres[cell]) / lifted.sigma
    distance = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    relative = part.weights / lifted.heaviest
    weights = np.where(distance <= terms.radius, relative, 0.0)
    b = np.ascontiguousarray(lifted.unit[:, cell] * weights)
    K = lifted.kernel.gram(lifted.centres, part.X)
    field = product(lifted.b, K)
    chains = lifted.chains_of(part)
    inner = np.zeros((count, count))
    add_by_cell(K, cell, weights, inner)
    near = np.minimum(distance, terms.radius) ** (terms.order + 1)
    return _Sums(
        _gaps(chains, b, field, separate=lifted.separate),
        (chains.s * b).sum(axis=1),
        (b * field).sum(axis=1),
        inner,
        terms.moments(apart, weights, cell, count),
        _by_cell(cell, weights * near, count),
        _by_cell(cell, weights, count),
        float(relative.sum()),
        len(part.X),
    )


def _by_cell(cell: NDArray[np.int64], values: FloatArray, count: int) -> FloatArray:
    return np.bincount(cell, values, count).astype(np.float64)


def _add(first: _Sums, second: _Sums) -> _Sums:
    both: Any = zip(first, second, strict=True)
    return _Sums(*(a + b for a, b in both))


def _gaps(chains: Chains, b: FloatArray, field: FloatArray, *, separate: bool) -> float:
    """Return Σ_i gap_i of a nested problem, or of a plain one at each level."""
    if not separate:
        return float(point_gaps(chains, b, field).sum())
    q, s, h = chains
    rows = [slice(m, m + 1) for m in range(len(q))]
    return float(sum(point_gaps(Chains(q[m], s, h[m]), b[m], field[m]).sum() for m in rows))


def _bound_on_lengths(
    sums: _Sums, norms: FloatArray, K: FloatArray, unit: FloatArray
) -> FloatArray:
    """Return upper bounds on ‖v_m‖², from those on ‖μ_c‖²."""
    from scipy.linalg import cho_factor, cho_solve

    with ONE_BLAS_THREAD.held():
        factor = cho_factor(K + RIDGE * np.eye(len(K)), lower=True)
        projected = cho_solve(factor, sums.inner)
        coefficients = unit @ projected.T
        along = ((unit @ sums.inner.T) * coefficients).sum(axis=1)
        length = ((coefficients @ K) * coefficients).sum(axis=1)
        beside = (projected * (K @ projected - 2.0 * sums.inner)).sum(axis=0)
    squared = np.maximum(norms + beside, 0.0) + ROUNDING * sums.near**2
    error = np.abs(unit) @ np.sqrt(squared)
    return 2.0 * along - length + error**2


@njit(cache=True, nogil=True)
def add_by_cell(
    K: FloatArray, cell: NDArray[np.int64], weights: FloatArray, inner: FloatArray
) -> None:
    """Add w_i K_ji to column c(i) of ``inner``, for all centres j and points i."""
    for j in range(len(K)):
        row, mine = K[j], inner[j]
        for i in range(len(cell)):
            mine[cell[i]] += weights[i] * row[i]


def percent(gap: float) -> str:
    """Write a gap in per cent, with two digits.

    Parameters
    ----------
    gap : float
        A relative gap.

    Returns
    -------
    str
    """
    if gap > 10:
        return "more than 1,000%"
    return f"{100 * max(gap, SHOWN):.2g}%" if gap < 1 else f"{100 * gap:.0f}%"
