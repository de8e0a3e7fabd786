"""Successive intersections against a search over many levels."""

import numpy as np
import pytest

from nestviz import IntersectionFamily
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel


def crossing_family(seed, orientation):
    rng = np.random.default_rng(seed)
    levels = np.sort(rng.uniform(size=6))
    centres = rng.normal(size=(8, 2))
    offsets = -orientation * np.linspace(0, 0.5, 6)
    return SetFamily(
        levels, rng.normal(size=(6, 8)), offsets, centres, GaussianKernel(0.8), orientation
    )


@pytest.mark.parametrize("orientation", [1, -1])
@pytest.mark.parametrize("seed", range(8))
def test_against_a_search_over_levels(seed, orientation):
    base = crossing_family(seed, orientation)
    family = IntersectionFamily.of(base)
    X = np.random.default_rng(100 + seed).normal(size=(200, 2))
    dense = np.union1d(np.linspace(base.levels[0], base.levels[-1], 801), base.levels)
    # From the largest set to the smallest: once out, out for good.
    inside = base.values(X, dense)[::-orientation] > 0
    expected = np.logical_and.accumulate(inside, axis=0)[::-orientation]
    found = family.values(X, dense) > 0
    np.testing.assert_array_equal(found, expected)
    assert family.is_nested
    assert not family.violations(X).any()
    step = (dense[-1] - dense[0]) / 800
    ever = expected.any(axis=0)
    first = family.first_level(X)
    grown = dense[expected.argmax(axis=0)]
    shrunk = dense[len(dense) - 1 - expected[::-1].argmax(axis=0)]
    by_search = grown if orientation == 1 else shrunk
    assert np.all(np.abs(first[ever] - by_search[ever]) <= step + 1e-12)
    assert np.all(first[~ever] == orientation * np.inf)
    np.testing.assert_array_equal(family.intervals(X).counts, ever)
    assert (found != (base.values(X, dense) > 0)).any()


def test_fields_are_running_minima():
    base = crossing_family(0, 1)
    family = IntersectionFamily.of(base)
    grid = Grid.around(base.centres, resolution=12)
    field = family.field(grid)
    np.testing.assert_array_equal(field[-1], base.field(grid)[-1])
    np.testing.assert_array_equal(field[2], base.field(grid)[2:].min(axis=0))
    np.testing.assert_array_equal(family.values(grid, family.levels), field)


def test_a_nested_family_is_its_own_intersection():
    base = crossing_family(0, 1).union()
    assert IntersectionFamily.of(base) is base


def test_what_cannot_be_intersected_is_refused_in_a_sentence():
    parts = {"centres": [[0.0]], "kernel": GaussianKernel(1.0), "orientation": 1}
    endless = SetFamily([0.0, 1.0], [[1.0], [1.0]], [0.0, 0.0], domain=(0.0, np.inf), **parts)
    with pytest.raises(ValueError, match="begins at a largest set"):
        IntersectionFamily.of(endless)
    family = IntersectionFamily.of(crossing_family(0, 1))
    with pytest.raises(TypeError, match="no single coefficient vector"):
        family.coefficients_at([0.5])
    assert family.base.coefficients_at(family.levels)[0].shape == (6, 8)
