"""Symmetric differences, against discs whose areas are known."""

import numpy as np
import pytest
from scipy import stats

from nestviz import Grid
from nestviz.analysis.set_differences import density_thresholds, set_difference
from nestviz.data import make_sample
from nestviz.data.densities import sample_density


@pytest.fixture
def grid():
    return Grid.around(np.array([[-4.0, -4.0], [4.0, 4.0]]), resolution=400, margin=0.0)


def disc(grid, x, radius):
    return radius - np.hypot(*(grid.points() - [x, 0.0]).T)


def shoelace(ring):
    x, y = ring.T
    return 0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1))


def test_the_difference_of_two_discs(grid):
    """Two discs of radius r at distance d share a lens of known area."""
    r, d = 1.5, 1.0
    lens = 2 * r**2 * np.arccos(d / (2 * r)) - d / 2 * np.sqrt(4 * r**2 - d**2)
    expected = 2 * (np.pi * r**2 - lens)
    found = set_difference(disc(grid, 0.0, r), disc(grid, d, r), grid)
    assert found.share * grid.size * grid.cell_area == pytest.approx(expected, rel=0.02)
    assert found.relative == pytest.approx(expected / (np.pi * r**2), rel=0.02)
    assert sum(map(shoelace, found.difference)) == pytest.approx(expected, rel=0.02)
    assert sum(map(shoelace, found.first)) == pytest.approx(np.pi * r**2, rel=0.02)


def test_equal_sets_do_not_differ_and_the_scale_of_a_field_does_not_matter(grid):
    field = disc(grid, 0.0, 1.0)
    found = set_difference(field, 1e-3 * field, grid)
    assert found.share == found.relative == 0.0
    empty = set_difference(-np.ones(grid.size), field, grid)
    assert empty.relative == np.inf
    assert empty.first == ()


def test_thresholds_of_a_gaussian_hold_their_mass(grid):
    """The level set of a standard normal that holds p is a disc: f = (1 − p)/2π."""
    masses = np.array([0.1, 0.5, 0.9])
    found = density_thresholds(lambda X: stats.norm.pdf(X).prod(axis=1), grid, masses)
    np.testing.assert_allclose(found, (1 - masses) / (2 * np.pi), rtol=0.02)


@pytest.mark.parametrize("name", ["multi", "ring"])
def test_thresholds_hold_their_mass_of_a_sample(name):
    density, X = sample_density(name), make_sample(name, 9, n=4000).X
    grid = Grid.around(X, resolution=200)
    masses = np.array([0.2, 0.5, 0.8])
    heights = density_thresholds(density, grid, masses)
    inside = density(X)[:, None] >= heights
    np.testing.assert_allclose(inside.mean(axis=0), masses, atol=0.03)
