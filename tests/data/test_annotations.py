"""What is kept beside the points: rows of the file, identifiers, units; through every change."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestviz.data import (
    DataError,
    Dataset,
    Roles,
    guess_roles,
    project,
    read_text,
    standardise,
    subsample,
    to_dataset,
)
from nestviz.data.annotations import Annotations
from nestviz.data.identifiers import is_date

STAFF = """id,day,hours,pay,town,shift
101,2024-01-31,8.1,20.5,Rome,a
102,2024-02-01,,21.5,Oslo,b

103,2024-02-02,7.7,19.25,Rome,a
104,2024-02-05,3.3,99.0,Bonn,b
105,2024-02-06,8.4,20.0,Rome,a
"""


@pytest.fixture
def staff():
    return to_dataset(read_text(STAFF), guess_roles(read_text(STAFF)))


def test_numbers_of_rows_and_dates_are_no_features():
    roles = guess_roles(read_text(STAFF))
    assert roles.ids == ("id", "day")
    assert not {"id", "day"} & set(roles.features)


@pytest.mark.parametrize(
    ("column", "cells", "expected"),
    [
        ("customer_id", ["3", "1", "2", "7"], True),
        ("customerId", ["3", "1", "2", "7"], True),
        ("grade", ["3", "1", "2", "7"], False),
        ("id", ["3", "1", "2", "2"], False),
        ("id", ["0.5", "1", "2", "3"], False),
        ("number of rooms", ["3", "1", "2", "7"], False),
        ("Nr", ["3", "1", "2", "7"], True),
        ("idea", ["3", "1", "2", "7"], False),
        ("when", ["31.1.2024", "1.2.2024", "2.2.2024 09:30", ""], True),
        ("date", ["20240131", "20240131", "20240202", "20240203"], True),
        ("days", ["20", "21", "22", "23"], False),
        ("name", ["Ann", "Bob", "Cy", "Di"], True),
        ("town", ["Rome", "Oslo", "Rome", "Oslo"], False),
    ],
)
def test_identifiers_are_known_by_values_and_names(column, cells, expected):
    rows = "\n".join(f"{cell},{k}.5" for k, cell in enumerate(cells))
    assert (column in guess_roles(read_text(f"{column},x\n{rows}\n")).ids) == expected


@pytest.mark.parametrize("text", ["2024-02-30", "13:30", "1.2", "2024-01-31 25:00", "a-b-c", ""])
def test_other_texts_are_no_dates(text):
    assert not is_date(text)


@given(st.datetimes())
def test_every_iso_date_is_a_date(day):
    assert is_date(day.isoformat())
    assert is_date(day.date().isoformat())


def test_a_point_knows_its_row_of_the_file_after_rows_were_dropped(staff):
    assert staff.annotations.rows.tolist() == [2, 5, 6, 7]
    assert staff.point_name(1) == "row 5, 103, 2024-02-02"
    assert staff.annotations.cell("town", 2) == "Bonn"
    assert "hours" not in staff.annotations.columns


def test_units_of_the_file_are_kept_to_the_last_digit(staff):
    hours = staff.feature_names.index("hours")
    assert staff.own_units[:, hours].tolist() == [8.1, 7.7, 3.3, 8.4]
    notes = staff.annotations
    rebuilt = Annotations(units=notes.units).features(staff.X)
    np.testing.assert_allclose(rebuilt, staff.own_units, rtol=1e-13)


def test_own_features_too_large_to_keep_come_back_from_their_units(monkeypatch):
    monkeypatch.setattr("nestviz.data.annotations.MOST_BYTES", 100)
    monkeypatch.setattr("nestviz.data.conversion.MOST_BYTES", 100)
    data = to_dataset(read_text(STAFF), guess_roles(read_text(STAFF)))
    assert data.annotations.own is None
    assert "too large to keep beside the points: day" in " ".join(data.provenance)
    assert data.annotations.ids == ("id",)
    hours = data.feature_names.index("hours")
    np.testing.assert_allclose(data.own_units[:, hours], [8.1, 7.7, 3.3, 8.4])


def test_annotations_follow_their_points(staff):
    few = subsample(staff, 2, random_state=1)
    for point in range(2):
        old = staff.annotations.rows.tolist().index(few.annotations.rows[point])
        assert few.point_name(point) == staff.point_name(old)
        np.testing.assert_array_equal(few.own_units[point], staff.own_units[old])
    flat = project(staff).dataset
    assert flat.point_name(1) == staff.point_name(1)
    assert flat.annotations.own is None
    assert staff.unlabelled().annotations is staff.annotations


def test_standardising_a_sample_keeps_its_units():
    raw = Dataset([[1.0, 5.0, 7.0], [3.0, 5.0, 8.0], [8.0, 5.0, 8.5]])
    data = standardise(raw)
    np.testing.assert_array_equal(data.own_units, raw.X[:, [0, 2]])
    np.testing.assert_array_equal(standardise(data).own_units, raw.X[:, [0, 2]])
    assert data.point_name(1) == "point 1"


def test_edited_points_keep_what_is_known_of_them(staff):
    edited = staff.annotations.edited(np.array([0, 2, -1]))
    assert edited.rows.tolist() == [2, 6, -1]
    assert [edited.cell("day", k) for k in range(3)] == ["2024-01-31", "2024-02-05", ""]
    moved = Dataset(staff.X[[0, 2, 3]], None, staff.feature_names, annotations=edited)
    np.testing.assert_allclose(moved.own_units, staff.own_units[[0, 2, 3]])
    assert moved.point_name(2) == "new point 2"


def test_annotations_are_part_of_equality_but_not_of_the_fingerprint(staff):
    other = to_dataset(read_text(STAFF.replace("104,", "999,")), guess_roles(read_text(STAFF)))
    assert other.fingerprint == staff.fingerprint
    assert other != staff
    assert to_dataset(read_text(STAFF), guess_roles(read_text(STAFF))) == staff


def test_annotations_must_fit_the_points():
    with pytest.raises(DataError, match="for 2 points"):
        Dataset([[0.0], [1.0]], annotations=Annotations(np.array([2])))
    with pytest.raises(DataError, match="features are annotated"):
        Dataset([[0.0], [1.0]], annotations=Annotations(units=np.ones((2, 3))))
    with pytest.raises(DataError, match="one value for each point"):
        Annotations(np.array([2]), (), {"a": np.zeros(2)})
    with pytest.raises(DataError, match="identifies points is missing"):
        Annotations(np.array([2]), ("a",))
    with pytest.raises(DataError, match="no such column"):
        to_dataset(read_text("a,b\n1,2\n3,4\n"), Roles(("a",), ids=("c",)))


def test_numbers_of_a_file_come_back_as_written_where_only_their_units_are_kept():
    """With many rows there is no second copy; 0.49 must not become 0.48999999999999055."""
    rng = np.random.default_rng(0)
    own = np.column_stack(
        [
            rng.normal(0, 3, 20_000).round(3),
            rng.normal(1e5, 20, 20_000).round(2),
            (1e-6 * rng.normal(size=20_000)).round(9),
        ]
    )
    # In this order of the memory sums of columns differ in their last digits.
    standard = standardise(Dataset(np.ascontiguousarray(own), None, ("a", "b", "c"), "t", ()))
    off = standard.annotations.units * [[1.0], [1.0 + 3e-14]]
    rebuilt = Annotations(units=off).features(standard.X)
    np.testing.assert_array_equal(rebuilt, own)
    np.testing.assert_array_equal(Annotations(units=off).features(standard.X[7]), own[7])


@pytest.mark.parametrize("size", [1e-25, 1e-9, 1e25, 1e90])
def test_numbers_of_any_size_come_back(size):
    own = np.random.default_rng(0).normal(size=(50, 2)) * size
    standard = standardise(Dataset(own, None, ("a", "b"), "t", ()))
    rebuilt = Annotations(units=standard.annotations.units).features(standard.X)
    np.testing.assert_allclose(rebuilt, own, rtol=1e-9, atol=1e-10 * size)
