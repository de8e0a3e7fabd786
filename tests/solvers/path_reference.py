"""Point sets with and without ties, and solution paths checked against first principles."""

from __future__ import annotations

import numpy as np
from qpsolvers import solve_qp

from nestviz.arrays import FloatArray
from nestviz.kernels import GaussianKernel
from nestviz.solvers.path.records import PathSolution


def cloud(seed: int, N: int = 30, d: int = 2) -> FloatArray:
    """Points in general position."""
    return np.random.default_rng(seed).normal(size=(N, d))


def tied(seed: int, N: int = 40, d: int = 2) -> FloatArray:
    """Points on a small integer grid: many coincide, and most distances repeat."""
    return np.random.default_rng(seed).integers(0, 4, size=(N, d)).astype(np.float64)


def classes(seed: int, X: FloatArray) -> FloatArray:
    """Two overlapping classes, both present."""
    noise = np.random.default_rng(seed + 1000).normal(size=len(X))
    y = np.where(X[:, 0] + noise > X[:, 0].mean(), 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return y


def gaussian(X: FloatArray, sigma: float) -> FloatArray:
    return GaussianKernel(sigma).gram(X, X)


def violation(
    K: FloatArray, y: FloatArray, target: float, alpha: FloatArray, upper: FloatArray
) -> float:
    """Largest violation of the optimality conditions of min ½ cᵀKc − target Σα, c = yα."""
    assert np.all(alpha >= 0)
    assert np.all(alpha <= upper * (1 + 1e-12) + 1e-300)
    rho = target - y * (K @ (y * alpha))
    wrong = np.abs(rho)
    wrong[alpha <= 0] = np.maximum(rho, 0)[alpha <= 0]
    wrong[alpha >= upper] = np.maximum(-rho, 0)[alpha >= upper]
    wrong[upper <= 0] = 0
    return float(wrong.max(initial=0.0))


def objective(K: FloatArray, y: FloatArray, lam: float, alpha: FloatArray) -> float:
    """The dual objective as the papers write it."""
    c = y * alpha
    return float(c @ K @ c / (2 * lam) - alpha.sum())


def solve_pointwise(K: FloatArray, y: FloatArray, lam: float, upper: FloatArray) -> FloatArray:
    """The same problem at one level, by a general interior-point solver.

    Posed in shares of the largest bound, so that its tolerances mean the same at any size.
    """
    unit = upper.max()
    share = solve_qp(
        np.outer(y, y) * K * (unit / lam),
        -np.ones(len(y)),
        lb=np.zeros(len(y)),
        ub=upper / unit,
        solver="piqp",
        eps_abs=1e-12,
        eps_rel=1e-12,
        max_iter=500,
    )
    assert share is not None
    return np.clip(unit * share, 0.0, upper)


def same_solution(
    K: FloatArray, y: FloatArray, lam: float, alpha: FloatArray, upper: FloatArray
) -> None:
    """Objective and field agree with those of a point-wise solve.

    An objective within ε of the optimum keeps the field within √(2λε) of it, as the objective is
    strongly convex in the field; so that, and no less, is what two solvers owe each other.
    """
    other = solve_pointwise(K, y, lam, upper)
    mine, theirs = objective(K, y, lam, alpha), objective(K, y, lam, other)
    slack = 1e-9 * (abs(theirs) + upper.sum())
    assert mine <= theirs + slack
    reach = np.sqrt(2 * lam * slack * np.diagonal(K).max())
    assert np.abs(K @ (y * (alpha - other))).max() <= 2 * reach


def upper_at(path: PathSolution, level: float) -> FloatArray:
    return np.maximum(path.upper_base + path.upper_slope * level, 0.0)


def one_class_residual(K: FloatArray, path: PathSolution, levels: FloatArray) -> float:
    """Largest violation over levels, relative to λ_0; from the coefficients alone."""
    ones = np.ones(len(K))
    worst = [
        violation(K, ones, lam, alpha, upper_at(path, lam))
        for lam, alpha in zip(levels, path.coefficients(levels), strict=True)
    ]
    return max(worst) / path.breakpoints[0]


def cost_residual(
    K: FloatArray, y: FloatArray, lam: float, path: PathSolution, levels: FloatArray
) -> float:
    """Largest violation over cost asymmetries, relative to λ; from the coefficients alone."""
    worst = [
        violation(K, y, lam, alpha, upper_at(path, gamma))
        for gamma, alpha in zip(levels, path.coefficients(levels), strict=True)
    ]
    return max(worst) / lam


def inner_levels(path: PathSolution, count: int, seed: int = 0) -> FloatArray:
    """Random levels strictly inside the path, and the middle of some of its steps."""
    rng = np.random.default_rng(seed)
    ends = np.sort(path.breakpoints[[0, -1]])
    middles = (path.breakpoints[1:] + path.breakpoints[:-1]) / 2
    some = rng.choice(middles, size=min(count, len(middles)), replace=False)
    return np.concatenate([rng.uniform(*ends, size=count), some])
