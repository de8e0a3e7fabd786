"""Pictures that mean nothing are told, with a way out; sound ones are left in peace."""

import numpy as np
import pytest

from nestviz import Dataset, make_sample
from nestviz.kernels import median_distance
from nestviz.ui import data_warnings


def width(data, share):
    return data_warnings.of_width(data, share * median_distance(data.X))


@pytest.mark.parametrize("name", ["banana", "ring", "moons", "mixture"])
def test_the_default_width_is_sound(name):
    assert width(make_sample(name, 0), 0.2) == ()


def test_widths_without_meaning():
    data = make_sample("banana", 0)
    assert "too large" in width(data, 2.0)[0]
    assert "too small" in width(data, 0.01)[0]


@pytest.mark.parametrize("share", [0.001, 0.02, 3.0])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_advice_leads_out(share, scale):
    sample = make_sample("mixture", 1)
    data = Dataset(scale * sample.X)
    (sentence,) = width(data, share)
    advised = float(sentence.split("Try a width of ")[1].split()[0])
    assert width(data, advised) == ()


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([[1.0, 2.0]], "a single point"),
        ([[1.0, 2.0]] * 5, "one location"),
        ([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]], "2 distinct points"),
        ([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [3.0, 1.0]] * 10, "4 distinct locations"),
    ],
)
def test_points_without_a_shape(X, words):
    data = Dataset(np.array(X))
    assert words in data_warnings.of_data(data)[0]


def test_labels_of_one_class_only():
    X = np.arange(8.0).reshape(4, 2)
    assert "no point of class −1" in data_warnings.of_labels(Dataset(X, y=[1, 1, 1, 1]))[0]
    assert "no labels" in data_warnings.of_labels(Dataset(X))[0]
    assert data_warnings.of_labels(Dataset(X, y=[1, -1, 1, 1])) == []


@pytest.mark.parametrize(("inside", "words"), [(1.0, "All points"), (0.0, "No point")])
def test_levels_that_do_not_differ(inside, words):
    shares = np.full(3, inside)
    assert words in data_warnings.of_counts([shares, shares])[0]
    assert len(data_warnings.of_counts([shares, shares])) == 1
    assert data_warnings.of_counts([np.array([0.0, 0.5, 1.0])]) == []
