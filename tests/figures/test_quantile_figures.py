"""Figures of quantiles: traces, names and values, no pixels."""

import numpy as np

from nestviz import Grid, IndependentOneClassSVM, QuantileOneClassSVM, make_sample
from nestviz.analysis.coverage import CoverageRatio
from nestviz.analysis.quantiles import quantile_sets
from nestviz.figures.quantiles import (
    coverage_figure,
    coverage_ratio_figure,
    quantile_sets_figure,
)

ALPHA = np.array([0.25, 0.5, 0.75])
COVERAGES = {
    "shared": CoverageRatio(ALPHA, np.array([0.2, 0.5, 0.7]), 100),
    "independent": CoverageRatio(ALPHA, np.array([0.1, 0.4, 0.6]), 100),
}


def test_ratios_of_every_method_against_one():
    figure = coverage_ratio_figure(COVERAGES, intervals=True)
    assert [trace.name for trace in figure.data] == ["shared", "independent"]
    for trace, coverage in zip(figure.data, COVERAGES.values(), strict=True):
        np.testing.assert_allclose(trace.y, coverage.ratios)
        low, high = coverage.intervals.T
        np.testing.assert_allclose(trace.error_y.array, high - coverage.ratios)
        np.testing.assert_allclose(trace.error_y.arrayminus, coverage.ratios - low)
    # Told apart without colour.
    assert len({trace.line.dash for trace in figure.data}) == 2
    assert len({trace.marker.symbol for trace in figure.data}) == 2
    assert figure.layout.shapes[0].y0 == 1
    assert coverage_ratio_figure(COVERAGES).data[0].error_y.array is None


def test_masses_against_the_diagonal():
    figure = coverage_figure(COVERAGES)
    assert len(figure.data) == 3
    np.testing.assert_allclose(figure.data[1].y, [0.2, 0.5, 0.7])
    assert list(figure.data[0].x) == list(figure.data[0].y) == [0, 1]


def test_sets_side_by_side_light_up_where_they_cross():
    X = make_sample("banana", random_state=0, n=120).X
    families = {
        name: estimator(sigma=0.3, quantiles=ALPHA).fit(X).family_
        for name, estimator in (
            ("shared", QuantileOneClassSVM),
            ("independent", IndependentOneClassSVM),
        )
    }
    records = quantile_sets(families, Grid.around(X, resolution=60), X, ALPHA)
    figure = quantile_sets_figure(records, X)
    assert [note.text for note in figure.layout.annotations] == ["shared", "independent"]
    lit = [trace for trace in figure.data if trace.name == "sets cross"]
    assert len(lit) == 1
    assert lit[0].fill == "toself"
    assert lit[0].xaxis == "x2"
    assert sum(trace.name == "quantile = 0.5" for trace in figure.data) == 2
