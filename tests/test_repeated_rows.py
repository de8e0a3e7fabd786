"""Rows that repeat are found, and results find their way back to all of them."""

import numpy as np
import pytest

from nestviz.kernels import GaussianKernel
from nestviz.repeated_rows import distinct_rows, row_keys

TABLES = [
    pytest.param(np.random.default_rng(0).normal(size=(500, 3)), id="all different"),
    pytest.param(np.random.default_rng(1).integers(-2, 3, (900, 4)).astype(float), id="integers"),
    pytest.param(np.random.default_rng(2).integers(0, 2, (300, 12)) * 1e-300, id="tiny"),
    pytest.param(np.ones((7, 2)), id="all equal"),
    pytest.param(np.empty((0, 3)), id="no rows"),
    pytest.param(np.array([[0.0, -0.0], [-0.0, 0.0], [1.0, -0.0]]), id="signed zeros"),
]


@pytest.mark.parametrize("X", TABLES)
def test_distinct_rows_lead_back_to_all_of_them(X):
    found = distinct_rows(X)
    assert len(found.rows) == len({tuple(row) for row in (X + 0.0).tolist()})
    assert np.array_equal(found.spread(found.rows.T).T, X)
    if found.inverse is not None:
        firsts = [int(np.flatnonzero(found.inverse == j)[0]) for j in range(len(found.rows))]
        assert firsts == sorted(firsts)


def test_rows_that_are_equal_after_conversion_are_equal():
    X = np.random.default_rng(3).normal(size=(20, 2)).astype(np.float32)
    assert len(distinct_rows(np.concatenate([X, X.astype(np.float64)])).rows) == 20


def test_two_rows_with_one_key_stay_two(monkeypatch):
    monkeypatch.setattr(
        "nestviz.repeated_rows.row_keys", lambda X: np.zeros(len(X), dtype=np.uint64)
    )
    X = np.array([[1.0], [2.0], [1.0]])
    found = distinct_rows(X)
    assert found.rows.tolist() == [[1.0], [2.0]]
    assert found.inverse.tolist() == [0, 1, 0]


def test_keys_tell_small_whole_numbers_apart():
    X = np.stack(np.meshgrid(*[np.arange(4.0)] * 6), -1).reshape(-1, 6)
    assert len(np.unique(row_keys(X))) == len(X)


def test_equal_points_have_equal_sums_wherever_they_stand():
    """Which the matrix product alone does not promise."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(23, 9))[rng.integers(0, 23, 400)]
    centres, c = rng.normal(size=(137, 9)), rng.uniform(size=(11, 137))
    found = distinct_rows(X)
    sums = found.spread(c @ GaussianKernel(1.0).gram(centres, found.rows))
    for j in range(len(found.rows)):
        same = sums[:, found.inverse == j]
        assert np.array_equal(same, np.repeat(same[:, :1], same.shape[1], axis=1))
