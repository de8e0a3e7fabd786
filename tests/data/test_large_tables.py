"""Tables of many rows: the same results as the plain way, in little memory and short steps."""

from collections import Counter

import numpy as np
import pytest
from data_bombs import LARGE_FILES
from held_threads import longest_hold
from test_data_bombs import growth_below

from nestviz.data import (
    DataError,
    Dataset,
    Roles,
    Table,
    guess_roles,
    label_values,
    large,
    read_table,
    read_text,
    standardise,
    to_dataset,
)
from nestviz.data.limits import MEGABYTE, SERVED, Limits


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(large, "PIECE", 7)
    monkeypatch.setattr(large, "BLOCK_BYTES", 1_000)


def texts_of(words):
    return np.array(words, dtype=object)


def test_texts_are_counted_in_pieces(small_pieces):
    words = [f"w{k * k % 23}" for k in range(200)]
    assert large.distinct(texts_of(words)) == set(words)
    assert list(large.counted(texts_of(words))) == sorted(Counter(words).items())
    assert list(large.counted(texts_of([]))) == []


@pytest.mark.parametrize("d", [1, 2, 3, 5, 30])
def test_columns_change_in_blocks(small_pieces, d):
    X = np.random.default_rng(d).normal(size=(40, d))
    whole = X - X.mean(axis=0)
    assert np.array_equal(large.by_columns(X.copy(), lambda part: part - part.mean(axis=0)), whole)


@pytest.mark.parametrize("rows", [True, False])
@pytest.mark.parametrize("columns", [True, False])
def test_rows_and_columns_are_kept_in_place(small_pieces, rows, columns):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(301, 9))
    row_mask = rng.random(301) < 0.6 if rows else None
    column_mask = rng.random(9) < 0.6 if columns else None
    wanted = X if row_mask is None else X[row_mask]
    wanted = wanted if column_mask is None else wanted[:, column_mask]
    assert np.array_equal(large.keep(X.copy(), row_mask, column_mask), wanted)


def test_rows_that_repeat_are_counted():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, size=(500, 4)).astype(float)
    X[X == 0.0] = np.where(rng.random((X == 0.0).sum()) < 0.5, -0.0, 0.0)
    assert large.distinct_rows(list(X.T)) == len({tuple(row) for row in X.tolist()})


def test_rows_of_one_code_are_told_apart(monkeypatch):
    monkeypatch.setattr(large, "MIX", np.uint64(0))  # all rows have the code 0
    X = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert large.distinct_rows(list(X.T)) == 3


def test_data_sets_do_not_depend_on_the_pieces(monkeypatch):
    rng = np.random.default_rng(2)
    rows = [
        f"{rng.normal():.3f},{rng.normal():.3g},{'' if rng.random() < 0.1 else k % 5},1,"
        f"{'abc'[k % 3]},{'pq'[k % 2]}"
        for k in range(400)
    ]
    table = read_text("a,b,c,same,word,label\n" + "\n".join(rows))

    def found():
        for missing in ("drop", "mean"):
            roles = Roles(("a", "b", "c", "same", "word"), "label", ("p",), missing)
            data = to_dataset(table, roles)
            yield data.fingerprint, data.provenance, data.X.flags.c_contiguous
        yield standardise(data).fingerprint, label_values(table, "word"), guess_roles(table)

    whole = list(found())
    monkeypatch.setattr(large, "PIECE", 9)
    monkeypatch.setattr(large, "BLOCK_BYTES", 5_000)
    assert list(found()) == whole


def test_a_data_set_shares_no_array_with_its_user():
    X = np.ones((3, 2))
    data = Dataset(X)
    X[0] = 5.0
    assert data.X[0, 0] == 1.0
    assert not data.X.flags.writeable


def wide_table(megabytes, words=0):
    n = 20_000
    d = megabytes * MEGABYTE // (8 * n)
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=n) for _ in range(d)]
    names = tuple(f"c{j}" for j in range(d))
    return Table(names, tuple(columns), np.arange(1, n + 1), "wide")


def test_points_take_the_memory_of_the_table_once():
    table = wide_table(48)
    with growth_below(48 + 30):
        assert to_dataset(table).d == len(table.columns)


def test_the_app_refuses_what_the_library_reads():
    table = wide_table(80)
    with pytest.raises(DataError, match=r"at most 75\.0 MB are used"):
        to_dataset(table, limits=SERVED)
    SERVED.check_unpacked_size(Limits().max_decompressed_bytes)


@pytest.mark.nightly
@pytest.mark.parametrize("name", LARGE_FILES)
def test_a_large_file_costs_the_app_little(name, write):
    """Less than 300 MB, 50 MB of which are the file; others wait less than 0.2 s."""
    content = LARGE_FILES[name](write)
    said = []

    def use():
        try:
            table = read_table(content, name, limits=SERVED)
            data = to_dataset(table, limits=SERVED)
            # With other roles, while the first ones are still in use.
            to_dataset(table, Roles(data.feature_names, standardise=False), SERVED)
        except DataError as error:
            said.append(str(error))

    with growth_below(250):
        hold = longest_hold(use)
    assert hold <= 0.2
    # These have more cells or texts than the app keeps.
    assert bool(said) == (name in ("digits.csv", "words.csv", "words.parquet")), said
