"""The one-class SVM of directions: half-space and ball cut the circle in the same points."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from nestviz.analysis.nu.arcs import solve_arc

ANGLES = np.radians(np.sort(np.random.default_rng(3).uniform(5, 85, 19)))


@pytest.mark.parametrize("nu", [0.07, 0.3, 0.62])
def test_the_solution_is_that_of_the_primal(nu):
    found = solve_arc(ANGLES, nu)
    mapped, m = found.mapped, len(ANGLES)

    def primal(v):
        slack = np.maximum(v[2] - mapped @ v[:2], 0.0)
        return 0.5 * v[:2] @ v[:2] + slack.sum() / (nu * m) - v[2]

    here = primal(np.append(found.w, found.rho))
    for start in ([0.5, 0.5, 0.5], [1.0, 0.2, 0.3], np.append(found.w, found.rho)):
        options = {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 4000, "maxfev": 8000}
        best = minimize(primal, start, method="Nelder-Mead", options=options)
        assert here <= best.fun + 1e-7
    assert found.distance == pytest.approx(found.rho / np.hypot(*found.w))


@pytest.mark.parametrize("nu", [0.07, 0.3, 0.62])
def test_codes_and_the_promises_of_nu(nu):
    found = solve_arc(ANGLES, nu)
    values = found.mapped @ found.w
    np.testing.assert_array_equal(found.codes == 0, values < found.rho - 1e-6)
    assert (found.codes == 0).mean() <= nu
    assert (found.codes <= 1).mean() >= nu
    # Some weights within the bounds make this w.
    bounds = [(0.0, 1 / (nu * len(ANGLES)))] * len(ANGLES)
    sums = np.vstack([found.mapped.T, np.ones(len(ANGLES))])
    feasible = linprog(np.zeros(len(ANGLES)), A_eq=sums, b_eq=[*found.w, 1.0], bounds=bounds)
    assert feasible.status == 0


@pytest.mark.parametrize("nu", [0.07, 0.3, 0.62])
def test_ball_and_half_space_agree_on_the_circle(nu):
    found = solve_arc(ANGLES, nu)
    turn = np.linspace(0, 2 * np.pi, 2000)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    beyond = circle @ found.w - found.rho
    within = found.radius**2 - np.square(circle - found.w).sum(axis=1)
    np.testing.assert_allclose(within, 2 * beyond, atol=1e-12)
