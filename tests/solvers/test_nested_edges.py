"""Degenerate input, early stops, kernels that are not stored, merged points, limits of λ."""

import numpy as np
import pytest
from nested_reference import CostSensitive, OneClass, cost_sensitive, one_class

from nestviz.kernels import GaussianKernel, PolynomialKernel
from nestviz.solvers.columns import KernelRows, StoredMatrix, columns_of
from nestviz.solvers.merge import merge_duplicates
from nestviz.solvers.nested.decomposition import starting_point
from nestviz.solvers.nested.feasible import (
    cost_sensitive_chains,
    is_cost_sensitive_feasible,
    is_one_class_feasible,
    one_class_chains,
    settle_one_class,
)
from nestviz.solvers.nested.limits import lambda_cs, lambda_oc
from nestviz.solvers.nested.solve import solve_cost_sensitive, solve_one_class

GAMMA = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
LEVELS = np.array([0.8, 0.3, 0.1, 1e-6])


@pytest.fixture
def in_parts(monkeypatch):
    """Small problems are solved as large ones are: a part of the points at a time."""
    monkeypatch.setattr("nestviz.solvers.nested.decomposition.WHOLE", 0)


def check(solution):
    assert np.all(np.isfinite(solution.alpha))
    assert solution.converged
    assert solution.duality_gap <= 1e-6
    assert np.isfinite(solution.objective)
    assert np.isfinite(solution.kkt_residual)


MATRICES = [
    pytest.param(np.ones((1, 1)), id="one point"),
    pytest.param(np.ones((12, 12)), id="all points equal"),
    pytest.param(np.eye(12), id="identity"),
    pytest.param(np.kron(np.eye(3), np.ones((4, 4))), id="repeated rows"),
    pytest.param(np.zeros((5, 5)), id="a kernel that vanishes"),
    pytest.param(np.diag([0.0, 1.0, 2.0]), id="one point of no length"),
    pytest.param(1e12 * np.eye(4) + 1e12, id="large kernel"),
]


@pytest.mark.parametrize("K", MATRICES)
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_degenerate_kernels(K, scale):
    N = len(K)
    check(solve_one_class(K, np.full(N, 1 / N), scale * LEVELS))
    y = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    check(solve_cost_sensitive(K, y, np.ones(N), scale, GAMMA))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_one_class_empty(sign):
    problem = cost_sensitive(0)
    one_sided = problem._replace(y=np.full(len(problem.y), sign))
    solution = one_sided.solve()
    check(solution)
    empty = 0 if sign > 0 else -1
    assert np.all(solution.alpha[empty] == 0)


@pytest.mark.parametrize("make", [one_class, cost_sensitive])
def test_no_weight_at_all(make):
    problem = make(0)
    name = "upper" if isinstance(problem, OneClass) else "weights"
    solution = problem._replace(**{name: np.zeros(len(problem.K))}).solve()
    assert np.all(solution.alpha == 0)
    assert solution.converged
    assert (solution.objective, solution.duality_gap, solution.kkt_residual) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("make", [one_class, cost_sensitive])
def test_points_without_weight_are_as_if_absent(make):
    problem = make(1)
    name = "upper" if isinstance(problem, OneClass) else "weights"
    keep = np.arange(len(problem.K)) % 4 != 1
    zeroed = problem._replace(**{name: np.where(keep, getattr(problem, name), 0.0)}).solve(tol=1e-9)
    K = problem.K[np.ix_(keep, keep)]
    if isinstance(problem, OneClass):
        absent = OneClass(K, problem.upper[keep], problem.levels)
    else:
        rest = problem.weights[keep], problem.lam, problem.asymmetries
        absent = CostSensitive(K, problem.y[keep], *rest)
    assert zeroed.objective == pytest.approx(absent.solve(tol=1e-9).objective, rel=1e-8)
    assert np.all(zeroed.alpha[:, ~keep] == 0)


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0])
def test_one_asymmetry_at_the_ends(gamma):
    problem = cost_sensitive(2)._replace(asymmetries=np.array([gamma]))
    solution = problem.solve()
    check(solution)
    if gamma in (0.0, 1.0):
        silent = problem.y == (1.0 if gamma == 0.0 else -1.0)
        assert np.all(solution.alpha[0, silent] == 0)


def test_limit_of_the_one_class_level():
    problem = one_class(3, weighted=True)
    limit = lambda_oc(problem.K, problem.upper)
    assert limit == pytest.approx((problem.K * problem.upper).sum(axis=1).max(), rel=1e-14)
    above = problem._replace(levels=np.array([1.001 * limit])).solve()
    below = problem._replace(levels=np.array([0.999 * limit])).solve(tol=1e-12)
    assert np.array_equal(above.alpha[0], problem.upper)
    assert np.any(below.alpha[0] < problem.upper)


def test_limit_of_the_regularisation():
    problem = cost_sensitive(3, weighted=True)
    limit = lambda_cs(problem.K, problem.y, problem.weights)
    above = problem._replace(lam=1.001 * limit).solve()
    below = problem._replace(lam=0.99 * limit).solve(tol=1e-12)
    assert np.array_equal(above.alpha, problem.bounds())
    assert not np.array_equal(below.alpha, problem.bounds())


@pytest.mark.parametrize("make", [one_class, cost_sensitive])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_callback_may_stop_the_solve(make, after):
    problem = make(4, N=40, sigma=2.0)
    seen = []

    def enough(progress):
        seen.append(progress)
        return progress.done >= after

    solution = problem.solve(tol=1e-13, callback=enough)
    assert [progress.done for progress in seen] == list(range(after + 1))
    assert seen[-1].objective <= seen[0].objective
    assert solution.n_iter == after
    assert not solution.converged
    assert solution.duality_gap == pytest.approx(seen[-1].duality_gap, rel=1e-6)
    if isinstance(problem, OneClass):
        assert is_one_class_feasible(solution.alpha, problem.upper, problem.levels)
    else:
        rest = problem.y, problem.weights, problem.asymmetries
        assert is_cost_sensitive_feasible(solution.alpha, *rest)


def test_an_unreachable_tolerance_ends_by_the_number_of_rounds():
    solution = cost_sensitive(5, N=20, lam=1e-3, sigma=3.0).solve(tol=1e-300, max_iter=7)
    assert solution.n_iter <= 7
    assert np.all(np.isfinite(solution.alpha))
    exact = solution.duality_gap == 0.0 and solution.kkt_residual == 0.0
    assert solution.converged == exact


@pytest.mark.parametrize(
    "kernel", [GaussianKernel(0.8), PolynomialKernel(degree=2)], ids=["gaussian", "polynomial"]
)
def test_a_kernel_that_is_not_stored(kernel, in_parts):
    X = np.random.default_rng(0).normal(size=(60, 2))
    K = kernel.gram(X, X)
    rows = KernelRows(kernel, X, chunk_budget=8 * 60 * 7)
    points = np.arange(3, 40, 2)
    b = np.random.default_rng(1).normal(size=(3, 60))
    np.testing.assert_allclose(rows.product(b), b @ K, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(rows.product_of(points, b[:, points]), b[:, points] @ K[points])
    np.testing.assert_allclose(rows.block(points), K[np.ix_(points, points)])
    upper = np.full(60, 1 / 60)
    levels = np.linspace(lambda_oc(rows, upper), 1e-3, 4)
    stored = solve_one_class(K, upper, levels, tol=1e-9)
    computed = solve_one_class(rows, upper, levels, tol=1e-9)
    assert computed.objective == pytest.approx(stored.objective, rel=1e-8)
    assert computed.converged


def test_a_block_of_a_stored_matrix():
    K = np.random.default_rng(0).normal(size=(7, 7))
    columns = StoredMatrix(K)
    points = np.array([1, 2, 6])
    assert np.array_equal(columns.block(points), K[np.ix_(points, points)])
    assert columns.block(np.arange(7)) is columns.K


def test_the_budget_decides_whether_the_matrix_is_stored():
    X = np.random.default_rng(0).normal(size=(10, 2))
    assert isinstance(columns_of(GaussianKernel(1.0), X, matrix_budget=800), StoredMatrix)
    assert isinstance(columns_of(GaussianKernel(1.0), X, matrix_budget=799), KernelRows)


@pytest.mark.parametrize("make", [one_class, cost_sensitive])
def test_a_coarse_start_is_feasible_and_leads_to_the_same_optimum(make, monkeypatch):
    problem = make(6, N=40, weighted=True)
    fine = problem.solve(tol=1e-9)
    for module in ("coarse_start", "decomposition"):
        monkeypatch.setattr(f"nestviz.solvers.nested.{module}.SMALL", 8)
    columns = StoredMatrix(problem.K)
    if isinstance(problem, OneClass):
        chains = one_class_chains(*problem[1:])
    else:
        chains = cost_sensitive_chains(*problem[1:])
    b, F = starting_point(columns, chains)
    np.testing.assert_allclose(F, b @ problem.K, rtol=1e-12)
    assert np.all(np.diff(b, axis=0) >= 0)
    assert np.all(np.abs(b) <= chains.h)
    assert np.all(b * chains.s >= 0)
    assert problem.solve(tol=1e-9).objective == pytest.approx(fine.objective, rel=1e-8)


def test_working_sets_smaller_than_the_problem(monkeypatch):
    problem = cost_sensitive(7, N=80, lam=0.02)
    whole = problem.solve(tol=1e-9)
    monkeypatch.setattr("nestviz.solvers.nested.decomposition.WHOLE", 0)
    monkeypatch.setattr("nestviz.solvers.nested.decomposition.FEWEST_VIOLATORS", 3)
    monkeypatch.setattr("nestviz.solvers.nested.decomposition.LARGEST_SET", 25)
    monkeypatch.setattr("nestviz.solvers.nested.newton.MOST_BLOCKS", 20)
    parts = problem.solve(tol=1e-9)
    assert parts.converged
    assert parts.objective == pytest.approx(whole.objective, rel=1e-8)


def test_a_field_that_drifts_does_not_decide(in_parts):
    """Updates of the field that are off by a millionth: the claim rests on the fresh field."""

    updates = []

    class Drifting(StoredMatrix):
        def product_of(self, points, b):
            updates.append(len(points))
            return super().product_of(points, b) * (1 + 1e-6)

    problem = cost_sensitive(9, N=60, lam=0.05)
    solution = solve_cost_sensitive(Drifting(problem.K), *problem[1:], tol=1e-8)
    assert sum(updates) > 0
    assert solution.converged
    assert problem.certify(solution.alpha).duality_gap == pytest.approx(
        solution.duality_gap, rel=1e-6
    )
    assert problem.certify(solution.alpha).duality_gap <= 1e-8


def test_rounding_ends_a_solve_that_cannot_improve():
    """A gap next to zero is out of reach, yet nothing is left to gain."""
    solution = cost_sensitive(5, N=30, lam=1e-2, sigma=2.0).solve(tol=1e-300)
    assert solution.n_iter < 200
    assert solution.duality_gap < 1e-9


def test_merged_points_give_the_unmerged_answer():
    rng = np.random.default_rng(8)
    X = rng.integers(0, 3, size=(40, 2)).astype(float)
    X[0, 0] = -0.0
    w = rng.uniform(0, 2, 40)
    merged = merge_duplicates(X, weights=w)
    assert len(merged.X) < len(X)
    assert np.array_equal(merged.X[merged.inverse], X)
    assert merged.weights.sum() == pytest.approx(w.sum(), rel=1e-14)
    kernel, levels = GaussianKernel(0.7), np.array([0.3, 0.1, 0.02])
    small = solve_one_class(kernel.gram(merged.X, merged.X), merged.weights / 40, levels, tol=1e-10)
    large = solve_one_class(kernel.gram(X, X), w / 40, levels, tol=1e-10)
    assert small.objective == pytest.approx(large.objective, rel=1e-9)
    alpha = settle_one_class(merged.split(small.alpha), w / 40, levels)
    assert is_one_class_feasible(alpha, w / 40, levels)
    K = kernel.gram(X, X)
    np.testing.assert_allclose(alpha @ K, large.alpha @ K, atol=1e-4)


def test_merging_keeps_classes_apart_and_order():
    X = np.array([[1.0, 2.0], [0.0, 0.0], [1.0, 2.0], [1.0, 2.0]])
    y = np.array([1.0, -1.0, -1.0, 1.0])
    merged = merge_duplicates(X, y)
    assert merged.X.tolist() == [[1, 2], [0, 0], [1, 2]]
    assert merged.y.tolist() == [1, -1, -1]
    assert merged.weights.tolist() == [2, 1, 1]
    assert merged.split(np.array([[4.0, 5.0, 6.0]])).tolist() == [[2, 5, 6, 2]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"K": np.ones((3, 2))}, "square"),
        ({"K": np.diag([1.0, -1.0])}, "not a kernel matrix"),
        ({"upper": np.array([1.0, np.nan])}, "finite"),
        ({"upper": np.array([1.0])}, "2 points"),
        ({"levels": np.array([0.1, 0.2])}, "largest to smallest"),
        ({"levels": np.array([0.1, 0.0])}, "positive"),
        ({"levels": np.array([])}, "at least one"),
    ],
)
def test_what_is_wrong_with_one_class_input(change, message):
    good = {"K": np.eye(2), "upper": np.full(2, 0.5), "levels": np.array([0.5, 0.1])}
    with pytest.raises(ValueError, match=message):
        solve_one_class(**(good | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": np.array([0.0, 1.0])}, "-1 and \\+1"),
        ({"weights": np.array([-1.0, 1.0])}, "not negative"),
        ({"lam": 0.0}, "positive number"),
        ({"asymmetries": np.array([0.5, 0.2])}, "smallest to largest"),
        ({"asymmetries": np.array([0.5, 1.2])}, "between 0 and 1"),
        ({"asymmetries": np.array([[0.5]])}, "at least one"),
    ],
)
def test_what_is_wrong_with_cost_sensitive_input(change, message):
    good = {
        "K": np.eye(2),
        "y": np.array([1.0, -1.0]),
        "weights": np.ones(2),
        "lam": 1.0,
        "asymmetries": GAMMA,
    }
    with pytest.raises(ValueError, match=message):
        solve_cost_sensitive(**(good | change))
