"""Figures of a plane are to scale, and charts have the colours of the app's own pictures."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from nestviz import ParzenLevelSets, figures
from nestviz.analysis import cluster_tree, nesting_report, outlier_ranking
from nestviz.analysis.level_sweep import sweep
from nestviz.data import make_sample
from nestviz.drawing import draw_sets, small
from nestviz.figures.theme import page_colours
from nestviz.grids import Grid
from nestviz.palette import CLASS_COLOURS, CYCLE, LIGHT, NEUTRAL, rgba

DATA = make_sample("banana", random_state=0, n=60)
X, NAMES = DATA.X * [4.0, 1.0], ("a", "b")
FAMILY = ParzenLevelSets(0.8).fit(X).family_
GRID = Grid.around(X, resolution=24)
WALK = sweep(FAMILY, GRID, X, [0.1, 0.05])


def clusters() -> go.Figure:
    labels = cluster_tree(FAMILY, X).cut(0.05)
    return figures.clusters_figure(X, labels, NAMES)


PLANES = {
    "points": lambda: figures.points_figure(X, DATA.y, NAMES),
    "outlines": lambda: figures.outlines_figure([("a", WALK), ("b", WALK)], X, DATA.y, "λ"),
    "clusters": clusters,
    "outliers": lambda: figures.outliers_figure(outlier_ranking(FAMILY, X), X, NAMES),
    "violations": lambda: figures.violation_map_figure(
        nesting_report(FAMILY, GRID), GRID, X, NAMES
    ),
    "minimum volume": lambda: figures.minimum_volume_figure(
        WALK.outlines[0], X, X + 1.0, GRID.box, NAMES
    ),
    "reference points": lambda: figures.reference_points_figure({"u": X, "v": X + 1.0}, X),
    "path": lambda: figures.sets_figure(X, np.zeros(60, np.int8), WALK.outlines[0], NAMES),
    "nu": lambda: figures.nu_set_figure(X, np.zeros(60, np.int8), WALK.outlines[0]),
}


@pytest.mark.parametrize("name", PLANES)
def test_one_unit_is_as_long_across_as_along_in_every_panel(name):
    layout = PLANES[name]().to_plotly_json()["layout"]
    uprights = {key: axis for key, axis in layout.items() if key.startswith("yaxis")}
    assert uprights
    assert (layout["yaxis"]["scaleanchor"], layout["yaxis"]["scaleratio"]) == ("x", 1)
    for key, axis in uprights.items():
        level = layout[key.replace("y", "x", 1)]
        assert (axis["matches"], level["matches"]) == ("y", "x")
        assert axis["constrain"] == level["constrain"] == "domain"


def units(axes) -> np.ndarray:
    """Pixels of one unit across and along."""
    corners = axes.transData.transform([(0, 0), (1, 1)])
    return corners[1] - corners[0]


@pytest.mark.parametrize("stretch", [(4.0, 1.0), (1.0, 1.0), (1.0, 6.0)])
def test_stills_are_to_scale_and_their_height_follows(stretch):
    points = DATA.X * stretch
    family = ParzenLevelSets(0.8).fit(points).family_
    figure = draw_sets({"a": family, "b": family}, points, grid=Grid.around(points, resolution=24))
    for axes in figure.axes:
        across, along = units(axes)
        assert across == pytest.approx(along, rel=1e-6)
    assert (figure.get_size_inches()[1] * 72 < 340) == (stretch[0] > stretch[1])


def test_small_pictures_are_to_scale_and_show_everything():
    for view in ((0.0, 1.0, 0.0, 5.0), (-9.0, 9.0, 0.0, 1.0)):
        axes = small.small_axes(view)
        across, along = units(axes)
        assert across == pytest.approx(along, rel=1e-6)
        shown = (*axes.get_xlim(), *axes.get_ylim())
        assert shown[0] <= view[0] < view[1] <= shown[1]
        assert shown[2] <= view[2] < view[3] <= shown[3]


def test_curves_and_classes_have_the_colours_of_the_table():
    assert LIGHT.classes == CYCLE
    assert {1: LIGHT.classes[0], -1: LIGHT.classes[1]} == CLASS_COLOURS
    first, second = figures.points_figure(X, DATA.y, NAMES).data
    assert (first.marker.color, second.marker.color) == LIGHT.classes[:2]
    report = nesting_report(FAMILY, GRID)
    pixels = figures.violation_map_figure(report, GRID, X, NAMES).data[0]
    assert pixels.colorscale[1][1] == rgba(LIGHT.alarm, 0.5)


def test_a_page_replaces_every_colour_of_the_table_by_that_of_its_theme():
    """The browser replaces #000001 by the first of ``chartCategoricalColors``, and so on."""
    figure = go.Figure([go.Scatter(x=[0], y=[0], line_color=c) for c in LIGHT.charts])
    figure.add_scatter(x=[0], y=[0], fillcolor=rgba(LIGHT.accent, 0.5), line_color=NEUTRAL)
    drawn = page_colours(figure)
    marks = [trace.line.color for trace in drawn.data]
    assert marks == [*(f"#{k:06d}" for k in range(1, 11)), NEUTRAL]
    assert drawn.data[-1].fillcolor == "#00000180"
    assert figure.data[0].line.color == LIGHT.charts[0]


@pytest.mark.parametrize("name", PLANES)
def test_no_colour_of_the_light_theme_is_left_on_a_page(name):
    spec = json.dumps(page_colours(PLANES[name]()).to_plotly_json(), default=str)
    assert not [colour for colour in LIGHT.classes if colour in spec]
