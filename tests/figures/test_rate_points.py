"""Maps with cells to click, the operating point, and sets with their reference points."""

import numpy as np
import pytest

from nestviz.analysis.rate_scores import neyman_pearson_score
from nestviz.analysis.roc import roc_curve
from nestviz.data import make_sample
from nestviz.estimators import DualNuSVM, error_table
from nestviz.estimators.error_control.criteria import NeymanPearson
from nestviz.estimators.error_control.known_rates import search_table
from nestviz.estimators.error_control.search import Settings
from nestviz.figures.minimum_volume import minimum_volume_figure
from nestviz.figures.rate_points import operating_figure, rate_panels

NU, SIGMAS = np.array([0.3, 0.6, 0.9]), np.array([0.5, 1.0])


@pytest.fixture(scope="module")
def data():
    return make_sample("banana", 0, n=40)


@pytest.fixture(scope="module")
def search(data):
    table = error_table(data.X, data.y, NU, NU, SIGMAS, cv=2)
    settings = Settings("grid", "2d", NU, SIGMAS, 2, 0, None)
    return search_table(table, NeymanPearson(0.2), settings)


@pytest.mark.parametrize("alpha", [None, 0.2])
def test_every_cell_of_every_map_can_be_clicked(search, alpha):
    panels = rate_panels(search, 1, alpha=alpha)
    assert len(panels) == 3
    for figure in panels.values():
        cells = next(trace for trace in figure.data if trace.name == "cells")
        assert "bdata" not in str(figure.to_plotly_json()["data"][-1]["customdata"])
        places = np.asarray(cells.customdata)
        assert len(places) == NU.size**2
        assert set(places[:, 0]) == {1}
        np.testing.assert_array_equal(cells.x, NU[places[:, 1].astype(int)])
        np.testing.assert_array_equal(cells.y, NU[places[:, 2].astype(int)])
        heat = np.asarray(figure.data[0].z)
        np.testing.assert_array_equal(
            places[:, 3], heat[places[:, 2].astype(int), places[:, 1].astype(int)]
        )
        assert cells.hoverinfo != "skip"
        assert all(trace.xaxis in (None, "x") for trace in figure.data)
    first = next(iter(panels.values())).data[0]
    np.testing.assert_array_equal(np.asarray(first.z).T, search.false_alarm[1])


def test_raw_maps_show_the_table(search):
    first = next(iter(rate_panels(search, 0, smoothed=False).values())).data[0]
    np.testing.assert_array_equal(np.asarray(first.z).T, search.table.false_alarm[0])


def test_the_operating_point_and_the_limit(data, search):
    model = DualNuSVM(sigma=1.0).fit(data.X, data.y)
    curve = roc_curve(model.family_, data.X, data.y)
    test = neyman_pearson_score(data.y, model.predict(data.X), 0.2)
    figure = operating_figure(curve, "points", search, (0.1, 0.3), alpha=0.2, test=test)
    traces = {trace.name: trace for trace in figure.data}
    assert list(traces["limit 0.2"].x) == [0.2, 0.2]
    star = traces["this one, cross-validated"]
    assert (star.x[0], star.y[0]) == (0.1, 0.7)
    aside = next(trace for name, trace in traces.items() if "held out" in name)
    assert aside.x[0] + aside.error_x.array[0] == pytest.approx(test.false_alarm.interval[1])
    assert aside.y[0] - aside.error_y.arrayminus[0] == pytest.approx(1 - test.miss.interval[1])
    on_curve = (curve.false_alarm == aside.x[0]) & np.isclose(curve.detection, aside.y[0])
    assert on_curve.any()
    assert len(traces["settings of the search"].x) == search.miss.size


def test_minimax_has_the_line_of_equal_errors(data, search):
    model = DualNuSVM(sigma=1.0).fit(data.X, data.y)
    curve = roc_curve(model.family_, data.X, data.y)
    figure = operating_figure(curve, "points", search, (0.1, 0.3))
    line = next(trace for trace in figure.data if trace.name == "equal rates")
    np.testing.assert_array_equal(np.asarray(line.x) + np.asarray(line.y), 1.0)


def test_a_set_its_data_and_its_reference_points():
    ring = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    points, reference = np.array([[0.2, 0.2], [2.0, 2.0]]), np.array([[0.5, 1.5]])
    figure = minimum_volume_figure(
        [ring], points, reference, (0, 2, 0, 3), ("a", "b"), selected=[1]
    )
    sizes = {trace.name: len(trace.x) for trace in figure.data}
    assert sizes == {"the set": 5, "reference": 1, "data": 2, "selected": 1}
    assert figure.layout.yaxis.range == (0, 3)
    assert figure.layout.xaxis.title.text == "a"
