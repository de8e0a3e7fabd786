"""Delimited text: every guess, its overruling, and every fault with its place."""

import gzip

import numpy as np
import pytest

from nestviz.data import DataError, ReadChoices, read_text, sample_data_dir
from nestviz.data.files import parse_table as read_table

PLAIN = "a,b,c\n1,2,x\n3.5,4,y\n"


def guesses(table):
    return {guess.what: guess.value for guess in table.guesses}


def numbers(table):
    return np.column_stack([column for column in table.values if column.dtype == float])


def test_plain_file():
    table = read_table(PLAIN.encode(), "folder/plain.CSV")
    assert table.columns == ("a", "b", "c")
    assert table.name == "plain"
    np.testing.assert_array_equal(numbers(table), [[1, 2], [3.5, 4]])
    assert table.values[2].tolist() == ["x", "y"]
    assert table.row_numbers.tolist() == [2, 3]
    assert table.n_rows == 2
    assert table.is_numeric("a")
    assert not table.is_numeric("c")
    assert table.preview(1) == [[1.0, 2.0, "x"]]
    assert table.source == "Read from the file 'plain.csv'."
    for guess in table.guesses:
        assert hasattr(ReadChoices(), guess.what)
        assert guess.why.endswith(".")


@pytest.mark.parametrize(
    ("text", "delimiter", "decimal"),
    [
        ("a,b\n1,2\n3,4\n", ",", "."),
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";", ","),
        ("a;b\n1.5;2.5\n3.5;4.5\n", ";", "."),
        ("a\tb\n1,5\t2,5\n3,5\t4,5\n", "\t", ","),
        ("a|b\n1.5|2\n3.5|4\n", "|", "."),
        ("a b\n1.5   2\n 3.5 4  \n", " ", "."),
        ("a, b\n1.5, 2\n3.5, 4\n", ",", "."),
        ("a\n1.5\n3.5\n", "", "."),
        ("1.5\r2.5\r", "", "."),
        ("name;city\nAnn, B.;Rome\nBob, C.;Oslo\nEve, D.;Bonn\n", ";", "."),
    ],
)
def test_delimiter_and_decimal_are_found(text, delimiter, decimal):
    table = read_text(text)
    assert (guesses(table)["delimiter"], guesses(table)["decimal"]) == (delimiter, decimal)
    assert len(table.columns) == (2 if delimiter else 1)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_unicode_encodings(encoding, ending):
    text = ending.join(["größe,naïve", "1,2", "3,4", ""])
    table = read_table(text.encode(encoding), "x.csv")
    assert table.columns == ("größe", "naïve")
    np.testing.assert_array_equal(numbers(table), [[1, 2], [3, 4]])
    assert guesses(table)["encoding"] == encoding


def test_western_encodings():
    text = "größe,€\n1,2\n3,4\n"
    table = read_table(text.encode("cp1252"), "x.csv")
    assert table.columns == ("größe", "€")
    assert guesses(table)["encoding"] == "cp1252"
    latin = read_table(b"gr\xf6\x81e,b\n1,2\n", "x.csv")
    assert guesses(latin)["encoding"] == "latin-1"


def test_utf32_with_mark():
    assert read_table("a,b\n1,2\n".encode("utf-32"), "x.csv").columns == ("a", "b")


def test_each_guess_can_be_overruled():
    data = b"1,5\n2,5\n"
    assert len(read_table(data, "x.csv").columns) == 2
    one = read_table(data, "x.csv", ReadChoices(delimiter="", decimal=","))
    np.testing.assert_array_equal(one.values[0], [1.5, 2.5])
    assert not {"delimiter", "decimal"} & set(guesses(one))
    headed = read_table(data, "x.csv", ReadChoices(header=True))
    assert headed.columns == ("1", "5")
    assert headed.n_rows == 1
    bare = read_table(b"a,b\nc,d\n", "x.csv", ReadChoices(header=False))
    assert bare.columns == ("x1", "x2")
    assert bare.n_rows == 2
    greek = read_table("α,β\n1,2\n".encode("iso8859-7"), "x.csv", ReadChoices(encoding="iso8859-7"))
    assert greek.columns == ("α", "β")
    quoted = read_table(b'a,b\n"x,1\n"y,2\n', "x.csv", ReadChoices(quote=""))
    assert quoted.values[0].tolist() == ['"x', '"y']
    as_text = read_table(b"1 1:5\n2 1:6\n", "x.csv", ReadChoices(format="delimited"))
    assert as_text.values[1].tolist() == ["1:5", "1:6"]


def test_quotes():
    table = read_text('a,b\n"x, ""y""",1\n"two\nlines",2\nplain,3\n')
    assert table.values[0].tolist() == ['x, "y"', "two\nlines", "plain"]
    assert table.row_numbers.tolist() == [2, 3, 4]
    single = read_text("a;b\n'x;y';1\n'z';2\n")
    assert guesses(single)["quote"] == "'"
    assert single.values[0].tolist() == ["x;y", "z"]


def test_header_is_guessed_from_content():
    assert not guesses(read_text("1,2\n3,4\n"))["header"]
    assert guesses(read_text("a,b\n3,4\n"))["header"]
    assert guesses(read_text("colour,size\nred,big\nblue,small\n"))["header"]
    assert not guesses(read_text("red,big\nblue,small\nred,small\n"))["header"]
    assert read_text(",b\n1,2\n").columns == ("column 1", "b")


@pytest.mark.parametrize("word", ["", "NA", "n/a", "NaN", "null", "None", "?", "-", ".", "#N/A"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_missing_values(word, decimal):
    table = read_text(
        f"a;b;c\n1{decimal}5;x;7\n{word};{word};8\n3;y;9\n", ReadChoices(decimal=decimal)
    )
    np.testing.assert_array_equal(table.values[0], [1.5, np.nan, 3])
    assert table.values[1].tolist() == ["x", "", "y"]
    assert table.preview()[1] == [None, None, 8.0]


def test_blank_rows_are_counted_and_rows_keep_their_numbers():
    table = read_text("a,b\n\n1,2\n\n ,\n3,4\n\n\n")
    assert table.row_numbers.tolist() == [3, 6]
    assert "2 blank rows were left out" in table.source


def test_underscores_and_points_do_not_become_numbers():
    assert read_text("a,b\n1_000,2\n3,4\n").values[0].tolist() == ["1_000", "3"]
    mixed = read_text("a;b\n1.5;2,5\n3,5;4,5\n", ReadChoices(decimal=","))
    assert mixed.values[0].tolist() == ["1.5", "3,5"]


def test_a_column_that_turns_to_text_late_keeps_every_cell():
    cells = [f"{k}.50" for k in range(5000)] + ["end"]
    table = read_text("a,b\n" + "\n".join(f"{cell},1" for cell in cells))
    assert table.values[0].tolist() == cells


def test_gzip_and_stray_suffix():
    assert read_table(gzip.compress(PLAIN.encode()), "x.csv.gz").name == "x"
    assert read_table(PLAIN.encode(), "really-text.xls").columns == ("a", "b", "c")
    two = gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n")
    assert read_table(two, "x.gz").n_rows == 2


def test_shipped_example_with_every_difficulty():
    path = sample_data_dir() / "stations.csv"
    table = read_table(path.read_bytes(), path.name)
    assert table.columns == ("Höhe", "Temperatur", "Niederschlag", "Lage", "Frost")
    expected = {"encoding": "cp1252", "delimiter": ";", "decimal": ",", "header": True}
    assert expected.items() <= guesses(table).items()
    assert [table.is_numeric(name) for name in table.columns] == [True] * 3 + [False] * 2
    assert np.isnan(table.values[1]).any()


@pytest.mark.parametrize(
    ("text", "row", "message"),
    [
        ("a,b\n1,2\n3,4,5\n6,7\n", 3, "3 cells, but most rows have 2"),
        ("a,b\n1,2\n\n3\n6,7\n", 4, "1 cell, but most rows have 2"),
        ("title\na,b\n1,2\n3,4\n", 1, "first row has 1 cells, but most rows have 2"),
        ('a,b\n1,2\n3,"x\n5,6\n', None, "cannot be split into cells"),
        ("a,a\n1,2\n", 1, "same name"),
    ],
)
def test_faults_name_their_row(text, row, message):
    choices = ReadChoices(delimiter=",", header=True if text.startswith("title") else None)
    with pytest.raises(DataError, match=message) as caught:
        read_text(text, choices)
    assert caught.value.hint
    if row is not None:
        assert caught.value.row == row
        assert f"row {row}" in str(caught.value)


def test_same_name_is_told():
    with pytest.raises(DataError) as caught:
        read_text("size,size\n1,2\n")
    assert caught.value.column == "size"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "file is empty"),
        (b" \n\n ", "no text to read"),
        (b"a,b,c\n", "no row of data below"),
        (bytes(range(256)) * 8, "neither text nor"),
        (b"\x00" * 100, "neither text nor"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n", "picture"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"\x1f\x8bbroken", "damaged"),
        pytest.param(gzip.compress(PLAIN.encode())[:-9], "damaged", id="gzip cut short"),
        pytest.param(gzip.compress(b""), "compressed file is empty", id="gzip of nothing"),
    ],
)
def test_what_is_no_table_is_told(content, message):
    with pytest.raises(DataError, match=message) as caught:
        read_table(content, "x.csv")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (ReadChoices(encoding="klingon"), "no text encoding called 'klingon'"),
        (ReadChoices(encoding="hex"), "no text encoding called 'hex'"),
        (ReadChoices(encoding="ascii"), "cannot be read as ascii"),
        (ReadChoices(encoding="utf-16"), "cannot be read as utf-16|neither text"),
        (ReadChoices(delimiter="ab"), "delimiter cannot be 'ab'"),
        (ReadChoices(delimiter="\n"), "delimiter cannot be"),
        (ReadChoices(quote="''"), "quote cannot be"),
        (ReadChoices(decimal="x"), "decimal sign cannot be 'x'"),
        (ReadChoices(delimiter=",", decimal=","), "two purposes"),
        (ReadChoices(delimiter="'", quote="'"), "two purposes"),
        (ReadChoices(format="word"), "no format called 'word'"),
        (ReadChoices(format="numpy"), "not a NumPy file"),
        (ReadChoices(format="parquet"), "Parquet file is damaged"),
        (ReadChoices(format="spreadsheet"), "workbook cannot be read"),
        (ReadChoices(format="svmlight"), "not an index:value pair"),
    ],
)
def test_choices_that_do_not_fit(choices, message):
    with pytest.raises(DataError, match=message):
        read_table("é,b\n1,2 3\n4,5 6\n".encode(), "x.csv", choices)


def test_undecodable_byte_names_its_row():
    with pytest.raises(DataError) as caught:
        read_table(b"a,b\n1,2\n\xff,4\n", "x.csv", ReadChoices(encoding="utf-8"))
    assert caught.value.row == 3


def test_a_quotation_mark_may_be_the_delimiter():
    table = read_text('a"b\n1"2\n', ReadChoices(delimiter='"'))
    assert table.columns == ("a", "b")


def test_pasted_text_has_only_text_formats():
    with pytest.raises(DataError, match="Pasted text"):
        read_text("a", ReadChoices(format="parquet"))
    assert read_text("1 2\n3 4").name == "pasted text"


def test_names_from_outside_are_made_harmless():
    table = read_table(PLAIN.encode(), "../..\\evil\x00\n" + "n" * 300 + ".csv")
    assert table.name == "n" * 76
    assert read_table(PLAIN.encode(), "").name == "file"
