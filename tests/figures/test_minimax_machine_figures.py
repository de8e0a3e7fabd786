"""Boundaries of minimax probability machines, and the ellipses of their covariances."""

import numpy as np

from nestviz.figures import covariance_ellipse, machine_figure

BOX, NAMES = (-3.0, 3.0, -2.0, 2.0), ("a", "b")
RINGS = [np.array([[0.0, -2.0], [3.0, -2.0], [3.0, 2.0], [0.0, 2.0]])]


def test_an_ellipse_is_that_many_standard_deviations_away():
    mean, covariance = np.array([1.0, -2.0]), np.array([[2.0, 0.6], [0.6, 0.5]])
    ellipse = covariance_ellipse(mean, covariance, 1.7)
    d = ellipse - mean
    distances = np.sqrt(np.einsum("ij,jk,ik->i", d, np.linalg.inv(covariance), d))
    np.testing.assert_allclose(distances, 1.7)
    np.testing.assert_allclose(ellipse[0], ellipse[-1])


def test_classes_and_ellipses_differ_by_more_than_colour():
    points, y = np.random.default_rng(0).normal(size=(20, 2)), np.repeat([1, -1], 10)
    ellipses = {
        sign: covariance_ellipse(points[y == sign].mean(0), np.eye(2), 1.0) for sign in (1, -1)
    }
    figure = machine_figure(RINGS, points, y, BOX, NAMES, ellipses=ellipses)
    names = [trace.name for trace in figure.data]
    assert names[:3] == ["called +1", "class +1", "class −1"]
    markers = [trace.marker.symbol for trace in figure.data[1:3]]
    dashes = [trace.line.dash for trace in figure.data[3:]]
    assert len(set(markers)) == len(set(dashes)) == 2
    assert figure.layout.yaxis.scaleanchor == "x"


def test_one_class_has_no_classes():
    figure = machine_figure(RINGS, np.zeros((3, 2)), None, BOX, NAMES)
    assert [trace.name for trace in figure.data] == ["the set", "points"]
