"""libsvm as a peer: scikit-learn's OneClassSVM and SVC, and the accuracy of their results.

Both are called as a user would, from points and with a Gaussian kernel. Their ``tol`` bounds a
violation, not a gap, so for a comparison at equal accuracy the loosest ``tol`` is found at which
the relative duality gap is as small as ours. libsvm stores kernel values in single precision, so
about 1e-8 is the smallest gap it can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.nested.certificate import one_class_certificate
from nestviz.solvers.nested.solve import TOLERANCE, solve_one_class
from nestviz.studies.bench.report import Row, Target
from nestviz.studies.bench.timing import best_time
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
    """Return the loosest ``tol`` whose gap is small enough, or else the tightest."""
    for tol in TOLS:
        gap = gap_at(tol)
        if gap <= wanted:
            break
    return Calibrated(tol, gap)


def contest(
    group: str,
    what: str,
    size: str,
    peer: str,
    *,
    fit: Callable[[float], Any],
    gap: Callable[[Any], float],
    ours: Callable[[], Any],
    repeats: int,
    target: Target | None = None,
    our_gap: Callable[[Any], float] = attrgetter("duality_gap"),
) -> Row:
    """Time our solve against libsvm's ``fit(tol)`` at the loosest ``tol`` of equal accuracy."""
    found = calibrate(lambda tol: gap(fit(tol)))
    theirs, _ = best_time(lambda: fit(found.tol), repeats)
    seconds, end = best_time(ours, repeats)
    named = f"{peer}, tol {found.tol:.0e}"
    return Row(group, what, size, named, seconds, theirs, our_gap(end), found.gap, target=target)


def nu_of_levels(K: FloatArray, upper: FloatArray, levels: FloatArray) -> FloatArray:
    """Return ν at which libsvm solves the un-nested problem (5) at each level λ: ν = Σ_i α_i(λ).

    Problem (5) and libsvm's, which fixes Σ_i α_i = ν, have the same solution; libsvm counts in
    units of 1/N. At ν = 1 it finds no offset and scikit-learn raises: ν is half a point less there.
    """
    alone = [solve_one_class(K, upper, np.array([lam]), tol=EXACT).alpha.sum() for lam in levels]
    return np.clip(alone, np.finfo(float).tiny, 1.0 - 0.5 / len(upper))


def fit_one_class(points: Points, nus: Sequence[float], tol: float) -> list[OneClassSVM]:
    """Fit one model for each ν."""
    from sklearn.svm import OneClassSVM

    return [
        OneClassSVM(kernel="rbf", gamma=points.gamma, nu=nu, tol=tol).fit(points.X) for nu in nus
    ]


def one_class_gap(K: FloatArray, models: Sequence[OneClassSVM]) -> float:
    """Return the relative gap of all models together, each at its level λ = ρ/N."""
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
    """Fit one classifier for each cost asymmetry γ: C = 1/λ, class weights γ and 1 − γ.

    SVC has an offset, unlike the cost-sensitive SVM of equation (2): it is the nearest problem.
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
    """Return the relative gap of all classifiers together, offset included."""
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
    # With a very loose tolerance libsvm leaves all coefficients at zero.
    return gaps / size if size > 0 else float("inf")
