"""Small q-OCSVM problems, and the same problems posed to a general solver."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from qpsolvers import solve_qp

from nestviz.arrays import FloatArray
from nestviz.kernels import GaussianKernel, PolynomialKernel
from nestviz.solvers.quantile.solve import QuantileSolution, solve_quantiles


class Quantiles(NamedTuple):
    K: FloatArray
    weights: FloatArray
    quantiles: FloatArray

    def solve(self, **options: object) -> QuantileSolution:
        return solve_quantiles(*self, **options)

    def bounds(self) -> FloatArray:
        share = self.weights / self.weights.sum()
        return share / (1 - self.quantiles)[:, None]


def problem(seed, *, n=24, quantiles=(0.2, 0.5, 0.8), sigma=0.5, weighted=False, degree=0):
    """Points around two centres."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * 0.5 + rng.integers(0, 2, size=(n, 1))
    kernel = PolynomialKernel(degree) if degree else GaussianKernel(sigma)
    weights = rng.uniform(0.2, 3.0, size=n) if weighted else np.ones(n)
    return Quantiles(kernel.gram(X, X), weights, np.asarray(quantiles, dtype=np.float64))


def objective(posed: Quantiles, eta: FloatArray) -> float:
    """The dual (5), as the paper writes it: a sum over two quantiles and two points."""
    q = len(posed.quantiles)
    pairs = [eta[j] @ posed.K @ eta[p] for j in range(q) for p in range(q)]
    return float(sum(pairs)) / (2 * q)


def reference(posed: Quantiles) -> FloatArray:
    """The dual (5) in its own variables, q n of them, from a general solver.

    In shares of the bounds, so that all variables lie in [0, 1].
    """
    bounds = posed.bounds()
    q, n = bounds.shape
    scale = bounds.ravel()
    P = np.tile(posed.K, (q, q)) * scale[:, None] * scale / q * n
    A = sp.block_diag([row[None] for row in bounds], format="csc")
    x = solve_qp(
        sp.csc_matrix((P + P.T) / 2), np.zeros(q * n), A=A, b=np.ones(q),
        lb=np.zeros(q * n), ub=np.ones(q * n), solver="piqp", eps_abs=1e-11, eps_rel=1e-11,
    )  # fmt: skip
    assert x is not None
    return x.reshape(q, n) * bounds


def primal(posed: Quantiles, eta: FloatArray, rho: FloatArray) -> float:
    """The primal (2) at the w of some coefficients, with the best slacks for given offsets."""
    q = len(posed.quantiles)
    c = eta.sum(axis=0) / q
    F = posed.K @ c
    slack = np.maximum(rho[:, None] - F, 0.0)
    return q / 2 * float(c @ F) - float(rho.sum()) + float((posed.bounds() * slack).sum())
