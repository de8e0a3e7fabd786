"""Limits hold before memory is spent: counters, declared sizes, bombs."""

import gzip
import struct
import tracemalloc
import zlib

import numpy as np
import pytest

from nestviz.data import DataError, Limits, read_table, read_text
from nestviz.data.files import parse_table

SMALL = Limits(max_bytes=10_000, max_decompressed_bytes=20_000, max_rows=50, max_columns=8)


def peak_megabytes(content, name, limits=None):
    """Most memory taken while the content is refused."""
    tracemalloc.start()
    try:
        with pytest.raises(DataError) as caught:
            parse_table(content, name, limits=limits)
        return tracemalloc.get_traced_memory()[1] / 1e6, str(caught.value)
    finally:
        tracemalloc.stop()


def test_defaults():
    limits = Limits()
    assert limits.max_bytes == 50_000_000
    assert limits.max_decompressed_bytes == 200_000_000
    assert (limits.max_rows, limits.max_columns) == (25_000_000, 1_000)
    assert limits.subsample_above == 5_000


def test_file_and_text_size():
    with pytest.raises(DataError, match="The file has"):
        read_table(b"1,2\n" * 2501, "x.csv", limits=SMALL)
    with pytest.raises(DataError, match="The file has"):
        read_text("1,2\n" * 2501, limits=SMALL)


def test_shape_of_text():
    assert read_text("1,2\n" * 50, limits=SMALL).n_rows == 50
    with pytest.raises(DataError, match="more than 50 rows"):
        read_text("1,2\n" * 51, limits=SMALL)
    assert len(read_text("1," * 7 + "2\n", limits=SMALL).columns) == 8
    with pytest.raises(DataError, match="9 columns; at most 8"):
        read_text("1," * 8 + "2\n", limits=SMALL)


def test_table_in_memory():
    with pytest.raises(DataError, match="of memory"):
        Limits(max_decompressed_bytes=8_000).check_shape(1_001, 1)
    Limits(max_decompressed_bytes=8_000).check_shape(1_000, 1)


def test_gzip_bomb():
    bomb = gzip.compress(b"1,2\n" * 25_000_000)
    megabytes, message = peak_megabytes(bomb, "x.csv.gz", Limits(max_decompressed_bytes=10**6))
    assert "unpacks to more than" in message
    assert megabytes < 4


def test_zip_bomb_in_a_workbook(write):
    members = write.xlsx_members({"Data": b"0" * 30_000_000})
    bomb = write.zipped(members)
    megabytes, message = peak_megabytes(bomb, "x.xlsx", Limits(max_decompressed_bytes=10**6))
    assert "unpacks to more than" in message
    assert megabytes < 4


def test_zip_that_lies_about_its_size(write):
    bomb = bytearray(write.zipped({"X.npy": b"0" * 3_000_000}))
    declared = struct.pack("<I", 3_000_000)
    for _ in range(2):
        at = bomb.index(declared)
        bomb[at : at + 4] = struct.pack("<I", 100)
    megabytes, message = peak_megabytes(bytes(bomb), "x.npz", Limits(max_decompressed_bytes=10**6))
    assert "damaged" in message
    assert megabytes < 4


def test_npy_header_that_announces_too_much(write):
    honest = write.npy(np.zeros((1, 3)))
    # Padding after the shape keeps the header at its length.
    huge = honest.replace(b"(1, 3), }      ", b"(9999999, 3), }")
    assert len(huge) == len(honest)
    assert huge != honest
    megabytes, message = peak_megabytes(huge, "x.npy")
    assert "unpacks to more than" in message
    assert megabytes < 4


def test_parquet_that_repeats_one_value(write):
    bomb = write.parquet({"a": np.zeros(2_000_000)})
    assert len(bomb) < 100_000
    megabytes, message = peak_megabytes(bomb, "x.parquet", Limits(max_rows=1_000_000))
    assert "1,000,000 rows" in message
    assert megabytes < 4
    megabytes, message = peak_megabytes(bomb, "x.parquet", Limits(max_table_bytes=20_000_000))
    assert "at most 20.0 MB are used" in message
    assert megabytes < 4
    wide = write.parquet({f"c{j}": np.zeros(5) for j in range(9)})
    with pytest.raises(DataError, match="9 columns"):
        read_table(wide, "x.parquet", limits=SMALL)


def test_svmlight_with_a_distant_index():
    with pytest.raises(DataError, match="columns"):
        read_text("1 9:1\n", limits=SMALL)
    text = "1 1:1\n" * 300 + "1 999:1\n"
    with pytest.raises(DataError, match="of memory"):
        read_text(text, limits=Limits(max_decompressed_bytes=1_000_000))


@pytest.mark.parametrize("kind", ["xlsx", "ods", "xls"])
def test_workbooks_with_cells_far_apart(write, kind):
    far = write.sheet_xml([[1.0]]).replace(
        "</sheetData>", '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    )
    bombs = {
        "xlsx": write.zipped(write.xlsx_members({"Data": far})),
        "ods": write.ods([[1.0]], repeat_rows=1_000_000, repeat_columns=16_000),
        "xls": write.xls([[1.0]], dimensions=(2**31, 60_000)),
    }
    with pytest.raises(DataError, match=r"cannot be read|takes .* of memory"):
        read_table(bombs[kind], f"x.{kind}")


def test_workbook_shape(write):
    rows = [[float(i), 1.0] for i in range(60)]
    with pytest.raises(DataError, match="more than 50 rows"):
        read_table(write.xlsx(rows), "x.xlsx", limits=Limits(max_rows=50))
    with pytest.raises(DataError, match="2 columns; at most 1"):
        read_table(write.xlsx(rows), "x.xlsx", limits=Limits(max_columns=1))


def test_deflate_that_never_ends_is_cut_off():
    body = zlib.compressobj(wbits=31)
    content = body.compress(b"1,2\n" * 10_000) + body.flush(zlib.Z_SYNC_FLUSH)
    with pytest.raises(DataError, match="damaged"):
        read_table(content, "x.csv.gz")
