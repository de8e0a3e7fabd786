import numpy as np
import pytest

from nestviz.analysis.nu.fractions import nu_curve
from nestviz.analysis.nu.offsets import between_sets
from nestviz.estimators import OneClassPath
from nestviz.figures.nu import between_figure, nu_property_figure
from nestviz.grids import Grid


def points():
    return np.random.default_rng(0).normal(size=(60, 2))


def test_nu_runs_between_its_two_lines():
    curve = nu_curve(OneClassPath(0.7).fit(points()), np.linspace(0.05, 1, 20))
    figure = nu_property_figure(curve, nu=0.3)
    above, middle, below = figure.data
    assert [above.name, middle.name, below.name] == ["support vectors", "ν", "outliers"]
    assert np.all(above.y >= middle.y - 1e-9)
    assert np.all(below.y <= middle.y + 1e-9)
    assert len({trace.line.dash for trace in figure.data}) == 3
    assert len(figure.layout.shapes) == 1
    assert "60" in figure.layout.yaxis.title.text


@pytest.mark.parametrize("with_rho", [False, True])
def test_a_row_has_a_panel_for_each_nu(with_rho):
    X = points()
    grid = Grid.around(X, resolution=30)
    row = between_sets(X, 0.6, [0.1, 0.4, 1.0], 0.1, grid, with_rho=with_rho)
    # At ν = ν' the margin points lie on the level in question, and stay inside together.
    assert row[0].outside <= 0.1
    assert [entry.outside for entry in row[1:]] == [0.1, 0.1]
    assert len(row[-1].support) == 60
    figure = between_figure(row, X)
    assert len(figure.layout.annotations) == 3
    assert "Parzen" in figure.layout.annotations[-1].text
    assert len(figure.data) == 3 * (4 if with_rho else 3)
    open_marks, filled = figure.data[:2]
    assert len(filled.x) == len(row[0].support)
    assert len(filled.x) + len(open_marks.x) == 60
    assert open_marks.marker.symbol != filled.marker.symbol
    shown = [trace.name for trace in figure.data if trace.showlegend]
    assert len(shown) == len(set(shown))
