"""The peers of the error-control benchmark solve the same problems."""

import numpy as np
import pytest

from nestviz.solvers.minimax_machine import solve_machine
from nestviz.studies.bench.error_search import cone_objective, thin_by_matrix
from nestviz.volume import thin


@pytest.mark.parametrize("d", [1, 2, 5])
def test_thinning_by_a_matrix_leaves_the_same_points(d):
    points = np.random.default_rng(d).normal(size=(80, d))
    for n in (2, 10, 79):
        np.testing.assert_array_equal(thin_by_matrix(points, n), thin(points, n))


def test_the_cone_program_has_the_same_objective():
    rng = np.random.default_rng(0)
    A, B, d = rng.normal(size=(4, 6)), rng.normal(size=(4, 6)), rng.normal(size=4)
    end = solve_machine(d, np.zeros(4), A @ A.T, B @ B.T)
    assert end.objective == pytest.approx(cone_objective(d, A @ A.T, B @ B.T), rel=1e-6)
