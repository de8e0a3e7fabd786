"""Pictures of studies: what is drawn where, and the same bytes every time."""

import math
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from study_runs import QUANTITIES, SETS, auc_run

from nestviz.drawing.study_plots import study_figure, study_svg
from nestviz.palette import DARK
from nestviz.studies.findings import Findings, Plot, Value

DOTS, LINES, RANKS = auc_run().findings.plots


def test_dots_have_a_panel_for_each_quantity_and_a_row_for_each_set():
    findings = auc_run().findings
    figure = study_figure(DOTS, findings)
    assert [axes.get_title("left") for axes in figure.axes] == list(QUANTITIES)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == list(SETS)
    for axes, quantity in zip(figure.axes, QUANTITIES, strict=True):
        values = [value for value in findings.values if value.quantity == quantity]
        published, ours = axes.lines
        assert list(published.get_xdata()) == [value.published for value in values]
        assert list(ours.get_xdata()) == [value.ours for value in values]
        # Told apart by shape and filling, and one above the other.
        assert published.get_markerfacecolor() != published.get_markeredgecolor()
        assert ours.get_markerfacecolor() == ours.get_markeredgecolor()
        assert all(b > a for a, b in zip(published.get_ydata(), ours.get_ydata(), strict=True))
        spans = [part.get_segments() for part in axes.collections]
        for value, ((low, _), (high, _)) in zip(values, spans[1], strict=True):
            assert low == pytest.approx(value.ours - value.sd)
            assert high == pytest.approx(value.ours + value.sd)
        left, right = axes.get_xlim()
        assert left < min(v.published - v.published_sd for v in values)
        assert right > max(v.ours + v.sd for v in values)


def test_a_value_that_is_missing_leaves_its_row_empty():
    values = [Value("a", "q", 1.0), Value("b", "q", math.nan, published=2.0)]
    (axes,) = study_figure(DOTS, Findings(values=values)).axes
    ours, published = axes.lines
    assert list(ours.get_xdata()) == [1.0]
    assert list(published.get_xdata()) == [2.0]
    assert len(axes.get_yticks()) == 2


def test_lines_are_told_apart_without_colour_and_have_bands():
    (axes,) = study_figure(LINES, auc_run().findings).axes
    assert axes.get_xscale() == "log"
    assert len({line.get_linestyle() for line in axes.lines}) == 2
    assert len(axes.collections) == 2
    assert [len(line.get_xdata()) for line in axes.lines] == [12, 12]


@pytest.mark.parametrize(("low", "high"), [(0.2, 0.9), (0.1, 10.0), (1e-6, 1e3)])
def test_a_logarithmic_axis_has_ticks_for_every_range(low, high):
    rows = [{"x": x, "y": 1.0} for x in (low, high)]
    plot = Plot("t", "lines", "Curve", "x", "y", log_x=True)
    (axes,) = study_figure(plot, Findings(tables={"t": rows})).axes
    left, right = axes.get_xlim()
    assert 2 <= sum(left <= tick <= right for tick in axes.get_xticks()) <= 12


def test_curves_keep_the_order_of_the_table():
    ring = [{"x": x, "y": y, "ring": "a"} for x, y in ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))]
    plot = Plot("t", "lines", "Outlines", "x", "y", "ring")
    (axes,) = study_figure(plot, Findings(tables={"t": ring})).axes
    assert list(axes.lines[0].get_xdata()) == [0, 1, 1, 0, 0]


def test_many_series_share_the_width_of_the_legend():
    names = [f"a method with a long name {k}" for k in range(20)]
    rows = [{"x": x, "y": k + x, "method": name} for k, name in enumerate(names) for x in (0, 1)]
    plot = Plot("t", "lines", "Curves", "x", "y", "method")
    few, many = (study_figure(plot, Findings(tables={"t": rows[: 2 * count]})) for count in (9, 20))
    texts = few.legends[0].get_texts()
    assert [text.get_text() for text in texts] == names[:9]
    assert all(text.get_window_extent().x1 < few.bbox.x1 for text in texts)
    assert not many.legends


def test_rows_of_other_quantities_do_not_mix():
    values = [Value(name, "AUC", 0.9) for name in SETS] + [Value("plain", "rank", 1.5)]
    first, second = study_figure(DOTS, Findings(values=values)).axes
    assert len(first.get_yticks()) == len(SETS)
    assert [label.get_text() for label in second.get_yticklabels()] == ["plain"]
    assert second.get_position().y1 < first.get_position().y0


def test_x_may_be_names():
    rows = [{"set": name, "d": k / 10} for k, name in enumerate(SETS)]
    plot = Plot("t", "lines", "Disagreement", "set", "d")
    (axes,) = study_figure(plot, Findings(tables={"t": rows})).axes
    assert [label.get_text() for label in axes.get_xticklabels()] == list(SETS)


def test_ranks_are_averaged_and_joined_within_the_critical_difference():
    figure = study_figure(RANKS, auc_run().findings)
    words = [text.get_text().strip() for text in figure.axes[0].texts]
    assert {"plain (1.20)", "nested (2.00)", "Parzen (2.80)"} <= set(words)
    # Nemenyi's test of three methods on five sets: 2.343 · √(3 · 4 / (6 · 5)).
    assert "critical difference 1.48" in words
    bars = [line.get_xdata() for line in figure.axes[0].lines if line.get_linewidth() > 4]
    assert [(round(a, 2), round(b, 2)) for a, b in bars] == [(1.17, 2.03), (1.97, 2.83)]


@pytest.mark.parametrize("columns", [{"low": "low", "high": "high"}, {}])
def test_the_table_may_give_average_ranks_and_the_difference(columns):
    rows = [
        {"method": name, "rank": rank, "critical_difference": 0.9, "low": rank - 0.45,
         "high": rank + 0.45}
        for name, rank in (("a", 1.0), ("b", 2.5), ("c", 2.5))
    ]  # fmt: skip
    plot = Plot("t", "ranks", "Ranks", "method", "rank", **columns)
    (axes,) = study_figure(plot, Findings(tables={"t": rows})).axes
    assert "critical difference 0.90" in [text.get_text() for text in axes.texts]
    bars = [line.get_xdata() for line in axes.lines if line.get_linewidth() > 4]
    assert len(bars) == 1


@pytest.mark.parametrize("plot", [DOTS, LINES, RANKS], ids=lambda plot: plot.kind)
def test_the_same_findings_give_the_same_bytes(plot):
    first = study_svg(plot, auc_run().findings)
    assert first == study_svg(plot, auc_run().findings)
    root = ElementTree.fromstring(first)
    assert root.find("{http://www.w3.org/2000/svg}title").text == plot.title
    assert "date" not in first
    assert study_svg(plot, auc_run().findings, DARK) != first


@pytest.mark.parametrize("plot", [DOTS, LINES, RANKS], ids=lambda plot: plot.kind)
def test_a_table_without_numbers_has_no_picture(plot):
    assert study_figure(plot, Findings()) is None
    assert study_svg(replace(plot, table="unknown"), auc_run().findings) == ""
