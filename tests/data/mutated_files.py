"""Sound files of every kind, and the damage done to them; all from a seed."""

import faulthandler
import gzip
import io
import multiprocessing
import os
import struct
import sys
import warnings
import zipfile

import numpy as np

from nestviz.data import DataError, Dataset, Limits, guess_roles, to_dataset
from nestviz.data.files import parse_table

LIMITS = Limits(max_bytes=10**6, max_decompressed_bytes=4 * 10**6, max_rows=20_000)
LONGEST_MESSAGE = 600
WORKBOOKS = (".xlsx", ".ods", ".xls")
NAME = "Größe " * 2_000
_ROWS = [["a", "b", "kind"], *([float(k), k / 7, "xyz"[k % 3]] for k in range(12))]
_TEXT = "\n".join(",".join(str(cell) for cell in row) for row in _ROWS)
_TOKENS = [
    b"nan", b"inf", b"-inf", b"1e400", b"NaT", b'"', b"'", b"\0", b"\n", b"\r", b",", b";", b":",
    b"#", b"9" * 5_000, b"0x10", b"1_0", b"\xed\xa0\x80", b"\xff\xfe", b"\xef\xbb\xbf", b"\\ud800",
    b"\xe2\x80\xae", b"PK\x03\x04", b"PAR1", b"\x93NUMPY", b"\x1f\x8b\x08", b"\xff" * 8, b"\0" * 8,
    b"\xff\xff\xff\x7f", b"=1+1", b"<b>", b"(" * 300, b"-1", b"True",
]  # fmt: skip
TYPES = [
    "M8", "m8", "<M8[ns]", "<M8[Y]", ">M8[2147483647as]", "m8[D]", "V8", "V0", "O", "T", "<U4",
    ">U4", "U0", "S0", "S2147483647", "c16", "<f16", "<f2", ">i8", "|b1", "?", "(2,)f8", "f8,i4",
    "object", "a" * 300, "<f9", "", "x" * 9_000, [("a", "f8"), ("a", "f8")], [("\ud800", "f8")],
    [("a", "O")], [("a", "f8", (2,))], [("a", [("b", "f8")])], [("n" * 5_000, "M8")], {"a": 1},
    [((("t"), "a"), "f8")], [("", "V3"), ("a", "i1")], ("f8", (2, 2)), [], 5, None, [("a",)],
    [("\ud800", "<f8"), ("\udfff", "<f8")],
]  # fmt: skip
SHAPES = [
    (12,), (6, 2), (12, 1), (), (0,), (0, 2**70), (2**40, 2**40), (-1,), (-1, -12), (True, 12),
    (12.0,), ("12",), (1,) * 70, (2, 3, 2), 12, None, [12], (2**63,), (10**4000,), (12, True),
]  # fmt: skip


def sound_files(write):
    """Return a sound file of each kind: name -> content."""
    X = np.random.default_rng(0).normal(size=(12, 3))
    fields = np.zeros(12, dtype=[("a", "f8"), ("b", ">i2"), ("kind", "U3"), ("when", "M8[D]")])
    fields["a"], fields["kind"], fields["when"] = X[:, 0], ["x", "y", "z"] * 4, np.arange(12)
    columns = {"a": X[:, 0], "b": np.arange(12), "kind": ["x", "y", "z"] * 4}
    quoted = "\n".join(",".join(f'"{cell}"' for cell in row) for row in _ROWS)
    return {
        "x.csv": _TEXT.encode(),
        "x.tsv": _TEXT.replace(",", "\t").encode(),
        "semicolon.csv": _TEXT.replace(",", ";").replace(".", ",").encode(),
        "quoted.csv": quoted.encode(),
        "latin.csv": _TEXT.replace("kind", "größe").encode("latin-1"),
        "wide.txt": _TEXT.encode("utf-16"),
        "long.csv": f"{NAME},b,{NAME[1:]}\n1,2,{NAME}\n3,4,{NAME}\n4,2,x\n".encode(),
        "x.svm": b"".join(b"%d 1:%d 3:0.5\n" % (k % 2, k) for k in range(20)),
        "x.npy": write.npy(X),
        "fields.npy": write.npy(fields),
        "text.npy": write.npy(np.array([["a", "é"], ["c", "𝔡"]])),
        "x.npz": write.npz(X=X, y=np.sign(X[:, 0])),
        "x.csv.gz": gzip.compress(_TEXT.encode(), mtime=0) + gzip.compress(b"\n1,2,x\n", mtime=0),
        "x.parquet": write.parquet(columns),
        "long.parquet": write.parquet({NAME: X[:, 0], NAME[1:]: ["x", NAME, "z"] * 4}),
        "x.xlsx": write.xlsx(_ROWS),
        "x.ods": write.ods(_ROWS),
        "x.xls": write.xls(_ROWS),
    }


def damaged(files_by_name, name, rng, write):
    """Return the file with one kind of damage, often several times."""
    content = files_by_name[name]
    special = {"npy": _strange_npy, "npz": _strange_zip, "xlsx": _strange_zip, "ods": _strange_zip}
    special |= {"gz": _strange_gzip, "parquet": _strange_footer}
    kind = special.get(name.rpartition(".")[2])
    if kind is not None and rng.random() < 0.4:
        return kind(content, rng, write)
    if rng.random() < 0.1:
        other = files_by_name[_one(list(files_by_name), rng)]
        return content[: rng.integers(len(content))] + other[rng.integers(len(other)) :]
    return mutated(content, rng)


def mutated(content, rng):
    """Return the content with a few bytes changed, cut, doubled or put in."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(len(data) + 1))
        to = min(len(data), at + int(rng.integers(1, 40)))
        kind = rng.integers(7)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            data[at:to] = rng.bytes(to - at)
        elif kind == 2:
            del data[at:to]
        elif kind == 3:
            data[at:at] = data[at:to] * int(rng.integers(1, 4))
        elif kind == 4:
            data[at:at] = _one(_TOKENS, rng)
        elif kind == 5:
            token = _one(_TOKENS, rng)
            data[at : at + len(token)] = token
        elif rng.random() < 0.3:
            del data[at:]
    return bytes(data)


def _one(choices, rng):
    return choices[int(rng.integers(len(choices)))]


def _strange_npy(content, rng, write):
    """Return an array whose header has another type or shape, or none that makes sense."""
    header = {"descr": _one(TYPES, rng), "fortran_order": _one([True, False, 0, "x"], rng)}
    header["shape"] = _one(SHAPES, rng)
    if rng.random() < 0.1:
        del header[_one(list(header), rng)]
    text = repr(header).encode("latin-1", "backslashreplace")
    text = mutated(text, rng) if rng.random() < 0.3 else text
    return npy(text, rng.bytes(int(rng.integers(0, 400))), _one([1, 1, 1, 2, 3, 9], rng))


def npy(header, values, major=1):
    """Return an .npy file with any bytes for a header."""
    size = struct.pack("<H" if major == 1 else "<I", len(header) % 65536)
    return b"\x93NUMPY" + bytes([major, 0]) + size + header + values


def _strange_zip(content, rng, write):
    """Return an archive with odd fields in its directory, methods, or damage inside a member."""
    kind = rng.integers(3)
    if kind == 0:
        return _strange_directory(content, rng)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    names = list(members)
    if kind == 1:
        name = _one(names, rng)
        npy = name.endswith(".npy") and rng.random() < 0.7
        members[name] = (_strange_npy if npy else _mutated_member)(members[name], rng, write)
        return write.zipped(members)
    target = io.BytesIO()
    methods = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            shown = (
                name if rng.random() < 0.9 else _one([NAME, "../x.npy", "\ud7ff.npy", ".npy"], rng)
            )
            archive.writestr(shown, members[name], compress_type=_one(methods, rng))
    return mutated(target.getvalue(), rng) if rng.random() < 0.5 else target.getvalue()


def _mutated_member(content, rng, write):
    return mutated(content, rng)


def _strange_directory(content, rng):
    """Return an archive with some fields of its directory, or of its end, overwritten."""
    data = bytearray(content)
    starts = [at for mark in (b"PK\1\2", b"PK\5\6", b"PK\3\4") for at in _all(content, mark)]
    for _ in range(int(rng.integers(1, 4))):
        at = _one(starts, rng) + int(rng.integers(4, 46))
        odd = [b"\xff\xff\xff\xff", b"\0\0", b"\1\0", b"\x0c\0", b"\x0e\0", b"c\0", b"\xff\xff"]
        value = _one(odd, rng) if rng.random() < 0.7 else rng.bytes(2)
        data[at : at + len(value)] = value
    if rng.random() < 0.3:
        # A zip64 field with an offset and sizes that no file has.
        end = bytes(data).rfind(b"PK\5\6")
        sizes = struct.pack("<QQQQ", *(int(v) for v in rng.integers(0, 2**63, 4)))
        record = b"PK\6\6" + struct.pack("<Q", 44) + b"-\0-\0" + bytes(8) + sizes
        locator = b"PK\6\7" + struct.pack("<IQI", 0, end, 1)
        data[end:end] = record + locator
    return bytes(data)


def _all(content, mark):
    return [at for at in range(len(content)) if content.startswith(mark, at)]


def _strange_gzip(content, rng, write):
    inside = gzip.compress(mutated(_TEXT.encode(), rng), mtime=0)
    return inside + _one([b"", b"\0" * 9, inside, b"\x1f\x8b", inside[:20], b"junk"], rng)


def _strange_footer(content, rng, write):
    """Return a Parquet file with damage in its footer, at the right length or a wrong one."""
    size = int.from_bytes(content[-8:-4], "little")
    footer = mutated(content[-8 - size : -8], rng)
    length = len(footer) if rng.random() < 0.8 else int(rng.integers(2**31))
    return content[: -8 - size] + footer + struct.pack("<I", length) + b"PAR1"


def native(content):
    """Return whether native code may read the content, which may panic or abort on damage."""
    marks = (b"xl/", b"content.xml", b"\xd0\xcf\x11\xe0", b"PAR1")
    return any(mark in content for mark in marks)


def survive(content, name):
    """Read and convert; return whether it gave a Dataset rather than a DataError."""
    if not native(content) or not hasattr(os, "fork"):
        return _survive(content, name)
    # What ends the child process of `read_table` ends only this fork.
    fork = multiprocessing.get_context("fork").Process(target=_end, args=(content, name))
    fork.start()
    fork.join()
    assert fork.exitcode != 1, "see the traceback of the fork"
    return fork.exitcode == 0


def _end(content, name):
    """End this process with 0 for a Dataset, 1 for a fault, 2 for a DataError or a panic."""
    os.environ["RUST_BACKTRACE"] = "0"
    faulthandler.disable()
    try:
        good = _survive(content, name)
    except Exception:
        raise
    except BaseException:
        good = False
    sys.exit(0 if good else 2)


def _survive(content, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            table = parse_table(content, name, None, LIMITS)
            assert table.n_rows > 0
            assert table.preview(3)
            _check_texts((*table.columns, table.name, table.source))
            _check_texts(guess.why for guess in table.guesses)
            _check_texts(
                text for column in table.values if column.dtype == object for text in column
            )
            dataset = to_dataset(table, guess_roles(table), LIMITS)
        except DataError as error:
            _check_message(str(error))
            return False
    assert isinstance(dataset, Dataset)
    _check_texts((*dataset.feature_names, dataset.name, *dataset.provenance))
    return True


def _check_texts(texts):
    for text in texts:
        text.encode("utf-8")


def _check_message(message):
    message.encode("utf-8")
    assert message.isprintable()
    assert len(message) <= LONGEST_MESSAGE


def faults(numbers, write):
    """Return (name, number, what happened) for each damaged file that is not survived."""
    sound = sound_files(write)
    # Workbooks cost most: read half as many.
    names = [name for name in sound for _ in range(1 if name.endswith(WORKBOOKS) else 2)]
    found = []
    for number in numbers:
        name = names[number % len(names)]
        content = damaged(sound, name, np.random.default_rng([13, number]), write)
        try:
            survive(content, name)
        except Exception as fault:
            found.append((name, number, f"{type(fault).__name__}: {fault}"[:200]))
    return found
