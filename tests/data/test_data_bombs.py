"""Files made to take memory or time: an error in words, at a bounded cost to this process."""

import re
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from data_bombs import BOMBS, LARGE_BOMBS, LARGE_FILES, many_members, parquet, parquet_dictionary

from nestviz.data import DataError, Limits, ReadChoices, read_table, read_text

LIMITS = Limits(max_decompressed_bytes=20_000_000)


@contextmanager
def growth_below(megabytes):
    """Limit how far the peak memory of this process goes beyond the memory at the start."""
    if not sys.platform.startswith("linux"):
        yield
        return
    status = Path("/proc/self/status")
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = int(re.search(r"VmRSS:\s*(\d+)", status.read_text())[1])
    yield
    peak = int(re.search(r"VmHWM:\s*(\d+)", status.read_text())[1])
    assert (peak - before) / 1000 < megabytes


def refused(content, name, limits, megabytes):
    with growth_below(megabytes), pytest.raises(DataError) as caught:
        read_table(content, name, limits=limits)
    return caught.value


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name, write):
    error = refused(BOMBS[name](write), name, LIMITS, 10)
    assert len(str(error)) < 400


@pytest.mark.nightly
@pytest.mark.parametrize("name", LARGE_BOMBS)
def test_large_bombs(name, write):
    refused(LARGE_BOMBS[name](write), name, Limits(), 30)


@pytest.mark.nightly
@pytest.mark.parametrize("name", LARGE_FILES)
def test_large_files(name, write):
    content = LARGE_FILES[name](write)
    assert 30_000_000 < len(content) <= 50_000_000
    # The file itself is 50 MB of the 300 MB.
    with growth_below(250):
        assert read_table(content, name).n_rows > 100_000


def test_long_texts_in_a_dictionary_are_kept_once():
    table = read_table(parquet_dictionary(100_000, 50_000), "x.parquet", limits=LIMITS)
    assert set(table.values[0]) == {"x" * 100_000}
    assert len({id(text) for text in table.values[0]}) == 1
    many = parquet({"a": np.arange(2_000.0)}, row_group_size=1)
    np.testing.assert_array_equal(read_table(many, "x.parquet").values[0], np.arange(2_000.0))


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"])
def test_encodings_of_text(encoding):
    words = [f"word {k % 70}" for k in range(20_000)]
    options = {"use_dictionary": False, "column_encoding": {"a": encoding}}
    assert read_table(parquet({"a": words}, **options), "x.parquet").values[0].tolist() == words


def test_archive_of_many_arrays(write):
    table = read_table(many_members(write, 3_000), "x.npz", limits=LIMITS)
    assert table.n_rows == 2


def test_messages_quote_little(write):
    with pytest.raises(DataError) as caught:
        read_table(BOMBS["many sheets.xlsx"](write), "x.xlsx", ReadChoices(sheet="s" * 10_000))
    assert "and 1,995 more" in caught.value.hint
    assert len(str(caught.value)) < 400


def test_long_names_and_cells():
    with pytest.raises(DataError, match="The name of a column has 1,001 characters"):
        read_text("a" * 1_001 + ",b\n1,2\n")
    assert read_text("a" * 1_000 + ",b\n1,2\n").columns[0] == "a" * 1_000
    cells = np.array(["a", "b" * 131_073])
    with pytest.raises(DataError, match="The cell has 131,073 characters") as caught:
        read_table(parquet({"name": cells}), "x.parquet")
    assert caught.value.column == "name"
