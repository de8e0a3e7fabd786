"""What the cost-sensitive SVMs share: two classes, no intercept, answers at one asymmetry."""

from __future__ import annotations

from typing import Any

from nestviz.arrays import FloatArray
from nestviz.estimators.base import Problem, keep_certificate
from nestviz.estimators.two_classes import TwoClassEstimator
from nestviz.families import SetFamily
from nestviz.solvers.nested.certificate import cost_sensitive_certificate
from nestviz.solvers.nested.feasible import settle_cost_sensitive
from nestviz.solvers.nested.limits import lambda_cs
from nestviz.solvers.records import Solution
from nestviz.solvers.verification import field_noise, verified


def cost_family(problem: Problem, **parts: Any) -> SetFamily:
    """Return the sets over γ of coefficients at some asymmetries."""
    options = {
        "centres": problem.centres,
        "kernel": problem.kernel,
        "orientation": 1,
        "level_name": "cost asymmetry γ",
    }
    return SetFamily(**{**options, **parts})


class CostSensitiveEstimator(TwoClassEstimator):
    """A classifier without intercept; a single class is accepted."""

    lam: float
    tol: float
    _needs_both = False

    def _problem(self, *data: Any) -> Problem:
        problem = super()._problem(*data)
        self.lambda_max_ = lambda_cs(problem.columns, problem.y, problem.weights)
        return problem

    def _keep_verified(
        self,
        problem: Problem,
        solution: Solution,
        lam: float,
        asymmetries: FloatArray,
        level_weights: FloatArray | None = None,
    ) -> FloatArray:
        """Keep a certificate from the points; return coefficients feasible to the last bit."""
        certificate = cost_sensitive_certificate(
            problem.verifying, solution.alpha, problem.y, problem.weights, lam, asymmetries,
            level_weights,
        )  # fmt: skip
        noise = field_noise(solution.alpha, problem.columns.diagonal, lam)
        keep_certificate(self, verified(solution, certificate, self.tol, noise=noise))
        merged = problem.merged
        return settle_cost_sensitive(
            merged.split(solution.alpha), problem.y[merged.inverse],
            merged.split(problem.weights), asymmetries,
        )  # fmt: skip
