"""Every format but delimited text: the way there and back, and its faults."""

import pickle

import numpy as np
import pytest

from nestviz.data import DataError, Limits, ReadChoices, read_text
from nestviz.data.files import parse_table as read_table

ROWS = [["a", "b", "kind"], [1.0, 2.5, "x"], [3.0, -4.0, "y"], [5.5, 1e-3, "x"]]
X = np.array([[1.0, 2.5], [3.0, -4.0], [5.5, 1e-3]])


def check_rows(table, first_row=2):
    assert table.columns == ("a", "b", "kind")
    np.testing.assert_array_equal(np.column_stack(table.values[:2]), X)
    assert table.values[2].tolist() == ["x", "y", "x"]
    assert table.row_numbers.tolist() == [first_row, first_row + 1, first_row + 2]


@pytest.mark.parametrize("kind", ["xlsx", "ods", "xls"])
def test_workbooks(write, kind):
    table = read_table(getattr(write, kind)(ROWS), f"book.{kind}")
    check_rows(table)
    assert {"format", "sheet", "header"} == {guess.what for guess in table.guesses}


def test_workbook_rows_are_counted_as_the_spreadsheet_does(write):
    check_rows(read_table(write.xlsx(ROWS, first_row=7), "book.xlsx"), first_row=8)


def test_sheet_is_guessed_and_overruled(write):
    sheets = {
        "Empty": write.sheet_xml([]),
        "First": write.sheet_xml(ROWS),
        "Second": write.sheet_xml([[1, 2], [3, 4]]),
    }
    book = write.zipped(write.xlsx_members(sheets))
    table = read_table(book, "book.xlsx")
    check_rows(table)
    assert ("sheet", "First") in [(guess.what, guess.value) for guess in table.guesses]
    second = read_table(book, "book.xlsx", ReadChoices(sheet="Second"))
    assert second.columns == ("x1", "x2")
    with pytest.raises(DataError, match="no sheet called 'Third'"):
        read_table(book, "book.xlsx", ReadChoices(sheet="Third"))
    with pytest.raises(DataError, match="has no data"):
        read_table(book, "book.xlsx", ReadChoices(sheet="Empty"))


def test_cells_of_other_kinds(write):
    table = read_table(write.xlsx([["a", "b"], [1, True], [2, False]]), "book.xlsx")
    assert table.values[1].tolist() == ["true", "false"]


def test_workbook_faults(write):
    good = write.xlsx(ROWS)
    with pytest.raises(DataError, match="damaged"):
        read_table(good[: len(good) // 2], "book.xlsx")
    members = write.xlsx_members({"Data": "<worksheet><sheetData><row><c r='!'"})
    with pytest.raises(DataError, match="workbook"):
        read_table(write.zipped(members), "book.xlsx")
    with pytest.raises(DataError, match="workbook cannot be read"):
        read_table(write.xls(ROWS)[:1024], "book.xls")
    with pytest.raises(DataError, match="zip archive"):
        read_table(write.zipped({"notes.txt": "a,b\n1,2\n"}), "notes.zip")


def test_parquet(write):
    content = write.parquet({"a": X[:, 0], "b": X[:, 1], "kind": ["x", "y", "x"]})
    check_rows(read_table(content, "table.parquet"), first_row=1)


def test_parquet_types(write):
    import datetime

    import pyarrow as pa

    table = read_table(
        write.parquet(
            {
                "whole": pa.array([1, None, 3]),
                "flag": pa.array([True, False, None]),
                "day": pa.array([datetime.date(2020, 1, 2), None, None]),
                "word": pa.array(["p", "q", None]).dictionary_encode(),
                "bytes": pa.array([b"p", None, b"p"]),
                "count": pa.array([5, None, 5]).dictionary_encode(),
                "none": pa.nulls(3),
                "exact": pa.array(["1.5", "2.5", None]).cast(pa.decimal128(5, 2)),
                "half": pa.array(np.array([1, 2, 3], dtype=np.float16)),
            }
        ),
        "table.parquet",
    )
    values = dict(zip(table.columns, table.values, strict=True))
    np.testing.assert_array_equal(values["whole"], [1, np.nan, 3])
    np.testing.assert_array_equal(values["exact"], [1.5, 2.5, np.nan])
    np.testing.assert_array_equal(values["half"], [1, 2, 3])
    assert np.isnan(values["none"]).all()
    assert values["flag"].tolist() == ["True", "False", ""]
    assert values["day"].tolist() == ["2020-01-02", "", ""]
    assert values["word"].tolist() == ["p", "q", ""]
    assert values["bytes"].tolist() == ["b'p'", "", "b'p'"]
    np.testing.assert_array_equal(values["count"], [5, np.nan, 5])


@pytest.mark.parametrize(
    "kind",
    ["list<int64>", "large_list", "fixed_size_list", "struct", "map", "list of structs"],
)
def test_parquet_refuses_nested_columns(write, kind):
    import pyarrow as pa

    values = {
        "list<int64>": pa.array([[1, 2], []]),
        "large_list": pa.array([[1.0], [2.0]], pa.large_list(pa.float64())),
        "fixed_size_list": pa.array([[1, 2], [3, 4]], pa.list_(pa.int64(), 2)),
        "struct": pa.array([{"x": 1}, {"x": 2}]),
        "map": pa.array([[("x", 1)], []], pa.map_(pa.string(), pa.int64())),
        "list of structs": pa.array([[{"x": 1}], []]),
    }[kind]
    with pytest.raises(DataError, match="several values") as caught:
        read_table(write.parquet({"a": [1.0, 2.0], "b": values}), "table.parquet")
    assert caught.value.column == "b"


def test_parquet_faults(write):
    content = write.parquet({"a": [1.0, 2.0]})
    with pytest.raises(DataError, match="damaged"):
        read_table(content[:-10], "table.parquet")
    with pytest.raises(DataError, match="no rows"):
        read_table(write.parquet({"a": np.zeros(0)}), "table.parquet")


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", "<i2", "?"])
def test_npy(write, order, dtype):
    array = np.array([[1, 0], [0, 1], [1, 1]], dtype=dtype, order=order)
    table = read_table(write.npy(array), "points.npy")
    assert table.columns == ("x1", "x2")
    np.testing.assert_array_equal(np.column_stack(table.values), array.astype(float))


def test_npy_of_one_dimension_text_and_fields(write):
    flat = read_table(write.npy(np.arange(3.0)), "x.npy")
    np.testing.assert_array_equal(flat.values[0], [0, 1, 2])
    words = read_table(write.npy(np.array([["p", "q"], ["r", "NA"]])), "x.npy")
    assert words.values[1].tolist() == ["q", ""]
    fields = np.array([(1, 2.5), (3, 4.5)], dtype=[("n", "i4"), ("size", "f8")])
    named = read_table(write.npy(fields), "x.npy")
    assert named.columns == ("n", "size")
    np.testing.assert_array_equal(named.values[1], [2.5, 4.5])


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((2, 2, 2)), "3 dimensions"),
        (np.array(5.0), "0 dimensions"),
        (np.zeros((0, 2)), "empty"),
        (np.array([[1 + 2j]]), "complex128"),
        (np.array([(1, [2, 3])], dtype=[("a", "i4"), ("b", "i4", (2,))]), "more than one number"),
    ],
)
def test_npy_that_is_no_table(write, array, message):
    with pytest.raises(DataError, match=message):
        read_table(write.npy(array), "x.npy")


def test_npy_cut_short(write):
    with pytest.raises(DataError, match="cut short"):
        read_table(write.npy(X)[:-1], "x.npy")
    with pytest.raises(DataError, match="header"):
        read_table(write.npy(X)[:20], "x.npy")


def test_npz_array_is_guessed_and_overruled(write):
    y = np.array([1, -1, 1])
    content = write.npz(extra=np.zeros((4, 3)), X=X, y=y)
    table = read_table(content, "points.npz")
    assert table.columns == ("x1", "x2", "y")
    np.testing.assert_array_equal(np.column_stack(table.values), np.c_[X, y])
    guess = next(guess for guess in table.guesses if guess.what == "array")
    assert guess.value == "X"
    assert "y goes with it" in guess.why
    assert "extra" in guess.why
    other = read_table(content, "points.npz", ReadChoices(array="extra"))
    assert (other.n_rows, len(other.columns)) == (4, 3)
    with pytest.raises(DataError, match="no array called 'Z'") as caught:
        read_table(content, "points.npz", ReadChoices(array="Z"))
    assert "extra, X, y" in caught.value.hint
    assert read_table(write.npz(points=X), "p.npz").n_rows == 3


class Trap:
    """Unpickling this would be noticed."""

    opened = False

    def __reduce__(self):
        return Trap.spring, ()

    @staticmethod
    def spring():
        Trap.opened = True
        return Trap()


def test_no_pickle_is_ever_opened(write):
    objects = np.array([Trap(), Trap()], dtype=object)
    attempts = [
        (pickle.dumps(Trap()), "x.pkl"),
        (pickle.dumps(Trap()), "x.csv"),
        (pickle.dumps(Trap(), protocol=0), "x.pickle"),
        (pickle.dumps(Trap(), protocol=2), "x"),
        (b"a,b\n1,2\n", "x.joblib"),
        (write.npy(objects), "x.npy"),
        (write.npy(np.array([(1, Trap())], dtype=[("a", "i4"), ("b", "O")])), "x.npy"),
        (write.zipped({"X.npy": write.npy(objects)}), "x.npz"),
    ]
    for content, name in attempts:
        with pytest.raises(DataError, match="pickle"):
            read_table(content, name)
        for choice in ("numpy", "parquet", "delimited", "svmlight", "spreadsheet"):
            with pytest.raises(DataError):
                read_table(content, name, ReadChoices(format=choice), Limits(max_rows=1))
    assert not Trap.opened


def test_svmlight():
    text = "# made by hand\n+1 1:0.5 3:-2 # first\n\n-1 qid:4 2:1e3\n+1\n"
    table = read_table(text.encode(), "points.txt")
    assert table.columns == ("x1", "x2", "x3", "label")
    expected = [[0.5, 0, -2, 1], [0, 1000, 0, -1], [0, 0, 0, 1]]
    np.testing.assert_array_equal(np.column_stack(table.values), expected)
    assert table.row_numbers.tolist() == [2, 4, 5]


def test_svmlight_from_zero_and_with_several_labels():
    table = read_text("1,2 0:1 1:5\n3 1:4\n")
    assert table.columns == ("x0", "x1", "label")
    assert table.values[2].tolist() == ["1,2", "3"]


@pytest.mark.parametrize(
    ("text", "row", "message"),
    [
        ("1 1:2\n1 2:x\n", 2, "'2:x' is not an index:value pair"),
        ("1 1:2\n1 a:3\n", 2, "'a:3' is not"),
        ("1 1:2\n1 -1:3\n", 2, "'-1:3' is not"),
        ("1 1:2\n1 7\n", 2, "'7' is not"),
        ("1 1:2\n1 2:1 2:3\n", 2, "Index 2 comes twice"),
        ("1\n2\n", None, "No line has"),
        ("1 2000:1\n", None, "2,000 columns"),
        ("1 99999999999999999999:1\n", 1, "is not an index:value pair"),
    ],
)
def test_svmlight_faults(text, row, message):
    with pytest.raises(DataError, match=message) as caught:
        read_table(text.encode(), "points.svm", ReadChoices(format="svmlight"))
    assert caught.value.row == row


def test_missing_packages_are_named(write, monkeypatch):
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DataError, match="pyarrow"):
        read_table(write.parquet({"a": [1.0]}), "x.parquet")
    with pytest.raises(DataError, match="python-calamine"):
        read_table(write.xlsx(ROWS), "x.xlsx")
