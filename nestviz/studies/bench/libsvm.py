"""libsvm as a peer: scikit-learn's OneClassSVM and SVC, and how accurate their answers are.

Both are called as a user would call them, from points and with a Gaussian kernel. Their ``tol``
bounds a violation, not a gap, so for a comparison at equal accuracy the loosest ``tol`` is looked
for at which the relative gap between primal and dual objective is as small as ours has to be.
libsvm keeps kernel values in single precision, so about 1e-8 is the smallest gap it can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.nested.certificate import one_class_certificate
from nestviz.solvers.nested.solve import TOLERANCE, solve_one_class
from nestviz.studies.bench.training_sets import Points

if TYPE_CHECKING:
    from sklearn.svm import SVC, OneClassSVM


#: scikit-learn's own choice of ``tol``.
DEFAULT_TOL = 1e-3
#: Values of ``tol`` that are tried, loosest first.
TOLS = tuple(10.0**k for k in range(1, -10, -1))
#: Accuracy at which levels are translated into ν.
EXACT = 1e-9
#: SVC refuses a class of cost zero; at γ = 0 and 1 it is given this cost instead.
SMALLEST_COST = 0.01


class Calibrated(NamedTuple):
    """The ``tol`` found, and the gap it leaves."""

    tol: float
    gap: float


def calibrate(gap_at: Callable[[float], float], wanted: float = TOLERANCE) -> Calibrated:
    """The loosest ``tol`` whose gap is small enough, or the tightest there is."""
    for tol in TOLS:
        gap = gap_at(tol)
        if gap <= wanted:
            break
    return Calibrated(tol, gap)


def nu_of_levels(K: FloatArray, upper: FloatArray, levels: FloatArray) -> FloatArray:
    """ν at which libsvm solves the un-nested problem (5) at each level λ: ν = Σ_i α_i(λ).

    Problem (5) and libsvm's, which fixes Σ_i α_i = ν and leaves the level to be found, have the
    same solution; libsvm counts in units of 1/N. At ν = 1, where nothing is left to solve, it finds
    no offset and scikit-learn refuses its answer: half a point less is asked for.
    """
    alone = [solve_one_class(K, upper, np.array([lam]), tol=EXACT).alpha.sum() for lam in levels]
    return np.clip(alone, np.finfo(float).tiny, 1.0 - 0.5 / len(upper))


def fit_one_class(points: Points, nus: Sequence[float], tol: float) -> list[OneClassSVM]:
    """One model for each ν."""
    from sklearn.svm import OneClassSVM

    return [
        OneClassSVM(kernel="rbf", gamma=points.gamma, nu=nu, tol=tol).fit(points.X) for nu in nus
    ]


def one_class_gap(K: FloatArray, models: Sequence[OneClassSVM]) -> float:
    """Relative gap of all models together, each at the level λ = ρ/N that it found for itself."""
    N = len(K)
    upper = np.full(N, 1.0 / N)
    gaps, size = 0.0, 0.0
    for model in models:
        level = float(model.offset_[0]) / N
        if level <= 0:
            return float("inf")
        alpha = np.zeros((1, N))
        alpha[0, model.support_] = np.minimum(model.dual_coef_.ravel() / N, upper[0])
        certificate = one_class_certificate(K, alpha, upper, np.array([level]))
        gaps += certificate.duality_gap * abs(certificate.objective)
        size += abs(certificate.objective)
    return gaps / size


def fit_costs(points: Points, lam: float, asymmetries: Sequence[float], tol: float) -> list[SVC]:
    """One classifier for each cost asymmetry γ: C = 1/λ, class weights γ and 1 − γ.

    SVC has an offset, which the cost-sensitive SVM of equation (2) has not: the nearest problem
    that a user can have solved.
    """
    from sklearn.svm import SVC

    return [
        SVC(
            C=1.0 / lam,
            class_weight={1.0: gamma, -1.0: 1.0 - gamma},
            kernel="rbf",
            gamma=points.gamma,
            tol=tol,
        ).fit(points.X, points.y)
        for gamma in np.clip(asymmetries, SMALLEST_COST, 1.0 - SMALLEST_COST)
    ]


def costs_gap(K: FloatArray, y: FloatArray, models: Sequence[SVC]) -> float:
    """Relative gap of all classifiers together, in their own problem, offset included."""
    gaps, size = 0.0, 0.0
    for model in models:
        c = np.zeros(len(y))
        c[model.support_] = model.dual_coef_.ravel()
        field = K @ c
        norm = float(c @ field)
        slack = np.maximum(0.0, 1.0 - y * (field + float(model.intercept_[0])))
        cost = model.C * np.where(y > 0, model.class_weight[1.0], model.class_weight[-1.0])
        dual = float(np.abs(c).sum()) - 0.5 * norm
        gaps += 0.5 * norm + float(cost @ slack) - dual
        size += abs(dual)
    # A tolerance so loose that libsvm does not even begin leaves all coefficients at zero.
    return gaps / size if size > 0 else float("inf")
