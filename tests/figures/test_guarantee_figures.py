"""Figures of promises: coverage, p-values and sets of labels."""

import numpy as np

from nestviz.analysis.coverage import CoverageRatio
from nestviz.figures import (
    label_sets_figure,
    ordered_p_values_figure,
    promised_coverage_figure,
    two_p_values_figure,
)


def test_the_same_method_has_one_colour_and_calibrated_sets_have_filled_marks():
    masses = np.array([0.2, 0.5, 0.9])
    plain, new = (CoverageRatio(masses, masses * share, 50) for share in (0.7, 1.0))
    band = np.column_stack([masses - 0.1, masses + 0.1])
    figure = promised_coverage_figure({"a": plain}, {"a": new}, band, intervals=True)
    names = [trace.name for trace in figure.data]
    lines = ["a, as it is", "a, calibrated"]
    assert names == ["as promised", "95% of splits", *lines, "dotted: not calibrated"]
    before, after = figure.data[2:4]
    # One entry of the legend for each method.
    assert [trace.name for trace in figure.data if trace.showlegend is False] == ["a, as it is"]
    assert before.line.color == after.line.color
    assert (before.line.dash, after.line.dash) == ("dot", "solid")
    assert before.marker.symbol == f"{after.marker.symbol}-open"
    np.testing.assert_allclose(before.y, plain.masses)
    # Bars of the share itself, not of its ratio to the promise.
    low, high = plain.intervals.T * masses
    np.testing.assert_allclose(before.error_y.array, high - plain.masses)
    np.testing.assert_allclose(before.error_y.arrayminus, plain.masses - low)
    np.testing.assert_allclose(figure.data[1].y, [*band[:, 1], *band[::-1, 0]])


def test_p_values_stand_in_order_with_the_line_of_the_limit():
    p_values = np.array([0.5, 0.01, 0.9, 0.02])
    figure = ordered_p_values_figure(p_values, p_values < 0.1, 0.2)
    limit, rest, chosen = figure.data[1:]
    np.testing.assert_allclose(limit.y, [0, 0.2])
    np.testing.assert_allclose(chosen.x, [0.25, 0.5])
    np.testing.assert_allclose(chosen.y, [0.01, 0.02])
    np.testing.assert_allclose(rest.y, [0.5, 0.9])
    assert chosen.marker.symbol != rest.marker.symbol


def test_two_p_values_mark_conflicts():
    first, last = np.array([0.1, 0.3, 0.9]), np.array([0.1, 0.2, 0.2])
    figure = two_p_values_figure(first, last, np.array([False, False, True]))
    same, conflict = figure.data[1:]
    np.testing.assert_allclose(conflict.x, [0.9])
    np.testing.assert_allclose(same.y, [0.1, 0.2])


def test_regions_of_labels_are_to_scale_and_hatched_in_two_directions():
    ring = np.array([[0.0, 0], [1, 0], [1, 1], [0, 0]])
    points, y = np.array([[0.5, 0.5], [2.0, 1.0]]), np.array([1, -1], dtype=np.int8)
    figure = label_sets_figure(((ring + 1.0,), (ring,)), points, y, ("a<b>", "c"), (0, 3, 0, 2))
    plus, minus, *others = figure.data
    assert plus.fillpattern.shape != minus.fillpattern.shape
    np.testing.assert_allclose(plus.x[:4], ring[:, 0])
    np.testing.assert_allclose(minus.x[:4], ring[:, 0] + 1)
    assert [trace.name for trace in others] == ["class +1", "class −1", "blank: none of these"]
    assert figure.layout.yaxis.scaleanchor == "x"
    assert "<b>" not in figure.layout.xaxis.title.text
