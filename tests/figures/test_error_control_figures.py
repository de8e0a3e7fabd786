"""Figures of error control: maps with cells and paths, reference points, critical differences."""

import numpy as np
import pytest

from nestviz import NeymanPearsonClassifier, make_sample
from nestviz.analysis import compare_methods, score_table
from nestviz.figures.error_control import rate_maps_figure, reference_points_figure
from nestviz.figures.method_comparison import critical_difference_figure


@pytest.fixture(scope="module")
def searches():
    data = make_sample("banana", random_state=1, n=80)
    options = {"max_false_positive_rate": 0.3, "nu_grid": 4, "sigmas": [0.4, 0.8], "cv": 3}
    return {
        strategy: NeymanPearsonClassifier(strategy=strategy, **options).fit(data.X, data.y).search_
        for strategy in ("grid", "coordinate-2d", "nu-svm")
    }


def test_maps_show_rates_by_cell(searches):
    search = searches["grid"]
    figure = rate_maps_figure(search, 1, alpha=0.3)
    maps = [trace for trace in figure.data if trace.type == "heatmap"]
    assert [trace.name for trace in maps] == ["false alarms", "misses", "Neyman–Pearson score"]
    shown = (search.false_alarm, search.miss, score_table(search, 0.3))
    for trace, rates in zip(maps, shown, strict=True):
        np.testing.assert_array_equal(trace.z, rates[1].T)
        for a in range(4):
            for b in range(4):
                assert trace.customdata[b][a].tolist() == [1, a, b]
        assert trace.x[2] == search.table.nu_plus[2]
    assert len({trace.zmax for trace in maps}) == 1
    assert sum(trace.type == "contour" for trace in figure.data) == 1
    raw = rate_maps_figure(search, 1, smoothed=False)
    np.testing.assert_array_equal(raw.data[0].z, search.table.false_alarm[1].T)
    assert [note.text for note in raw.layout.annotations][2] == "larger of both rates"


def test_hover_texts_name_the_whole_rate(searches):
    for alpha, last in ((None, "larger of both rates"), (0.3, "Neyman–Pearson score")):
        figure = rate_maps_figure(searches["grid"], 1, alpha=alpha)
        maps = [trace for trace in figure.data if trace.type == "heatmap"]
        assert [trace.name for trace in maps] == ["false alarms", "misses", last]
        for trace in maps:
            assert f"<br>{trace.name} = %{{z:.3f}}" in trace.hovertemplate
    titles = [note.text for note in figure.layout.annotations]
    assert titles[:2] == ["false alarms, dashed: 0.3", "misses"]


def test_the_path_and_the_choice_are_marked_where_they_are(searches):
    search = searches["coordinate-2d"]
    for i_sigma in (0, 1):
        figure = rate_maps_figure(search, i_sigma)
        ways = [trace for trace in figure.data if trace.name == "descent"]
        assert len(ways) == 3
        path = search.paths[i_sigma]
        np.testing.assert_array_equal(ways[0].x, search.table.nu_plus[path[:, 1]])
        np.testing.assert_array_equal(ways[0].y, search.table.nu_minus[path[:, 2]])
        chosen = [trace for trace in figure.data if trace.name == "chosen"]
        assert len(chosen) == (3 if i_sigma == search.cell[0] else 0)
    # A table with gaps has no line at the limit.
    with_alpha = rate_maps_figure(searches["nu-svm"], alpha=0.3)
    assert all(trace.type != "contour" for trace in with_alpha.data)


def test_reference_points_beside_the_data():
    X, drawn = np.zeros((3, 2)), {"one": np.ones((4, 2)), "two": np.full((5, 2), 2.0)}
    figure = reference_points_figure(drawn, X)
    assert [note.text for note in figure.layout.annotations] == ["one", "two"]
    assert [len(trace.x) for trace in figure.data] == [4, 3, 5, 3]
    assert len({trace.marker.symbol for trace in figure.data}) == 2


def test_the_diagram_names_methods_and_joins_groups():
    scores = np.random.default_rng(2).normal(np.array([0, 0.4, 0.8, 1.6, 3]), size=(12, 5))
    found = compare_methods(scores)
    names = ["a", "b", "c", "d", "e"]
    figure = critical_difference_figure(found, names)
    texts = [note.text for note in figure.layout.annotations]
    for name, rank in zip(names, found.ranks, strict=True):
        assert f"{name} ({rank:.2f})" in texts
    assert f"critical difference {found.critical_difference:.2f}" in texts
    bars = [trace for trace in figure.data if trace.line.width == 5]
    assert len(bars) == len(found.groups)
    for bar, group in zip(bars, found.groups, strict=True):
        ranks = found.ranks[list(group)]
        assert list(bar.x) == pytest.approx([ranks.min() - 0.03, ranks.max() + 0.03])
    with pytest.raises(ValueError, match="5 methods"):
        critical_difference_figure(found, names[:2])
