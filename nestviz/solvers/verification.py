"""Certificates that do not trust the kernel matrix a solve was based on.

A wrong entry of K, whatever its cause, gives coefficients that are optimal for the wrong problem,
and a certificate from the same K would not notice. So the field of a certificate is computed from
the points: a Gaussian kernel by the differences of their coordinates, row by row, and only for
points that have a coefficient.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.kernels import GaussianKernel, Kernel
from nestviz.solvers.columns import CHUNK_BUDGET, Columns
from nestviz.solvers.derived_columns import CentredColumns, ReflectedColumns

#: Kernel values by another road differ in their last digits, and with them a gap by so much.
ROUNDING = 1e-10


class DifferenceRows:
    """A Gaussian kernel matrix whose values are computed from differences whenever needed."""

    def __init__(self, kernel: GaussianKernel, X: FloatArray) -> None:
        self.kernel = kernel
        self.X = np.ascontiguousarray(X, dtype=np.float64)
        self.diagonal = kernel.diagonal(self.X)

    def rows(self, points: IndexArray) -> FloatArray:
        """The rows of K at ``points``."""
        return self.kernel.gram_by_differences(self.X[points], self.X)

    def block(self, points: IndexArray) -> FloatArray:
        """The rows and columns of K at ``points``."""
        return self.kernel.gram_by_differences(self.X[points], self.X[points])

    def product(self, b: FloatArray) -> FloatArray:
        """The product b K for coefficients b (M, N); each pair is computed once, or not at all."""
        used = b.any(axis=0)
        count = int(used.sum())
        order = np.argsort(~used, kind="stable")
        X, b = self.X[order], b[:, order]
        F, step = np.zeros_like(b), max(1, CHUNK_BUDGET // (8 * max(1, len(X))))
        for begin in range(0, count, step):
            end = min(begin + step, count)
            K = self.kernel.gram_by_differences(X[begin:end], X[begin:])
            F[:, begin:] += b[:, begin:end] @ K
            F[:, begin:end] += b[:, end:count] @ K[:, end - begin : count - begin].T
        G = np.empty_like(F)
        G[:, order] = F
        return G

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """The product b K for coefficients that vanish outside ``points``."""
        whole = np.zeros((len(b), len(self.X)))
        whole[:, points] = b
        return self.product(whole)


def verifying_columns(kernel: Kernel, X: FloatArray, columns: Columns) -> Columns:
    """The kernel matrix for a certificate: by differences where the kernel is made of them.

    Parameters
    ----------
    kernel : Kernel
        The kernel of the fit.
    X : array (N, d)
        Its points.
    columns : Columns
        The matrix of the fit, which serves for every other kernel: a precomputed one is all there
        is, and a polynomial cancels no digits.
    """
    if isinstance(columns, (ReflectedColumns, CentredColumns)):
        return columns.over(verifying_columns(kernel, X, columns.base))
    return DifferenceRows(kernel, X) if isinstance(kernel, GaussianKernel) else columns


class Certified(Protocol):
    """What a certificate has, whatever else is in it."""

    @property
    def objective(self) -> float:
        """The dual objective."""

    @property
    def kkt_residual(self) -> float:
        """Violation of the optimality conditions."""

    @property
    def duality_gap(self) -> float:
        """Primal minus dual, relative."""


S = TypeVar("S", bound=Any)


def field_noise(b: FloatArray, diagonal: FloatArray, margin: float) -> float:
    """How far two roads to the field b K may differ by rounding, in units of the margin.

    Where coefficients of both signs cancel to a small margin, this is all the digits there are.
    """
    longest = float(np.sqrt((b * b) @ diagonal).max())
    return 2.0 * float(np.finfo(np.float64).eps) * longest * float(diagonal.max()) ** 0.5 / margin


def verified(
    solution: S,
    certificate: Certified,
    tol: float,
    *,
    noise: float = 0.0,
    gap_alone: bool = False,
) -> S:
    """The solution with the numbers of another certificate, and what follows for convergence.

    Parameters
    ----------
    solution : NamedTuple
        With the fields objective, kkt_residual, duality_gap and converged.
    certificate : Certified
        Of the same coefficients.
    tol : float
        The tolerance of the solve.
    noise : float
        See :func:`field_noise`.
    gap_alone : bool
        Whether the gap decides about convergence, or also the residual, within √tol.
    """
    # A solve ends just below its tolerance; other roundings alone must not put it above.
    room = tol + ROUNDING + noise if solution.converged else tol
    within = certificate.duality_gap <= room
    if not gap_alone:
        within = within and certificate.kkt_residual <= room**0.5
    return solution._replace(
        objective=certificate.objective,
        kkt_residual=certificate.kkt_residual,
        duality_gap=certificate.duality_gap,
        converged=bool(within),
    )
