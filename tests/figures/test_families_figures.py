import numpy as np

from nestviz.analysis.level_sweep import sweep
from nestviz.estimators import ParzenLevelSets
from nestviz.figures.families import coefficients_figure, outlines_figure
from nestviz.figures.points import points_figure
from nestviz.grids import Grid


def some_sweep():
    X = np.random.default_rng(0).normal(size=(30, 2))
    family = ParzenLevelSets(0.5).fit(X).family_
    return X, sweep(family, Grid.around(X, resolution=30), X, [0.3, 0.1, 0.05])


def test_outlines_have_one_line_per_level_and_panel():
    X, levels = some_sweep()
    figure = outlines_figure([("left", levels), ("right", levels)], X, None, "θ")
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert len(lines) == 6
    assert [trace.name for trace in lines if trace.showlegend] == ["θ = 0.3", "θ = 0.1", "θ = 0.05"]
    assert len({(trace.line.color, trace.line.dash) for trace in lines}) == 3
    drawn = sum(len(ring) for ring in levels.outlines[0])
    assert np.isfinite(lines[0].x).sum() == drawn


def test_an_empty_set_is_an_empty_line():
    X, _ = some_sweep()
    family = ParzenLevelSets(0.5).fit(X).family_
    empty = sweep(family, Grid.around(X, resolution=10), X, [5.0])
    figure = outlines_figure([("none", empty)], X, np.where(X[:, 0] > 0, 1, -1), "θ")
    assert not np.isfinite(figure.data[-1].x).any()
    assert len(figure.data) == 3


def test_coefficient_lines_do_not_join_points():
    levels = np.array([0.0, 1.0])
    figure = coefficients_figure([("one", levels, np.array([[1.0, 2.0], [3.0, 4.0]]))], "λ")
    np.testing.assert_array_equal(figure.data[0].y, [1, 3, np.nan, 2, 4, np.nan])


def test_points_are_told_apart_by_colour_and_mark():
    X, _ = some_sweep()
    y = np.where(X[:, 0] > 0, 1, -1).astype(np.int8)
    figure = points_figure(X, y, ("a", "b"))
    first, second = figure.data
    assert first.marker.color != second.marker.color
    assert first.marker.symbol != second.marker.symbol
    assert len(first.x) + len(second.x) == 30
    rows = np.concatenate([first.customdata, second.customdata])
    np.testing.assert_array_equal(np.sort(rows), np.arange(30))
