"""Benchmark rows: the SVMs with offset against libsvm where libsvm can, a grid, and searches.

scikit-learn's ν-SVC ignores class weights, so only the 2ν-SVM with equal costs, γ = 1/2, has a
peer; its SVC with class weights is a 2C-SVM.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.folds import FoldModel, split
from nestviz.estimators.error_control.rate_tables import ErrorTable, error_table
from nestviz.kernels import GaussianKernel
from nestviz.solvers.box_sum.dual_parameters import largest_nu, to_nu_pair
from nestviz.solvers.box_sum.dual_svm import (
    DualSolution,
    dual_nu_certificate,
    solve_dual_cost,
    solve_dual_nu,
)
from nestviz.solvers.box_sum.solve import PairSolution
from nestviz.studies.bench import error_search, libsvm
from nestviz.studies.bench.report import Row, faster
from nestviz.studies.bench.timing import best_time
from nestviz.studies.bench.training_sets import Points, sigma_rule, training_set

if TYPE_CHECKING:
    from sklearn.svm import NuSVC

GROUP = "error-control"
#: Widths of a grid, as shares of the average distance.
NARROWEST, WIDEST = 0.05, 5.0
FOLDS = 5


class Plan(NamedTuple):
    """Sizes: points, sets for single solves, values of ν and of σ in a grid."""

    n: int
    sets: tuple[str, ...]
    nus: int
    sigmas: int
    repeats: int


FULL = Plan(400, ("banana", "diabetes", "waveform", "image"), 10, 10, 7)
QUICK = Plan(200, ("banana",), 4, 3, 3)


def rows(quick: bool) -> Iterator[Row]:
    """Yield rows of single solves, a cross-validation that libsvm can do too, and a grid."""
    plan = QUICK if quick else FULL
    for name in plan.sets:
        points = training_set(name, divisor=2, n=plan.n if name == "banana" else None)
        for share in (0.3, 0.8):
            yield _nu_contest(name, points, share, plan.repeats)
        for C in (1.0, 100.0):
            yield _cost_contest(name, points, C, plan.repeats)
    points = training_set("banana", divisor=1, n=plan.n)
    yield _cross_validation(points, plan)
    yield _grid(points, plan)
    nus, sigmas = np.linspace(0.1, 1.0, plan.nus), _widths(points, plan.sigmas)
    yield from error_search.rows(GROUP, points, nus, sigmas, FOLDS)


def _nu_contest(name: str, points: Points, share: float, repeats: int) -> Row:
    """Time the ν-SVM at a share of the largest ν, both sides from points to coefficients."""
    K, nu = points.gram(), 2.0 * share * largest_nu(0.5, *_sizes(points.y))
    return libsvm.contest(
        GROUP,
        "ν-SVM (2ν-SVM with γ = 1/2)",
        f"{name}, N={len(K)}, ν={nu:.3g}, {sigma_rule(2)}",
        "libsvm NuSVC",
        fit=lambda tol: fit_nu(points, nu, tol),
        gap=lambda model: nu_gap(K, points.y, nu, model),
        ours=lambda: _solve_nu(points, nu),
        repeats=repeats,
        target=faster(1),
    )


def _cost_contest(name: str, points: Points, C: float, repeats: int) -> Row:
    """Time the 2C-SVM at γ = 0.3, both sides from points to coefficients."""
    K, gamma, one = points.gram(), 0.3, np.ones(len(points.y))
    return libsvm.contest(
        GROUP,
        "2C-SVM",
        f"{name}, N={len(K)}, C={C:g}, γ={gamma:g}, {sigma_rule(2)}",
        "libsvm SVC with class weights",
        fit=lambda tol: libsvm.fit_costs(points, 1.0 / C, [gamma], tol),
        gap=lambda models: libsvm.costs_gap(K, points.y, models),
        ours=lambda: solve_dual_cost(points.gram(), points.y, one, C, gamma),
        repeats=repeats,
        target=faster(1),
    )


def _cross_validation(points: Points, plan: Plan) -> Row:
    """Time the cross-validated ν-SVM over ν × σ: warm starts against libsvm's defaults."""
    sigmas = _widths(points, plan.sigmas)
    shares = np.linspace(0.1, 1.0, plan.nus)
    ours, mine = best_time(lambda: cross_validated(points, shares, sigmas), 1, at_least=1)
    theirs, peer = best_time(
        lambda: cross_validated_by_libsvm(points, shares, sigmas), 1, at_least=1
    )
    return Row(
        GROUP,
        "ν-SVM cross-validated over ν and σ",
        f"banana, N={plan.n}, {plan.nus} × {plan.sigmas}, {FOLDS} folds",
        f"libsvm NuSVC, tol {libsvm.DEFAULT_TOL:.0e}",
        ours,
        theirs,
        difference=float(np.abs(mine - peer).mean() / plan.n),
        note="far from converged at wide σ",
        target=faster(1),
    )


def _grid(points: Points, plan: Plan) -> Row:
    """Time the whole table of P_F and P_M, on one core."""
    nus, sigmas = np.linspace(0.1, 1.0, plan.nus), _widths(points, plan.sigmas)

    def whole() -> ErrorTable:
        return error_table(points.X, points.y, nus, nus, sigmas, cv=FOLDS)

    seconds, table = best_time(whole, 1, at_least=1)
    return Row(
        GROUP,
        "2ν-SVM: P_F and P_M over (ν₊, ν₋, σ)",
        f"banana, N={plan.n}, {plan.nus}×{plan.nus}×{plan.sigmas}, {FOLDS} folds",
        "none: libsvm has no 2ν-SVM",
        seconds,
        value=table.solves / seconds,
        unit="solves/s",
        note=f"{table.solves} solves, {table.unsettled} unsettled",
    )


def cross_validated(points: Points, shares: FloatArray, sigmas: FloatArray) -> FloatArray:
    """Count mistakes of ν-SVMs, (sigmas, shares), each solve from the one before."""
    mistakes = np.zeros((len(sigmas), len(shares)))
    for fold in split(points.X, points.y, FOLDS, 0):
        y, weights = np.asarray(fold.train.y), fold.train.weights
        sizes = float(weights[y > 0].sum()), float(weights[y < 0].sum())
        for row, sigma in enumerate(sigmas):
            model = FoldModel(fold, GaussianKernel(float(sigma)))
            end: PairSolution | None = None
            for column in range(len(shares) - 1, -1, -1):
                nu = shares[column] * largest_nu(0.5, *sizes)
                end = model.solve(*to_nu_pair(nu, 0.5, *sizes), end)
                mistakes[row, column] += sum(model.mistakes(end))
    return mistakes


def cross_validated_by_libsvm(points: Points, shares: FloatArray, sigmas: FloatArray) -> FloatArray:
    """Count the same with NuSVC as a user would call it."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import NuSVC

    mistakes = np.zeros((len(sigmas), len(shares)))
    parts = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for train, test in parts.split(points.X, points.y):
        limit = 2.0 * largest_nu(0.5, *_sizes(points.y[train]))
        for row, sigma in enumerate(sigmas):
            for column, share in enumerate(shares):
                # The largest ν is refused because of rounding.
                nu = min(share * limit, limit * (1.0 - 1e-9))
                peer = NuSVC(nu=nu, gamma=0.5 / sigma**2).fit(points.X[train], points.y[train])
                mistakes[row, column] += (peer.predict(points.X[test]) != points.y[test]).sum()
    return mistakes


def fit_nu(points: Points, nu: float, tol: float) -> NuSVC:
    """Fit libsvm's ν-SVM."""
    from sklearn.svm import NuSVC

    return NuSVC(nu=nu, kernel="rbf", gamma=points.gamma, tol=tol).fit(points.X, points.y)


def nu_gap(K: FloatArray, y: FloatArray, nu: float, model: NuSVC) -> float:
    """Return the relative gap of libsvm's coefficients, scaled to the sum of (D_2ν)."""
    sizes = _sizes(y)
    pair = to_nu_pair(0.5 * nu, 0.5, *sizes)
    alpha = np.zeros(len(y))
    alpha[model.support_] = np.abs(model.dual_coef_.ravel())
    if not alpha.any():
        return float("inf")
    alpha *= 0.5 * nu / alpha.sum()
    return dual_nu_certificate(K, alpha, y, np.ones(len(y)), *pair).duality_gap


def _solve_nu(points: Points, nu: float) -> DualSolution:
    pair = to_nu_pair(0.5 * nu, 0.5, *_sizes(points.y))
    return solve_dual_nu(points.gram(), points.y, np.ones(len(points.y)), *pair)


def _sizes(y: FloatArray) -> tuple[float, float]:
    return float((y > 0).sum()), float((y < 0).sum())


def _widths(points: Points, count: int) -> FloatArray:
    return points.kernel.sigma * np.geomspace(NARROWEST, WIDEST, count)
