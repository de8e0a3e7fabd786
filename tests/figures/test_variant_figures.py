"""Figures of code books, smoothness and points that are left out."""

import numpy as np

from nestviz import GaussianKernel, Grid, KernelVectorQuantizer, OneClassPath, make_sample
from nestviz.analysis import best_left_out, nu_left_out, outline, smoothness_curve
from nestviz.figures import (
    code_book_figure,
    code_book_sizes_figure,
    left_out_figure,
    smooth_profile_figure,
    smoothness_figure,
)


def named(figure, name):
    return [trace for trace in figure.data if trace.name == name]


def test_discs_of_a_code_book_have_its_radius_to_scale():
    X = make_sample("banana", 0, n=40).X
    book = KernelVectorQuantizer(1.0).fit(X)
    figure = code_book_figure(X, book.support_, book.radius_)
    discs = named(figure, "within R of a code vector")
    assert len(discs) == len(book.support_)
    for disc, centre in zip(discs, book.codebook_, strict=True):
        np.testing.assert_allclose(np.hypot(disc.x - centre[0], disc.y - centre[1]), 1.0)
    assert len(named(figure, "point")[0].x) + len(named(figure, "code vector")[0].x) == 40
    assert figure.layout.yaxis.scaleanchor == "x"


def test_sizes_and_their_bound_are_two_lines():
    radii = np.array([0.1, 1.0])
    figure = code_book_sizes_figure(radii, np.array([20, 3]), np.array([18, 3]), 0.5)
    assert [trace.name for trace in figure.data] == ["code vectors", "lower bound"]
    assert figure.data[1].line.dash == "dash"
    assert figure.layout.shapes[0].x0 == 0.5


def test_the_profile_marks_where_the_line_is_in_the_set():
    at, f = np.linspace(0, 1, 5), np.array([0.0, 0.3, 0.5, 0.3, 0.0])
    figure = smooth_profile_figure(at, f, 0.3, f / 2, "length")
    assert np.isfinite(named(figure, "in the set")[0].y).tolist() == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert list(named(figure, "ρ")[0].y) == [0.3, 0.3]
    assert figure.layout.xaxis.title.text == "length"


def test_the_norm_is_marked_at_nu():
    curve = smoothness_curve(OneClassPath(1.0).fit(make_sample("multi", 0, n=20).X), [0.2, 0.4, 1])
    figure = smoothness_figure(curve, 0.4)
    np.testing.assert_array_equal(figure.data[0].y, curve.norms)
    assert (figure.data[1].x[0], figure.data[1].y[0]) == (0.4, curve.norms[1])


def test_choices_stand_side_by_side_with_their_objectives():
    X = make_sample("banana", 1, n=10).X
    kernel, grid = GaussianKernel(1.5), Grid.around(X, resolution=20)
    K = kernel.gram(X, X)
    choices = {"best": best_left_out(K, 2), "ν": nu_left_out(K, 2)}
    fields = {t: kernel.grid_field(c.alpha[None], X, grid)[0] - c.rho for t, c in choices.items()}
    rings = {title: outline(field.reshape(grid.shape), grid) for title, field in fields.items()}
    figure = left_out_figure(X, choices, rings)
    assert [len(trace.x) for trace in named(figure, "left out")] == [2, 2]
    titles = [note.text for note in figure.layout.annotations]
    assert all(f"{c.objective:.4f}" in t for c, t in zip(choices.values(), titles, strict=True))
    assert len(named(figure, "the set")) == 2
