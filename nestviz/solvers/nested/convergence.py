"""The measure that stops the solver and chooses its working sets.

A relative primal–dual gap bounds the sum over levels, but says little about a level of tiny weight:
at λ = 1e-6 the field may be off by the whole margin. So a solve also brings the mean violation of
the optimality conditions down to the square root of the tolerance. The gap is of second order in
that violation, so both require about the same accuracy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.solvers.nested.certificate import Certificate
from nestviz.solvers.nested.gap import point_gaps
from nestviz.solvers.nested.kkt import largest_violation, violations
from nestviz.solvers.records import Chains


class Units(NamedTuple):
    """Gap and violation, summed over points, at which a solve is done."""

    gap: float
    violation: float


def units(chains: Chains, objective: float, tol: float) -> Units:
    """Return the sums that give a relative gap of ``tol`` and a residual of its square root."""
    tol = max(tol, float(np.finfo(np.float64).eps))
    # Without weights both sums are zero, for any unit.
    return Units(tol * abs(objective) or 1.0, tol**0.5 * largest_violation(chains) or 1.0)


def within(certificate: Certificate, tol: float) -> bool:
    """Return whether the relative gap is at most ``tol`` and the residual at most its root."""
    return certificate.duality_gap <= tol and certificate.kkt_residual <= tol**0.5


@njit(cache=True, nogil=True)
def errors(chains: Chains, b: FloatArray, F: FloatArray, unit: Units) -> FloatArray:
    """Return the contribution of each point; a solve is done when the sum of each kind is ≤ 1."""
    return point_gaps(chains, b, F) / unit.gap + violations(chains, b, F) / unit.violation
