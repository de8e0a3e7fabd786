import numpy as np
import pytest
from crossing_families import crossing_families, crossing_family, membership
from hypothesis import given

from nestviz import (
    CostSensitivePath,
    Grid,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    make_sample,
)
from nestviz.analysis.nesting import nesting_report
from nestviz.figures.nesting import intervals_figure, violation_figure, violation_map_figure
from nestviz.volume.reference import Reference


def everywhere(X):
    """Each point stands for one unit of volume."""
    return Reference(X, float(len(X)))


@given(crossing_families())
def test_every_measure_agrees_with_looking_at_all_levels(case):
    family, X = case
    report = nesting_report(family, everywhere(X), X)
    levels, inside = membership(family, X)
    came_in = np.logical_or.accumulate(inside, axis=0)
    np.testing.assert_array_equal(report.violation_at(levels), (came_in & ~inside).sum(axis=1))
    crossed = inside.astype(int) @ (~inside).T.astype(int)
    most = np.triu(crossed).max(initial=0)
    assert most == (report.worst.area if report.worst else 0)
    seen = (came_in & ~inside).any(axis=0)
    # Points that only touch the boundary are violated too, though not between two levels looked at.
    assert np.all(report.violated[seen])
    np.testing.assert_array_equal(report.violated, family.violations(X))
    assert report.area == report.violated.sum()
    assert report.mass == family.violations(X).mean()
    np.testing.assert_array_equal(report.interval_counts, np.bincount(family.intervals(X).counts))


@given(crossing_families())
def test_the_worst_pair_is_a_pair_of_levels(case):
    family, X = case
    worst = nesting_report(family, everywhere(X)).worst
    if worst is None:
        return
    assert family.orientation * worst.small < family.orientation * worst.large
    small, large = family.contains(X, worst.small), family.contains(X, worst.large)
    assert worst.area == np.sum(small & ~large)


@given(crossing_families())
def test_turning_the_levels_round_turns_the_report_round(case):
    family, X = case
    low, high = family.domain
    if family.levels.size != np.unique(family.levels).size or family.tail:
        return  # a jump takes its upper value, and a tail must not let the small sets grow
    turned, _ = crossing_family(
        -family.levels[::-1], family.coefficients[::-1], -family.orientation, domain=(-high, -low)
    )
    one, other = nesting_report(family, everywhere(X)), nesting_report(turned, everywhere(X))
    assert one.area == other.area
    np.testing.assert_array_equal(one.violated, other.violated)
    np.testing.assert_allclose(one.levels, -other.levels[::-1], atol=1e-12)
    np.testing.assert_array_equal(one.violation, other.violation[::-1])
    assert (one.worst.area if one.worst else 0) == (other.worst.area if other.worst else 0)


def test_a_family_with_a_known_answer():
    # The first point is out on (0.5, 1.5), the second from 1.5 on, the third never again.
    family, X = crossing_family([0, 1, 2], [[1, 1, 1], [-1, 1, 1], [1, -1, 1]], 1)
    report = nesting_report(family, everywhere(X), X[:2])
    assert report.area == 2
    assert report.share == pytest.approx(2 / 3)
    assert report.mass == 1.0
    np.testing.assert_allclose(report.levels, [0, 0.5, 1.5, 2])
    np.testing.assert_array_equal(report.violation, [0, 1, 1])
    np.testing.assert_array_equal(report.interval_counts, [0, 2, 1])
    assert report.worst.area == 1
    assert not report.by_construction


@pytest.mark.parametrize("seed", range(3))
def test_paths_on_a_grid_against_many_levels(seed):
    data = make_sample("mixture", random_state=seed, n=60)
    grid = Grid.around(data.X, resolution=40)
    for family in (
        OneClassPath(0.4).fit(data.X).family_,
        CostSensitivePath(0.4, lam=0.05).fit(data.X, data.y).family_,
    ):
        report = nesting_report(family, grid, data.X)
        assert report.area == pytest.approx(grid.cell_area * family.violations(grid).sum())
        levels = np.linspace(0.01, 0.3, 150)[:: family.orientation]
        inside = family.values(grid, levels) > 0
        lost = np.maximum(
            grid.cell_area * (np.logical_or.accumulate(inside, axis=0) & ~inside).sum(axis=1),
            report.violation_at(levels),
        )
        # A walk over some levels misses some of the sets that a point has been in, never more.
        np.testing.assert_allclose(lost, report.violation_at(levels))
        crossed = inside.astype(float) @ (~inside).T.astype(float)
        assert grid.cell_area * np.triu(crossed).max() <= report.worst.area * (1 + 1e-12)
        small = family.contains(grid, report.worst.small)
        large = family.contains(grid, report.worst.large)
        assert grid.cell_area * np.sum(small & ~large) == pytest.approx(report.worst.area)


@pytest.mark.parametrize("seed", range(2))
def test_what_the_union_adds_is_the_violation_by_level(seed):
    X = make_sample("multi", random_state=seed, n=60).X
    family = OneClassPath(0.4).fit(X).family_
    grid = Grid.around(X, resolution=40)
    report = nesting_report(family, grid)
    assert report.mass is None
    for level in (0.005, 0.02, 0.05):
        added = family.union().contains(grid, level) & ~family.contains(grid, level)
        assert report.violation_at(level) == pytest.approx(grid.cell_area * added.sum())


def test_nested_families_are_marked_and_report_zero():
    data = make_sample("mixture", random_state=0, n=60)
    grid = Grid.around(data.X, resolution=40)
    for family in (
        NestedOneClassSVM(0.4).fit(data.X).family_,
        NestedCostSensitiveSVM(0.4).fit(data.X, data.y).family_,
        OneClassPath(0.4).fit(data.X).family_.union(),
    ):
        report = nesting_report(family, grid, data.X)
        assert report.by_construction
        assert report.area == report.share == report.mass == 0.0
        assert report.worst is None
        assert not report.violated.any()
        assert not report.violation_at([0.1, 0.5]).any()
        assert report.interval_counts.sum() == grid.size
        assert len(report.interval_counts) <= 2


def test_errors_are_sentences():
    family, X = crossing_family([0, 1], [[1, 1], [-1, 1]], 1)
    with pytest.raises(TypeError, match="or a Grid"):
        nesting_report(family, X)
    with pytest.raises(ValueError, match="no points"):
        nesting_report(family, everywhere(X), np.empty((0, 2)))


def test_figures_of_a_report():
    data = make_sample("mixture", random_state=0, n=60)
    grid = Grid.around(data.X, resolution=30)
    family = OneClassPath(0.4).fit(data.X).family_
    report = nesting_report(family, grid, data.X)
    curve = violation_figure(report, "density level")
    assert len(curve.data) == 1
    assert len(curve.layout.shapes) == 2
    assert max(curve.data[0].y) == pytest.approx(report.violation.max())
    assert curve.layout.xaxis.title.text == "density level"
    bars = intervals_figure(report)
    assert tuple(bars.data[0].y) == tuple(report.interval_counts)
    picture = violation_map_figure(report, grid, data.X, ("a", "b"))
    heat, points = picture.data
    assert np.shape(heat.z) == grid.shape
    assert len(points.x) == 60
    nested = nesting_report(NestedOneClassSVM(0.4).fit(data.X).family_, grid)
    assert len(violation_figure(nested, "density level").layout.shapes) == 0
