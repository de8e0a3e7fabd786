from __future__ import annotations

import numpy as np
import pytest
from path_reference import classes, cloud, cost_residual, gaussian, one_class_residual

from nestviz.solvers.cholesky import append_column, dot, remove_column, solve_transposed
from nestviz.solvers.path import slots as at
from nestviz.solvers.path.cost_sensitive import cost_path, cost_problem, start_path
from nestviz.solvers.path.drift import all_coefficients, refresh
from nestviz.solvers.path.events import run
from nestviz.solvers.path.one_class import one_class_path
from nestviz.solvers.path.setup import Problem, begin, blank_tape
from nestviz.solvers.path.state import E, L, PathState
from nestviz.solvers.path.watch import synchronise, watch, watch_again

N = 240


def cost_state(seed: int) -> tuple[Problem, PathState]:
    """A cost path at its start."""
    X = cloud(seed, N=N)
    problem = cost_problem(gaussian(X, 0.5), classes(seed, X), np.ones(N), 0.5)
    code, c, ready = start_path(problem, None, None)
    assert ready
    return problem, begin(problem, code, c)


def test_points_left_out_are_never_near_the_margin() -> None:
    problem, state = cost_state(0)
    shares = []
    for _ in range(60):
        run(state, blank_tape(3, len(state.margin)), False)
        rho = problem.target - problem.K @ all_coefficients(state)
        side = np.where(state.code == L, problem.y, -problem.y)
        left_out = state.code != E
        left_out[state.watched[: state.tally[at.WATCHED]]] = False
        # What the arc has not used up yet is still between these points and the margin.
        if left_out.any():
            spare = state.clock[at.LIMIT] - state.clock[at.ARC]
            assert (side * rho)[left_out].min() >= spare - 1e-12
        shares.append(state.tally[at.WATCHED] / (N - state.tally[at.MARGIN]))
    assert min(shares) < 0.5


@pytest.mark.parametrize("share", [0.0, 0.2, 0.6, 1.0])
def test_points_watched_again_are_those_of_a_fresh_choice(share) -> None:
    problem, state = cost_state(0)
    for _ in range(6):
        run(state, blank_tape(30, len(state.margin)), False)
        synchronise(state)
        limit = np.quantile(np.abs(state.rho[state.code != E]), share)
        watch_again(state, limit)
        chosen = _watched(problem, state)
        watch(state, limit)
        assert chosen == _watched(problem, state)


def _watched(problem: Problem, state: PathState) -> list[tuple[int, float, float]]:
    """Points watched, in order, with side and gap; their part of K is checked."""
    m, n = state.tally[[at.MARGIN, at.WATCHED]]
    watched, rows = state.watched[:n], state.row[:m]
    assert sorted(rows) == list(range(m))
    np.testing.assert_array_equal(
        state.panel[rows, :n], problem.K[np.ix_(state.margin[:m], watched)]
    )
    return sorted(zip(watched, state.side[:n], state.gap[:n], strict=True))


def test_what_is_carried_along_agrees_with_what_is_recomputed() -> None:
    problem, state = cost_state(1)
    run(state, blank_tape(100, len(state.margin)), False)
    pull, w = state.pull.copy(), state.w.copy()
    m = state.tally[at.MARGIN]
    assert m > 0
    assert 0 < state.clock[at.NOW] < 1
    assert refresh(problem, state) <= 1e-13
    np.testing.assert_allclose(state.pull, pull, atol=1e-11)
    np.testing.assert_allclose(state.w[:m], w[:m], atol=1e-9)


@pytest.mark.parametrize("sigma", [0.15, 0.8])
def test_no_event_is_missed(sigma) -> None:
    X = cloud(2, N=N)
    y, K = classes(2, X), gaussian(X, sigma)
    path = one_class_path(K, np.full(N, 1 / N))
    middles = (path.breakpoints[1:] + path.breakpoints[:-1]) / 2
    assert one_class_residual(K, path, middles) <= 1e-13
    path = cost_path(K, y, 0.3)
    middles = (path.breakpoints[1:] + path.breakpoints[:-1]) / 2
    assert cost_residual(K, y, 0.3, path, middles) <= 1e-11


@pytest.mark.parametrize("dropped", [0, 3, 7])
def test_the_factor_follows_points_in_and_out(dropped) -> None:
    K = gaussian(cloud(3, N=8), 0.7)
    U, w = np.zeros((9, 9)), np.zeros(9)
    rhs = np.arange(1.0, 9.0)
    for m in range(8):
        z = np.append(K[m, :m], 0.0)
        solve_transposed(U, m, z)
        append_column(U, m, z, np.sqrt(K[m, m] - dot(z, z, m)))
        w[m] = (rhs[m] - dot(z, w, m)) / U[m, m]
    np.testing.assert_allclose(U[:8, :8].T @ U[:8, :8], K, atol=1e-14)
    kept, z = np.delete(np.arange(8), dropped), np.zeros(9)
    remove_column(U, w, z, 8, dropped)
    np.testing.assert_allclose(U[:7, :7].T @ U[:7, :7], K[np.ix_(kept, kept)], atol=1e-14)
    np.testing.assert_allclose(U[:7, :7].T @ w[:7], rhs[kept], atol=1e-13)
    np.testing.assert_allclose(U[:7, :7].T @ z[:7], K[kept, dropped], atol=1e-14)
