"""Figures of a search over the width."""

import numpy as np
import pytest

from nestviz import ParzenLevelSets, make_sample
from nestviz.figures.bandwidth import (
    area_by_width_figure,
    integrated_volume_figure,
    mass_volume_grid_figure,
)
from nestviz.volume import select_bandwidth


@pytest.fixture(scope="module")
def selection():
    X = make_sample("multi", n=60).X
    return select_bandwidth(X, ParzenLevelSets(), [0.1, 0.5, 2.0], cv=3, n_jobs=None)


def test_the_band_is_the_standard_error_where_asked_for(selection):
    wide = integrated_volume_figure(selection).data[0]
    narrow = integrated_volume_figure(selection, standard_error=True).data[0]
    middle = np.concatenate([selection.values, selection.values[::-1]])
    np.testing.assert_allclose((narrow.y - middle) * np.sqrt(3), wide.y - middle)
    assert (wide.name, narrow.name) == (
        "± standard deviation over folds",
        "± standard error over folds",
    )


def test_points_of_the_curve_say_which_width_they_are(selection):
    line = integrated_volume_figure(selection).data[1]
    assert list(line.customdata) == [0, 1, 2]


def test_all_curves_with_the_chosen_and_the_least_one(selection):
    other = (selection.best + 1) % 3
    names = [trace.name for trace in mass_volume_grid_figure(selection, other).data]
    assert len(names) == 5
    assert names[3:] == [
        f"least: σ = {selection.sigma:.3g}",
        f"chosen: σ = {selection.sigmas[other]:.3g}",
    ]
    assert len(mass_volume_grid_figure(selection, selection.best).data) == 4


def test_long_curves_are_thinned_from_end_to_end(selection):
    for trace in mass_volume_grid_figure(selection, 0).data:
        assert len(trace.x) <= 300
        assert (trace.x[0], trace.x[-1]) == (0.0, 1.0)


def test_areas_with_their_bands():
    sigmas = np.array([0.1, 1.0])
    areas = {"one": np.array([[0.5, 0.7], [0.8, 0.8]]), "two": np.full((2, 2), 0.9)}
    band, line, _, second = area_by_width_figure(sigmas, areas).data
    np.testing.assert_allclose(line.y, [0.6, 0.8])
    np.testing.assert_allclose(band.y, [0.7, 0.8, 0.8, 0.5])
    assert line.line.dash != second.line.dash
