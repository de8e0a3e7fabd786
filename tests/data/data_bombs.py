"""Small files that grow without bound when they are read, and files that lie about their size."""

import gzip
import io
import struct
import zipfile

import numpy as np

SHARED = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def shared_strings(write, length, cells):
    """A workbook in which many cells refer to one long text."""
    members = write.xlsx_members({"Data": ""})
    rows = "".join(
        f'<row r="{i}"><c r="A{i}" t="s"><v>0</v></c></row>' for i in range(1, cells + 1)
    )
    members["xl/worksheets/s1.xml"] = (
        f'<worksheet xmlns="{SHARED}"><sheetData>{rows}</sheetData></worksheet>'
    )
    members["xl/sharedStrings.xml"] = f'<sst xmlns="{SHARED}"><si><t>{"x" * length}</t></si></sst>'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    links = members["xl/_rels/workbook.xml.rels"]
    link = f'<Relationship Id="rId99" Type="{kind}" Target="sharedStrings.xml"/></Relationships>'
    members["xl/_rels/workbook.xml.rels"] = links.replace("</Relationships>", link)
    return write.zipped(members)


def far_cell(write):
    """A workbook with a cell in the last row and column."""
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    sheet = write.sheet_xml([[1.0]]).replace("</sheetData>", far)
    return write.zipped(write.xlsx_members({"Data": sheet}))


def parquet(columns, **options):
    import pyarrow as pa
    import pyarrow.parquet as pq

    target = io.BytesIO()
    pq.write_table(pa.table(columns), target, **options)
    return target.getvalue()


def parquet_dictionary(length, rows):
    """One long text in a dictionary page, and many rows that refer to it."""
    import pyarrow as pa

    words = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), ["x" * length])
    return parquet({"a": words}, dictionary_pagesize_limit=1 << 30)


def parquet_list(values):
    """One row with many values."""
    import pyarrow as pa

    offsets = pa.array([0, values], pa.int32())
    return parquet({"a": pa.ListArray.from_arrays(offsets, pa.array(np.zeros(values, np.int8)))})


def parquet_prefixes(length, rows):
    """Texts stored as what they share with the text before, and a number."""
    texts = ["x" * length + str(k) for k in range(rows)]
    encoding = {"a": "DELTA_BYTE_ARRAY"}
    return parquet({"a": texts}, use_dictionary=False, column_encoding=encoding)


def parquet_fixed(length, rows):
    """Values of a fixed, large width."""
    import pyarrow as pa

    column = pa.array([bytes(length)] * rows, pa.binary(length))
    return parquet({"a": column}, dictionary_pagesize_limit=1 << 30, compression="zstd")


def zip64_offset(write, offset):
    """An archive whose directory puts the member at an absurd offset."""
    content = bytearray(write.npz(X=np.zeros((2, 2))))
    start = content.index(b"PK\x01\x02")
    end = content.index(b"PK\x05\x06")
    entry = content[start:end]
    name_size, extra_size = struct.unpack_from("<HH", entry, 28)
    struct.pack_into("<I", entry, 42, 0xFFFFFFFF)
    struct.pack_into("<H", entry, 30, 12)
    entry[46 + name_size : 46 + name_size + extra_size] = struct.pack("<HHQ", 1, 8, offset)
    tail = content[end:]
    struct.pack_into("<I", tail, 12, len(entry))
    return bytes(content[:start] + entry + tail)


def lzma_member(write, damaged=False):
    """An .npz file whose member is compressed by LZMA."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("X.npy", write.npy(np.arange(2000.0).reshape(1000, 2)))
    content = bytearray(target.getvalue())
    if damaged:
        content[60:90] = bytes(30)
    return bytes(content)


def zipped_array(array):
    target = io.BytesIO()
    np.savez(target, X=array)
    return target.getvalue()


def many_members(write, count):
    array = write.npy(np.zeros((2, 2)))
    return write.zipped({f"array {k} {'n' * 60}.npy": array for k in range(count)})


def npy_header(size):
    """An array whose header is long and nested."""
    header = b"(" * size
    return b"\x93NUMPY\x02\x00" + struct.pack("<I", len(header)) + header


BOMBS = {
    "shared strings.xlsx": lambda write: shared_strings(write, 1_000_000, 200),
    "short shared strings.xlsx": lambda write: shared_strings(write, 100_000, 20_000),
    "far cell.xlsx": far_cell,
    "many sheets.xlsx": lambda write: write.zipped(
        write.xlsx_members({f"Sheet {k} {'n' * 60}": write.sheet_xml([]) for k in range(2_000)})
    ),
    "repeated cells.ods": lambda write: write.ods(
        [[1.0]], repeat_rows=1_000_000, repeat_columns=16_000
    ),
    "repeated text.ods": lambda write: write.ods(
        [["x" * 100_000]], repeat_rows=900, repeat_columns=900
    ),
    "far cell.xls": lambda write: write.xls([[1.0]], dimensions=(2**31, 60_000)),
    "dictionary.parquet": lambda write: parquet_dictionary(1_000_000, 300),
    "list.parquet": lambda write: parquet_list(3_000_000),
    "prefixes.parquet": lambda write: parquet_prefixes(100_000, 400),
    "fixed width.parquet": lambda write: parquet_fixed(200_000, 200),
    "zeros.csv.gz": lambda write: gzip.compress(b"1,2\n" * 6_000_000, 1),
    "members.csv.gz": lambda write: (
        gzip.compress(b"") * 2_000 + gzip.compress(b"1,2\n" * 10**6) * 6
    ),
    "offset.npz": lambda write: zip64_offset(write, 2**63 + 1),
    "damaged lzma.npz": lambda write: lzma_member(write, damaged=True),
    "lzma.xlsx": lambda write: lzma_member(write).replace(b"X.npy", b"xl/ab"),
    "header.npy": lambda write: npy_header(3_000_000),
    "index.svm": lambda write: b"1 999999999:1\n" * 3,
    "line.svm": lambda write: b"1 " + b" ".join(b"%d:1" % k for k in range(1, 100_000)),
    "line.csv": lambda write: b"1234567" * 700_000,
    "columns.csv": lambda write: b",".join(b"c%d" % k for k in range(10**6)) + b"\n",
    "texts.csv": lambda write: b"".join(b"t%0200d,1\n" % k for k in range(100_000)),
}
"""Name of the file → its bytes, made with the fixture `write`; no table takes less than 20 MB."""
LARGE_BOMBS = {
    "shared strings.xlsx": lambda write: shared_strings(write, 1_000_000, 7_000),
    "dictionary.parquet": lambda write: parquet_dictionary(1_000_000, 3_000),
    "list.parquet": lambda write: parquet_list(60_000_000),
    "prefixes.parquet": lambda write: parquet_prefixes(100_000, 15_000),
    "fixed width.parquet": lambda write: parquet_fixed(200_000, 2_000),
    "zeros.csv.gz": lambda write: gzip.compress(b"1,2\n" * 60_000_000, 1),
    "line.csv": lambda write: b"1234567" * 7_000_000,
    "columns.csv": lambda write: b",".join(b"c%d" % k for k in range(6 * 10**6)) + b"\n",
    "many sheets.xlsx": lambda write: write.zipped(
        write.xlsx_members({f"Sheet {k}": write.sheet_xml([]) for k in range(20_000)})
    ),
}
"""The same for the default limits."""


def numbers(rows, columns=8):
    return np.random.default_rng(0).normal(size=(rows, columns)).round(5)


def lines(rows, line):
    return b"".join(map(line, numbers(rows).tolist()))


def csv_line(row):
    return ",".join(map(repr, row)).encode() + b"\n"


def svm_line(row):
    return " ".join(["1", *(f"{j}:{value}" for j, value in enumerate(row, 1))]).encode() + b"\n"


def words(rows, length):
    return b"".join(b"t%0*d,u%0*d\n" % (length, k, length, k) for k in range(rows))


def workbook(write, rows):
    sheet = write.sheet_xml(numbers(rows).tolist())
    return write.zipped(write.xlsx_members({"Data": sheet}))


LARGE_FILES = {
    "numbers.csv": lambda write: lines(740_000, csv_line),
    "digits.csv": lambda write: b"1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7\n" * 990_000,
    "words.csv": lambda write: words(940_000, 24),
    "numbers.csv.gz": lambda write: gzip.compress(lines(980_000, csv_line), 1),
    "numbers.svm": lambda write: lines(580_000, svm_line),
    "numbers.npy": lambda write: write.npy(numbers(770_000)),
    "numbers.npz": lambda write: zipped_array(numbers(770_000)),
    "numbers.parquet": lambda write: parquet(
        {f"c{j}": column for j, column in enumerate(numbers(740_000).T)}, use_dictionary=False
    ),
    "words.parquet": lambda write: parquet(
        {"a": [f"{k:032d}" for k in range(900_000)]}, compression="none"
    ),
    "numbers.xlsx": lambda write: workbook(write, 650_000),
}
"""Sound files of nearly 50 MB."""
