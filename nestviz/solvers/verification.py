"""Certificates that do not depend on the kernel matrix of the solve.

A wrong entry of K gives coefficients that are optimal for the wrong problem, and a certificate from
the same K would not show it. So the field of a certificate is computed from the points: a Gaussian
kernel by differences of coordinates, row by row, and only for points that have a coefficient.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.kernels import GaussianKernel, Kernel
from nestviz.solvers.columns import Columns, KernelRows
from nestviz.solvers.derived_columns import CentredColumns, ReflectedColumns

#: Kernel values computed another way differ in their last digits, and with them a gap by this.
ROUNDING = 1e-10


class DifferenceRows(KernelRows):
    """A Gaussian kernel matrix that is computed from differences when needed."""

    kernel: GaussianKernel

    def gram(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return the kernel values between the rows of X and Y."""
        return self.kernel.gram_by_differences(X, Y)

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """Return b K for coefficients that are zero outside ``points``."""
        whole = np.zeros((len(b), len(self.X)))
        whole[:, points] = b
        return self.product(whole)


def verifying_columns(kernel: Kernel, X: FloatArray, columns: Columns) -> Columns:
    """Return the kernel matrix for a certificate, by differences if the kernel is Gaussian.

    For other kernels it is ``columns``, the matrix of the fit: a precomputed one is the only
    source, and a polynomial cancels no digits.
    """
    if isinstance(columns, (ReflectedColumns, CentredColumns)):
        return columns.over(verifying_columns(kernel, X, columns.base))
    return DifferenceRows(kernel, X) if isinstance(kernel, GaussianKernel) else columns


S = TypeVar("S", bound=Any)


def field_noise(b: FloatArray, diagonal: FloatArray, margin: float) -> float:
    """Return the rounding of the field b K in units of the margin.

    Where coefficients of both signs cancel to a small margin, no more digits are left.
    """
    longest = float(np.sqrt((b * b * diagonal).sum(axis=1)).max())
    return 2.0 * float(np.finfo(np.float64).eps) * longest * float(diagonal.max()) ** 0.5 / margin


def verified(
    solution: S,
    certificate: Any,
    tol: float,
    *,
    noise: float = 0.0,
    gap_alone: bool = False,
) -> S:
    """Return the solution with the values of another certificate, and whether it converged.

    ``noise`` is that of :func:`field_noise`. With ``gap_alone`` convergence does not depend on a
    residual within √tol.
    """
    # A solve ends just below its tolerance; another rounding must not put it above.
    limit = tol + ROUNDING + noise if solution.converged else tol
    within = certificate.duality_gap <= limit
    if not gap_alone:
        within = within and certificate.kkt_residual <= limit**0.5
    return solution._replace(
        objective=certificate.objective,
        kkt_residual=certificate.kkt_residual,
        duality_gap=certificate.duality_gap,
        converged=bool(within),
    )
