"""The figure of published and computed values: traces, rows and names, no pixels."""

import math
from itertools import pairwise

import numpy as np
from study_runs import QUANTITIES, SETS, auc_values

from nestviz.figures import study_values_figure
from nestviz.studies.findings import Value


def test_a_panel_per_quantity_and_a_row_per_set():
    values = auc_values()
    figure = study_values_figure(values)
    titles = [note.text for note in figure.layout.annotations]
    assert titles == [f"<b>{name}</b>" for name in QUANTITIES]
    assert len(figure.data) == 2 * len(QUANTITIES)
    for k in range(len(QUANTITIES)):
        published, ours = figure.data[2 * k : 2 * k + 2]
        rows = [values[index] for index in ours.customdata]
        assert [value.item for value in rows] == list(SETS)
        assert list(ours.x) == [value.ours for value in rows]
        assert list(published.x) == [value.published for value in rows]
        np.testing.assert_allclose(ours.error_x.array, [value.sd for value in rows])
        # One above the other, the first row on top.
        assert (np.array(ours.y) > np.array(published.y)).all()
    assert list(figure.layout.yaxis.ticktext) == list(SETS)
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    domains = [figure.layout[f"yaxis{k or ''}"].domain for k in ("", 2, 3)]
    assert all(lower[1] < upper[0] for upper, lower in pairwise(domains))


def test_marks_are_told_apart_without_colour_and_named_once():
    figure = study_values_figure(auc_values())
    assert {trace.marker.symbol for trace in figure.data} == {"diamond-open", "circle"}
    assert [trace.name for trace in figure.data if trace.showlegend] == ["published", "ours"]


def test_what_is_missing_has_no_mark():
    values = [Value("a", "q", 1.0), Value("b", "q", math.nan, published=2.0)]
    published, ours = study_values_figure(values).data
    assert list(published.customdata) == [1]
    assert list(ours.customdata) == [0]
    assert list(published.error_x.array) == [0.0]


def test_names_are_shown_as_they_are():
    values = [Value("<b>x", name, 1.0, published=1.0) for name in ("$y$", "z")]
    figure = study_values_figure(values)
    assert figure.layout.yaxis.ticktext[0] == "&#60;b&#62;x"
    assert figure.layout.annotations[0].text == "<b>&#36;y&#36;</b>"
    assert figure.data[0].text[0].startswith("&#60;b&#62;x: ")


def test_one_quantity_needs_no_title():
    assert not study_values_figure(auc_values()[: len(SETS)]).layout.annotations
