"""Small problems, and the same problems posed to a general quadratic programming solver."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from qpsolvers import solve_qp

from nestviz.arrays import FloatArray
from nestviz.kernels import GaussianKernel
from nestviz.solvers.nested.certificate import (
    Certificate,
    cost_sensitive_certificate,
    one_class_certificate,
)
from nestviz.solvers.nested.limits import lambda_cs, lambda_oc
from nestviz.solvers.nested.solve import solve_cost_sensitive, solve_one_class
from nestviz.solvers.records import Solution


class OneClass(NamedTuple):
    """A nested one-class problem, and how to pose it in the paper's own variables."""

    K: FloatArray
    upper: FloatArray
    levels: FloatArray

    def solve(self, **options: object) -> Solution:
        return solve_one_class(self.K, self.upper, self.levels, **options)

    def certify(self, alpha: FloatArray) -> Certificate:
        return one_class_certificate(self.K, alpha, self.upper, self.levels)

    def quadratic(self) -> list[FloatArray]:
        return [self.K / lam for lam in self.levels]

    def bounds(self) -> FloatArray:
        return np.tile(self.upper, (len(self.levels), 1))

    def order(self) -> tuple[FloatArray, FloatArray]:
        """Factors of α in α_m · first ≤ α_{m+1} · second."""
        N = len(self.upper)
        factor = np.repeat(1.0 / self.levels[:, None], N, axis=1)
        return factor[:-1], factor[1:]


class CostSensitive(NamedTuple):
    """A nested cost-sensitive problem, and how to pose it in the paper's own variables."""

    K: FloatArray
    y: FloatArray
    weights: FloatArray
    lam: float
    asymmetries: FloatArray

    def solve(self, **options: object) -> Solution:
        return solve_cost_sensitive(*self, **options)

    def certify(self, alpha: FloatArray) -> Certificate:
        return cost_sensitive_certificate(self.K, alpha, *self[1:])

    def quadratic(self) -> list[FloatArray]:
        return [self.y[:, None] * self.y * self.K / self.lam] * len(self.asymmetries)

    def bounds(self) -> FloatArray:
        gamma = self.asymmetries[:, None]
        return self.weights * np.where(self.y > 0, gamma, 1 - gamma)

    def order(self) -> tuple[FloatArray, FloatArray]:
        """Factors of α in α_m · first ≤ α_{m+1} · second."""
        factor = np.tile(self.y, (len(self.asymmetries), 1))
        return factor[:-1], factor[1:]


Problem = OneClass | CostSensitive


def reference(problem: Problem) -> FloatArray:
    """Coefficients (M, N) from an interior-point solver that does not use the structure."""
    P = sp.block_diag(problem.quadratic(), format="csc")
    bounds = problem.bounds()
    M, N = bounds.shape
    first, second = problem.order()
    G = sp.csc_matrix(
        sp.hstack([sp.diags(first.ravel()), sp.csc_matrix((N * (M - 1), N))])
        - sp.hstack([sp.csc_matrix((N * (M - 1), N)), sp.diags(second.ravel())])
    )
    # Rows of very different size (levels 1e-6 apart from 1) would cost the interior point digits.
    G = sp.diags(1.0 / np.maximum(np.abs(G).max(axis=1).toarray().ravel(), 1e-300)) @ G
    alpha = solve_qp(
        P,
        -np.ones(M * N),
        sp.csc_matrix(G) if M > 1 else None,
        np.zeros(N * (M - 1)) if M > 1 else None,
        lb=np.zeros(M * N),
        ub=bounds.ravel(),
        solver="clarabel",
        tol_gap_abs=1e-11,
        tol_gap_rel=1e-11,
        tol_feas=1e-11,
    )
    return alpha.reshape(M, N)


def objective(problem: Problem, alpha: FloatArray) -> float:
    """(7) or (12), written out."""
    pairs = zip(problem.quadratic(), alpha, strict=True)
    return float(sum(0.5 * a @ Q @ a - a.sum() for Q, a in pairs))


def one_class(
    seed: int, N: int = 14, M: int = 4, sigma: float = 0.7, weighted: bool = False
) -> OneClass:
    """A random one-class problem with levels over the whole range of interest."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 2))
    K = GaussianKernel(sigma).gram(X, X)
    upper = (rng.uniform(0.0, 2.0, N) if weighted else np.ones(N)) / N
    return OneClass(K, upper, np.linspace(lambda_oc(K, upper), 1e-3, M))


def cost_sensitive(
    seed: int,
    N: int = 14,
    M: int = 4,
    sigma: float = 0.7,
    lam: float = 0.5,
    weighted: bool = False,
) -> CostSensitive:
    """A random two-class problem with overlapping classes; ``lam`` is relative to λ_max."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(N) % 3 == 0, 1.0, -1.0)
    X = rng.normal(size=(N, 2)) + 0.8 * y[:, None]
    K = GaussianKernel(sigma).gram(X, X)
    weights = rng.uniform(0.0, 2.0, N) if weighted else np.ones(N)
    gamma = np.linspace(0.0, 1.0, M) if M > 1 else np.array([0.4])
    return CostSensitive(K, y, weights, lam * lambda_cs(K, y, weights), gamma)


def worst_condition(problem: Problem, alpha: FloatArray) -> float:
    """The most that a feasible move of one point's coefficients could still gain, as a share.

    Of a run of levels with one value the last ones may rise, unless the first of them is at its
    bound, and the first ones may fall, unless the value is zero: a gain is the slope of such a move
    relative to the margins it concerns. A coefficient that is free and alone is on the margin.
    """
    if isinstance(problem, OneClass):
        b, weight, target = alpha / problem.levels[:, None], problem.levels, np.ones(len(problem.K))
        bounds = problem.upper / problem.levels[:, None]
    else:
        b, weight = problem.y * alpha, np.full(len(alpha), 1.0 / problem.lam)
        target, bounds = problem.lam * problem.y, problem.bounds()
    field, worst = b @ problem.K, 0.0
    for i, s in enumerate(target):
        order = slice(None) if s > 0 else slice(None, None, -1)
        a, h = np.abs(b[order, i]), bounds[order, i]
        slopes = weight[order] * (field[order, i] * np.sign(s) - abs(s))
        margins = weight[order] * abs(s)
        runs = np.split(np.arange(len(a)), np.flatnonzero(np.diff(a) > 1e-12 * a[1:]) + 1)
        for run in runs:
            for k in range(len(run)):
                first, last = run[: k + 1], run[k:]
                if a[run[0]] > 0:
                    worst = max(worst, slopes[first].sum() / margins[first].sum())
                if a[last[0]] < h[last[0]]:
                    worst = max(worst, -slopes[last].sum() / margins[last].sum())
    return float(worst)
