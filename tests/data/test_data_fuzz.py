"""Random bytes and damaged files: each gives a Dataset or a DataError, nothing else."""

import gzip
import multiprocessing
import os
import sys
import warnings

import numpy as np
import pytest

from nestviz.data import DataError, Dataset, Limits, guess_roles, to_dataset
from nestviz.data.files import parse_table

SUFFIXES = [".csv", ".tsv", ".txt", ".xlsx", ".xls", ".ods", ".parquet", ".npy", ".npz"]
SUFFIXES += [".svm", ".gz", ".pkl", "", ".unknown"]
LIMITS = Limits(max_bytes=10**6, max_decompressed_bytes=4 * 10**6, max_rows=20_000)
TEXT = "a,b,kind\n" + "\n".join(f"{k},{k * k / 7:.3f},{'xyz'[k % 3]}" for k in range(30))
SIGNS = list("0123456789.,;\t| -+eE\"'\n\r:#NAé\x00\uffff")


def survive(content, name):
    """Read and convert; True if it came to a Dataset, False if to a DataError."""
    workbook = any(mark in content for mark in (b"xl/", b"content.xml", b"\xd0\xcf\x11\xe0"))
    if not workbook or not hasattr(os, "fork"):
        return survive_here(content, name)
    # The native reader of workbooks may panic or abort on damage, which then ends only the fork.
    child = multiprocessing.get_context("fork").Process(target=survive_apart, args=(content, name))
    child.start()
    child.join()
    assert child.exitcode != 1, (name, content)
    return child.exitcode == 0


def survive_apart(content, name):
    """End this process with 0 for a Dataset, 1 for a fault, 2 for an error or a panic."""
    try:
        if not survive_here(content, name):
            sys.exit(2)
    except Exception:
        raise
    except BaseException:
        sys.exit(2)


def survive_here(content, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            table = parse_table(content, name, limits=LIMITS)
            assert table.n_rows > 0
            assert table.preview(3)
            dataset = to_dataset(table, guess_roles(table), LIMITS)
        except DataError:
            return False
    assert isinstance(dataset, Dataset)
    return True


def seeds(write):
    """One good file of each format."""
    rows = [["a", "b", "kind"], *([float(k), k / 7, "xyz"[k % 3]] for k in range(12))]
    X = np.random.default_rng(0).normal(size=(12, 3))
    columns = {"a": X[:, 0], "b": np.arange(12), "kind": ["x", "y", "z"] * 4}
    return {
        "x.csv": TEXT.encode(),
        "x.txt": TEXT.replace(",", ";").replace(".", ",").encode("utf-16"),
        "x.tsv": TEXT.replace(",", "\t").encode("latin-1"),
        "x.csv.gz": gzip.compress(TEXT.encode(), mtime=0),
        "x.svm": b"".join(b"%d 1:%d 3:0.5\n" % (k % 2, k) for k in range(20)),
        "x.npy": write.npy(X),
        "x.npz": write.npz(X=X, y=np.sign(X[:, 0])),
        "x.parquet": write.parquet(columns),
        "x.xlsx": write.xlsx(rows),
        "x.ods": write.ods(rows),
        "x.xls": write.xls(rows),
    }


def mutated(content, rng):
    """The content with a few bytes changed, cut, doubled or put in."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(len(data) + 1))
        to = min(len(data), at + int(rng.integers(1, 40)))
        kind = rng.integers(5)
        if kind == 0 and data:
            data[min(at, len(data) - 1)] = int(rng.integers(256))
        elif kind == 1:
            del data[at:to]
        elif kind == 2:
            data[at:at] = data[at:to]
        elif kind == 3:
            data[at:at] = rng.bytes(int(rng.integers(1, 9)))
        elif rng.random() < 0.3:
            del data[at:]
    return bytes(data)


def suffix(rng):
    return SUFFIXES[int(rng.integers(len(SUFFIXES)))]


def test_good_files_come_through(write):
    for name, content in seeds(write).items():
        assert survive(content, name), name


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes(seed):
    rng = np.random.default_rng([1, seed])
    magics = [b"", b"", b"PAR1", b"\x93NUMPY\x01\x00", b"PK\x03\x04", b"\x1f\x8b\x08", b"\x80\x04"]
    magics += [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\xff\xfe", b"\xef\xbb\xbf"]
    for k in range(150):
        content = magics[k % len(magics)] + rng.bytes(int(rng.integers(0, 600)))
        survive(content, f"x{suffix(rng)}")


@pytest.mark.parametrize("seed", range(4))
def test_random_text(seed):
    rng = np.random.default_rng([2, seed])
    outcomes = []
    for _ in range(150):
        signs = SIGNS[: int(rng.integers(11, len(SIGNS) + 1))]
        text = "".join(rng.choice(signs, size=int(rng.integers(1, 200))))
        encoding = ["utf-8", "utf-16", "utf-16-le"][int(rng.integers(3))]
        outcomes.append(survive(text.encode(encoding), f"x{suffix(rng)}"))
    assert not all(outcomes)


@pytest.mark.parametrize("seed", range(10))
def test_damaged_files(seed, write):
    rng = np.random.default_rng([3, seed])
    files = seeds(write)
    for k in range(8 * len(files)):
        name = list(files)[k % len(files)]
        content = mutated(files[name], rng)
        if rng.random() < 0.2:
            name = f"x{suffix(rng)}"
        survive(content, name)


@pytest.mark.parametrize("seed", range(4))
def test_damage_inside_sound_archives(seed, write):
    """A changed byte of an archive breaks its checksum; so change first, and pack then."""
    rng = np.random.default_rng([4, seed])
    rows = [["a", "b"], *([float(k), k / 7] for k in range(5))]
    sheet = write.sheet_xml(rows).encode()
    array = write.npy(np.arange(12.0).reshape(6, 2))
    for _ in range(30):
        members = write.xlsx_members({"Data": mutated(sheet, rng)})
        survive(write.zipped(members), "x.xlsx")
        survive(write.zipped({"X.npy": mutated(array, rng)}), "x.npz")
        survive(gzip.compress(mutated(TEXT.encode(), rng)), "x.csv.gz")
