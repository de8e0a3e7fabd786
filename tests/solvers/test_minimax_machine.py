"""The minimax probability machine: closed forms, a cone solver, its certificate."""

import clarabel
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from nestviz.solvers.minimax_machine import solve_machine


def cone_program(d, plus, minus):
    """min s + t with ‖Lᵀ₊a‖ ≤ s, ‖Lᵀ₋a‖ ≤ t, aᵀd = 1."""
    r = len(d)
    blocks = [np.concatenate((d, [0, 0]))[None]]
    for k, S in enumerate((plus, minus)):
        top = np.zeros((1, r + 2))
        top[0, r + k] = -1.0
        root = np.linalg.cholesky(S + 1e-15 * np.trace(S) * np.eye(r)).T
        blocks += [top, np.hstack((-root, np.zeros((r, 2))))]
    A = sparse.csc_matrix(np.vstack(blocks))
    b = np.zeros(A.shape[0])
    b[0] = 1.0
    cones = [
        clarabel.ZeroConeT(1),
        clarabel.SecondOrderConeT(r + 1),
        clarabel.SecondOrderConeT(r + 1),
    ]
    options = clarabel.DefaultSettings()
    options.verbose = False
    options.tol_gap_abs = options.tol_gap_rel = options.tol_feas = 1e-11
    P, q = sparse.csc_matrix((r + 2, r + 2)), np.concatenate((np.zeros(r), [1.0, 1.0]))
    return clarabel.DefaultSolver(P, q, A, b, cones, options).solve()


@settings(max_examples=40)
@given(st.floats(-5, 5), st.floats(0.01, 9), st.floats(0.01, 9), st.floats(0.1, 6))
def test_on_a_line_kappa_is_the_distance_over_the_sum_of_deviations(mean, s, t, gap):
    end = solve_machine(np.array([mean + gap]), np.array([mean]), np.array([[s]]), np.array([[t]]))
    kappa = gap / (s**0.5 + t**0.5)
    assert end.kappa == pytest.approx(kappa)
    assert -end.offset / end.normal[0] == pytest.approx(mean + kappa * t**0.5, abs=1e-9)
    assert end.duality_gap < 1e-9


def test_equal_covariances_give_fishers_direction():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(4, 4))
    S, d = root @ root.T + 0.1 * np.eye(4), rng.normal(size=4)
    end = solve_machine(d, np.zeros(4), S, S)
    fisher = np.linalg.solve(S, d)
    np.testing.assert_allclose(end.normal, fisher / (fisher @ d), rtol=1e-8)
    assert end.kappa == pytest.approx(0.5 * np.sqrt(d @ fisher))
    assert end.offset == pytest.approx(-0.5)


@pytest.mark.parametrize("seed", range(12))
def test_against_a_cone_solver(seed):
    rng = np.random.default_rng(seed)
    r = int(rng.integers(2, 9))
    A, B = rng.normal(size=(r, r + 2)), rng.normal(size=(r, r + 2)) * rng.uniform(0.1, 3)
    plus, minus = A @ A.T / r + 1e-3 * np.eye(r), B @ B.T / r + 1e-3 * np.eye(r)
    mean_plus, mean_minus = rng.normal(size=(2, r))
    end = solve_machine(mean_plus, mean_minus, plus, minus)
    peer = cone_program(mean_plus - mean_minus, plus, minus)
    assert end.objective == pytest.approx(peer.obj_val, rel=1e-7)
    np.testing.assert_allclose(end.normal, peer.x[:r], atol=1e-4 * np.abs(end.normal).max())
    assert end.duality_gap < 1e-9
    assert end.normal @ (mean_plus - mean_minus) == pytest.approx(1.0)
    for mean, S, sign in ((mean_plus, plus, 1.0), (mean_minus, minus, -1.0)):
        deviations = sign * (end.normal @ mean + end.offset) / np.sqrt(end.normal @ S @ end.normal)
        assert deviations == pytest.approx(end.kappa)


def test_a_class_without_spread_along_the_normal():
    end = solve_machine(np.array([1.0, 0.0]), np.zeros(2), np.diag([0.0, 1.0]), np.diag([4.0, 1.0]))
    assert end.kappa == pytest.approx(0.5, rel=1e-6)
    assert end.duality_gap < 1e-5


def test_what_cannot_be_solved_is_said():
    with pytest.raises(ValueError, match="same mean"):
        solve_machine(np.ones(2), np.ones(2), np.eye(2), np.eye(2))


def test_a_direction_without_variance_separates_with_certainty():
    flat = np.diag([0.0, 1.0])
    machine = solve_machine(np.ones(2), np.zeros(2), flat, flat)
    assert np.isinf(machine.kappa)
    assert machine.objective == machine.duality_gap == 0.0
    np.testing.assert_allclose(machine.normal, [1.0, 0.0])
    assert machine.offset == pytest.approx(-0.5)
