import numpy as np

from nestviz.analysis.density import density_rank
from nestviz.analysis.minimum_volume import minimum_volume_set
from nestviz.data import make_sample
from nestviz.estimators import OneClassPath, ParzenLevelSets
from nestviz.figures.bandwidth import (
    excess_mass_figure,
    integrated_volume_figure,
    mass_volume_figure,
    support_vectors_figure,
)
from nestviz.figures.density import density_rank_figure, mass_level_figure
from nestviz.grids import Grid
from nestviz.volume import select_bandwidth, support_vector_rule

X = make_sample("multi", n=40).X
SELECTION = select_bandwidth(X, ParzenLevelSets(), [0.2, 0.5, 2.0], cv=2)


def named_curves():
    return {f"σ = {s:g}": c for s, c in zip(SELECTION.sigmas, SELECTION.curves, strict=True)}


def test_mass_volume_lines_run_from_nothing_to_the_box():
    figure = mass_volume_figure(named_curves())
    assert [trace.name for trace in figure.data] == ["σ = 0.2", "σ = 0.5", "σ = 2"]
    # Told apart without colour too.
    assert len({(trace.line.dash, trace.marker.symbol) for trace in figure.data}) == 3
    for trace in figure.data:
        assert (trace.x[0], trace.y[0], trace.x[-1]) == (0, 0, 1)
        assert trace.y[-1] == SELECTION.curves[0].box_volume
    assert tuple(figure.layout.xaxis.range) == (0, 1)


def test_excess_mass_starts_at_one():
    figure = excess_mass_figure({k: c.excess_mass() for k, c in named_curves().items()})
    assert len(figure.data) == 3
    assert all((trace.x[0], trace.y[0]) == (0, 1) for trace in figure.data)


def test_integrated_volume_has_band_line_best_and_rules():
    figure = integrated_volume_figure(SELECTION, {"median distance": 1.5})
    band, line, best, rule = figure.data
    np.testing.assert_array_equal(line.x, SELECTION.sigmas)
    np.testing.assert_array_equal(line.y, SELECTION.values)
    np.testing.assert_array_equal(line.error_y.array, SELECTION.errors)
    assert len(band.x) == 6
    assert best.x[0] == SELECTION.sigma
    assert rule.name == "median distance: 1.5"
    assert set(rule.x) == {1.5}
    assert figure.layout.xaxis.type == "log"
    assert len(integrated_volume_figure(SELECTION).data) == 3


def test_support_vectors_and_the_choice():
    rule = support_vector_rule(X, OneClassPath(), [0.1, 0.5, 2.0])
    counts, chosen = support_vectors_figure(rule).data
    np.testing.assert_array_equal(counts.y, rule.counts)
    assert set(chosen.x) == {rule.sigma}


def test_mass_by_level_with_the_level_chosen():
    found = minimum_volume_set(ParzenLevelSets(0.5), X, 0.6)
    steps, star = mass_level_figure(found).data
    np.testing.assert_array_equal(steps.y, found.masses)
    assert (star.x[0], star.y[0]) == (found.level, found.mass)


def test_rank_map_covers_the_grid():
    grid = Grid.around(X, resolution=12)
    family = ParzenLevelSets(0.5).fit(X).family_
    figure = density_rank_figure(density_rank(family, grid, X), grid, ("a", "b"))
    (contour,) = figure.data
    assert np.shape(contour.z) == grid.shape
    assert tuple(figure.layout.xaxis.range) == (grid.u[0], grid.u[-1])
    assert figure.layout.yaxis.title.text == "b"
