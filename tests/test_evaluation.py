"""Equal points have equal values, and values on the boundary are on it."""

import numpy as np
import pytest

from nestviz.evaluation import _keys, distinct_rows, largest_coefficients, settle_on_boundary

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
    monkeypatch.setattr("nestviz.evaluation._keys", lambda X: np.zeros(len(X), dtype=np.uint64))
    X = np.array([[1.0], [2.0], [1.0]])
    found = distinct_rows(X)
    assert found.rows.tolist() == [[1.0], [2.0]]
    assert found.inverse.tolist() == [0, 1, 0]


def test_keys_tell_small_whole_numbers_apart():
    X = np.stack(np.meshgrid(*[np.arange(4.0)] * 6), -1).reshape(-1, 6)
    assert len(np.unique(_keys(X))) == len(X)


def test_values_on_the_boundary_are_settled_relative_to_their_own_terms():
    offsets = np.array([1.0, 1e-6])
    sums = np.array([[1 + 1e-15, 1 + 1e-9], [1e-6 * (1 - 1e-15), 1e-6 + 1e-13]])
    settled = settle_on_boundary(sums.copy(), offsets, None, 1e-13)
    assert np.array_equal(settled - offsets[:, None] == 0, [[True, False], [True, False]])
    assert np.array_equal(settle_on_boundary(sums.copy(), offsets, None, 0.0), sums)


def test_terms_of_both_signs_are_measured_without_their_signs():
    c = np.array([[5.0, -5.0, 0.0], [5.0, -5.0, 1e-9]])
    assert largest_coefficients(np.abs(c)) is None
    largest = largest_coefficients(c)
    assert np.array_equal(largest, [5.0, 5.0, 1e-9])
    k = np.array([[0.3, 1e-200], [0.3, 1e-200], [0.0, 1.0]])
    sums = c @ k + np.array([[1e-17, 0.0], [0.0, 0.0]])
    settled = settle_on_boundary(sums.copy(), np.zeros(2), largest @ k, 1e-13)
    assert np.array_equal(settled, [[0.0, 0.0], [0.0, 1e-9]])
