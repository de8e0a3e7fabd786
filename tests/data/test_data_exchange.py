"""Data sets as CSV: back to the last bit, and no formulas for spreadsheets."""

import csv

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nestviz.data import DataError, Dataset, dataset_to_csv, label_name, read_dataset, table_to_csv

VALUES = st.floats(-1e100, 1e100, allow_subnormal=True)


@settings(max_examples=60)
@example(X=np.zeros((1, 3)), names=["", "0", "\r", "00"], labelled=True)
@given(
    X=arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(1, 4)), elements=VALUES),
    names=st.lists(st.text(max_size=12), min_size=4, max_size=4, unique=True),
    labelled=st.booleans(),
)
def test_a_round_trip_keeps_the_fingerprint(tmp_path_factory, X, names, labelled):
    # The csv module has no way to write a lone NUL or half a character.
    names = [name.encode("ascii", "ignore").decode().replace("\0", "") for name in names]
    names = [f"{name}{j}" for j, name in enumerate(names)][: X.shape[1]]
    y = np.where(np.arange(len(X)) % 2 == 0, 1, -1) if labelled else None
    data = Dataset(X, y, tuple(names))
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    path.write_text(dataset_to_csv(data), newline="")
    back = read_dataset(path, label=label_name(data) if labelled else None)
    assert back.fingerprint == data.fingerprint


def test_names_that_look_like_formulas_come_back(tmp_path):
    names = ("=SUM(A1)", "+a", "-b", "@c", "\td", "'=e", "''f", "label")
    data = Dataset(np.eye(8)[:3], [1, -1, 1], names)
    path = tmp_path / "data.csv"
    path.write_text(dataset_to_csv(data))
    with path.open(newline="") as file:
        header = next(csv.reader(file))
    assert not any(cell[0] in "=+-@\t\r" for cell in header)
    assert header[-1] == label_name(data) == "label_"
    assert read_dataset(path, label="label_").feature_names == names


def test_text_cells_are_safe_and_numbers_untouched():
    text = table_to_csv(["name", "value"], [["=1+1", -3.5], ["plain", 1e-300], ["@x", ""]])
    assert text == "name,value\n'=1+1,-3.5\nplain,1e-300\n'@x,\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b\n", "no rows"),
        ("a,b\n1\n", "1 cells where 2 are expected"),
        ("a,b\n1,x\n", "'x' is not a number"),
        ("a,b\n1,2\n", "no column 'label'"),
    ],
)
def test_a_bad_file_gets_a_sentence(tmp_path, content, words):
    path = tmp_path / "bad.csv"
    path.write_text(content)
    with pytest.raises(DataError, match=words):
        read_dataset(path, label="label" if "no column" in words else None)
