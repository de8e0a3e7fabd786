"""The two kinds of move, from arbitrary feasible states."""

import numpy as np
import pytest
from nested_reference import OneClass, cost_sensitive, one_class

from nestviz.kernels import GaussianKernel
from nestviz.solvers.cholesky import (
    RIDGES,
    remove_column,
    ridge_cholesky,
    solve_transposed,
    solve_upper,
)
from nestviz.solvers.nested.convergence import errors, units
from nestviz.solvers.nested.coordinate_descent import project, sweep, sweep_over, sweep_until
from nestviz.solvers.nested.feasible import cost_sensitive_chains, one_class_chains
from nestviz.solvers.nested.gap import dual_objective, point_gaps
from nestviz.solvers.nested.kkt import violations
from nestviz.solvers.nested.newton import face_step, free_blocks, reduced_system, step_within_limits
from nestviz.solvers.records import Chains

MAKERS = [one_class, cost_sensitive]


def state(make, seed, **options):
    """A problem and a random feasible state with pooled, free and bound coefficients."""
    problem = make(seed, **options)
    if isinstance(problem, OneClass):
        chains = one_class_chains(*problem[1:])
    else:
        chains = cost_sensitive_chains(*problem[1:])
    rng = np.random.default_rng(seed)
    b = np.sign(chains.s) * chains.h * rng.uniform(-0.3, 1.3, chains.h.shape)
    project(chains, b)
    return problem.K, chains, b, b @ problem.K


def check_feasible(chains, b):
    assert np.all(np.diff(b, axis=0) >= 0)
    assert np.all(np.abs(b) <= chains.h)
    assert np.all(b * np.sign(chains.s) >= 0)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("move", [sweep, face_step])
@pytest.mark.parametrize("sigma", [0.2, 1.0, 5.0])
def test_a_move_lowers_the_objective_and_stays_feasible(make, move, sigma):
    for seed in range(10):
        K, chains, b, F = state(make, seed, sigma=sigma, weighted=seed % 2 == 0)
        before = dual_objective(chains, b, F)
        move(K, chains, b, F)
        check_feasible(chains, b)
        np.testing.assert_allclose(F, b @ K, rtol=1e-10, atol=1e-10 * np.abs(F).max())
        assert dual_objective(chains, b, F) < before


@pytest.mark.parametrize("make", MAKERS)
def test_a_sweep_over_some_points_leaves_the_others(make):
    K, chains, b, F = state(make, 2)
    before, points = b.copy(), np.array([3, 4, 9])
    sweep_over(K, chains, b, F, points)
    check_feasible(chains, b)
    np.testing.assert_allclose(F, b @ K, rtol=1e-10, atol=1e-10 * np.abs(F).max())
    assert np.array_equal(np.delete(b, points, axis=1), np.delete(before, points, axis=1))
    assert not np.array_equal(b, before)


@pytest.mark.parametrize("make", MAKERS)
def test_sweeps_that_leave_out_settled_points_reach_the_target(make):
    for seed in range(5):
        K, chains, b, F = state(make, seed, sigma=0.3)
        unit = units(chains, dual_objective(chains, b, F), 1e-6)
        left = sweep_until(K, chains, b, F, unit, 0.3, 500)
        check_feasible(chains, b)
        assert left <= 0.3
        assert left == pytest.approx(errors(chains, b, F, unit).sum(), rel=1e-12)
        np.testing.assert_allclose(F, b @ K, rtol=1e-9)


@pytest.mark.parametrize("measure", [point_gaps, violations])
def test_each_side_is_measured_as_if_it_were_alone(measure):
    _, chains, b, F = state(cost_sensitive, 4, weighted=True)
    together = measure(chains, b, F)
    for side in (chains.s > 0, chains.s < 0):
        part = Chains(chains.q, chains.s[side], np.ascontiguousarray(chains.h[:, side]))
        alone = measure(part, *(np.ascontiguousarray(v[:, side]) for v in (b, F)))
        assert np.array_equal(alone, together[side])
        assert alone.sum() > 0


@pytest.mark.parametrize("make", MAKERS)
def test_a_face_step_from_next_to_the_optimum_reaches_it(make):
    problem = make(1, N=25)
    alpha = problem.solve(tol=1e-12).alpha
    if isinstance(problem, OneClass):
        chains, b = one_class_chains(*problem[1:]), alpha / problem.levels[:, None]
        # Levels of one block may differ in their last digits: α was rounded.
        b = np.where(np.diff(b, axis=0, append=2 * b[-1:]) < 1e-13 * b, np.nan, b)
        for m in range(len(b) - 2, -1, -1):
            b[m] = np.where(np.isnan(b[m]), b[m + 1], b[m])
    else:
        chains, b = cost_sensitive_chains(*problem[1:]), problem.y * alpha
    blocks = free_blocks(chains, b)
    assert len(blocks.point) > 0
    nudge = 1 - 1e-4 * np.random.default_rng(0).uniform(size=len(blocks.point))
    for c, (i, first, last) in enumerate(zip(*blocks, strict=True)):
        b[first : last + 1, i] *= nudge[c]
    project(chains, b)
    F = b @ problem.K
    before = point_gaps(chains, b, F).sum()
    face_step(problem.K, chains, b, F)
    assert point_gaps(chains, b, F).sum() < 1e-5 * before


def test_a_step_without_limits_solves_the_system():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6, 2))
    H, g, x = GaussianKernel(1.0).gram(X, X), rng.normal(size=6), rng.normal(size=6)
    expected = x - np.linalg.solve(H, g)
    U, _ = ridge_cholesky(np.triu(H), RIDGES)
    w = np.linalg.solve(U.T, -g)
    far = np.full(6, 1e9)
    step_within_limits(U, w, x, -far, far, np.zeros(6, dtype=np.bool_))
    np.testing.assert_allclose(x, expected, rtol=1e-6)


def test_a_step_keeps_to_limits_and_order_and_never_climbs():
    for seed in range(50):
        rng = np.random.default_rng(seed)
        n = 7
        A = rng.normal(size=(n, n))
        H, g = A @ A.T + 0.01 * np.eye(n), rng.normal(size=n)
        x = np.sort(rng.uniform(0.1, 0.9, n))
        low, high = np.zeros(n), np.ones(n)
        linked = np.arange(n) < n - 1
        start = x.copy()
        U, _ = ridge_cholesky(np.triu(H), RIDGES)
        step_within_limits(U, np.linalg.solve(U.T, -g), x, low, high, linked)
        step = x - start
        assert np.all(x >= low - 1e-12)
        assert np.all(x <= high + 1e-12)
        assert np.all(np.diff(x) >= -1e-12)
        assert g @ step + 0.5 * step @ H @ step <= 1e-12


@pytest.mark.parametrize("k", [0, 3, 6])
def test_dropping_an_unknown_solves_the_smaller_system(k):
    rng = np.random.default_rng(k)
    A, r = rng.normal(size=(7, 7)), rng.normal(size=7)
    H = A @ A.T + np.eye(7)
    U, w, d = np.linalg.cholesky(H).T.copy(), r.copy(), np.zeros(7)
    solve_transposed(U, 7, w)
    remove_column(U, w, np.zeros(7), 7, k)
    solve_upper(U, 6, w, d)
    rest = np.delete(np.arange(7), k)
    np.testing.assert_allclose(d[:6], np.linalg.solve(H[np.ix_(rest, rest)], r[rest]), rtol=1e-9)


def test_a_singular_system_is_factorised_with_a_ridge():
    U, works = ridge_cholesky(np.triu(np.ones((40, 40))), RIDGES)
    assert works
    U = np.triu(U)
    np.testing.assert_allclose(U.T @ U, np.ones((40, 40)), atol=1e-6)
    assert not ridge_cholesky(np.triu(-np.eye(3)), RIDGES)[1]


@pytest.mark.parametrize("n", [1, 31, 32, 33, 150])
def test_the_factor_is_that_of_lapack(n):
    A = np.random.default_rng(n).normal(size=(n, n))
    H = A @ A.T + n * np.eye(n)
    U, works = ridge_cholesky(np.triu(H), (0.0,))
    assert works
    np.testing.assert_allclose(np.triu(U), np.linalg.cholesky(H).T, atol=1e-10)


@pytest.mark.parametrize("make", MAKERS)
def test_the_reduced_system_is_the_derivative_of_the_objective(make):
    K, chains, b, F = state(make, 3)
    blocks = free_blocks(chains, b)
    H, g = reduced_system(K, chains, F, blocks)
    H = np.triu(H) + np.triu(H, 1).T
    v = np.random.default_rng(0).normal(size=len(g))
    d = np.zeros_like(b)
    for c, (i, first, last) in enumerate(zip(*blocks, strict=True)):
        d[first : last + 1, i] = v[c]
    rise = dual_objective(chains, b + d, F + d @ K) - dual_objective(chains, b, F)
    assert rise == pytest.approx(g @ v + 0.5 * v @ H @ v, rel=1e-9)
