"""The q-OCSVM against a general QP solver, its primal, by hand, and the statements of Theorem 2."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quantile_reference import Quantiles, objective, primal, problem, reference
from scipy.optimize import linprog

from nestviz.kernels import GaussianKernel
from nestviz.solvers.box_sum.nu_certificate import best_offsets
from nestviz.solvers.box_sum.nu_one_class import solve_nu_one_class
from nestviz.solvers.columns import KernelRows
from nestviz.solvers.quantile import solve as module
from nestviz.solvers.quantile.certificate import quantile_certificate
from nestviz.solvers.quantile.solve import filled, solve_quantiles

NINETEEN = np.arange(1, 20) / 20
KINDS = [
    pytest.param({}, id="three quantiles"),
    pytest.param({"quantiles": (0.5,)}, id="one quantile"),
    pytest.param({"quantiles": (0.05, 0.95)}, id="extreme quantiles"),
    pytest.param({"sigma": 0.05}, id="narrow kernel"),
    pytest.param({"sigma": 3.0}, id="wide kernel"),
    pytest.param({"weighted": True}, id="weights"),
    pytest.param({"quantiles": NINETEEN, "n": 20}, id="nineteen quantiles of twenty points"),
    pytest.param({"degree": 2}, id="polynomial kernel"),
    pytest.param({"degree": 3, "weighted": True}, id="odd polynomial kernel, weights"),
]


@pytest.fixture(params=["whole", "in parts"])
def size(request, monkeypatch):
    """Small problems worked on whole, and as if they were large."""
    if request.param == "in parts":
        monkeypatch.setattr(module, "WHOLE", 8)
        monkeypatch.setattr(module, "SAMPLE", 6)
        monkeypatch.setattr(module, "FEWEST_VIOLATORS", 3)
        monkeypatch.setattr(module, "LARGEST_SET", 12)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("options", KINDS)
def test_objective_of_a_general_solver(options, seed, size):
    posed = problem(seed, **options)
    solution = posed.solve(tol=1e-9)
    best = objective(posed, reference(posed))
    assert solution.converged
    assert solution.objective == pytest.approx(best, rel=1e-7)
    assert objective(posed, solution.eta) == pytest.approx(solution.objective, rel=1e-12)


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("options", KINDS)
def test_the_tolerance_asked_for_is_kept_and_recomputed(options, tol):
    posed = problem(3, **options)
    solution = posed.solve(tol=tol)
    assert solution.converged
    assert 0 <= solution.duality_gap <= tol
    assert solution.kkt_residual <= tol**0.5
    again = quantile_certificate(posed.K, solution.eta, posed.weights, posed.quantiles)
    assert again.objective == pytest.approx(solution.objective, rel=1e-12)
    assert again.duality_gap == pytest.approx(solution.duality_gap, abs=1e-14)
    assert again.kkt_residual == pytest.approx(solution.kkt_residual, abs=1e-14)
    np.testing.assert_allclose(again.rho, solution.rho, rtol=1e-12)


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("tol", [1e-2, 1e-6])
def test_constraints_hold(options, tol, size):
    posed = problem(5, **options)
    eta = posed.solve(tol=tol).eta
    assert np.all(eta >= 0)
    assert np.all(eta <= posed.bounds())
    np.testing.assert_allclose(eta.sum(axis=1), 1.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("options", KINDS)
def test_the_gap_is_that_of_the_primal(options):
    """Primal minus dual, with both written out; the dual of the paper's minimum is its negative."""
    posed = problem(7, **options)
    rng = np.random.default_rng(0)
    bounds = posed.bounds()
    for eta in (posed.solve(tol=1e-2).eta, filled(rng.normal(size=len(posed.K)), bounds)):
        found = quantile_certificate(posed.K, eta, posed.weights, posed.quantiles)
        value = primal(posed, eta, found.rho)
        gap = value + objective(posed, eta)
        assert found.duality_gap * found.objective == pytest.approx(gap, rel=1e-9, abs=1e-13)
        for _ in range(20):
            other = found.rho + rng.normal(size=len(found.rho)) * 0.1
            assert primal(posed, eta, other) >= value - 1e-13


@pytest.mark.parametrize("options", KINDS)
def test_offsets_are_the_field_of_points_between_their_bounds(options):
    """Equation (7)."""
    posed = problem(2, **options)
    solution = posed.solve(tol=1e-13)
    F = posed.K @ solution.eta.sum(axis=0) / len(posed.quantiles)
    np.testing.assert_allclose(solution.field, F, rtol=1e-12)
    free = (solution.eta > 1e-6) & (solution.eta < posed.bounds() * (1 - 1e-6))
    assert free.any()
    quantile, point = np.nonzero(free)
    np.testing.assert_allclose(F[point], solution.rho[quantile], rtol=1e-5)


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), min_size=1, max_size=30),
    st.lists(st.integers(1, 19), min_size=1, max_size=6, unique=True),
)
def test_offsets_halve_the_weight_whatever_the_field(points, twentieths):
    """Statements (1) and (2) of Theorem 2, for any w, with ties and points without weight."""
    F = np.array([value for value, _ in points], dtype=np.float64)
    weights = np.array([weight for _, weight in points], dtype=np.float64)
    if not weights.any():
        weights[0] = 1.0
    u, nu = weights / weights.sum(), 1 - np.sort(twentieths) / 20
    rho = best_offsets(F, u, nu)
    assert np.all(np.diff(rho) <= 0)
    outside = np.array([u[level > F].sum() for level in rho])
    or_on = np.array([u[level >= F].sum() for level in rho])
    assert np.all(outside <= nu + 1e-12)
    assert np.all(or_on >= nu - 1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_filling_by_the_field_is_the_best_linear_step(seed):
    posed = problem(seed, weighted=True)
    bounds, F = posed.bounds(), np.random.default_rng(seed).normal(size=len(posed.K))
    eta = filled(F, bounds)
    for row, bound in zip(eta, bounds, strict=True):
        best = linprog(F, A_eq=np.ones((1, len(F))), b_eq=[1.0], bounds=[(0, b) for b in bound])
        assert row @ F == pytest.approx(best.fun, rel=1e-9)


def test_one_quantile_is_the_nu_one_class_svm():
    posed = problem(0, quantiles=(0.7,), n=60)
    solution = posed.solve(tol=1e-12)
    single = solve_nu_one_class(posed.K, posed.bounds()[0], tol=1e-12)
    assert solution.objective == pytest.approx(single.objective, rel=1e-10)
    assert solution.rho[0] == pytest.approx(single.rho, rel=1e-5)
    np.testing.assert_allclose(solution.eta[0], single.alpha, atol=1e-5)


def test_three_points_by_hand():
    """Two points that coincide in feature space and a far one, quantile ½: bounds are ⅔.

    With a on the pair and 1 − a on the lone point the objective is ½(a² + (1 − a)²), least at ½.
    """
    K = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    solution = solve_quantiles(K, np.ones(3), [0.5], tol=1e-14)
    assert solution.objective == pytest.approx(0.25, rel=1e-12)
    assert solution.eta[0, :2].sum() == pytest.approx(0.5, rel=1e-6)
    assert solution.rho == pytest.approx(0.5, rel=1e-6)


def test_a_doubled_point_is_a_doubled_weight():
    posed = problem(4)
    twice = np.append(np.arange(24), 5)
    weights = np.ones(24)
    weights[5] = 2.0
    merged = solve_quantiles(posed.K, weights, posed.quantiles, tol=1e-12)
    apart = solve_quantiles(posed.K[np.ix_(twice, twice)], np.ones(25), posed.quantiles, tol=1e-12)
    assert merged.objective == pytest.approx(apart.objective, rel=1e-10)
    np.testing.assert_allclose(merged.rho, apart.rho, rtol=1e-5)


def test_points_without_weight_do_not_count():
    posed = problem(6)
    weights = np.ones(24)
    weights[::4] = 0.0
    kept = np.flatnonzero(weights)
    some = solve_quantiles(posed.K, weights, posed.quantiles, tol=1e-12)
    alone = solve_quantiles(posed.K[np.ix_(kept, kept)], np.ones(18), posed.quantiles, tol=1e-12)
    assert some.objective == pytest.approx(alone.objective, rel=1e-10)
    assert np.all(some.eta[:, ::4] == 0)


def test_rows_computed_when_needed_give_the_same_answer(monkeypatch):
    monkeypatch.setattr(module, "WHOLE", 100)
    monkeypatch.setattr(module, "SAMPLE", 50)
    X = np.random.default_rng(1).normal(size=(400, 2))
    kernel = GaussianKernel(0.6)
    stored = solve_quantiles(kernel.gram(X, X), np.ones(400), NINETEEN, tol=1e-9)
    rows = KernelRows(kernel, X, chunk_budget=8 * 400 * 16)
    unstored = solve_quantiles(rows, np.ones(400), NINETEEN, tol=1e-9)
    assert unstored.converged
    assert unstored.objective == pytest.approx(stored.objective, rel=1e-8)


def test_a_solve_is_the_same_every_time():
    posed = problem(0, n=200, quantiles=NINETEEN)
    first, second = posed.solve(), posed.solve()
    np.testing.assert_array_equal(first.eta, second.eta)
    np.testing.assert_array_equal(first.rho, second.rho)


def test_a_callback_can_stop_the_solve():
    posed = problem(0, n=200, sigma=0.1, quantiles=NINETEEN)
    seen = []
    stopped = posed.solve(tol=1e-12, callback=lambda p: seen.append(p) or len(seen) >= 2)
    assert [progress.done for progress in seen] == [0, 1]
    assert not stopped.converged
    np.testing.assert_allclose(stopped.eta.sum(axis=1), 1.0, atol=1e-12)
    assert seen[1].objective < seen[0].objective


def test_infeasible_coefficients_have_no_certificate():
    posed = problem(0)
    eta = posed.solve().eta
    for wrong in (eta * 1.01, np.where(eta == 0, -1e-6, eta)):
        found = quantile_certificate(posed.K, wrong, posed.weights, posed.quantiles)
        assert found.duality_gap == found.kkt_residual == np.inf


@pytest.mark.parametrize(
    "quantiles", [[], [0.0, 0.5], [0.5, 1.0], [0.5, 0.2], [0.3, 0.3], [np.nan]]
)
def test_wrong_quantiles_are_refused_in_a_sentence(quantiles):
    with pytest.raises(ValueError, match=r"quantiles must be .*\."):
        solve_quantiles(np.eye(3), np.ones(3), quantiles)


def test_weights_must_not_all_vanish():
    with pytest.raises(ValueError, match="at least one point has to count"):
        solve_quantiles(np.eye(3), np.zeros(3), [0.5])


def test_the_origin_among_the_points_ends_with_a_small_objective():
    """Not separable: w vanishes, and the solve still ends."""
    K = np.array([[1.0, -1.0], [-1.0, 1.0]])
    solution = Quantiles(K, np.ones(2), np.array([0.2, 0.4])).solve()
    assert solution.objective == pytest.approx(0.0, abs=1e-8)
