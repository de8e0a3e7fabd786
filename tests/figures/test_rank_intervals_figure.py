"""Ranks as dots, intervals as bars."""

import numpy as np

from nestviz.analysis import RankIntervals
from nestviz.figures import rank_intervals_figure


def test_dots_are_ranks_and_bars_are_intervals():
    rank = np.array([3, 1, 2, 4])
    ranks = np.array([[3, 1, 2, 4], [4, 2, 1, 3], [3, 1, 2, 4]], np.int32)
    found = RankIntervals(rank, ranks, np.zeros((3, 4)), True)
    names = ["<b>a", "b", "c", "d"]
    figure = rank_intervals_figure(found, most=3, top=2, point_names=names)
    bars, dots = figure.data
    assert dots.x.tolist() == [1, 2, 3]
    np.testing.assert_array_equal(np.reshape(bars.x, (3, 3))[:, :2], [[1, 2], [1, 2], [3, 4]])
    assert figure.layout.shapes[0].x0 == 2.5
    assert figure.layout.yaxis.autorange == "reversed"
    assert "<b>" not in " ".join(figure.layout.yaxis.ticktext)
    assert "rank 1, 1 to 2 in 90% of the resamples" in dots.hovertext[0]
    whole = rank_intervals_figure(found, top=10)
    assert len(whole.data[1].x) == 4
    assert not whole.layout.shapes
