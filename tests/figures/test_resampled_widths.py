"""Figures of the Bandwidth page: resamples, margins and densities."""

import numpy as np
import pytest

from nestviz.figures import density_maps_figure, margin_effect_figure, resampled_widths_figure
from nestviz.grids import Grid
from nestviz.volume import BandwidthBootstrap, MarginEffect

WIDTHS = np.array([0.5, 1.0, 2.0])


def test_resamples_are_counted_by_their_width():
    values = np.array([[3.0, 1.0, 2.0], [3.0, 2.0, 1.0], [4.0, 1.0, 5.0]])
    figure = resampled_widths_figure(BandwidthBootstrap(WIDTHS, values, True), 2.0)
    named = {trace.name: trace for trace in figure.data if trace.name}
    counted = named["σ* of the resamples"]
    assert list(zip(counted.x, counted.y, strict=True)) == [(1.0, 2.0), (2.0, 1.0)]
    assert list(named["σ* of the data: 2"].x) == [2.0, 2.0]
    assert figure.layout.xaxis.type == "log"


def test_curves_of_all_margins_touch_their_least_value():
    effect = MarginEffect(
        np.array([0.0, 0.5]), WIDTHS, np.array([[4.0, 2.0, 3.0], [6.0, 5.0, 4.0]])
    )
    figure = margin_effect_figure(effect, 0.5)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert [trace.name for trace in lines] == ["margin 0: σ* = 1", "margin 0.5: σ* = 2"]
    assert [min(trace.y) for trace in lines] == [1.0, 1.0]
    assert lines[1].line.width > lines[0].line.width
    stars = [trace for trace in figure.data if trace.mode == "markers"]
    assert [trace.x[0] for trace in stars] == [1.0, 2.0]


@pytest.mark.parametrize("count", [1, 2])
def test_densities_share_their_colours(count):
    grid = Grid.around(np.array([[0.0, 0.0], [1.0, 2.0]]), resolution=8)
    maps = {f"<b>{k}</b>": np.full(grid.shape, k + 1.0) for k in range(count)}
    figure = density_maps_figure(maps, grid, ("x", "y"), "density")
    assert {trace.zmax for trace in figure.data} == {float(count)}
    assert [trace.showscale for trace in figure.data] == [False] * (count - 1) + [True]
    assert "<b>" not in figure.layout.annotations[0].text
