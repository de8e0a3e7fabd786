"""Problems in a box with a fixed sum, posed to a general quadratic programming solver."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from qpsolvers import solve_qp

from nestviz.arrays import FloatArray


def reference(
    Q: FloatArray, upper: FloatArray, total: float = 1.0, linear: FloatArray | None = None
) -> FloatArray:
    """Coefficients from an interior-point solver that does not use the structure."""
    N = len(Q)
    q = np.zeros(N) if linear is None else linear
    found = solve_qp(
        sp.csc_matrix(Q),
        -q,
        A=sp.csc_matrix(np.ones((1, N))),
        b=np.array([total]),
        lb=np.zeros(N),
        ub=upper,
        solver="clarabel",
        tol_gap_abs=1e-12,
        tol_gap_rel=1e-12,
        tol_feas=1e-12,
    )
    assert found is not None
    return found


def objective(Q: FloatArray, alpha: FloatArray, linear: FloatArray | None = None) -> float:
    """½ αᵀQα − qᵀα, written out."""
    return float(0.5 * alpha @ Q @ alpha - (0.0 if linear is None else linear @ alpha))
