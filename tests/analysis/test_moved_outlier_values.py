"""The set after an outlier has moved in feature space, and few levels of an intersection."""

import numpy as np
import pytest

from nestviz import Grid, HierarchicalMVSets, make_sample
from nestviz.analysis import move_outlier, moved_outlier_values
from nestviz.analysis.level_sweep import sweep
from nestviz.kernels import GaussianKernel, PolynomialKernel
from nestviz.solvers.box_sum.nu_one_class import solve_nu_one_class

X = make_sample("banana", random_state=2, n=40).X
PLACES = np.random.default_rng(0).uniform(-3, 3, size=(400, 2))
NU = 0.3


def outlier(K):
    return int(solve_nu_one_class(K, np.full(len(K), 1 / (NU * len(K))), tol=1e-9).field.argmin())


@pytest.mark.parametrize("share", [-0.5, 0.4, 0.99])
def test_a_free_move_leaves_every_place_on_its_side(share):
    kernel = GaussianKernel(0.8)
    K, places = kernel.gram(X, X), kernel.gram(X, PLACES)
    row = outlier(K)
    limit = move_outlier(K, NU, row, 0.0).limit
    before = moved_outlier_values(K, places, NU, row, 0.0)
    after = moved_outlier_values(K, places, NU, row, share * limit)
    assert 0 < (before > 0).mean() < 1
    clear = np.abs(before) > 1e-6 * np.abs(before).max()
    np.testing.assert_array_equal(after[clear] > 0, before[clear] > 0)
    beyond = moved_outlier_values(K, places, NU, row, 1.8 * limit)
    assert np.any((beyond > 0) != (before > 0))


def test_the_values_are_those_of_the_point_really_moved():
    """Degree one: feature space can be written down."""
    shifted, places = X + 6.0, PLACES + 6.0
    kernel = PolynomialKernel(1)
    K = kernel.gram(shifted, shifted)
    upper = np.full(40, 1 / (NU * 40))
    fit = solve_nu_one_class(K, upper, tol=1e-9)
    row = int(fit.field.argmin())
    moved = np.column_stack([shifted, np.ones(40)])
    moved[row] += 2.0 * (fit.alpha @ moved)
    again = solve_nu_one_class(moved @ moved.T, upper, tol=1e-9)
    wanted = np.column_stack([places, np.ones(400)]) @ (again.alpha @ moved) - again.rho
    found = moved_outlier_values(K, kernel.gram(shifted, places), NU, row, 2.0)
    np.testing.assert_allclose(found, wanted, atol=1e-6 * np.abs(wanted).max())


def test_an_intersection_can_be_drawn_at_a_single_level():
    family = HierarchicalMVSets(0.4, quantiles=9).fit(X).family_
    grid = Grid.around(X, resolution=40)
    alone = sweep(family, grid, X, [0.5])
    among = sweep(family, grid, X, family.levels)
    for mine, theirs in zip(alone.outlines[0], among.outlines[4], strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-12)
    assert alone.inside[0] == among.inside[4]
