"""The 2C- and the 2ν-SVM posed to a general quadratic programming solver, in the thesis's words."""

from __future__ import annotations

import numpy as np
from qpsolvers import solve_qp

from nestviz.arrays import FloatArray
from nestviz.kernels import GaussianKernel

ACCURACY = {"eps_abs": 1e-11, "eps_rel": 1e-11}


def drawn(
    seed: int, n: int = 24, sigma: float = 0.7, weighted: bool = False, share: int = 3
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Kernel matrix, classes and weights of overlapping classes, one in ``share`` positive."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % share == 0, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + 0.6 * y[:, None]
    weights = rng.uniform(0.1, 2.0, n) if weighted else np.ones(n)
    return GaussianKernel(sigma).gram(X, X), y, weights


def hessian(K: FloatArray, y: FloatArray) -> FloatArray:
    return y[:, None] * y * K


def cost_reference(
    K: FloatArray, y: FloatArray, weights: FloatArray, C: float, gamma: float
) -> FloatArray:
    """An optimal α of (D_2C); solved in α/C, which suits the solver better."""
    n = len(y)
    bound = weights * np.where(y > 0, gamma, 1 - gamma)
    found = solve_qp(
        C * hessian(K, y), -np.ones(n), A=y[None], b=np.zeros(1),
        lb=np.zeros(n), ub=bound, solver="piqp", **ACCURACY,
    )  # fmt: skip
    return C * found


def nu_reference(
    K: FloatArray, y: FloatArray, weights: FloatArray, nu: float, gamma: float
) -> FloatArray:
    """An optimal α of (D_2ν) with Σα ≥ ν as printed; solved in nα."""
    n, total = len(y), weights.sum()
    bound = weights * np.where(y > 0, gamma, 1 - gamma)
    found = solve_qp(
        hessian(K, y), np.zeros(n), G=-np.ones((1, n)), h=np.array([-nu * total]),
        A=y[None], b=np.zeros(1), lb=np.zeros(n), ub=bound, solver="piqp", **ACCURACY,
    )  # fmt: skip
    return found / total


def quadratic(K: FloatArray, y: FloatArray, alpha: FloatArray) -> float:
    """½ Σ_ij α_i α_j y_i y_j K_ij, written out."""
    return float(0.5 * alpha @ hessian(K, y) @ alpha)
