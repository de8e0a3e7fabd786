"""Fields and levels at many points: in chunks, on grids, and at equal points."""

import numpy as np
import pytest
from family_twins import gaussian_family

from nestviz.families import UnionFamily
from nestviz.grids import Grid, Plane


@pytest.mark.parametrize("seed", range(5))
def test_chunks_do_not_change_the_answer(seed, monkeypatch):
    family = gaussian_family(seed)
    grid = Grid.around(family.centres, resolution=17)
    whole = family.intervals(grid)
    scan = family.scan(grid)
    monkeypatch.setattr("nestviz.families.CHUNK", 200)
    pieces = family.intervals(grid)
    np.testing.assert_array_equal(whole.indptr, pieces.indptr)
    np.testing.assert_allclose(whole.lower, pieces.lower, rtol=1e-12)
    np.testing.assert_allclose(scan.first, family.first_level(grid), rtol=1e-12)
    np.testing.assert_array_equal(whole.counts, scan.counts)


@pytest.mark.parametrize("seed", range(5))
def test_fields_on_a_grid_equal_fields_at_its_points(seed):
    rng = np.random.default_rng(seed)
    family = gaussian_family(seed, dimension=5)
    directions = np.linalg.qr(rng.normal(size=(5, 2)))[0].T
    grid = Grid.around(family.centres, resolution=11, plane=Plane(rng.normal(size=5), directions))
    np.testing.assert_allclose(family.field(grid), family.field(grid.points()), atol=1e-12)
    level = float(family.levels.mean())
    np.testing.assert_allclose(
        family.values(grid, level), family.at(level).field(grid.points()), atol=1e-12
    )


def test_a_level_is_the_blend_of_its_neighbours():
    family = gaussian_family(3)
    middle = (family.levels[2] + family.levels[3]) / 2
    c, r = family.at(middle)
    np.testing.assert_allclose(c, (family.coefficients[2] + family.coefficients[3]) / 2)
    assert r == pytest.approx((family.offsets[2] + family.offsets[3]) / 2)


def test_a_union_has_no_coefficients_but_says_where_they_are():
    union = gaussian_family(1).union()
    assert isinstance(union, UnionFamily)
    with pytest.raises(TypeError, match=r"\.base"):
        _ = union.at(float(union.levels[0])).coefficients


@pytest.mark.parametrize("seed", range(4))
def test_equal_points_have_equal_answers_to_the_last_bit(seed):
    family = gaussian_family(seed, dimension=3)
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(37, 3))
    row = rng.integers(0, 37, size=500)
    many = X[row] * np.where(X[row] == 0, -1.0, 1.0)
    level = float(family.levels.mean())
    for answer in (
        family.values(many, level),
        family.field(many)[3],
        family.first_level(many),
        family.last_level(many),
        family.intervals(many).counts,
    ):
        for k in range(37):
            assert np.unique(answer[row == k]).size <= 1


def test_families_are_read_only():
    family = gaussian_family(0)
    with pytest.raises(ValueError, match="read-only"):
        family.coefficients[0, 0] = 1.0
