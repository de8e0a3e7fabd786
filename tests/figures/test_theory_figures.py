"""Figures of the Theory page."""

import numpy as np

from nestviz.figures.theory import certificate_figure, chain_figure, falling

LEVELS = np.array([1.0, 0.5, 0.25])
# Ratios to the level: 1, 2, 4 rise; 1, 2, 1 fall once; 0, 0, 0 rest.
ALPHA = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.25, 0.0]])


def test_falling_pieces_are_found_exactly():
    expected = [[False, False, False], [False, True, False]]
    np.testing.assert_array_equal(falling(LEVELS, ALPHA), expected)
    assert not falling(LEVELS, np.zeros((3, 2))).any()


def test_the_chain_figure_marks_what_falls():
    figure = chain_figure([("one by one", LEVELS, ALPHA), ("together", LEVELS, ALPHA[:, :1])])
    rises, falls, also_rises, nothing = figure.data
    assert falls.name == "falls: breaks the chain"
    np.testing.assert_allclose(falls.x[:2], [0.5, 0.25])
    np.testing.assert_allclose(falls.y[:2], [2.0, 1.0])
    assert np.isfinite(rises.x).sum() == 2 * 5
    assert np.isfinite(also_rises.x).sum() == 2 * 2
    assert len(nothing.x) == 0
    assert falls.line.width > rises.line.width
    assert figure.layout.xaxis.autorange == "reversed"


def test_the_certificate_figure_has_both_lines_and_the_mark():
    shares = np.array([0.1, 0.5, 1.0])
    figure = certificate_figure(shares, 3 * shares, shares, 0.5)
    assert [trace.line.dash for trace in figure.data] == ["solid", "dash"]
    assert figure.layout.yaxis.type == "log"
    assert figure.layout.shapes[0].x0 == 0.5
