import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestviz.data import (
    DataError,
    Dataset,
    Limits,
    dataset_from_points,
    needs_subsample,
    subsample,
)

POINTS = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]


def test_points_and_labels_are_read_only_copies():
    source = np.array(POINTS, order="F")
    data = Dataset(source, y=[1, -1, 1, 1])
    source[0, 0] = 99.0
    assert data.X[0, 0] == 0.0
    assert data.X.flags.c_contiguous
    assert data.X.dtype == np.float64
    assert data.y.dtype == np.int8
    for array in (data.X, data.y):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        data.name = "other"


def test_properties():
    data = Dataset(POINTS, y=[1, -1, 1, 1], feature_names=("a", "b"), name="four")
    assert (data.n, data.d, data.labelled, data.positives) == (4, 2, True, 3)
    np.testing.assert_array_equal(data.class_points(-1), [[2.0, 3.0]])
    bare = data.unlabelled()
    assert (bare.labelled, bare.positives) == (False, 0)
    assert bare.provenance == ("The labels were set aside.",)
    assert bare.unlabelled() is bare


def test_take_keeps_order_and_says_why():
    data = Dataset(POINTS, y=[1, -1, 1, 1], provenance=("Made up.",))
    part = data.take([2, 0], "Two were picked.")
    np.testing.assert_array_equal(part.X, [[4.0, 5.0], [0.0, 1.0]])
    np.testing.assert_array_equal(part.y, [1, 1])
    assert part.provenance == ("Made up.", "Two were picked.")
    mask = data.take([False, True, False, False], "One.")
    np.testing.assert_array_equal(mask.y, [-1])


def test_fingerprint_depends_on_content_only():
    data = Dataset(POINTS, y=[1, -1, 1, 1], name="a", provenance=("x",))
    same = Dataset(np.array(POINTS, order="F"), y=np.array([1.0, -1, 1, 1]), name="b")
    assert data.fingerprint == same.fingerprint
    assert data != same
    assert data == Dataset(POINTS, y=[1, -1, 1, 1], name="a", provenance=("x",))
    others = [
        Dataset(POINTS),
        Dataset(POINTS, y=[1, 1, 1, 1]),
        Dataset(POINTS, y=[1, -1, 1, 1], feature_names=("a", "b")),
        Dataset(POINTS[::-1], y=[1, -1, 1, 1]),
        Dataset(np.reshape(POINTS, (2, 4))),
        Dataset(np.reshape(POINTS, (8, 1))),
    ]
    prints = {other.fingerprint for other in others} | {data.fingerprint}
    assert len(prints) == len(others) + 1
    assert len(data.fingerprint) == 64


@given(
    st.lists(st.floats(-1e100, 1e100), min_size=1, max_size=6),
    st.lists(st.floats(-1e100, 1e100), min_size=1, max_size=6),
)
def test_equal_fingerprints_mean_equal_points(first, second):
    one, two = Dataset(np.c_[first]), Dataset(np.c_[second])
    assert (one.fingerprint == two.fingerprint) == (first == second)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [1.0, 2.0]}, "1-dimensional"),
        ({"X": np.zeros((0, 2))}, "no points"),
        ({"X": np.zeros((2, 0))}, "no features"),
        ({"X": [[1.0], [2.0, 3.0]]}, "not a table of numbers"),
        ({"X": [["a"]]}, "not a table of numbers"),
        ({"X": POINTS, "y": [1, -1]}, "2 labels for 4 points"),
        ({"X": POINTS, "y": [1, 0, 1, 1]}, "neither -1 nor"),
        ({"X": POINTS, "y": [1, np.nan, 1, 1]}, "neither -1 nor"),
        ({"X": POINTS, "feature_names": ("a",)}, "1 feature names for 2"),
        ({"X": POINTS, "feature_names": ("a", "a")}, "same name"),
    ],
)
def test_bad_construction_is_a_sentence(arguments, message):
    with pytest.raises(DataError, match=message):
        Dataset(**arguments)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e200])
def test_values_beyond_reach_name_the_column(value):
    with pytest.raises(DataError) as caught:
        Dataset([[1.0, 2.0], [3.0, value]], feature_names=("width", "height"))
    assert caught.value.column == "height"
    assert "point 2" in str(caught.value)


def test_class_points_needs_labels_and_a_sign():
    with pytest.raises(DataError, match="no labels"):
        Dataset(POINTS).class_points(1)
    with pytest.raises(DataError, match=r"-1 or \+1"):
        Dataset(POINTS, y=[1, 1, 1, -1]).class_points(0)


def test_error_tells_all_and_survives_pickling():
    fault = DataError("It is wrong.", row=7, column="age", hint="Mend it.")
    assert str(fault) == "It is wrong. Where: row 7, column 'age'. Mend it."
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.row, again.column, again.hint) == (str(fault), 7, "age", "Mend it.")
    assert str(DataError("Only this.")) == "Only this."


def test_drawn_points():
    data = dataset_from_points([(0.0, 1.0, 1), (2.0, 3.0, -1)])
    np.testing.assert_array_equal(data.X, [[0.0, 1.0], [2.0, 3.0]])
    np.testing.assert_array_equal(data.y, [1, -1])
    alone = dataset_from_points([(0.0, 1.0, -1), (2.0, 3.0, -1)])
    assert alone.y is None
    assert "without labels" in alone.provenance[0]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "No points"),
        ([(0.0, 1.0)], "two coordinates and a class"),
        ([(0.0, 1.0, 2)], "neither -1 nor"),
        ([(0.0, np.inf, 1)], "not a finite number"),
    ],
)
def test_drawn_points_that_cannot_be_used(points, message):
    with pytest.raises(DataError, match=message):
        dataset_from_points(points)


@pytest.mark.parametrize("n", [2, 3, 10, 47, 59])
def test_subsample_is_stratified_seeded_and_ordered(n):
    rng = np.random.default_rng(0)
    y = np.where(np.arange(60) < 6, 1, -1)
    data = Dataset(np.c_[np.arange(60.0), rng.normal(size=60)], y=y)
    part = subsample(data, n, random_state=3)
    assert part == subsample(data, n, random_state=3)
    assert part.n == n
    assert 1 <= part.positives < n
    assert abs(part.positives - n * 0.1) <= 1
    assert (np.diff(part.X[:, 0]) > 0).all()
    assert "keeping the share of each class" in part.provenance[-1]


def test_subsample_without_labels_or_need():
    data = Dataset(np.arange(50.0)[:, None])
    part = subsample(data, 20, random_state=1)
    assert part.n == len(np.unique(part.X)) == 20
    assert part != subsample(data, 20, random_state=2)
    assert subsample(data, 50) is data
    assert subsample(data, 99) is data
    with pytest.raises(DataError, match="empty"):
        subsample(data, 0)
    one_class = Dataset(np.arange(50.0)[:, None], y=np.ones(50))
    assert subsample(one_class, 5).n == 5


def test_subsample_is_proposed_above_the_limit():
    data = Dataset(np.arange(11.0)[:, None])
    assert needs_subsample(data, Limits(subsample_above=10))
    assert not needs_subsample(data, Limits(subsample_above=11))
    assert not needs_subsample(data)
