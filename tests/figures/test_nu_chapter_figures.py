"""Pictures of the chapter on ν: a set with its points, and how far an outlier can move."""

import numpy as np

from nestviz.figures.nu import POINT_KINDS, nu_set_figure, resistance_figure

POINTS = np.arange(12.0).reshape(6, 2)
CODES = np.array([0, 0, 1, 2, 2, 2], dtype=np.int8)
SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def test_points_are_told_apart_without_colour():
    figure = nu_set_figure(POINTS, CODES, [SQUARE])
    marks = {trace.name: trace for trace in figure.data if trace.mode == "markers"}
    assert [len(marks[POINT_KINDS[code][0]].x) for code in (0, 1, 2)] == [2, 1, 3]
    assert len({trace.marker.symbol for trace in marks.values()}) == 3
    assert all(trace.showlegend for trace in marks.values())
    assert marks[POINT_KINDS[1][0]].customdata.tolist() == [2]


def test_the_set_before_lies_below_the_set_after():
    figure = nu_set_figure(POINTS, CODES, [SQUARE], before=[2 * SQUARE], ringed=1)
    before, after = (trace for trace in figure.data if trace.mode == "lines")
    assert (before.name, after.name) == ("before the move", "after the move")
    assert before.line.width > after.line.width
    assert np.nanmax(before.x) == 2
    ring = figure.data[-1]
    assert (ring.x[0], ring.y[0]) == tuple(POINTS[1])


def test_the_marked_move_lies_on_the_line():
    shares = np.array([0.0, 1.0, 2.0])
    figure = resistance_figure(shares, np.radians([0.0, 0.0, 10.0]), 1.5)
    assert figure.data[1].x[0] == 1.5
    assert figure.data[1].y[0] == 5.0
    assert figure.layout.shapes[0].x0 == 1.0
    assert "boundary" in figure.layout.annotations[0].text
