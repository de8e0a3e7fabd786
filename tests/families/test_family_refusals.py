"""What a family refuses, and in which words."""

import numpy as np
import pytest
from family_twins import plain_family

from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"levels": [1.0, 0.0]}, "ascending"),
        ({"levels": []}, "one or more"),
        ({"coefficients": [[1.0, 2.0]]}, "coefficients of shape"),
        ({"offsets": [0.0, np.nan]}, "offsets of a family must be finite"),
        ({"orientation": 0}, "orientation"),
        ({"domain": (0.5, 1.0)}, "within the domain"),
        ({"domain": (-np.inf, np.inf), "tail": 1.0, "orientation": 1}, "without bound"),
    ],
)
def test_a_malformed_family_is_refused_in_words(change, message):
    given_values = {
        "levels": [0.0, 1.0],
        "coefficients": [[1.0], [1.0]],
        "offsets": [0.0, 0.0],
        "centres": [[0.0]],
        "kernel": GaussianKernel(1.0),
        "orientation": -1,
    }
    with pytest.raises(ValueError, match=message):
        SetFamily(**{**given_values, **change})


def test_levels_outside_the_range_and_points_of_the_wrong_shape_are_refused():
    family, X = plain_family([0.0, 1.0], [[1], [1]], 1)
    with pytest.raises(ValueError, match="outside this family's range"):
        family.contains(X, 1.5)
    with pytest.raises(ValueError, match=r"shape \(n, 1\)"):
        family.field(np.zeros((3, 2)))
    open_family, X = plain_family([0.0, 1.0], [[1], [1]], -1, open_below=True)
    with pytest.raises(ValueError, match="above 0"):
        open_family.at(0.0)


def test_numbers_that_are_none_are_refused_in_words():
    family, X = plain_family([0.0, 1.0], [[1], [1]], 1, domain=(-np.inf, np.inf))
    for level in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="must be a finite number"):
            family.contains(X, level)
    for answer in (family.field, family.scan, family.intervals, family.violations):
        with pytest.raises(ValueError, match="NaN or an infinity"):
            answer(np.array([[np.nan]]))
