import numpy as np
import pytest

from nestviz.analysis.level_sweep import outline, sweep, sweep_levels
from nestviz.estimators import CostSensitivePath, NestedOneClassSVM, OneClassPath, ParzenLevelSets
from nestviz.grids import Grid


def points(seed=0, n=60):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) + 3 * rng.integers(0, 2, size=(n, 1))


def inside(rings, at):
    """Even–odd rule, edge by edge."""
    crossings = np.zeros(len(at), dtype=int)
    for ring in rings:
        a, b = ring[:-1], ring[1:]
        for (x1, y1), (x2, y2) in zip(a, b, strict=True):
            spans = (y1 > at[:, 1]) != (y2 > at[:, 1])
            with np.errstate(divide="ignore", invalid="ignore"):
                cut = x1 + (at[:, 1] - y1) * (x2 - x1) / (y2 - y1)
            crossings += spans & (at[:, 0] < cut)
    return crossings % 2 == 1


FAMILIES = {
    "parzen": lambda X: ParzenLevelSets(0.7).fit(X).family_,
    "path": lambda X: OneClassPath(0.7).fit(X).family_,
    "union": lambda X: OneClassPath(0.7).fit(X).family_.union(),
    "nested": lambda X: NestedOneClassSVM(0.7).fit(X).family_,
    "cost": lambda X: CostSensitivePath(0.7).fit(X, np.where(X[:, 0] > 1, 1, -1)).family_,
}


@pytest.mark.parametrize("name", FAMILIES)
def test_sets_grow_from_almost_nothing_to_all_points(name):
    X = points()
    family = FAMILIES[name](X)
    walk = sweep(family, Grid.around(X, resolution=60), X)
    assert len(walk.levels) == 60
    assert np.all(np.diff(walk.levels) * family.orientation > 0)
    assert walk.inside[0] < 0.5
    assert walk.inside[-1] > 0.9
    assert len(walk.outlines[1]) >= 1


@pytest.mark.parametrize("name", FAMILIES)
def test_outlines_surround_the_pixels_inside(name):
    X = points(1)
    family = FAMILIES[name](X)
    grid = Grid.around(X, resolution=40)
    walk = sweep(family, grid, X)
    for frame in (5, 30, 55):
        field = family.values(grid, walk.levels[frame])
        clear = np.abs(field) > 1e-3 * np.abs(field).max()
        # away from the edge of the grid, where the even-odd rule meets the border
        border = np.zeros(grid.shape, dtype=bool)
        border[1:-1, 1:-1] = True
        clear &= border.ravel()
        got = inside(walk.outlines[frame], grid.points()[clear])
        np.testing.assert_array_equal(got, field[clear] > 0)


def test_a_hole_is_a_ring_of_its_own():
    grid = Grid(np.linspace(-1, 1, 41), np.linspace(-1, 1, 41), Grid.around(np.eye(2)).plane)
    radius = np.hypot(*np.meshgrid(grid.u, grid.v))
    rings = outline(0.2 - np.abs(radius - 0.6), grid)
    assert len(rings) == 2
    np.testing.assert_array_equal(rings[0][0], rings[0][-1])


def test_a_family_in_which_nothing_comes_in_is_walked_over_its_breakpoints():
    X = points()
    family = ParzenLevelSets(0.01).fit(X).family_
    far = Grid.around(X + 1e4, resolution=10)
    levels = sweep_levels(family, far, X + 1e4)
    assert np.isfinite(levels).all()
    assert len(levels) == 60


def test_places_left_behind_are_those_once_inside_and_now_outside():
    X = points(2)
    family = OneClassPath(0.5).fit(X).family_
    grid = Grid.around(X, resolution=50)
    walk = sweep(family, grid, X)
    fields = family.values(grid, walk.levels)
    once = np.logical_or.accumulate(fields > 0, axis=0)
    expected = (once & (fields < 0)).mean(axis=1)
    np.testing.assert_allclose(walk.broken_share, expected)
    assert walk.broken_share.max() > 0
    assert len(walk.broken[int(walk.broken_share.argmax())]) >= 1


@pytest.mark.parametrize("name", ["parzen", "union", "nested"])
def test_nothing_is_left_behind_by_nested_sets(name):
    X = points(2)
    walk = sweep(FAMILIES[name](X), Grid.around(X, resolution=30), X)
    assert not walk.broken_share.any()
    assert not any(len(rings) for rings in walk.broken)
