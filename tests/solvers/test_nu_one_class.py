"""The box with a fixed sum: against a general solver, by its certificate, at the edges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nu_reference import objective, reference

from nestviz.kernels import GaussianKernel, PolynomialKernel
from nestviz.solvers.box_sum import kept_rows, nu_one_class, solve
from nestviz.solvers.box_sum.kept_rows import KeptRows
from nestviz.solvers.box_sum.nu_certificate import best_offset, best_offsets, nu_certificate
from nestviz.solvers.box_sum.nu_one_class import feasible, solve_nu_one_class
from nestviz.solvers.columns import KernelRows, StoredMatrix
from nestviz.solvers.derived_columns import CentredColumns, ReflectedColumns


def problem(seed, n=None, nu=None):
    """A kernel matrix and bounds of unequal weight."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60)) if n is None else n
    X = rng.normal(size=(n, 2))
    if seed % 3:
        kernel = GaussianKernel(10 ** rng.uniform(-1, 1.3))
    else:
        kernel = PolynomialKernel(int(rng.integers(1, 4)))
    weights = rng.uniform(0.05, 2.0, n)
    nu = rng.uniform(0.02, 1.0) if nu is None else nu
    return kernel.gram(X, X), weights / weights.sum() / nu


def in_parts(monkeypatch, violators):
    """Make problems of this file large ones."""
    monkeypatch.setattr(nu_one_class, "WHOLE", 30)
    monkeypatch.setattr(solve, "WHOLE", 30)
    monkeypatch.setattr(nu_one_class, "SAMPLE", 20)
    monkeypatch.setattr(solve, "FEWEST_VIOLATORS", violators)


@given(st.integers(0, 10_000), st.booleans(), st.floats(0.2, 3.0))
@settings(max_examples=60)
def test_the_objective_is_that_of_a_general_solver(seed, with_linear, total):
    K, upper = problem(seed)
    linear = 0.5 * K.diagonal() if with_linear else None
    upper = upper * total
    solution = solve_nu_one_class(K, upper, total=total, linear=linear, tol=1e-10)
    assert solution.converged
    expected = objective(K, reference(K, upper, total, linear), linear)
    unit = total * float(K.diagonal().max())
    assert solution.objective == pytest.approx(expected, rel=1e-7, abs=1e-9 * unit * total)
    assert solution.objective == pytest.approx(objective(K, solution.alpha, linear), abs=1e-12)
    assert np.all((solution.alpha >= 0) & (solution.alpha <= upper))
    assert solution.alpha.sum() == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_the_certificate_is_recomputed_from_the_coefficients(seed):
    K, upper = problem(seed)
    solution = solve_nu_one_class(K, upper)
    assert solution.duality_gap <= 1e-6
    again = nu_certificate(K, solution.alpha, upper)
    assert again.objective == pytest.approx(solution.objective, rel=1e-12)
    assert again.rho == pytest.approx(solution.rho, rel=1e-9)
    assert again.duality_gap <= 1e-6
    np.testing.assert_allclose(solution.field, K @ solution.alpha, atol=1e-10)


def test_the_certificate_sees_what_is_wrong():
    K, upper = problem(1, n=20, nu=0.3)
    alpha = solve_nu_one_class(K, upper).alpha
    worse = feasible(np.roll(alpha, 1), upper, 1.0)
    assert nu_certificate(K, worse, upper).duality_gap > 1e-3
    assert nu_certificate(K, worse, upper).kkt_residual > 1e-3
    assert nu_certificate(K, 2 * alpha, upper).duality_gap == np.inf
    assert nu_certificate(K, alpha - 0.01, upper).kkt_residual == np.inf
    assert nu_certificate(K, 0.9 * alpha, upper).duality_gap == np.inf


@pytest.mark.parametrize("off", [3e-13, -3e-13, 5e-11, -5e-11])
def test_a_rounding_error_is_put_right_by_one_point(off):
    """Shared by all, it would take every point off its bound."""
    n, nu = 1000, 0.5
    upper = np.full(n, 1.0 / (nu * n))
    alpha = np.where(np.arange(n) < n // 2, upper, 0.0)
    total = 1.0 + off
    found = feasible(alpha, upper, total)
    assert found.sum() == pytest.approx(total, rel=1e-14)
    assert np.count_nonzero((found > 0) & (found < upper)) == 1


def test_two_and_three_points_by_hand():
    # Far apart points share equally; one whose bound is lower gives the rest away.
    two = solve_nu_one_class(np.eye(2), np.array([0.3, 1.0]))
    np.testing.assert_allclose(two.alpha, [0.3, 0.7])
    assert two.rho == pytest.approx(0.7)
    three = solve_nu_one_class(np.eye(3), np.full(3, 0.5))
    np.testing.assert_allclose(three.alpha, 1 / 3)
    assert three.rho == pytest.approx(1 / 3)


def test_rho_without_margin_points_is_the_middle_of_its_interval():
    K = np.array([[1.0, 0.2, 0.0], [0.2, 1.0, 0.6], [0.0, 0.6, 1.0]])
    upper = np.full(3, 0.5)
    alpha = np.array([0.5, 0.0, 0.5])
    field = K @ alpha
    np.testing.assert_allclose(field, [0.5, 0.4, 0.5])
    # Not optimal: the best ρ leaves bounds of no more than the sum below it.
    assert nu_certificate(K, alpha, upper).rho == pytest.approx(0.5)
    # Two far points at their bounds, one near both of them without a coefficient.
    K = np.array([[1.0, 0.0, 0.6], [0.0, 1.0, 0.6], [0.6, 0.6, 1.0]])
    certificate = nu_certificate(K, np.array([0.5, 0.5, 0.0]), upper)
    assert certificate.rho == pytest.approx(0.55)
    assert certificate.duality_gap == 0.0


def test_with_all_coefficients_at_their_bounds_rho_is_the_highest_density():
    K, upper = problem(4, n=15, nu=1.0)
    solution = solve_nu_one_class(K, upper)
    np.testing.assert_array_equal(solution.alpha, upper)
    assert solution.rho == pytest.approx((K @ upper).max())
    assert solution.duality_gap == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("nu", [0.02, 0.2, 0.6, 0.97])
def test_a_large_problem_in_working_sets_is_the_problem(seed, nu, monkeypatch):
    K, upper = problem(seed, n=150, nu=nu)
    whole = solve_nu_one_class(K, upper, tol=1e-10)
    in_parts(monkeypatch, violators=10)
    parts = solve_nu_one_class(K, upper, tol=1e-10)
    assert parts.converged
    assert parts.objective == pytest.approx(whole.objective, rel=1e-8)


@pytest.mark.parametrize("nu", [0.05, 0.5])
@pytest.mark.parametrize(
    "make", [KernelRows, KeptRows, lambda kernel, X: KeptRows(kernel, X, budget=8 * 900 * 30)]
)
def test_rows_computed_on_demand_give_the_stored_answer(nu, make):
    X = np.random.default_rng(0).normal(size=(900, 3))
    kernel, upper = GaussianKernel(1.0), np.full(900, 1 / (900 * nu))
    stored = solve_nu_one_class(kernel.gram(X, X), upper)
    rows = solve_nu_one_class(make(kernel, X), upper)
    assert rows.converged
    assert rows.objective == pytest.approx(stored.objective, rel=2e-6)


@pytest.mark.parametrize("rows_of_a_part", [1, 4, 100])
@pytest.mark.parametrize("budget", [0, 8 * 20 * 3, 8 * 20 * 11, 1 << 20])
def test_kept_rows_are_rows_whatever_was_kept(budget, rows_of_a_part, monkeypatch):
    monkeypatch.setattr(kept_rows, "CHUNK_BUDGET", 8 * 20 * rows_of_a_part)
    rng = np.random.default_rng(1)
    X, kernel = rng.normal(size=(20, 2)), GaussianKernel(0.8)
    kept, K = KeptRows(kernel, X, budget=budget), kernel.gram(X, X)
    for _ in range(6):
        points = rng.choice(20, size=int(rng.integers(1, 8)), replace=False)
        b = rng.normal(size=(2, len(points)))
        np.testing.assert_allclose(kept.product_of(points, b), b @ K[points], atol=1e-13)
        asked = rng.choice(20, size=6, replace=False)
        np.testing.assert_allclose(kept.rows(asked), K[asked], atol=1e-13)
        np.testing.assert_allclose(kept.block(asked), K[np.ix_(asked, asked)], atol=1e-13)
    whole = rng.normal(size=(1, 20))
    np.testing.assert_allclose(kept.product(whole), whole @ K, atol=1e-12)
    assert sum(len(part) for part in kept.parts) <= budget // (8 * 20)


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), min_size=1, max_size=30),
    st.integers(1, 40),
)
def test_selection_finds_the_offset_of_sorting(points, fortieths):
    """With ties, points without weight, and sums that end between two values."""
    G = np.array([value for value, _ in points], dtype=np.float64)
    upper = np.array([weight for _, weight in points], dtype=np.float64)
    if not upper.any():
        upper[0] = 1.0
    for total in (upper.sum() * fortieths / 40, min(float(fortieths), upper.sum())):
        assert best_offset(G, upper, total) == best_offsets(G, upper, np.array([total]))[0]


def test_pairs_alone_and_newton_steps_reach_the_same(monkeypatch):
    K, upper = problem(7, n=60, nu=0.1)
    both = solve_nu_one_class(K, upper, tol=1e-8)
    monkeypatch.setattr(solve, "MOST_FREE", 0)
    alone = solve_nu_one_class(K, upper, tol=1e-8)
    assert alone.converged
    assert alone.objective == pytest.approx(both.objective, rel=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_a_warm_start_changes_the_way_and_not_the_end(seed):
    K, upper = problem(seed, n=80, nu=0.3)
    cold = solve_nu_one_class(K, upper, tol=1e-9)
    neighbour = solve_nu_one_class(K, upper * 0.3 / 0.28, tol=1e-9)
    warm = solve_nu_one_class(K, upper, tol=1e-9, start=neighbour.alpha)
    assert warm.objective == pytest.approx(cold.objective, rel=1e-8)
    assert solve_nu_one_class(K, upper, tol=1e-9, start=cold.alpha).n_iter == 0
    rough = np.random.default_rng(seed).normal(size=80)
    anywhere = solve_nu_one_class(K, upper, tol=1e-9, start=rough)
    assert anywhere.objective == pytest.approx(cold.objective, rel=1e-8)


def test_points_without_weight_take_no_part():
    K, upper = problem(5, n=30, nu=0.3)
    kept = np.arange(30) % 3 > 0
    without = solve_nu_one_class(K[np.ix_(kept, kept)], upper[kept], total=0.7, tol=1e-10)
    zeros = solve_nu_one_class(K, np.where(kept, upper, 0.0), total=0.7, tol=1e-10)
    assert zeros.objective == pytest.approx(without.objective, rel=1e-9)
    assert zeros.rho == pytest.approx(without.rho, rel=1e-6)
    np.testing.assert_array_equal(zeros.alpha[~kept], 0)


def test_the_origin_among_the_points_leaves_nothing_to_separate():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.3, -1.0], [2.0, 2.0]])
    solution = solve_nu_one_class(X @ X.T, np.full(5, 1.0))
    assert solution.converged
    assert solution.objective == pytest.approx(0.0, abs=1e-12)
    assert solution.rho == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    "K", [np.ones((6, 6)), np.eye(6), np.zeros((6, 6)), np.ones((1, 1))], ids=str
)
def test_degenerate_matrices_have_an_answer(K):
    n = len(K)
    solution = solve_nu_one_class(K, np.full(n, 1.0 / (0.5 * n)))
    assert solution.converged
    assert np.isfinite(solution.rho)
    assert solution.alpha.sum() == pytest.approx(1.0)


def test_a_callback_sees_the_objective_fall_and_can_stop(monkeypatch):
    in_parts(monkeypatch, violators=5)
    K, upper = problem(2, n=200, nu=0.3)
    seen = []
    solve_nu_one_class(K, upper, callback=lambda step: seen.append(step) or False)
    values = [step.objective for step in seen]
    assert len(values) > 2
    assert np.all(np.diff(values) <= 1e-12)
    stopped = solve_nu_one_class(K, upper, callback=lambda step: step.done >= 1)
    assert stopped.n_iter == 1
    assert not stopped.converged
    assert nu_certificate(K, stopped.alpha, upper).duality_gap < np.inf


def test_the_same_input_gives_the_same_output_bit_for_bit():
    K, upper = problem(8, n=50)
    first, second = solve_nu_one_class(K, upper), solve_nu_one_class(K, upper)
    np.testing.assert_array_equal(first.alpha, second.alpha)
    assert first.rho == second.rho


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"upper": np.full(3, 0.2)}, "add up to 0.6"),
        ({"upper": np.ones(3), "total": 0.0}, "positive"),
        ({"upper": np.ones(3), "linear": np.ones(2)}, "one finite number"),
        ({"upper": np.ones(2)}, "one entry"),
        ({"upper": np.array([1.0, -1.0, 3.0])}, "not negative"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_words(options, words):
    with pytest.raises(ValueError, match=words):
        solve_nu_one_class(np.eye(3), **options)


def derived(K, rng):
    y = np.where(rng.random(len(K)) < 0.4, -1.0, 1.0)
    means, mean = rng.uniform(0, 0.2, len(K)), 0.3
    shifted = K + mean - means[:, None] - means
    base = StoredMatrix(K)
    yield ReflectedColumns(base, y), K * y[:, None] * y
    yield CentredColumns(base, means, mean), shifted


def test_derived_matrices_are_what_they_say():
    rng = np.random.default_rng(3)
    K, _ = problem(1, n=12)
    points, b = np.array([1, 4, 5]), rng.normal(size=(2, 3))
    spread = np.zeros((2, 12))
    spread[:, points] = b
    for columns, expected in derived(K, rng):
        np.testing.assert_allclose(columns.diagonal, expected.diagonal())
        np.testing.assert_allclose(columns.rows(points), expected[points])
        np.testing.assert_allclose(columns.block(points), expected[np.ix_(points, points)])
        np.testing.assert_allclose(columns.product(spread), spread @ expected, atol=1e-14)
        np.testing.assert_allclose(columns.product_of(points, b), spread @ expected, atol=1e-14)
