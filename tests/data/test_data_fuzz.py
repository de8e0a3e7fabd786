"""Random bytes and random text: each gives a Dataset or a DataError, nothing else."""

import numpy as np
import pytest
from mutated_files import survive
from slow_from import slow_from

SUFFIXES = [".csv", ".tsv", ".txt", ".xlsx", ".xls", ".ods", ".parquet", ".npy", ".npz"]
SUFFIXES += [".svm", ".gz", ".pkl", "", ".unknown"]
SIGNS = list("0123456789.,;\t| -+eE\"'\n\r:#NAé\x00\uffff")


def suffix(rng):
    return SUFFIXES[int(rng.integers(len(SUFFIXES)))]


@pytest.mark.parametrize("seed", slow_from(1, range(4)))
def test_random_bytes(seed):
    rng = np.random.default_rng([1, seed])
    magics = [b"", b"", b"PAR1", b"\x93NUMPY\x01\x00", b"PK\x03\x04", b"\x1f\x8b\x08", b"\x80\x04"]
    magics += [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\xff\xfe", b"\xef\xbb\xbf"]
    for k in range(150):
        content = magics[k % len(magics)] + rng.bytes(int(rng.integers(0, 600)))
        survive(content, f"x{suffix(rng)}")


@pytest.mark.parametrize("seed", slow_from(1, range(4)))
def test_random_text(seed):
    rng = np.random.default_rng([2, seed])
    outcomes = []
    for _ in range(150):
        signs = SIGNS[: int(rng.integers(11, len(SIGNS) + 1))]
        text = "".join(rng.choice(signs, size=int(rng.integers(1, 200))))
        encoding = ["utf-8", "utf-16", "utf-16-le"][int(rng.integers(3))]
        outcomes.append(survive(text.encode(encoding), f"x{suffix(rng)}"))
    assert not all(outcomes)
