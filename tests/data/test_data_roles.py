"""From a table to a data set: roles, gaps, nominal columns, scales; every change is told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestviz.data import (
    DataError,
    Dataset,
    Limits,
    Roles,
    guess_roles,
    label_values,
    make_sample,
    read_text,
    sample_data_dir,
    standardise,
    to_dataset,
)
from nestviz.data import read_table as read_file

MIXED = """age,town,size,class
1,Rome,1.5,yes
2,Oslo,2.5,no
3,Bonn,3.5,no
4,Rome,5.5,yes
"""
RAW = Roles(standardise=False)


def story(dataset):
    return " ".join(dataset.provenance)


def test_roles_are_guessed_from_names_and_values():
    twice = MIXED + MIXED.partition("\n")[2]
    roles = guess_roles(read_text(twice))
    assert roles == Roles(("age", "size"), "class", ("yes",))
    assert guess_roles(read_text("1,2\n3,4\n")) == Roles(("x1", "x2"))
    last = guess_roles(read_text("a,b\n1,p\n2,q\n3,p\n4,p\n"))
    assert (last.label, last.positive) == ("b", ("q",))
    # A column named like a label but with a value of its own in each row is none.
    many = read_text("a,y\n" + "\n".join(f"{k},{k}" for k in range(30)))
    assert guess_roles(many).label is None
    # Text is a feature where there is nothing else to fit.
    words = guess_roles(read_text("town,shop\n" + "Rome,a\nOslo,b\nBonn,c\n" * 9))
    assert words.features == ("town", "shop")
    # Text that names each row is no feature.
    named = read_text("id,a\n" + "\n".join(f"n{k},{k}" for k in range(9)))
    assert guess_roles(named).features == ("a",)


def test_label_values_are_written_as_people_do():
    table = read_text("a;y\n1;2\n2;10\n3;2\n4;2,5\n5;\n")
    assert label_values(table, "y") == [("2", 2), ("2.5", 1), ("10", 1)]
    words = read_text("a,y\n1,p\n2,q\n3,p\n4,\n")
    assert label_values(words, "y") == [("p", 2), ("q", 1)]
    with pytest.raises(DataError, match="no such column") as caught:
        label_values(table, "z")
    assert caught.value.column == "z"


def test_labels_become_signs():
    table = read_text("a,y\n1,2\n2,10\n3,2\n4,3\n5,\n")
    data = to_dataset(table, Roles(("a",), "y", ("2", "3"), standardise=False))
    assert data.y.tolist() == [1, -1, 1, 1]
    assert "1 row without a label in 'y' was dropped." in story(data)
    assert "In column 'y' '2', '3' counts as +1, the rest as -1." in story(data)


def test_features_none_means_all_but_the_label():
    data = to_dataset(read_text(MIXED), Roles(None, "class", ("no",), standardise=False))
    assert data.feature_names == ("age", "town=Bonn", "town=Oslo", "town=Rome", "size")
    assert data.y.tolist() == [-1, 1, 1, -1]


def test_nominal_features_become_indicators():
    data = to_dataset(read_text(MIXED), Roles(("town", "class"), standardise=False))
    assert data.feature_names == ("town=Bonn", "town=Oslo", "town=Rome", "class=yes")
    expected = [[0, 0, 1, 1], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]]
    np.testing.assert_array_equal(data.X, expected)
    assert "Column 'town' of text became 3 indicator columns." in story(data)
    assert "Column 'class' of text became an indicator column." in story(data)


def test_missing_rows_are_dropped_and_counted():
    table = read_text("a,b,c\n1,2,p\n,3,q\n4,5,\n6,7,r\n")
    data = to_dataset(table, RAW)
    np.testing.assert_array_equal(data.X[:, :2], [[1, 2], [6, 7]])
    assert "2 rows with missing values were dropped." in story(data)


def test_missing_values_are_filled_with_the_mean():
    table = read_text("a,b,c\n1,2,p\n,3,q\n4,5,\n7,7,r\n")
    data = to_dataset(table, Roles(missing="mean", standardise=False))
    assert data.X[1, 0] == 4.0
    # The mean of an indicator is the share of its value among the rows that have one.
    np.testing.assert_allclose(data.X[2, 2:], 1 / 3)
    assert "4 missing values were filled in with the mean of the column (a, c=p" in story(data)


def test_constant_and_empty_columns_are_named_and_dropped():
    data = to_dataset(read_text("a,b,c,d\n1,7,,x\n2,7,,x\n3,7,,x\n"), RAW)
    assert data.feature_names == ("a",)
    assert "Columns without any value were dropped: c." in story(data)
    assert "Constant columns were dropped: b, d=x." in story(data)


def test_repeated_rows_are_counted_and_stay():
    data = to_dataset(read_text("a,b\n1,0\n1,-0\n1,0\n2,3\n"), RAW)
    assert data.n == 4
    assert "2 rows repeat an earlier one and are kept." in story(data)
    labelled = read_text("a,y\n1,p\n1,q\n2,p\n")
    assert "repeat" not in story(to_dataset(labelled, Roles(("a",), "y", ("p",))))


def test_standardised_by_default():
    data = to_dataset(read_text("a,b\n1,10\n2,30\n4,20\n"))
    np.testing.assert_allclose(data.X.mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(data.X.std(axis=0), 1)
    assert "mean 0 and standard deviation 1" in story(data)


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1.0, 1e150, 1e307])
@pytest.mark.parametrize("missing", ["drop", "mean"])
def test_no_scale_overflows(scale, missing):
    column = [1.0 * scale, 2.0 * scale, 4.0 * scale]
    text = "a,b\n" + "\n".join(f"{value!r},{k}" for k, value in enumerate(column)) + "\n,3\n"
    data = to_dataset(read_text(text), Roles(missing=missing))
    plain = to_dataset(read_text("a,b\n1,0\n2,1\n4,2\n,3\n"), Roles(missing=missing))
    np.testing.assert_allclose(data.X, plain.X, rtol=1e-12, atol=1e-12)


def test_numbers_too_large_without_standardising_are_told():
    with pytest.raises(DataError, match="distances would overflow") as caught:
        to_dataset(read_text("a,b\n1e200,1\n2e200,2\n"), RAW)
    assert caught.value.column == "a"
    assert "Standardise" in caught.value.hint


def test_differences_in_the_last_digits_survive():
    data = to_dataset(read_text("a,b\n1000000000000000,1\n1000000000000001,2\n"))
    np.testing.assert_allclose(data.X[:, 0], [-1, 1])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=20))
def test_any_finite_column_standardises_or_is_constant(values):
    text = "a,b\n" + "\n".join(f"{value!r},{k}" for k, value in enumerate(values))
    data = to_dataset(read_text(text))
    assert np.isfinite(data.X).all()
    np.testing.assert_allclose(data.X.std(axis=0), 1, rtol=1e-9)
    assert ("a" in data.feature_names) == (len({value + 0.0 for value in values}) > 1)


@pytest.mark.parametrize(
    ("text", "roles", "row", "column", "message"),
    [
        ("a,b\n1,2\n2,oops\n3,4\n4,5\n", RAW, 3, "b", "'oops' is not a number"),
        ("a,b\n1,2\n\n2,inf\n3,4\n", RAW, 4, "b", "infinite"),
        ("a,b\n1,2\n2,1e999\n3,4\n", RAW, 3, "b", "infinite"),
        ("a,b\n1,2\n3,4\n", Roles(("c",)), None, "c", "no such column"),
        ("a,b\n1,2\n3,4\n", Roles(("a",), "c", ("1",)), None, "c", "no such column"),
        ("a,b\n1,2\n3,4\n", Roles(("a", "b"), "b", ("2",)), None, "b", "cannot be a feature"),
        ("a,b\n1,2\n3,4\n", Roles(()), None, None, "no feature column"),
        ("a,b\n1,2\n3,4\n", Roles(("a",), "b"), None, "b", "No value of the label"),
        ("a,b\n1,2\n3,4\n", Roles(("a",), "b", ("9",)), None, "b", "never has the value '9'"),
        ("a,b\n1,2\n3,4\n", Roles(("a",), "b", ("2", "4")), None, "b", r"has the label \+1"),
        ("a,b\n1,2\n3,4\n", Roles(missing="guess"), None, None, "treated by 'guess'"),
        ("a,b\n1,\n,4\n", RAW, None, "a", "Every row has a missing value"),
        ("a,b\n7,3\n7,3\n", RAW, None, None, "Every feature is constant"),
        ("a,b\nNA,1\nNA,2\n", Roles(("a",)), None, None, "have no values"),
        ("a,a=p\np,1\nq,2\nr,3\n", RAW, None, "a=p", "name of another column"),
    ],
)
def test_faults_name_their_place(text, roles, row, column, message):
    with pytest.raises(DataError, match=message) as caught:
        to_dataset(read_text(text), roles)
    assert (caught.value.row, caught.value.column) == (row, column)
    assert caught.value.hint


def test_too_many_categories():
    text = "a,b\n" + "\n".join(f"{k},n{k}" for k in range(40))
    with pytest.raises(DataError, match="40 different values") as caught:
        to_dataset(read_text(text), RAW)
    assert caught.value.column == "b"


def test_indicators_count_against_the_limits():
    text = "a,b\n" + "\n".join(f"{k},n{k % 5}" for k in range(40))
    with pytest.raises(DataError, match="6 columns; at most 5"):
        to_dataset(read_text(text), RAW, Limits(max_columns=5))


def test_shipped_examples_from_file_to_data_set():
    folder = sample_data_dir()
    moons = read_file((folder / "two-moons.csv").read_bytes(), "two-moons.csv")
    data = to_dataset(moons, Roles(("x1", "x2"), "label", ("1",), standardise=False))
    made = make_sample("moons", random_state=7, n=160)
    np.testing.assert_allclose(data.X, made.X, atol=5e-5)
    np.testing.assert_array_equal(data.y, made.y)
    stations = read_file((folder / "stations.csv").read_bytes(), "stations.csv")
    numbers, dropped, filled = (
        to_dataset(stations),
        to_dataset(stations, Roles(label="Frost", positive=("ja",))),
        to_dataset(stations, Roles(missing="mean", features=("Höhe", "Lage"))),
    )
    assert numbers.feature_names == ("Höhe", "Temperatur", "Niederschlag")
    assert (numbers.n, dropped.n) == (105, 104)  # one row has no "Lage"
    assert filled.n == 120
    assert "16 rows with missing values were dropped." in story(dropped)


def test_standardise_a_data_set():
    data = Dataset([[1.0, 5.0], [3.0, 5.0]], y=[1, -1], feature_names=("a", "b"))
    scaled = standardise(data)
    np.testing.assert_array_equal(scaled.X, [[-1.0], [1.0]])
    np.testing.assert_array_equal(scaled.y, data.y)
    assert "Constant columns were dropped: b." in scaled.provenance
    with pytest.raises(DataError, match="constant"):
        standardise(Dataset([[1.0], [1.0]]))
