"""Points held out, and classes made rare."""

import numpy as np
import pytest

from nestviz.data import DataError, Dataset, make_sample
from nestviz.data.splits import hold_out, thin_class


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5])
def test_both_parts_are_all_points_and_keep_the_classes(share):
    data = make_sample("imbalanced", 0, n=100)
    learn, aside = hold_out(data, share, random_state=3)
    np.testing.assert_array_equal(np.sort(np.concatenate([learn, aside])), np.arange(data.n))
    for sign in (-1, 1):
        whole = np.count_nonzero(data.y == sign)
        assert np.count_nonzero(data.y[aside] == sign) == round(share * whole)


def test_the_same_seed_draws_the_same_points():
    data = make_sample("banana", 0, n=80)
    for draw in (
        lambda seed: hold_out(data, 0.5, seed)[1],
        lambda seed: thin_class(data, -1, 0.2, seed),
    ):
        np.testing.assert_array_equal(draw(1), draw(1))
        assert not np.array_equal(draw(1), draw(2))


def test_a_class_never_loses_its_last_point_to_learn_from():
    data = Dataset([[0.0], [1.0], [2.0], [3.0]], [-1, 1, 1, 1])
    learn, aside = hold_out(data, 0.9)
    assert set(data.y[learn]) == {-1, 1}
    assert len(aside) == 2


def test_only_the_class_that_is_thinned_loses_points():
    data = make_sample("banana", 0, n=200)
    rows = thin_class(data, -1, 0.1, random_state=0)
    assert (np.diff(rows) > 0).all()
    assert np.count_nonzero(data.y[rows] == -1) == round(0.1 * np.count_nonzero(data.y == -1))
    assert np.count_nonzero(data.y[rows] == 1) == data.positives
    assert len(thin_class(data, -1, 0.0)) == data.positives + 2


def test_shares_and_labels_are_checked():
    data = Dataset([[0.0], [1.0]])
    with pytest.raises(DataError, match="no labels"):
        thin_class(data, -1, 0.5)
    with pytest.raises(DataError, match="All points"):
        hold_out(data, 1.0)
    with pytest.raises(DataError, match="from 0 to 1"):
        hold_out(data, -0.1)
