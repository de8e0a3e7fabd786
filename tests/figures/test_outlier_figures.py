import numpy as np
import pytest

from nestviz import Grid, ParzenLevelSets, make_sample
from nestviz.analysis.flags import flag_outliers
from nestviz.analysis.level_sweep import outline
from nestviz.analysis.outliers import outlier_ranking
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.figures.cluster_tree import clusters_figure, counts_figure
from nestviz.figures.outliers import outliers_figure
from nestviz.figures.point_looks import PointLooks
from nestviz.palette import LIGHT, rgba


@pytest.fixture(scope="module")
def ranked():
    X = make_sample("multi", random_state=0, n=80).X
    family = ParzenLevelSets(0.4).fit(X).family_
    return X, family, outlier_ranking(family, X)


def test_flagged_points_have_another_mark_and_lie_outside_the_boundary(ranked):
    X, family, ranking = ranked
    flags = flag_outliers(ranking, 0.1)
    grid = Grid.around(X, resolution=40)
    field = family.values(grid, flags.threshold).reshape(grid.shape)
    figure = outliers_figure(
        ranking, X, ("a", "b"), flagged=flags.flagged, boundary=outline(field, grid)
    )
    line, points = figure.data[0], figure.data[1]
    assert line.name == "threshold"
    assert np.isnan(line.x).any()
    marks = np.array(points.marker.symbol)
    rows = points.customdata[:, 0].astype(int)
    assert np.array_equal(marks == "triangle-up", flags.flagged[rows])


def test_a_point_that_is_explained_wears_a_ring(ranked):
    X, _, ranking = ranked
    row = int(ranking.order[0])
    figure = outliers_figure(
        ranking, X, ("a", "b"), row=row, contributions=ranking.contributions(row)
    )
    ring = next(trace for trace in figure.data if trace.name == "selected")
    assert (ring.x[0], ring.y[0]) == tuple(X[row])
    assert any("from point" in trace.name for trace in figure.data)


def test_the_figure_has_the_given_looks_names_and_selection(ranked):
    X, _, ranking = ranked
    kinds = [("north <b>", 0, "square"), ("south", 1, "wedge"), ("others", -1, "circle")]
    looks = PointLooks(kinds, np.arange(80) % 3, title="By region")
    names = [f"row {k}, E-<i>{k}" for k in range(80)]
    figure = outliers_figure(
        ranking, X, ("a", "b"), looks=looks, point_names=names, selected=(3, 5), view=(-9, 9, -8, 8)
    )
    points = next(trace for trace in figure.data if trace.name == "points")
    rows = points.customdata[:, 0].astype(int)
    assert np.array_equal(np.column_stack([points.x, points.y]), X[rows])
    assert list(points.text) == [f"row {k}, E-&#60;i&#62;{k}" for k in rows]
    symbols = np.array(["square", "triangle-down", "circle"])
    assert list(points.marker.symbol) == symbols[rows % 3].tolist()
    colours = np.array([*LIGHT.classes[:2], rgba(LIGHT.text, 0.5)])
    assert list(points.marker.color) == colours[rows % 3].tolist()
    ring = next(trace for trace in figure.data if trace.name == "selected")
    assert list(ring.x) == X[[3, 5], 0].tolist()
    listed = [trace.name for trace in figure.data if trace.showlegend]
    assert listed == ["north &#60;b&#62;", "south", "others"]
    assert figure.layout.legend.title.text == "By region"
    assert figure.layout.xaxis.range == (-9, 9)


def test_a_new_point_is_a_cross_with_lines_to_its_support(ranked):
    X, _, ranking = ranked
    at = (0.1, 0.2)
    given = ranking.contributions_of(np.array(at), 3)
    figure = outliers_figure(ranking, X, ("a", "b"), contributions=given, location=at, row=None)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert len(lines) == 3
    assert all((line.x[0], line.y[0]) == at for line in lines)
    cross = next(trace for trace in figure.data if trace.name == "new point")
    assert (cross.x[0], cross.y[0]) == at


def test_the_step_curve_marks_the_cut(ranked):
    X, family, _ = ranked
    tree = cluster_tree(family, X).prune(min_mass=0.05)
    level = float(tree.birth[tree.parent >= 0].max())
    figure = counts_figure(tree, level)
    curve, cut = figure.data
    assert curve.line.shape == "hv"
    assert curve.y[-1] == 0
    assert cut.y[0] == len(tree.nodes_at(level))
    assert len(counts_figure(tree).data) == 1


def test_selected_points_wear_rings_among_the_clusters(ranked):
    X, _, _ = ranked
    figure = clusters_figure(X, np.zeros(80, int), ("a", "b"), selected=np.array([3, 5]))
    assert figure.data[-1].name == "selected"
    assert list(figure.data[-1].x) == X[[3, 5], 0].tolist()
